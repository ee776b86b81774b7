"""Calibration from a known position, such as the start position of the chosen game, whose checkers are the target.

The position on the board is known up to half a turn and a mirror. It tells where all checkers stand, so that their faces
give bar, corners and placement (`position_fit`), from a field that may be off by several percent of the width. Edges
of the field, refined from there, sharpen the corners. The result is accepted when it proves itself: what is known is
found where it stands (`position_proof`), and read as it stands (`position_lesson`). Checkers are round, of one size and
of two colours, which gives their diameter, their approximate thickness and both colours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.field.auto_calibration import (
    CORNER_SHARE,
    corner_distance_share,
    find_corner_fault,
    make_calibration,
)
from vision.field.bundle_adjustment import Measurements, fit_jointly
from vision.field.checker_circles import CheckerFace, find_faces, make_circles, measure_colour
from vision.field.coarse_detector import detect_coarse_corners
from vision.field.detector import INSETS, FieldFit, find_field, make_inset_field, refine_field
from vision.field.known_stacks import Slots, make_slots
from vision.field.position_fit import FieldCandidate, PositionFit, fit_position
from vision.field.position_lesson import learn_position
from vision.field.position_proof import find_fault
from vision.geometry.calibration import Calibration, CalibrationMethod, CheckerProperties, Placement, Refusal
from vision.geometry.projection import FieldShape, Projection
from vision.places import POINTS, Colour, Place

Picture = NDArray[np.uint8]
OccupancyByPlace = Mapping[Place, tuple[Colour, int]]  # a missing point is empty

LEAST_CHECKERS = 6  # on points; fewer do not show four corners and the bar
LEAST_FACES = 6  # measured faces that are necessary for size and aspect ratio
# Standard deviations of the corners of a candidate, as shares of the width: clear edges, the coarse network (measured:
# median 2 %), corners given by hand. Edges are as sure as their stations lie on lines.
CLEAR_EDGES, COARSE, GIVEN = 0.002, 0.03, 0.01
BAR_EDGES = 0.005  # of the edges of a bar; hinges and seams mislead by four times as much, which the fit damps
_NO_CHECKERS = (
    "Too few checkers are seen where the known position has them; set it up, and show the whole board in even light."
)
_NO_SIZE = "Too few checkers are seen clearly to tell their size; it is taken from the points' width."


def calibrate_from_position(
    pixels: Picture,
    occupancy: OccupancyByPlace,
    *,
    corners_px: ArrayLike | None = None,
    outline: Calibration | None = None,
    placements: Sequence[Placement] = tuple(Placement),
    field_mm: tuple[float, float] | None = None,
    taken_at: str,
) -> Calibration | Refusal:
    """Calibrates from a position, and from the corners of the field (4, 2) or its outline where they are given.

    `outline` was found by other means, such as tags, whose upper left corner is kept. `occupancy` has T1 at the upper left;
    its placement on the board is determined among `placements`. The result has learned what the board looks like, and
    reads every known place in full view as it stands.
    """
    occupied: OccupancyByPlace = {
        place: stack for place, stack in occupancy.items() if place in POINTS and stack[1] > 0
    }
    if sum(count for _, count in occupied.values()) < LEAST_CHECKERS:
        return Refusal(
            f"A position with fewer than {LEAST_CHECKERS} checkers on points does not show where the field lies; leave it out,"
            " or set up a start position."
        )
    setups = _distinct_setups(occupied, placements)
    patterns = [make_slots(setup) for _, setup in setups]
    if corners_px is not None:
        corner_fault = find_corner_fault(np.asarray(corners_px, np.float64), pixels.shape[1], pixels.shape[0])
        if corner_fault:
            return Refusal(corner_fault)
    reason = Refusal("No backgammon board was found; show the whole board, all four corners of its field in view.")
    best: PositionFit | None = None
    for candidates in _propose_fields(pixels, corners_px, outline, field_mm):
        fit = _fit_candidates(pixels, candidates, patterns, height_is_known=field_mm is not None)
        if fit is None:
            reason = reason if best else Refusal(_NO_CHECKERS)
            continue
        if best is not None and fit.log_posterior <= best.log_posterior:
            continue
        best = fit
        placement, setup = setups[fit.option]
        way = CalibrationMethod.POSITION if outline is None else outline.way
        calibration = _make_calibration(pixels, fit, setup, field_mm=field_mm, way=way, taken_at=taken_at)
        taught = learn_position([pixels], replace(calibration, placement=placement), setup)
        is_outlined = corners_px is not None or outline is not None
        unproved = find_fault(fit, setup, patterns, corners_are_given=is_outlined)
        if isinstance(taught, Calibration) and unproved is None:
            return taught
        reason = taught if isinstance(taught, Refusal) else unproved or reason
    return reason


def _distinct_setups(
    occupancy: OccupancyByPlace, placements: Sequence[Placement]
) -> list[tuple[Placement, dict[Place, tuple[Colour, int]]]]:
    """The position in each placement; the first of those that give the same position."""
    setups: dict[frozenset[tuple[Place, tuple[Colour, int]]], Placement] = {}
    for placement in placements:
        setups.setdefault(frozenset(orient_occupancy(occupancy, placement).items()), placement)
    return [(placement, dict(setup)) for setup, placement in setups.items()]


def _propose_fields(
    pixels: Picture,
    corners_px: ArrayLike | None,
    outline: Calibration | None,
    field_mm: tuple[float, float] | None,
) -> Iterator[list[FieldCandidate]]:
    """Candidates in groups, the surest group first."""
    if corners_px is not None:
        corners = np.asarray(corners_px, np.float64)
        projection, field = make_inset_field(pixels, corners, (0.0, 0.0), field_mm)
        yield [FieldCandidate(projection, field, GIVEN)]
        return
    if outline is not None:
        yield [_candidate_from(outline.projection, outline.field, outline.error_mm or 0.0)]
        return
    found = find_field(pixels, field_mm=field_mm)
    if isinstance(found, FieldFit):
        yield [_candidate_of(found)]
    rough = detect_coarse_corners(pixels)
    if rough is not None:
        fields = [make_inset_field(pixels, rough, inset, field_mm) for inset in ((0.0, 0.0), *INSETS)]
        yield [FieldCandidate(projection, field, COARSE) for projection, field in fields]


def _candidate_of(found: FieldFit) -> FieldCandidate:
    return _candidate_from(found.projection, found.field, found.residual_mm)


def _candidate_from(projection: Projection, field: FieldShape, error_mm: float) -> FieldCandidate:
    """A candidate whose corners come from edges or tags, which `error_mm` says how well they fit."""
    share = max(CLEAR_EDGES, error_mm / field.width_mm)
    return FieldCandidate(projection, field, share, bar_share=BAR_EDGES, is_from_edges=True)


def _fit_candidates(
    pixels: Picture, candidates: Sequence[FieldCandidate], patterns: Sequence[Slots], *, height_is_known: bool
) -> PositionFit | None:
    """The fit from rough candidates, or from the edges near it, whichever has the higher posterior.

    Candidates that come from edges are fitted as they are.
    """
    fit = fit_position(pixels, candidates, patterns, height_is_known=height_is_known)
    if fit is None or all(candidate.is_from_edges for candidate in candidates):
        return fit
    joint = fit.joint
    found = refine_field(pixels, joint.projection, joint.field, keep_size=height_is_known)
    if not isinstance(found, FieldFit):
        return fit
    if corner_distance_share(found.projection, found.field, joint.projection, joint.field) > CORNER_SHARE:
        return fit
    sharper = fit_position(pixels, [_candidate_of(found)], patterns, height_is_known=height_is_known)
    return fit if sharper is None or sharper.log_posterior < fit.log_posterior else sharper


def orient_occupancy(occupancy: OccupancyByPlace, placement: Placement) -> dict[Place, tuple[Colour, int]]:
    """A position, given with T1 at the upper left, in the coordinates of the board."""
    return {_orient_place(place, placement): stack for place, stack in occupancy.items()}


def _orient_place(place: Place, placement: Placement) -> Place:
    if place not in POINTS:
        return place
    row, column = place.value[0], int(place.value[1:])
    if placement in (Placement.TURNED, Placement.TURNED_AND_MIRRORED):
        row = "B" if row == "T" else "T"
    if placement in (Placement.TURNED, Placement.MIRRORED):
        column = 13 - column
    return Place(f"{row}{column}")


def _make_calibration(
    pixels: Picture,
    fit: PositionFit,
    expected: OccupancyByPlace,
    *,
    field_mm: tuple[float, float] | None,
    way: CalibrationMethod,
    taken_at: str,
) -> Calibration:
    """The calibration with size and colours of the checkers, or from the field alone with too few faces."""
    joint, size_px = fit.joint, (pixels.shape[1], pixels.shape[0])
    sights_mm = joint.projection.to_board(fit.seen.middles_px)
    faces = find_faces(pixels, joint.projection, sights_mm, expected, joint.field)
    spread_mm = joint.corner_spread_share * joint.field.width_mm
    checkers: CheckerProperties | None = None
    notes: tuple[str, ...] = (_NO_SIZE,)
    if len(faces) >= LEAST_FACES:
        seen = Measurements(outline=joint.projection, outline_share=CLEAR_EDGES, circles=make_circles(faces))
        joint = fit_jointly(seen, joint.projection, joint.field, size_px=size_px, height_is_known=field_mm is not None)
        checkers, notes = _measure_checkers(pixels, faces, joint.checker_diameter_mm, joint.checker_thickness_mm), ()
    found = FieldFit(joint.projection, joint.field, spread_mm, 1.0, 1.0)
    known = make_calibration(pixels, found, field_mm=field_mm, way=way, taken_at=taken_at)
    return replace(known, checkers=checkers, notes=notes)


def _measure_checkers(
    pixels: Picture, faces: Sequence[CheckerFace], diameter_mm: float, thickness_mm: float
) -> CheckerProperties:
    return CheckerProperties(
        diameter_mm=diameter_mm,
        thickness_mm=thickness_mm,
        light=measure_colour(pixels, faces, Colour.LIGHT),
        dark=measure_colour(pixels, faces, Colour.DARK),
    )
