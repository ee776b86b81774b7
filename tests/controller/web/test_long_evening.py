"""A page that stays open for an evening, in a real browser: dead connections, camera streams, stuck voices."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from controller.web.server import PageServer
from tests.controller.web.browsing import (
    DESKTOP,
    begun_on,
    browser_of,
    devtools,
    find,
    log_of,
    needs_browser,
    texts,
    until,
    visit,
)
from tests.controller.web.page_views import after_a_turn, filmed_for
from tests.controller.web.shown_match import play_first_turn

pytestmark = [pytest.mark.slow, needs_browser]

# Runs before the page: a clock that can be advanced, and sockets that can go silent or be closed.
WORLD = """
window.aheadMs = 0;
const now = performance.now.bind(performance);
performance.now = () => now() + window.aheadMs;
window.sockets = [];
window.isMute = false;
window.isShut = false;
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    window.sockets.push(now());
    const mine = window.sockets.length;
    this.addEventListener("message", (event) => {
      if (window.isMute && mine === 1) event.stopImmediatePropagation();
    });
    if (window.isShut) this.addEventListener("open", () => this.close());
  }
};
window.spoken = [];
class Utterance extends EventTarget { constructor(text) { super(); this.text = text; } }
window.SpeechSynthesisUtterance = Utterance;
const synth = {
  getVoices: () => [{ lang: "en-GB", name: "Voice", default: true }],
  cancel() {},
  addEventListener() {},
  speak(one) { window.spoken.push(one.text); },
};
Object.defineProperty(window, "speechSynthesis", { value: synth });
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with browser_of(DESKTOP) as driver:
        devtools(driver, "Page.addScriptToEvaluateOnNewDocument", source=WORLD)
        yield driver


def test_a_dead_connection_is_replaced(browser: Chrome, server: PageServer) -> None:
    """After a phone slept or changed its network, no event is missing."""
    shown = begun_on(server)
    visit(browser, server, is_operator=False)
    browser.execute_script("window.isMute = true")
    play_first_turn(shown.match)
    shown.publish()
    browser.execute_script("window.aheadMs += 30_000; window.dispatchEvent(new Event('online'))")
    until(browser, lambda: texts(browser, "#log .play") == ["8/5 6/5"])
    assert browser.execute_script("return window.sockets.length") == 2


def test_a_working_connection_is_kept(browser: Chrome, server: PageServer) -> None:
    """After a long silence the page makes one request."""
    shown = begun_on(server)
    visit(browser, server, is_operator=False)
    asked = "return performance.getEntriesByName(`${location.origin}/api/state`).length"
    browser.execute_script("window.aheadMs += 30_000; window.dispatchEvent(new Event('online'))")
    until(browser, lambda: browser.execute_script(asked) == 1)
    play_first_turn(shown.match)
    shown.publish()
    until(browser, lambda: texts(browser, "#log .play") == ["8/5 6/5"])
    assert browser.execute_script("return window.sockets.length") == 1


def test_pauses_grow_while_a_server_closes_every_connection(browser: Chrome, server: PageServer) -> None:
    """An opened connection does not reset the pause."""
    begun_on(server)
    visit(browser, server, is_operator=False)
    shut = "window.isShut = true; window.isMute = true; window.aheadMs += 30_000;"
    browser.execute_script(f"{shut} fetch = async () => {{ throw Error(); }}; dispatchEvent(new Event('online'))")
    until(browser, lambda: browser.execute_script("return window.sockets.length") == 6)
    sockets = browser.execute_script("return window.sockets")
    pauses = [after - before for before, after in pairwise(sockets[1:])]
    assert pauses[-1] > 2 * pauses[0]


def test_a_closed_camera_view_ends_its_stream(browser: Chrome, server: PageServer, tmp_path: Path) -> None:
    """A browser opens at most six connections to a server."""
    after_a_turn(browser, server, tmp_path, is_operator=False)
    for _ in range(4):
        find(browser, "#camera summary").click()
        until(browser, lambda: filmed_for(browser, server))
        find(browser, "#camera summary").click()
        until(browser, lambda: server.camera.newest is None)
    assert not browser.find_elements(By.CSS_SELECTOR, "#camera img")
    log_of(browser)


def test_a_stuck_voice_is_cancelled(browser: Chrome, server: PageServer) -> None:
    """Some browsers do not report the end of a sentence; the next sentence is spoken."""
    shown = begun_on(server)
    play_first_turn(shown.match)
    shown.publish()
    visit(browser, server, is_operator=False)
    browser.execute_script("document.getElementById('speech').open = true")
    find(browser, "#speech-wishes [name=isAloud]").click()
    find(browser, "#speech-wishes button").click()
    until(browser, lambda: browser.execute_script("return window.spoken") == ["White throws 6, 5."])
    browser.execute_script("window.aheadMs += 30_000")
    shown.match.throw(6, 4)
    shown.publish()
    until(browser, lambda: browser.execute_script("return window.spoken.length") == 2)
    assert browser.execute_script("return window.spoken[1]") == "Black throws 6, 4."
