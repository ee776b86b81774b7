"""Where each key of a TOML text stands: tomllib tells what a file says, and not where it says it."""

import re
from collections.abc import Mapping

KeyPath = tuple[str, ...]

_PART = r"""[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'"""
_KEY = rf"(?:{_PART})(?:\s*\.\s*(?:{_PART}))*"
_HEADING = re.compile(rf"^\s*\[\[?\s*({_KEY})\s*\]")
_VALUE = re.compile(rf"^\s*({_KEY})\s*=")
_LONG_QUOTES = ('"""', "'''")


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """The line, counted from 1, of every heading and every key that begins a line. `text` is TOML."""
    lines: dict[KeyPath, int] = {}
    section: KeyPath = ()
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_quotes:  # the inside of a long text
            open_quotes = "" if open_quotes in line else open_quotes
            continue
        if heading := _HEADING.match(line):
            section = _split_key(heading[1])
            lines.setdefault(section, number)
        elif key := _VALUE.match(line):
            lines.setdefault((*section, *_split_key(key[1])), number)
            open_quotes = next((quotes for quotes in _LONG_QUOTES if line.count(quotes) % 2), "")
    return lines


def line_of(key: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """Of the key, or of what it stands in; None where nothing of it is in the text."""
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return None


def _split_key(key: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in re.findall(_PART, key))
