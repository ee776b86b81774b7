"""Names files that are not read by what they are, with the way out of their program."""

import re

_BEGINNINGS = (
    (b"SQLite format 3\0", "it is a database; a match log needs no import, its path is enough"),
    (b"PK\x03\x04", "it is a zip archive; unpack it and import the files in it"),
    (b"\x1f\x8b", "it is a gzip archive; unpack it and import the file in it"),
    (b"MATLAB", "it is a file of MATLAB, which has the ending .mat too; write match text in a program for backgammon"),
    (b"%YAML", "it is a file of Unity, which has the ending .mat too; write match text in a program for backgammon"),
    (b"%PDF", "it is a PDF; import the match file that it was printed from"),
    (b"\x89PNG", "it is a picture; zarbiter read reads pictures of boards"),
    (b"\xff\xd8\xff", "it is a picture; zarbiter read reads pictures of boards"),
)
_BGBLITZ = (b'"compression"', b'"encoding"')  # keys of the line of JSON that such a file begins with
_HEAD = 400
_TEXTS = (
    (
        re.compile(r"^\s*(?:Black|White)\W{1,3}[1-6]\W[1-6]\)", re.MULTILINE),
        "it is a game of Hans Berliner's BKG (.bkg); import it in a GNU Backgammon with `import bkg`, and export .mat",
    ),
    (
        re.compile(r"GNU Backgammon\s+Position ID:"),
        "it is an analysis or a board of GNU Backgammon for people; save the match there (.sgf), or export match text (.mat)",
    ),
    (
        re.compile(r"XGID=|Position-ID:"),
        "it is a position for people, as eXtreme Gammon and BGBlitz write it, and no match; export match text (.mat) there",
    ),
)
_MOST_SEARCHED = 20_000  # characters
NO_TEXT = "it is no text and no file of a program that is known; write match text (.mat) in the program that made it"


def describe_foreign_text(text: str) -> str | None:
    """As `describe_foreign_file`, of a text without a match."""
    return next((sentence for mark, sentence in _TEXTS if mark.search(text[:_MOST_SEARCHED])), None)


def describe_foreign_file(content: bytes) -> str | None:
    """One sentence about a file of another kind; None for a file that may be a match."""
    head = content[:_HEAD]
    if head.startswith(b"{") and all(key in head for key in _BGBLITZ):
        return "it is BGBlitz's own file (.bgf); write match text (.mat) in BGBlitz and import that"
    return next((sentence for start, sentence in _BEGINNINGS if content.startswith(start)), None)
