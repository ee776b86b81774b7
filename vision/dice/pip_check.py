"""Whether all pips that a face needs are there and look alike: a glint is no pip, and one that is missing makes another face.

The networks know pips in any colour, so that for them a white glint beside a black pip makes a three of an ace; and so do the
patterns (`pip_patterns.py`), which ask how far a colour lies from the face's own, not which way. Here the pattern of one face is
laid over the die along the line on which its colours differ most, light and dark being its two ends; and of the ways in which it
fits best the one counts whose pips are most alike. A three and a five have a pip in their middle, where the others say it is: a
glint seldom lies there exactly.
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

MAX_PLACEMENTS = 16  # of all in which a pattern is laid over a die
GLINT_SHARE = 0.03  # share of the samples at either end; they count no more than what is between
# Edges from the middle, each way, to where a face is asked for its own colour; at how many places along that; no nearer to a pip than so
# many edges, and how many of the nearest ones of these tell what a pip differs from: a shadow may lie across a face.
FACE_REACH_EDGES, FACE_SAMPLES, PIP_CLEARANCE_EDGES, NEAREST_SAMPLES = 0.38, 11, 0.16, 8
PIP_STEPS = 3  # along the square in which the colour of a pip is a mean
HUE_WEIGHT = 0.4  # so much counts what differs from the face in another way than the others do: one pip may be red
# Steps from where a pip is looked for, which is the first, to where it may be as well: on some dice they lie nearer to the edges than on others.
SEARCH_OFFSETS = np.array([(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)])
# How far the colour of a pip may lie from that of the middle one, as a share of what that differs from the face: half of it, for one that
# is missing lies all of it away, and a red pip among black ones less than half. Of 523 values from two on that were told rightly on 285
# rendered boards and ten drawn tables a marbled die of 16 px has 0.45 and all others less than 0.35; of 13 that were told wrongly where
# a glint was put on dice of which the pips are not white eight have more (from 0.64 on).
MAX_DEVIATION = 0.5
# Faces, from 0, with a pip in their middle, which is the last one of their patterns.
FACES_WITH_MIDDLE = tuple(number for number in range(1, FACES) if PATTERNS[number][-1] == (0.0, 0.0))
# Where the middle of a pip is looked for: all counts that is no further from where it seems to be than the first of these edges, and
# nothing beyond the second; so many times, each from where it was the time before.
PIP_FULL, PIP_END, REFINEMENTS = 0.086, 0.115, 3
# Edges from the middle of the others to the middle pip. Of 733 threes and fives told rightly, on 285 rendered boards three times each with
# the search put off and on 40 drawn tables, one die of 14 px has 0.11, and all others less than this (0.035); of 24 that a glint made of
# twos and fours 14 have more.
MAX_MIDDLE_OFFSET = 0.04


@dataclass(frozen=True, slots=True, eq=False)
class PatternFit:
    """The pattern of a face as it lies over a die, of all best ways that whose pips are most alike; places in steps, colours Lab."""

    pips_at: NDArray[np.intp]  # (pips, 2) column and row
    face_lab: NDArray[np.float32]  # (pips, 3), of the face beside each pip
    pip_direction: NDArray[np.float32]  # (3,) of length 1: how the middle one of the pips differs from the face
    # How far the pip that is least like the middle one lies from it, as a share of what that differs from the face: 0 where all are
    # alike, 1 where one is missing, and more where one is of the opposite colour. Of another hue counts less.
    deviation: float


def are_pips_consistent(face: NDArray[np.float32], number: int) -> bool:
    """Of the pips of one face, from 0, on (rows, columns, 3) Lab as `sampled_face` has it, and the middle one lies in the middle.

    An ace has but one.
    """
    if number == 0:
        return True
    laid = fit_pattern(face, number)
    return laid.deviation <= MAX_DEVIATION and (
        number not in FACES_WITH_MIDDLE or measure_middle_offset(face, laid) <= MAX_MIDDLE_OFFSET
    )


def prepare_pips() -> None:
    """Works out once where pips are, which would hold up the first die."""
    for number in range(1, FACES):
        _compute_placements(number)


def fit_pattern(face: NDArray[np.float32], number: int) -> PatternFit:
    """A pattern, from 1: an ace has nothing to compare."""
    shift, way = _find_best_placements(face, number)
    pips_at, face_at = _compute_placements(number)
    pips_at, face_at = pips_at[way] + shift[:, None], face_at[way] + shift[:, None, None]
    smooth = np.asarray(cv2.blur(face, (PIP_STEPS, PIP_STEPS)), np.float32)
    own = np.median(_sample_at(face, face_at), axis=2)
    differ = _sample_at(smooth, pips_at[:, :, None] + SEARCH_OFFSETS) - own[:, :, None]
    middle = np.median(differ[:, :, 0], axis=1)
    contrast = np.maximum(np.linalg.norm(middle, axis=1), 1e-6)[:, None, None]
    that_way = middle[:, None, None] / contrast[..., None]
    along = (differ * that_way).sum(axis=3)
    beside = np.linalg.norm(differ - along[..., None] * that_way, axis=3)
    away = np.hypot(along / contrast - 1, HUE_WEIGHT * beside / contrast)
    apart = away.min(axis=2).max(axis=1)
    best = int(apart.argmin())
    return PatternFit(pips_at[best], own[best], that_way[best, 0, 0], float(apart[best]))


def measure_middle_offset(face: NDArray[np.float32], laid: PatternFit) -> float:
    """How many edges the middle pip of a three or a five lies from the middle of the others.

    Pips lie where what differs from the face as they do has its middle, asked again from there.
    """
    like_pips = np.maximum((face - laid.face_lab[:, None, None]) @ laid.pip_direction, 0)
    rows, columns = np.indices(face.shape[:2])
    places = laid.pips_at.astype(np.float64)
    for _ in range(REFINEMENTS):
        away = STEP * np.hypot(columns - places[:, 0, None, None], rows - places[:, 1, None, None])
        weights = like_pips * np.clip((PIP_END - away) / (PIP_END - PIP_FULL), 0, 1)
        sums = np.stack([(weights * axis).sum(axis=(1, 2)) for axis in (columns, rows)], axis=1)
        places = sums / np.maximum(weights.sum(axis=(1, 2)), 1e-6)[:, None]
    *others, middle = STEP * places
    return float(np.hypot(*(middle - np.mean(others, axis=0))))


def _sample_at(face: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.float32]:
    """(…, 3), of (…, 2) column and row; what lies further out is told by the end."""
    column, row = np.moveaxis(np.clip(places, 0, len(face) - 1), -1, 0)
    return np.asarray(face[row, column])


def _find_best_placements(face: NDArray[np.float32], number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of the ways that fit best: (ways, 2) where the middle of the face is then, column and row, and (ways,) numbers of them."""
    middle = select_inner_samples(face)
    differ = middle - middle.mean(axis=0)
    axis = np.linalg.eigh(differ.T @ differ)[1][:, -1]
    low, *_, high = np.sort(middle @ axis)[int(GLINT_SHARE * len(middle)) : -int(GLINT_SHARE * len(middle))]
    cuts = extract_shifted_samples(np.clip(face @ axis, low, high))
    fits = np.abs(normalise_rows(cuts) @ select_templates(number))
    best = np.argpartition(fits.ravel(), -MAX_PLACEMENTS)[-MAX_PLACEMENTS:]
    cut, way = np.unravel_index(best, fits.shape)
    row, column = np.divmod(cut, 2 * MAX_SHIFT + 1)
    return np.stack([column, row], axis=1) + REACH, way


@lru_cache(maxsize=FACES)
def _compute_placements(number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """In each way (ways, pips, 2) where the pips of a face are, and (ways, pips, NEAREST, 2) what of it is near each of them, in steps
    from its middle.
    """
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
