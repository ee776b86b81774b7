"""The page's links on the terminal: for the operator also as a QR code where telephones in the room can reach it."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from controller.web.match_page import MatchPage


def page_lines(page: "MatchPage", stream: TextIO) -> tuple[str, ...]:
    """As they are written to `stream`. The spectators' link is always a line of its own."""
    lines = [f"Page: {page.operators_link}"]
    if page.is_on_network:
        lines += qr_code_lines(page.operators_link, stream, os.environ)
    return (*lines, f"To look on only: {page.spectators_link}")


def qr_code_lines(link: str, stream: TextIO, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Nothing on a terminal that cannot show it: the link says the same."""
    from controller.web.qr_code import GLYPHS, qr_lines, width_of

    if not stream.isatty() or environment.get("TERM", "dumb") == "dumb" or environment.get("NO_COLOR"):
        return ()
    try:
        GLYPHS.encode(stream.encoding or "ascii")
        columns, rows = os.get_terminal_size(stream.fileno())
    except (UnicodeEncodeError, OSError):
        return ()
    lines = qr_lines(link)
    return lines if width_of(lines[0]) <= columns and len(lines) < rows else ()
