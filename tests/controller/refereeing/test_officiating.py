"""What happens when a rule is broken: how long a play may be corrected, when it stands, and early throws."""

from dataclasses import replace

import pytest

from controller.match import commands, events
from controller.match.clocks import parse_clock
from controller.match.officiating import PROFILES
from controller.refereeing.state import Phase
from controller.rules import BadThrow, Player, Rule
from tests.controller.refereeing.refereed_match import (
    BLACK,
    ILLEGAL,
    LEGAL,
    WHITE,
    RefereedMatch,
    moved,
    opened,
)
from vision.dice.readings import BoardHalf, DieState
from vision.dice_tracking.events import DiceLifted

pytestmark = pytest.mark.broad


def refused(profile: str = "casual", *ways: tuple[int, int], **changes: object) -> RefereedMatch:
    """White has made a play that 3-1 does not allow, and lifted the dice."""
    match = opened("backgammon", profile=profile, **changes)
    match.play(WHITE, *(ways or ILLEGAL), rest_ms=1600)
    assert match.is_in(Phase.ILLEGAL)
    return match


def right_of(player: Player) -> tuple[BoardHalf, BoardHalf]:
    return (BoardHalf.RIGHT,) * 2 if player is WHITE else (BoardHalf.LEFT,) * 2


def test_an_illegal_play_is_named_with_rule_and_places_after_it_has_stayed() -> None:
    """A player who lifts his dice too soon has time to finish."""
    match = opened()
    match.play(WHITE, *ILLEGAL, rest_ms=1000)
    assert not match.emitted(events.PlayRefused)
    match.rest(1000)
    (play,) = match.emitted(events.PlayRefused)
    assert (play.rules[0], play.numbers) == (Rule.WRONG_NUMBERS, (3, 1))
    assert (play.take_back, play.belongs) == (("B8", "B9"), ("B5", "B7"))
    match.rest(5000)
    assert len(match.emitted(events.PlayRefused)) == 1


def test_a_play_put_right_is_corrected_and_counts() -> None:
    """The legal board has to stay for a while too, because it may be on the way to another one."""
    match = refused()
    start = match.state.position
    match.put(moved(start, WHITE, *LEGAL))
    assert match.is_in(Phase.ILLEGAL)
    match.rest(2500)
    assert match.ends_with(events.PlayCorrected, events.PlayMade)


def test_a_valid_throw_of_the_opponent_lets_the_play_stand_as_what_it_was() -> None:
    """The illegal board becomes the log's, with the rules it broke and the clause; then the roll counts."""
    match = refused()
    board = match.position
    match.throw(6, 4)
    assert match.ends_with(events.PlayCondoned, events.DiceRolled)
    (condoned,) = match.emitted(events.PlayCondoned)
    assert condoned.rules == (Rule.WRONG_NUMBERS,)
    assert "until the opponent's valid throw" in condoned.clause
    assert (match.state.position, match.state.on_turn) == (board, BLACK)


def test_a_cocked_throw_closes_no_window() -> None:
    match = refused()
    match.throw(6, 4, lies=DieState.COCKED)
    assert match.ends_with(events.ThrowRefused)
    assert match.is_in(Phase.ILLEGAL)


def test_a_cocked_throw_before_the_verdict_closes_no_window_either() -> None:
    """The throw is refused at once, the play when its board has stayed."""
    match = opened()
    match.put(moved(match.position, WHITE, *ILLEGAL))
    match.dice = ()
    match.throw(6, 4, lies=DieState.COCKED, rest_ms=2000)
    assert match.emitted(events.ThrowRefused)
    assert match.is_in(Phase.ILLEGAL)


@pytest.mark.parametrize(
    ("profile", "condones"), [("casual", True), ("us2008", True), ("usbgf", False), ("ukbgf", False)]
)
def test_the_opponent_may_let_a_play_stand_by_word_where_the_profile_says_so(profile: str, condones: bool) -> None:
    """Under Legal Moves the opponent may not; the refusal cites the clause."""
    match = refused(profile)
    match.give(commands.Condone())
    assert bool(match.emitted(events.PlayCondoned)) is condones
    if not condones:
        said = match.events[-1]
        assert isinstance(said, events.CommandRefused)
        assert "must be corrected" in said.reason


