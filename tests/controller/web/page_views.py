"""Every view of the page with content, for tests and screenshots, each on a server of its own."""

import os
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from controller.match.clocks import parse_clock
from controller.match.events import PlayRefused
from controller.settings.store import SettingsStore
from controller.web.address import LOOPBACK, Address
from controller.web.calibration.server import CalibrationServer
from controller.web.match_page import MatchPage
from controller.web.phone.door import PhoneDoor
from controller.web.server import PageServer
from controller.web.set_up.led_map_store import LedMapStore
from controller.web.set_up.program_control import ProgramStage
from tests.controller.club.shown_hall import busy_hall
from tests.controller.refereeing.refereed_match import OPENING_HALVES
from tests.controller.statistics.logged_matches import log_matches
from tests.controller.web.browsing import find, open_editor, shown_on, until, visit
from tests.controller.web.calibrating import START, Calibrating
from tests.controller.web.shown_match import TOKEN, ShownMatch, number_of
from tests.controller.web.test_replay import refused_and_corrected
from tests.controller.web.test_server import filmed


@dataclass(frozen=True, slots=True)
class View:
    """A function that opens the view, and a selector that is visible then."""

    name: str
    open: Callable[[Chrome, ExitStack, Path], None]
    wanted: str


def page(opened: ExitStack) -> PageServer:
    return opened.enter_context(closing(PageServer(Address(LOOPBACK, 0), TOKEN)))


def live(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    """A match with dice, clock, cube and lights."""
    server = page(opened)
    shown = ShownMatch.begun(white="Leyla", black="Arman", clock=parse_clock("10+12"))
    shown.match.throw(3, 1, halves=OPENING_HALVES)
    shown.publish()
    visit(browser, server, shown)
    find(browser, "#orders summary").click()


def spectator(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    after_a_turn(browser, page(opened), is_operator=False)


def after_a_turn(browser: Chrome, server: PageServer, folder: Path | None = None, *, is_operator: bool = True) -> None:
    shown = ShownMatch.after_first_turn(folder=folder)
    visit(browser, server, shown, is_operator=is_operator)
    until(browser, lambda: find(browser, "#log .legal").is_displayed())


def illegal(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    """An illegal play, with its guide on the board."""
    server = page(opened)
    shown = refused_and_corrected()
    number = number_of(shown, PlayRefused)
    MatchPage(server).replay("m", shown.match.table, shown.match.events[:number], path=None)
    visit(browser, server)
    find(browser, "[data-step=last]").click()


def waiting(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    """A match that cannot begin in the dark."""
    visit(browser, page(opened), ShownMatch.in_the_dark())


def ruling(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    after_a_turn(browser, page(opened), folder)
    find(browser, "#log .legal button").click()


def question(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    """A question with its answers."""
    server = page(opened)
    shown = ShownMatch.unsure()
    visit(browser, server, shown)


def editor(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    after_a_turn(browser, page(opened))
    open_editor(browser)


def speech(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    after_a_turn(browser, page(opened), is_operator=False)
    find(browser, "#speech summary").click()


def dice(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    live(browser, opened, folder)
    find(browser, "[data-order=CorrectRoll]").click()


def camera(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    server = page(opened)
    after_a_turn(browser, server, folder, is_operator=False)
    find(browser, "#camera summary").click()
    until(browser, lambda: filmed_for(browser, server))


def filmed_for(browser: Chrome, server: PageServer) -> bool:
    """Whether a viewer watches the camera and has a picture; each try sends another one."""
    server.camera.put(replace(filmed()))  # another one, though it looks the same
    return server.camera.newest is not None and find(browser, "#camera img").is_displayed()


def overlay(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    server = page(opened)
    shown = ShownMatch.begun(white="Ann", black="Ben")
    visit(browser, server, shown, is_operator=False, path="overlay")


def replay(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    server = page(opened)
    shown = ShownMatch.after_first_turn(folder=folder)
    MatchPage(server).replay("m", shown.match.table, shown.match.events, path=shown.live.path)
    visit(browser, server)


def office(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    """The set-up of a match."""
    server = page(opened)
    store = SettingsStore(folder / "settings.toml", ())
    server.control.settings_store, server.control.can_begin, server.control.stage = store, True, ProgramStage.WAITING
    server.control.led_map = LedMapStore(store, folder)
    shown_on(server, ShownMatch.begun())
    browser.get("about:blank")
    browser.get(f"{server.address.link()}office#operator={TOKEN}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#start-match"))


def settings(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    office(browser, opened, folder)
    find(browser, "[data-view=settings]").click()


def led_map(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    office(browser, opened, folder)
    find(browser, "[data-view=lights]").click()


def sources(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    """The first step of the calibration wizard."""
    wizard = Calibrating(folder / "calibration.json", (os.path.relpath(START),))
    opened.enter_context(closing(wizard.provider))
    server = opened.enter_context(CalibrationServer(Address(LOOPBACK, 0), TOKEN, wizard.session))
    browser.get("about:blank")
    browser.get(server.link)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#sources input"))


def corners(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    """The calibration wizard with a detected board."""
    sources(browser, opened, folder)
    find(browser, "#sources input").click()
    until(browser, lambda: find(browser, "#saving").is_displayed())


def phone(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    """The page of a phone as camera, in a browser without one."""
    door = PhoneDoor(folder, port=0)
    opened.enter_context(closing(PageServer(Address(LOOPBACK, 0), TOKEN, door=door)))
    door.open()
    browser.get("about:blank")
    browser.get(door.link)
    until(browser, lambda: find(browser, "#trouble").is_displayed())


def club(browser: Chrome, opened: ExitStack, _folder: Path) -> None:
    """The page of a hall with tables of all kinds."""
    server = opened.enter_context(closing(busy_hall().serve()))
    browser.get("about:blank")
    browser.get(server.link)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".table"))


def statistics(browser: Chrome, opened: ExitStack, folder: Path) -> None:
    """All matches of a folder in numbers; one player's doubles lie outside of what chance gives."""
    log_matches(folder)
    server = opened.enter_context(closing(PageServer(Address(LOOPBACK, 0), TOKEN, data=folder)))
    shown_on(server, ShownMatch.begun())
    browser.get("about:blank")
    browser.get(f"{server.address.link()}statistics#operator={TOKEN}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#players-list .range"))


VIEWS = (
    View("live", live, "#orders .rare"),
    View("spectator", spectator, "#log .legal"),
    View("illegal", illegal, "#guide"),
    View("waiting", waiting, "#waits"),
    View("ruling", ruling, "#ruling dd, #ruling figure"),
    View("question", question, "#question .option"),
    View("editor", editor, "#editor .send"),
    View("dice", dice, "#asking .send"),
    View("camera", camera, "#camera img"),
    View("overlay", overlay, "#players .score"),
    View("replay", replay, "#controls [data-step=play]"),
    View("speech", speech, "#speech-wishes"),
    View("set-up", office, "#start-match"),
    View("settings", settings, "#save-settings"),
    View("lights", led_map, "#led-map"),
    View("sources", sources, "#sources"),
    View("corners", corners, "#save"),
    View("phone", phone, "#start"),
    View("club", club, ".table .need"),
    View("statistics", statistics, "#players-list .range"),
)
