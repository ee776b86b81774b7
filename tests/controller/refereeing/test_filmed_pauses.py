"""Dice from frame to ruling around a pause, and where nobody knows which die is which."""

import pytest

from controller.match.commands import EndTurn, Pause, Resume
from controller.match.events import PlayMade, PlayRefused, PlayUnclear, ThrowUnclear, TurnEnded
from controller.rules import Player, Unclear
from tests.controller.refereeing.filmed_dice import FilmedMatch, die_at
from tests.controller.refereeing.test_filmed_dice import BY_BLACK, PAIR_BESIDE, SIX_FOUR
from vision.dice.readings import DieReading

BLACK = Player.BLACK
ELSEWHERE = die_at(6, (250, 200)), die_at(4, (300, 260))


def _paused(match: FilmedMatch, *dice: DieReading) -> None:
    """A pause, in which somebody throws these dice."""
    match.give(Pause())
    if dice:
        match.throw_anew(*dice)
    match.give(Resume())
    match.rest(3000)


@pytest.mark.parametrize("is_from_beside", [False, True])
def test_its_dice_are_still_those_of_the_roll(*, is_from_beside: bool) -> None:
    """Lifting them ends the turn, also if they were thrown from beside the board."""
    match = FilmedMatch.with_black_to_throw()
    if is_from_beside:
        match.put_dice(*PAIR_BESIDE)
        match.throw_anew(*SIX_FOUR)
    else:
        match.throw(*SIX_FOUR)
    match.mark()
    _paused(match)
    match.play(BLACK, *BY_BLACK)
    match.lift(rest_ms=3000)
    assert match.kinds()[2:] == [TurnEnded, PlayMade]


@pytest.mark.parametrize(("thrown", "verdict"), [((), PlayRefused), (ELSEWHERE, PlayUnclear)])
def test_a_play_against_the_rules_after_it(thrown: tuple[DieReading, ...], verdict: type) -> None:
    """It is refused if the dice lay untouched; else it may be a play of a throw that nobody reported."""
    match = FilmedMatch.with_black_to_throw()
    match.throw(*SIX_FOUR)
    _paused(match, *thrown)
    match.mark()
    match.play(BLACK, (24, 18), (18, 13))
    match.lift(rest_ms=3000)
    assert match.kinds() == [TurnEnded, verdict]


@pytest.mark.parametrize(
    ("instead", "rest_ms", "thrown", "values"),
    [
        # it seems that the three jumped, and that two aces were thrown
        (die_at(1, (700, 300)), 100, (die_at(1, (580, 120)), die_at(3, (150, 100))), (1, None)),
        # it is taken for one of the fours, which rolls past where it lay: it seems that a four and a three were thrown
        (die_at(3, (150, 620)), 300, (die_at(4, (617, 220)), die_at(4, (400, 220))), (None, 4)),
    ],
)
def test_one_is_tipped_or_pushed_just_before_a_throw(
    instead: DieReading, rest_ms: int, thrown: tuple[DieReading, ...], values: tuple[int | None, ...]
) -> None:
    """Black throws before White's moved three has come to rest."""
    match = FilmedMatch.with_first_play()
    match.give(EndTurn())
    three, one = match.dice
    assert three.value == 3
    match.mark()
    match.put_dice(instead, one, rest_ms=rest_ms)
    match.throw(*thrown)
    asked = match.only(ThrowUnclear)
    assert (asked.unclear, asked.values) == ((Unclear.VALUE,), values)
