"""Whether every pip that a face needs is there and looks like the others.

A glint is no pip, and a face with a missing pip is another face. The networks know pips in any colour, so a white
glint beside a black pip makes a three of an ace for them; the templates (`pip_template.py`) see only how far a colour
lies from the face's own, not in which direction. Here the pattern of one face is laid over the die along the axis on
which its colours vary most. Of the best placements the one counts whose pips are most alike. A three and a five must
have their middle pip where the other pips have their centre, which a glint seldom hits.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.pip_template import (
    MAX_SHIFT,
    PATTERNS,
    REACH,
    STEP,
    extract_shifted_samples,
    iter_placements,
    normalise_rows,
    rotate,
    select_inner_samples,
    select_templates,
)
from vision.dice.readings import FACES
from vision.geometry.projection import distances

MAX_PLACEMENTS = 16  # knob: number of best placements that are compared
GLINT_SHARE = 0.03  # knob: share of the samples at either end of the colour axis that is clipped
# Sampling of the face's own colour beside each pip: die edges from the middle each way, samples along that, least die
# edges to any pip, and number of nearest samples that count (a shadow may lie across a face).
FACE_REACH_EDGES, FACE_SAMPLES, PIP_CLEARANCE_EDGES, NEAREST_SAMPLES = 0.38, 11, 0.16, 8
PIP_STEPS = 3  # samples along the square over which the colour of a pip is averaged
HUE_WEIGHT = 0.4  # weight of a difference across the common direction of the pips: one pip may be red; knob
# Offsets in samples at which a pip is searched, its expected place first: on some dice pips lie nearer to the edges.
SEARCH_OFFSETS = np.array([(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)])
# Knob: largest difference of a pip from the middle one, as a share of the middle one's contrast to the face. A
# missing pip has 1, a red one among black ones below 0.5. Lower rejects more glints, and dice with one red pip.
MAX_DEVIATION = 0.5
# Faces, from 0, with a middle pip, the last one of their pattern.
FACES_WITH_MIDDLE = tuple(number for number in range(1, FACES) if PATTERNS[number][-1] == (0.0, 0.0))
# Centroid of a pip: die edges up to which a sample counts in full, from which it does not count, and iterations.
PIP_FULL, PIP_END, REFINEMENTS = 0.086, 0.115, 3
# Knob: largest distance in die edges of the middle pip from the centre of the others. A glint beside the middle has
# more, a true pip 0.035 at most except on dice under 16 px; higher lets more glints pass.
MAX_MIDDLE_OFFSET = 0.04


@dataclass(frozen=True, slots=True, eq=False)
class PatternFit:
    """The placement of a face's pattern with the most similar pips. Places are in samples, colours in CIELAB."""

    pips_at: NDArray[np.intp]  # (pips, 2) column and row
    face_lab: NDArray[np.float32]  # (pips, 3), of the face beside each pip
    pip_direction: NDArray[np.float32]  # (3,), unit vector from the face's colour to that of the median pip
    # Difference of the least similar pip from the median one, against the median one's contrast: 0 where all are
    # alike, 1 where one is missing, more for the opposite colour. Other hues count less.
    deviation: float


def are_pips_consistent(face: NDArray[np.float32], number: int) -> bool:
    """Whether the pips of a face, from 0, are alike and its middle pip is centred; always for an ace.

    `face` is (rows, columns, 3) CIELAB as `sample_face` returns it.
    """
    if number == 0:
        return True
    fit = fit_pattern(face, number)
    return fit.deviation <= MAX_DEVIATION and (
        number not in FACES_WITH_MIDDLE or measure_middle_offset(face, fit) <= MAX_MIDDLE_OFFSET
    )


def prepare_pips() -> None:
    """Fills the cache of placements, which would delay the first die."""
    for number in range(1, FACES):
        _compute_placements(number)


