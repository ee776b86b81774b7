"""Languages and speech of the page in a real browser with fake voices, which record what they would speak."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from controller.match.clocks import parse_clock
from controller.rules import Player
from controller.settings.store import SettingsStore
from controller.web.address import LOOPBACK, Address
from controller.web.server import PageServer
from controller.web.set_up.program_control import ProgramStage
from tests.controller.refereeing.refereed_match import OPENING_HALVES
from tests.controller.web.browsing import (
    DESKTOP,
    PHONE,
    begun_on,
    browser_of,
    devtools,
    find,
    needs_browser,
    shown_on,
    texts,
    until,
    visit,
)
from tests.controller.web.shown_match import TOKEN, ShownMatch, play_first_turn

pytestmark = [pytest.mark.slow, needs_browser]

VOICES = """
window.heard = [];
const voices = ["en-GB", "tr-TR", "ru-RU"].map((lang) => ({ lang, name: `Voice ${lang}`, default: false }));
class Utterance extends EventTarget { constructor(text) { super(); this.text = text; } }
window.SpeechSynthesisUtterance = Utterance;
const synth = {
  getVoices: () => voices,
  cancel() {},
  addEventListener() {},
  speak(one) { window.heard.push([one.lang, one.text]); setTimeout(() => one.dispatchEvent(new Event("end")), 0); },
};
Object.defineProperty(window, "speechSynthesis", { value: synth });
"""
WIDE = """return [...document.querySelectorAll("body *")].filter((one) => {
  const { left, right } = one.getBoundingClientRect();
  return (right > document.documentElement.clientWidth + 1 || left < -1) && getComputedStyle(one).position !== "absolute";
}).map((one) => one.outerHTML.slice(0, 120))"""
# The visible letters of a text, in their order on the screen from left to right.
VISUAL_TEXT = r"""const [element] = arguments, found = [];
const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const { data } = walker.currentNode;
  for (let at = 0; at < data.length; at += 1) {
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + 1);
    const { left, width } = range.getBoundingClientRect();
    if (width) found.push([left, data[at]]);
  }
}
return found.sort(([first], [second]) => first - second).map(([, letter]) => letter).join("");"""
RIGHT_TO_LEFT = ("ar",)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with browser_of(PHONE) as driver:
        devtools(driver, "Page.addScriptToEvaluateOnNewDocument", source=VOICES)
        yield driver


def heard(browser: Chrome) -> list[tuple[str, str]]:
    return [tuple(one) for one in browser.execute_script("return window.heard")]


def tick(browser: Chrome, name: str) -> None:
    """Ticks a box of the speech panel."""
    browser.execute_script("document.getElementById('speech').open = true")
    find(browser, f"#speech-wishes [name={name}]").click()


def play_and_throw(shown: ShownMatch) -> None:
    """White's first turn, and Black's throw: 6-4."""
    play_first_turn(shown.match)
    shown.publish()
    shown.match.throw(6, 4)
    shown.publish()


@pytest.mark.parametrize("language", ["ar", "de", "el", "es", "fr", "ka", "lt", "ru", "tr"])
def test_the_page_uses_the_requested_language(browser: Chrome, server: PageServer, language: str) -> None:
    """The direction is right, nothing is wider than a phone, no English remains, and the translation is marked."""
    shown = begun_on(server)
    visit(browser, server, path=f"?lang={language}")
    play_and_throw(shown)
    until(browser, lambda: browser.find_elements("css selector", "#log .legal"))
    root = find(browser, "html")
    assert root.get_attribute("lang") == language
    assert root.get_attribute("dir") == ("rtl" if language in RIGHT_TO_LEFT else "ltr")
    assert find(browser, "#unreviewed").text
    assert browser.execute_script(WIDE) == []
    left = "return document.body.innerText.match(/White|Black|throws|checker|lights?\\b/)"
    assert browser.execute_script(left) is None
    shown_text = str(browser.execute_script("return document.body.innerText"))
    assert "event." not in shown_text
    assert "doing." not in shown_text


def test_the_choice_of_a_language_is_kept(browser: Chrome, server: PageServer) -> None:
    """A language in the link overrides it for one visit."""
    begun_on(server)
    visit(browser, server)
    assert find(browser, "html").get_attribute("lang") == "en"
    assert not find(browser, "#unreviewed").is_displayed()
    Select(find(browser, "#language select")).select_by_value("ru")
    until(browser, lambda: find(browser, "html").get_attribute("lang") == "ru")
    until(browser, lambda: texts(browser, ".player .name") == ["Чёрные", "Белые"])
    assert find(browser, "#viewer").text == "Оператор"
    browser.get(f"{server.address.link()}?lang=lt")
    until(browser, lambda: find(browser, "html").get_attribute("lang") == "lt")
    browser.get(server.address.link())
    until(browser, lambda: find(browser, "html").get_attribute("lang") == "ru")


def test_the_board_is_not_mirrored_in_right_to_left_languages(server: PageServer) -> None:
    """Text and layout are mirrored; the board is not."""
    begun_on(server)
    with browser_of(DESKTOP) as browser:
        where = {}
        for language in ("en", "ar"):
            visit(browser, server, path=f"?lang={language}")
            svg, log = find(browser, "#board").rect, find(browser, "#log").rect
            checkers = browser.find_elements("css selector", ".checker")
            inside = sorted((round(one.rect["x"] - svg["x"]), round(one.rect["y"] - svg["y"])) for one in checkers)
            where[language] = (inside, log["x"] > svg["x"])
        assert where["en"][0] == where["ar"][0]
        assert (where["en"][1], where["ar"][1]) == (True, False)


def visual_text(browser: Chrome, selector: str) -> str:
    return str(browser.execute_script(VISUAL_TEXT, find(browser, selector)))


def test_notation_and_names_keep_their_direction(browser: Chrome, server: PageServer) -> None:
    """Rolls, plays, clock and left-to-right names are readable in a right-to-left line."""
    shown = ShownMatch.begun(white="Leyla", black="Arman", clock=parse_clock("10+12"))
    shown.match.throw(3, 1, halves=OPENING_HALVES)
    shown.publish()
    visit(browser, server, shown, path="?lang=ar")
    assert "3-1" in visual_text(browser, "#doing")
    assert visual_text(browser, ".player.on-turn .clock").startswith("10:00 +")
    opening = visual_text(browser, "#log li:last-child")
    assert opening.rindex("Leyla") > opening.index("Arman")  # the first name is on the right


def test_the_answers_to_a_question_keep_their_direction(browser: Chrome, server: PageServer) -> None:
    """The first step of a play is on the left."""
    shown = ShownMatch.unsure()
    visit(browser, server, shown, path="?lang=ar")
    until(browser, lambda: browser.find_elements("css selector", ".option"))
    options = browser.find_elements("css selector", ".option")
    (at,) = [n for n, one in enumerate(options) if "8/5 6/5" in (one.get_attribute("textContent") or "")]
    assert visual_text(browser, f"[data-option='{at}']") == "8/5 6/5"


def test_a_name_from_right_to_left_does_not_turn_a_line(browser: Chrome, server: PageServer) -> None:
    """In a left-to-right line, the number after the name stays after it."""
    shown = ShownMatch.after_first_turn(white="ليلى", black="Ben")
    visit(browser, server, shown, path="?lang=en")
    until(browser, lambda: browser.find_elements("css selector", "#log .legal"))
    browser.execute_script("document.querySelectorAll('#log li:not(:nth-child(4))').forEach((one) => one.remove())")
    line = visual_text(browser, "#log li")
    assert line.startswith("Opening throw: ")
    assert " 3, Ben 1; " in line


def set_up_with(server: PageServer, folder: Path, settings: str = "") -> ShownMatch:
    """A page between two matches, with a settings file."""
    (folder / "settings.toml").write_text(settings, encoding="utf-8")
    control = server.control
    control.settings_store = SettingsStore(folder / "settings.toml", ())
    control.can_begin, control.stage = True, ProgramStage.WAITING
    return begun_on(server)


def test_forms_use_the_language_of_the_page(browser: Chrome, server: PageServer, tmp_path: Path) -> None:
    """Games, options and mistakes are translated; the language can be changed there too."""
    set_up_with(server, tmp_path)
    browser.get(f"{server.address.link()}office?lang=de#operator={TOKEN}")
    until(browser, lambda: browser.find_elements("css selector", "[name='options.home_hit'] option"))
    option = find(browser, "[name='options.home_hit'] option:nth-child(2)")
    assert option.get_attribute("textContent") == "bleibt der Stein stehen"
    assert find(browser, "#special").text.startswith("Auch kurzes Nardy")
    games = texts(browser, "[name=game] option")
    assert "Langes Nardy" in games
    assert "nicht gesetzt" not in games
    assert find(browser, "[name='players.white']").get_attribute("placeholder") == "Weiß"
    find(browser, "[name='match.length']").send_keys("sieben", Keys.ENTER)
    until(browser, lambda: find(browser, ".wrong .mistake").is_displayed())
    assert texts(browser, ".wrong .mistake") == ["Bitte eine ganze Zahl angeben."]
    assert find(browser, ".wrong .mistake").get_attribute("lang") in (None, "")
    assert find(browser, "#unreviewed").is_displayed()
    Select(find(browser, "#language select")).select_by_value("ka")
    until(browser, lambda: language_of(browser) == "ka")
    browser.get_log("browser")  # type: ignore[no-untyped-call]


def test_the_operators_page_takes_language_and_names_from_the_settings(
    browser: Chrome, server: PageServer, tmp_path: Path
) -> None:
    """A choice on the page overrides them. They change no spectator's page, and make no page speak."""
    set_up_with(server, tmp_path, '[speech]\naloud = true\nlanguage = "tr"\npersian_names = true\n')
    server.control.stage = ProgramStage.PLAYING
    visit(browser, server)
    until(browser, lambda: language_of(browser) == "tr")
    until(browser, lambda: browser.find_elements("css selector", "#speech-wishes [name=isPersian]:checked"))
    assert not browser.find_elements("css selector", "#speech-wishes [name=isAloud]:checked")
    Select(find(browser, "#language select")).select_by_value("en")
    until(browser, lambda: language_of(browser) == "en")
    browser.refresh()
    until(browser, lambda: browser.find_elements("css selector", ".checker"))
    assert language_of(browser) == "en"
    visit(browser, server, is_operator=False)
    assert language_of(browser) == "en"


