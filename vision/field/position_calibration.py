"""Calibration from checkers that somebody vouches for: the start position of the chosen game is the target.

Where the checkers stand is known up to half a turn and a mirror. They are untidy, so they tell nothing about where the
points are (the field's edges do), but they are round, of one size and of two colours: that gives the proportion of the
field's sides, the diameter, roughly the thickness, and both colours at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.network import ViewReading, read_view
from vision.field.auto_calibration import Sureness, calibration_of_fit, sure_field
from vision.field.bundle_adjustment import Seen, fit_jointly
from vision.field.checker_circles import Face, circles_of, colour_of, find_faces
from vision.field.detector import FieldFit
from vision.field.drift import reference_of
from vision.geometry.calibration import Calibration, CheckerLook, Placement, Refusal, Way
from vision.geometry.top_view import columns_mm, rows_mm, view_map
from vision.places import POINTS, Colour, Place

Picture = NDArray[np.uint8]
Occupancy = Mapping[Place, tuple[Colour, int]]  # points that are not named are empty


@dataclass(frozen=True, slots=True)
class PositionTrust:
    """When the board is believed to hold what was promised."""

    least_right: int = 20  # of 24 points
    least_lead: float = 4.0  # logarithm of how much likelier the placement is than any other
    worst_log: float = -6.0  # of one point; a single misread point does not decide
    least_faces: int = 6  # checkers whose round face is found, for size and proportions


def calibrate_from_position(
    pixels: Picture,
    occupancy: Occupancy,
    *,
    field_mm: tuple[float, float] | None = None,
    taken_at: str,
    sureness: Sureness | None = None,
    trust: PositionTrust | None = None,
) -> Calibration | Refusal:
    """`occupancy` as seen with T1 at the upper left; how it lies on this board is found and kept as `placement`."""
    sureness, trust = sureness or Sureness(), trust or PositionTrust()
    fit = sure_field(pixels, field_mm=field_mm, sureness=sureness)
    if isinstance(fit, Refusal):
        return fit
    seen = read_view(view_map(fit.projection, fit.field).view_of(pixels))
    placement = find_placement(seen, occupancy, trust)
    if isinstance(placement, Refusal):
        return placement
    expected = placed(occupancy, placement)
    faces = find_faces(pixels, fit.projection, tops_mm(seen, fit), expected, fit.field)
    return replace(_fitted(pixels, fit, faces, field_mm=field_mm, taken_at=taken_at, trust=trust), placement=placement)


def placed(occupancy: Occupancy, placement: Placement) -> dict[Place, tuple[Colour, int]]:
    """The same set-up as it lies on the board."""
    return {_moved(place, placement): stack for place, stack in occupancy.items()}


def _moved(place: Place, placement: Placement) -> Place:
    if place not in POINTS:
        return place
    row, column = place.value[0], int(place.value[1:])
    if placement in (Placement.TURNED, Placement.TURNED_AND_MIRRORED):
        row = "B" if row == "T" else "T"
    if placement in (Placement.TURNED, Placement.MIRRORED):
        column = 13 - column
    return Place(f"{row}{column}")


def find_placement(seen: ViewReading, occupancy: Occupancy, trust: PositionTrust) -> Placement | Refusal:
    """The placement under which the picture is likeliest; of those that look alike the first."""
    likely: dict[frozenset[tuple[Place, tuple[Colour, int]]], tuple[float, Placement]] = {}
    for placement in Placement:
        setup = placed(occupancy, placement)
        logs = [max(trust.worst_log, _log_of(seen, place, setup)) for place in POINTS]
        likely.setdefault(frozenset(setup.items()), (sum(logs), placement))
    ordered = sorted(likely.values(), key=lambda each: -each[0])
    best = ordered[0][1]
    setup = placed(occupancy, best)
    wrong = [place.value for place in POINTS if not _is_as_expected(seen, place, setup)]
    if len(POINTS) - len(wrong) < trust.least_right:
        return Refusal(
            f"The board does not show the position that was promised, {', '.join(wrong[:6])} and others differ; set it"
            " up, take hands away, or calibrate from any position without it."
        )
    if len(ordered) > 1 and ordered[0][0] - ordered[1][0] < trust.least_lead:
        return Refusal(
            "It cannot be told which way round the position lies; give more even light, or calibrate without it."
        )
    return best


def _class_of(place: Place, setup: Occupancy) -> int:
    """The index in the network's answer: none, light 1 to 15, dark 1 to 15."""
    colour, count = setup.get(place, (Colour.NONE, 0))
    return 0 if count == 0 else count + (15 if colour is Colour.DARK else 0)


def _log_of(seen: ViewReading, place: Place, setup: Occupancy) -> float:
    index = POINTS.index(place)
    return float(seen.visible[index] * seen.points[index, _class_of(place, setup)])


def _is_as_expected(seen: ViewReading, place: Place, setup: Occupancy) -> bool:
    """The right colour, or nothing where nothing should be; how many is harder to see, and matters less here."""
    best, expected = int(seen.points[POINTS.index(place)].argmax()), _class_of(place, setup)
    return (best + 14) // 15 == (expected + 14) // 15


def tops_mm(seen: ViewReading, fit: FieldFit) -> NDArray[np.float64]:
    """(n, 2) board mm, where the sight through the middle of each upper face meets the surface."""
    x_px, y_px = np.array([(top.x_px, top.y_px) for top in seen.tops]).reshape(-1, 2).T
    x_mm, y_mm = columns_mm(fit.field), rows_mm(fit.field)
    return np.column_stack([np.interp(x_px, np.arange(len(x_mm)), x_mm), np.interp(y_px, np.arange(len(y_mm)), y_mm)])


def _fitted(
    pixels: Picture,
    fit: FieldFit,
    faces: tuple[Face, ...],
    *,
    field_mm: tuple[float, float] | None,
    taken_at: str,
    trust: PositionTrust,
) -> Calibration:
    """The calibration with the checkers' size and colours; without enough faces, what the field alone gives."""
    known = calibration_of_fit(pixels, fit, field_mm=field_mm, way=Way.POSITION, taken_at=taken_at)
    if len(faces) < trust.least_faces:
        note = "Too few checkers are seen clearly to tell their size; it is taken from the points' width."
        return replace(known, notes=(note,))
    seen = Seen(outline=fit.projection, outline_share=0.002, circles=circles_of(faces))
    size_px = (pixels.shape[1], pixels.shape[0])
    joint = fit_jointly(seen, fit.projection, fit.field, size_px=size_px, height_is_known=field_mm is not None)
    look = CheckerLook(
        diameter_mm=joint.checker_diameter_mm,
        thickness_mm=joint.checker_thickness_mm,
        light=colour_of(pixels, faces, Colour.LIGHT),
        dark=colour_of(pixels, faces, Colour.DARK),
    )
    reference = reference_of(pixels, joint.projection)
    return replace(known, projection=joint.projection, field=joint.field, checkers=look, reference=reference)
