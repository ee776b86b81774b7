"""Throws, and boards between turns, from observations that know no players."""

from dataclasses import replace
from math import exp

import pytest

from controller.observing import UNSEEN_THROW, BoardEvidence, Observation, SeenThrow, TurnWatch
from tests.controller.board_sights import EMPTY, sight_of
from tests.vision.dice_tracking.dice_films import die
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.events import SettledDie

BOARD = sight_of(EMPTY)
LEFT, RIGHT = (60.0, 60.0), (400.0, 60.0)


def lying(number: int, reading: DieReading, settled_ms: int = 0) -> SettledDie:
    return SettledDie(number, number, reading, settled_ms)


def watched(*frames: tuple[tuple[SettledDie, ...], BoardEvidence | None, bool]) -> list[str | SeenThrow]:
    """What follows from frames of dice, board and whether a hand is in view; boards are written as "board"."""
    watch, news = TurnWatch(), list[str | SeenThrow]()
    for number, (dice, board, has_hand) in enumerate(frames):
        seen = Observation(100 * number, BOARD, board, dice=dice, hand_in_view=has_hand)
        watch, found = watch.with_observation(seen)
        news += ["board" if isinstance(one, BoardEvidence) else one for one in found]
    return news


FIVE, TWO = lying(1, die(5, LEFT)), lying(2, die(2, (60.0, 200.0)))
STILL, HAND = (BOARD, False), (None, True)


def test_a_throw_and_the_boards_around_it() -> None:
    """The board beside the new throw belongs to the turn before; the boards of the turn itself are passed over."""
    news = watched(((), *STILL), ((FIVE, TWO), *STILL), ((FIVE, TWO), *HAND), ((FIVE, TWO), *STILL), ((), *STILL))
    first, second, throw, last = news
    assert (first, second, last) == ("board", "board", "board")
    assert isinstance(throw, SeenThrow)
    assert (throw.rolls, throw.is_sound, throw.is_apart, throw.lay_first) == ((((5, 2), 0.0),), True, False, False)


def test_a_hand_comes_before_the_board_is_seen() -> None:
    """Then the board of before the throw counts, and none under the hand does."""
    news = watched(((), *STILL), ((FIVE, TWO), None, False), ((FIVE, TWO), *HAND), ((FIVE, TWO), *STILL))
    assert [isinstance(one, SeenThrow) for one in news] == [False, True]


def test_dice_that_lay_there_before_any_board() -> None:
    _, throw = watched(((FIVE, TWO), *STILL))
    assert isinstance(throw, SeenThrow)
    assert throw.lay_first


def test_a_die_that_is_not_found_may_show_anything() -> None:
    throw, board = watched(((FIVE,), *STILL), ((), *STILL), ((), *STILL))
    assert board == "board"
    assert isinstance(throw, SeenThrow)
    assert {roll for roll, _ in throw.rolls} == {(max(5, face), min(5, face)) for face in range(1, 7)}
    assert not throw.is_sound


def test_the_dice_of_the_turn_before_are_no_throw() -> None:
    """A player's own dice may stay beside those of the next one."""
    four, one = lying(3, die(4, RIGHT)), lying(4, die(1, (400.0, 200.0)))
    news = watched(((), *STILL), ((FIVE, TWO), *STILL), ((FIVE, TWO, four, one), *STILL))
    thrown = [one.rolls[0][0] for one in news if isinstance(one, SeenThrow)]
    assert thrown == [(5, 2), (4, 1)]


@pytest.mark.parametrize(
    ("other", "is_sound", "is_apart"),
    [
        (die(2, (60.0, 200.0)), True, False),
        (die(2, RIGHT), False, True),
        (die(2, (60.0, 200.0), lies=DieState.COCKED), False, False),
    ],
    ids=["together", "in both halves", "cocked"],
)
def test_how_the_dice_lie(other: DieReading, is_sound: bool, is_apart: bool) -> None:
    *_, throw = watched(((), *STILL), ((FIVE, lying(2, other)), *STILL))
    assert isinstance(throw, SeenThrow)
    assert (throw.is_sound, throw.is_apart) == (is_sound, is_apart)


def test_dice_off_the_board_are_no_throw() -> None:
    off = replace(TWO, reading=replace(TWO.reading, lies=DieState.OFF_BOARD))
    assert not any(isinstance(one, SeenThrow) for one in watched(((), *STILL), ((FIVE, off), *STILL)))


def test_every_throw_is_possible_where_none_was_seen() -> None:
    assert sum(exp(nats) for _, nats in UNSEEN_THROW.rolls) == pytest.approx(1.0)
    assert len(UNSEEN_THROW.rolls) == 21
