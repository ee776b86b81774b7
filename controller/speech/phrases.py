"""A sentence as a key of the language packs with values, so that every page words it in its own language.

A sentence is never assembled from parts of sentences, because word order differs between languages: two statements are
two sentences.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.match_log.event_json import JsonValue
from controller.rules import Player


@dataclass(frozen=True, slots=True)
class PlayerName:
    """Worded as the name of the player."""

    player: Player


@dataclass(frozen=True, slots=True)
class PlaceNames:
    """Places of the picture (T1..B12, bar, tray), worded as numbers of the player's own path (None: White's)."""

    places: tuple[str, ...]
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class PointNumbers:
    """Points by own-path numbers; 0 is the tray, 25 the bar, 26 the reserve."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollNumbers:
    """The numbers of a roll; a roll of two dice has a Persian name."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayNotations:
    """Plays in notation; several are joined with "or"."""

    plays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text that no pack has and that stays as it is: a title, a clause, a message of a driver."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text of the packs with its values."""

    key: str
    values: Mapping[str, "PhraseValue"]


@dataclass(frozen=True, slots=True)
class PhraseList:
    """Several texts, joined with commas."""

    parts: tuple[Phrase, ...]


PhraseValue = (
    int | str | PlayerName | PlaceNames | PointNumbers | RollNumbers | PlayNotations | Verbatim | Phrase | PhraseList
)
Sentence = Phrase | Verbatim


def phrase(key: str, **values: PhraseValue) -> Phrase:
    return Phrase(key, values)


def phrase_json(value: PhraseValue) -> JsonValue:
    """The JSON of a value for the page: numbers and strings as they are, other values as an object named by its key."""
    match value:
        case int() | str():
            return value
        case PlayerName():
            return {"player": value.player.value}
        case PlaceNames():
            return {"places": list[JsonValue](value.places), "of": value.player.value if value.player else None}
        case PointNumbers():
            return {"points": list[JsonValue](value.points)}
        case RollNumbers():
            return {"roll": list[JsonValue](value.numbers)}
        case PlayNotations():
            return {"plays": list[JsonValue](value.plays)}
        case Verbatim():
            return {"plain": value.text}
        case Phrase():
            return {"key": value.key, "values": {name: phrase_json(each) for name, each in value.values.items()}}
        case PhraseList():  # pragma: no branch - mypy sees that no other case is left
            return {"list": [phrase_json(part) for part in value.parts]}
