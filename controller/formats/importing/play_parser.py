"""Parses plays as people and programs write them: `24/18 13/8*`, `bar/22`, `8/5(2)`, `24/18*/13`, `8/5, 6/5`, `8-5`.

Stars are ignored: the board decides on hits.
"""

import re
from itertools import pairwise

from controller.formats.transcript import CheckerPath
from controller.rules import BAR, OFF

_PLACES = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF, "home": OFF}
_NO_PLAY = {
    *("", "cannotmove", "cannot move", "can't move", "cant move", "cannot play", "can't play", "no move", "nomove"),
    *("no moves", "no play", "no legal move", "no legal play", "dance", "dances", "fan", "fans"),
    *("pass", "passes", "passt", "passe", "pasa", "passa"),
    *("-", "--", "---"),
}
_COUNT = re.compile(r" ?(?:[(\[](\d)[)\]]|x(\d)\b)")  # `8/5(2)`, `8/5 (2)`, `8/5[2]`, `8/5x2`
_COMMENT = re.compile(r"\((?!\d\))[^)]*\)?|\[[^\]]*\]?|\{[^}]*\}?")  # brackets with anything but a count
_STROKE = re.compile(r" ?/ ?")
_NO_STEP = ("0/0", "off/off")  # written for a number without a checker left
_ILLEGAL_REMARK = "illegal"  # written by one program after a play that it doubts
_MOST_WORDS = 8


class PlayTextError(ValueError):
    """Text that is no play."""


def parse_paths(text: str) -> tuple[CheckerPath, ...]:
    """The paths of a play; empty for a pass. Raises PlayTextError."""
    plain = " ".join(text.lower().split()).rstrip(".;")
    if plain.startswith(("(", "[")):
        plain = plain.strip("()[] ")
    plain = _COUNT.sub(r"(\1\2) ", plain.replace("*", ""))
    plain = _COMMENT.sub(" ", plain).strip()
    if plain in _NO_PLAY:
        return ()
    words = _STROKE.sub("/", plain).replace(",", " ").replace(";", " ").split()
    words = [word for word in words if word not in _NO_STEP and not word.startswith(_ILLEGAL_REMARK)]
    if len(words) > _MOST_WORDS:
        raise PlayTextError(text)
    return tuple(_parse_path(word) for word in words)


def find_comments(text: str) -> tuple[str, ...]:
    """What stands in brackets beside a play and is no count."""
    found = (one[0].strip("()[]{} ") for one in _COMMENT.finditer(_COUNT.sub(" ", text)))
    return tuple(comment for comment in found if comment)


def _parse_path(word: str) -> CheckerPath:
    path, bracket, rest = word.partition("(")
    count = 1
    if bracket:
        number, closing, after = rest.partition(")")
        if not closing or after or number not in ("1", "2", "3", "4"):
            raise PlayTextError(word)
        count = int(number)
    names = path.split("/") if "/" in path else path.split("-")
    points = tuple(_parse_place(name) for name in names)
    if len(points) < 2 or any(second >= first for first, second in pairwise(points)):
        raise PlayTextError(word)
    return CheckerPath(points, count)


def _parse_place(name: str) -> int:
    if name in _PLACES:
        return _PLACES[name]
    if len(name) <= 2 and name.isascii() and name.isdigit() and int(name) <= BAR:
        return int(name)
    raise PlayTextError(name)
