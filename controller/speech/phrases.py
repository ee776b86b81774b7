"""What the referee says as a key of the language packs and values, so that each page words it in its own language.

A sentence is never put together from parts of one: where two things are said, they are two sentences.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.match_log.event_json import JsonValue
from controller.rules import Player


@dataclass(frozen=True, slots=True)
class PlayerName:
    """The name of a player."""

    player: Player


@dataclass(frozen=True, slots=True)
class PlaceNames:
    """Places of the picture (T1..B12, bar, tray); a language says them by the player's own numbers."""

    places: tuple[str, ...]
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class PointNumbers:
    """Points by numbers that are counted already; 0 is the tray, 25 the bar, 26 the reserve."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollNumbers:
    """Numbers of dice; two of them may have a Persian name."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayNotations:
    """Plays in notation; several are told with "or"."""

    plays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Words that no pack has, as they are: a title, a clause, what a driver complained of."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text of the packs with its values; `Listed` ones stand beside each other."""

    key: str
    values: Mapping[str, "PhraseValue"]


@dataclass(frozen=True, slots=True)
class PhraseList:
    """Several texts in a row, with commas."""

    parts: tuple[Phrase, ...]


PhraseValue = (
    int | str | PlayerName | PlaceNames | PointNumbers | RollNumbers | PlayNotations | Verbatim | Phrase | PhraseList
)
Sentence = Phrase | Verbatim


def phrase(key: str, **values: PhraseValue) -> Phrase:
    return Phrase(key, values)


def phrase_json(value: PhraseValue) -> JsonValue:
    """As the page gets it: numbers and text as they are, all else as an object with one telling key."""
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
