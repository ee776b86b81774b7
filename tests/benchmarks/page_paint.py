"""How soon the page is seen, measured by the browser itself over its DevTools protocol."""

from contextlib import closing
from dataclasses import dataclass

from selenium.webdriver import Chrome

from controller.web.address import LOOPBACK, Address
from controller.web.server import PageServer
from tests.controller.web.browsing import PHONE, browser_of, devtools, shown_on, until, visit
from tests.controller.web.shown_match import TOKEN, ShownMatch

PAINT_BAR_MS = 1000.0
SLOWER = 4
# Runs before the page: notes when the first checker is shown.
NOTES = """
new MutationObserver((_, observer) => {
  if (!document.querySelector(".checker")) return;
  window.boardMs = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
FIRST = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
BOARD = "return window.boardMs ?? null"


@dataclass(frozen=True, slots=True)
class Painted:
    """Milliseconds from the request to the first paint and to the board, for each load."""

    first_ms: tuple[float, ...]
    board_ms: tuple[float, ...]


def painted(loads: int) -> Painted:
    """Loads the page `loads` times with the cache off."""
    shown = ShownMatch.after_first_turn()
    with browser_of(PHONE) as browser, closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as server:
        shown_on(server, shown)
        devtools(browser, "Network.enable")
        devtools(browser, "Network.setCacheDisabled", cacheDisabled=True)
        devtools(browser, "Page.addScriptToEvaluateOnNewDocument", source=NOTES)
        devtools(browser, "Emulation.setCPUThrottlingRate", rate=SLOWER)
        times = [_load(browser, server) for _ in range(loads + 1)][1:]  # the browser itself is new in the first
    return Painted(tuple(first for first, _ in times), tuple(board for _, board in times))


def _load(browser: Chrome, server: PageServer) -> tuple[float, float]:
    visit(browser, server)
    until(browser, lambda: browser.execute_script(FIRST) is not None)
    return float(browser.execute_script(FIRST)), float(browser.execute_script(BOARD))
