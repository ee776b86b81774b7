"""What people say that the camera did not see, or saw otherwise; and Grasshopper's own way of going wrong."""

import pytest

from controller.match import commands, events
from controller.refereeing.state import Phase
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import Action, ActionKind
from tests.controller.refereeing.refereed_match import (
    BLACK,
    ILLEGAL,
    LEGAL,
    SEATING,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)

pytestmark = pytest.mark.broad


def hopper() -> RefereedMatch:
    """Grasshopper, with White on turn."""
    return RefereedMatch.begun(table_of("grasshopper"))


def test_a_board_that_is_no_text_of_grasshopper_is_refused() -> None:
    """A log with such a text could not be read again."""
    match = RefereedMatch.before_start(table_of("grasshopper"))
    match.give(commands.CorrectBoard("no board"))
    assert match.last(events.CommandRefused).command == "CorrectBoard"
    assert match.is_in(Phase.SET_UP)


def test_a_board_entered_in_set_up_begins_the_game() -> None:
    """A match may be joined in the middle of a game; the starter is thrown for or entered."""
    match = RefereedMatch.before_start(table_of("backgammon"))
    somewhere = moved(match.table.start_text, WHITE, *LEGAL)
    match.give(commands.CorrectBoard(somewhere))
    assert match.last(events.GameStarted).position == somewhere
    assert match.is_in(Phase.OPENING)


def test_a_board_is_not_taken_over_before_it_is_known_who_sits_where() -> None:
    """The refusal names what has to be said first."""
    match = RefereedMatch.before_start(table_of("backgammon", seating=None))
    match.give(commands.CorrectBoard(match.table.start_text))
    assert "who sits where" in match.last(events.CommandRefused).reason
    match.give(commands.SetSeating(SEATING))
    assert match.last(events.SeatingKnown).evidence is events.Evidence.ENTERED


@pytest.mark.parametrize(
    ("board", "part"), [("nonsense", "parts between slashes"), ("0" * 26 + "/" + "0" * 26, "not possible")]
)
def test_an_impossible_board_is_not_taken_over(board: str, part: str) -> None:
    """One text has another form, the other has too few checkers."""
    match = to_throw()
    match.give(commands.CorrectBoard(board))
    assert part in match.last(events.CommandRefused).reason


def test_between_turns_the_log_takes_over_what_people_say_stands_there() -> None:
    """The board had to be restored; people say that it is right as it is."""
    match = to_throw()
    match.put(moved(match.position, BLACK, (24, 23)), rest_ms=2500)
    assert match.is_in(Phase.RESTORE)
    match.give(commands.CorrectBoard(match.position))
    assert match.ends_with(events.BoardCorrected)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_play_is_taken_back_before_the_next_throw() -> None:
    """The turn is played again with the same roll, and a button or the next throw ends it."""
    match = to_throw()
    start = match.table.start_text
    match.give(commands.TakeBackPlay())
    assert match.last(events.PlayTakenBack).position == start
    assert (match.state.phase, match.state.on_turn, match.roll) == (Phase.PLAYING, WHITE, (3, 1))
    match.give(commands.TakeBackPlay())
    assert match.ends_with(events.CommandRefused)
    match.put(moved(start, WHITE, (24, 23), (13, 10)))
    match.give(commands.EndTurn())
    match.frame()
    assert match.last(events.PlayMade).play == "24/23 13/10"


def test_a_roll_is_withdrawn_and_thrown_again() -> None:
    """A withdrawn roll is not counted among the rolls of the game."""
    match = to_throw()
    match.throw(6, 4)
    rolls = match.state.game.rolls
    match.give(commands.WithdrawRoll())
    assert match.last(events.RollWithdrawn).values == (6, 4)
    assert match.is_in(Phase.AWAIT_ROLL)
    match.lift()
    match.throw(5, 2)
    assert match.state.game.rolls == rolls


def test_an_entered_roll_replaces_the_one_that_was_read() -> None:
    """It does so during the turn, and the roll is counted once."""
    match = opened()
    match.give(commands.CorrectRoll((3, 2)))
    assert (match.roll, match.state.game.rolls.white) == ((3, 2), 1)
    match.give(commands.CorrectRoll((3, 7)))
    assert match.ends_with(events.CommandRefused)


def test_a_later_throw_that_could_not_be_read_is_meant_when_it_lies_there() -> None:
    """Black threw while White's illegal play was judged: the entered roll is Black's, and White's roll stays."""
    match = opened()
    match.play(WHITE, *ILLEGAL)
    match.throw(6, 4, sure=0.9)
    assert match.emitted(events.ThrowUnclear)[-1].player is BLACK
    match.give(commands.CorrectRoll((4, 6)))
    match.rest(300)
    assert match.last(events.DiceRolled).player is BLACK
    assert (match.last(events.DiceRolled).values, match.last(events.DiceRolled).evidence) == (
        (6, 4),
        events.Evidence.ENTERED,
    )
    assert match.only(events.PlayRefused).numbers == (3, 1)
    assert match.emitted(events.PlayCondoned)


