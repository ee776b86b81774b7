"""Parses the error rates of both players from GNU Backgammon's analysis of a match."""

import re
from dataclasses import dataclass

_SECTIONS = {"Chequerplay statistics": "checker play", "Cube statistics": "cube", "Overall statistics": "overall"}
_RATE, _RATING = "Error rate mEMG", ("Chequerplay rating", "Cube decision rating", "Overall rating")
_BRACKETS = re.compile(r"\([^)]*\)")
_NUMBER = re.compile(r"[-+]?\d+\.\d+")


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Thousandths of a point that each player lost per unforced decision; 0 is perfect play."""

    what: str
    white: float
    black: float
    white_rating: str = ""
    black_rating: str = ""


def make_analysis_commands(file: str) -> str:
    """Commands for GNU Backgammon, one a line. `file` is an .sgf without spaces in its name."""
    commands = (
        "set confirm new off",
        "set display off",
        f"load match {file}",
        "analyse match",
        "show statistics match",
    )
    return "\n".join((*commands, ""))


def parse_error_rates(printed: str) -> tuple[ErrorRate, ...]:
    """The rates in the printed statistics; empty if nothing was analysed."""
    rates: list[ErrorRate] = []
    section = ""
    for line in printed.splitlines():
        if line.strip().endswith("statistics"):
            section = _SECTIONS.get(line.strip(), "")
        if section and line.startswith(_RATE):
            numbers = _NUMBER.findall(_BRACKETS.sub(" ", line))
            if len(numbers) == 2:
                rates.append(ErrorRate(section, abs(float(numbers[0])), abs(float(numbers[1]))))
        elif rates and line.startswith(_RATING):
            words = [part.strip() for part in re.split(r"\s{2,}", line.strip())]
            if len(words) == 3:
                last = rates[-1]
                rates[-1] = ErrorRate(last.what, last.white, last.black, words[1], words[2])
    return tuple(rates)
