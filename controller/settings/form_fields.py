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
    KnownNames,
    ProfileName,
    Score,
    SeatingSetting,
    Settings,
)
from controller.settings.toml_lines import KeyPath

TomlScalar = str | int | float | bool | None
"""A value as TOML has it; None: the key is not there."""


class FieldType(Enum):
    """What a form offers for a value."""

    TEXT = "text"
    FILE = "file"
    SWITCH = "switch"
    WHOLE = "whole"
    NUMBER = "number"
    CHOICE = "choice"
    SUGGESTED = "suggested"  # a text; some are often meant


class EffectTime(Enum):
    """From when on a changed value holds."""

    NOW = "now"
    NEXT_MATCH = "next_match"
    NEXT_START = "next_start"  # of the program


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting. `default` is what holds where nothing is written; `choices` are empty where anything may be."""

    key: KeyPath
    field_type: FieldType
    default: TomlScalar
    effect_time: EffectTime
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """As people write it: `leds.port`."""
        return ".".join(self.key)


_EFFECTIVE_NOW = {("mode",), ("monitor",), ("leds", "brightness")}
_EFFECTIVE_NEXT_START = {"web"}
_PORTS = ("auto", "none", "fake")
_MOST_BITS = 63


def setting_fields(known: KnownNames) -> tuple[SettingField, ...]:
    """All of them, in the order of the file."""
    return tuple(_list_fields(Settings, Settings(), (), known))


def _list_fields(kind: type, usual: object, path: KeyPath, known: KnownNames) -> Iterator[SettingField]:
    for name, hint in get_type_hints(kind).items():
        key, value = (*path, name), getattr(usual, name)
        if _is_section(hint):
            yield from _list_fields(hint, value, key, known)
        else:
            yield _make_field(key, _without_none(hint), _to_toml_scalar(value), known)


def _is_section(hint: object) -> bool:
    return isinstance(hint, type) and hasattr(hint, "__attrs_attrs__")


def _without_none(hint: Any) -> Any:
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    return kinds[0] if kinds else hint


def _make_field(key: KeyPath, kind: Any, default: TomlScalar, known: KnownNames) -> SettingField:
    acts = _get_effect_time(key)
    if kind is bool:
        return SettingField(key, FieldType.SWITCH, default, acts)
    if kind in RANGES:
        return SettingField(
            key, FieldType.NUMBER if kind is FramesASecond else FieldType.WHOLE, default, acts, limits=RANGES[kind]
        )
    if kind is Path:
        return SettingField(key, FieldType.FILE, default, acts)
    names = _choices_of(key, kind, known)
    return SettingField(key, names[0], default, acts, names[1])


def _choices_of(key: KeyPath, kind: Any, known: KnownNames) -> tuple[FieldType, tuple[str, ...]]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return FieldType.CHOICE, tuple(str(one.value) for one in kind)
    if kind in (GameName, ProfileName):
        return FieldType.CHOICE, known.games if kind is GameName else known.profiles
    if kind is ClockRules:
        return FieldType.SUGGESTED, (NO_CLOCK, *CLOCKS, "10+12", "2/point+12", "bronstein:10+12")
    if key == ("leds", "port"):
        return FieldType.SUGGESTED, _PORTS
    return FieldType.TEXT, ()


def _get_effect_time(key: KeyPath) -> EffectTime:
    if key in _EFFECTIVE_NOW:
        return EffectTime.NOW
    return EffectTime.NEXT_START if key[0] in _EFFECTIVE_NEXT_START else EffectTime.NEXT_MATCH


def _to_toml_scalar(value: object) -> TomlScalar:
    """A value of `Settings` as the file would have it."""
    match value:
        case Enum():
            return str(value.value)
        case Score():
            return f"{value.white}-{value.black}"
        case SeatingSetting():
            return value.text or None
        case Path() | ClockRules():
            return str(value) if isinstance(value, Path) else value.name
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"{value!r} is no setting")


def value_at(values: Mapping[str, Any], key: KeyPath) -> TomlScalar:
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