def test_a_turn_too_complex_to_judge_is_accepted_as_entered() -> None:
    """A cascade that ends in bearing off has too many ways to judge, so the game goes on from the entered board."""
    before = "44330010000000000000000000/07211211000000000000000000"
    after = "44330010000000000000000000/e1000000000000000000000000"
    match = RefereedMatch.begun(table_of("gul_bara", start=before, on_turn=BLACK, rolls_before=9))
    match.throw(2, 2)
    match.put(after)
    match.lift()
    match.rest(4500, every_ms=1500)
    assert match.is_in(Phase.UNSURE)
    match.give(commands.CorrectBoard(after))
    assert match.is_in(Phase.AWAIT_ROLL)
    assert (match.state.on_turn, match.state.position) == (WHITE, after)


def test_an_early_throw_that_could_not_be_read_waits_for_the_end_of_the_turn() -> None:
    """It is entered while White's dice lie there: White's roll stays, and Black need not throw afterwards."""
    match = opened(profile="usbgf")
    match.throw(6, 4, sure=0.9)
    match.give(commands.CorrectRoll((6, 4)))
    assert match.roll == (3, 1)
    match.give(commands.AcceptRoll())
    match.play(WHITE, *LEGAL)
    assert (match.state.on_turn, match.roll) == (BLACK, (6, 4))


def test_an_early_roll_may_be_accepted_when_it_is_played_already() -> None:
    match = opened(profile="usbgf")
    match.throw(6, 4)
    match.play(WHITE, *LEGAL)
    assert may_refuse(match)
    match.give(commands.AcceptRoll())
    assert not may_refuse(match)
    match.give(commands.AcceptRoll())
    assert match.ends_with(events.CommandRefused)


@pytest.mark.parametrize(("ways", "outcome"), [(LEGAL, events.PlayMade), (ILLEGAL, events.PlayRefused)])
def test_an_entered_board_after_an_unseen_turn_is_judged(ways: tuple[tuple[int, int], ...], outcome: type) -> None:
    """A person may enter an illegal play."""
    match = opened()
    start = match.position
    match.lift(is_settled=False)
    match.throw(6, 4, is_settled=False)
    match.frame(hand=True)
    assert match.is_in(Phase.UNSURE)
    match.give(commands.ChoosePlay(moved(start, WHITE, *ways)))
    assert match.emitted(outcome)
    match.give(commands.ChoosePlay("nonsense"))
    assert match.ends_with(events.CommandRefused)


def may_refuse(match: RefereedMatch) -> bool:
    return match.state.due is not None and match.state.due.opponent_may_refuse


def entered(position: str, target: int) -> str:
    state = grasshopper.from_text(position)
    return grasshopper.to_text(grasshopper.apply_action(state, Action(ActionKind.ENTER, 0, target)))


def test_a_button_ends_a_turn_of_a_game_without_dice_at_once() -> None:
    """The change need not stay for a while."""
    match = hopper()
    match.put(entered(match.position, 3))
    match.give(commands.EndTurn(WHITE))
    match.frame()
    made = match.last(events.PlayMade)
    assert (made.play, made.numbers, match.state.on_turn) == ("hand/3", (), BLACK)


def test_a_change_that_stays_ends_a_turn_and_one_that_goes_on_does_not() -> None:
    """The piece may be put elsewhere meanwhile."""
    match = hopper()
    start = match.position
    match.put(entered(start, 3), rest_ms=2000)
    match.put(entered(start, 5), rest_ms=2500)
    assert not match.emitted(events.PlayMade)
    match.rest(1500)
    assert match.last(events.PlayMade).play == "hand/5"
    assert match.emitted(events.TurnEnded)[0].by is events.EndedBy.STILL


def test_an_action_that_is_not_allowed_is_refused_and_may_be_let_stand() -> None:
    """Two pieces enter at once: the refusal has a sentence but no rule, and no throw closes the window."""
    match = hopper()
    start = match.position
    board = entered(entered(entered(start, 3), 6), 5)
    white_twice = board.replace("b", ".", 1).split(" ")
    match.put(" ".join((white_twice[0], "12", "14", "B", "-")), rest_ms=6000)
    (refused,) = match.emitted(events.PlayRefused)
    assert refused.rules == ()
    assert "one action" in refused.sentences[0]
    match.rest(5000)
    assert match.is_in(Phase.ILLEGAL)
    match.give(commands.Condone())
    assert match.emitted(events.PlayCondoned)
    assert (match.state.on_turn, match.state.position) == (BLACK, match.position)


def test_an_entered_action_is_judged_too() -> None:
    match = hopper()
    match.put(entered(match.position, 3))
    match.give(commands.EndTurn(WHITE))
    match.give(commands.CorrectBoard(entered(match.table.start_text, 3)))
    assert match.last(events.PlayMade).evidence is events.Evidence.ENTERED
