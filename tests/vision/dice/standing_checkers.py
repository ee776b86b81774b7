"""Checkers that stand anywhere, as a test wants them, and how a die beside them may lie."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.checkers.network import PLACES, CheckerTop, ViewReading
from vision.checkers.occupancy import CheckerPositions, PositionsWithoutDice, locate_checkers
from vision.dice.lie_prior import PRIOR_SHIFT_FLAT, compute_lie_prior
from vision.dice.readings import STILL_LIES, DieState
from vision.geometry.projection import FieldShape, KnownBoard, Points
from vision.geometry.top_view import to_view

FIELD = FieldShape(480.0, 400.0, 225.0, 255.0)
# Under a camera so far off every face shows where its checker stands.
FAR_BELOW = KnownBoard(replace(STRAIGHT_DOWN.projection, camera_mm=(240.0, 200.0, 1e9)), FIELD)
EDGE_MM = 14.0


def empty_view(tops: tuple[CheckerTop, ...] = ()) -> ViewReading:
    points = np.full((PLACES, 31), -20.0, np.float32)
    points[:, 0] = 0.0
    bar = np.full(16, -20.0, np.float32)
    return ViewReading(points, bar, bar, np.ones(PLACES + 1, np.float32), tops)


def with_counts(place: int, chances: dict[int, float]) -> ViewReading:
    """Light checkers on one point, with these probabilities of each count."""
    view = empty_view()
    points = view.points.copy()
    points[place] = -20.0
    for count, chance in chances.items():
        points[place, count] = np.log(chance)
    return replace(view, points=points)


def with_faces_at(*places_mm: tuple[float, float], chance: float = 1.0) -> CheckerPositions:
    """Checkers anywhere, as only their faces tell of them."""
    places_px = to_view(np.reshape(places_mm, (-1, 2)), FIELD)
    tops = tuple(CheckerTop(float(x_px), float(y_px), chance) for x_px, y_px in places_px)
    return locate_checkers(empty_view(tops), FAR_BELOW)


def likelier(
    base_mm: tuple[float, float],
    standing: CheckerPositions,
    stood: PositionsWithoutDice | None = None,
    *,
    others_mm: Sequence[tuple[float, float]] = (),
    footprint: Callable[[], Points | None] | None = None,
) -> dict[DieState, float]:
    """Beside what counts everywhere."""
    lies = compute_lie_prior(base_mm, EDGE_MM, standing, others_mm, before=stood, footprint=footprint).tolist()
    return {
        lie: lie_factor if lie is DieState.FLAT else PRIOR_SHIFT_FLAT * lie_factor
        for lie, lie_factor in zip(STILL_LIES, lies, strict=True)
    }