def language_of(browser: Chrome) -> str:
    """The language of the page, also during a reload."""
    return str(browser.execute_script("return document.documentElement.lang"))


def test_rolls_are_spoken_and_written(browser: Chrome, server: PageServer) -> None:
    """A voice of the language speaks the numbers; the caption shows them; old events are not spoken."""
    shown = begun_on(server)
    play_first_turn(shown.match)
    shown.publish()
    visit(browser, server, path="?lang=tr")
    tick(browser, "isAloud")
    shown.match.throw(6, 5)
    shown.publish()
    until(browser, lambda: heard(browser))
    assert heard(browser) == [("tr-TR", "Siyah attı: 6, 5.")]
    caption = find(browser, "#said")
    assert caption.text == "Siyah attı: 6-5."
    assert caption.get_attribute("aria-live") == "polite"


def test_a_roll_is_spoken_by_its_persian_name(browser: Chrome, server: PageServer) -> None:
    """This is a preference, kept for the next visit."""
    shown = begun_on(server)
    visit(browser, server, path="?lang=ru")
    tick(browser, "isAloud")
    tick(browser, "isPersian")
    browser.refresh()
    until(browser, lambda: browser.find_elements("css selector", ".checker"))
    assert find(browser, "#speech-wishes [name=isPersian]").is_selected()
    play_and_throw(shown)
    until(browser, lambda: ("ru-RU", "Чёрные: шеш-чар.") in heard(browser))


