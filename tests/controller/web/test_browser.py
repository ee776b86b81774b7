"""The page in a real browser: Chromium, driven over WebDriver. Skipped where either is missing."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from controller.commands import ChoosePlay, Command, CorrectBoard
from controller.events import GameStarted, PlayMade
from controller.observation import Observation
from controller.referee import begin, step
from controller.rules.player import Player
from controller.rules.variants import ruleset_named
from controller.seating import Seating
from controller.simulation.board_plan import BoardPlan
from controller.simulation.mishaps import NO_MISHAPS
from controller.simulation.observations import Observer
from controller.simulation.refereed import game_of
from controller.simulation.script import GamePlan
from controller.simulation.table import SimulatedTable
from controller.table import Table
from controller.web.address import LOOPBACK, Address
from controller.web.live_match import LiveMatch
from controller.web.server import PageServer
from tests.controller.refereed_match import moved
from tests.controller.web.shown_match import TOKEN, ShownMatch, leave_unsure, play_first_turn

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
DRIVER = shutil.which("chromedriver")
PHONE, DESKTOP = (390, 844), (1280, 900)
WAIT_S = 20

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        BROWSER is None or DRIVER is None, reason="needs Chromium and chromedriver (apt: chromium-driver)"
    ),
]


def driver_for(size: tuple[int, int]) -> Chrome:
    options = ChromeOptions()
    options.binary_location = BROWSER or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option(
        "mobileEmulation", {"deviceMetrics": {"width": size[0], "height": size[1], "pixelRatio": 1, "touch": False}}
    )
    return Chrome(options=options, service=Service(DRIVER))


@pytest.fixture(scope="module", params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def browser(request: pytest.FixtureRequest) -> Iterator[Chrome]:
    driver = driver_for(request.param)
    yield driver
    driver.quit()


@pytest.fixture
def server() -> Iterator[PageServer]:
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as opened:
        yield opened


def visit(browser: Chrome, server: PageServer, *, is_operator: bool = True, path: str = "") -> None:
    """A page that nobody has been to: the token of an earlier visit is forgotten."""
    link = server.address.link()
    browser.get(f"{link}overlay")
    browser.execute_script("localStorage.clear()")
    browser.get(f"{link}{path}#operator={TOKEN}" if is_operator else f"{link}{path}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".checker"))


def until(browser: Chrome, is_so: Callable[[], object]) -> None:
    WebDriverWait(browser, WAIT_S, poll_frequency=0.05).until(lambda _: is_so())


def shown_on(server: PageServer, shown: ShownMatch) -> None:
    shown.sink = server.show_match(shown.live)
    shown.orders = server.orders


def ordered(browser: Chrome, shown: ShownMatch) -> Command:
    """The order that the page has sent, carried out."""
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
    """What the browser has complained of since the last call."""
    return [str(entry["message"]) for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]


def faults(browser: Chrome) -> list[str]:
    """Complaints, and what is wider than the screen."""
    wide = """return [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).position !== "absolute")
        .map((one) => one.outerHTML.slice(0, 120))"""
    return [*log_of(browser), *browser.execute_script(wide)]


def test_a_simulated_game_is_watched(browser: Chrome, server: PageServer) -> None:
    """Turn by turn, as the referee rules it: the log has every play, and the board ends where the last one left it."""
    rules = ruleset_named("backgammon")
    table = Table(game="backgammon", rules=rules, seating=Seating())
    plan = GamePlan(seed=5, seating=Seating(), board=BoardPlan(), mishaps=NO_MISHAPS, most_turns=6)
    simulated = SimulatedTable(game_of(rules, plan), plan.board, Observer(plan.board, plan.seed))
    state, events = begin(table, 0)
    plays = []
    sink = server.show_match(LiveMatch("simulated", table, state, events))
    visit(browser, server, is_operator=False)
    for given in simulated.inputs():
        state, told = step(state, given, table)
        plays += [event for event in told if isinstance(event, PlayMade)]
        sink.publish(state, told, given.taken_ms if isinstance(given, Observation) else state.seen.now_ms)
        simulated.publish(state, told, state.seen.now_ms)
    assert len(plays) >= 6
    until(browser, lambda: len(texts(browser, "#log .legal")) == len(plays))
    assert texts(browser, "#log .play") == [event.play for event in plays]
    words = str(browser.execute_script("return document.getElementById('board-words').textContent"))
    assert words.startswith("White, light: point ")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".checker")) == 30
    assert not browser.find_elements(By.CSS_SELECTOR, "#orders button")
    assert faults(browser) == []


def test_an_unsure_turn_is_resolved_with_two_taps(browser: Chrome, server: PageServer) -> None:
    """The first shows the play on the board, the second says it."""
    shown = ShownMatch.begun()
    leave_unsure(shown.match)
    shown.publish()
    shown_on(server, shown)
    visit(browser, server)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".option"))
    (wanted,) = [one for one in browser.find_elements(By.CSS_SELECTOR, ".option") if one.text == "8/5 6/5"]
    wanted.click()
    assert texts(browser, ".option.chosen") == ["It was 8/5 6/5"]
    assert len(browser.find_elements(By.CSS_SELECTOR, ".checker.moved")) == 2
    assert shown.obey() == ()
    find(browser, ".option.chosen").click()
    assert isinstance(ordered(browser, shown), ChoosePlay)
    until(browser, lambda: not find(browser, "#question").is_displayed())
    assert texts(browser, "#log .play") == ["8/5 6/5"]
    assert faults(browser) == []


def test_it_comes_back_after_a_restart(browser: Chrome) -> None:
    """The page says that nobody is there, tries again, and goes on behind the last event it had."""
    shown = ShownMatch.begun()
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as first:
        shown_on(first, shown)
        visit(browser, first)
    until(browser, lambda: find(browser, "#link").is_displayed())
    play_first_turn(shown.match)
    shown.publish()
    with closing(PageServer(first.address, TOKEN)) as second:
        shown_on(second, shown)
        until(browser, lambda: texts(browser, "#log .play") == ["8/5 6/5"])
        until(browser, lambda: not find(browser, "#link").is_displayed())
        lines = browser.find_elements(By.CSS_SELECTOR, "#log li")
        numbers = [int(one.get_attribute("data-number") or 0) for one in lines]
        assert numbers == sorted(set(numbers))
        assert find(browser, "#viewer").text == "Operator"
    log_of(browser)  # it has complained of the server that was gone


def test_the_board_is_set_by_keyboard(browser: Chrome, server: PageServer) -> None:
    """A checker is taken up and put down with the Enter key; the board goes to the referee as a position."""
    shown = ShownMatch.begun()
    play_first_turn(shown.match)
    shown.publish()
    shown_on(server, shown)
    visit(browser, server)
    until(browser, lambda: find(browser, "#orders summary").is_displayed())
    find(browser, "#orders summary").click()
    find(browser, "[data-order=CorrectBoard]").click()
    for spot in ("p19", "p18"):  # White's 5 and 6 point
        browser.execute_script("document.querySelector(arguments[0]).focus()", f"[data-spot={spot}]")
        browser.switch_to.active_element.send_keys(Keys.ENTER)
    before = shown.match.position
    find(browser, "#editor .send").click()
    assert ordered(browser, shown) == CorrectBoard(moved(before, Player.WHITE, (5, 6)))
    until(browser, lambda: not find(browser, "#editor").is_displayed())
    assert faults(browser) == []


def test_names_are_never_markup(browser: Chrome, server: PageServer) -> None:
    """What would be a script in a page that trusts names is shown letter by letter."""
    name = "<img src=x onerror=alert(1)>"
    shown = ShownMatch.begun(white=name)
    play_first_turn(shown.match)
    shown.publish()
    shown_on(server, shown)
    visit(browser, server, is_operator=False)
    until(browser, lambda: texts(browser, "#log .who") == [name])
    assert name in texts(browser, ".player .name")
    assert not browser.find_elements(By.CSS_SELECTOR, "img[src=x]")
    assert faults(browser) == []


def test_a_token_of_another_day_makes_a_spectator(browser: Chrome, server: PageServer) -> None:
    """Instead of a page that never comes."""
    shown = ShownMatch.begun()
    assert isinstance(shown.match.events[-1], GameStarted)
    shown_on(server, shown)
    browser.get(f"{server.address.link()}#operator=a-token-of-another-day")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".checker"))
    assert find(browser, "#viewer").text == "Spectator"
    log_of(browser)


def test_the_overlay_is_transparent(browser: Chrome, server: PageServer) -> None:
    """For streams: the board and the score on nothing."""
    shown = ShownMatch.begun(white="Ann", black="Ben")
    shown_on(server, shown)
    visit(browser, server, is_operator=False, path="overlay")
    script = "return getComputedStyle(document.body).backgroundColor"
    assert browser.execute_script(script) == "rgba(0, 0, 0, 0)"
    assert texts(browser, ".player .name") == ["Ben", "Ann"]
    assert faults(browser) == []
