"""What match text says before its games: tags, the length, and the line with names and scores over each game."""

import re
from collections.abc import Mapping

from controller.events import Occasion
from controller.formats.transcript import UnreadableFileError
from controller.formats.variations import Variation

_TAG = re.compile(r'\s*;?\s*\[\s*([^"\]]{1,40}?)\s+"(.*?)"?\s*\]?\s*$')
_LENGTH = re.compile(
    r"\s*(?:(\d{1,5})[\s-]*points?[\s-]*match|match\s+to\s+(\d{1,5})(?:\s+points?)?\s*$)", re.IGNORECASE
)
_MONEY = re.compile(r"\s*(money|unlimited)\s+(point\s+)?(game|match|session)s?\s*$", re.IGNORECASE)
_GAME = re.compile(r"\s*game\s+(\d{1,7})\s*[:.]?\s*$", re.IGNORECASE)
_SCORE = re.compile(r"\s*:\s*(\d{1,5})(?=\s)")
_LAST_SCORE = re.compile(r"\s*:\s*(\d{1,5})\s*$")
_DATE = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})")
_TIME = re.compile(r"(\d{1,2})[.:](\d{2})")
_VARIATIONS = {
    "": Variation.BACKGAMMON,
    "backgammon": Variation.BACKGAMMON,
    "standard": Variation.BACKGAMMON,
    "nackgammon": Variation.NACKGAMMON,
    "hypergammon": Variation.HYPERGAMMON,
    "hypergammon (3)": Variation.HYPERGAMMON,
}


def tag_of(line: str) -> tuple[str, str] | None:
    """Key and value of a header line; the key in small letters."""
    found = _TAG.match(line)
    return None if found is None else (found[1].lower(), found[2])


def length_of(line: str) -> int | None:
    """The points of a match, 0 for money games; None where the line says nothing of it."""
    found = _LENGTH.match(line)
    if found is not None:
        return int(found[1] or found[2])
    return 0 if _MONEY.match(line) else None


def is_game_line(line: str) -> bool:
    return _GAME.match(line) is not None


def names_and_scores(line: str) -> tuple[tuple[str, int], tuple[str, int]] | None:
    """Left and right, as in `Anna : 3      Boris : 0`. A name may hold colons; the score is followed by a gap."""
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


def variation_named(tags: Mapping[str, str]) -> Variation:
    """Raises UnreadableFileError for a game that would be replayed wrongly."""
    name = tags.get("variation", "")
    variation = _VARIATIONS.get(name.strip().lower())
    if variation is None:
        raise UnreadableFileError(f"it is a match of {name[:40]!r}; backgammon, NackGammon and HyperGammon are read")
    return variation


def occasion_of(tags: Mapping[str, str]) -> Occasion:
    """Rules that are not told in tags stay as they are usual."""
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


def crawford_of(tags: Mapping[str, str]) -> bool | None:
    return _is_on(tags.get("crawford"))


def _is_on(value: str | None) -> bool | None:
    words = {"on": True, "yes": True, "true": True, "1": True, "off": False, "no": False, "false": False, "0": False}
    return words.get((value or "").strip().lower())
