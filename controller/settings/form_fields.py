"""Every setting as a form shows it: what may be written there, what holds when nothing is, and when a change acts."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from controller.match.clocks import CLOCKS, NO_CLOCK, ClockRules
from controller.settings.settings import (
    RANGES,
    FramesASecond,
    GameName,
    Known,
    ProfileName,
    Score,
    SeatingGiven,
    Settings,
)
from controller.settings.toml_lines import KeyPath

Written = str | int | float | bool | None
"""A value as TOML has it; None: the key is not there."""


class Sort(Enum):
    """What a form offers for a value."""

    TEXT = "text"
    FILE = "file"
    SWITCH = "switch"
    WHOLE = "whole"
    NUMBER = "number"
    CHOICE = "choice"
    SUGGESTED = "suggested"  # a text; some are often meant


class Acts(Enum):
    """From when on a changed value holds."""

    NOW = "now"
    NEXT_MATCH = "next_match"
    NEXT_START = "next_start"  # of the program


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting. `default` is what holds where nothing is written; `choices` are empty where anything may be."""

    key: KeyPath
    sort: Sort
    default: Written
    acts: Acts
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """As people write it: `leds.port`."""
        return ".".join(self.key)


_AT_ONCE = {("mode",), ("monitor",), ("leds", "brightness")}
_WITH_THE_PROGRAM = {"web"}
_PORTS = ("auto", "none", "fake")
_MOST_BITS = 63


def setting_fields(known: Known) -> tuple[SettingField, ...]:
    """All of them, in the order of the file."""
    return tuple(_fields_of(Settings, Settings(), (), known))


def _fields_of(kind: type, usual: object, path: KeyPath, known: Known) -> Iterator[SettingField]:
    for name, hint in get_type_hints(kind).items():
        key, value = (*path, name), getattr(usual, name)
        if _is_section(hint):
            yield from _fields_of(hint, value, key, known)
        else:
            yield _field(key, _without_none(hint), _written(value), known)


def _is_section(hint: object) -> bool:
    return isinstance(hint, type) and hasattr(hint, "__attrs_attrs__")


def _without_none(hint: Any) -> Any:
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    return kinds[0] if kinds else hint


def _field(key: KeyPath, kind: Any, default: Written, known: Known) -> SettingField:
    acts = _acts(key)
    if kind is bool:
        return SettingField(key, Sort.SWITCH, default, acts)
    if kind in RANGES:
        return SettingField(
            key, Sort.NUMBER if kind is FramesASecond else Sort.WHOLE, default, acts, limits=RANGES[kind]
        )
    if kind is Path:
        return SettingField(key, Sort.FILE, default, acts)
    names = _names_of(key, kind, known)
    return SettingField(key, names[0], default, acts, names[1])


def _names_of(key: KeyPath, kind: Any, known: Known) -> tuple[Sort, tuple[str, ...]]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Sort.CHOICE, tuple(str(one.value) for one in kind)
    if kind in (GameName, ProfileName):
        return Sort.CHOICE, known.games if kind is GameName else known.profiles
    if kind is ClockRules:
        return Sort.SUGGESTED, (NO_CLOCK, *CLOCKS, "10+12", "2/point+12", "bronstein:10+12")
    if key == ("leds", "port"):
        return Sort.SUGGESTED, _PORTS
    return Sort.TEXT, ()


def _acts(key: KeyPath) -> Acts:
    if key in _AT_ONCE:
        return Acts.NOW
    return Acts.NEXT_START if key[0] in _WITH_THE_PROGRAM else Acts.NEXT_MATCH


def _written(value: object) -> Written:
    """A value of `Settings` as the file would have it."""
    match value:
        case Enum():
            return str(value.value)
        case Score():
            return f"{value.white}-{value.black}"
        case SeatingGiven():
            return value.text or None
        case Path() | ClockRules():
            return str(value) if isinstance(value, Path) else value.name
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"{value!r} is no setting")


def value_at(values: Mapping[str, Any], key: KeyPath) -> Written:
    """What a TOML text that was read says of a setting; what is no single value is shown as text."""
    found: Any = values
    for name in key:
        if not isinstance(found, Mapping) or name not in found:
            return None
        found = found[name]
    return found if _is_single(found) else _as_text(found)


def _is_single(found: object) -> bool:
    """Whether JSON can hold it: it has no infinity, and browsers read no number of a thousand digits."""
    if isinstance(found, int):
        return found.bit_length() <= _MOST_BITS
    return isinstance(found, str) or (isinstance(found, float) and math.isfinite(found))


def _as_text(found: object) -> str:
    return hex(found) if isinstance(found, int) else str(found)
