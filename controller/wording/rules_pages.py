"""The output of `zarbiter rules list` and `rules show`: the games as lines for people and as JSON records."""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import Enum

from controller.rules import (
    GAMES,
    GRASSHOPPER,
    NAMES,
    RESERVE,
    RULESETS,
    GameNames,
    Ruleset,
    Words,
    position_text,
    start_position,
)
from controller.rules.grasshopper import game as grasshopper
from controller.wording.board_text import CubeDisplay, Glyphs, board_text, grasshopper_text

ParameterValue = str | int | bool | None

_WIDTH = 79
_APP = "Russian app help"
_OTHER_APP = "second Russian app help"
_ARTICLE = "Russian article on long nardy"
_GUIDE = "beginners' guide to backgammon"
_LITHUANIAN = "Lithuanian rules"
_RUSSIAN = "Russian common rules"
_GUL_BARA = "Gul bara rules"


@dataclass(frozen=True, slots=True)
class _Note:
    """What distinguishes a game, and the titles of the texts that its rules come from."""

    special: str
    sources: tuple[str, ...]


_NOTES = {
    "backgammon": _Note(
        "Short nardy as well: blots are hit, the dice must be played as far as possible, and there is a cube.",
        (_APP, _GUIDE, _OTHER_APP, _LITHUANIAN, _RUSSIAN),
    ),
    "backgammon_g": _Note(
        "Backgammon where a checker that hit in its own home is not borne off in the same turn.", (_RUSSIAN,)
    ),
    "caucasian": _Note(
        "Backgammon where a checker that hit in its own home may not hide on another own one in that turn.", (_RUSSIAN,)
    ),
    "nackgammon": _Note("Backgammon with two more checkers far back, on the point 23.", (_APP, _OTHER_APP)),
    "hypergammon": _Note("Backgammon with three checkers each.", ("bkgm.com", "BrainKing")),
    "tavla": _Note("No hit and run at home, and who can bear off must; no cube.", (_APP, _OTHER_APP)),
    "old_english": _Note(
        "At most five checkers on a point, and one number of the dice is enough; no cube.",
        (_APP, _OTHER_APP, "rec.games.backgammon 1996"),
    ),
    "long_nardy": _Note(
        "Both run the same way, nothing is hit, one checker leaves the head a roll, and no six-block in front of all.",
        (_APP, _ARTICLE, _OTHER_APP, _RUSSIAN),
    ),
    "nardegammon": _Note("Long nardy with the opening dice and the cube of backgammon.", (_APP, _OTHER_APP)),
    "gulbar": _Note(
        "Long nardy where the opponent plays what you cannot, and a fully played double throws again.", (_RUSSIAN,)
    ),
    "crazy_gulbar": _Note(
        "Gulbar where a double is played from its rank up to the sixes, two numbers each.", (_RUSSIAN,)
    ),
    "gul_bara": _Note(
        "After three rolls a double is played from its rank up to the sixes, four numbers each; no head rule.",
        (_GUL_BARA,),
    ),
    "fevga": _Note(
        "One runner has to pass the opponent's start first, and the start quarter may not be filled.",
        ("BrainKing", "bkgm.com", "Wikipedia"),
    ),
    "plakoto": _Note(
        "A blot is pinned instead of hit, and who pins the mother checker wins twofold.",
        ("BrainKing", "Ludii", "Wikipedia"),
    ),
    "backgammon_race": _Note(
        "Backgammon that starts with all checkers off the board; they enter with the dice.",
        ("itsyourturn.com", "everything2"),
    ),
    "anti_backgammon": _Note(
        "Backgammon where the first to bear everything off loses; drawn after 500 turns each.", ("itsyourturn.com",)
    ),
    "long_gammon": _Note("Backgammon with all fifteen checkers on the point 24.", ("bkgm.com",)),
    GRASSHOPPER: _Note(
        "No dice: pieces hop from quarter to quarter, build walls of two and bear them off.", ("BrainKing", "bkgm.com")
    ),
}

_LEFT_OUT = (
    "Left out: acey-deucey, because there are no checked cases for its 1-2, where the player chooses a double; crowded "
    "backgammon, because no readable rules were found; cloning backgammon, because only a player's proposal was found. "
    "The last two also need more than the 15 checkers of a normal set."
)


def list_games(house: Ruleset | None) -> dict[str, Ruleset | None]:
    """Every known game with its ruleset; Grasshopper has none, and the house variant comes last."""
    games: dict[str, Ruleset | None] = {game: RULESETS.get(game) for game in GAMES}
    return games if house is None else {**games, house.name: house}


