"""Positions of checkers on the board's surface, and of those that stood there before the dice came.

Both detections of checkers count: upper faces seen one by one, which locate exactly, and the counts of points, for a
checker whose face is hidden, as by a die. A face shows farther from the camera than its checker stands, and farther
still on top of others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers.colour_classes import ROW_LENGTH, find_place
from vision.checkers.network import COUNTS, PLACES, THICKNESS_OF_PITCH, CheckerTop, ViewReading
from vision.geometry.projection import FieldShape, KnownBoard, Points, distances
from vision.geometry.top_view import columns_mm, rows_mm
from vision.pixels.averages import compute_median

# Checkers in a row touch. Half the median distance to the nearest checker of a point is this factor of their radius
# (statistical), counting distances above the second value as a share of the largest radius, and with at least this
# many neighbours.
NEXT_RADII, LEAST_OF_MOST, MIN_NEIGHBOURS = 1.013, 0.7, 6
USUAL_OF_MOST = 0.92  # share of the largest radius that most checkers have; used where too few touch

RADIUS_OF_PITCH = 0.5  # physical: largest radius in widths of a point
MIN_CHECKER_P = 0.02  # knob: probability from which a checker counts at all
MATCH_RADII = 0.6  # radii within which a seen face belongs to a counted checker


@dataclass(frozen=True, slots=True, eq=False)
class CheckerPositions:
    """Possible checkers: middles (n, 2) in board mm with probabilities, and the field.

    `is_seen` (n,) marks those whose faces are seen, which locates them; the others follow from the count of a point.
    """

    middles_mm: NDArray[np.float64]
    chances: NDArray[np.float64]  # (n,)
    is_seen: NDArray[np.bool_]
    radius_mm: float
    field: FieldShape


@dataclass(frozen=True, slots=True, eq=False)
class PositionsWithoutDice:
    """The checkers of a scene at rest without dice, and whether they may have changed since."""

    positions: CheckerPositions
    had_dice_since: bool = False  # in a later scene at rest
    has_moved_since: bool = False  # something moved after that


def locate_checkers(reading: ViewReading, board: KnownBoard) -> CheckerPositions:
    """Positions by the reading of the straight-down view.

    Half of the located faces are within 1.2 mm of their checkers, in a second layer within 2.1.
    """
    field, exceedance = board.field, _compute_exceedance(reading.points)
    radius_mm = RADIUS_OF_PITCH * field.pitch_mm
    faces_mm = _project_to_surface_mm(reading, exceedance, board)
    counted = np.array(
        list(_iter_counted_positions(exceedance, field, estimate_radius_mm(faces_mm, radius_mm))), np.float64
    )
    hidden = counted[distances(counted[:, :2], faces_mm).min(axis=1, initial=np.inf) > MATCH_RADII * radius_mm]
    middles_mm = np.concatenate([faces_mm, hidden[:, :2]])
    chances = np.concatenate([[top.score for top in reading.tops], hidden[:, 2]])
    is_seen = np.arange(len(chances)) < len(reading.tops)
    may_stand = chances >= MIN_CHECKER_P
    return CheckerPositions(middles_mm[may_stand], chances[may_stand], is_seen[may_stand], radius_mm, field)


def _iter_counted_positions(
    exceedance: NDArray[np.float64], field: FieldShape, radius_mm: float
) -> Iterator[tuple[float, float, float]]:
    """x and y in mm of each checker in the rows of points, from the rim on, and its probability."""
    for place, chances in enumerate(exceedance[:, :ROW_LENGTH].tolist()):
        x_mm = field.point_middle_mm(place % 12 + 1)
        for number, chance in enumerate(chances):
            yield x_mm, _mirror_from_rim_mm(place, radius_mm * (2 * number + 1), field), chance


def _mirror_from_rim_mm(place: int, y_mm: float, field: FieldShape) -> float:
    """Converts a y from the point's own rim into board mm, and back, since the conversion is its own inverse."""
    return y_mm if place < PLACES // 2 else field.height_mm - y_mm


def _project_to_surface_mm(reading: ViewReading, exceedance: NDArray[np.float64], board: KnownBoard) -> Points:
    """(n, 2): the base of each checker whose face is seen."""
    field = board.field
    across_mm = _interpolate_mm([top.x_px for top in reading.tops], columns_mm(field))
    down_mm = _interpolate_mm([top.y_px for top in reading.tops], rows_mm(field))
    layers = [
        _estimate_layers(exceedance, top, y_mm, field) for top, y_mm in zip(reading.tops, down_mm.tolist(), strict=True)
    ]
    heights_mm = THICKNESS_OF_PITCH * field.pitch_mm * np.array(layers, np.float64)
    return board.projection.shift_to_base_mm(np.column_stack([across_mm, down_mm]), heights_mm)


def _estimate_layers(exceedance: NDArray[np.float64], top: CheckerTop, y_mm: float, field: FieldShape) -> float:
    """Expected number of checkers on each other at a face, with ROW_LENGTH in a layer from the rim on."""
    place = find_place(top.x_px, top.y_px)
    if place is None or place >= PLACES:
        return 1.0
    rows = _mirror_from_rim_mm(place, y_mm, field) / (2 * RADIUS_OF_PITCH * field.pitch_mm)
    number = min(max(int(rows), 0), ROW_LENGTH - 1)
    return 1.0 + float(exceedance[place, ROW_LENGTH + number :: ROW_LENGTH].sum())


def _compute_exceedance(log_probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """(24, 15) probabilities of more than 0, 1, 2, … checkers on a point, from (24, 31) as in `ViewReading.points`."""
    chances = np.exp(log_probabilities.astype(np.float64))
    by_count = chances[:, 1:COUNTS] + chances[:, COUNTS:]
    return np.asarray(np.cumsum(by_count[:, ::-1], axis=1)[:, ::-1])


def _interpolate_mm(at_px: Sequence[float], axis_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.interp(at_px, np.arange(len(axis_mm)), axis_mm))


def estimate_radius_mm(middles_mm: NDArray[np.float64], most_mm: float) -> float:
    """Radius of checkers with these middles (n, 2) and at most this radius, by their distances within points."""
    away_mm = distances(middles_mm, middles_mm)
    on_one_point = np.abs(middles_mm[:, None, 0] - middles_mm[None, :, 0]) < most_mm
    away_mm[~on_one_point | np.eye(len(middles_mm), dtype=np.bool_)] = np.inf
    next_mm = away_mm.min(axis=1, initial=np.inf) / 2
    touching_mm = next_mm[(next_mm > LEAST_OF_MOST * most_mm) & (next_mm < NEXT_RADII * most_mm)]
    if len(touching_mm) < MIN_NEIGHBOURS:
        return USUAL_OF_MOST * most_mm
    return float(compute_median(touching_mm)) / NEXT_RADII
