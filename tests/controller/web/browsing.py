"""A real browser for the tests of the page: Chromium, driven over WebDriver."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from controller.match.commands import Command
from controller.web.server import PageServer
from tests.controller.web.shown_match import TOKEN, ShownMatch

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
DRIVER = shutil.which("chromedriver")
PHONE, DESKTOP = (390, 844), (1280, 900)
WAIT_S = 20

needs_browser = pytest.mark.skipif(
    (BROWSER is None or DRIVER is None) and "REQUIRE_BROWSER" not in os.environ,
    reason="needs Chromium and chromedriver (apt: chromium-driver)",
)


@contextmanager
def browser_of(size: tuple[int, int], *arguments: str) -> Iterator[Chrome]:
    """A browser that is closed when the block ends; `arguments` are more of Chromium's own."""
    driver = driver_for(size, *arguments)
    try:
        yield driver
    finally:
        driver.quit()


def driver_for(size: tuple[int, int], *arguments: str) -> Chrome:
    options = ChromeOptions()
    options.binary_location = BROWSER or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *arguments):
        options.add_argument(argument)
    options.accept_insecure_certs = True  # the phone's page has a certificate of this machine's own
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option(
        "mobileEmulation", {"deviceMetrics": {"width": size[0], "height": size[1], "pixelRatio": 1, "touch": False}}
    )
    return Chrome(options=options, service=Service(DRIVER))


def devtools(browser: Chrome, command: str, **parameters: object) -> dict[str, object]:
    """Executes a command of the Chrome DevTools Protocol."""
    return cast("dict[str, object]", browser.execute_cdp_cmd(command, parameters))


def in_colours(browser: Chrome, scheme: str) -> None:
    """Sets `light` or `dark` colours, and switches animations off."""
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    devtools(browser, "Emulation.setEmulatedMedia", features=features)


def visit(
    browser: Chrome, server: PageServer, shown: ShownMatch | None = None, *, is_operator: bool = True, path: str = ""
) -> None:
    """Opens the page, of this match from now on, without stored data and errors of earlier visits."""
    if shown is not None:
        shown_on(server, shown)
    link = server.address.link()
    browser.get("about:blank")
    log_of(browser)
    devtools(browser, "Storage.clearDataForOrigin", origin=link.rstrip("/"), storageTypes="all")
    browser.get(f"{link}{path}#operator={TOKEN}" if is_operator else f"{link}{path}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".checker"))


def until(browser: Chrome, is_so: Callable[[], object]) -> None:
    WebDriverWait(browser, WAIT_S, poll_frequency=0.05).until(lambda _: is_so())


def shown_on(server: PageServer, shown: ShownMatch) -> None:
    shown.sink = server.show_match(shown.live)
    shown.orders = server.orders


def begun_on(server: PageServer) -> ShownMatch:
    shown = ShownMatch.begun()
    shown_on(server, shown)
    return shown


def open_editor(browser: Chrome) -> None:
    """Opens the editor of the board."""
    until(browser, lambda: find(browser, "#orders summary").is_displayed())
    find(browser, "#orders summary").click()
    find(browser, "[data-order=CorrectBoard]").click()


def ordered(browser: Chrome, shown: ShownMatch) -> Command:
    """Waits for an order of the page, and carries it out."""
    found: list[Command] = []
    until(browser, lambda: has_ordered(shown, found))
    return found[0]


def has_ordered(shown: ShownMatch, found: list[Command]) -> bool:
    found += shown.obey()
    return bool(found)


def find(browser: Chrome, selector: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, selector)


def texts(browser: Chrome, selector: str) -> list[str]:
    return [one.text for one in browser.find_elements(By.CSS_SELECTOR, selector)]


def log_of(browser: Chrome) -> list[str]:
    """The errors of the browser since the last call."""
    return [str(entry["message"]) for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]


def faults(browser: Chrome) -> list[str]:
    """Errors, and elements that are wider than the screen, but for pictures that are swiped.

    On a phone `innerWidth` is that of the widest element.
    """
    wide = """return [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1
            && getComputedStyle(one).position !== "absolute" && !one.closest(".pictures"))
        .map((one) => one.outerHTML.slice(0, 120))"""
    return [*log_of(browser), *browser.execute_script(wide)]
