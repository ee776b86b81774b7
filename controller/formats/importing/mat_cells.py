"""Splits one row of match text into cells.

A row is `12) LEFT RIGHT`. A cell begins with a roll and a colon, or with a word about the cube. The columns differ from
program to program, so cells are recognised by their beginning; text in brackets begins no cell. Some programs omit the
colon, and then a play has to follow the roll. A `pass` right after a roll is no drop.
"""

import re
from dataclasses import dataclass
from enum import Enum

_ROW = re.compile(r"\s*(\d{1,4})\s*[).]")
_BRACKETS = re.compile(r"\([^)]*\)?|\[[^\]]*\]?|\{[^}]*\}?")
_CELL = re.compile(
    r"(?P<roll>(?<![\d/])[0-6]\s?-?[0-6])\s?:"
    r"|(?P<bare>(?<![^\s)])[1-6][1-6])(?=\s{1,3}(?:bar|\d{1,2})/)"
    r"|(?<![\w/])(?P<word>redoubles?|doubles?|takes?|accepts?|drops?|(?<!\d: )pass(?:es)?|rejects?|declines?|beavers?"
    r"|raccoons?|resign(?:s|ed)?|concedes?|conceded|forfeits?|los(?:es|t)\son\stime|wins?)(?!\w)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,7}")
RIGHT_FROM = 20  # in every dialect, a cell that begins at this column or later is in the right column


class CellKind(Enum):
    """The subject of a cell."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RESIGN = "resign"
    WIN = "win"


_KINDS = {
    "double": CellKind.DOUBLE,
    "redouble": CellKind.DOUBLE,
    "take": CellKind.TAKE,
    "accept": CellKind.TAKE,
    "drop": CellKind.DROP,
    "pass": CellKind.DROP,
    "pas": CellKind.DROP,
    "passe": CellKind.DROP,
    "reject": CellKind.DROP,
    "decline": CellKind.DROP,
    "beaver": CellKind.BEAVER,
    "raccoon": CellKind.BEAVER,
    "resign": CellKind.RESIGN,
    "resigned": CellKind.RESIGN,
    "concede": CellKind.RESIGN,
    "conceded": CellKind.RESIGN,
    "forfeit": CellKind.RESIGN,
    "loses on time": CellKind.RESIGN,
    "lost on time": CellKind.RESIGN,
    "win": CellKind.WIN,
}


@dataclass(frozen=True, slots=True)
class MatCell:
    """`dice` as written, (0, 0) if they are unknown; `number` is the first number after a word."""

    column: int
    kind: CellKind
    text: str
    dice: tuple[int, int] | None = None
    number: int | None = None


def parse_row(line: str) -> tuple[MatCell, ...] | None:
    """The cells of a row from left to right; None if the line is no row."""
    found = _ROW.match(line)
    return None if found is None else parse_cells(line, found.end())


def parse_cells(line: str, start: int = 0) -> tuple[MatCell, ...]:
    """The cells that begin at column `start` or later."""
    masked = _BRACKETS.sub(lambda inside: " " * len(inside[0]), line)
    begins = list(_CELL.finditer(masked, start))
    ends = [*(one.start() for one in begins[1:]), len(line)]
    return tuple(_parse_cell(one, line[one.end() : end]) for one, end in zip(begins, ends, strict=False))


def _parse_cell(begin: re.Match[str], text: str) -> MatCell:
    roll = begin["roll"] or begin["bare"]
    if roll is not None:
        dice = (int(roll[0]), int(roll[-1]))
        return MatCell(begin.start(), CellKind.ROLL, text.strip(), dice)
    number = _NUMBER.search(text)
    word = _KINDS[" ".join(begin["word"].lower().split()).removesuffix("s")]
    return MatCell(begin.start(), word, text.strip(), None, int(number[0]) if number else None)
