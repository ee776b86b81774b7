"""The demo: seeded games in the terminal, a board for each turn, every turn put before the judge."""

import logging
import sys
import textwrap
from collections.abc import Iterator
from random import Random

from controller.board_text import ASCII, CubePlace, Glyphs, board_text, glyphs_for, grasshopper_text
from controller.demo_players import DemoGrasshopperPlayer, DemoPlayer, SeededDice
from controller.grasshopper_playthrough import GrasshopperEnd, play_grasshopper
from controller.grasshopper_playthrough import is_confirmed as is_action_confirmed
from controller.playthrough import (
    GameEnd,
    GameEvent,
    OpeningThrow,
    ThrowPlayed,
    TurnPlayed,
    Unfinished,
    is_confirmed,
    play_game,
)
from controller.rules.grasshopper import STANDARD, Action, ActionKind
from controller.rules.match import Match, MatchRules, after_game, next_starter
from controller.rules.names import NAMES, persian_name
from controller.rules.notation import position_text
from controller.rules.play_text import play_text
from controller.rules.player import Player
from controller.rules.ruleset import Opening, Ruleset
from controller.rules.scoring import Kind
from controller.rules.stages import FollowKind

_LOG = logging.getLogger("zarbiter.demo")

_WIDTH = 79
_WINS = {
    Kind.SINGLE: "a single game",
    Kind.MARS: "a gammon (mars)",
    Kind.KOKS: "a backgammon (koks)",
    Kind.HOME_MARS: "a home mars",
    Kind.KOKS_UNMOVED: "a koks (a checker never left its start)",
    Kind.MOTHER: "by pinning the mother checker",
}


def play_demo(rules: Ruleset | None, *, games: int, seed: int) -> int:
    """Plays and prints `games` games, of Grasshopper when there is no ruleset; 1 when a game or a ruling went wrong."""
    glyphs = glyphs_for(getattr(sys.stdout, "encoding", None))
    chance = Random(seed)
    is_all_well = True
    match, series = Match(), MatchRules(winner_starts=rules is not None and rules.winner_starts)
    print(_heading(rules, games, seed))
    for number in range(1, games + 1):
        if games > 1:
            print(f"\nGame {number}")
        if rules is None:
            winner, points = _grasshopper_game(chance, glyphs)
        else:
            winner, points = _dice_game(rules, chance, glyphs, next_starter(match, series))
        is_all_well &= points is not None
        match = after_game(match, winner, points or 0, series)
        if games > 1:
            print(f"Score after {number} of {games}: White {match.white}, Black {match.black}", flush=True)
    return 0 if is_all_well else 1


def _heading(rules: Ruleset | None, games: int, seed: int) -> str:
    name = "grasshopper" if rules is None else rules.name
    display = NAMES[name].display if name in NAMES else name
    lines = [f"{display}: {games} game{'' if games == 1 else 's'}, seed {seed}"]
    if rules is not None:
        lines.append("Plays count along the player's own path, 24 to 1, as on the frame of the board.")
    if rules is not None and rules.cube:
        lines.append("The demo plays without doubling; the cube stays in the middle at 1.")
    return "\n".join(lines)


def _dice_game(
    rules: Ruleset, chance: Random, glyphs: Glyphs, starter: Player | None
) -> tuple[Player | None, int | None]:
    """Winner and points; points None when the game was not finished or the judge disagreed."""
    cube = CubePlace(1) if rules.cube else None
    for event in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance), starter=starter):
        print("\n".join(_event_lines(event, rules, glyphs)), flush=True)
        match event:
            case TurnPlayed():
                if not is_confirmed(event, rules):
                    text = f"{position_text(event.before)} to {position_text(event.after)}"
                    _LOG.error("the judge refuses turn %d (%s), which the rules generated", event.number, text)
                    return None, None
                print(board_text(event.after, rules, glyphs=glyphs, own_path_of=event.player, cube=cube), flush=True)
            case GameEnd():
                return event.winner, event.points
            case Unfinished():
                _LOG.error("the game was stopped after %d turns without an end", event.turns)
            case OpeningThrow():
                pass
    return None, None


