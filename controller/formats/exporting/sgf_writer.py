"""Writes GNU Backgammon's own format (.sgf): one tree for each game, with absolute letters for points.

White's points 1 to 24 are `a` to `x`, Black's are counted from the other end; `y` is the bar and `z` is off. Irregular
turns get a comment, a board that a person entered becomes a set-up, and a roll without a play is written too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from controller.formats.exporting.game_replay import Replay, ReplayCell, ReplayTurn, make_replay
from controller.formats.exporting.header_tags import find_date_and_time, has_crawford_game, uses_jacoby
from controller.formats.match_model import BoardPut, CubeAction, GameEnding, GameResult, MatchHistory
from controller.formats.safe_text import one_line, safe_names
from controller.formats.variations import Variation, find_variation
from controller.match import CubeAct, Remark
from controller.rules import BAR, OFF, Player, parse_setup
from controller.wording.remark_text import remark_lines

_PROGRAM = "zarbiter:0.1"
_MOST_COMMENT = 2_000  # characters of a line
_WORDS = {CubeAct.OFFERED: "double", CubeAct.BEAVERED: "double", CubeAct.TAKEN: "take", CubeAct.DROPPED: "drop"}


def sgf_text(match: MatchHistory) -> tuple[str, tuple[str, ...]]:
    """The file, and remarks about everything it cannot express. Raises NotForThisGameError."""
    variation = find_variation(match)
    replays = [make_replay(game, variation, match, can_put=True) for game in match.games]
    trees = [_format_tree(match, replay, number, variation) for number, replay in enumerate(replays)]
    return "".join(trees), tuple(remark for replay in replays for remark in replay.remarks)


def point_letter(coordinate: int, player: Player) -> str:
    if coordinate in (BAR, OFF):
        return "y" if coordinate == BAR else "z"
    return chr(ord("a") + (coordinate - 1 if player is Player.WHITE else 24 - coordinate))


def _format_tree(match: MatchHistory, replay: Replay, number: int, variation: Variation) -> str:
    root = "".join(
        f"{name}[{']['.join(map(_escape, values))}]"
        for name, values in _root_properties(match, replay, number, variation)
        if all(values)
    )
    nodes = [f";{root}", *map(_format_node, replay.cells, replay.notes)]
    thrown = replay.game.thrown
    if thrown is not None and replay.is_whole and replay.game.result is None:
        nodes.append(f";PL[{thrown.player.value}]DI[{thrown.roll[0]}{thrown.roll[1]}]")
    return "(" + "\n".join(nodes) + ")\n"


def _root_properties(
    match: MatchHistory, replay: Replay, number: int, variation: Variation
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Properties and their values; the caller leaves out properties with an empty value."""
    game, names = replay.game, safe_names(match)
    yield from (("FF", ("4",)), ("GM", ("6",)), ("CA", ("UTF-8",)), ("AP", (_PROGRAM,)))
    yield "MI", (f"length:{match.length or 0}", f"game:{number}", f"ws:{game.score[0]}", f"bs:{game.score[1]}")
    yield from (("PW", (names[0],)), ("PB", (names[1],)))
    if number == 0:
        occasion = match.occasion
        yield "DT", (find_date_and_time(match)[0],)
        yield "EV", (one_line(occasion.event),)
        yield "RO", (one_line(occasion.round),)
        yield "PC", (one_line(occasion.site),)
        yield "AN", (one_line(occasion.transcriber),)
    yield "RU", (_format_rules(match, variation, is_crawford=game.is_crawford),)
    yield "RE", ("" if game.result is None else _format_result(game.result),)
    on_match = match.remarks if number == 0 else ()
    lines = [line for remark in (*on_match, *game.remarks_after(0)) for line in remark_lines(remark)]
    at_end = [line for remark in game.remarks_on_result for line in remark_lines(remark)]
    yield "C", (_join_lines((*lines, *replay.remarks, *at_end)),)


def _format_rules(match: MatchHistory, variation: Variation, *, is_crawford: bool) -> str:
    rules = (
        "NoCube" if match.rules is not None and not match.rules.cube else "",
        "Crawford" if has_crawford_game(match) else "",
        "CrawfordGame" if is_crawford and has_crawford_game(match) else "",
        "Jacoby" if uses_jacoby(match) else "",
        variation.value.rule,
    )
    return ":".join(filter(None, rules))


def _format_result(result: GameResult) -> str:
    if result.winner is None:
        return "0"
    resigned = "R" if result.ending in (GameEnding.RESIGNED, GameEnding.REPORTED) else ""
    return f"{result.winner.value}+{result.points}{resigned}"


def _format_node(cell: ReplayCell, note: Remark) -> str:
    match cell:
        case ReplayTurn():
            player = cell.turn.player
            places = "".join(point_letter(place, player) for step in cell.steps for place in step)
            return f";{player.value}[{cell.dice[0]}{cell.dice[1]}{places}]{_format_note(note, cell.remark)}"
        case CubeAction():
            return f";{(cell.player or Player.WHITE).value}[{_WORDS[cell.act]}]{_format_note(note)}"
        case BoardPut():  # pragma: no branch - mypy sees that no other case is left
            return f";{_format_setup(cell.position)}"


def _format_note(note: Remark, irregularity: str = "") -> str:
    """A comment, and the luck, which has a property of its own."""
    written = remark_lines(replace(note, luck=None, source=note.source if note.is_of_decision else ""))
    comment = _join_lines((irregularity, *written))
    luck = "" if note.luck is None else f"LU[{note.luck:+.6f}]"
    return luck + (f"C[{_escape(comment)}]" if comment else "")


def _join_lines(lines: Iterable[str]) -> str:
    """Each line once: a match that was exported and imported again has those about it among its remarks already."""
    return "\n".join(dict.fromkeys(one_line(line, _MOST_COMMENT) for line in lines if line))


def _format_setup(position: str) -> str:
    """Clears the board, then sets up every checker."""
    setup = parse_setup(position)
    text = "AE[a:y]"
    for player in Player:
        letters = [
            f"[{point_letter(place, player)}]"
            for place, count in enumerate(setup.side(player).counts[:26])
            for _ in range(count)
            if place != OFF
        ]
        text += f"A{player.value}{''.join(letters)}" if letters else ""
    return text


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
