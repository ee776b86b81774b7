"""Dice from frame to ruling around a pause, and where nobody knows which die is which."""

import pytest

from controller.commands import EndTurn, Pause, Resume
from controller.events import DiceRolled, PlayMade, PlayRefused, PlayUnclear, TurnEnded
from controller.rules.player import Player
from controller.rules.throws import Unclear
from tests.controller.filmed_dice import FilmedMatch, die_at
from tests.controller.test_filmed_dice import BY_BLACK, PAIR_BESIDE, SIX_FOUR, asked_in, kinds
from vision.die_reading import DieReading

BLACK = Player.BLACK
ELSEWHERE = die_at(6, (250, 200)), die_at(4, (300, 260))


def _paused(match: FilmedMatch, *dice: DieReading) -> None:
    """Meanwhile somebody throws these."""
    match.give(Pause())
    if dice:
        match.throw_anew(*dice)
    match.give(Resume())
    match.rest(3000)


@pytest.mark.parametrize("is_from_beside", [False, True])
def test_its_dice_are_still_those_of_the_roll(*, is_from_beside: bool) -> None:
    """Also those that lay beside the board, with other faces, before they were thrown: their lifting ends the turn."""
    match = FilmedMatch.with_black_to_throw()
    if is_from_beside:
        match.put_dice(*PAIR_BESIDE)
        match.throw_anew(*SIX_FOUR)
    else:
        match.throw(*SIX_FOUR)
    told = len(match.events)
    _paused(match)
    match.play(BLACK, *BY_BLACK)
    match.lift(rest_ms=3000)
    assert kinds(match.since(told))[2:] == [TurnEnded, PlayMade]


@pytest.mark.parametrize(("thrown", "verdict"), [((), PlayRefused), (ELSEWHERE, PlayUnclear)])
def test_a_play_against_the_rules_after_it(thrown: tuple[DieReading, ...], verdict: type) -> None:
    """It is refused if the dice lay untouched all the while; else it may be a play of other dice, which nobody was told of."""
    match = FilmedMatch.with_black_to_throw()
    match.throw(*SIX_FOUR)
    _paused(match, *thrown)
    told = len(match.events)
    match.play(BLACK, (24, 18), (18, 13))
    match.lift(rest_ms=3000)
    assert kinds(match.since(told)) == [TurnEnded, verdict]


def test_one_is_tipped_just_before_a_throw_that_shows_its_face() -> None:
    """White's three, to an ace; Black throws an ace and a three: it seems that the three jumped, and that two aces were thrown."""
    match = FilmedMatch.with_first_play()
    match.give(EndTurn())
    three, one = match.dice
    told = len(match.events)
    match.with_hand(300)
    match.dice = [die_at(1, three.centre_px), one]
    match.with_hand(200)
    match.rest(100)
    match.throw(die_at(1, (580, 120)), die_at(3, (150, 100)))
    asked = asked_in(match.since(told))
    assert DiceRolled not in kinds(match.since(told))
    assert (asked.unclear, sorted(asked.values, key=str)) == ((Unclear.VALUE,), [1, None])


def test_one_is_pushed_just_before_a_throw_that_rolls_past_where_it_lay() -> None:
    """White's three is taken for one of the fours: it seems that a four and a three were thrown."""
    match = FilmedMatch.with_first_play()
    match.give(EndTurn())
    _, one = match.dice
    told = len(match.events)
    match.with_hand(300)
    match.dice = [die_at(3, (150, 620)), one]
    match.with_hand(200)
    match.rest(300)
    match.throw(die_at(4, (617, 220)), die_at(4, (400, 220)))
    assert asked_in(match.since(told)).values == (None, 4)
