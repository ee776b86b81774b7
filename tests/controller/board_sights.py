"""Boards as a camera would have read them: tables of likelihoods, clear or blurred, hidden in places, or misread."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.match.seating import place_number
from controller.observing.board_evidence import BoardEvidence, BoardView, Pair
from tests.vision.shown_boards import picture_with
from vision.board.board_reading import BoardReading, PairReading, PlaceReading
from vision.places import POINTS, Place

COUNTS = 16
HIGH = 6  # from here a stack has a second layer
BAR = 24


@dataclass(frozen=True, slots=True)
class Sight:
    """How a board is seen: the posterior of the right answer on points, of high stacks, and what is not seen at all."""

    sureness: float = 0.9999
    high_sureness: float = 0.4
    hidden: Collection[Place] = ()
    tray_in_view: bool = False
    looks: int = 4


CLEAR = Sight()
ONE_LOOK = Sight(looks=1)
BLURRED = Sight(sureness=0.6, high_sureness=0.2)
EMPTY = BoardView(((0, 0),) * len(POINTS))


def sight_of(
    view: BoardView, sight: Sight = CLEAR, *, misread: Mapping[Place, Pair] | None = None, seed: int = 0
) -> BoardEvidence:
    """`misread`: places that are surely read as something else than stands there."""
    rng = random.Random(seed)
    wrong = {BAR if place is Place.BAR else place_number(place): pair for place, pair in (misread or {}).items()}
    points = np.stack(
        [
            _point(wrong.get(number, pair), number in view.dark_above, sight, rng)
            for number, pair in enumerate(view.points)
        ]
    )
    visible = np.ones(BAR + 1, np.float32)
    for place in sight.hidden:
        visible[BAR if place is Place.BAR else place_number(place)] = 0.05
    return BoardEvidence(
        points=points,
        bar=_pair(wrong.get(BAR, view.bar), sight.sureness),
        tray=_pair(view.off, 0.6) if sight.tray_in_view else None,
        visible=visible,
        frame_count=sight.looks,
        since_ms=0,
        taken_ms=1000,
    )


def reading_of(
    view: BoardView, taken_ms: int, sight: Sight = CLEAR, *, hand_in_view: bool = False, moved_mm: float = 0.0
) -> BoardReading:
    """The same as one reading of vision, without dice."""
    seen = sight_of(view, sight, seed=taken_ms)
    places: dict[Place, PlaceReading | PairReading] = {
        place: PlaceReading(seen.points[number], float(seen.visible[number])) for number, place in enumerate(POINTS)
    }
    places[Place.BAR] = PairReading(seen.bar, float(seen.visible[BAR]))
    if seen.tray is not None:
        places[Place.TRAY] = PairReading(seen.tray, 1.0)
    return BoardReading(places, hand_in_view=hand_in_view, board_moved_mm=moved_mm, taken_ms=taken_ms)


def with_points(view: BoardView, **pairs: Pair) -> BoardView:
    """`with_points(view, T1=(2, 0))`: the same board with other checkers there."""
    points = list(view.points)
    for name, pair in pairs.items():
        points[place_number(Place(name))] = pair
    return BoardView(tuple(points), view.bar, view.off, view.dark_above)


def _point(truth: Pair, is_dark_above: bool, sight: Sight, rng: random.Random) -> NDArray[np.float32]:
    """(4, 16): the right answer, counts one off, and a little for everything else."""
    sureness = sight.high_sureness if max(truth) >= HIGH else sight.sureness
    doubt = (1 - sureness) / 3
    table = np.full((4, COUNTS), -np.inf, np.float32)
    table[0, 0] = table[1, 1:] = table[2, 1:] = np.log(doubt / 100)
    row, count = _shown(truth, is_dark_above=is_dark_above)
    for other in (count - 1, count + 1):
        if row and 1 <= other < COUNTS:
            table[row, other] = np.log(doubt * rng.uniform(0.5, 1.5))
    if row == 0:
        table[rng.choice((1, 2)), 1] = np.log(doubt)
    elif count == 1:
        table[0, 0] = np.log(doubt)
    table[row, count] = np.log(sureness)
    return table


def _shown(truth: Pair, *, is_dark_above: bool) -> tuple[int, int]:
    """Row and count of a reader who knows nothing of pins: what lies above."""
    light, dark = truth
    if light and dark:
        return (2, dark) if is_dark_above else (1, light)
    return (1, light) if light else (2, dark) if dark else (0, 0)


def _pair(truth: Pair, sureness: float) -> NDArray[np.float32]:
    table = np.full((COUNTS, COUNTS), np.log((1 - sureness) / 255), np.float32)
    table[truth] = np.log(sureness)
    return table


def picture_of(view: BoardView) -> NDArray[np.uint8]:
    """The lowest layer of each point, and the bar, as `vision.checkers.point_changes` compares them."""
    return picture_with(view.points, bar=view.bar)
