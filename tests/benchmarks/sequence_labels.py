"""The truth of a rendered sequence (`game.json`, frame labels), and a log compared with it turn by turn."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from controller.adjudication.board_view import view_of
from controller.match.events import RefereeEvent, SeatingKnown, ThrowRefused
from controller.match.seating import Checkers, Seating
from controller.match_log import TurnLine, TurnRuling, turn_lines
from controller.observing.board_evidence import BoardView, Pair
from controller.rules import Ruleset, get_ruleset, parse_setup
from vision.camera.recorded import open_picture_folder
from vision.places import POINTS, Place

_GAMES = {"nardy": "long_nardy"}
_COLUMNS = {"light": 0, "dark": 1}
_ENTERS_FROM, _HOME_TO = 19, 6


class Found(Enum):
    """What became of a turn that was played."""

    RIGHT = "right"
    WRONG_ROLL = "wrong roll"
    WRONG_RULING = "wrong ruling"
    UNSURE = "unsure"
    MISSING = "missing"
    INVENTED = "invented"  # in the log, but nobody played it


# Cost of matching a line of the log with a turn; the cheapest alignment is scored.
_COST = {
    Found.RIGHT: 0,
    Found.UNSURE: 4,
    Found.MISSING: 5,
    Found.WRONG_ROLL: 6,
    Found.WRONG_RULING: 7,
    Found.INVENTED: 7,
}


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn with its roll; `after` is the board by places."""

    checkers: Checkers
    roll: tuple[int, ...]
    after: BoardView


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game; `moves` are (checkers, source, target) of all turns, `bad_ms` the times of pictures without a valid throw."""

    name: str
    folder: Path
    game: str
    turns: tuple[PlayedTurn, ...]
    moves: tuple[tuple[Checkers, str, str], ...]
    bad_ms: frozenset[int]


@dataclass(frozen=True, slots=True)
class SequenceScore:
    """How a log compares with its game; `refused` counts valid throws that were refused."""

    found: Counter[Found]
    seating_is_right: bool
    refused: int


def played_game(folder: Path) -> PlayedGame:
    """Reads the truth of one folder."""
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    points = {name: _pair(*there) for name, there in game["start"]["points"].items()}
    bar, off = (_by_checkers(game["start"][place]) for place in ("bar", "off"))
    board = _Board({place: points.get(place.value, (0, 0)) for place in POINTS}, bar, off)
    turns = list[PlayedTurn]()
    for turn in game["turns"]:
        checkers = Checkers(turn["player"])
        for source, target in turn["moves"]:
            board.move(checkers, source, target)
        turns.append(PlayedTurn(checkers, tuple(sorted(turn["roll"], reverse=True)), board.view))
    moves = tuple(
        (Checkers(turn["player"]), source, target) for turn in game["turns"] for source, target in turn["moves"]
    )
    name = game["game"]
    return PlayedGame(folder.name, folder, _GAMES.get(name, name), tuple(turns), moves, _bad_ms(folder))


def score_of(events: Sequence[RefereeEvent], truth: PlayedGame) -> SequenceScore:
    """Compares a whole log with the truth."""
    rules = get_ruleset(truth.game)
    seatings = [event.seating for event in events if isinstance(event, SeatingKnown)]
    refused = [event for event in events if isinstance(event, ThrowRefused) and event.at_ms not in truth.bad_ms]
    seating = seatings[-1] if seatings else None
    found = Counter(Found.MISSING for _ in truth.turns)
    if seating is not None:
        found = _aligned(turn_lines(events), truth.turns, seating, rules)
    is_right = seating is not None and all(_is_forward(move, seating, rules) for move in truth.moves)
    return SequenceScore(found, is_right, len(refused))


def _aligned(
    lines: Sequence[TurnLine], turns: Sequence[PlayedTurn], seating: Seating, rules: Ruleset
) -> Counter[Found]:
    """Aligns lines and turns in order at the least cost."""
    best: dict[tuple[int, int], tuple[int, Counter[Found]]] = {(0, 0): (0, Counter())}
    for at in range(len(lines) + 1):
        for turn in range(len(turns) + 1):
            ways = [best[at, turn]] if (at, turn) == (0, 0) else []
            if at:
                ways.append(_with(best[at - 1, turn], Found.INVENTED))
            if turn:
                ways.append(_with(best[at, turn - 1], Found.MISSING))
            if at and turn:
                ways.append(_with(best[at - 1, turn - 1], _compared(lines[at - 1], turns[turn - 1], seating, rules)))
            best[at, turn] = min(ways, key=_cost)
    return best[len(lines), len(turns)][1]


def _with(so_far: tuple[int, Counter[Found]], found: Found) -> tuple[int, Counter[Found]]:
    cost, counts = so_far
    return cost + _COST[found], counts + Counter([found])


def _cost(way: tuple[int, Counter[Found]]) -> int:
    return way[0]


def _compared(line: TurnLine, turn: PlayedTurn, seating: Seating, rules: Ruleset) -> Found:
    if line.ruling is TurnRuling.UNSURE or not line.roll:
        return Found.UNSURE
    if seating.checkers_of(line.player) is not turn.checkers or line.ruling is TurnRuling.ILLEGAL or line.after is None:
        return Found.WRONG_RULING
    if view_of(parse_setup(line.after), seating, rules) != turn.after:
        return Found.WRONG_RULING
    return Found.RIGHT if line.roll == turn.roll else Found.WRONG_ROLL


def _is_forward(move: tuple[Checkers, str, str], seating: Seating, rules: Ruleset) -> bool:
    """Whether the checker comes nearer to its end under the seating; it enters on the last six points."""
    checkers, source, target = move
    names = {place.value: place for place in POINTS}
    player = seating.player_of(checkers)
    here, there = (
        seating.point_at(names[name], player, rules.direction) if name in names else None for name in (source, target)
    )
    if here is None or there is None:
        return (there is None or there >= _ENTERS_FROM) and (here is None or here <= _HOME_TO)
    return there < here


class _Board:
    """The checkers by place, which the moves of the truth change."""

    def __init__(self, points: dict[Place, Pair], bar: Pair, off: Pair) -> None:
        self._points = {place: list(pair) for place, pair in points.items()}
        self._beside = {"bar": list(bar), "off": list(off)}

    def move(self, checkers: Checkers, source: str, target: str) -> None:
        """Moves a checker; a single checker of the other side on `target` is hit."""
        column = checkers.column
        there = self._at(target)
        if target != "off" and there[1 - column] == 1:
            there[1 - column] = 0
            self._beside["bar"][1 - column] += 1
        self._at(source)[column] -= 1
        there[column] += 1

    def _at(self, name: str) -> list[int]:
        return self._beside[name] if name in self._beside else self._points[Place(name)]

    @property
    def view(self) -> BoardView:
        points = tuple((light, dark) for light, dark in (self._points[place] for place in POINTS))
        (bar_light, bar_dark), (off_light, off_dark) = self._beside["bar"], self._beside["off"]
        return BoardView(points, (bar_light, bar_dark), (off_light, off_dark))


def _pair(colour: str, count: int) -> Pair:
    return (count, 0) if _COLUMNS[colour] == 0 else (0, count)


def _by_checkers(record: dict[str, int]) -> Pair:
    return record["light"], record["dark"]


def _bad_ms(folder: Path) -> frozenset[int]:
    """The times at which the pictures of throws that do not count are shown."""
    with open_picture_folder(folder) as source:
        times: list[int] = []
        while (frame := source.latest(0)) is not None:
            times.append(frame.taken_ms)
    labels = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return frozenset(ms for ms, label in zip(times, labels, strict=True) if label["event"] in {"bad_roll", "pick_up"})