@pytest.mark.parametrize(
    ("profile", "closes"), [("casual", False), ("usbgf", False), ("us2008", True), ("ukbgf", True)]
)
def test_a_double_closes_the_window_where_the_profile_says_so(profile: str, closes: bool) -> None:
    """The cube is offered then; elsewhere the double has to wait."""
    match = refused(profile)
    match.give(commands.OfferDouble(BLACK))
    assert bool(match.emitted(events.PlayCondoned)) is closes
    assert bool(match.emitted(events.CubeTurned)) is closes
    assert match.is_in(Phase.CUBE_OFFERED if closes else Phase.ILLEGAL)


def test_the_offender_cannot_close_the_window_by_doubling() -> None:
    """This holds even where a double closes the window."""
    match = refused("us2008")
    match.give(commands.OfferDouble(WHITE))
    assert match.ends_with(events.CommandRefused)
    assert match.is_in(Phase.ILLEGAL)


def test_the_longest_window_withdraws_a_roll_that_was_made() -> None:
    """Until the opponent's play is done, the illegal play may be taken back and the opponent's roll with it."""
    match = refused("kazaross")
    start = match.state.position
    match.throw(6, 4)
    assert match.is_in(Phase.PLAYING)
    match.give(commands.TakeBackPlay())
    assert match.ends_with(events.RollWithdrawn, events.PlayTakenBack)
    assert (match.state.phase, match.state.on_turn, match.state.position) == (Phase.PLAYING, WHITE, start)


def test_elsewhere_a_roll_closes_the_window_for_good() -> None:
    match = refused()
    match.throw(6, 4)
    match.give(commands.TakeBackPlay())
    assert match.ends_with(events.CommandRefused)


def test_a_play_that_nobody_may_let_stand_must_be_undone() -> None:
    """A checker moved backwards, and the profile never condones that: the opponent's throw does not help."""
    match = refused("kazaross", (6, 9), (8, 7))
    before = match.state.position
    match.throw(6, 4)
    assert not match.emitted(events.PlayCondoned)
    assert match.is_in(Phase.RESTORE)
    match.lift()
    match.put(before, rest_ms=800)
    assert match.ends_with(events.BoardAgrees, events.TurnGoesOn)
    assert match.is_in(Phase.PLAYING)


def test_an_impossible_board_never_stands() -> None:
    """A checker is missing: the board has to be restored before play goes on; a legal play restores it too."""
    match = opened()
    start = match.position
    white, black = moved(start, WHITE, (8, 5)).split("/")
    match.put(f"{white[:6]}4{white[7:]}/{black}")
    match.lift(rest_ms=1600)
    match.throw(6, 4)
    assert match.ends_with(events.BoardDiffers)
    assert match.is_in(Phase.RESTORE)
    match.lift()
    match.put(moved(start, WHITE, *LEGAL), rest_ms=2500)
    assert match.ends_with(events.PlayMade)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_word_about_the_roll_may_make_the_play_legal() -> None:
    """The roll was 4-1 and was read as 3-1."""
    match = refused()
    match.give(commands.CorrectRoll((4, 1)))
    match.rest(300)
    assert match.last(events.PlayMade).numbers == (4, 1)


def test_a_word_about_the_board_is_judged_like_a_look() -> None:
    """The entered board is believed, and the rules judge it."""
    match = refused()
    match.give(commands.CorrectBoard(moved(match.state.position, WHITE, *LEGAL)))
    assert match.last(events.PlayMade).evidence is events.Evidence.ENTERED


@pytest.mark.parametrize("mode", events.Mode)
def test_the_mode_changes_nothing_in_the_game(mode: events.Mode) -> None:
    """The log is the same; the mode only decides what lights up or is spoken."""
    spoken = refused(mode=events.Mode.TEACH)
    other = refused(mode=mode)
    assert other.events[1:] == spoken.events[1:]


def test_an_early_throw_does_not_count_in_casual_play() -> None:
    """Both pairs of dice lie there, and the turn goes on."""
    match = opened()
    match.throw(6, 4)
    assert match.last(events.ThrowRefused).reasons == (BadThrow.TOO_EARLY,)
    assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, WHITE)


def test_an_early_throw_stands_where_the_profile_says_so() -> None:
    """The player finishes knowing it, and it is played next without another throw."""
    match = opened(profile="us2008")
    match.throw(6, 4, halves=right_of(BLACK))
    rolled = match.last(events.DiceRolled)
    assert (rolled.player, rolled.opponent_may_refuse) == (BLACK, False)
    assert (match.state.phase, match.state.on_turn) == (Phase.PLAYING, WHITE)
    match.play(WHITE, *LEGAL)
    assert (match.state.phase, match.state.on_turn, match.roll) == (Phase.PLAYING, BLACK, (6, 4))


