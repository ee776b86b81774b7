"""What the pips of an upper face say by their pattern alone: a second opinion beside the network's.

The face is sampled from straight above where the board is known, and each sample told by how far its colour lies from
the face's own, so that dark pips, light ones and a red one count alike. The six patterns are laid over that, turned,
shifted and wider or narrower; how well the best of each fits is a correlation. What a face is worth against another one
then is the difference of their correlations, and more the better the best one fits at all: where blur, shade or a tilt
leave no pattern, little is said.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.dice.readings import FACES
from vision.dice.windows import DieSpot, WindowPlace, place_window
from vision.geometry.projection import KnownBoard, distances

# In edges of the die.
STEP = 0.038
SHIFTED = 2  # steps each way: the spot is put no more exactly
REACH = 11  # steps from the middle to the end of what is compared
ACROSS = 2 * (REACH + SHIFTED) + 1  # samples along a face
ROUND = 0.45  # what is further from the middle may belong to another side once it is turned
SPREAD = 0.255  # from the middle pip to the columns of the others
WIDTHS = (0.86, 1.0, 1.14)  # of that; backgammon dice differ by so much
PIPS = (0.075, 0.1)  # radius
SOFT = 0.02  # how gradually a pip ends
TURNED_DEG = 6
_COLUMNS = (-1.0, 1.0)
_CORNERS = tuple(product(_COLUMNS, _COLUMNS))
_DIAGONAL = ((-1.0, -1.0), (1.0, 1.0))
_MIDDLE = ((0.0, 0.0),)
PATTERNS = (
    _MIDDLE,
    _DIAGONAL,
    _DIAGONAL + _MIDDLE,
    _CORNERS,
    _CORNERS + _MIDDLE,
    _CORNERS + tuple((column, 0.0) for column in _COLUMNS),
)
ALIKE_AFTER_DEG = (TURNED_DEG, 180, 180, 90, 90, 180)
BRIGHTEST = 0.95  # share of the distances; a glint counts no more than what is above these
NATS = 15.0
BETTER_FIT = 2
# Below this fit a face's own pips are not seen at all. Of 2,281 values that were told on 1,025 rendered boards one was wrong, an ace
# of a five whose outer pips a glare hid. Its pattern fits by -0.05 to 0.15, as the spot is put; of those told rightly two by 0.11
# and 0.16, and all others by 0.21 and more.
LEAST_FIT = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class PipEvidence:
    """What the pattern says of each face: log-likelihoods (6,), the best one 0, and whether its own pips are seen (6,).

    `face` is what was looked at, as `sampled_face` has it, where a board tells how to see it from straight above.
    """

    faces: NDArray[np.float64]
    seen: NDArray[np.bool_] = field(default_factory=lambda: np.ones(FACES, np.bool_))
    face: NDArray[np.float32] | None = None


def face_evidence(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> PipEvidence:
    """Of a die in a picture (h, w, 3) BGR."""
    face = sampled_face(pixels, place_window(spot, board))
    fits = pattern_fits(face)
    best = float(fits.max())
    straight = None if board is None else face
    return PipEvidence(np.asarray(NATS * max(best, 0.0) ** BETTER_FIT * (fits - best)), fits >= LEAST_FIT, straight)


def pattern_fits(face: NDArray[np.float32]) -> NDArray[np.float64]:
    """(6,) correlations -1 to 1 of a face, (rows, columns, 3) Lab, sampled every STEP and SHIFTED further than REACH."""
    own = np.median(middle_of(face), axis=0)
    apart = np.asarray(np.linalg.norm(face - own, axis=2), np.float32)
    cuts = cuts_of(apart)
    glint = int(BRIGHTEST * cuts.shape[1])
    cuts = np.minimum(cuts, np.partition(cuts, glint, axis=1)[:, glint, None])
    fits = centred(cuts) @ _templates()
    return np.maximum.reduceat(fits.max(axis=0), _first_of_faces()).astype(np.float64)


def sampled_face(pixels: NDArray[np.uint8], place: WindowPlace) -> NDArray[np.float32]:
    """The upper face (rows, columns, 3) Lab around its middle; what is finer than a sample is smoothed away first."""
    at_px = place.to_picture(_samples())
    low = np.clip(np.floor(at_px.min(axis=0)) - 4, 0, np.array(pixels.shape[1::-1]) - 1).astype(int)
    high = np.maximum(np.ceil(at_px.max(axis=0)).astype(int) + 5, low + 1)
    piece = np.asarray(pixels[low[1] : high[1], low[0] : high[0]], np.float32) / 255
    finer = STEP * place.size_px
    smooth = cv2.GaussianBlur(piece, (0, 0), 0.5 * finer) if finer > 1 else piece
    x_px, y_px = (at_px - low).T.reshape(2, ACROSS, ACROSS).astype(np.float32)
    face = cv2.remap(smooth, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.cvtColor(face, cv2.COLOR_BGR2LAB).astype(np.float32, copy=False)


def middle_of(face: NDArray[np.float32]) -> NDArray[np.float32]:
    """(samples, 3) of such a face: what shows of it whichever way it is turned."""
    return face[SHIFTED:-SHIFTED, SHIFTED:-SHIFTED][_inside()]


def cuts_of(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """(shifts, samples) of (rows, columns): the same part of a face, shifted in every way."""
    return values.ravel()[_cuts()]


def templates_of(face: int) -> NDArray[np.float32]:
    """(samples, n): the pattern of one face, from 0, in the order of `ways_of` it."""
    firsts = [*_first_of_faces().tolist(), None]
    return _templates()[:, firsts[face] : firsts[face + 1]]


@lru_cache(maxsize=1)
def _samples() -> NDArray[np.float64]:
    """(samples, 2): row by row, in edges of the die from its middle."""
    columns, rows = np.meshgrid(_along(REACH + SHIFTED), _along(REACH + SHIFTED))
    return np.stack([columns.ravel(), rows.ravel()], axis=1)


@lru_cache(maxsize=1)
def _cuts() -> NDArray[np.intp]:
    """(shifts, samples): what is compared of a face, by its number among all samples, shifted in every way."""
    size = 2 * REACH + 1
    numbers = np.arange(ACROSS**2).reshape(ACROSS, ACROSS)
    return np.lib.stride_tricks.sliding_window_view(numbers, (size, size)).reshape(-1, size, size)[:, _inside()]


def _along(steps: int) -> NDArray[np.float64]:
    return np.asarray(np.arange(-steps, steps + 1) * STEP, np.float64)


def centred(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row with the mean 0 and the length 1; one without any differences stays 0."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6), np.float32)


@lru_cache(maxsize=1)
def _inside() -> NDArray[np.bool_]:
    """(rows, columns): what shows of the face whichever way it is turned."""
    return np.asarray(np.hypot(*np.meshgrid(_along(REACH), _along(REACH))) < ROUND)


@lru_cache(maxsize=1)
def _templates() -> NDArray[np.float32]:
    """(samples, n): all patterns in all ways, face by face from the columns `_first_of_faces` on."""
    patterns = centred(np.array([_pattern(*way) for face in range(FACES) for way in ways_of(face)], np.float32))
    return np.ascontiguousarray(patterns.T)


@lru_cache(maxsize=1)
def _first_of_faces() -> NDArray[np.intp]:
    return np.cumsum([0] + [sum(1 for _ in ways_of(face)) for face in range(FACES - 1)])


def ways_of(face: int) -> Iterator[tuple[tuple[tuple[float, float], ...], float, float]]:
    """Pattern, radius of its pips, and the turn in degrees; wider and narrower."""
    for width, radius, turned in product(WIDTHS, PIPS, range(0, ALIKE_AFTER_DEG[face], TURNED_DEG)):
        if PATTERNS[face] == _MIDDLE and width != 1:
            continue  # a single pip is no wider
        yield tuple((SPREAD * width * x, SPREAD * width * y) for x, y in PATTERNS[face]), radius, turned


def turned_by(turned_deg: float, places: ArrayLike) -> NDArray[np.float64]:
    """(n, 2) places about the middle of a face, from column towards row."""
    angle = np.radians(turned_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray(np.asarray(places) @ turn.T, np.float64)


def _pattern(pips: tuple[tuple[float, float], ...], radius: float, turned: float) -> NDArray[np.float64]:
    """(samples,): near 1 within a pip, 0 elsewhere."""
    columns, rows = np.meshgrid(_along(REACH), _along(REACH))
    samples = np.stack([columns[_inside()], rows[_inside()]], axis=1)
    apart = distances(samples, turned_by(turned, pips)).min(axis=1)
    return np.asarray(1 / (1 + np.exp((apart - radius) / SOFT)))
