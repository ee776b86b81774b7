"""A newcomer looks at every phase of every game on the page, and presses every button."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from selenium.webdriver import Chrome

from controller.match import commands
from controller.match.events import RefereeEvent
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig, MatchPlayers
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import Phase, RefereeState
from controller.rules import RULESETS, Contact, Player, ResultKind, Ruleset
from controller.simulation.demo import make_demo_game
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.staging.board_plan import BoardPlan
from controller.web.match.live_match import LiveMatch
from controller.web.server import PageServer
from controller.web.static_files import static_files
from tests.controller.simulation.films import MANY_MISHAPS
from tests.controller.web.browsing import until

LANGUAGES = ("en", "ru", "tr", "ar")
SEED = 3
MOST_SCREENS = 2  # of a view on a phone, without its log
ANSWERS_WITHIN_S = 2.0
PRESSED = "#orders button, #question button, #log button, main summary"


@dataclass(frozen=True, slots=True)
class Moment:
    """A state that people meet, and the events that led to it."""

    name: str
    table: MatchConfig
    state: RefereeState
    events: tuple[RefereeEvent, ...]

    def after(self, command: commands.Command, name: str) -> "Moment":
        state, events = step(self.state, command, self.table)
        return replace(self, name=name, state=state, events=self.events + events)


def moments_of(game: str) -> Iterator[Moment]:
    """One moment of each phase of a game with mishaps, as the referee comes to it, and what an operator does to it."""
    demo = make_demo_game(game, RULESETS.get(game), SEED, has_mishaps=True)
    table, board = demo.table, BoardPlan()
    pins = isinstance(table.rules, Ruleset) and table.rules.contact is Contact.PIN
    film = film_game(table.rules, replace(demo.plan, board=board, mishaps=MANY_MISHAPS))
    simulated: SimulatedTable[Observation] = SimulatedTable(film, board, Observer(board, SEED, pins=pins))
    state, begun = begin_match(table, 0)
    events, met = list(begun), set[object]()
    for given in simulated.inputs():
        state, now = step(state, given, table)
        events += now
        simulated.publish(state, now, state.seen.now_ms)
        asked = state.questions
        kind = (state.phase, *(one is not None for one in (asked.throw_refused, asked.throw_unclear, asked.hindered)))
        if kind in met:
            continue
        met.add(kind)
        moment = Moment(f"{game} {state.phase.value}", table, state, tuple(events))
        yield moment
        if state.phase is Phase.AWAIT_ROLL and state.on_turn is not None and (state.phase, "ordered") not in met:
            met.add((state.phase, "ordered"))
            yield from _ordered(moment, state.on_turn)


def _ordered(moment: Moment, player: Player) -> Iterator[Moment]:
    yield moment.after(commands.Pause(), "paused")
    yield moment.after(commands.CallDispute(), "dispute")
    yield moment.after(commands.Resign(player, ResultKind.SINGLE), "resigned")
    offered = moment.after(commands.OfferDouble(player), "doubled")
    if offered.state.phase is Phase.CUBE_OFFERED:
        yield offered
        yield offered.after(commands.TakeDouble(player.opponent), "taken")


def show(browser: Chrome, server: PageServer, moment: Moment, number: int) -> LiveMatch:
    """Shows the moment on the page that is open, under names of its own."""
    table = replace(moment.table, players=MatchPlayers(f"Leyla{number}", f"Arman{number}"))
    live = LiveMatch(f"m{number}", table, moment.state, moment.events, now_ms=moment.state.seen.now_ms)
    server.show_match(live)
    until(browser, lambda: f"Leyla{number}" in browser.title)
    return live


def odd_texts(browser: Chrome, language: str) -> list[str]:
    """What no reader of that language should see: places that are not filled, keys, and English."""
    found = browser.execute_script(VISIBLE_TEXTS)
    return [text for text in found if is_odd(text, language)]


VISIBLE_TEXTS = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const texts = [];
while (walker.nextNode()) {
  const { parentElement: around, nodeValue: text } = walker.currentNode;
  if (!text.trim() || around.closest("script, noscript, style, #language, [lang=en], .address")) continue;
  if (around.checkVisibility({ visibilityProperty: true })) texts.push(text.trim());
}
for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], img[alt]"))
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    const text = one.getAttribute(name);
    if (text && !one.closest("#language, [lang=en]")) texts.push(text);
  }
return [...new Set(texts)];
"""
_KEY = re.compile(r"^[a-z]+(?:[.][a-z_-]+)+$")
_WORD, _PLACE = re.compile(r"[A-Za-z]{3,}"), re.compile(r"\{\w+\}")
_LATIN = re.compile(r"(?:[A-Za-z]{2,} ){3}[A-Za-z]{2,}")  # four words: no name, notation, list of names or file


def is_odd(text: str, language: str) -> bool:
    if "{" in text or "}" in text or _KEY.match(text):
        return True
    if language == "en":
        return False
    if language in ("ru", "ar") and _LATIN.search(text):
        return True
    return any(pattern.fullmatch(text) for pattern in _english_only(language))


@cache
def _english_only(language: str) -> tuple[re.Pattern[str], ...]:
    """The English texts, with anything in their places, that are said otherwise in that language."""
    english, other = (json.loads(static_files()[f"texts/{code}.json"].content) for code in ("en", language))
    rows = [(english[key], other[key]) for key in english if isinstance(english[key], str)]
    different = [one for one, there in rows if one != there and len(_WORD.findall(_PLACE.sub("", one))) >= 2]
    return tuple(re.compile(".+".join(map(re.escape, _PLACE.split(one)))) for one in different)


def screens(browser: Chrome) -> float:
    """How many screens the page is long, without its log."""
    script = """const log = document.getElementById("log")?.getBoundingClientRect().height ?? 0;
        return (document.documentElement.scrollHeight - log) / innerHeight"""
    return float(browser.execute_script(script))


def dead_buttons(browser: Chrome, server: PageServer, moment: Moment, first: int) -> list[str]:
    """Presses each button of the moment, which is shown anew for each; those after which nothing changes in time."""
    dead, number, at = list[str](), first, 0
    while True:
        live = show(browser, server, moment, number)
        names = browser.execute_script(LIST_BUTTONS, PRESSED)
        if at >= len(names):
            return dead
        if not _is_answered(browser, server, live, moment.state, at):
            dead.append(f"{moment.name}: {names[at]}")
        browser.execute_script("document.querySelectorAll('dialog[open]').forEach((one) => one.close())")
        at, number = at + 1, number + 1


LIST_BUTTONS = """
return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).map((one) => one.textContent);
"""
PRESS = """
const shown = () => document.body.innerText + [...document.querySelectorAll("dialog, details")].map((one) => one.open);
window.before = shown();
window.isAnswered = () => shown() !== window.before;
[...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())[arguments[1]].click();
"""


IS_DISABLED = """
return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())[arguments[1]].disabled;
"""


def _is_answered(browser: Chrome, server: PageServer, live: LiveMatch, state: RefereeState, at: int) -> bool:
    """Whether the page changes within the time; orders are carried out as the loop does it."""
    until(browser, lambda: not browser.execute_script(IS_DISABLED, PRESSED, at))  # an answer is, for its first moment
    browser.execute_script(PRESS, PRESSED, at)
    sink = None
    for _ in range(int(ANSWERS_WITHIN_S / 0.05)):
        for order in server.orders():
            state, events = step(state, order, live.table)
            live.update(state, events, state.seen.now_ms)
            server.wake()
        if browser.execute_script("return window.isAnswered()"):
            return True
        browser.execute_async_script("setTimeout(arguments[0], 50)")
    return sink is not None
