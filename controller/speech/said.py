"""What the referee says as a key of the language packs and values, so that each page words it in its own language.

A sentence is never put together from parts of one: where two things are said, they are two sentences.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.match_log.event_json import JsonValue
from controller.rules.player import Player


@dataclass(frozen=True, slots=True)
class Named:
    """The name of a player."""

    player: Player


@dataclass(frozen=True, slots=True)
class Places:
    """Places of the picture (T1..B12, bar, tray); a language says them by the player's own numbers."""

    places: tuple[str, ...]
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """Points by numbers that are counted already; 0 is the tray, 25 the bar, 26 the reserve."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """Numbers of dice; two of them may have a Persian name."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plays:
    """Plays in notation; several are told with "or"."""

    plays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plain:
    """Words that no pack has, as they are: a title, a clause, what a driver complained of."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the packs with its values; `Listed` ones stand beside each other."""

    key: str
    values: Mapping[str, "Value"]


@dataclass(frozen=True, slots=True)
class Listed:
    """Several texts in a row, with commas."""

    parts: tuple[Said, ...]


Value = int | str | Named | Places | Points | Roll | Plays | Plain | Said | Listed
Sentence = Said | Plain


def said(key: str, **values: Value) -> Said:
    return Said(key, values)


def said_json(value: Value) -> JsonValue:
    """As the page gets it: numbers and text as they are, all else as an object with one telling key."""
    match value:
        case int() | str():
            return value
        case Named():
            return {"player": value.player.value}
        case Places():
            return {"places": list[JsonValue](value.places), "of": value.player.value if value.player else None}
        case Points():
            return {"points": list[JsonValue](value.points)}
        case Roll():
            return {"roll": list[JsonValue](value.numbers)}
        case Plays():
            return {"plays": list[JsonValue](value.plays)}
        case Plain():
            return {"plain": value.text}
        case Said():
            return {"key": value.key, "values": {name: said_json(each) for name, each in value.values.items()}}
        case Listed():  # pragma: no branch - mypy sees that no other case is left
            return {"list": [said_json(part) for part in value.parts]}
