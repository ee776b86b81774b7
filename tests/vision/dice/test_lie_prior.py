"""A die that nothing is in reach of lies flat; what may stand there is reckoned with."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.fake_networks import EDGE_PX, PICTURE, fake_outputs, fake_spots, output
from tests.vision.dice.hand_made_dice import NOTHING_STANDS, STRAIGHT_DOWN
from tests.vision.dice.standing_checkers import (
    EDGE_MM,
    FAR_BELOW,
    FIELD,
    empty_view,
    likelier,
    with_counts,
    with_faces_at,
)
from vision.checkers.network import CheckerTop
from vision.checkers.occupancy import USUAL_OF_MOST, CheckerPositions, PositionsWithoutDice, locate_checkers
from vision.dice.classifier import LIE, NORMAL
from vision.dice.detect import read_dice
from vision.dice.lie_prior import (
    BESIDE_DIE_FLAT_FACTOR,
    CHECKER_FLAT_FACTOR,
    CLEAR_FLAT_FACTOR,
    NEW_CHECKER_P,
    OLD_CHECKER_FLAT_FACTOR,
    PRIOR_SHIFT_FLAT,
    compute_lie_prior,
)
from vision.dice.readings import STILL_LIES, DieState
from vision.dice.windows import SIGHT, DieSpot
from vision.geometry.top_view import to_view

CLEAR, IN_REACH = CLEAR_FLAT_FACTOR, 1.0


def flat_against_cocked(
    base_mm: tuple[float, float], edge_mm: float, standing: CheckerPositions, others_mm: list[tuple[float, float]]
) -> float:
    """How many times likelier flat becomes than cocked, beside what counts everywhere."""
    lies = compute_lie_prior(base_mm, edge_mm, standing, others_mm)
    return float(lies[STILL_LIES.index(DieState.FLAT)] / lies[STILL_LIES.index(DieState.COCKED)] / PRIOR_SHIFT_FLAT)


@pytest.mark.parametrize(
    ("base_mm", "likelier"),
    [
        ((100.0, 200.0), CLEAR),
        ((12.0, 200.0), IN_REACH),  # leans on the left rim
        ((100.0, 390.0), IN_REACH),  # on the lower one
        ((214.0, 200.0), IN_REACH),  # on the bar
        ((240.0, 200.0), IN_REACH),  # lies on the bar
        ((500.0, 200.0), IN_REACH),  # off the board
        ((206.0, 200.0), CLEAR),
        ((209.6, 200.0), CLEAR_FLAT_FACTOR**0.5),  # 1.1 edges off: hardly a die that leans with its foot away from it
    ],
)
def test_walls(base_mm: tuple[float, float], likelier: float) -> None:
    """On a wall, the bar and off the board nothing speaks for a die that lies flat; further away it does more and more."""
    assert flat_against_cocked(base_mm, EDGE_MM, locate_checkers(empty_view(), FAR_BELOW), []) == pytest.approx(
        likelier
    )


def test_flat_is_likelier_in_play_than_in_training() -> None:
    """This holds where a die may lean on something too, and against every other lie alike."""
    flat, *others = compute_lie_prior((12.0, 200.0), EDGE_MM, locate_checkers(empty_view(), FAR_BELOW), [])
    assert flat == 1
    assert others[:1] + others[2:] == pytest.approx([1 / PRIOR_SHIFT_FLAT] * 4)  # at a wall; no checker is near


def test_a_seen_face_is_in_reach() -> None:
    """A checker in the middle of the field that only its face shows holds a die beside it."""
    (at_px,) = to_view([(100.0, 200.0)], FIELD)
    seen = locate_checkers(empty_view((CheckerTop(float(at_px[0]), float(at_px[1]), 0.9),)), FAR_BELOW)
    assert flat_against_cocked((125.0, 200.0), EDGE_MM, seen, []) == IN_REACH
    assert IN_REACH < flat_against_cocked((128.0, 200.0), EDGE_MM, seen, []) < CLEAR
    assert flat_against_cocked((140.0, 200.0), EDGE_MM, seen, []) == CLEAR


def test_where_a_checker_stands_no_die_lies_flat() -> None:
    """The nearer to its middle and the surer it is; within its rim by a little, the die may yet lie beside it."""
    (at_px,) = to_view([(100.0, 200.0)], FIELD)

    def with_a_checker(chance: float, x_mm: float) -> float:
        seen = locate_checkers(empty_view((CheckerTop(float(at_px[0]), float(at_px[1]), chance),)), FAR_BELOW)
        return flat_against_cocked((x_mm, 200.0), EDGE_MM, seen, [])

    assert with_a_checker(1.0, 100.0) == pytest.approx(CHECKER_FLAT_FACTOR)
    assert with_a_checker(0.5, 100.0) == pytest.approx((1 + CHECKER_FLAT_FACTOR) / 2)
    assert CHECKER_FLAT_FACTOR < with_a_checker(1.0, 118.0) < IN_REACH


def end_of_a_row_mm(checkers: int) -> float:
    """From the rim, where nobody sees how large they are: they touch as if they were as large as most, and may be larger."""
    return (USUAL_OF_MOST * (checkers - 0.5) + 0.5) * FIELD.pitch_mm


def test_a_count_is_in_reach_without_faces() -> None:
    """Checkers that only the count of a point shows stand in a row from the rim."""
    x_mm = FIELD.point_middle_mm(3)
    seen = locate_checkers(with_counts(2, {3: 1.0}), FAR_BELOW)
    assert flat_against_cocked((x_mm, end_of_a_row_mm(3) + 8.0), EDGE_MM, seen, []) == IN_REACH
    assert flat_against_cocked((x_mm, end_of_a_row_mm(4) + 10.0), EDGE_MM, seen, []) == CLEAR


def test_doubtful_checkers_count_as_far_as_they_may_stand_there() -> None:
    """One that is hardly there takes little from what speaks for "flat", one that may well be there takes all of it."""
    x_mm = FIELD.point_middle_mm(1)
    beside = (x_mm, end_of_a_row_mm(4) + 5.0)

    def with_a_fourth(chance: float) -> float:
        seen = locate_checkers(with_counts(0, {3: 1 - chance, 4: chance}), FAR_BELOW)
        return flat_against_cocked(beside, EDGE_MM, seen, [])

    assert with_a_fourth(0.001) == CLEAR
    assert IN_REACH < with_a_fourth(0.05) < CLEAR
    assert with_a_fourth(0.3) == pytest.approx(IN_REACH)


def test_lower_row() -> None:
    x_mm = FIELD.point_middle_mm(1)
    seen = locate_checkers(with_counts(12, {2: 1.0}), FAR_BELOW)
    assert flat_against_cocked((x_mm, FIELD.height_mm - end_of_a_row_mm(2) - 8.0), EDGE_MM, seen, []) == IN_REACH
    assert flat_against_cocked((x_mm, 200.0), EDGE_MM, seen, []) == CLEAR


def test_none_lies_on_what_is_not_there() -> None:
    """Beside the rim a die may lean on it, or lie on it; on a checker it lies only where one is, on the rim not in mid-field."""
    at_the_rim, on_a_checker = (12.0, 200.0), (100.0, 200.0)
    clear = likelier(at_the_rim, with_faces_at(on_a_checker))
    assert clear[DieState.COCKED] == clear[DieState.ON_RIM] == clear[DieState.FLAT] == 1
    assert clear[DieState.ON_CHECKER] == pytest.approx(1 / CLEAR_FLAT_FACTOR)
    leans_beside = likelier((125.0, 200.0), with_faces_at(on_a_checker))  # half an edge from its rim
    assert leans_beside[DieState.COCKED] == 1
    assert leans_beside[DieState.ON_CHECKER] < 0.1
    there = likelier(on_a_checker, with_faces_at(on_a_checker))
    assert there[DieState.COCKED] == there[DieState.ON_CHECKER] == 1
    assert there[DieState.ON_RIM] == there[DieState.ON_BAR] == pytest.approx(1 / CLEAR_FLAT_FACTOR)


def test_a_checker_that_stood_there_before_the_dice_is_no_misread_die() -> None:
    """Only where it is seen at the same place now: one that was played away leaves the place to the die."""
    here = (100.0, 200.0)
    now = with_faces_at(here)
    assert likelier(here, now)[DieState.FLAT] == pytest.approx(CHECKER_FLAT_FACTOR)
    assert likelier(here, now, PositionsWithoutDice(with_faces_at(here)))[DieState.FLAT] == pytest.approx(
        OLD_CHECKER_FLAT_FACTOR
    )
    assert likelier(here, with_faces_at(), PositionsWithoutDice(now))[DieState.FLAT] == 1
    doubtful = likelier(here, now, PositionsWithoutDice(with_faces_at(here, chance=0.9)))[DieState.FLAT]
    assert doubtful == pytest.approx(1 - 0.9 * (1 - OLD_CHECKER_FLAT_FACTOR))


@pytest.mark.parametrize("before", [(), ((180.0, 200.0),)])
def test_what_play_went_on_from_says_nothing(before: tuple[tuple[float, float], ...]) -> None:
    """A checker may have been played there since, and a die may lie on it or lean on it: as if nothing was known."""
    here, now = (100.0, 200.0), with_faces_at((100.0, 200.0))
    assert likelier(here, now, PositionsWithoutDice(with_faces_at(*before), has_moved_since=True)) == likelier(
        here, now
    )


@pytest.mark.parametrize("dice_lay", [False, True])
def test_a_checker_where_none_stood_before_the_throw_is_rather_the_die(dice_lay: bool) -> None:
    """Who lifted his dice has played: it hardly lies on one, or leans on one; that it may is reckoned with."""
    here, now, before = (100.0, 200.0), with_faces_at((100.0, 200.0)), with_faces_at((180.0, 200.0))
    seen = likelier(here, now, PositionsWithoutDice(before, dice_lay))
    assert seen[DieState.FLAT] == pytest.approx(1 - NEW_CHECKER_P * (1 - CHECKER_FLAT_FACTOR))
    for lie in (DieState.COCKED, DieState.ON_CHECKER):
        assert 1 / CLEAR_FLAT_FACTOR < seen[lie] < 0.1


@pytest.mark.parametrize("pushed_mm", [0.0, 20.0, 45.0])
def test_a_checker_that_the_die_pushed_stood_near(pushed_mm: float) -> None:
    """A die that leans on it is as likely as ever."""
    here, now = (100.0, 200.0), with_faces_at((125.0, 200.0))
    pushed = likelier(here, now, PositionsWithoutDice(with_faces_at((125.0 + pushed_mm, 200.0))))
    assert pushed[DieState.COCKED] == likelier(here, now)[DieState.COCKED] == 1


def test_one_that_stands_where_it_stood_was_not_pushed() -> None:
    """Another checker beside it is as new as anywhere."""
    here, beside = (100.0, 200.0), (140.0, 200.0)
    seen = likelier(here, with_faces_at(here, beside), PositionsWithoutDice(with_faces_at(beside)))
    assert seen[DieState.FLAT] == pytest.approx(1 - NEW_CHECKER_P * (1 - CHECKER_FLAT_FACTOR))
    assert seen[DieState.ON_CHECKER] < 0.1


@pytest.mark.parametrize(
    ("away_mm", "likelier"),
    [(7.0, IN_REACH), (11.5, BESIDE_DIE_FLAT_FACTOR), (16.5, BESIDE_DIE_FLAT_FACTOR), (40.0, CLEAR)],
)
def test_dice_hardly_lean_on_each_other(away_mm: float, likelier: float) -> None:
    """One beside another is not clear, but rather flat; one whose base is half within the other's lies on it."""
    nothing = replace(NOTHING_STANDS, field=FIELD)
    flat = flat_against_cocked((100.0, 200.0), EDGE_MM, nothing, [(100.0 + away_mm, 200.0)])
    assert flat == pytest.approx(likelier)


