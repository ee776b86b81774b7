"""Parses the lines of match text outside the rows: tags, the length, and the names and scores above each game."""

import re
from collections.abc import Mapping

from controller.formats.transcript import UnreadableFileError
from controller.formats.variations import Variation
from controller.match import Occasion

# No pattern begins or ends with an unlimited run of spaces, because matching would start again at each space.
_TAG = re.compile(r';?\s*\[\s*([^"\]\s][^"\]]{0,39}?)\s+"(.*)')
_POINTS = r"p(?:oin)?ts?"
_LENGTH = re.compile(
    rf"(\d{{1,5}})[\s-]*{_POINTS}[\s-]*match"
    rf"|match\s+(?:to|of)\s+(\d{{1,5}})(?:\s+{_POINTS})?$|match\s+length\s*:\s*(\d{{1,5}})",
    re.IGNORECASE,
)
_MONEY = re.compile(r"(money|unlimited)\s+(point\s+)?(game|match|session)s?$", re.IGNORECASE)
_GAME = re.compile(
    r"game(?:\s*[:#]|\s+no\.?)?\s*\d{1,7}(?:\s+of\s+\d{1,7})?(?:[:.]|[\s,(-]{1,3}(?:post-?)?crawford(?:\sgame)?\)?)?$",
    re.IGNORECASE,
)
_SCORE = re.compile(r":\s*(\d{1,5})(?=\s)")
_LAST_SCORE = re.compile(r":\s*(\d{1,5})(?:\s?\([^()]{1,40}\))?$")
_DATE = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})")
_TIME = re.compile(r"(\d{1,2})[.:](\d{2})")
READ_TAGS = {
    *("site", "match id", "player 1", "player 2", "event", "round", "eventdate", "eventtime", "transcriber"),
    *("variation", "crawford", "jacoby"),
}
_VARIATIONS = {
    "": Variation.BACKGAMMON,
    "backgammon": Variation.BACKGAMMON,
    "standard": Variation.BACKGAMMON,
    "nackgammon": Variation.NACKGAMMON,
    "hypergammon": Variation.HYPERGAMMON,
    "hypergammon (3)": Variation.HYPERGAMMON,
}


def parse_tag(line: str) -> tuple[str, str] | None:
    """Key (in lower case) and value of a header line; None if the line is no tag."""
    found = _TAG.match(line.strip())
    return None if found is None else (found[1].lower(), found[2].removesuffix("]").rstrip().removesuffix('"'))


def format_unread_tag(line: str) -> str:
    """A tag that says nothing about the play, as a line for people; a remark is its text alone."""
    found = _TAG.match(line.strip())
    if found is None:
        return ""
    value = found[2].removesuffix("]").rstrip().removesuffix('"').strip()
    return value if found[1].lower() == "remark" or not value else f"{found[1]}: {value}"


def parse_length(line: str) -> int | None:
    """The length of a match in points, 0 for money games; None if the line does not contain it."""
    text = line.strip()
    found = _LENGTH.match(text)
    if found is not None:
        return int(found[1] or found[2] or found[3])
    return 0 if _MONEY.match(text) else None


def is_game_line(line: str) -> bool:
    return _GAME.match(line.strip()) is not None


def parse_names_and_scores(line: str) -> tuple[tuple[str, int], tuple[str, int]] | None:
    """Left and right, as in `Anna : 3      Boris : 0`. A name may contain colons; a gap follows the score."""
    line = line.rstrip()
    last = _LAST_SCORE.search(line)
    if last is None:
        return None
    front = line[: last.start()]
    found = list(_SCORE.finditer(front))
    if not found:
        return None
    wide = [one for one in found if front[one.end() : one.end() + 2] == "  "]
    left = wide[0] if wide else found[-1]
    names = front[: left.start()].strip(), front[left.end() :].strip()
    return (names[0], int(left[1])), (names[1], int(last[1]))


def parse_variation(tags: Mapping[str, str]) -> Variation:
    """Raises UnreadableFileError for an unknown game, which would be replayed wrongly."""
    name = tags.get("variation", "")
    variation = _VARIATIONS.get(name.strip().lower())
    if variation is None:
        raise UnreadableFileError(f"it is a match of {name[:40]!r}; backgammon, NackGammon and HyperGammon are read")
    return variation


def parse_occasion(tags: Mapping[str, str]) -> Occasion:
    """The occasion of the tags; a missing rule has its usual value."""
    date, time = _DATE.match(tags.get("eventdate", "")), _TIME.match(tags.get("eventtime", ""))
    return Occasion(
        site=tags.get("site", ""),
        event=tags.get("event", ""),
        round=tags.get("round", ""),
        date="" if date is None else f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}",
        time="" if time is None else f"{int(time[1]):02}:{time[2]}",
        transcriber=tags.get("transcriber", ""),
        jacoby=_is_on(tags.get("jacoby")) or False,
    )


def parse_crawford(tags: Mapping[str, str]) -> bool | None:
    return _is_on(tags.get("crawford"))


def _is_on(value: str | None) -> bool | None:
    words = {"on": True, "yes": True, "true": True, "1": True, "off": False, "no": False, "false": False, "0": False}
    return words.get((value or "").strip().lower())
