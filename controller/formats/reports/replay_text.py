"""A match step by step: for each action a line of text and the board after it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.formats import match_model
from controller.formats.safe_text import display_name, one_line
from controller.match import CubeAct, Remark
from controller.match_log.turns import TurnRuling
from controller.rules import Player, Position, RaiseBy, RulesError, parse_setup
from controller.rules.grasshopper import game as grasshopper
from controller.wording.board_text import CubeDisplay, Glyphs, board_text, grasshopper_text
from controller.wording.remark_text import remark_lines

_MOST_NAME = 30
_MOST_REMARK = 2_000  # characters of a line


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """`turn` is the number of the turn, 0 for any other action. `cube` and `owner` are those after the action, `remarks`
    lines of what stands beside it.
    """

    game: int
    turn: int
    words: str
    position: str
    cube: int = 1
    owner: Player | None = None
    remarks: tuple[str, ...] = ()


def list_replay_steps(match: match_model.MatchHistory) -> tuple[ReplayStep, ...]:
    steps = [step for game in match.games for step in _list_game_steps(match, game)]
    if steps and match.remarks:
        steps[0] = replace(steps[0], remarks=(*_list_lines(match.remarks), *steps[0].remarks))
    return tuple(steps)


def format_board(step: ReplayStep, match: match_model.MatchHistory, glyphs: Glyphs) -> str:
    """The board as text; a sentence if the text is no board of the game."""
    try:
        if match.rules is None:
            return grasshopper_text(grasshopper.from_text(step.position), glyphs=glyphs)
        position = Position.of(parse_setup(step.position), match.rules)
        cube = CubeDisplay(step.cube, step.owner) if match.rules.cube else None
        return board_text(position, match.rules, glyphs=glyphs, cube=cube)
    except (RulesError, ValueError, LookupError):
        return f"(this board cannot be drawn: {step.position[:80]})"


def _list_game_steps(match: match_model.MatchHistory, game: match_model.GameHistory) -> Iterator[ReplayStep]:
    white, black = game.score
    names = [display_name(match, player, _MOST_NAME) for player in Player]
    title = f"Game {game.number}: {names[0]} {white} - {black} {names[1]}"
    position, cube, owner = game.start, 1, None
    yield ReplayStep(game.number, 0, title, position, remarks=_list_lines(game.remarks_after(0)))
    for place, turn in enumerate(game.turns, 1):
        number = turn.number if isinstance(turn, match_model.PlayedTurn) else 0
        if isinstance(turn, match_model.PlayedTurn) and turn.after is not None:
            position = turn.after
        elif isinstance(turn, match_model.BoardPut):
            position = turn.position
        elif isinstance(turn, match_model.CubeAction):
            cube, owner = _compute_cube_after(turn, cube, owner, match)
        words, remarks = one_line(_describe_turn(turn, match)), _list_lines(game.remarks_after(place))
        yield ReplayStep(game.number, number, words, position, cube, owner, remarks)
    if game.thrown is not None and game.result is None:
        thrown = game.thrown
        roll = f"{thrown.roll[0]}-{thrown.roll[1]}"
        words = f"{_format_player(thrown.player, match)} has thrown {roll}; the log ends here"
        yield ReplayStep(game.number, 0, words, position, cube, owner)
    if game.result is not None:
        winner = "nobody" if game.result.winner is None else _format_player(game.result.winner, match)
        words = f"{winner} wins {game.result.points} ({game.result.kind.value}, {game.result.ending.value.replace('_', ' ')})"
        yield ReplayStep(game.number, 0, words, position, cube, owner, _list_lines(game.remarks_on_result))


def _list_lines(remarks: tuple[Remark, ...]) -> tuple[str, ...]:
    return tuple(one_line(line, _MOST_REMARK) for remark in remarks for line in remark_lines(remark))


def _compute_cube_after(
    turn: match_model.CubeAction, cube: int, owner: Player | None, match: match_model.MatchHistory
) -> tuple[int, Player | None]:
    """Value and owner of the cube after an action; only a take, or equal dice, turns it."""
    if turn.act is CubeAct.DOUBLED_BY_EQUAL_DICE:
        return turn.value, None
    if turn.act is not CubeAct.TAKEN or turn.player is None:
        return cube, owner
    raised_once = RaiseBy(match.rules.raise_by).raise_value(cube) if match.rules is not None else 2 * cube
    # After a beaver the cube belongs to the opponent of the player who takes it.
    return turn.value, turn.player if turn.value == raised_once else turn.player.opponent


def _describe_turn(turn: match_model.GameAction, match: match_model.MatchHistory) -> str:
    match turn:
        case match_model.PlayedTurn():
            return _describe_play(turn, match)
        case match_model.CubeAction(act=CubeAct.DOUBLED_BY_EQUAL_DICE):
            return f"equal dice double the cube to {turn.value}"
        case match_model.CubeAction():
            words = {
                CubeAct.OFFERED: f"doubles to {turn.value}",
                CubeAct.BEAVERED: f"beavers to {turn.value}",
                CubeAct.TAKEN: f"takes; the cube is {turn.value}",
                CubeAct.DROPPED: "drops",
            }
            return f"{_format_player(turn.player, match)} {words[turn.act]}"
        case match_model.Resignation():
            answer = {True: "; accepted", False: "; refused", None: ""}[turn.is_accepted]
            return f"{_format_player(turn.player, match)} offers to resign ({turn.kind.value}){answer}"
        case match_model.BoardPut():  # pragma: no branch - mypy sees that no other case is left
            return match_model.describe_board_put(turn)


def _describe_play(turn: match_model.PlayedTurn, match: match_model.MatchHistory) -> str:
    roll = f"{'-'.join(map(str, turn.roll))}: " if turn.roll else ""
    rules = ", ".join(rule.value for rule in turn.rules)
    play = {
        TurnRuling.LEGAL: turn.play or "",
        TurnRuling.ILLEGAL: f"not legal ({rules})" + (f", stands: {turn.clause}" if turn.clause else ""),
        TurnRuling.UNSURE: "not recognised",
        TurnRuling.NOT_SEEN: f"{turn.play} (not seen but inferred)" if turn.play else "not seen",
    }[turn.ruling]
    taken_back = "".join(f" (taken back before: {', '.join(r.value for r in one.rules)})" for one in turn.taken_back)
    return f"turn {turn.number}, {_format_player(turn.player, match)}: {roll}{play}{taken_back}"


def _format_player(player: Player | None, match: match_model.MatchHistory) -> str:
    return "somebody" if player is None else display_name(match, player, _MOST_NAME)
