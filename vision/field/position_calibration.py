"""Calibration from a known position, such as the start position of the chosen game, whose checkers are the target.

The position on the board is known up to half a turn and a mirror. Checkers lie untidily and do not locate the points,
which the edges of the field do. But they are round, of one size and of two colours, which gives the aspect ratio of
the field, their diameter, their approximate thickness and both colours.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers import ViewReading, read_view
from vision.field.auto_calibration import detect_confident_field, make_calibration
from vision.field.bundle_adjustment import Measurements, fit_jointly
from vision.field.checker_circles import CheckerFace, find_faces, make_circles, measure_colour
from vision.field.detector import FieldFit
from vision.field.drift import make_reference
from vision.geometry.calibration import Calibration, CalibrationMethod, CheckerProperties, Placement, Refusal
from vision.geometry.top_view import columns_mm, rows_mm, view_map
from vision.places import POINTS, Colour, Place

Picture = NDArray[np.uint8]
OccupancyByPlace = Mapping[Place, tuple[Colour, int]]  # a missing point is empty


# Conditions for the acceptance of a known position.
LEAST_RIGHT = 20  # of 24 points that must show the expected colour
LEAST_LEAD = 4.0  # nats between the best placement and the second
WORST_LOG = -6.0  # lower limit of the log-likelihood of one point, so that one misread point does not decide
LEAST_FACES = 6  # measured faces that are necessary for size and aspect ratio


def calibrate_from_position(
    pixels: Picture, occupancy: OccupancyByPlace, *, field_mm: tuple[float, float] | None = None, taken_at: str
) -> Calibration | Refusal:
    """Calibrates from a position. `occupancy` has T1 at the upper left; its placement on the board is determined."""
    fit = detect_confident_field(pixels, field_mm=field_mm)
    if isinstance(fit, Refusal):
        return fit
    seen = read_view(view_map(fit.projection, fit.field).warp(pixels))
    placement = find_placement(seen, occupancy)
    if isinstance(placement, Refusal):
        return placement
    expected = orient_occupancy(occupancy, placement)
    faces = find_faces(pixels, fit.projection, project_tops_mm(seen, fit), expected, fit.field)
    return replace(_fit_calibration(pixels, fit, faces, field_mm=field_mm, taken_at=taken_at), placement=placement)


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


def find_placement(seen: ViewReading, occupancy: OccupancyByPlace) -> Placement | Refusal:
    """The placement with the highest likelihood; the first of those that give the same position."""
    likely: dict[frozenset[tuple[Place, tuple[Colour, int]]], tuple[float, Placement]] = {}
    for placement in Placement:
        setup = orient_occupancy(occupancy, placement)
        logs = [max(WORST_LOG, _log_likelihood_at(seen, place, setup)) for place in POINTS]
        likely.setdefault(frozenset(setup.items()), (sum(logs), placement))
    ordered = sorted(likely.values(), key=lambda each: -each[0])
    best = ordered[0][1]
    setup = orient_occupancy(occupancy, best)
    wrong = [place.value for place in POINTS if not _is_as_expected(seen, place, setup)]
    if len(POINTS) - len(wrong) < LEAST_RIGHT:
        return Refusal(
            f"The board does not show the position that was promised, {', '.join(wrong[:6])} and others differ; set it"
            " up, take hands away, or calibrate from any position without it."
        )
    if len(ordered) > 1 and ordered[0][0] - ordered[1][0] < LEAST_LEAD:
        return Refusal("The orientation of the position is ambiguous; give more even light, or calibrate without it.")
    return best


def _class_index(place: Place, setup: OccupancyByPlace) -> int:
    """The class index of the network for a place: none, light 1 to 15, dark 1 to 15."""
    colour, count = setup.get(place, (Colour.NONE, 0))
    return 0 if count == 0 else count + (15 if colour is Colour.DARK else 0)


def _log_likelihood_at(seen: ViewReading, place: Place, setup: OccupancyByPlace) -> float:
    index = POINTS.index(place)
    return float(seen.visible[index] * seen.points[index, _class_index(place, setup)])


def _is_as_expected(seen: ViewReading, place: Place, setup: OccupancyByPlace) -> bool:
    """Whether a point shows the expected colour, or none; the count is harder to read and matters less here."""
    best, expected = int(seen.points[POINTS.index(place)].argmax()), _class_index(place, setup)
    return (best + 14) // 15 == (expected + 14) // 15


def project_tops_mm(seen: ViewReading, fit: FieldFit) -> NDArray[np.float64]:
    """(n, 2) board mm: the intersections of the lines of sight through the upper faces with the surface."""
    x_px, y_px = np.array([(top.x_px, top.y_px) for top in seen.tops]).reshape(-1, 2).T
    x_mm, y_mm = columns_mm(fit.field), rows_mm(fit.field)
    return np.column_stack([np.interp(x_px, np.arange(len(x_mm)), x_mm), np.interp(y_px, np.arange(len(y_mm)), y_mm)])


def _fit_calibration(
    pixels: Picture,
    fit: FieldFit,
    faces: tuple[CheckerFace, ...],
    *,
    field_mm: tuple[float, float] | None,
    taken_at: str,
) -> Calibration:
    """The calibration with size and colours of the checkers, or from the field alone with too few faces."""
    known = make_calibration(pixels, fit, field_mm=field_mm, way=CalibrationMethod.POSITION, taken_at=taken_at)
    if len(faces) < LEAST_FACES:
        note = "Too few checkers are seen clearly to tell their size; it is taken from the points' width."
        return replace(known, notes=(note,))
    seen = Measurements(outline=fit.projection, outline_share=0.002, circles=make_circles(faces))
    size_px = (pixels.shape[1], pixels.shape[0])
    joint = fit_jointly(seen, fit.projection, fit.field, size_px=size_px, height_is_known=field_mm is not None)
    checkers = CheckerProperties(
        diameter_mm=joint.checker_diameter_mm,
        thickness_mm=joint.checker_thickness_mm,
        light=measure_colour(pixels, faces, Colour.LIGHT),
        dark=measure_colour(pixels, faces, Colour.DARK),
    )
    reference = make_reference(pixels, joint.projection)
    return replace(known, projection=joint.projection, field=joint.field, checkers=checkers, reference=reference)
