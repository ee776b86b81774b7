"""GNU Backgammon's .sgf files; `sgf_writer.py` says how they are written. Unknown properties are passed over."""

from dataclasses import dataclass, field

from controller.formats.importing.sgf_parser import Node, Tree, parse_sgf
from controller.formats.transcript import (
    BoardSaid,
    CubeSaid,
    GameSaid,
    Problem,
    ProblemKind,
    Said,
    Telling,
    ThrowSaid,
    Transcript,
    UnreadableFileError,
    Way,
    WinSaid,
)
from controller.formats.variations import Variation
from controller.match.events import CubeAct, Occasion
from controller.rules.player import BAR, OFF, Player
from controller.rules.setup import Setup, Side

_BACKGAMMON = "6"
_RULES = {one.value.rule.lower(): one for one in Variation if one.value.rule}
_OTHER_GAMES = {"hypergammon1", "hypergammon2"}
_ACTS = {"double": CubeAct.OFFERED, "take": CubeAct.TAKEN, "drop": CubeAct.DROPPED}
_LETTERS = "abcdefghijklmnopqrstuvwx"
_MOST_ENTRIES = 8  # letters of a play: four steps from and to
_PUT = ("AW", "AB", "AE")
_MOST_PUT = 50  # a board has two times fifteen checkers


class _NodeError(ValueError):
    """What is wrong with a node."""


@dataclass(slots=True)
class _Board:
    """Counts by own coordinate, 25 the bar; what is missing to the game's checkers is off."""

    checkers: int
    counts: dict[Player, list[int]] = field(default_factory=dict)

    def put(self, node: Node) -> None:
        """Raises _NodeError."""
        if any(len(node.properties.get(name, [])) > _MOST_PUT for name in _PUT):
            raise _NodeError(f"more than {_MOST_PUT} places are put")
        for player in Player:
            counts = self.counts[player]
            for letter in _each(node.properties.get("AE", [])):
                counts[_coordinate(letter, player) or OFF] = 0
            for letter in _each(node.properties.get(f"A{player.value}", [])):
                counts[_coordinate(letter, player) or OFF] += 1

    @property
    def setup(self) -> Setup:
        sides = {
            player: Side(self.checkers - sum(counts[1:]), tuple(counts[1:25]), counts[BAR])
            for player, counts in self.counts.items()
        }
        return Setup(sides[Player.WHITE], sides[Player.BLACK])


def read_sgf(text: str) -> Transcript:
    """Raises UnreadableFileError where there is no game of backgammon in it."""
    parsed = parse_sgf(text)
    trees = [tree for tree in parsed if tree.nodes]
    games = [tree for tree in trees if tree.nodes[0].one("GM").strip() in ("", _BACKGAMMON)]
    if not games:
        raise UnreadableFileError("there is no game of backgammon in it (GM[6])")
    first = games[0].nodes[0]
    rules = _rules_of(first)
    variation = _variation(rules)
    problems: list[Problem] = []
    said = tuple(_game_said(tree, number, variation, problems) for number, tree in enumerate(games, 1))
    if not parsed[-1].is_whole and not parsed[-1].nodes:
        line = parsed[-1].broken_line
        sentence = f"line {line}: the file breaks off before another game; what stands before is kept"
        problems.append(Problem(ProblemKind.UNREADABLE, sentence, line))
    return Transcript(
        first.one("PW").strip() or "White",
        first.one("PB").strip() or "Black",
        _match_info(first).get("length", 0),
        variation,
        said,
        Occasion(
            site=first.one("PC"),
            event=first.one("EV"),
            round=first.one("RO"),
            date=first.one("DT"),
            transcriber=first.one("AN"),
            jacoby="jacoby" in rules,
        ),
        "crawford" in rules if "RU" in first.properties and _match_info(first).get("length", 0) > 1 else None,
        tuple(problems),
    )


def _rules_of(root: Node) -> set[str]:
    return {rule.strip().lower() for value in root.properties.get("RU", []) for rule in value.split(":")}


def _variation(rules: set[str]) -> Variation:
    if rules & _OTHER_GAMES:
        raise UnreadableFileError("it is hypergammon with fewer than three checkers, which is not played here")
    return next((_RULES[rule] for rule in rules if rule in _RULES), Variation.BACKGAMMON)


def _match_info(root: Node) -> dict[str, int]:
    info = {}
    for value in root.properties.get("MI", []):
        name, _, number = value.partition(":")
        if len(number) <= 5 and number.isascii() and number.isdigit():
            info[name] = int(number)
    return info


