r"""What may reach a terminal: letters, and no code that a terminal obeys or that hides or reorders other letters.

Names, ids, keys and file names come from strangers. `TerminalStream` stands between every command and its terminal: it
makes each such letter visible, as `\u001b`, and each write a single line, so that no name can pretend to be a line of ours.
"""

import unicodedata
from typing import Any, TextIO

# The controls of direction (UAX #9), zero-width spaces and joiners of words, marks of byte order and annotations.
# ZWNJ and ZWJ (U+200C, U+200D) stay: Persian and Indic names need them, and they reorder nothing.
_HIDDEN = frozenset(
    map(
        chr,
        (
            0x061C,
            0x200B,
            0x200E,
            0x200F,
            *range(0x202A, 0x202F),
            *range(0x2060, 0x2070),
            0xFEFF,
            *range(0xFFF9, 0xFFFC),
        ),
    )
)
_FIRST_TAG, _LAST_TAG = "\U000e0000", "\U000e007f"  # invisible copies of the letters of ASCII


class Drawn(str):
    """A text of ours that holds codes for the terminal on purpose; it is written unchanged."""

    __slots__ = ()

    def __str__(self) -> str:
        """Itself: `print` would make a plain text of it."""
        return self


def is_unseen(letter: str) -> bool:
    """Whether a letter is a control character, half a surrogate pair, a break of lines, or hides or reorders letters."""
    return (
        letter in _HIDDEN
        or unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")
        or _FIRST_TAG <= letter <= _LAST_TAG
    )


def visible_text(text: str) -> str:
    r"""One line in which every unseen letter is written as in JSON, for example `\u001b`.

    Tabs stay, and so do halves of surrogate pairs, which no terminal receives: they cannot be encoded.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"\\u{ord(letter):04x}" if _is_obeyed(letter) else letter for letter in text)


def _is_obeyed(letter: str) -> bool:
    return letter != "\t" and is_unseen(letter) and not "\ud800" <= letter <= "\udfff"


class TerminalStream:
    """A text stream through which only visible text is written. One `write` is one line, or a part or the end of one."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if isinstance(text, Drawn):
            return self._stream.write(text)
        line = text.removesuffix("\n")
        return self._stream.write(visible_text(line) + text[len(line) :])

    def write_lines(self, text: str) -> None:
        """Writes a text whose line breaks are ours, such as a help text."""
        for line in text.splitlines(keepends=True):
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
