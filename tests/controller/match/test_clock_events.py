import pytest

from controller.match import events
from controller.match.clock_events import apply_to_clock
from controller.match.clocks import US, Reserves, begin_turn, compute_banked, new_clock, parse_clock
from controller.match.profile import ClockOffence
from controller.rules import BadThrow, Player, ResultKind, Rule

WHITE, BLACK = Player.WHITE, Player.BLACK
WHITES_TURN = begin_turn(new_clock(US, 5), WHITE, 0)


def play_of_white(follow: str) -> events.PlayMade:
    return events.PlayMade(9, WHITE, (3, 1), "8/5 6/5", "", "", follow)


@pytest.mark.parametrize(
    ("event", "turn"),
    [
        (events.TurnEnded(9, WHITE, events.EndedBy.CLOCK), BLACK),
        (events.TurnEnded(9, BLACK, events.EndedBy.CLOCK), WHITE),
        (events.TurnGoesOn(9, BLACK), BLACK),
        (play_of_white("end_turn"), BLACK),
        (play_of_white("transfer:4"), BLACK),
        (play_of_white("roll_again"), WHITE),
        (events.CubeTurned(9, events.CubeAct.OFFERED, WHITE, 1), BLACK),
        (events.CubeTurned(9, events.CubeAct.TAKEN, BLACK, 2), WHITE),
        (events.CubeTurned(9, events.CubeAct.DOUBLED_BY_EQUAL_DICE, None, 2), WHITE),
        (events.DiceRolled(9, WHITE, (3, 1)), WHITE),
        (events.BoardAgrees(9), WHITE),
        (events.BoardCorrected(9, ""), WHITE),
        (events.BoardCorrected(9, "", BLACK), BLACK),
    ],
)
def test_whose_time_runs(event: events.RefereeEvent, turn: Player) -> None:
    """It is White's turn; the player who has to decide something loses time."""
    state = apply_to_clock(WHITES_TURN, event)
    assert state.is_running
    assert state.turn is turn


@pytest.mark.parametrize(
    "event",
    [
        events.OpeningThrown(7, 6, 2, WHITE),
        events.StarterKnown(7, WHITE),
        events.GameStarted(7, 1, "", WHITE),
        events.DiceRolled(7, WHITE, (6, 2)),
    ],
)
def test_the_first_turn_starts_it(event: events.RefereeEvent) -> None:
    """Equal opening dice, or a game whose starter is unknown, do not start it."""
    assert apply_to_clock(new_clock(US, 5), event) == begin_turn(new_clock(US, 5), WHITE, 7)
    for nobody in (events.OpeningThrown(7, 2, 2, None), events.GameStarted(7, 1, "", None)):
        assert apply_to_clock(new_clock(US, 5), nobody) == new_clock(US, 5)


@pytest.mark.parametrize(
    ("stops", "goes_on"),
    [
        (events.MatchPaused(20_000), events.MatchResumed(90_000)),
        (events.DisputeOpened(20_000), events.DisputeSettled(90_000)),
    ],
)
def test_breaks_and_disputes_stop_it(stops: events.RefereeEvent, goes_on: events.RefereeEvent) -> None:
    """8 s of the reserve are gone before the break, and none during it."""
    stood = apply_to_clock(WHITES_TURN, stops)
    assert not stood.is_running
    again = apply_to_clock(stood, goes_on)
    assert again.turn is WHITE
    assert compute_banked(again, 91_000) == Reserves(591_000, 600_000)


def test_between_games_nobodys_time_runs() -> None:
    """The reserve is that of the match and goes on in the next game."""
    over = apply_to_clock(WHITES_TURN, events.GameWon(20_000, WHITE, ResultKind.SINGLE, 1, 1, 0))
    assert not over.is_running
    assert apply_to_clock(over, events.MatchResumed(30_000)) == over
    again = apply_to_clock(over, events.OpeningThrown(99_000, 1, 6, BLACK))
    assert compute_banked(again, 99_000) == Reserves(592_000, 600_000)


@pytest.mark.parametrize(
    ("name", "stopped_by"),
    [("us", set[BadThrow]()), ("us,off-board", {BadThrow.OFF_BOARD}), ("us,cocked", {BadThrow.COCKED})],
)
def test_bad_throws_stop_it_only_by_option(name: str, stopped_by: set[BadThrow]) -> None:
    """The throw that counts starts it again."""
    rules = parse_clock(name)
    assert rules is not None
    running = begin_turn(new_clock(rules, 5), WHITE, 0)
    for reason in (BadThrow.OFF_BOARD, BadThrow.COCKED, BadThrow.SPLIT):
        state = apply_to_clock(running, events.ThrowRefused(15_000, WHITE, (reason,), (None, 3)))
        assert state.is_running is (reason not in stopped_by)
        going = apply_to_clock(state, events.DiceRolled(20_000, WHITE, (3, 2)))
        assert going.is_running
        assert compute_banked(going, 20_000).white_ms == (597_000 if reason in stopped_by else 592_000)


def test_an_illegal_play_costs_the_offender_where_the_profile_says_so() -> None:
    """The WBGT does: the dice go back, and the offender's time runs."""
    blacks = apply_to_clock(WHITES_TURN, events.TurnEnded(5_000, WHITE, events.EndedBy.CLOCK))
    refused = events.PlayRefused(6_000, WHITE, (3, 1), "", "", (Rule.LARGER_DIE,), ())
    assert apply_to_clock(blacks, refused).turn is BLACK
    assert apply_to_clock(blacks, refused, ClockOffence.OFFENDER_RUNS) == begin_turn(blacks, WHITE, 6_000)


def test_the_log_knows_the_reserve_best_and_telling_it_changes_nothing() -> None:
    """The logged reserves are the present ones, so the clock runs on unchanged."""
    now = compute_banked(WHITES_TURN, 20_000)
    after = apply_to_clock(WHITES_TURN, events.ClockReserve(20_000, now.white_ms, now.black_ms))
    assert compute_banked(after, 47_123) == compute_banked(WHITES_TURN, 47_123)
    assert compute_banked(apply_to_clock(WHITES_TURN, events.ClockReserve(20_000, 5, 6)), 20_000) == Reserves(5, 6)


def test_a_restart_restores_the_logged_reserves() -> None:
    """The machine's clock has begun anew, and the players have not sat down again yet."""
    after = apply_to_clock(WHITES_TURN, events.ClockReserve(3_000_000, 450_000, 600_000))
    again = apply_to_clock(after, events.MatchResumed(12, after_restart=True))
    assert not again.is_running
    assert compute_banked(again, 500_000) == Reserves(450_000, 600_000)
    assert apply_to_clock(again, events.BoardAgrees(600)).is_running
