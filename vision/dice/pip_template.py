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
MAX_SHIFT = 2  # steps each way: the spot is put no more exactly
REACH = 11  # steps from the middle to the end of what is compared
SAMPLES_ACROSS = 2 * (REACH + MAX_SHIFT) + 1  # samples along a face
INNER_RADIUS = 0.45  # what is further from the middle may belong to another side once it is turned
COLUMN_OFFSET = 0.255  # from the middle pip to the columns of the others
WIDTH_FACTORS = (0.86, 1.0, 1.14)  # of that; backgammon dice differ by so much
PIP_RADII = (0.075, 0.1)  # radius
PIP_SOFTNESS = 0.02  # how gradually a pip ends
ROTATION_STEP_DEG = 6
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
SYMMETRY_DEG = (ROTATION_STEP_DEG, 180, 180, 90, 90, 180)
CLIP_QUANTILE = 0.95  # share of the distances; a glint counts no more than what is above these
EVIDENCE_NATS = 15.0
FIT_EXPONENT = 2
# Below this fit a face's own pips are not seen at all. Of 2,281 values that were told on 1,025 rendered boards one was wrong, an ace
# of a five whose outer pips a glare hid. Its pattern fits by -0.05 to 0.15, as the spot is put; of those told rightly two by 0.11
# and 0.16, and all others by 0.21 and more.
LEAST_FIT = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class PipEvidence:
    """What the pattern says of each face: log-likelihoods (6,), the best one 0, and whether its own pips are seen (6,).

    `face` is what was looked at, as `sampled_face` has it, where a board tells how to see it from straight above.
    """

    face_log_likelihoods: NDArray[np.float64]
    has_visible_pips: NDArray[np.bool_] = field(default_factory=lambda: np.ones(FACES, np.bool_))
    face_lab: NDArray[np.float32] | None = None


