"""Logs whose chain is intact and whose events are not: fields changed within their types, events moved, lost, repeated."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from controller.match import RefereeEvent
from controller.match_log import MatchLogError, create_match
from tests.controller.formats.simulated_matches import simulated_match

GAMES = ("backgammon", "tavla", "plakoto", "long_nardy")
_START = "00000050300005000000000020/00000050300005000000000020"
_NUMBERS = (0, -1, 7, 999, 2**31, 2**63 - 1, -(2**63), 10**40)
_TEXTS = (
    "",
    "x",
    "\x1b[2J\n",
    "a" * 5_000,
    _START,
    "24/13",
    "bar/off",
    "\ud800",
    "f" * 26 + "/" + "f" * 26,
    "name = 1",
    "none",
)
_LETTERS = "0123456789abcdef/-() x*"
MatchEvents = tuple[RefereeEvent, ...]


@cache
def whole_matches() -> dict[str, MatchEvents]:
    """A match of each game, as the referee writes it."""
    return {game: simulated_match(3, game, 1) for game in GAMES}


def write_changed_log(path: Path, game: str, whole: MatchEvents, rng: Random) -> bool:
    """Writes a changed match with an intact chain; False where its events cannot be written, which leaves no file."""
    events = list(whole[: rng.choice((2, 5, 30, 200))])
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(min(len(events), rng.choice((3, 200))))
        match rng.choice(("field", "field", "field", "lost", "repeated", "moved")):
            case "field":
                events[at] = _with_other_field(events[at], rng)
            case "lost" if len(events) > 1:
                del events[at]
            case "repeated":
                events.insert(at, rng.choice(events))
            case _:
                events[at], events[-1] = events[-1], events[at]
    path.unlink(missing_ok=True)
    with suppress(MatchLogError), create_match(path, game if rng.random() < 0.9 else "halma") as log:
        log.append(tuple(events))
        return True
    return False


def _with_other_field(value: Any, rng: Random) -> Any:
    name = rng.choice(fields(value)).name
    return replace(value, **{name: _other_value(getattr(value, name), rng)})


def _other_value(value: Any, rng: Random) -> Any:
    match value:
        case bool():
            return not value
        case Enum():
            return rng.choice(list(type(value)))
        case int():
            return rng.choice((*_NUMBERS, value + 1, -value))
        case str():
            return _other_text(value, rng)
        case tuple():
            return _other_tuple(value, rng)
        case None:
            return rng.choice((None, "x", 1, (6, 5)))
        case _:
            return _with_other_field(value, rng) if is_dataclass(value) else value


def _other_text(text: str, rng: Random) -> str:
    if not text or rng.random() < 0.5:
        return rng.choice(_TEXTS)
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(_LETTERS) + text[at + rng.randint(0, 2) :]


def _other_tuple(values: Sequence[Any], rng: Random) -> tuple[Any, ...]:
    if not values:
        return ()
    at = rng.randrange(len(values))
    rest = (*values[:at], *values[at + 1 :])
    return rng.choice((rest, (*values, *values), (*values[:at], _other_value(values[at], rng), *values[at + 1 :])))
