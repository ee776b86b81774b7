"""Pip evidence: likelihoods of the six faces by template matching, independent of the networks.

The face is sampled, straight from above where the board is known. Each sample counts by the distance of its colour
from the face's own, so that dark, light and red pips look alike. The six patterns are correlated with that, in all
orientations, shifts and widths, the six also with its rows nearer to each other. The evidence between two faces is the
difference of their best correlations, scaled by how well the best one fits at all: where blur, shade or tilt leave no
pattern, the evidence is weak.
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

STEP = 0.038  # sampling distance in die edges
MAX_SHIFT = 2  # samples of shift each way: the precision of the spot
REACH = 11  # samples from the middle to the border of the compared part
SAMPLES_ACROSS = 2 * (REACH + MAX_SHIFT) + 1
INNER_RADIUS = 0.45  # die edges; farther out, another side may show once the face is rotated
COLUMN_OFFSET = 0.255  # die edges from the middle to the columns of pips
WIDTH_FACTORS = (0.86, 1.0, 1.14)  # factors on COLUMN_OFFSET: the spread among backgammon dice
# Factors on the distance between the two rows of a six. Statistical: of four makes on photographs two have them nearer to
# each other than the corner pips of a five.
SIX_ROW_FACTORS = (0.64, 0.8, 1.0)
PIP_RADII = (0.075, 0.1)  # die edges
PIP_SOFTNESS = 0.02  # die edges over which a pip fades out
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
CLIP_QUANTILE = 0.95  # quantile at which colour distances are clipped, which bounds the weight of a glint
# Nats between a perfect fit and none; the evidence grows with this power of the best correlation. Statistical.
EVIDENCE_NATS = 15.0
FIT_EXPONENT = 2
# Correlation below which the pips of a face count as not seen. Knob, between a face whose outer pips a glare hides
# (up to 0.16) and true faces (mostly from 0.21).
LEAST_FIT = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class PipEvidence:
    """Log-likelihoods (6,) of the faces, the best one 0, and whether the pips of each face are seen (6,).

    `face_lab` is the face as `sample_face` returns it; None without a board, in a view from aside.
    """

    face_log_likelihoods: NDArray[np.float64]
    has_visible_pips: NDArray[np.bool_] = field(default_factory=lambda: np.ones(FACES, np.bool_))
    face_lab: NDArray[np.float32] | None = None


def compute_pip_evidence(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> PipEvidence:
    """Of the die at a spot of a picture (h, w, 3) BGR."""
    face = sample_face(pixels, place_window(spot, board))
    fits = correlate_patterns(face)
    best = float(fits.max())
    face_lab = None if board is None else face
    return PipEvidence(
        np.asarray(EVIDENCE_NATS * max(best, 0.0) ** FIT_EXPONENT * (fits - best)), fits >= LEAST_FIT, face_lab
    )


def correlate_patterns(face: NDArray[np.float32]) -> NDArray[np.float64]:
    """(6,) best correlations -1..1 for a face (rows, columns, 3) CIELAB, as `sample_face` returns it."""
    own = np.median(select_inner_samples(face), axis=0)
    colour_distances = np.asarray(np.linalg.norm(face - own, axis=2), np.float32)
    cuts = extract_shifted_samples(colour_distances)
    glint = int(CLIP_QUANTILE * cuts.shape[1])
    cuts = np.minimum(cuts, np.partition(cuts, glint, axis=1)[:, glint, None])
    fits = normalise_rows(cuts) @ _make_templates()
    return np.maximum.reduceat(fits.max(axis=0), _find_first_templates()).astype(np.float64)


def sample_face(pixels: NDArray[np.uint8], place: WindowPlace) -> NDArray[np.float32]:
    """The upper face (SAMPLES_ACROSS, SAMPLES_ACROSS, 3) CIELAB around its middle, smoothed against aliasing."""
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
    """(samples, 3) of such a face that show in every orientation."""
    return face[MAX_SHIFT:-MAX_SHIFT, MAX_SHIFT:-MAX_SHIFT][_make_inner_mask()]


def extract_shifted_samples(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """(shifts, samples) of (rows, columns): the inner part of a face at every shift."""
    return values.ravel()[_make_shift_indices()]


def select_templates(face: int) -> NDArray[np.float32]:
    """(samples, n): the templates of one face, from 0, in the order of `iter_placements`."""
    firsts = [*_find_first_templates().tolist(), None]
    return _make_templates()[:, firsts[face] : firsts[face + 1]]


@lru_cache(maxsize=1)
def _make_sample_grid() -> NDArray[np.float64]:
    """(samples, 2), row by row, in die edges from the middle."""
    columns, rows = np.meshgrid(_make_axis(REACH + MAX_SHIFT), _make_axis(REACH + MAX_SHIFT))
    return np.stack([columns.ravel(), rows.ravel()], axis=1)


@lru_cache(maxsize=1)
def _make_shift_indices() -> NDArray[np.intp]:
    """(shifts, samples): indices of the inner samples at every shift."""
    size = 2 * REACH + 1
    numbers = np.arange(SAMPLES_ACROSS**2).reshape(SAMPLES_ACROSS, SAMPLES_ACROSS)
    return np.lib.stride_tricks.sliding_window_view(numbers, (size, size)).reshape(-1, size, size)[
        :, _make_inner_mask()
    ]


def _make_axis(steps: int) -> NDArray[np.float64]:
    return np.asarray(np.arange(-steps, steps + 1) * STEP, np.float64)


def normalise_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row with mean 0 and length 1; a constant row stays 0."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6), np.float32)


@lru_cache(maxsize=1)
def _make_inner_mask() -> NDArray[np.bool_]:
    """(rows, columns): the part of a face that shows in every orientation."""
    return np.asarray(np.hypot(*np.meshgrid(_make_axis(REACH), _make_axis(REACH))) < INNER_RADIUS)


@lru_cache(maxsize=1)
def _make_templates() -> NDArray[np.float32]:
    """(samples, n): all templates, face by face from the columns of `_find_first_templates` on."""
    patterns = normalise_rows(
        np.array([_render_pattern(*way) for face in range(FACES) for way in iter_placements(face)], np.float32)
    )
    return np.ascontiguousarray(patterns.T)


@lru_cache(maxsize=1)
def _find_first_templates() -> NDArray[np.intp]:
    return np.cumsum([0] + [sum(1 for _ in iter_placements(face)) for face in range(FACES - 1)])


def iter_placements(face: int) -> Iterator[tuple[tuple[tuple[float, float], ...], float, float]]:
    """Pattern, pip radius and angle in degrees of every template of a face, from 0."""
    widths = (1.0,) if PATTERNS[face] == _MIDDLE else WIDTH_FACTORS  # a single pip is no wider
    nearer = SIX_ROW_FACTORS if face == FACES - 1 else (1.0,)
    angles_deg = range(0, SYMMETRY_DEG[face], ROTATION_STEP_DEG)
    for width, near, radius, angle_deg in product(widths, nearer, PIP_RADII, angles_deg):
        offset = COLUMN_OFFSET * width
        yield tuple((offset * near * x, offset * y) for x, y in PATTERNS[face]), radius, angle_deg


def rotate(angle_deg: float, places: ArrayLike) -> NDArray[np.float64]:
    """(n, 2) places rotated about the middle of a face, from column towards row."""
    angle = np.radians(angle_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray(np.asarray(places) @ turn.T, np.float64)


def _render_pattern(pips: tuple[tuple[float, float], ...], radius: float, angle_deg: float) -> NDArray[np.float64]:
    """(samples,): near 1 within a pip, 0 elsewhere."""
    columns, rows = np.meshgrid(_make_axis(REACH), _make_axis(REACH))
    samples = np.stack([columns[_make_inner_mask()], rows[_make_inner_mask()]], axis=1)
    colour_distances = distances(samples, rotate(angle_deg, pips)).min(axis=1)
    return np.asarray(1 / (1 + np.exp((colour_distances - radius) / PIP_SOFTNESS)))
