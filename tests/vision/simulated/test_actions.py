"""Actions over time begin with the arrangement before, end with the one after, and lose nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.simulated.played_tables import DARK, LIGHT, start, style
from vision.simulated.actions import (
    Action,
    HoldHand,
    LiftDice,
    MoveChecker,
    PushDie,
    PutCube,
    ThrowDice,
    arrangement_after,
    arrangement_at,
)
from vision.simulated.checker_spots import locate_checker, require_board
from vision.simulated.drawing.die_body import corners_mm
from vision.simulated.drawing.hand import build_limbs
from vision.simulated.drawing.optics import distort, pinhole_view
from vision.simulated.scene import CheckerSide
from vision.simulated.scene_building import make_die, make_hand
from vision.simulated.tabletop import Arrangement, CubePose, DiePose, TableEdge

PAIR = (DiePose(0, 5, (300.0, 180.0), 30.0), DiePose(1, 2, (360.0, 170.0), 75.0))
LYING = replace(start(), dice=PAIR, bar=(DARK,), cube=CubePose(2, (20.0, 180.0)))
ACTIONS: tuple[Action, ...] = (
    MoveChecker("B7", "B3", TableEdge.BOTTOM),
    MoveChecker("bar", "T6", TableEdge.TOP),
    MoveChecker("T12", "off", TableEdge.TOP, side=LIGHT),
    MoveChecker("T1", "T1", TableEdge.BOTTOM),
    ThrowDice(
        (DiePose(0, 1, (320.0, 200.0)), DiePose(1, 6, (100.0, 150.0), 10.0, 30.0, 90.0)), TableEdge.TOP, takes_ms=1700
    ),
    LiftDice((0, 1), TableEdge.BOTTOM),
    LiftDice((1,), TableEdge.TOP),
    PushDie(replace(PAIR[0], centre_mm=(330.0, 150.0), yaw_deg=80.0), TableEdge.BOTTOM),
    PushDie(replace(PAIR[0], up=3), TableEdge.BOTTOM),
    PutCube(CubePose(4, (100.0, 180.0)), TableEdge.TOP),
    PutCube(None, TableEdge.TOP),
    HoldHand((200.0, 100.0), TableEdge.BOTTOM),
)
actions = st.sampled_from(ACTIONS)
shares = st.floats(-0.2, 1.2)


def checkers_in(arrangement: Arrangement) -> list[CheckerSide]:
    on_points = [side for stack in arrangement.points for side in stack]
    carried = [one.side for one in arrangement.loose]
    return sorted([*on_points, *arrangement.bar, *arrangement.off, *carried], key=lambda side: side.value)


@given(actions, shares)
def test_no_checker_is_lost_or_made(action: Action, share: float) -> None:
    now = arrangement_at(style(1), LYING, action, share * action.takes_ms)
    assert checkers_in(now) == checkers_in(LYING)
    assert len(now.loose) <= 1


@given(actions, shares)
def test_a_moment_depends_on_nothing_but_its_time(action: Action, share: float) -> None:
    at = share * action.takes_ms
    first = arrangement_at(style(1), LYING, action, at)
    arrangement_at(style(1), LYING, action, 0.5 * action.takes_ms)
    assert arrangement_at(style(1), LYING, action, at) == first


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_begin_and_end_as_they_should(action: Action) -> None:
    table = style(1)
    after = arrangement_after(table, LYING, action)
    assert arrangement_at(table, LYING, action, 0) == LYING
    assert arrangement_at(table, LYING, action, action.takes_ms) == after
    assert arrangement_at(table, LYING, action, 10 * action.takes_ms) == after
    assert not after.hands
    assert not after.loose


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("seed", [1, 4])
def test_hands_come_from_outside_the_picture(action: Action, seed: int) -> None:
    """In the first and the last moment no finger tip is in the picture."""
    table = style(seed)
    for at_ms in (1.0, action.takes_ms - 1.0):
        (pose,) = arrangement_at(table, LYING, action, at_ms).hands
        tips = np.array([limb.end_mm for limb in build_limbs(make_hand(table, pose)) if limb.kind == "nail"])
        seen = distort(table.scene.camera, pinhole_view(table.scene.camera).project(tips))
        inside = (seen > -5).all(1) & (seen < np.array(table.scene.camera.size_px) + 5).all(1)
        assert not inside.any()


@pytest.mark.parametrize("action", ACTIONS)
def test_nothing_jumps(action: Action) -> None:
    """Between two frames 5 ms apart hands move less than 15 mm, carried checkers and dice less than 12."""
    table, before = style(1), None
    for at_ms in np.arange(2.5, action.takes_ms, 5.0):
        now = arrangement_at(table, LYING, action, float(at_ms))
        if before is not None:
            for one, other in zip(before.hands, now.hands, strict=True):
                assert np.hypot(one.tip_mm[0] - other.tip_mm[0], one.tip_mm[1] - other.tip_mm[1]) < 15
            for checker, next_one in zip(before.loose, now.loose, strict=False):
                x, y = (b - a for a, b in zip(checker.centre_mm, next_one.centre_mm, strict=True))
                assert np.hypot(x, y) < 12
            later = {die.number: die for die in now.dice}
            for die in before.dice:
                if die.number in later:
                    x, y = (b - a for a, b in zip(die.centre_mm, later[die.number].centre_mm, strict=True))
                    assert np.hypot(x, y) < 12
        before = now


def test_a_carried_checker_leaves_from_its_spot_and_arrives_at_its_spot() -> None:
    table, action = style(1), MoveChecker("B7", "B3", TableEdge.BOTTOM)
    moments = [arrangement_at(table, LYING, action, at_ms) for at_ms in range(action.takes_ms)]
    carried = [now.loose[0] for now in moments if now.loose]
    leaves, arrives = locate_checker(table, "B7", 4, LIGHT), locate_checker(table, "B3", 0, LIGHT)
    assert np.allclose(carried[0].centre_mm, leaves.centre_mm, atol=0.5)
    assert np.allclose(carried[-1].centre_mm, arrives.centre_mm, atol=0.5)
    assert max(one.height_mm for one in carried) > 15


@given(st.integers(0, 500), shares)
def test_rolling_dice_stay_above_the_field_and_in_view_of_the_board(seed: int, share: float) -> None:
    table, rng = style(1), np.random.default_rng(seed)
    width, height = require_board(table).field_mm
    place = (float(rng.uniform(20, width - 20)), float(rng.uniform(20, height - 20)))
    action = ThrowDice((DiePose(0, 4, place, float(rng.uniform(0, 360))),), TableEdge.BOTTOM)
    now = arrangement_at(table, Arrangement(), action, share * action.takes_ms)
    for die in now.dice:
        assert corners_mm(make_die(table.dice[0], die))[:, 2].min() > -1e-6
        assert -20 < die.centre_mm[0] < width + 20
    if share > 0.92:
        assert now.dice[0] == action.dice[0]


def test_lifted_dice_go_one_after_the_other() -> None:
    """A hand is there whenever a die disappears."""
    action = LiftDice((0, 1), TableEdge.BOTTOM)
    counts = []
    for at_ms in range(0, action.takes_ms, 10):
        now = arrangement_at(style(1), LYING, action, at_ms)
        counts.append(len(now.dice))
        if len(counts) > 1 and counts[-1] < counts[-2]:
            assert now.hands
    assert counts == sorted(counts, reverse=True)
    assert set(counts) == {2, 1, 0}


def test_actions_can_be_laid_over_each_other() -> None:
    """A checker moves from below while the dice are lifted from above."""
    table = style(1)
    moving = arrangement_at(table, LYING, MoveChecker("B7", "B3", TableEdge.BOTTOM), 600)
    both = arrangement_at(table, moving, LiftDice((0, 1), TableEdge.TOP), 500)
    assert [hand.edge for hand in both.hands] == [TableEdge.BOTTOM, TableEdge.TOP]
    assert len(both.loose) == 1


def test_what_does_not_lie_there_cannot_be_acted_on() -> None:
    with pytest.raises(KeyError):
        arrangement_after(style(1), LYING, LiftDice((3,), TableEdge.TOP))
    with pytest.raises(IndexError):
        arrangement_at(style(1), LYING, MoveChecker("T2", "T3", TableEdge.TOP), 500)
