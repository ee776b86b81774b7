"""Parses an .sgf file into trees, of which only the main lines are kept."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from controller.formats.limits import MOST_GAMES, MOST_TURNS, MOST_TURNS_OF_GAME
from controller.formats.transcript import UnreadableFileError
from controller.rules import BAR, OFF, Player

LETTERS = "abcdefghijklmnopqrstuvwx"
"""Those of the points, from White's point 1 on."""

# A bracket, the beginning of a node, the name of a property, or a value with its escapes.
_TOKEN = re.compile(r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]{1,20})|\[(?P<value>(?:[^\]\\]|\\.)*+)\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n|.)", re.DOTALL)
_MOST_DEPTH = 100
_MOST_TOKENS = 400_000  # per file; the longest analysed matches have about 100,000


@dataclass(frozen=True, slots=True)
class SgfNode:
    """Properties by name, each with its values; `line` counts from 1."""

    line: int
    properties: dict[str, list[str]]

    def first_value(self, name: str) -> str:
        """The first value; empty if there is none."""
        values = self.properties.get(name)
        return values[0] if values else ""


@dataclass(frozen=True, slots=True)
class SgfTree:
    """The main line of a tree. Without `is_whole` it could be read only up to `broken_line`."""

    nodes: tuple[SgfNode, ...]
    is_whole: bool = True
    broken_line: int = 0


def parse_coordinate(letter: str, player: Player) -> int | None:
    """The player's own coordinate; None if the letter is no place."""
    if letter in ("y", "z"):
        return BAR if letter == "y" else OFF
    if len(letter) != 1 or letter not in LETTERS:
        return None
    number = LETTERS.index(letter)
    return number + 1 if player is Player.WHITE else 24 - number


def parse_sgf(text: str) -> tuple[SgfTree, ...]:
    """The trees up to the first broken one. Raises UnreadableFileError beyond a limit."""
    reader = _SgfScanner(text)
    trees: list[SgfTree] = []
    n_nodes = 0
    for tree in reader.scan_trees():
        if len(trees) >= MOST_GAMES:
            raise UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
        trees.append(tree)
        n_nodes += len(tree.nodes)
        if n_nodes > MOST_TURNS:
            raise UnreadableFileError(f"it has more than {MOST_TURNS:,} turns")
        if not tree.is_whole:
            break  # text after an unclosed bracket cannot be assigned to a tree
    return tuple(trees)


class _SgfScanner:
    """Scans the text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._n_tokens = 0

    def scan_trees(self) -> Iterator[SgfTree]:
        while (start := self._text.find("(", self._at)) >= 0:
            self._advance_to(start + 1)
            yield self._scan_tree()

    def _scan_tree(self) -> SgfTree:
        """Scans from behind the opening bracket; follows the first branch only."""
        nodes: list[SgfNode] = []
        values: list[str] | None = None
        depth, closed = 1, False  # after a closed branch, all other branches are side lines
        while True:
            token = _TOKEN.match(self._text, self._at)
            if token is None or depth > _MOST_DEPTH:
                return SgfTree(tuple(nodes), is_whole=False, broken_line=self._line)
            self._advance_to(token.end())
            self._n_tokens += 1
            if self._n_tokens > _MOST_TOKENS:
                raise UnreadableFileError(f"line {self._line}: it has more than {_MOST_TOKENS:,} properties and values")
            mark = token["mark"]
            if mark == ")":
                depth, closed = depth - 1, True
                if depth == 0:
                    return SgfTree(tuple(nodes))
            elif mark == "(":
                depth += 1
            elif closed:
                continue
            elif mark == ";":
                if len(nodes) > MOST_TURNS_OF_GAME:
                    raise UnreadableFileError(f"line {self._line}: a game has more than {MOST_TURNS_OF_GAME:,} turns")
                nodes.append(SgfNode(self._line, {}))
                values = None
            elif token["name"] is not None:
                name = "".join(letter for letter in token["name"] if letter.isupper())
                values = nodes[-1].properties.setdefault(name, []) if nodes else None
            elif values is not None:
                values.append(_ESCAPED.sub(_unescape, token["value"]))

    def _advance_to(self, place: int) -> None:
        self._line += self._text.count("\n", self._at, place)
        self._at = place


def _unescape(found: re.Match[str]) -> str:
    return "" if found[1].endswith("\n") else found[1]
