from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.seating import Seating
from controller.rules import (
    RULESETS,
    BadThrow,
    Half,
    Lie,
    Player,
    ThrowContext,
    ThrowRules,
    judge_throw,
    start_position,
)
from controller.simulation.staging.beats import DieAtRest
from controller.simulation.staging.board_plan import BoardPlan, checkers_mm, distance_mm
from controller.simulation.staging.dice_placement import Landing, ThrowMishap, place_dice
from controller.simulation.staging.stacks import stacks_of

pytestmark = pytest.mark.broad

PLAN = BoardPlan()
BACKGAMMON = RULESETS["backgammon"]
STACKS = stacks_of(start_position(BACKGAMMON).setup, Seating(), BACKGAMMON)


def landing(half: Half = Half.RIGHT) -> Landing:
    return Landing(PLAN, STACKS, (), half, Player.WHITE, 0)


@given(seed=st.integers(0, 500), half=st.sampled_from(Half))
def test_a_throw_without_mishap_counts(seed: int, half: Half) -> None:
    dice = place_dice((6, 3), landing(half), Random(seed))
    assert judge_throw(tuple(die.thrown for die in dice if die.thrown), ThrowContext(), ThrowRules()).values == (6, 3)
    away_mm = distance_mm(dice[0].centre_mm, dice[1].centre_mm)
    assert away_mm >= 2 * PLAN.die_mm or away_mm < 2**0.5 * PLAN.die_mm
    for die in dice:
        low, high = PLAN.half_span_mm(half)
        assert low < die.centre_mm[0] < high
        assert all(
            distance_mm(die.centre_mm, at) > PLAN.checker_mm / 2 + PLAN.die_mm / 2 for at in checkers_mm(PLAN, STACKS)
        )


def outline(die: DieAtRest) -> np.ndarray:
    turn, half = np.radians(die.yaw_deg + np.array([45, 135, 225, 315])), PLAN.die_mm / 2**0.5
    return np.asarray(die.centre_mm + half * np.stack([np.cos(turn), np.sin(turn)], axis=1), np.float32)


def test_some_throws_come_to_lie_against_each_other() -> None:
    """A few in a hundred; the two squares touch and do not overlap."""
    touching = 0
    for seed in range(500):
        one, other = place_dice((6, 3), landing(), Random(seed))
        way = np.subtract(one.centre_mm, other.centre_mm)
        if np.hypot(*way) > 2**0.5 * PLAN.die_mm:
            continue
        touching += 1
        moves = [np.float32(move_mm) * (way / np.hypot(*way)).astype(np.float32) for move_mm in (-0.1, 0.2)]
        overlaps = [cv2.intersectConvexConvex(outline(one), outline(other) + move)[0] for move in moves]
        assert overlaps[0] == 0
        assert overlaps[1] > 0
    assert 5 < touching < 30


@pytest.mark.parametrize("mishap", [one for one in ThrowMishap if one is not ThrowMishap.WRONG_HALF])
@given(seed=st.integers(0, 200))
def test_every_mishap_makes_the_throw_void_for_its_reason(mishap: ThrowMishap, seed: int) -> None:
    """The judge of throws names the reason that the mishap is called by."""
    dice = place_dice((4, 2), landing(), Random(seed), mishap)
    ruling = judge_throw(tuple(die.thrown for die in dice if die.thrown), ThrowContext(), ThrowRules())
    assert BadThrow(mishap.value) in ruling.reasons


@given(seed=st.integers(0, 200))
def test_a_cocked_die_leans_on_a_checker(seed: int) -> None:
    (die,) = (one for one in place_dice((4, 2), landing(), Random(seed), ThrowMishap.COCKED) if one.lie is Lie.COCKED)
    nearest = min(distance_mm(die.centre_mm, at) for at in checkers_mm(PLAN, STACKS))
    assert PLAN.checker_mm / 2 < nearest < PLAN.checker_mm / 2 + PLAN.die_mm
    assert 24 < die.tilt_deg < 40