def compute_pip_evidence(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> PipEvidence:
    """Of a die in a picture (h, w, 3) BGR."""
    face = sample_face(pixels, place_window(spot, board))
    fits = correlate_patterns(face)
    best = float(fits.max())
    straight = None if board is None else face
    return PipEvidence(
        np.asarray(EVIDENCE_NATS * max(best, 0.0) ** FIT_EXPONENT * (fits - best)), fits >= LEAST_FIT, straight
    )


def correlate_patterns(face: NDArray[np.float32]) -> NDArray[np.float64]:
    """(6,) correlations -1 to 1 of a face, (rows, columns, 3) Lab, sampled every STEP and SHIFTED further than REACH."""
    own = np.median(select_inner_samples(face), axis=0)
    apart = np.asarray(np.linalg.norm(face - own, axis=2), np.float32)
    cuts = extract_shifted_samples(apart)
    glint = int(CLIP_QUANTILE * cuts.shape[1])
    cuts = np.minimum(cuts, np.partition(cuts, glint, axis=1)[:, glint, None])
    fits = normalise_rows(cuts) @ _make_templates()
    return np.maximum.reduceat(fits.max(axis=0), _find_first_templates()).astype(np.float64)


def sample_face(pixels: NDArray[np.uint8], place: WindowPlace) -> NDArray[np.float32]:
    """The upper face (rows, columns, 3) Lab around its middle; what is finer than a sample is smoothed away first."""
    at_px = place.to_picture(_make_sample_grid())
    low = np.clip(np.floor(at_px.min(axis=0)) - 4, 0, np.array(pixels.shape[1::-1]) - 1).astype(int)
    high = np.maximum(np.ceil(at_px.max(axis=0)).astype(int) + 5, low + 1)
    piece = np.asarray(pixels[low[1] : high[1], low[0] : high[0]], np.float32) / 255
    finer = STEP * place.size_px
    smooth = cv2.GaussianBlur(piece, (0, 0), 0.5 * finer) if finer > 1 else piece
    x_px, y_px = (at_px - low).T.reshape(2, SAMPLES_ACROSS, SAMPLES_ACROSS).astype(np.float32)
    face = cv2.remap(smooth, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.cvtColor(face, cv2.COLOR_BGR2LAB).astype(np.float32, copy=False)


def select_inner_samples(face: NDArray[np.float32]) -> NDArray[np.float32]:
    """(samples, 3) of such a face: what shows of it whichever way it is turned."""
    return face[MAX_SHIFT:-MAX_SHIFT, MAX_SHIFT:-MAX_SHIFT][_make_inner_mask()]


def extract_shifted_samples(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """(shifts, samples) of (rows, columns): the same part of a face, shifted in every way."""
    return values.ravel()[_make_shift_indices()]


def select_templates(face: int) -> NDArray[np.float32]:
    """(samples, n): the pattern of one face, from 0, in the order of `ways_of` it."""
    firsts = [*_find_first_templates().tolist(), None]
    return _make_templates()[:, firsts[face] : firsts[face + 1]]


@lru_cache(maxsize=1)
def _make_sample_grid() -> NDArray[np.float64]:
    """(samples, 2): row by row, in edges of the die from its middle."""
    columns, rows = np.meshgrid(_make_axis(REACH + MAX_SHIFT), _make_axis(REACH + MAX_SHIFT))
    return np.stack([columns.ravel(), rows.ravel()], axis=1)


@lru_cache(maxsize=1)
def _make_shift_indices() -> NDArray[np.intp]:
    """(shifts, samples): what is compared of a face, by its number among all samples, shifted in every way."""
    size = 2 * REACH + 1
    numbers = np.arange(SAMPLES_ACROSS**2).reshape(SAMPLES_ACROSS, SAMPLES_ACROSS)
    return np.lib.stride_tricks.sliding_window_view(numbers, (size, size)).reshape(-1, size, size)[
        :, _make_inner_mask()
    ]


def _make_axis(steps: int) -> NDArray[np.float64]:
    return np.asarray(np.arange(-steps, steps + 1) * STEP, np.float64)


def normalise_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row with the mean 0 and the length 1; one without any differences stays 0."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6), np.float32)


@lru_cache(maxsize=1)
def _make_inner_mask() -> NDArray[np.bool_]:
    """(rows, columns): what shows of the face whichever way it is turned."""
    return np.asarray(np.hypot(*np.meshgrid(_make_axis(REACH), _make_axis(REACH))) < INNER_RADIUS)


@lru_cache(maxsize=1)
def _make_templates() -> NDArray[np.float32]:
    """(samples, n): all patterns in all ways, face by face from the columns `_first_of_faces` on."""
    patterns = normalise_rows(
        np.array([_render_pattern(*way) for face in range(FACES) for way in iter_placements(face)], np.float32)
    )
    return np.ascontiguousarray(patterns.T)


@lru_cache(maxsize=1)
def _find_first_templates() -> NDArray[np.intp]:
    return np.cumsum([0] + [sum(1 for _ in iter_placements(face)) for face in range(FACES - 1)])


def iter_placements(face: int) -> Iterator[tuple[tuple[tuple[float, float], ...], float, float]]:
    """Pattern, radius of its pips, and the turn in degrees; wider and narrower."""
    for width, radius, turned in product(WIDTH_FACTORS, PIP_RADII, range(0, SYMMETRY_DEG[face], ROTATION_STEP_DEG)):
        if PATTERNS[face] == _MIDDLE and width != 1:
            continue  # a single pip is no wider
        yield tuple((COLUMN_OFFSET * width * x, COLUMN_OFFSET * width * y) for x, y in PATTERNS[face]), radius, turned


def rotate(turned_deg: float, places: ArrayLike) -> NDArray[np.float64]:
    """(n, 2) places about the middle of a face, from column towards row."""
    angle = np.radians(turned_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray(np.asarray(places) @ turn.T, np.float64)


def _render_pattern(pips: tuple[tuple[float, float], ...], radius: float, turned: float) -> NDArray[np.float64]:
    """(samples,): near 1 within a pip, 0 elsewhere."""
    columns, rows = np.meshgrid(_make_axis(REACH), _make_axis(REACH))
    samples = np.stack([columns[_make_inner_mask()], rows[_make_inner_mask()]], axis=1)
    apart = distances(samples, rotate(turned, pips)).min(axis=1)
    return np.asarray(1 / (1 + np.exp((apart - radius) / PIP_SOFTNESS)))
