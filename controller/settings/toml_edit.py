"""TOML text: where each key stands, and the text with some values changed. Pure.

`tomllib` reads values but does not say where they stand, and cannot write. Values are changed line by line, so that
comments and order stay. Where that is impossible, for example for a section written on one line, the text is written anew.
The result is parsed and compared with the wanted values before it is returned.
"""

import re
from collections.abc import Mapping
from typing import Any

from controller.rules import read_toml
from controller.rules.bounded_toml import KeyPath, key_lines

TomlScalar = str | int | float | bool | None
"""A single TOML value; None stands for a missing key."""

_COMMENT_ABOVE = re.compile(r"^\s*(#.*)?$")
_VALUE = re.compile(
    r"""^(?P<key>[^=]*?=\s*)(?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|[^#'"\s][^#]*?)(?P<rest>\s*(?:#.*)?)$"""
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def with_values(text: str, changes: Mapping[KeyPath, TomlScalar]) -> str:
    """`text` is valid TOML. None removes a key. Key paths have one or two parts. Unchanged values keep their lines."""
    before = read_toml(text)
    wanted = _apply_changes(before, changes)
    edited = text
    for key, value in changes.items():
        is_there, found = find_value(before, key)
        if is_there != (value is not None) or not _is_equal(found, value):
            edited = _with_value(edited, key, value)
    return edited if _has_values(edited, wanted) else _rewrite(text, wanted)


def format_toml_value(value: TomlScalar) -> str:
    """A value in TOML notation. ValueError for None, which TOML cannot express."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return f'"{"".join(map(_escape, value))}"'
        case None:
            raise ValueError("nothing has no form in TOML")


def _escape(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter < " " or letter == "\x7f":
        return f"\\u{ord(letter):04X}"
    return letter


def find_value(values: Mapping[str, Any], key: KeyPath) -> tuple[bool, Any]:
    """Whether the key is present, and its value."""
    found: Any = values
    for name in key:
        if not isinstance(found, Mapping) or name not in found:
            return False, None
        found = found[name]
    return True, found


def _apply_changes(values: Mapping[str, Any], changes: Mapping[KeyPath, TomlScalar]) -> dict[str, Any]:
    result = {name: dict(value) if isinstance(value, dict) else value for name, value in values.items()}
    for key, value in changes.items():
        inner = result
        for section in key[:-1]:
            if not isinstance(inner.get(section), dict):
                inner[section] = {}
            inner = inner[section]
        inner.pop(key[-1], None)
        if value is not None:
            inner[key[-1]] = value
    return {name: value for name, value in result.items() if value != {} or name in values}


def _has_values(text: str, wanted: Mapping[str, Any]) -> bool:
    """Whether the text is TOML with these values; an empty section may remain."""
    try:
        found = read_toml(text)
    except ValueError:
        return False
    return _is_equal(_without_empty(found), _without_empty(wanted))


def _is_equal(one: object, other: object) -> bool:
    """Equality that distinguishes 1 and true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_equal(value, other[name]) for name, value in one.items())
    return type(one) is type(other) and one == other


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value != {}}


def _with_value(text: str, key: KeyPath, value: TomlScalar) -> str:
    lines = text.splitlines()
    at = key_lines(text).get(key)
    if at is not None:
        lines[at - 1 : at] = [] if value is None else [_replace_value(lines[at - 1], format_toml_value(value))]
    elif value is not None:
        _insert_value(lines, text, key, format_toml_value(value))
    return "".join(f"{line}\n" for line in lines)


def _replace_value(line: str, value: str) -> str:
    """The line with another value; a trailing comment stays where it can be distinguished from the value."""
    found = _VALUE.match(line)
    return f"{line.partition('=')[0]}= {value}" if found is None else f"{found['key']}{value}{found['rest']}"


def _insert_value(lines: list[str], text: str, key: KeyPath, value: str) -> None:
    """Inserts the value after the last key of its section, and adds the section where it is missing."""
    known = key_lines(text)
    section, name = key[:-1], key[-1]
    beside = [line for path, line in known.items() if path[:-1] == section and path != section]
    headings = [line for path, line in known.items() if _is_heading(lines[line - 1])]
    heading = known.get(section) if section else None
    if not section:
        first_heading = min(headings, default=len(lines) + 1)
        own = [line for line in beside if line < first_heading]
        at = max(own) if own else _skip_comments_above(lines, first_heading - 1)
        lines.insert(at, f"{name} = {value}")
    elif heading is not None and _is_heading(lines[heading - 1]):
        lines.insert(max([heading, *(line for line in beside if line > heading)]), f"{name} = {value}")
    elif beside:  # dotted keys (leds.port = …) without a heading
        lines.insert(max(beside), f"{'.'.join(key)} = {value}")
    else:
        lines += [*([""] if lines and lines[-1].strip() else []), f"[{'.'.join(section)}]", f"{name} = {value}"]


def _is_heading(line: str) -> bool:
    return line.lstrip().startswith("[")


def _skip_comments_above(lines: list[str], at: int) -> int:
    """The line above the comment that belongs to the next heading."""
    while 0 < at < len(lines) and _COMMENT_ABOVE.match(lines[at - 1]) and lines[at - 1].strip():
        at -= 1
    return at


def _rewrite(text: str, wanted: Mapping[str, Any]) -> str:
    """A new text: all comments that have a line of their own, then the values."""
    lines = [line.strip() for line in text.splitlines() if line.lstrip().startswith("#")]
    sections = {name: value for name, value in wanted.items() if isinstance(value, dict)}
    lines += _format_lines({name: value for name, value in wanted.items() if name not in sections})
    for name, values in sections.items():
        lines += ["", f"[{_format_name(name)}]", *_format_lines(values)]
    return "".join(f"{line}\n" for line in lines)


def _format_lines(values: Mapping[str, Any]) -> list[str]:
    return [f"{_format_name(name)} = {_format_any_value(value)}" for name, value in values.items()]


def _format_name(key: str) -> str:
    return key if _BARE.fullmatch(key) else format_toml_value(key)


def _format_any_value(value: Any) -> str:
    """Also lists and tables, which no setting has, but which a file may contain."""
    if isinstance(value, list):
        return f"[{', '.join(map(_format_any_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_format_name(key)} = {_format_any_value(one)}' for key, one in value.items())}}}"
    return format_toml_value(value) if isinstance(value, str | int | float) else str(value)
