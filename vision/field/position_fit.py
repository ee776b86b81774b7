"""Fits a field to the checkers of a known position, from rough candidates of the field.

A candidate is a field that may be off by several percent of the width: detected, taken from the coarse corners or their
insets, or given. The straight-down view of the first candidate shows the upper faces of the checkers to all of them. A
search over shifts and bars finds which face is which checker of the position (`known_stacks`), the joint fit moves camera,
field and bar onto them, and the view of the moved field is read again. The candidate with the highest posterior wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers import THICKNESS_OF_PITCH, ViewReading, read_view
from vision.field.auto_calibration import corner_distance_share
from vision.field.bundle_adjustment import JointFit, Measurements, StackFaces, fit_jointly
from vision.field.known_stacks import (
    Slots,
    assign_faces,
    estimate_diameter_mm,
    group_by_lightness,
    locate_slots_mm,
    search_starts,
)
from vision.geometry.projection import FieldShape, Points, Projection
from vision.geometry.top_view import columns_mm, rows_mm, view_map

Picture = NDArray[np.uint8]

FACE_PATCH_PX = 5  # of the view, to either side of a face's middle; a checker's radius is about 14
CANDIDATES_FITTED = 2  # those on which most faces agree
ASSIGNMENTS = 3  # at most, of faces to slots, each followed by a fit
ROUNDS = 5  # of each fit; the assignment changes afterwards
SETTLED_SHARE = 0.001  # of the width: a view whose corners move less, under a pixel, shows nothing new
LEAST_FACES = 4  # on slots; fewer tell nothing of four corners
CORNER_COORDINATES = 8  # each with the standard deviation of the outline
# Costs in nats (statistical: the network misses about one face in fifty, and invents one in fifty).
MISSED_FACE, EXTRA_FACE = 4.0, 2.0


@dataclass(frozen=True, slots=True, eq=False)
class FieldCandidate:
    """A rough field; `outline_share` is the standard deviation of its corners as a share of the width."""

    projection: Projection
    field: FieldShape
    outline_share: float
    bar_share: float | None = None  # that of the bar's edges; None where the bar is only guessed
    is_from_edges: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SeenFaces:
    """The upper faces in one view, in pixels of the picture, with their colours in CIELAB."""

    middles_px: Points
    lab: NDArray[np.float64]  # (n, 3)
    reading: ViewReading


@dataclass(frozen=True, slots=True, eq=False)
class PositionFit:
    """A field fitted to a known position: `taken` (n slots,) is the face of each slot, -1 without one."""

    option: int  # which of the patterns
    slots: Slots
    seen: SeenFaces  # in the view of the fitted field
    taken: NDArray[np.int64]
    joint: JointFit
    log_posterior: float


def fit_position(
    pixels: Picture, candidates: Sequence[FieldCandidate], patterns: Sequence[Slots], *, height_is_known: bool
) -> PositionFit | None:
    """The best fit of any of the patterns from any of the candidates; None without faces near the slots.

    `patterns` are the placements of one position. The first candidate shows all faces: no other one is much wider.
    """
    begun = []
    seen = see_faces(pixels, candidates[0].projection, candidates[0].field)
    for candidate in candidates:
        faces_mm = lift_faces_mm(seen, candidate.projection, candidate.field)
        start = search_starts(faces_mm, group_by_lightness(seen.lab), patterns, candidate.field)[0]
        begun.append((start.worth, candidate, start, seen, faces_mm))
    begun.sort(key=lambda each: -each[0])
    fits = []
    for _, candidate, start, seen, faces_mm in begun[:CANDIDATES_FITTED]:
        slots = patterns[start.option]
        diameter_mm = estimate_diameter_mm(faces_mm, start.field)
        spots_mm = locate_slots_mm(slots, start.field, diameter_mm) + start.shift_mm
        taken = assign_faces(faces_mm, spots_mm, start.field)
        begin = _Assignment(start.option, slots, seen, taken, diameter_mm)
        fit = _refine(pixels, candidate, begin, height_is_known=height_is_known)
        fits += [] if fit is None else [fit]
    return max(fits, key=lambda fit: fit.log_posterior, default=None)


@dataclass(frozen=True, slots=True, eq=False)
class _Assignment:
    """Which face is which checker, from one view; `option`, `slots`, `seen` and `taken` as in PositionFit."""

    option: int
    slots: Slots
    seen: SeenFaces
    taken: NDArray[np.int64]
    diameter_mm: float


def _refine(
    pixels: Picture, candidate: FieldCandidate, begin: _Assignment, *, height_is_known: bool
) -> PositionFit | None:
    """Fits and assigns alternately until nothing changes; each view after the first is that of the fitted field."""
    now, fit = begin, None
    projection, field = candidate.projection, candidate.field
    size_px = (pixels.shape[1], pixels.shape[0])
    for _ in range(ASSIGNMENTS):
        if (now.taken >= 0).sum() < LEAST_FACES:
            return None
        joint = _fit_stacks(candidate, now, size_px=size_px, height_is_known=height_is_known)
        seen = see_faces(pixels, joint.projection, joint.field)
        faces_mm = lift_faces_mm(seen, joint.projection, joint.field)
        spots_mm = locate_slots_mm(now.slots, joint.field, joint.checker_diameter_mm)
        taken = assign_faces(faces_mm, spots_mm, joint.field)
        found = now.taken >= 0
        now = _Assignment(now.option, now.slots, seen, taken, joint.checker_diameter_mm)
        log_posterior = _log_posterior(candidate, joint, now)
        fit = PositionFit(now.option, now.slots, seen, taken, joint, log_posterior)
        moved_share = corner_distance_share(joint.projection, joint.field, projection, field)
        if moved_share < SETTLED_SHARE and ((taken >= 0) == found).all():
            break
        projection, field = joint.projection, joint.field
    return fit


def _log_posterior(candidate: FieldCandidate, joint: JointFit, now: _Assignment) -> float:
    """Up to a constant. A candidate that claims to be sure gains by that when it is right."""
    found = now.taken >= 0
    is_dark = group_by_lightness(now.seen.lab)
    wrong = (is_dark[now.taken[found]] != now.slots.is_dark[found]).sum()
    extra = len(now.seen.lab) - found.sum()
    costs = MISSED_FACE * ((~found).sum() + wrong) + EXTRA_FACE * extra
    return float(-joint.misfit / 2 - CORNER_COORDINATES * np.log(candidate.outline_share) - costs)


def _fit_stacks(
    candidate: FieldCandidate, now: _Assignment, *, size_px: tuple[int, int], height_is_known: bool
) -> JointFit:
    found, slots = now.taken >= 0, now.slots
    stacks = StackFaces(
        now.seen.middles_px[now.taken[found]],
        slots.columns[found],
        slots.is_lower[found],
        slots.depths[found],
        slots.in_heap[found],
        now.diameter_mm,
    )
    measurements = Measurements(
        outline=candidate.projection,
        outline_share=candidate.outline_share,
        bar_share=candidate.bar_share,
        stacks=stacks,
    )
    return fit_jointly(
        measurements,
        candidate.projection,
        candidate.field,
        size_px=size_px,
        height_is_known=height_is_known,
        rounds=ROUNDS,
    )


def see_faces(pixels: Picture, projection: Projection, field: FieldShape) -> SeenFaces:
    view = view_map(projection, field).warp(pixels)
    reading = read_view(view)
    at_px = np.array([(top.x_px, top.y_px) for top in reading.tops]).reshape(-1, 2)
    x_mm, y_mm = columns_mm(field), rows_mm(field)
    sights_mm = np.column_stack(
        [np.interp(at_px[:, 0], np.arange(len(x_mm)), x_mm), np.interp(at_px[:, 1], np.arange(len(y_mm)), y_mm)]
    )
    return SeenFaces(projection.to_picture(sights_mm), _measure_faces(view, at_px), reading)


def _measure_faces(view: Picture, at_px: Points) -> NDArray[np.float64]:
    """(n, 3): the median of the colour of each face in CIELAB."""
    lab = cv2.cvtColor(view.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    near = np.arange(-FACE_PATCH_PX, FACE_PATCH_PX + 1)
    columns, rows = np.rint(at_px).astype(int).T[..., None] + near
    columns, rows = np.clip(columns, 0, lab.shape[1] - 1), np.clip(rows, 0, lab.shape[0] - 1)
    patches = lab[rows[:, :, None], columns[:, None, :]].reshape(len(at_px), len(near) ** 2, 3)
    return np.asarray(np.median(patches, axis=1), np.float64)


def lift_faces_mm(seen: SeenFaces, projection: Projection, field: FieldShape) -> Points:
    """(n, 2) board mm: the faces at the usual height of a checker."""
    return projection.to_board(seen.middles_px, THICKNESS_OF_PITCH * field.pitch_mm)