def spot_at(x_mm: float) -> DieSpot:
    ((x_px, y_px),) = STRAIGHT_DOWN.projection.to_picture(np.array([[x_mm, 200.0]]))
    return DieSpot((float(x_px), float(y_px)), EDGE_PX, 0.9)


def test_the_tilt_of_a_clear_die_shrinks_with_its_chance_to_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is in its reach: nearly flat. Beside a checker much of the tilt stays, on one all of it."""
    numbers = output(face=1, normal=(0.2, 0.0))  # by 11.5 degrees
    numbers[LIE] = (0.0, -0.8, -9, -9, -9, -9)  # flat in 69 %, cocked in 31 %
    mirrored = numbers.copy()
    mirrored[NORMAL.start] *= -1
    fake_spots(monkeypatch, [spot_at(100.0)])
    fake_outputs(monkeypatch, lambda planes: mirrored if planes[SIGHT][0, 0, 0] > 0 else numbers)
    nothing = locate_checkers(empty_view(), STRAIGHT_DOWN)
    beside, below = (
        replace(nothing, middles_mm=np.array([[x_mm, 200.0]]), chances=np.ones(1), is_seen=np.ones(1, np.bool_))
        for x_mm in (122.0, 100.0)
    )
    clear, near, on_checker = (
        read_dice(PICTURE, STRAIGHT_DOWN, positions=positions).dice[0] for positions in (nothing, beside, below)
    )
    assert clear.lies is near.lies is DieState.FLAT
    assert clear.lie_confidence > 0.97
    assert near.lie_confidence < 0.8
    assert clear.tilt_deg < 1
    assert 7 < near.tilt_deg < 9
    assert clear.tilt_sigma_deg > 1  # it may lean after all
    assert on_checker.lies is DieState.COCKED
    assert on_checker.tilt_deg == pytest.approx(11.5, abs=0.1)  # as measured, and no more
