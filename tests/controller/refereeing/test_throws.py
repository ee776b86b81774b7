"""The start of a game, the opening throw, and which throws count."""

from dataclasses import replace

import pytest

from controller.match import events
from controller.match.commands import CorrectRoll, SetStarter
from controller.refereeing.state import Phase
from controller.rules import BadThrow, Unclear
from tests.controller.refereeing.refereed_match import (
    BLACK,
    OPENING_HALVES,
    SEATING,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.dice.readings import BoardHalf, DieState
from vision.dice_tracking.events import DiceLifted
from vision.places import POINTS, Place


def test_a_game_begins_when_the_board_is_right() -> None:
    """The seating is found first, then the start position; then the opening throw is awaited."""
    match = RefereedMatch.begun(table_of("backgammon", seating=None))
    seating, started = match.events[1:]
    assert isinstance(seating, events.SeatingKnown)
    assert (seating.seating, seating.evidence) == (SEATING, events.Evidence.SEEN)
    assert isinstance(started, events.GameStarted)
    assert match.is_in(Phase.OPENING)


def test_a_board_set_up_wrong_is_shown_and_starts_when_right() -> None:
    """One checker on the wrong point is reported by both places, once; the game starts by itself when it is moved."""
    match = RefereedMatch.before_start(table_of("backgammon"))
    match.position = moved(match.table.start_text, WHITE, (6, 5))
    match.rest(4000)
    (differs,) = match.emitted(events.BoardDiffers)
    assert (differs.extra, differs.missing) == (("B8",), ("B7",))
    assert match.is_in(Phase.SET_UP)
    match.put(match.table.start_text, rest_ms=400)
    assert match.is_in(Phase.OPENING)


def test_equal_dice_in_the_opening_are_thrown_again() -> None:
    """Nobody starts, and the next throw decides."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.throw(4, 4, halves=OPENING_HALVES)
    assert match.is_in(Phase.OPENING)
    match.lift()
    match.throw(2, 5, halves=OPENING_HALVES)
    assert [event.player for event in match.emitted(events.OpeningThrown)] == [None, BLACK]
    assert match.state.on_turn is BLACK


def test_the_dice_of_an_opening_may_come_one_after_the_other() -> None:
    """The first die waits for the second, however long; the halves show whose die is whose."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.throw(2, halves=(BoardHalf.LEFT,), rest_ms=5000)
    assert match.is_in(Phase.OPENING)
    match.throw(6, halves=(BoardHalf.RIGHT,))
    (thrown,) = match.emitted(events.OpeningThrown)
    assert (thrown.white, thrown.black, thrown.player) == (6, 2, WHITE)


@pytest.mark.parametrize(("game", "plays_them"), [("backgammon", True), ("tavla", False)])
def test_the_starter_plays_the_opening_dice_or_throws_anew(game: str, plays_them: bool) -> None:
    match = opened(game)
    assert match.is_in(Phase.PLAYING if plays_them else Phase.AWAIT_ROLL)
    assert bool(match.emitted(events.DiceRolled)) is plays_them


def test_whose_die_is_whose_is_asked_when_both_lie_on_one_side() -> None:
    """A person says who starts; with opening dice the starter plays the dice that lie there."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.throw(3, 1, halves=(BoardHalf.RIGHT, BoardHalf.RIGHT))
    (unclear,) = match.emitted(events.ThrowUnclear)
    assert unclear.unclear == (Unclear.OWNER,)
    match.give(SetStarter(BLACK))
    assert match.is_in(Phase.PLAYING)
    assert (match.state.on_turn, match.roll) == (BLACK, (3, 1))


def test_a_person_may_say_what_the_opening_throw_was() -> None:
    """White's number comes first."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.give(CorrectRoll((2, 5)))
    assert (match.state.on_turn, match.roll) == (BLACK, (5, 2))


@pytest.mark.parametrize(
    ("lies", "reason"),
    [
        (DieState.COCKED, BadThrow.COCKED),
        (DieState.ON_CHECKER, BadThrow.ON_CHECKER),
        (DieState.ON_BAR, BadThrow.ON_BAR),
        (DieState.ON_RIM, BadThrow.ON_RIM),
    ],
)
def test_a_throw_that_does_not_lie_flat_is_refused(lies: DieState, reason: BadThrow) -> None:
    """The event has the reason, and the player throws again."""
    match = to_throw()
    match.throw(5, 2, lies=lies)
    (refused,) = match.emitted(events.ThrowRefused)
    assert (refused.player, refused.reasons) == (BLACK, (reason,))
    assert match.is_in(Phase.AWAIT_ROLL)
    match.lift()
    match.throw(5, 2)
    assert match.is_in(Phase.PLAYING)


def test_all_reasons_against_a_throw_are_reported_together() -> None:
    """The dice are cocked and lie in different halves."""
    match = to_throw()
    match.throw(5, 2, halves=OPENING_HALVES, lies=DieState.COCKED)
    assert match.only(events.ThrowRefused).reasons == (BadThrow.COCKED, BadThrow.SPLIT)


def test_dice_that_come_to_rest_one_after_the_other_are_one_throw() -> None:
    """The first die waits for the second."""
    match = to_throw()
    match.throw(5, rest_ms=500)
    match.throw(2)
    assert match.roll == (5, 2)


def test_a_single_die_is_a_question_after_a_while() -> None:
    """The second die may have been overlooked, so the throw is not refused."""
    match = to_throw()
    match.perhaps_more_dice = True
    match.throw(5, rest_ms=500)
    match.perhaps_more_dice = False  # in one of some pictures is enough
    match.rest(2000)
    assert not match.emitted(events.ThrowUnclear)
    match.rest(1000)
    assert match.only(events.ThrowUnclear).values == (5,)
    assert not match.emitted(events.ThrowRefused)


def test_a_single_die_beside_which_nothing_else_may_be_one_is_refused() -> None:
    """The second die has left the board; the next throw counts."""
    match = to_throw()
    match.perhaps_more_dice = True
    match.rest(300)  # before the throw it is no matter
    match.perhaps_more_dice = False
    match.throw(5, rest_ms=2500)
    assert not match.emitted(events.ThrowRefused)
    match.rest(1000)
    (refused,) = match.emitted(events.ThrowRefused)
    assert (refused.reasons, refused.values) == ((BadThrow.MISSING_DIE,), (5,))
    match.lift()
    match.throw(6, 4)
    assert match.last(events.DiceRolled).values == (6, 4)


def test_a_die_that_settles_much_later_is_no_missing_one() -> None:
    """The die lay there all the time: the tracker may report settled dice one by one."""
    match = to_throw()
    match.throw(5, rest_ms=2900)
    match.dice += (replace(match.dice[0], number=77),)
    match.rest(500)
    assert match.emitted(events.ThrowUnclear)
    assert not match.emitted(events.ThrowRefused)


def test_beside_a_throw_a_thing_that_may_be_no_die_is_a_question() -> None:
    """A person may enter the roll."""
    match = to_throw()
    match.throw(5, 2, 3, die_chances=(0.999, 0.999, 0.96))
    (unclear,) = match.emitted(events.ThrowUnclear)
    assert (unclear.unclear, unclear.values) == ((Unclear.EXTRA_DIE,), (5, 2, None))
    match.rest(4000)
    assert len(match.emitted(events.ThrowUnclear)) == 1
    match.give(CorrectRoll((2, 5)))
    assert match.roll == (5, 2)


def test_an_opening_throw_beside_a_thing_that_may_be_no_die_is_a_question() -> None:
    """The next throw counts."""
    match = RefereedMatch.begun(table_of("backgammon"))
    match.throw(5, 2, 3, halves=(*OPENING_HALVES, BoardHalf.LEFT), die_chances=(0.999, 0.999, 0.96))
    assert match.emitted(events.ThrowUnclear)
    match.lift()
    match.throw(6, 4, halves=OPENING_HALVES)
    (opening,) = match.emitted(events.OpeningThrown)
    assert {opening.white, opening.black} == {6, 4}


def test_a_thing_that_lay_there_before_spoils_no_throw() -> None:
    """A die of the new throw that looks a little less like a die is none too many either."""
    match = to_throw()
    match.throw(5, 2, 3, die_chances=(0.999, 0.999, 0.96))
    match.give(CorrectRoll((5, 2)))
    match.put(moved(match.position, BLACK, (13, 8), (13, 11)))
    *own, thing = match.dice
    match.dice = (thing,)
    match.frame(DiceLifted(tuple(own), (thing,), match.now_ms))
    match.throw(6, 4, die_chances=(0.999, 0.96))
    assert match.last(events.DiceRolled).values == (6, 4)


def test_a_single_thing_that_may_be_no_die_is_a_question() -> None:
    """An ornament is not a throw that lacks a die."""
    match = to_throw()
    match.throw(5, sure=0.7, rest_ms=4000)
    assert match.emitted(events.ThrowUnclear)
    assert not match.emitted(events.ThrowRefused)


def test_a_single_die_that_was_played_with_is_a_question() -> None:
    """The player has seen both dice."""
    match = to_throw()
    match.throw(5, rest_ms=1000)
    match.put(moved(match.position, BLACK, (13, 8), (13, 11)), rest_ms=4000)
    assert match.emitted(events.ThrowUnclear)
    assert not match.emitted(events.ThrowRefused)


def test_a_single_die_that_does_not_count_is_refused() -> None:
    """The second die does not matter then."""
    match = to_throw()
    match.perhaps_more_dice = True
    match.throw(5, lies=DieState.ON_CHECKER, rest_ms=4000)
    assert match.only(events.ThrowRefused).reasons == (BadThrow.ON_CHECKER,)


def test_dice_beside_the_board_are_no_throw() -> None:
    """A player may keep his own pair there."""
    match = to_throw()
    match.throw(5, 2, halves=(None, None), lies=DieState.OFF_BOARD)  # type: ignore[arg-type]
    match.rest(4000)
    assert not match.emitted(events.ThrowRefused)
    match.throw(6, 4)
    assert match.roll == (6, 4)


def test_a_throw_with_a_face_that_is_not_sure_is_a_question() -> None:
    """No value is adopted; a person enters the roll, and the turn goes on with it."""
    match = to_throw()
    match.throw(5, 2, sure=0.9)
    (unclear,) = match.emitted(events.ThrowUnclear)
    assert (unclear.unclear, unclear.values) == ((Unclear.VALUE,), (None, None))
    match.give(CorrectRoll((2, 5)))
    match.play(BLACK, (13, 8), (13, 11))
    made = match.last(events.PlayMade)
    assert (made.player, made.numbers) == (BLACK, (5, 2))


def test_a_play_with_an_unread_throw_is_unsure_until_the_roll_is_entered() -> None:
    """The entered roll decides at once which play the board shows."""
    match = to_throw()
    match.throw(5, 2, sure=0.9)
    match.play(BLACK, (13, 8), (13, 11), rest_ms=3000)
    assert match.is_in(Phase.UNSURE)
    match.give(CorrectRoll((5, 2)))
    match.rest(300)
    assert match.ends_with(events.PlayMade)


def test_a_die_that_lay_there_before_the_play_is_of_the_throw_that_was_played() -> None:
    """One die of the throw is overlooked, and Black plays before the question can be asked."""
    match = to_throw()
    match.throw(5, 2, lies=DieState.ON_CHECKER)
    assert match.emitted(events.ThrowRefused)
    match.lift()
    match.throw(2, rest_ms=1000)
    match.put(moved(match.position, BLACK, (13, 11), (13, 8)), rest_ms=2500)
    assert match.last(events.ThrowUnclear).values == (2,)
    match.give(CorrectRoll((5, 2)))
    match.lift()
    made = match.last(events.PlayMade)
    assert (made.player, made.numbers) == (BLACK, (5, 2))


def test_a_throw_after_an_unclear_one_was_played_all_the_same_is_a_question() -> None:
    """The second die was overlooked, and Black played: the next throw is White's and is not taken for Black's."""
    match = to_throw()
    match.perhaps_more_dice = True
    match.throw(5, rest_ms=4000)
    assert match.emitted(events.ThrowUnclear)
    match.play(BLACK, (13, 8), (13, 11))
    match.throw(6, 4)
    assert match.is_in(Phase.UNSURE)
    assert len(match.emitted(events.DiceRolled)) == 1


@pytest.mark.parametrize("lies_there", [True, False])
def test_a_checker_that_is_misread_below_a_die_was_not_played(*, lies_there: bool) -> None:
    """After a refused throw, a changed board may be a play of it; a place that dice hide is no evidence of that."""
    match = to_throw()
    match.throw(5, 2, lies=DieState.ON_CHECKER)
    match.lift()
    match.misread = frozenset({(Place.T12, (4, 0))})
    match.disturbed = frozenset({POINTS.index(Place.T12)} if lies_there else ())
    match.throw(6, 4)
    assert [roll.values for roll in match.emitted(events.DiceRolled)][1:] == ([(6, 4)] if lies_there else [])
    assert match.is_in(Phase.PLAYING if lies_there else Phase.UNSURE)
