"""The match that is folded from a log tells the turns that `zarbiter log show` tells, in the same order."""

from dataclasses import replace

import pytest

from controller.formats.match_model import BoardPut, CubeAction, GameEnding, MatchHistory, PlayedTurn
from controller.match.events import (
    BoardCorrected,
    CubeAct,
    CubeTurned,
    DiceRolled,
    GameStarted,
    GameWon,
    MatchStarted,
    MatchWon,
    Mode,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    ThrowRefused,
    TimeRanOut,
)
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
    MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "A", "B", 5),
    GameStarted(0, 1, START, WHITE),
)
PLAY = PlayMade(2, WHITE, (3, 1), "8/5 6/5", START, FIRST, "end_turn")


def lines_of(match: MatchHistory) -> tuple[TurnLine, ...]:
    """The turns in the form of the log."""
    turns = (turn for game in match.games for turn in game.played_turns)
    return tuple(
        TurnLine(
            *(turn.number, turn.player, turn.roll, turn.play, turn.before, turn.after, turn.ruling, turn.rules),
            turn.bad_throws,
            turn.ruled_ms,
        )
        for turn in turns
    )


@pytest.mark.parametrize("game", ["backgammon", "long_nardy", "tavla", "plakoto"])
@pytest.mark.parametrize("seed", range(3))
def test_simulated_matches(game: str, seed: int) -> None:
    """Turn by turn the same."""
    events = simulated_match(seed, game, 2)
    assert lines_of(logged(events, game)) == turn_lines(events)


def test_a_disputed_match() -> None:
    """With what was refused, corrected and condoned."""
    assert lines_of(logged(disputed_events())) == turn_lines(disputed_events())


@pytest.mark.parametrize(
    "events",
    [
        (DiceRolled(1, WHITE, (3, 1)), PLAY, PlayTakenBack(3, WHITE, START)),
        (DiceRolled(1, WHITE, (3, 1)), PLAY, DiceRolled(3, BLACK, (6, 5)), PlayTakenBack(4, WHITE, START), PLAY),
        (DiceRolled(1, WHITE, (3, 1)), RollWithdrawn(2, WHITE, (3, 1)), DiceRolled(3, WHITE, (6, 5))),
        (ThrowRefused(1, WHITE, (BadThrow.COCKED,), (1, None)), DiceRolled(2, WHITE, (3, 1)), PLAY),
        (DiceRolled(1, WHITE, (3, 1)), PlayUnclear(2, WHITE, ("8/5 6/5",), ("B6",), "Say it.")),
        (DiceRolled(1, WHITE, (3, 1)), PlayRefused(2, WHITE, (3, 1), START, "", (Rule.CHECKER_EXTRA,), ("No.",))),
        (DiceRolled(1, WHITE, (3, 1)), DiceRolled(2, WHITE, (3, 2))),
        (DiceRolled(1, WHITE, (3, 1)), PLAY, BoardCorrected(3, OTHER), DiceRolled(4, BLACK, (6, 5))),
        (DiceRolled(1, WHITE, (3, 1)), BoardCorrected(3, OTHER, WHITE), DiceRolled(4, WHITE, (5, 2))),
        (
            DiceRolled(1, WHITE, (3, 1)),
            PlayRefused(2, WHITE, (3, 1), START, OTHER, (Rule.WRONG_NUMBERS,), ("No.",)),
            BoardCorrected(3, START, WHITE),
            DiceRolled(4, WHITE, (3, 1)),
            replace(PLAY, at_ms=5),
        ),
    ],
)
def test_what_people_do_at_a_table(events: tuple[RefereeEvent, ...]) -> None:
    """Taken back, thrown again, early, unclear, refused: the log and the match agree."""
    said = lines_of(logged((*BEGUN, *events)))
    expected = turn_lines((*BEGUN, *events))
    assert [(line.roll, line.play, line.ruling, line.bad_throws) for line in said] == [
        (line.roll, line.play, line.ruling, line.bad_throws) for line in expected
    ]


def test_a_play_that_was_taken_back_takes_the_cube_with_it() -> None:
    """What was done after it did not happen."""
    double = CubeTurned(3, CubeAct.OFFERED, BLACK, 1)
    events = (DiceRolled(1, WHITE, (3, 1)), PLAY, double, PlayTakenBack(4, WHITE, START))
    (game,) = logged((*BEGUN, *events)).games
    assert game.turns == ()
    assert game.thrown is not None
    assert (game.thrown.player, game.thrown.roll) == (WHITE, (3, 1))


def test_a_board_that_was_put() -> None:
    """It stands between the turns."""
    events = (DiceRolled(1, WHITE, (3, 1)), PLAY, BoardCorrected(3, OTHER))
    (game,) = logged((*BEGUN, *events)).games
    assert [type(turn) for turn in game.turns] == [PlayedTurn, BoardPut]


def test_what_the_cube_shows() -> None:
    """An offer tells what it offers; a drop costs what the cube was before."""
    events = (
        CubeTurned(1, CubeAct.OFFERED, WHITE, 1),
        CubeTurned(1, CubeAct.TAKEN, BLACK, 2),
        CubeTurned(2, CubeAct.OFFERED, BLACK, 2),
        CubeTurned(2, CubeAct.DROPPED, WHITE, 2),
        GameWon(2, BLACK, ResultKind.SINGLE, 2, 0, 2),
    )
    (game,) = logged((*BEGUN, *events)).games
    assert [turn.value for turn in game.turns if isinstance(turn, CubeAction)] == [2, 2, 4, 2]
    assert game.result is not None
    assert game.result.ending is GameEnding.DROPPED


def test_a_match_that_was_lost_on_time() -> None:
    """The game stays unfinished; the match has a winner."""
    match = logged((*BEGUN, DiceRolled(1, WHITE, (3, 1)), TimeRanOut(9, WHITE), MatchWon(9, BLACK)))
    assert (match.winner, match.out_of_time, match.games[0].result) == (BLACK, WHITE, None)


def test_unsettled_plays_keep_their_ruling() -> None:
    """A refused play that nobody settled is illegal and has no clause under which it stands."""
    refused = PlayRefused(2, WHITE, (3, 1), START, OTHER, (Rule.WRONG_NUMBERS,), ("No.",))
    (game,) = logged((*BEGUN, DiceRolled(1, WHITE, (3, 1)), refused)).games
    (turn,) = game.played_turns
    assert (turn.ruling, turn.clause, turn.after) == (TurnRuling.ILLEGAL, "", OTHER)