def fit_pattern(face: NDArray[np.float32], number: int) -> PatternFit:
    """The best fit of a face's pattern, from 1: an ace has nothing to compare."""
    shift, way = _find_best_placements(face, number)
    pips_at, face_at = _compute_placements(number)
    pips_at, face_at = pips_at[way] + shift[:, None], face_at[way] + shift[:, None, None]
    smooth = np.asarray(cv2.blur(face, (PIP_STEPS, PIP_STEPS)), np.float32)
    own = np.median(_sample_at(face, face_at), axis=2)
    deviations = _sample_at(smooth, pips_at[:, :, None] + SEARCH_OFFSETS) - own[:, :, None]
    middle = np.median(deviations[:, :, 0], axis=1)
    contrast = np.maximum(np.linalg.norm(middle, axis=1), 1e-6)[:, None, None]
    that_way = middle[:, None, None] / contrast[..., None]
    along = (deviations * that_way).sum(axis=3)
    beside = np.linalg.norm(deviations - along[..., None] * that_way, axis=3)
    away = np.hypot(along / contrast - 1, HUE_WEIGHT * beside / contrast)
    worst = away.min(axis=2).max(axis=1)
    best = int(worst.argmin())
    return PatternFit(pips_at[best], own[best], that_way[best, 0, 0], float(worst[best]))


def measure_middle_offset(face: NDArray[np.float32], fit: PatternFit) -> float:
    """Die edges from the middle pip of a three or a five to the centre of the others.

    The place of a pip is the centroid of what differs from the face as the pips do, iterated from there.
    """
    like_pips = np.maximum((face - fit.face_lab[:, None, None]) @ fit.pip_direction, 0)
    rows, columns = np.indices(face.shape[:2])
    places = fit.pips_at.astype(np.float64)
    for _ in range(REFINEMENTS):
        away = STEP * np.hypot(columns - places[:, 0, None, None], rows - places[:, 1, None, None])
        weights = like_pips * np.clip((PIP_END - away) / (PIP_END - PIP_FULL), 0, 1)
        sums = np.stack([(weights * axis).sum(axis=(1, 2)) for axis in (columns, rows)], axis=1)
        places = sums / np.maximum(weights.sum(axis=(1, 2)), 1e-6)[:, None]
    *others, middle = STEP * places
    return float(np.hypot(*(middle - np.mean(others, axis=0))))


def _sample_at(face: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.float32]:
    """(…, 3) colours at (…, 2) column and row; beyond the face its border is repeated."""
    column, row = np.moveaxis(np.clip(places, 0, len(face) - 1), -1, 0)
    return np.asarray(face[row, column])


def _find_best_placements(face: NDArray[np.float32], number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The best placements: (ways, 2) column and row of the face's middle, and (ways,) their indices among all ways."""
    middle = select_inner_samples(face)
    deviations = middle - middle.mean(axis=0)
    axis = np.linalg.eigh(deviations.T @ deviations)[1][:, -1]
    low, *_, high = np.sort(middle @ axis)[int(GLINT_SHARE * len(middle)) : -int(GLINT_SHARE * len(middle))]
    cuts = extract_shifted_samples(np.clip(face @ axis, low, high))
    fits = np.abs(normalise_rows(cuts) @ select_templates(number))
    best = np.argpartition(fits.ravel(), -MAX_PLACEMENTS)[-MAX_PLACEMENTS:]
    cut, way = np.unravel_index(best, fits.shape)
    row, column = np.divmod(cut, 2 * MAX_SHIFT + 1)
    return np.stack([column, row], axis=1) + REACH, way


@lru_cache(maxsize=FACES)
def _compute_placements(number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Per way, in samples from the middle: pips (ways, pips, 2), face near them (ways, pips, NEAREST_SAMPLES, 2)."""
    along = np.linspace(-FACE_REACH_EDGES, FACE_REACH_EDGES, FACE_SAMPLES)
    places = np.stack([axis.ravel() for axis in np.meshgrid(along, along)], axis=1)
    all_pips, all_face = [], []
    for pattern, _, turned in iter_placements(number):
        pips, turned_places = rotate(turned, pattern), rotate(turned, places)
        away = distances(pips, turned_places)
        is_face = (away.min(axis=0) > PIP_CLEARANCE_EDGES) & (np.abs(turned_places).max(axis=1) <= REACH * STEP)
        nearest = np.argsort(np.where(is_face, away, np.inf), axis=1, kind="stable")[:, :NEAREST_SAMPLES]
        all_pips.append(pips)
        all_face.append(turned_places[nearest])
    return _to_steps(all_pips), _to_steps(all_face)


def _to_steps(places: list[NDArray[np.float64]]) -> NDArray[np.intp]:
    return np.rint(np.array(places) / STEP).astype(np.intp)
