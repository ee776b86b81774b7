"""A program that has just begun sees every die for the first time: what the log knows of is no new throw."""

import pytest

from controller.match.clocks import parse_clock
from controller.match.commands import CorrectRoll, EndTurn, TakeBackPlay
from controller.match.events import DiceRolled, GameWon, PlayCondoned, PlayMade, PlayRefused, ThrowRefused, ThrowUnclear
from controller.match.inputs import Peripheral
from controller.refereeing.state import Phase
from controller.rules import Unclear
from tests.controller.refereeing.refereed_match import (
    BLACK,
    ILLEGAL,
    LEGAL,
    OPENING_HALVES,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.dice.readings import BoardHalf
from vision.dice_tracking.events import DiceLifted

pytestmark = pytest.mark.broad

# Black is on the bar and enters with a six only.
NEARLY_CLOSED = "02222204100000000000000000/e0000000000000000000000001"
NEARLY_OVER, OVER = (f"{white}/d2000000000000000000000000" for white in ("d1100000000000000000000000", f"f{'0' * 25}"))


def killed(match: RefereedMatch, *, glints: int = 0) -> None:
    """The program restarts; the dice settle again under new numbers, beside `glints` things that may be no dice."""
    dice, match.dice = match.dice, ()
    match.restart()
    halves = [die.reading.half or BoardHalf.RIGHT for die in dice] + [BoardHalf.LEFT] * glints
    values = [die.value for die in dice] + [6] * glints
    match.throw(*values, halves=halves, die_chances=[0.999] * len(dice) + [0.96] * glints, rest_ms=500)


def ended_by_clock(ways: tuple[tuple[int, int], ...]) -> RefereedMatch:
    """Black has pressed the clock after 6-4, and the dice still lie there."""
    match = opened(clock=parse_clock("10+12"))
    match.put(moved(match.position, WHITE, *LEGAL))
    match.give(EndTurn(by_clock=True))
    match.rest(300)
    match.lift()
    match.throw(6, 4)
    match.put(moved(match.position, BLACK, *ways))
    match.give(EndTurn(by_clock=True))
    match.rest(3000)
    return match


@pytest.mark.parametrize("glints", [0, 1])
def test_dice_that_a_clock_left_lying_are_not_the_next_roll(glints: int) -> None:
    """They are the last roll; a throw after they were taken up counts."""
    match = ended_by_clock(((24, 18), (18, 14)))
    killed(match, glints=glints)
    assert not match.emitted(ThrowUnclear)
    assert match.is_in(Phase.AWAIT_ROLL)
    match.lift()
    match.throw(5, 2)
    assert match.last(DiceRolled).values == (5, 2)


def test_dice_that_a_clock_left_lying_close_no_window() -> None:
    """The offender's own dice let no illegal play stand."""
    match = ended_by_clock(((24, 18), (18, 15)))
    assert match.is_in(Phase.ILLEGAL)
    killed(match)
    assert match.is_in(Phase.ILLEGAL)
    assert not match.emitted(PlayCondoned)


def test_an_early_throw_that_did_not_count_does_not_count_later() -> None:
    """The dice have lain there since before the other player had finished."""
    match = opened()
    own = match.dice
    match.throw(6, 4)
    assert match.emitted(ThrowRefused)
    early = match.dice[2:]
    match.put(moved(match.position, WHITE, *LEGAL))
    match.dice = early
    match.frame(DiceLifted(own, early, match.now_ms))
    match.rest(300)
    killed(match)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_the_dice_of_the_opening_are_not_the_first_roll() -> None:
    """Where the starter throws anew, they lie there until he takes them up."""
    match = RefereedMatch.begun(table_of("long_nardy"))
    match.throw(5, 3, halves=OPENING_HALVES)
    killed(match)
    assert match.is_in(Phase.AWAIT_ROLL)
    assert not match.emitted(ThrowRefused)


def test_equal_dice_of_the_opening_do_not_double_twice() -> None:
    """A restart is no throw."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.throw(4, 4, halves=OPENING_HALVES)
    n_events = len(match.events)
    killed(match)
    assert [type(event).__name__ for event in match.events[n_events:]] == ["MatchResumed"]


@pytest.mark.parametrize("looks_at_an_empty_board", [True, False])
def test_a_throw_made_while_the_program_was_away_counts(looks_at_an_empty_board: bool) -> None:
    """The log does not know these dice; equal ones count if the board was empty at first."""
    match = to_throw()
    match.restart()
    if looks_at_an_empty_board:
        match.rest(2000)  # until lying dice have been reported, at few pictures a second too
        match.throw(3, 1)
    else:
        match.throw(6, 2)
    assert match.is_in(Phase.PLAYING)


@pytest.mark.parametrize("glints", [0, 1])
def test_the_roll_that_was_played_is_found_again(glints: int) -> None:
    """It is no new throw, and lifting it ends the turn."""
    match = opened()
    killed(match, glints=glints)
    assert not match.emitted(ThrowUnclear)
    assert match.is_in(Phase.PLAYING)
    match.play(WHITE, *LEGAL)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_nobody_is_doubted_once_the_board_was_seen_to_be_as_it_was() -> None:
    """No turn can have been played meanwhile, so an offence is named."""
    match = to_throw()
    match.restart()
    match.rest(1000)
    match.throw(6, 4)
    match.play(BLACK, (24, 18), (18, 15), rest_ms=3000)
    assert match.is_in(Phase.ILLEGAL)


def test_a_player_who_may_have_passed_meanwhile_is_doubted() -> None:
    """A pass leaves no trace on the board: the next throw may be the other player's, and nobody is accused."""
    match = RefereedMatch.begun(table_of("backgammon", start=NEARLY_CLOSED, on_turn=BLACK))
    match.restart()
    match.rest(1000)
    match.throw(2, 1)
    match.play(WHITE, (8, 6), (7, 6), rest_ms=6000)
    assert match.is_in(Phase.UNSURE)
    assert not match.emitted(PlayRefused)


def test_lights_that_were_lost_before_are_not_lost_for_ever() -> None:
    """The lights are asked again."""
    match = to_throw()
    match.link(Peripheral.LIGHTS, is_up=False)
    match.restart()
    assert match.state.lights_up


def test_a_restart_before_the_game_leaves_no_doubt_behind() -> None:
    """The first turn is judged as usual."""
    match = RefereedMatch.before_start(table_of("backgammon"))
    match.position = match.table.start_text
    match.restart()
    match.rest(600)
    match.throw(3, 1, halves=OPENING_HALVES)
    match.play(WHITE, *ILLEGAL, rest_ms=3000)
    assert match.is_in(Phase.ILLEGAL)


@pytest.mark.parametrize("glints", [0, 1])
def test_a_throw_like_dice_that_had_been_lifted_is_asked_about(glints: int) -> None:
    """The dice may only have been hidden, or the opponent has thrown the same: neither is guessed."""
    match = opened()
    match.play(WHITE, *LEGAL)
    assert match.is_in(Phase.AWAIT_ROLL)
    match.restart()
    match.throw(3, 1, *[6] * glints, die_chances=[0.999, 0.999] + [0.96] * glints, rest_ms=3000)
    assert match.emitted(ThrowUnclear)[-1].unclear == (Unclear.LIFTED,)
    assert len(match.emitted(DiceRolled)) == 1
    match.give(CorrectRoll((3, 1)))
    rolled = match.emitted(DiceRolled)[-1]
    assert (rolled.player, rolled.values) == (BLACK, (3, 1))
    match.play(BLACK, *LEGAL)
    assert match.last(PlayMade).player is BLACK


def test_dice_laid_back_to_correct_a_play_are_no_throw() -> None:
    """The program was restarted meanwhile, and their lifting had been reported."""
    match = opened()
    match.play(WHITE, *ILLEGAL, rest_ms=2000)
    assert match.is_in(Phase.ILLEGAL)
    match.restart()
    match.throw(3, 1, rest_ms=1000)
    assert match.is_in(Phase.ILLEGAL)
    assert not match.emitted(PlayCondoned)


def test_an_entered_roll_still_lies_there_after_a_restart() -> None:
    """The turn before ended by lifting, which says nothing of these dice."""
    match = to_throw()
    match.throw(4, 2, sure=0.9)
    match.put(moved(match.position, BLACK, (24, 20), (13, 11)), rest_ms=5000)
    match.give(CorrectRoll((4, 2)))
    match.rest(500)
    n_rolls = len(match.emitted(DiceRolled))
    killed(match)
    assert len(match.emitted(DiceRolled)) == n_rolls


def test_a_game_is_over_though_nobody_saw_the_last_dice_go() -> None:
    """The dice had been lifted when the program was restarted; nobody throws after the last play."""
    match = RefereedMatch.begun(table_of("backgammon", start=NEARLY_OVER, on_turn=WHITE))
    match.throw(5, 2)
    match.restart()
    match.dice, match.position = (), OVER
    match.rest(3000)
    assert match.last(GameWon).player is WHITE


def test_a_turn_whose_dice_nobody_sees_goes_on_until_it_is_over() -> None:
    """A legal board alone ends no turn, because the dice may be hidden."""
    match = opened()
    match.restart()
    match.dice = ()
    match.put(moved(match.position, WHITE, *LEGAL), rest_ms=3000)
    assert match.is_in(Phase.PLAYING)


def test_a_game_that_was_won_can_be_taken_back_after_a_restart() -> None:
    """The next frame does not win it again."""
    match = RefereedMatch.begun(table_of("backgammon", start=NEARLY_OVER, on_turn=WHITE))
    match.throw(5, 2)
    match.put(OVER)
    match.lift(rest_ms=500)
    match.restart()
    match.rest(500)
    match.give(TakeBackPlay())
    match.rest(3000)
    assert match.is_in(Phase.PLAYING)
