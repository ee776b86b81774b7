from itertools import pairwise

from controller.match.inputs import Tick
from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot, take_snapshots
from controller.simulation.staging.beats import Cue
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.mishaps import NO_MISHAPS, Mishaps
from tests.controller.simulation.films import MANY_MISHAPS, film

PLAN = BoardPlan()


def test_pictures_come_in_order_and_often_enough() -> None:
    moments = [
        one
        for one in take_snapshots(film("tavla", 1, mishaps=NO_MISHAPS, turns=6), PLAN, FrameRates())
        if isinstance(one, TableSnapshot)
    ]
    steps_ms = [after.taken_ms - one.taken_ms for one, after in pairwise(moments)]
    assert min(steps_ms) >= 99
    assert max(steps_ms) <= 201
    busy = [after.taken_ms - one.taken_ms for one, after in pairwise(moments) if one.hand is not None]
    assert max(busy) <= 101


def test_orders_come_at_their_time() -> None:
    """Between the last picture before and the first one after the moment for which they are written."""
    now_ms = 0
    for coming in take_snapshots(film("tavla", 2, mishaps=MANY_MISHAPS, turns=8), PLAN, FrameRates()):
        if isinstance(coming, TableSnapshot | Tick):
            at_ms = coming.taken_ms if isinstance(coming, TableSnapshot) else coming.now_ms
            assert at_ms >= now_ms
            now_ms = at_ms
        elif isinstance(coming, Cue):
            assert now_ms <= coming.at_ms <= now_ms + 201


def test_there_are_ticks_while_the_camera_is_gone() -> None:
    coming = list(take_snapshots(film("tavla", 3, mishaps=Mishaps(camera_gone=1.0), turns=1), PLAN, FrameRates()))
    ticks = [one.now_ms for one in coming if isinstance(one, Tick)]
    moments = [one.taken_ms for one in coming if isinstance(one, TableSnapshot)]
    assert 4800 <= ticks[-1] - ticks[0] <= 5000
    assert not any(ticks[0] <= at_ms <= ticks[-1] for at_ms in moments)


def test_a_hand_comes_from_its_edge_and_goes_back() -> None:
    hands = [
        one.hand
        for one in take_snapshots(film("tavla", 4, turns=2), PLAN, FrameRates())
        if isinstance(one, TableSnapshot) and one.hand
    ]
    assert any(0 < hand.tip_mm[1] < PLAN.height_mm for hand in hands)
    coming = [hand for hand in hands if hand.movement.from_mm is None]
    assert coming
    for hand in coming:
        target = hand.movement.to_mm
        assert target is not None
        assert (hand.tip_mm[1] >= target[1] - 1) if hand.movement.from_below else (hand.tip_mm[1] <= target[1] + 1)