def list_record(game: str) -> dict[str, object]:
    """One line of `rules list --json`; a house variant has neither notes nor sources."""
    note, names = _find_note(game), _find_names(game)
    return {
        "game": game,
        "name": names.display,
        "native": dict(names.native),
        "special": note.special,
        "sources": list(note.sources),
    }


def list_lines(games: Iterable[str]) -> Iterator[str]:
    for game in games:
        note = _find_note(game)
        yield f"{game:<16} {_format_title(game)}"
        yield from _wrap(note.special, indent=17)
        if note.sources:
            yield from _wrap(f"Sources: {', '.join(note.sources)}", indent=17)
    yield ""
    yield from textwrap.wrap(_LEFT_OUT, _WIDTH)


def show_record(game: str, rules: Ruleset | None) -> dict[str, object]:
    """The line of `rules show G --json`; `differs` names the parameters that differ from backgammon's."""
    start = grasshopper.to_text(grasshopper.START) if rules is None else position_text(start_position(rules))
    return {
        **list_record(game),
        "parameters": list_parameters(rules),
        "differs": list_differences(rules),
        "start_position": start,
        "words": _list_words(_find_names(game).words) if game in NAMES else {},
    }


def show_lines(game: str, rules: Ruleset | None, glyphs: Glyphs) -> Iterator[str]:
    note, names = _find_note(game), _find_names(game)
    yield _format_title(game)
    yield from _wrap(note.special, indent=0)
    if note.sources:
        yield from _wrap(f"Sources: {', '.join(note.sources)}", indent=0)
        yield f"Names: {names.source}"
    yield ""
    if rules is None:
        yield from grasshopper_text(grasshopper.START, glyphs=glyphs).splitlines()
    else:
        yield from board_text(
            start_position(rules), rules, glyphs=glyphs, cube=CubeDisplay(1) if rules.cube else None
        ).splitlines()
    yield ""
    yield "Parameters" if rules is None else "Parameters (* differs from backgammon)"
    marked = set(list_differences(rules))
    for name, value in list_parameters(rules).items():
        yield f" {'*' if name in marked else ' '} {name:<22} {_format_value(value)}"
    if game in NAMES:
        yield ""
        yield f"Words ({names.words.language}; {names.words.source})"
        for word, native in _list_words(names.words).items():
            yield f"   {word.replace('_', ' '):<22} {native}"


def list_parameters(rules: Ruleset | None) -> dict[str, ParameterValue]:
    """Each parameter as a house variant writes it; None is no limit, or no parameter of the game."""
    if rules is None:
        return {"pieces": grasshopper.PIECES, "entry_blocked_by_walls": grasshopper.STANDARD.entry_blocked_by_walls}
    return {name: _to_parameter_value(getattr(rules, name)) for name in _parameter_names()}


def list_differences(rules: Ruleset | None) -> list[str]:
    """The parameters whose value differs from backgammon's; empty for Grasshopper, which has no such table."""
    if rules is None:
        return []
    backgammon = RULESETS["backgammon"]
    return [name for name in _parameter_names() if getattr(rules, name) != getattr(backgammon, name)]


def _parameter_names() -> list[str]:
    only_elsewhere = ("name", "entry_blocked_by_walls")  # the second is an option of Grasshopper
    return [one.name for one in fields(Ruleset) if one.name not in only_elsewhere]


def _to_parameter_value(value: object) -> ParameterValue:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return " ".join(f"{'reserve' if point == RESERVE else point}:{count}" for point, count in value)
    assert value is None or isinstance(value, str | int)  # noqa: S101 - every other field of Ruleset is one of these
    return value


def _format_value(value: ParameterValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _find_note(game: str) -> _Note:
    return _NOTES.get(game, _Note("A house variant.", ()))


def _find_names(game: str) -> GameNames:
    return NAMES[game] if game in NAMES else GameNames(game, game, Words("", ""), "")


def _format_title(game: str) -> str:
    names = _find_names(game)
    native = ", ".join(f"{language}: {name}" for language, name in names.native)
    return f"{names.display} ({native})" if native else names.display


def _list_words(words: Words) -> dict[str, str]:
    given = {one.name: getattr(words, one.name) for one in fields(Words) if one.name not in ("language", "source")}
    return {name: word for name, word in given.items() if word is not None}


def _wrap(text: str, *, indent: int) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)
