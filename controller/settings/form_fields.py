"""Every setting as a form shows it: its possible values, its default, and when a change takes effect."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from controller.match import CLOCKS, NO_CLOCK, ClockRules
from controller.rules.bounded_toml import KeyPath
from controller.settings.settings import (
    RANGES,
    FramesASecond,
    GameName,
    KnownNames,
    ProfileName,
    Score,
    SeatingSetting,
    Settings,
    SpectatorDelay,
)
from controller.settings.toml_edit import TomlScalar, find_value


class FieldType(Enum):
    """The kind of input that a form offers for a value."""

    TEXT = "text"
    FILE = "file"
    SWITCH = "switch"
    WHOLE = "whole"
    NUMBER = "number"
    CHOICE = "choice"
    SUGGESTED = "suggested"  # a text, with common values as suggestions


class EffectTime(Enum):
    """When a changed value takes effect."""

    NOW = "now"
    NEXT_MATCH = "next_match"
    NEXT_START = "next_start"  # when the program starts


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting. `default` holds where the file has no value; `choices` are empty where any value may be written."""

    key: KeyPath
    field_type: FieldType
    default: TomlScalar
    effect_time: EffectTime
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The dotted name, for example `leds.port`."""
        return ".".join(self.key)


_EFFECTIVE_NOW = {("mode",), ("monitor",), ("leds", "brightness")}
_EFFECTIVE_NEXT_START = {"web"}
_NOT_ON_A_FORM = {"mqtt", "webhook", "obs"}
"""Who has the link of the page may not send matches to an address of their own; the owner of the file may."""
_PORTS = ("auto", "none", "fake")
_MOST_BITS = 63


def setting_fields(known: KnownNames) -> tuple[SettingField, ...]:
    """All settings of the page in the order of the file."""
    fields = _list_fields(Settings, Settings(), (), known)
    return tuple(field for field in fields if field.key[0] not in _NOT_ON_A_FORM)


def _list_fields(kind: type, default: object, path: KeyPath, known: KnownNames) -> Iterator[SettingField]:
    for name, hint in get_type_hints(kind).items():
        key, value = (*path, name), getattr(default, name)
        if _is_section(hint):
            yield from _list_fields(hint, value, key, known)
        else:
            yield _make_field(key, _without_none(hint), to_toml_scalar(value), known)


def _is_section(hint: object) -> bool:
    return isinstance(hint, type) and hasattr(hint, "__attrs_attrs__")


def _without_none(hint: Any) -> Any:
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    return kinds[0] if kinds else hint


def _make_field(key: KeyPath, kind: Any, default: TomlScalar, known: KnownNames) -> SettingField:
    effect_time = _get_effect_time(key)
    if kind in RANGES:
        field_type = FieldType.NUMBER if kind is FramesASecond else FieldType.WHOLE
        return SettingField(key, field_type, default, effect_time, limits=RANGES[kind])
    field_type, choices = _choices_of(key, kind, known)
    return SettingField(key, field_type, default, effect_time, choices)


def _choices_of(key: KeyPath, kind: Any, known: KnownNames) -> tuple[FieldType, tuple[str, ...]]:
    if kind in (bool, Path):
        return FieldType.SWITCH if kind is bool else FieldType.FILE, ()
    if isinstance(kind, type) and issubclass(kind, Enum):
        return FieldType.CHOICE, tuple(str(one.value) for one in kind)
    if kind in (GameName, ProfileName):
        return FieldType.CHOICE, known.games if kind is GameName else known.profiles
    if kind is ClockRules:
        return FieldType.SUGGESTED, (
            NO_CLOCK,
            *CLOCKS,
            "10+12",
            "2/point+12",
            "bronstein:10+12",
            "move:60",
            "hourglass:5",
        )
    if kind is SpectatorDelay:
        return FieldType.SUGGESTED, ("0s", "30s", "60s", "5m")
    if key == ("leds", "port"):
        return FieldType.SUGGESTED, _PORTS
    return FieldType.TEXT, ()


def _get_effect_time(key: KeyPath) -> EffectTime:
    if key in _EFFECTIVE_NOW:
        return EffectTime.NOW
    return EffectTime.NEXT_START if key[0] in _EFFECTIVE_NEXT_START else EffectTime.NEXT_MATCH


def to_toml_scalar(value: object) -> TomlScalar:
    """A value of `Settings` or of a ruleset in the form that the file has."""
    match value:
        case Enum():
            return str(value.value)
        case Score():
            return f"{value.white}-{value.black}"
        case SeatingSetting():
            return value.text or None
        case SpectatorDelay():
            return value.text
        case Path() | ClockRules():
            return str(value) if isinstance(value, Path) else value.name
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"{value!r} is no setting")


def value_at(values: Mapping[str, Any], key: KeyPath) -> TomlScalar:
    """The value of a setting in parsed TOML; as text where it is no single value."""
    is_there, found = find_value(values, key)
    return (found if _is_single(found) else _as_text(found)) if is_there else None


def _is_single(found: object) -> bool:
    """Whether JSON and browsers can hold the value: no infinity, and no integer of more than 63 bits."""
    if isinstance(found, int):
        return found.bit_length() <= _MOST_BITS
    return isinstance(found, str) or (isinstance(found, float) and math.isfinite(found))


def _as_text(found: object) -> str:
    return hex(found) if isinstance(found, int) else str(found)