def test_without_a_voice_there_are_captions(browser: Chrome, server: PageServer) -> None:
    """The page says why it is silent; no voice of another language is used."""
    shown = begun_on(server)
    visit(browser, server, path="?lang=ka")
    tick(browser, "isAloud")
    assert find(browser, "#speech-note").is_displayed()
    play_and_throw(shown)
    until(browser, lambda: "6-4" in find(browser, "#said").text)
    assert heard(browser) == []


def test_events_during_a_lost_connection_are_not_spoken(browser: Chrome) -> None:
    """The log shows them; the next throw is spoken."""
    first = PageServer(Address(LOOPBACK, 0), TOKEN)
    shown = begun_on(first)
    visit(browser, first, path="?lang=en")
    tick(browser, "isAloud")
    address = first.address
    first.close()
    until(browser, lambda: find(browser, "#link").text)
    play_first_turn(shown.match)
    shown.publish()
    with closing(PageServer(address, TOKEN)) as second:
        shown_on(second, shown)
        until(browser, lambda: browser.find_elements("css selector", "#log .legal"))
        until(browser, lambda: not find(browser, "#link").text)
        assert heard(browser) == []
        shown.match.throw(6, 4)
        shown.publish()
        until(browser, lambda: heard(browser))
        assert heard(browser) == [("en-GB", "Black throws 6, 4.")]


def test_an_illegal_play_is_described_by_point_numbers(browser: Chrome, server: PageServer) -> None:
    """The numbers are the player's own, not places of the picture."""
    shown = begun_on(server)
    visit(browser, server, path="?lang=en")
    play_and_throw(shown)
    shown.match.play(Player.BLACK, (13, 8), (13, 8), rest_ms=2_000)
    shown.publish()
    until(browser, lambda: browser.find_elements("css selector", "#log .illegal"))
    (line,) = texts(browser, "#log .illegal .words")
    ruling = "Illegal play by Black (wrong numbers). No legal play with 6-4 leads to this board."
    assert line == f"{ruling} Take away from point 8. Put back on point 13."
