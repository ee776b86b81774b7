"""The match folded from a log: its turns, and what stands between them."""

from dataclasses import replace

import pytest

from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.exporting.turn_states import NoSuchMatchStateError, find_match_state, parse_turn_reference
from controller.formats.match_model import BoardPut, CubeAction, GameEnding, MatchHistory, PlayedTurn
from controller.formats.reports.replay_text import list_replay_steps
from controller.formats.reports.sheet import sheet_html
from controller.formats.to_events import generate_events
from controller.match import events as match_events
from controller.match.events import CubeAct, Evidence, Mode, RefereeEvent
from controller.match_log.turns import TurnLine, TurnRuling, turn_lines
from controller.rules import Player, ResultKind, Rule
from controller.wording.ruling_text import ruling_text
from tests.controller.formats.match_samples import logged
from tests.controller.formats.test_disputed_match import disputed_events

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


def test_a_disputed_match() -> None:
    """With refused, corrected and condoned plays."""
    assert lines_of(logged(disputed_events())) == turn_lines(disputed_events())


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


def test_a_turn_that_was_not_seen_is_written_with_a_remark() -> None:
    """Replay, score sheet and match text say so; none of them shows it as a legal play that was seen."""
    unseen = replace(PLAY, evidence=Evidence.INFERRED)
    won = match_events.GameWon(3, WHITE, ResultKind.SINGLE, 1, 1, 0)
    match = logged((*BEGUN, ROLL, unseen, won))
    assert any("8/5 6/5 (not seen but inferred)" in step.words for step in list_replay_steps(match))
    assert '8/5 6/5<span class="bad">not seen</span>' in sheet_html(match)
    text, remarks = mat_text(match)
    assert "31: 8/5 6/5" in text
    assert any("turn 1 of A was not seen" in remark for remark in remarks)


def test_a_match_that_was_read_says_rolls_and_stakes_as_a_watched_one_does() -> None:
    """A double is one roll of two numbers, and each raise says from which stake to which."""
    watched = (
        match_events.CubeTurned(1, CubeAct.OFFERED, WHITE, 1),
        match_events.CubeTurned(1, CubeAct.BEAVERED, BLACK, 1),
        match_events.CubeTurned(1, CubeAct.TAKEN, WHITE, 4),
        match_events.DiceRolled(2, WHITE, (2, 2)),
        match_events.PlayMade(3, WHITE, (2, 2), "", START, START, "end_turn"),
    )
    made = tuple(generate_events(logged((*BEGUN, *watched))))
    lines = [
        ruling_text(event, {WHITE: "A", BLACK: "B"}) for event in made if isinstance(event, match_events.CubeTurned)
    ]
    assert lines == ["A doubles from 1 to 2.", "B beavers, from 2 to 4.", "A takes; the cube is at 4."]
    (played,) = (event for event in made if isinstance(event, match_events.PlayMade))
    assert played.numbers == (2, 2)


def test_a_turn_whose_throw_nobody_saw_has_a_position_before_and_after_it_and_no_dice() -> None:
    put = match_events.BoardCorrected(3, FIRST, on_turn=BLACK, evidence=Evidence.INFERRED)
    match = logged((*BEGUN, put, replace(ROLL, player=BLACK)))
    assert find_match_state(match, None).dice == (3, 1)
    assert find_match_state(match, parse_turn_reference("1:before")).dice is None
    with pytest.raises(NoSuchMatchStateError, match="its throw was not seen"):
        find_match_state(match, parse_turn_reference("1"))


@pytest.mark.parametrize("ruling", [PLAY, match_events.PlayCondoned(2, WHITE, (3,), START, OTHER, (), "a")])
def test_the_rest_of_a_game_is_left_out_where_a_throw_is_not_known(
    ruling: match_events.PlayMade | match_events.PlayCondoned,
) -> None:
    match = logged((*BEGUN, replace(ruling, numbers=(3,))))
    for _, remarks in (mat_text(match), sgf_text(match)):
        assert any("its throw is not known; the rest of the game is left out" in remark for remark in remarks)


def test_a_game_that_was_joined_is_kept_by_sgf_and_match_text_says_so() -> None:
    joined = (*BEGUN[:1], match_events.GameStarted(0, 1, FIRST, BLACK))
    after = "00000240200005000000000020/00000240200005000000000020"
    played = (replace(ROLL, player=BLACK), replace(PLAY, player=BLACK, before=FIRST, after=after))
    match = logged((*joined, *played))
    text, remarks = mat_text(match)
    assert "31:" not in text
    assert any("its plays are left out, and an SGF file keeps them" in remark for remark in remarks)
    assert "B[31" in sgf_text(match)[0]
