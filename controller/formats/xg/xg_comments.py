"""The comments of eXtreme Gammon's files: a line of rich text (RTF) for each, whose own line ends are two control codes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from controller.formats.safe_text import one_line
from controller.match import Remark
from controller.wording.remark_text import remark_lines

_LINE_END = "\x01\x02"
_BEFORE, _AFTER = "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Tahoma;}}\\f0\\fs18 ", "}"
_ESCAPES = {"\\": "\\\\", "{": "\\{", "}": "\\}", "\n": "\\par "}
_MOST_CHARACTERS = 2_000
NO_COMMENT = -1
PROGRAM = "eXtreme Gammon"
# A code with its number and the space that ends it, a byte of Windows-1252, an escaped character, or a bracket.
_TOKEN = re.compile(
    r"\\(?:(?P<word>[a-z]{1,32})(?P<number>-?\d{1,10})? ?|'(?P<byte>[0-9a-f]{2})|(?P<escaped>.))|(?P<bracket>[{}])",
    re.DOTALL | re.IGNORECASE,
)
_BREAKS = {"par": "\n", "line": "\n", "tab": " "}


@dataclass(slots=True)
class Comments:
    """The comments of a file that is written; records number them from 0."""

    texts: list[str] = field(default_factory=list)

    def add(self, *remarks: Remark) -> int:
        """The number of the comment with the words of these remarks, each line once; that for none if they have no words."""
        own = (replace(one, source="" if one.source == PROGRAM else one.source) for one in remarks)
        lines = (one_line(line, _MOST_CHARACTERS) for remark in own for line in remark_lines(remark))
        text = "\n".join(dict.fromkeys(lines))
        if not text:
            return NO_COMMENT
        self.texts.append(text)
        return len(self.texts) - 1


def pack_comments(comments: Iterable[str]) -> bytes:
    return "".join(f"{_BEFORE}{_escape(comment)}{_AFTER}\r\n" for comment in comments).encode("ascii")


def unpack_comments(content: bytes) -> tuple[str, ...]:
    """The plain text of each comment, in the order of the file, which records number from 0."""
    lines = content.decode("cp1252", errors="replace").split("\r\n")
    return tuple(_strip(line.replace(_LINE_END, "\n"))[:_MOST_CHARACTERS] for line in lines if line)


def _escape(text: str) -> str:
    return "".join(
        _ESCAPES.get(letter, letter) if letter.isascii() else "".join(f"\\u{unit}?" for unit in _signed_units(letter))
        for letter in text
    )


def _signed_units(letter: str) -> Iterable[int]:
    """RTF writes UTF-16 code units as signed numbers."""
    units = letter.encode("utf-16-le", errors="replace")
    return (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))


def _strip(text: str) -> str:
    """The text of the outermost group; tables of fonts and colours lie in groups of their own."""
    if not text.lstrip().startswith("{\\rtf"):
        return " ".join(text.split())
    shown: list[str] = []
    units = b""
    depth, at, skip = 0, 0, 0
    for token in _TOKEN.finditer(text):
        if depth == 1:
            plain = text[at : token.start()].replace("\n", "")
            shown.append(plain[skip:])
            skip = max(skip - len(plain), 0)
        at = token.end()
        if token["bracket"]:
            depth += 1 if token["bracket"] == "{" else -1
        elif depth == 1 and token["word"] == "u" and token["number"]:
            units = (int(token["number"]) & 0xFFFF).to_bytes(2, "little")
            shown.append(units.decode("utf-16-le", errors="surrogatepass"))
            skip = 1  # the character that older programs show instead
        elif depth == 1 and token["byte"]:
            shown.append(bytes.fromhex(token["byte"]).decode("cp1252", errors="replace")[skip:])
            skip = 0
        elif depth == 1:
            shown.append(_BREAKS.get((token["word"] or "").lower(), token["escaped"] or ""))
    joined = "".join(shown).encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")
    return "\n".join(" ".join(line.split()) for line in joined.split("\n") if line.strip())
