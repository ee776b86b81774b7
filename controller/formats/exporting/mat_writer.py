"""Writes match text (.mat) byte for byte as GNU Backgammon does, with header tags; without them it is Snowie text.

Columns count from 0: the left cell begins at 5 and is padded to 28 characters, the right cell begins at 33. Cube actions
and the win line stand one column further to the right.
"""

from collections.abc import Iterator

from controller.formats.exporting.game_replay import Replay, ReplayCell, ReplayTurn, make_replay
from controller.formats.exporting.header_tags import make_header_tags
from controller.formats.match_model import CubeAction, MatchHistory
from controller.formats.safe_text import one_line, safe_names
from controller.formats.variations import Variation, find_variation
from controller.match import CubeAct
from controller.rules import OFF, Player
from controller.wording.remark_text import remark_lines

_LEFT_WIDTH, _NAME_WIDTH = 28, 31
_RIGHT_WINS, _LEFT_WINS = " " * 34, " " * 6


def mat_text(match: MatchHistory) -> tuple[str, tuple[str, ...]]:
    """The file, and remarks about everything it cannot express. Raises NotForThisGameError."""
    replays = _make_replays(match)
    remarks = _collect_remarks(replays)
    on_match = tuple(line for remark in match.remarks for line in remark_lines(remark))
    once = tuple(dict.fromkeys((*on_match, *remarks)))  # exported and imported again, a match knows those about it
    written = make_header_tags(match, find_variation(match), once)
    tags = [f'; [{key} "{one_line(value)}"]' for key, value in written]
    return "\n".join([*tags, "", *_match_lines(match, replays)]) + "\n", remarks


def snowie_text(match: MatchHistory) -> tuple[str, tuple[str, ...]]:
    """Match text without header tags, so the remarks are not in the file. Raises NotForThisGameError."""
    replays = _make_replays(match)
    variation = find_variation(match)
    is_usual = variation is Variation.BACKGAMMON
    remarks = (
        ()
        if is_usual
        else (f"nothing in the text says that it is {variation.value.game}; others replay it as backgammon",)
    )
    return "\n".join(_match_lines(match, replays)) + "\n", (*remarks, *_collect_remarks(replays))


def _make_replays(match: MatchHistory) -> list[Replay]:
    variation = find_variation(match)
    return [make_replay(game, variation, match) for game in match.games]


def _collect_remarks(replays: list[Replay]) -> tuple[str, ...]:
    """The remarks of the replays, and those of this format: it has no place for a roll without a play."""
    remarks: list[str] = []
    for replay in replays:
        remarks.extend(replay.remarks)
        if replay.is_whole and replay.game.thrown is not None:
            roll = "".join(map(str, replay.game.thrown.roll))
            remarks.append(f"Game {replay.game.number}: the roll {roll} at its end was not played and is left out")
        if _ends_with_dropped_beaver(replay):
            remarks.append(f"Game {replay.game.number}: a beaver was dropped; GNU Backgammon loses turns after it")
        if replay.game.remarks:
            n_remarks = len(replay.game.remarks)
            remarks.append(f"Game {replay.game.number}: remarks beside the play are not written ({n_remarks})")
    return tuple(remarks)


def _ends_with_dropped_beaver(replay: Replay) -> bool:
    acts = [cell.act if isinstance(cell, CubeAction) else None for cell in replay.cells[-2:]]
    return acts == [CubeAct.BEAVERED, CubeAct.DROPPED]


def _match_lines(match: MatchHistory, replays: list[Replay]) -> Iterator[str]:
    yield f" {match.length or 0} point match"
    yield ""
    names = safe_names(match)
    for number, replay in enumerate(replays, 1):
        yield f" Game {number}"
        white, black = replay.game.score
        yield f" {_pad(f'{names[0]} : {white}', _NAME_WIDTH)}{names[1]} : {black}"
        yield from _game_lines(replay)
        yield ""


def _pad(text: str, n_bytes: int) -> str:
    """Pads to a width in bytes, as GNU Backgammon counts; longer text gets a gap, which GNU Backgammon forgets."""
    missing = n_bytes - len(text.encode("utf-8"))
    return text + " " * (missing if missing > 0 else 2)


def _game_lines(replay: Replay) -> Iterator[str]:
    result = replay.game.result
    wins = "" if result is None else f"Wins {result.points} point{'' if result.points == 1 else 's'}"
    winner = None if result is None else result.winner
    left: str | None = None
    number = 0
    for cell in _skip_implied_takes(replay.cells):
        player, text = _cell_text(cell)
        if player is Player.WHITE:
            if left is not None:
                number += 1
                yield _format_row(number, left, "")
            left = text
        else:
            number += 1
            yield _format_row(number, left or "", text)
            left = None
    if left is not None:
        left_dropped = left == " Drops" and winner is Player.BLACK
        yield _format_row(number + 1, left, f" {wins} " if left_dropped else "")
        if left_dropped:
            return
    if winner is not None:
        yield (_LEFT_WINS if winner is Player.WHITE else _RIGHT_WINS) + wins


def _skip_implied_takes(cells: tuple[ReplayCell, ...]) -> Iterator[ReplayCell]:
    """Match text has no word for the take after a beaver: the next throw implies it."""
    was_beavered = False
    for cell in cells:
        act = cell.act if isinstance(cell, CubeAction) else None
        if not (was_beavered and act is CubeAct.TAKEN):
            yield cell
        was_beavered = act is CubeAct.BEAVERED


def _format_row(number: int, left: str, right: str) -> str:
    text = left.rstrip()
    padded = f"{text} " if len(text) >= _LEFT_WIDTH else left.ljust(_LEFT_WIDTH)
    return f"{number:3d}) {padded}{right}"


def _cell_text(cell: ReplayCell) -> tuple[Player, str]:
    match cell:
        case ReplayTurn():
            return cell.turn.player, f"{cell.dice[0]}{cell.dice[1]}: {_steps_text(cell)}"
        case CubeAction(player=Player() as player):
            words = {
                CubeAct.OFFERED: f" Doubles => {cell.value}",
                CubeAct.BEAVERED: f" Beavers => {cell.value}",
                CubeAct.TAKEN: " Takes",
                CubeAct.DROPPED: " Drops",
            }
            return player, words[cell.act]
        case _:
            raise ValueError(f"{cell} has no place in match text; make_replay leaves it out")


def _steps_text(cell: ReplayTurn) -> str:
    """Single steps, each followed by a space except the fourth; a star marks a hit."""
    hit_points = _find_blots(cell)
    words: list[str] = []
    for source, target in cell.steps:
        hits = target != OFF and target in hit_points
        hit_points -= {target}
        words.append(f"{source}/{target}{'*' if hits else ''}" + ("" if len(words) == 3 else " "))
    return "".join(words)


def _find_blots(cell: ReplayTurn) -> set[int]:
    """The mover's points on which the opponent has a single checker."""
    other = cell.turn.before.split("/")[0 if cell.turn.player is Player.BLACK else 1]
    return {25 - point for point in range(1, 25) if other[point] == "1"}