@pytest.mark.parametrize("profile", ["us2008", "ukbgf", "usbgf", "wbgf"])
def test_a_second_early_throw_does_not_take_the_place_of_the_first(profile: str) -> None:
    """The first one stands, or awaits the opponent's choice."""
    match = opened(profile=profile)
    own = match.dice
    match.throw(6, 4, halves=(BoardHalf.LEFT, BoardHalf.LEFT))
    early, match.dice = match.dice[2:], own
    match.frame(DiceLifted(early, own, match.now_ms))
    match.throw(5, 5, halves=(BoardHalf.LEFT, BoardHalf.LEFT))
    assert match.state.turn.early is not None
    assert match.state.turn.early.numbers == (6, 4)


@pytest.mark.parametrize("stands", [True, False])
def test_the_opponent_chooses_whether_an_early_throw_stands(stands: bool) -> None:
    """These are the USBGF's rules on fast rolls."""
    match = opened(profile="usbgf")
    match.throw(6, 4)
    assert match.state.turn.early is not None
    assert match.state.turn.early.opponent_may_refuse
    match.give(commands.AcceptRoll() if stands else commands.WithdrawRoll())
    assert (match.state.turn.early is not None) is stands
    match.play(WHITE, *LEGAL)
    assert match.is_in(Phase.PLAYING if stands else Phase.AWAIT_ROLL)


def test_lifting_dice_ends_no_turn_where_only_the_clock_does() -> None:
    """The refusal cites the clause of the profile."""
    only_clock = replace(PROFILES["usbgf"], ended_by_with_clock=(events.EndedBy.CLOCK,))
    match = opened(profile=only_clock, clock=parse_clock("us"))
    match.play(WHITE, *LEGAL)
    assert not match.emitted(events.TurnEnded)
    match.give(commands.EndTurn(WHITE))
    assert "pressing the clock" in match.last(events.CommandRefused).reason
    match.give(commands.EndTurn(WHITE, by_clock=True))
    match.frame()
    assert match.emitted(events.PlayMade)


@pytest.mark.parametrize(("clock", "ends"), [("us,dice", True), ("us", False)])
def test_lifted_dice_press_the_clock_where_that_was_agreed(clock: str, ends: bool) -> None:
    """Then the opponent's time runs."""
    match = opened(clock=parse_clock(clock))
    match.play(WHITE, *LEGAL)
    assert bool(match.emitted(events.PlayMade)) is ends
    assert match.state.clock is not None
    assert match.state.clock.turn is (BLACK if ends else WHITE)


def mended_unseen(*black: tuple[int, int]) -> tuple[RefereedMatch, str]:
    """White corrects the play and Black plays 6-2, both without a settled frame; returns White's right board too."""
    match = refused()
    right = moved(match.state.position, WHITE, *LEGAL)
    match.frame(hand=True)
    match.throw(6, 2, is_settled=False)
    match.position = moved(right, BLACK, *black)
    match.frame(is_settled=False)
    match.rest(4000)
    return match, right


def test_an_unseen_correction_is_accepted_with_the_next_play() -> None:
    """The board shows both plays, which are legal."""
    match, right = mended_unseen((24, 18), (13, 11))
    assert not match.emitted(events.PlayCondoned)
    assert match.emitted(events.PlayMade)[-1].after == right
    match.lift(rest_ms=2000)
    assert match.emitted(events.PlayMade)[-1].player is BLACK


def test_a_board_with_the_opponents_checkers_moved_does_not_stand() -> None:
    """The opponent may have played, rightly or not: people are asked."""
    match, _ = mended_unseen((24, 18), (13, 4))
    assert not match.emitted(events.PlayCondoned)
    assert match.emitted(events.PlayUnclear)


def test_an_illegal_board_that_nobody_can_tell_exactly_is_asked_about_before_it_stands() -> None:
    """The opponent has thrown, but the board that the log would go on from is not certain."""
    match = refused()
    board = match.position
    findings = match.state.seen.findings.refuse(is_in_doubt=True)
    match.state = replace(match.state, seen=replace(match.state.seen, findings=findings))
    match.throw(6, 4)
    assert match.ends_with(events.PlayUnclear)
    match.give(commands.CorrectBoard(board))
    assert match.ends_with(events.PlayRefused, events.PlayCondoned, events.DiceRolled)
    assert (match.state.position, match.state.on_turn) == (board, BLACK)
