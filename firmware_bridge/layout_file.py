"""Reads and writes a layout as a file or as a part of the settings: a plan or a table, in TOML or JSON.

    version = 1                      version = 1
    [plan]                           led_count = 48
    leds_per_point = 2               [places]
    start = "top_left"               T1 = [0, 1]
    wiring = "u"                     bar = [24]

Reading is strict: every field is checked for type and range, and duplicate or unknown fields are refused, each with one
sentence. Writing is atomic and writes the table as JSON.
"""

import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

from firmware_bridge.errors import LayoutError, LayoutFileError
from firmware_bridge.layout import GapPlace, LedLayout, LedPlace, StartCorner, StripPlan, Wiring

VERSION = 1
# Far more than the 3 kB of a table of 255 LEDs.
MAX_BYTES = 100_000
# All 255 LEDs of one place need 1,300. A key of thousands of parts would take the parser of TOML seconds.
MAX_TOML_LINE = 2_000

_PLAN_WORDS: dict[str, type[Enum]] = {
    "start": StartCorner,
    "wiring": Wiring,
    "at_bar_lights": GapPlace,
    "at_turn_lights": GapPlace,
    "tail_lights": GapPlace,
}


def load_layout(path: Path) -> LedLayout:
    """TOML if the name ends in .toml, JSON otherwise. Raises LayoutFileError."""
    try:
        if path.exists() and not path.is_file():  # a pipe would wait for its writer for ever
            raise LayoutFileError(str(path), "it is no file", "name a file with a layout")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise LayoutFileError(str(path), f"cannot be read ({error.strerror or error})") from error
    if len(content) > MAX_BYTES:
        raise LayoutFileError(str(path), f"it has more than {MAX_BYTES // 1000} kB, so it is no layout")
    return parse_layout(content, str(path))


def parse_layout(content: bytes, file: str) -> LedLayout:
    """Parses the content of a file named `file`. Raises LayoutFileError."""
    is_toml = file.lower().endswith(".toml")
    try:
        text = content.decode("utf-8")
        if is_toml and len(max(text.split("\n"), key=len)) > MAX_TOML_LINE:
            raise LayoutFileError(file, f"a line has more than {MAX_TOML_LINE:,} characters")
        value = tomllib.loads(text) if is_toml else json.loads(text, object_pairs_hook=_reject_duplicates)
        return parse_layout_value(value)
    except LayoutFileError:
        raise
    except LayoutError as error:
        raise LayoutFileError(file, str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise LayoutFileError(file, f"it is not TOML ({error})") from None
    except json.JSONDecodeError as error:
        raise LayoutFileError(
            file, f"it is not JSON ({error.msg}, line {error.lineno}, column {error.colno})"
        ) from None
    except UnicodeDecodeError as error:
        raise LayoutFileError(file, f"it is no text in UTF-8 (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise LayoutFileError(file, f"it is not {'TOML' if is_toml else 'JSON'}") from error


def parse_layout_value(value: object) -> LedLayout:
    """Parses the value that a TOML or JSON parser returned. Raises LayoutError."""
    parts = _require_object(value, "a layout")
    version = parts.pop("version", None)
    if isinstance(version, bool) or version != VERSION:
        raise LayoutError(f"field version is {str(version)[:20]}, and this program knows {VERSION} only")
    if "plan" in parts:
        layout = LedLayout.from_plan(_parse_plan(parts.pop("plan")))
    elif "led_count" in parts and "places" in parts:
        count = _require_whole(parts.pop("led_count"), "led_count")
        layout = LedLayout.from_table(count, _parse_table(parts.pop("places")))
    else:
        raise LayoutError("it has neither a plan nor led_count with places; give one of them")
    for name in parts:
        raise LayoutError(f"field {name[:60]!r} is unknown to this version, or does not go with the others")
    return layout


def _parse_plan(value: object) -> StripPlan:
    given = _require_object(value, "field plan")
    known = [field.name for field in fields(StripPlan)]
    for name in given:
        if name not in known:
            raise LayoutError(f"field plan.{name[:60]} is unknown; a plan has {', '.join(known)}")
    if "leds_per_point" not in given:
        raise LayoutError("field plan.leds_per_point is missing")
    checked: dict[str, Any] = {name: _parse_plan_value(name, entry) for name, entry in given.items()}
    return StripPlan(**checked)


def _parse_plan_value(name: str, value: object) -> int | Enum:
    kind = _PLAN_WORDS.get(name)
    if kind is None:
        return _require_whole(value, f"plan.{name}")
    for member in kind:
        if member.value == value:
            return member
    raise LayoutError(f"field plan.{name} is none of {', '.join(member.value for member in kind)}")


def _parse_table(value: object) -> dict[LedPlace, tuple[int, ...]]:
    table = {}
    known = {place.value: place for place in LedPlace}
    for name, leds in _require_object(value, "field places").items():
        if name not in known:
            raise LayoutError(f"places has {name[:60]!r}; a place is T1 to T12, B1 to B12, bar or tray")
        if not isinstance(leds, list):
            raise LayoutError(f"field places.{name} is not a list of LED numbers")
        table[known[name]] = tuple(_require_whole(led, f"places.{name}") for led in leds)
    return table


def _require_object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise LayoutError(f"{what} is not an object with fields")
    return dict(value)


def _require_whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise LayoutError(f"field {where} is not a whole number")
    return value


def _reject_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """JSON's parser accepts duplicate fields; TOML's refuses them itself."""
    once = dict(pairs)
    if len(once) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise LayoutError(f"field {twice[:60]!r} is there twice")
    return once


def layout_value(layout: LedLayout) -> dict[str, object]:
    """The value for a JSON or TOML writer; `parse_layout_value` reads it back."""
    return {"version": VERSION, "led_count": layout.led_count, "places": _places_value(layout)}


def layout_text(layout: LedLayout) -> str:
    """The whole file, one place per line, for editing by hand."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(leds)}" for name, leds in _places_value(layout).items())
    return f'{{\n "version": {VERSION},\n "led_count": {layout.led_count},\n "places": {{\n{lines}\n }}\n}}\n'


def _places_value(layout: LedLayout) -> dict[str, list[int]]:
    every = {place.value: list(layout.leds_of(place)) for place in LedPlace}
    return {name: leds for name, leds in every.items() if leds}


def save_layout(layout: LedLayout, path: Path) -> None:
    """Replaces `path` atomically: a reader finds the old file or the new one. Raises LayoutFileError."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(layout_text(layout))
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise LayoutFileError(
            str(path), f"cannot be written ({error.strerror or error})", "choose a folder that exists and has room"
        ) from error
