"""The set-up page in a real browser, with the real program behind it."""

from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from controller.match.events import MatchStarted
from controller.match_log import matches_folder, read_match
from controller.web.access import token_file
from tests.controller.web.browsing import faults, find, in_colours, log_of, needs_browser, texts, until
from tests.controller.web.long_film import long_film
from tests.controller.web.operator_at_page import Operator, played
from tests.controller.web.test_accessibility import AXE, serious_faults

pytestmark = [pytest.mark.slow, needs_browser]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return long_film(tmp_path_factory.mktemp("film"), 8_000)


@pytest.fixture(autouse=True)
def quiet(browser: Chrome) -> None:
    """Discards errors of a page whose program has ended."""
    browser.get("about:blank")
    log_of(browser)


def enter(browser: Chrome, name: str, text: str) -> None:
    """Types a value into a field."""
    field = find(browser, f"main section:not([hidden]) [name='{name}']")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text)


def shown(browser: Chrome, selector: str) -> list[str]:
    """The texts of the visible elements."""
    return [one.text for one in browser.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]


def turn_to(browser: Chrome, view: str, selector: str) -> None:
    """Opens a view through the links of the page."""
    until(browser, lambda: shown(browser, f"a[href$='#{view}']"))
    find(browser, f"a[href$='#{view}']").send_keys(Keys.ENTER)
    until(browser, lambda: shown(browser, selector))


def open_page(browser: Chrome, operator: Operator, path: str = "") -> None:
    operator.until_stage("waiting")
    token = token_file(operator.data, operator.port).read_text(encoding="ascii").strip()
    browser.get(f"http://127.0.0.1:{operator.port}/{path}#operator={token}")


def test_from_the_set_up_to_the_live_board_and_back(browser: Chrome, film: Path, tmp_path: Path) -> None:
    """By keyboard alone: mistakes, the match, its end, and the next set-up."""
    visit = partial(_set_up_and_back, browser)
    assert played(visit, tmp_path, "--set-up", "--camera", str(film), "--leds", "none") == 0
    (file,) = matches_folder(tmp_path).glob("*.zmatch")
    started = read_match(file).events[0]
    assert isinstance(started, MatchStarted)
    assert (started.white, started.black, started.length, started.clock) == ("Ann", "<b>Ben", 5, "us")


def _set_up_and_back(browser: Chrome, operator: Operator) -> None:
    open_page(browser, operator)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#start-match"))  # the page redirects there
    _make_mistakes(browser)
    _start(browser)
    turn_to(browser, "set-up", "#end-match")
    find(browser, "#end-match").send_keys(Keys.ENTER)
    find(browser, "#end-surely").send_keys(Keys.ENTER)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#resume-match"))
    assert find(browser, "[name='players.white']").get_attribute("value") == "Ann"
    find(browser, "#views a[href='/']").send_keys(Keys.ENTER)
    until(browser, lambda: shown(browser, "#no-match a"))
    assert not browser.find_elements(By.CSS_SELECTOR, "#orders button")
    assert faults(browser) == []


def _make_mistakes(browser: Chrome) -> None:
    enter(browser, "match.length", "seven")
    Select(find(browser, "#set-up [name=clock]")).select_by_visible_text("other …")
    enter(browser, "clock.other", "sand")
    find(browser, "#start-match").send_keys(Keys.ENTER)
    until(browser, lambda: len(shown(browser, ".mistake")) == 2)
    assert browser.switch_to.active_element.get_attribute("name") == "match.length"
    log_of(browser)  # an error about status 422


def _start(browser: Chrome) -> None:
    for name, text in {"players.white": "Ann", "players.black": "<b>Ben", "match.length": "5"}.items():
        enter(browser, name, text)
    Select(find(browser, "#set-up [name=clock]")).select_by_value("us")
    assert shown(browser, ".mistake") == []
    find(browser, "#start-match").send_keys(Keys.ENTER)
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".checker")) == 30)
    until(browser, lambda: texts(browser, "#doing") == ["Each throws one die."])
    assert sorted(texts(browser, ".player .name")) == ["<b>Ben", "Ann"]
    assert faults(browser) == []


def test_settings_are_saved(browser: Chrome, film: Path, tmp_path: Path) -> None:
    """Mistakes are shown at once; valid values are written to the file."""
    (tmp_path / "settings.toml").write_text("# ours\n\n[leds]\nbrightness = 20 # at night\n", encoding="utf-8")
    assert played(partial(_save_settings, browser), tmp_path, "--set-up", "--camera", str(film), "--leds", "none") == 0
    text = (tmp_path / "settings.toml").read_text(encoding="utf-8")
    assert text == '# ours\n\nmode = "referee"\n[leds]\nbrightness = 60 # at night\n'