def _game_said(tree: Tree, number: int, variation: Variation, problems: list[Problem]) -> GameSaid:
    root = tree.nodes[0]
    info = _match_info(root)
    said: list[Said] = []
    board = _start_board(variation)
    is_whole = tree.is_whole
    for node in tree.nodes:
        try:
            said.extend(_node_said(node, board))
        except _NodeError as error:
            sentence = f"line {node.line}: game {number}: {error}; the rest of the game is not kept"
            problems.append(Problem(ProblemKind.UNREADABLE, sentence, node.line, number))
            is_whole = False
            break
    if not tree.is_whole:
        sentence = f"line {tree.broken_line}: game {number} breaks off here; what stands before is kept"
        problems.append(Problem(ProblemKind.UNREADABLE, sentence, tree.broken_line, number))
    win = _win(root)
    if win is not None:
        said.append(win)
    score = (info["ws"], info["bs"]) if "ws" in info and "bs" in info else None
    rules = _rules_of(root)
    return GameSaid(
        root.line, score, tuple(said), "crawfordgame" in rules if "crawford" in rules else None, is_whole=is_whole
    )


def _node_said(node: Node, board: _Board) -> list[Said]:
    said: list[Said] = []
    if any(name in node.properties for name in _PUT):
        board.put(node)
        said.append(BoardSaid(node.line, board.setup))
    for player in Player:
        for value in node.properties.get(player.value, []):
            said.append(_action(node.line, player, value.strip()))
    dice, turn = node.one("DI"), node.one("PL")
    if len(dice) == 2 and set(dice) <= set("123456") and turn[:1].upper() in ("W", "B"):
        said.append(_thrown(node.line, Player(turn[0].upper()), dice, Telling.NOT_PLAYED))
    return said


def _action(line: int, player: Player, value: str) -> Said:
    act = _ACTS.get(value.lower())
    if act is not None:
        return CubeSaid(line, player, act)
    dice, letters = value[:2], value[2:].lower()
    if len(dice) < 2 or not set(dice) <= set("123456") or len(letters) > _MOST_ENTRIES or len(letters) % 2:
        raise _NodeError(f"{value[:40]!r} is no play")
    places = [_coordinate(letter, player) for letter in letters]
    ways = []
    for source, target in zip(places[::2], places[1::2], strict=True):
        if source is None or target is None or source <= target:
            raise _NodeError(f"{value[:40]!r} is no play")
        ways.append(Way((source, target)))
    said = _thrown(line, player, dice, Telling.PLAYED)
    text = " ".join(f"{way.points[0]}/{way.points[1]}" for way in ways)
    return ThrowSaid(line, player, said.roll, Telling.PLAYED, tuple(ways), text=text)


def _thrown(line: int, player: Player, dice: str, telling: Telling) -> ThrowSaid:
    first, second = int(dice[0]), int(dice[1])
    return ThrowSaid(line, player, (max(first, second), min(first, second)), telling)


def _win(root: Node) -> WinSaid | None:
    """`W+2` or `B+4R`."""
    value = root.one("RE").strip()
    side, plus, number = value.partition("+")
    if not plus or side not in ("W", "B"):
        return None
    digits = number.rstrip("RTF ")[:5]
    points = int(digits) if digits.isascii() and digits.isdigit() else None
    return WinSaid(root.line, Player(side), points)


def _start_board(variation: Variation) -> _Board:
    board = _Board(variation.rules.checkers)
    for player in Player:
        board.counts[player] = [0] * 26
        for place, count in variation.rules.start:
            board.counts[player][place] = count
    return board


def _each(values: list[str]) -> list[str]:
    """Single letters; `a:y` stands for all from one to the other."""
    letters: list[str] = []
    for value in values:
        text = value.strip().lower()
        if len(text) == 3 and text[1] == ":" and {text[0], text[2]} <= set(f"{_LETTERS}yz"):
            letters.extend(chr(code) for code in range(ord(text[0]), ord(text[2]) + 1))
        else:
            letters.append(text)
    return letters


def _coordinate(letter: str, player: Player) -> int | None:
    """The player's own coordinate; None for what is no letter of a place."""
    if letter in ("y", "z"):
        return BAR if letter == "y" else OFF
    if len(letter) != 1 or letter not in _LETTERS:
        return None
    number = _LETTERS.index(letter)
    return number + 1 if player is Player.WHITE else 24 - number
