"""The page's line about what happens, in every phase of every game and every language, and names within other scripts."""

import pytest
from selenium.webdriver import Chrome

from controller.match.inputs import Peripheral
from controller.refereeing.state import Phase
from controller.rules import NAMES
from controller.speech.language import Language
from controller.web.server import PageServer
from tests.controller.web.browsing import begun_on, log_of, needs_browser, until, visit
from tests.controller.web.shown_match import OPERATOR, ShownMatch

pytestmark = [pytest.mark.broad, needs_browser]

# Lines with a value left open, a key, or no words.
BAD_LINES = """
const [records, languages, done] = arguments;
(async () => {
  const texts = await import("/static/texts.js");
  const status = await import("/static/status.js");
  const bad = [];
  for (const language of languages) {
    await texts.loadTexts(language);
    for (const record of records) {
      status.showHead(record, "operator");
      const lines = [status.doingText(record), status.boardWords(record), status.guideText(record)];
      if (!lines[0] || lines.some((line) => /[{}]|(doing|event|order|guide)[.]/.test(line))) bad.push([language, ...lines]);
    }
  }
  done(bad);
})();
"""


def states_of(game: str) -> list[dict[str, object]]:
    """The state of the page in every phase, with and without dice and a player on turn."""
    usual = ShownMatch.begun(game).state(OPERATOR)
    dice = {"player": "W", "values": [6, 5], "is_handed_over": False}
    rolls = [None] if game == "grasshopper" else [None, dice, {**dice, "is_handed_over": True}]
    cube = {"value": 1, "raised": 2, "owner": None, "offered_by": "W"}
    return [
        {**usual, "phase": phase.value, "on_turn": player, "dice": rolled, "cube": cube}
        for phase in Phase
        for player in ("W", None)
        for rolled in rolls
    ]


def test_no_placeholder_reaches_a_reader_in_any_game(browser: Chrome, server: PageServer) -> None:
    """Nor a key, and no value is missing, which the browser would log."""
    begun_on(server)
    visit(browser, server)
    records = [record for game in NAMES for record in states_of(game)]
    languages = [language.value for language in Language]
    assert browser.execute_async_script(BAD_LINES, records, languages) == []
    assert log_of(browser) == []


def test_what_a_driver_says_is_set_apart_from_text_of_the_other_direction(browser: Chrome, server: PageServer) -> None:
    """In Arabic, the English sentence about the lights keeps its own direction and its full stop."""
    shown = begun_on(server)
    shown.match.link(Peripheral.LIGHTS, is_up=False)
    shown.publish()
    visit(browser, server, path="?lang=ar")
    script = "return [...document.querySelectorAll('#log .line')].map((one) => one.textContent)"
    sentence = shown.match.events[-1].sentence  # type: ignore[union-attr]
    assert sentence
    until(browser, lambda: any(f"\u2068{sentence}\u2069" in line for line in browser.execute_script(script)))
