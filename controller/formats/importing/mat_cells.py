"""Splits one row of match text into cells.

A row is `12) LEFT RIGHT`. A cell begins with a roll and a colon, or with a word about the cube. The columns differ from
program to program, so cells are recognised by their beginning; text in brackets begins no cell. Some programs omit the
colon, and then a play has to follow the roll. A `pass` right after a roll is no drop.
"""

import re
from dataclasses import dataclass
from enum import Enum

_ROW = re.compile(r"\s*(\d{1,4})\s*[).]")
_NEXT_ROW = re.compile(r"\s(\d{1,4})\)(?=\s)")
_BRACKETS = re.compile(r"\([^)]*\)?|\[[^\]]*\]?|\{[^}]*\}?")
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
    LOSS = "loss"  # a resignation that says how many points it costs
    WIN = "win"


# English, German, French, Spanish and Italian.
_WORDS = {
    CellKind.DOUBLE: (
        *("double", "doubles", "redouble", "redoubles", "verdoppelt", "dobla", "redobla", "raddoppia", "raddoppio"),
    ),
    CellKind.TAKE: ("take", "takes", "accept", "accepts", "nimmt an", "prend", "accepte", "acepta", "accetta"),
    CellKind.DROP: (
        *("drop", "drops", "pass", "passes", "reject", "rejects", "decline", "declines", "lehnt ab", "passt", "passe"),
        *("refuse", "rechaza", "pasa", "rifiuta", "passa"),
    ),
    CellKind.BEAVER: ("beaver", "beavers", "raccoon", "raccoons"),
    CellKind.RESIGN: (
        *("resign", "resigns", "resigned", "concede", "concedes", "conceded", "forfeit", "forfeits", "loses on time"),
        *("lost on time", "gibt auf", "abandonne", "abandona", "abbandona"),
    ),
    CellKind.LOSS: ("losses", "loss"),
    CellKind.WIN: ("win", "wins", "gewinnt", "gagne", "gana", "vince"),
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words}
# The longest word first, so that no word hides another.
_ANY_WORD = "|".join(re.escape(word).replace("\\ ", r"\s") for word in sorted(_KINDS, key=len, reverse=True))
_CELL = re.compile(
    r"(?P<roll>(?<![\d/])[0-6]\s?-?[0-6])\s?:"
    r"|(?P<bare>(?<![^\s)])[1-6][1-6])(?=\s{1,3}(?:bar|\d{1,2})/)"
    rf"|(?<![\w/])(?P<word>{_ANY_WORD})(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MatCell:
    """`dice` as written, (0, 0) if they are unknown; `number` is the first number after a word."""

    column: int
    kind: CellKind
    text: str
    dice: tuple[int, int] | None = None
    number: int | None = None


def split_rows(line: str) -> list[str]:
    """The rows of a line; some programs glue several together, whose numbers follow each other."""
    first = _ROW.match(line)
    if first is None:
        return [line]
    begins, number = [0], int(first[1])
    for found in _NEXT_ROW.finditer(_without_brackets(line), first.end()):
        if int(found[1]) == number + 1:
            begins.append(found.start())
            number += 1
    return [line[begin:end] for begin, end in zip(begins, [*begins[1:], len(line)], strict=True)]


def parse_row(line: str) -> tuple[MatCell, ...] | None:
    """The cells of a row from left to right; None if the line is no row."""
    found = _ROW.match(line)
    return None if found is None else parse_cells(line, found.end())


def parse_cells(line: str, start: int = 0) -> tuple[MatCell, ...]:
    """The cells that begin at column `start` or later."""
    plain = _without_brackets(line)
    begins = [one for one in _CELL.finditer(plain, start) if not _is_play(one, plain)]
    ends = [*(one.start() for one in begins[1:]), len(line)]
    return tuple(_parse_cell(one, line[one.end() : end]) for one, end in zip(begins, ends, strict=False))


def _is_play(found: re.Match[str], line: str) -> bool:
    """`42: Passes` is a roll without a legal move, and no answer to a double."""
    is_pass = (found["word"] or "").lower().startswith("pas")
    return is_pass and re.search(r"[0-6]\s?:$", line[: found.start()].rstrip()) is not None


def _without_brackets(line: str) -> str:
    """The line with spaces in place of brackets and what is in them."""
    return _BRACKETS.sub(lambda inside: " " * len(inside[0]), line)


def _parse_cell(begin: re.Match[str], text: str) -> MatCell:
    roll = begin["roll"] or begin["bare"]
    if roll is not None:
        dice = (int(roll[0]), int(roll[-1]))
        return MatCell(begin.start(), CellKind.ROLL, text.strip(), dice)
    number = _NUMBER.search(text)
    word = _KINDS[" ".join(begin["word"].lower().split())]
    return MatCell(begin.start(), word, text.strip(), None, int(number[0]) if number else None)
