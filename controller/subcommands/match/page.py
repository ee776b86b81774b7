"""The page beside a match that a command referees: asked for, opened, kept. Nothing is imported before it is needed."""

import argparse
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options.call import UsageError

if TYPE_CHECKING:
    from controller.web.address import Address
    from controller.web.match_page import MatchPage

ADDRESS_REMEDY = "%s; choose another with --web HOST:PORT, or --web none"
"""What is said of a PageError."""


def resolve_address(options: argparse.Namespace) -> "Address | None":
    """Of --web; None: any on this machine. UsageError, also where a page that is not there shall stay."""
    from controller.web.match_page import NO_PAGE, parse_web_option

    try:
        address = parse_web_option(options.web)
    except ValueError as error:
        raise UsageError(f"--web: {error}") from None
    if address is NO_PAGE and options.stay:
        raise UsageError("--stay keeps the page, and --web none is without one; leave one of them out")
    return address


def open_match_page(
    address: "Address | None", usual_port: int, data: Path, opened: ExitStack, *, in_browser: bool, query: str = ""
) -> "MatchPage | None":
    """Until `opened` is closed, in a browser where somebody sits before one; None with `--web none`.

    PageError when it cannot be served.
    """
    from controller.web.match_page import NO_PAGE, open_in_browser, open_page

    if address is NO_PAGE:
        return None
    page = open_page(address, usual_port, data)
    opened.callback(page.close)
    page.query = query
    if in_browser:
        open_in_browser(page.operators_link)
    return page


def wait_for_interrupt(say: Callable[[str], None]) -> None:
    """Until Ctrl-C, which may come while it is still being said."""
    with suppress(KeyboardInterrupt):
        say("The page stays until Ctrl-C.")
        threading.Event().wait()
