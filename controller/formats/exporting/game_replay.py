"""The part of a game that another program can replay: turns as single steps, and remarks about everything else.

No roll or play is ever invented. Where a format cannot go on, the rest of the game is left out, and a remark says so.
"""

from dataclasses import dataclass
from functools import reduce

from controller.formats import match_model
from controller.formats.exporting.single_steps import PlaySteps, find_illegal_steps, find_steps
from controller.formats.variations import Variation
from controller.match import CubeAct, Remark
from controller.match_log.turns import TurnRuling
from controller.rules import position_text, start_position


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """A throw and its steps; `remark` describes an irregularity, or is empty."""

    turn: match_model.PlayedTurn
    dice: tuple[int, int]
    steps: PlaySteps
    remark: str = ""


ReplayCell = ReplayTurn | match_model.CubeAction | match_model.BoardPut


@dataclass(frozen=True, slots=True)
class Replay:
    """The cells of a game. `is_whole`: nothing of the game is left out. `notes`: what stands beside each cell."""

    game: match_model.GameHistory
    cells: tuple[ReplayCell, ...]
    remarks: tuple[str, ...]
    is_whole: bool
    notes: tuple[Remark, ...] = ()


def make_replay(
    game: match_model.GameHistory, variation: Variation, match: match_model.MatchHistory, *, can_put: bool = False
) -> Replay:
    """`can_put`: the format can set up a board without a play."""
    cells: list[ReplayCell] = []
    notes: list[Remark] = []
    remarks: list[str] = []
    where = f"Game {game.number}"
    position = position_text(start_position(variation.rules))
    if game.start != position:
        if not can_put:
            remark = f"{where} began in another position than the game does; its plays are left out, and an SGF file keeps them"
            return Replay(game, (), (remark,), is_whole=False)
        cells.append(match_model.BoardPut(game.start))
        notes.append(Remark())
    for place, turn in enumerate(game.turns, 1):
        cell, remark, goes_on = _make_cell(turn, game, match, can_put=can_put)
        if remark:
            remarks.append(f"{where}, {remark}")
        if not goes_on:
            return Replay(game, tuple(cells), tuple(remarks), is_whole=False, notes=tuple(notes))
        note = reduce(Remark.join, game.remarks_after(place), Remark())
        if cell is not None:
            cells.append(cell)
            notes.append(note)
        elif notes:
            notes[-1] = notes[-1].join(note)
    remarks.extend(_describe_end(game, match, where))
    return Replay(game, tuple(cells), tuple(remarks), is_whole=True, notes=tuple(notes))


def _make_cell(
    turn: match_model.GameAction, game: match_model.GameHistory, match: match_model.MatchHistory, *, can_put: bool
) -> tuple[ReplayCell | None, str, bool]:
    """The cell, a remark, and whether the game can go on after it."""
    match turn:
        case match_model.PlayedTurn():
            return _make_play_cell(turn, game, match, can_put=can_put)
        case match_model.CubeAction(act=CubeAct.DOUBLED_BY_EQUAL_DICE):
            return None, f"equal dice doubled the cube to {turn.value}, which is not written", True
        case match_model.CubeAction():
            return turn, "", True
        case match_model.BoardPut():
            remark = match_model.describe_board_put(turn)
            return (
                (turn, remark, True)
                if can_put
                else (None, f"{remark}; the rest of the game is left out, and an SGF file keeps it", False)
            )
        case match_model.Resignation(is_accepted=True):
            return None, "", True  # the result contains it
        case match_model.Resignation():  # pragma: no branch - mypy sees that no other case is left
            return None, f"{match.player_name(turn.player)} offered to resign and played on, which is not written", True


def _make_play_cell(
    turn: match_model.PlayedTurn, game: match_model.GameHistory, match: match_model.MatchHistory, *, can_put: bool
) -> tuple[ReplayCell | None, str, bool]:
    where = f"turn {turn.number} of {match.player_name(turn.player)}"
    if turn.after is None:
        return None, f"{where}: it is not known what was played; the rest of the game is left out", False
    if turn.ruling is TurnRuling.NOT_SEEN and turn.play is None:
        return None, f"{where} was not seen", True
    if turn.dice is None:
        return None, f"{where}: its throw is not known; the rest of the game is left out", False
    if turn.ruling.is_within_rules:
        steps = find_steps(turn.before, turn.after, turn.player, turn.roll)
        remark = f"{where}: an illegal play was taken back" if turn.taken_back else ""
        if turn.ruling is TurnRuling.NOT_SEEN:
            remark = f"{where} was not seen; its play is inferred from the boards before and after it"
        if steps is not None:
            return ReplayTurn(turn, turn.dice, steps, remark), remark, True
    if not turn.clause and turn is game.turns[-1] and game.result is None:
        return None, f"{where} was not legal and waits for its correction; it is left out", False
    return _make_condoned_cell(turn, turn.dice, where, can_put=can_put)


def _make_condoned_cell(
    turn: match_model.PlayedTurn, dice: tuple[int, int], where: str, *, can_put: bool
) -> tuple[ReplayCell | None, str, bool]:
    """An illegal play that stands is written as it was made, or left out."""
    after = turn.after or turn.before
    rules = ", ".join(rule.value for rule in turn.rules)
    remark = f"{where} was not legal ({rules}) and stood"
    steps = find_steps(turn.before, after, turn.player, turn.roll)
    if steps is None:
        steps = find_illegal_steps(turn.before, after, turn.player)
    # An empty play is left out, because GNU Backgammon takes it for a play that is still to come.
    if steps or (steps is not None and can_put):
        return ReplayTurn(turn, dice, steps, remark), remark, True
    if can_put:
        return match_model.BoardPut(after), f"{remark}; its board is put, its steps are not written", True
    return None, f"{remark}; it cannot be written, and the rest of the game is left out", False


def _describe_end(game: match_model.GameHistory, match: match_model.MatchHistory, where: str) -> tuple[str, ...]:
    remarks = []
    if game.result is None:
        remarks.append(f"{where} is not finished")
    if game.result is not None and game.result.ending is match_model.GameEnding.REPORTED:
        remarks.append(f"{where}: the play does not show how it ended")
    if match.out_of_time is not None and game is match.games[-1]:
        remarks.append(f"{match.player_name(match.out_of_time)} ran out of time and lost the match")
    return tuple(remarks)
