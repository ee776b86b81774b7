"""The match folded from a log has the same turns, in the same order, as `zarbiter log show`."""

from dataclasses import replace

import pytest

from controller.formats.match_model import BoardPut, CubeAction, GameEnding, MatchHistory, PlayedTurn
from controller.match import events as match_events
from controller.match.events import CubeAct, Mode, RefereeEvent
from controller.match_log.turns import TurnLine, TurnRuling, turn_lines
from controller.rules import BadThrow, Player, ResultKind, Rule
from tests.controller.formats.match_samples import logged
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.formats.test_disputed_match import disputed_events

pytestmark = pytest.mark.broad

WHITE, BLACK = Player.WHITE, Player.BLACK
START = "00000050300005000000000020/00000050300005000000000020"
FIRST = "00000240200005000000000020/00000050300005000000000020"
OTHER = "00000060300104000000000020/00000050300005000000000020"
BEGUN: tuple[RefereeEvent, ...] = (
    match_events.MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "A", "B", 5),
    match_events.GameStarted(0, 1, START, WHITE),
)
ROLL = match_events.DiceRolled(1, WHITE, (3, 1))
PLAY = match_events.PlayMade(2, WHITE, (3, 1), "8/5 6/5", START, FIRST, "end_turn")


def lines_of(match: MatchHistory) -> tuple[TurnLine, ...]:
    """The turns in the form of the log."""
    return tuple(
        TurnLine(
            *(turn.number, turn.player, turn.roll, turn.play, turn.before, turn.after, turn.ruling, turn.rules),
            *(turn.bad_throws, turn.ruled_ms),
        )
        for game in match.games
        for turn in game.played_turns
    )


@pytest.mark.parametrize("game", ["backgammon", "long_nardy", "tavla", "plakoto"])
@pytest.mark.parametrize("seed", range(3))
def test_simulated_matches(game: str, seed: int) -> None:
    events = simulated_match(seed, game, 2)
    assert lines_of(logged(events, game)) == turn_lines(events)


def test_a_disputed_match() -> None:
    """With refused, corrected and condoned plays."""
    assert lines_of(logged(disputed_events())) == turn_lines(disputed_events())


@pytest.mark.parametrize(
    "events",
    [
        (ROLL, PLAY, match_events.PlayTakenBack(3, WHITE, START)),
        (ROLL, PLAY, match_events.DiceRolled(3, BLACK, (6, 5)), match_events.PlayTakenBack(4, WHITE, START), PLAY),
        (ROLL, match_events.RollWithdrawn(2, WHITE, (3, 1)), match_events.DiceRolled(3, WHITE, (6, 5))),
        (
            match_events.ThrowRefused(1, WHITE, (BadThrow.COCKED,), (1, None)),
            match_events.DiceRolled(2, WHITE, (3, 1)),
            PLAY,
        ),
        (ROLL, match_events.PlayUnclear(2, WHITE, ("8/5 6/5",), ("B6",), "Say it.")),
        (ROLL, match_events.PlayRefused(2, WHITE, (3, 1), START, "", (Rule.CHECKER_EXTRA,), ("No.",))),
        (ROLL, match_events.DiceRolled(2, WHITE, (3, 2))),
        (ROLL, PLAY, match_events.BoardCorrected(3, OTHER), match_events.DiceRolled(4, BLACK, (6, 5))),
        (ROLL, match_events.BoardCorrected(3, OTHER, WHITE), match_events.DiceRolled(4, WHITE, (5, 2))),
        (
            ROLL,
            match_events.PlayRefused(2, WHITE, (3, 1), START, OTHER, (Rule.WRONG_NUMBERS,), ("No.",)),
            match_events.BoardCorrected(3, START, WHITE),
            match_events.DiceRolled(4, WHITE, (3, 1)),
            replace(PLAY, at_ms=5),
        ),
    ],
)
def test_irregular_turns(events: tuple[RefereeEvent, ...]) -> None:
    """Taken back, thrown again, unclear, refused, corrected: the log and the match agree."""
    found, expected = (
        [(line.roll, line.play, line.ruling, line.bad_throws) for line in lines]
        for lines in (lines_of(logged((*BEGUN, *events))), turn_lines((*BEGUN, *events)))
    )
    assert found == expected


def test_a_take_back_also_drops_later_cube_actions() -> None:
    double = match_events.CubeTurned(3, CubeAct.OFFERED, BLACK, 1)
    events = (ROLL, PLAY, double, match_events.PlayTakenBack(4, WHITE, START))
    (game,) = logged((*BEGUN, *events)).games
    assert game.turns == ()
    assert game.thrown is not None
    assert (game.thrown.player, game.thrown.roll) == (WHITE, (3, 1))


def test_an_entered_board_stands_between_the_turns() -> None:
    events = (ROLL, PLAY, match_events.BoardCorrected(3, OTHER))
    (game,) = logged((*BEGUN, *events)).games
    assert [type(turn) for turn in game.turns] == [PlayedTurn, BoardPut]


def test_the_values_of_cube_actions() -> None:
    """An offer has the value offered, a drop the value before."""
    events = (
        match_events.CubeTurned(1, CubeAct.OFFERED, WHITE, 1),
        match_events.CubeTurned(1, CubeAct.TAKEN, BLACK, 2),
        match_events.CubeTurned(2, CubeAct.OFFERED, BLACK, 2),
        match_events.CubeTurned(2, CubeAct.DROPPED, WHITE, 2),
        match_events.GameWon(2, BLACK, ResultKind.SINGLE, 2, 0, 2),
    )
    (game,) = logged((*BEGUN, *events)).games
    assert [turn.value for turn in game.turns if isinstance(turn, CubeAction)] == [2, 2, 4, 2]
    assert game.result is not None
    assert game.result.ending is GameEnding.DROPPED


def test_a_match_that_was_lost_on_time() -> None:
    """The game stays unfinished; the match has a winner."""
    match = logged((*BEGUN, ROLL, match_events.TimeRanOut(9, WHITE), match_events.MatchWon(9, BLACK)))
    assert (match.winner, match.out_of_time, match.games[0].result) == (BLACK, WHITE, None)


def test_unsettled_plays_keep_their_ruling() -> None:
    """An unsettled refused play is illegal and has no clause."""
    refused = match_events.PlayRefused(2, WHITE, (3, 1), START, OTHER, (Rule.WRONG_NUMBERS,), ("No.",))
    (game,) = logged((*BEGUN, ROLL, refused)).games
    (turn,) = game.played_turns
    assert (turn.ruling, turn.clause, turn.after) == (TurnRuling.ILLEGAL, "", OTHER)