def _save_settings(browser: Chrome, operator: Operator) -> None:
    open_page(browser, operator, "office")
    turn_to(browser, "settings", "#save-settings")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#settings .field")) > 30
    enter(browser, "leds.brightness", "0")
    enter(browser, "web.port", "x")
    find(browser, "#save-settings").send_keys(Keys.ENTER)
    until(browser, lambda: len(shown(browser, ".mistake")) == 2)
    log_of(browser)
    enter(browser, "leds.brightness", "60")
    enter(browser, "web.port", Keys.DELETE)
    Select(find(browser, "#settings [name=mode]")).select_by_visible_text("referee")
    find(browser, "#save-settings").send_keys(Keys.ENTER)
    until(browser, lambda: shown(browser, "#toast") == ["Saved."])
    assert find(browser, "[name='leds.brightness']").get_attribute("value") == "60"
    assert faults(browser) == []


def test_leds_are_mapped(browser: Chrome, film: Path, tmp_path: Path) -> None:
    """An LED is lit and moved, the next one follows; the saved map is there after a reload."""
    assert played(partial(_map_leds, browser), tmp_path, "--set-up", "--camera", str(film), "--leds", "fake") == 0


def _map_leds(browser: Chrome, operator: Operator) -> None:
    open_page(browser, operator, "office")
    turn_to(browser, "lights", ".chip")
    find(browser, "[data-led='3']").send_keys(Keys.ENTER)
    until(browser, lambda: shown(browser, "#led-said") == ["LED 3 is lit. Tap the place where it lies."])
    find(browser, "[data-place='T1']").send_keys(Keys.ENTER)
    until(browser, lambda: shown(browser, "#led-said") == ["LED 4 is lit. Tap the place where it lies."])
    find(browser, "[data-place='']").click()
    assert shown(browser, ".alert") == []
    find(browser, "#save-leds").click()
    until(browser, lambda: shown(browser, "#toast") == ["Saved."])
    browser.refresh()
    until(browser, lambda: shown(browser, ".chip"))
    places = {led: find(browser, f"[data-led='{led}']").get_attribute("aria-label") for led in (2, 3, 4, 5)}
    assert places == {2: "LED 2, T1", 3: "LED 3, T1", 4: "LED 4, no place", 5: "LED 5, T2"}
    assert faults(browser) == []


def test_a_spectator_sees_no_forms(browser: Chrome, film: Path, tmp_path: Path) -> None:
    """A spectator sees no links to the forms either, only those that everybody may look at."""
    assert played(partial(_watch, browser), tmp_path, "--set-up", "--camera", str(film), "--leds", "none") == 0


def _watch(browser: Chrome, operator: Operator) -> None:
    operator.until_stage("waiting")
    browser.get(f"http://127.0.0.1:{operator.port}/")
    until(browser, lambda: shown(browser, "#no-match"))
    assert shown(browser, "#views a, #no-match a") == ["Board", "Statistics"]
    browser.get(f"http://127.0.0.1:{operator.port}/office")
    until(browser, lambda: shown(browser, "#no-token"))
    assert shown(browser, "main form, main section") == []
    assert faults(browser) == []


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core (npm ci --prefix tests/controller/web)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_a_serious_fault(browser: Chrome, film: Path, tmp_path: Path, scheme: str) -> None:
    """The rules are those of WCAG 2.2 AA; mistakes are visible."""
    in_colours(browser, scheme)
    assert played(partial(_inspect, browser), tmp_path, "--set-up", "--camera", str(film), "--leds", "fake") == 0


def _inspect(browser: Chrome, operator: Operator) -> None:
    open_page(browser, operator, "office")
    until(browser, lambda: shown(browser, "#start-match"))
    for part in ("#more-set-up > summary", "#more-rules > summary"):
        find(browser, part).click()
    _make_mistakes(browser)
    assert serious_faults(browser) == []
    turn_to(browser, "settings", "#save-settings")
    assert serious_faults(browser) == []
    turn_to(browser, "lights", ".chip")
    find(browser, "[data-led='3']").click()
    until(browser, lambda: shown(browser, "#led-said"))
    assert serious_faults(browser) == []
