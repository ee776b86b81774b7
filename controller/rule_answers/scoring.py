"""The kind `scoring`: what a finished game is worth."""

from collections.abc import Mapping

from controller.rule_answers.fields import (
    EnumChoice,
    TextChoice,
    WholeNumber,
    make_case_error,
    read_flag,
    read_optional,
    read_required,
    read_text,
)
from controller.rules import SCHEMES, Counts, Direction, Stakes, StakeUnit, get_scheme, points_for_win, win_kind

_LARGEST = 1 << 62  # bounds stakes and values, so that no case makes the answer huge


def answer(case: Mapping[str, object]) -> dict[str, object]:
    """The kind of win and its points."""
    scheme = get_scheme(read_required(case, "scheme", TextChoice(tuple(SCHEMES))))
    loser = read_required(case, "loser", read_loser_counts)
    kind = win_kind(scheme, read_required(case, "direction", EnumChoice(Direction)), loser)
    stakes = Stakes(
        cube=read_optional(case, "cube", WholeNumber(1, _LARGEST), 1),
        cube_turned=read_optional(case, "cube_turned", read_flag, default=False),
        stake=read_optional(case, "stake", WholeNumber(1, _LARGEST), 1),
        jacoby=read_optional(case, "jacoby", read_flag, default=False),
        unit=read_optional(case, "unit", EnumChoice(StakeUnit), StakeUnit.GAME),
    )
    return {"kind": kind.value, "points": points_for_win(kind, scheme, loser, stakes)}


def read_loser_counts(value: object, name: str) -> Counts:
    """Reads one side of a position text, 26 or 27 hexadecimal digits, as 27 counts."""
    digits = read_text(value, name)
    if len(digits) not in (26, 27):
        raise make_case_error(name, value, f"has {len(digits)} digits", "give 26, or 27 with the reserve")
    if not all(digit in "0123456789abcdef" for digit in digits):
        raise make_case_error(name, value, "holds a character that is no digit", "use 0 to 9 and a to f")
    counts = tuple(int(digit, 16) for digit in digits.ljust(27, "0"))
    if not 1 <= sum(counts) <= 15:
        raise make_case_error(name, value, f"holds {sum(counts)} checkers", "give 1 to 15")
    return counts
