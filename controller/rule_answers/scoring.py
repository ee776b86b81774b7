"""Answers questions of the kind `scoring`: what a finished game is worth."""

from collections.abc import Mapping

from controller.rule_answers.fields import Choice, Whole, Word, flag, optional, refuse, required, text
from controller.rules.player import Direction
from controller.rules.scoring.points import SCHEMES, Counts, Stakes, Unit, points, scheme_named, win_kind

_LARGEST = 1 << 62  # a stake may be any number, but a case may not make us print a huge one


def answer(case: Mapping[str, object]) -> dict[str, object]:
    """The shape of `expect`: kind and points."""
    scheme = scheme_named(required(case, "scheme", Word(tuple(SCHEMES))))
    loser = required(case, "loser", loser_counts)
    kind = win_kind(scheme, required(case, "direction", Choice(Direction)), loser)
    stakes = Stakes(
        cube=optional(case, "cube", Whole(1, _LARGEST), 1),
        cube_turned=optional(case, "cube_turned", flag, default=False),
        stake=optional(case, "stake", Whole(1, _LARGEST), 1),
        jacoby=optional(case, "jacoby", flag, default=False),
        unit=optional(case, "unit", Choice(Unit), Unit.GAME),
    )
    return {"kind": kind.value, "points": points(kind, scheme, loser, stakes)}


def loser_counts(value: object, name: str) -> Counts:
    """One side of a position text, 26 or 27 hexadecimal digits, as 27 counts."""
    digits = text(value, name)
    if len(digits) not in (26, 27):
        raise refuse(name, value, f"has {len(digits)} digits", "give 26, or 27 with the reserve")
    if not all(digit in "0123456789abcdef" for digit in digits):
        raise refuse(name, value, "holds a character that is no digit", "use 0 to 9 and a to f")
    counts = tuple(int(digit, 16) for digit in digits.ljust(27, "0"))
    if not 1 <= sum(counts) <= 15:
        raise refuse(name, value, f"holds {sum(counts)} checkers", "give 1 to 15")
    return counts