def _event_lines(event: GameEvent, rules: Ruleset, glyphs: Glyphs) -> Iterator[str]:
    match event:
        case OpeningThrow(white, black):
            yield f"\nOpening throw: White {white}, Black {black}; {_opening(event, rules)}"
        case TurnPlayed():
            yield f"\nTurn {event.number}, {_name(event.player)}"
            for played in event.throws:
                text = _throw_text(played, event.player, glyphs)
                yield from textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="    ")
        case GameEnd(winner, kind, points, turns):
            if winner is None:
                yield f"\nThe game is drawn after {turns} turns."
            else:
                yield f"\n{_name(winner)} wins {_WINS[kind]}, {_counted(points, 'point')}, after {turns} turns."
        case Unfinished(turns):
            yield f"\nStopped after {turns} turns; nobody has won."


def _opening(thrown: OpeningThrow, rules: Ruleset) -> str:
    if thrown.starter is None:
        return "equal, so both throw again"
    if rules.opening is Opening.OPENING_DICE:
        return f"{_name(thrown.starter)} starts with these two numbers"
    return f"{_name(thrown.starter)} starts and throws both dice"


def _throw_text(played: ThrowPlayed, player: Player, glyphs: Glyphs) -> str:
    """`throws 6-5 (шеш-беш): 24/13`, with what was passed, lost, handed over or thrown again."""
    text = f"{_numbers_text(played, player, glyphs)}: {_stages_text(played)}"
    follow = played.follow
    if played.lost and played.steps:
        text += f"; not played: {_dashed(played.lost)}"
    if follow is not None and follow.kind is FollowKind.TRANSFER:
        text += f"; {_dashed(follow.numbers)} to be played by {_name(player.opponent)}"
    if follow is not None and follow.kind is FollowKind.ROLL_AGAIN:
        text += "; a fully played double, so another throw"
    return text


def _numbers_text(played: ThrowPlayed, player: Player, glyphs: Glyphs) -> str:
    if played.roll is None:
        numbers = tuple(number for stage in played.throw.stages for number in stage)
        return f"plays {_dashed(numbers)}, handed over by {_name(player.opponent)}"
    high, low = played.roll.high, played.roll.low
    name = "" if glyphs is ASCII else f" ({persian_name(high, low)})"
    cascade = ", a cascade" if played.throw.cascade else ""
    return f"throws {high}-{low}{name}{cascade}"


def _stages_text(played: ThrowPlayed) -> str:
    if len(played.throw.stages) == 1:
        return play_text(played.steps) if played.steps else "no legal play, a forced pass"
    return ", ".join(
        f"{_dashed(stage.stage.numbers)} {play_text(stage.play.steps) if stage.play.steps else 'no legal play'}"
        for stage in played.stages
    )


def _grasshopper_game(chance: Random, glyphs: Glyphs) -> tuple[Player | None, int | None]:
    """Winner and 1 point, 0 for a draw; points None when the game was not finished or the judge disagreed."""
    for event in play_grasshopper(DemoGrasshopperPlayer(chance), STANDARD):
        if isinstance(event, GrasshopperEnd):
            print(_grasshopper_end(event), flush=True)
            return event.winner, (int(event.winner is not None) if event.is_finished else None)
        print(f"\nTurn {event.number}, {_name(event.player)} {_action_text(event.action)}")
        if not is_action_confirmed(event, STANDARD):
            _LOG.error("the judge refuses turn %d, which the rules generated", event.number)
            return None, None
        print(grasshopper_text(event.after, glyphs=glyphs), flush=True)
    return None, None


def _action_text(action: Action) -> str:
    match action.kind:
        case ActionKind.ENTER:
            return f"enters a piece on P{action.target}"
        case ActionKind.MOVE:
            return f"moves from P{action.source} to P{action.target}"
        case ActionKind.WALL:
            return f"moves from P{action.source} to P{action.target} and builds a wall"
        case ActionKind.BEAROFF:
            return f"bears off the wall on P{action.source} and scores"
        case ActionKind.PASSING:
            return "has no action, a forced pass"


def _grasshopper_end(end: GrasshopperEnd) -> str:
    if not end.is_finished:
        return f"\nStopped after {end.turns} turns; nobody has won."
    if end.winner is None:
        return f"\nThe game is drawn after {end.turns} turns: neither player has an action."
    return f"\n{_name(end.winner)} scores twice running and wins, 1 point, after {end.turns} turns."


def _name(player: Player) -> str:
    return player.name.capitalize()


def _dashed(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
