"""A link as a QR code for the terminal and the page, so that nobody has to type it into a phone."""

import segno

from controller.visible_text import Drawn

_QUIET_ZONE = 4
"""White modules around the code (ISO/IEC 18004). With fewer, some cameras do not detect it on a dark terminal."""
_BLACK_ON_WHITE, _RESET = "\x1b[30;107m", "\x1b[0m"
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
GLYPHS = "".join(_HALVES.values())


def qr_lines(text: str) -> tuple[str, ...]:
    """Lines of text, each two rows of modules high, black on white whatever the colours of the terminal are."""
    code = segno.make_qr(text, error="m")
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=_QUIET_ZONE)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return tuple(
        Drawn(f"{_BLACK_ON_WHITE}{''.join(_HALVES[pair] for pair in zip(upper, lower, strict=True))}{_RESET}")
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


def qr_rows(text: str) -> tuple[str, ...]:
    """The rows of modules for a page, `1` for black, with the quiet zone."""
    code = segno.make_qr(text, error="m")
    return tuple("".join("1" if module else "0" for module in row) for row in code.matrix_iter(border=_QUIET_ZONE))


def width_of(line: str) -> int:
    """The width of a line in terminal columns, without its colour codes."""
    return len(line.removeprefix(_BLACK_ON_WHITE).removesuffix(_RESET))
