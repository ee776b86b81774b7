"""Where checkers stand on the board's surface, and what stood before the dice came.

Judged from both opinions on checkers: the faces seen one by one, which tell where exactly, and the counts of the points, for one whose
face is hidden, as by a die. A face shows further from the camera than its checker stands, and further still on top of others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers.colour_classes import ROW_LENGTH, find_place
from vision.checkers.network import COUNTS, PLACES, THICKNESS_OF_PITCH, CheckerTop, ViewReading
from vision.geometry.projection import FieldShape, KnownBoard, Points, distances
from vision.geometry.top_view import columns_mm, rows_mm

# Checkers in a row touch each other: half the distance to the next one on the same point, in the middle of all, is so much more than
# their radius (on 285 rendered boards, where it is 0.98 to 1.02 of the radius for nine boards in ten), if it is no less than the second
# share of what they are at most; from so many on it tells. Otherwise they are as large as most are.
NEXT_RADII, LEAST_OF_MOST, MIN_NEIGHBOURS = 1.013, 0.7, 6
USUAL_OF_MOST = 0.92

RADIUS_OF_PITCH = 0.5  # of a checker; most are a little smaller
MIN_CHECKER_P = 0.02  # probability from which on a checker is reckoned with
MATCH_RADII = 0.6  # of a radius: a face that is seen so near to where a counted checker would stand is that one's


@dataclass(frozen=True, slots=True, eq=False)
class CheckerPositions:
    """Middles of all checkers that may stand there, (n, 2) in board mm, with their probabilities, and the field around.

    `is_seen` (n,) tells whose faces are seen, so that they stand just there; the others are only counted on their points.
    """

    middles_mm: NDArray[np.float64]
    chances: NDArray[np.float64]  # (n,)
    is_seen: NDArray[np.bool_]
    radius_mm: float
    field: FieldShape


@dataclass(frozen=True, slots=True, eq=False)
class PositionsWithoutDice:
    """What stood in a scene at rest that showed no dice, and whether it may stand otherwise by now."""

    positions: CheckerPositions
    had_dice_since: bool = False  # in a scene at rest since then
    has_moved_since: bool = False  # something moved after that


def locate_checkers(seen: ViewReading, board: KnownBoard) -> CheckerPositions:
    """From the reading of the straight-down view.

    Of 5,375 faces on rendered boards whose checkers lie on the board half lie within 1.2 mm of where these stand, of 562 in a second
    layer within 2.1 (3.0 if they lay on the board), of 310 in a third within 1.7 (7.0).
    """
    field, more = board.field, _compute_exceedance(seen.points)
    radius_mm = RADIUS_OF_PITCH * field.pitch_mm
    faces_mm = _project_to_surface_mm(seen, more, board)
    counted = np.array(list(_iter_counted_positions(more, field, estimate_radius_mm(faces_mm, radius_mm))), np.float64)
    hidden = counted[distances(counted[:, :2], faces_mm).min(axis=1, initial=np.inf) > MATCH_RADII * radius_mm]
    middles_mm = np.concatenate([faces_mm, hidden[:, :2]])
    chances = np.concatenate([[top.score for top in seen.tops], hidden[:, 2]])
    is_seen = np.arange(len(chances)) < len(seen.tops)
    may_stand = chances >= MIN_CHECKER_P
    return CheckerPositions(middles_mm[may_stand], chances[may_stand], is_seen[may_stand], radius_mm, field)


def _iter_counted_positions(
    more: NDArray[np.float64], field: FieldShape, radius_mm: float
) -> Iterator[tuple[float, float, float]]:
    """Where the checkers of each point would stand, row by row from the rim: x and y in mm, and how likely one does."""
    for place, chances in enumerate(more[:, :ROW_LENGTH].tolist()):
        x_mm = field.point_middle_mm(place % 12 + 1)
        for number, chance in enumerate(chances):
            yield x_mm, _mirror_from_rim_mm(place, radius_mm * (2 * number + 1), field), chance


def _mirror_from_rim_mm(place: int, y_mm: float, field: FieldShape) -> float:
    """From the rim where this point begins to what lies there; and the other way round, since both rims are alike."""
    return y_mm if place < PLACES // 2 else field.height_mm - y_mm


def _project_to_surface_mm(seen: ViewReading, more: NDArray[np.float64], board: KnownBoard) -> Points:
    """(n, 2): where each checker stands whose face is seen."""
    field = board.field
    across_mm = _interpolate_mm([top.x_px for top in seen.tops], columns_mm(field))
    down_mm = _interpolate_mm([top.y_px for top in seen.tops], rows_mm(field))
    layers = [_estimate_layers(more, top, y_mm, field) for top, y_mm in zip(seen.tops, down_mm.tolist(), strict=True)]
    heights_mm = THICKNESS_OF_PITCH * field.pitch_mm * np.array(layers, np.float64)
    return board.projection.shift_to_base_mm(np.column_stack([across_mm, down_mm]), heights_mm)


def _estimate_layers(more: NDArray[np.float64], top: CheckerTop, y_mm: float, field: FieldShape) -> float:
    """How many checkers lie on each other there, SIDE_BY_SIDE to a layer from the rim on: the mean over what their count may be."""
    place = find_place(top.x_px, top.y_px)
    if place is None or place >= PLACES:
        return 1.0
    rows = _mirror_from_rim_mm(place, y_mm, field) / (2 * RADIUS_OF_PITCH * field.pitch_mm)
    number = min(max(int(rows), 0), ROW_LENGTH - 1)
    return 1.0 + float(more[place, ROW_LENGTH + number :: ROW_LENGTH].sum())


def _compute_exceedance(log_probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """(24, 15): that there are more than 0, 1, 2, … checkers on a point, of (24, 31): none, light x 1..15, dark x 1..15."""
    chances = np.exp(log_probabilities.astype(np.float64))
    by_count = chances[:, 1:COUNTS] + chances[:, COUNTS:]
    return np.asarray(np.cumsum(by_count[:, ::-1], axis=1)[:, ::-1])


def _interpolate_mm(at_px: Sequence[float], axis_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.interp(at_px, np.arange(len(axis_mm)), axis_mm))


def estimate_radius_mm(middles_mm: NDArray[np.float64], most_mm: float) -> float:
    """Of checkers with these middles (n, 2) and no larger radius, which is half a point, by how far they lie apart on points."""
    away_mm = distances(middles_mm, middles_mm)
    on_one_point = np.abs(middles_mm[:, None, 0] - middles_mm[None, :, 0]) < most_mm
    away_mm[~on_one_point | np.eye(len(middles_mm), dtype=np.bool_)] = np.inf
    next_mm = away_mm.min(axis=1, initial=np.inf) / 2
    touching_mm = next_mm[(next_mm > LEAST_OF_MOST * most_mm) & (next_mm < NEXT_RADII * most_mm)]
    if len(touching_mm) < MIN_NEIGHBOURS:
        return USUAL_OF_MOST * most_mm
    return float(np.median(touching_mm)) / NEXT_RADII
