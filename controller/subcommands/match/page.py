"""The page of a command that referees a match: its address, its links on the terminal, its life. Imports are lazy."""

import argparse
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from controller.subcommands.options import UsageError

if TYPE_CHECKING:
    from controller.settings import Settings
    from controller.web import Address, MatchPage, PhoneDoor

ADDRESS_REMEDY = "{}; choose another with --web HOST:PORT, or --web none"
"""The message for a PageError."""
_SEEN_WITHIN_S = 2.0  # the last moment is sent, and drawn by a slow phone


def resolve_address(options: argparse.Namespace) -> "Address | None":
    """The address of --web, or None for any on this machine. UsageError, also for --stay without a page."""
    from controller.web import NO_PAGE, parse_web_option

    try:
        address = parse_web_option(options.web)
    except ValueError as error:
        raise UsageError(f"--web: {error}") from None
    if address is NO_PAGE and options.stay:
        raise UsageError("--stay keeps the page, and --web none is without one; leave one of them out")
    return address


def open_match_page(
    address: "Address | None",
    usual_port: int,
    data: Path,
    opened: ExitStack,
    *,
    in_browser: bool,
    query: str = "",
    settings: "Settings | None" = None,
) -> "MatchPage | None":
    """The page until `opened` is closed; None with `--web none`. Raises PageError when it cannot be served.

    `settings` are those of a live match: when spectators see it, and how a phone sends pictures.
    """
    from controller.web import NO_PAGE, open_in_browser, open_page

    if address is NO_PAGE:
        return None
    if settings is None:
        page = open_page(address, usual_port, data)
    else:
        door = make_phone_door(data, settings)
        page = open_page(address, usual_port, data, delay_s=settings.web.spectator_delay.seconds, door=door)
    opened.callback(page.close)
    page.query = query
    page.is_in_browser = in_browser and open_in_browser(page.operators_link)
    return page


def wait_for_interrupt(say: Callable[[str], None]) -> None:
    """Waits for Ctrl-C, which may come while `say` still writes."""
    with suppress(KeyboardInterrupt):
        say("The page stays until Ctrl-C.")
        threading.Event().wait()


def make_phone_door(data: Path, settings: "Settings") -> "PhoneDoor":
    """Where a phone sends its pictures, closed until a source wants them; its link is then written to standard error."""
    from controller.web import PhoneDoor

    door = PhoneDoor(data, port=settings.web.phone_port, fps=settings.camera.fps)
    door.on_open = _announce_phone
    return door


def _announce_phone(door: "PhoneDoor") -> None:
    lines = [f"Phone as camera: {door.link}"]
    if door.is_reachable:
        lines += qr_code_lines(door.link, sys.stderr, os.environ)
    else:
        lines.append("This page is for this machine only; for a phone give --web 0.0.0.0:8080.")
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def stay_until_shown(page: "MatchPage") -> None:
    """Keeps the page until spectators, who see everything later, have seen the end of the match; Ctrl-C ends it before."""
    if page.delay_s:
        print(
            f"Spectators see the end in {page.delay_s:g} s; the page stays until then, or until Ctrl-C.",
            file=sys.stderr,
            flush=True,
        )
        with suppress(KeyboardInterrupt):
            threading.Event().wait(page.delay_s + _SEEN_WITHIN_S)


def page_lines(page: "MatchPage", stream: TextIO) -> tuple[str, ...]:
    """The links as lines for `stream`, with a QR code if other machines can reach the page."""
    lines = [f"Page: {page.operators_link}"]
    if page.is_on_network:
        lines += qr_code_lines(page.operators_link, stream, os.environ)
    later = f" ({page.delay_s:g} s later)" if page.delay_s else ""
    return (
        *lines,
        f"To look on only{later}: {page.spectators_link}",
        f"For streams{later}: {page.overlay_link}",
    )


def qr_code_lines(link: str, stream: TextIO, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The QR code of a link; empty where the terminal cannot show one."""
    from controller.web import GLYPHS, qr_lines, width_of

    if not stream.isatty() or environment.get("TERM", "dumb") == "dumb" or environment.get("NO_COLOR"):
        return ()
    try:
        GLYPHS.encode(stream.encoding or "ascii")
        columns, rows = os.get_terminal_size(stream.fileno())
    except (UnicodeEncodeError, OSError):
        return ()
    lines = qr_lines(link)
    return lines if width_of(lines[0]) <= columns and len(lines) < rows else ()
