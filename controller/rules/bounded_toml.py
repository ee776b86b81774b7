"""TOML text of strangers: read within limits, so that no text takes long, and no value fills a screen.

The text is scanned for its depth, keys, words and lines before it is parsed, because a parser that takes a key of 50,000
parts takes half a minute for it. The largest file that a club needs has about 60 keys, two levels and 4 kB.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

MOST_TOML_BYTES = 100_000
MOST_KEYS = 250
MOST_DEPTH = 8
MOST_WORD = 100  # characters of a key or a number; the longest number of TOML has 66
MOST_TEXT = 4_000  # characters of a text in quotation marks: the longest path of Linux
MOST_LINE = 5_000
_MOST_REASON = 200

_TOKEN = re.compile(
    r"""(?P<text>"{3}(?:\\.|[^\\])*?(?:"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?)"""
    r"""|\#[^\n]*|(?P<word>[^\s"'#=\[\]{},.]+)|(?P<opening>[\[{])|(?P<closing>[\]}])|(?P<equals>=)|(?P<dot>\.)|(?P<end>[,\n])""",
    re.DOTALL,
)

_PART = r"""[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'"""
_KEY = rf"(?:{_PART})(?:\s*\.\s*(?:{_PART}))*"
_HEADING = re.compile(rf"^\s*\[\[?\s*({_KEY})\s*\]")
_KEY_VALUE = re.compile(rf"^\s*({_KEY})\s*=")
_LONG_QUOTES = ('"""', "'''")
KeyPath = tuple[str, ...]


class TomlTextError(ValueError):
    """Text that is no TOML, or beyond the limits; its text is one sentence with the remedy."""


def read_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises TomlTextError."""
    if len(text) > MOST_TOML_BYTES or len(text.encode("utf-8", "replace")) > MOST_TOML_BYTES:
        raise TomlTextError(f"it has more than {MOST_TOML_BYTES // 1000} kB; make it shorter")
    _check_tokens(text)
    _check_lines(text)
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and an integer with thousands of digits
        reason = str(error)
        short = reason if len(reason) <= _MOST_REASON else f"{reason[:_MOST_REASON]}…"
        raise TomlTextError(f"this is no TOML: {short}; correct that place") from None
    return values


def _check_lines(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MOST_LINE:
            raise TomlTextError(f"line {number} has more than {MOST_LINE:,} characters; write several lines")


def _check_tokens(text: str) -> None:
    depth = dots = keys = 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "text" if len(token[0]) > MOST_TEXT:
                raise _beyond(text, token, f"it has a text of more than {MOST_TEXT:,} characters")
            case "word" if len(token[0]) > MOST_WORD:
                raise _beyond(text, token, f"this is no TOML: a key or number has more than {MOST_WORD} characters")
            case "opening":
                depth, dots, keys = depth + 1, 0, keys + 1
            case "closing":
                depth, dots = max(0, depth - 1), 0
            case "equals":
                dots, keys = 0, keys + 1
            case "dot":
                dots += 1
            case "end":
                dots = 0
            case _:
                pass
        if max(depth, dots + 1) > MOST_DEPTH:
            raise _beyond(text, token, f"its tables or lists lie more than {MOST_DEPTH} deep")
        if keys > MOST_KEYS:
            raise _beyond(text, token, f"it has more than {MOST_KEYS} keys and lists")


def _beyond(text: str, token: re.Match[str], problem: str) -> TomlTextError:
    line = text.count("\n", 0, token.start()) + 1
    return TomlTextError(f"{problem} (at line {line}); correct that place")


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """The line, counted from 1, of every heading and of every key that begins a line. `text` is valid TOML."""
    lines: dict[KeyPath, int] = {}
    section: KeyPath = ()
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_quotes:  # inside a multi-line string
            open_quotes = "" if open_quotes in line else open_quotes
            continue
        if heading := _HEADING.match(line):
            section = _split_key(heading[1])
            lines.setdefault(section, number)
        elif key := _KEY_VALUE.match(line):
            lines.setdefault((*section, *_split_key(key[1])), number)
            open_quotes = next((quotes for quotes in _LONG_QUOTES if line.count(quotes) % 2), "")
    return lines


def line_of(key: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """The line of the key, else of the nearest section around it; None where the text has neither."""
    return next((lines[key[:length]] for length in range(len(key), 0, -1) if key[:length] in lines), None)


def _split_key(key: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in re.findall(_PART, key))
