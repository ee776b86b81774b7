"""The page in a real browser: Chromium, driven over WebDriver. Skipped where either is missing."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from controller.match import Peripheral
from controller.match.commands import (
    AnswerQuestion,
    CallDispute,
    ChoosePlay,
    ConfirmResult,
    CorrectBoard,
    DropDouble,
    OfferDouble,
    SetSeating,
    SettleDispute,
    TakeBackAnswer,
)
from controller.match.events import GameStarted, MatchWon, PlayMade, RefereeEvent
from controller.refereeing.referee import replay_events, without_perception
from controller.rules import Player
from controller.web.address import LOOPBACK, Address
from controller.web.match.live_match import LiveMatch
from controller.web.match.state_record import make_state_record
from controller.web.match.visibility import Viewer
from controller.web.match_page import MatchPage
from controller.web.server import PageServer
from controller.web.set_up.program_control import FaultKind, Receiver, ReceiverFault
from tests.controller.refereeing.refereed_match import OPENING_HALVES, moved
from tests.controller.web.browsing import (
    begun_on,
    devtools,
    faults,
    find,
    log_of,
    needs_browser,
    open_editor,
    ordered,
    shown_on,
    texts,
    until,
    visit,
)
from tests.controller.web.shown_match import TOKEN, ShownMatch, play_first_turn
from tests.controller.web.simulated_game import one_point_match, refereed_game

pytestmark = [pytest.mark.broad, needs_browser]

# Runs before the page: records the messages of the socket, and counts taps.
NOTES = """
window.heard = { numbers: [], state: null };
window.taps = 0;
document.addEventListener("click", () => { window.taps += 1; }, true);
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      const said = JSON.parse(data);
      if (said.type === "events") window.heard.numbers.push(...said.events.map((one) => one.number));
      if (said.type === "state") window.heard.state = said.state;
    });
  }
};
"""


@pytest.fixture
def noted(browser: Chrome) -> Iterator[Chrome]:
    """The browser with a record of socket messages and taps."""
    script = devtools(browser, "Page.addScriptToEvaluateOnNewDocument", source=NOTES)["identifier"]
    yield browser
    devtools(browser, "Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def test_a_whole_game_is_watched(noted: Chrome, server: PageServer) -> None:
    """No event is missing, the log has every play, and the last state on the page equals the replayed events."""
    browser, table = noted, one_point_match("hypergammon")
    game = refereed_game(table, seed=2)
    begun = next(game)
    match = LiveMatch("simulated", table, begun.state, begun.events)
    sink, events = server.show_match(match), [*begun.events]
    visit(browser, server, is_operator=False)
    for one in game:
        events += one.events
        sink.publish(one.state, one.events, one.now_ms)
    plays = [event for event in events if isinstance(event, PlayMade)]
    assert (isinstance(events[-1], MatchWon), len(plays)) == (True, 16)
    sentence = f"{winner(events, table.players.white, table.players.black)} has won the match."
    until(browser, lambda: find(browser, "#doing").text == sentence)
    assert texts(browser, "#log .play") == [event.play for event in plays]
    heard = browser.execute_script("return window.heard")
    assert heard["numbers"] == list(range(1, len(events) + 1))
    assert without_perception(match.newest.state) == replay_events(events)
    shown = json.loads(json.dumps(make_state_record(match.newest, table, Viewer.SPECTATOR)))
    assert shown == {name: heard["state"][name] for name in shown}
    assert len(browser.find_elements(By.CSS_SELECTOR, ".checker")) == 6
    assert not browser.find_elements(By.CSS_SELECTOR, "#orders button")
    assert faults(browser) == []


def winner(events: list[RefereeEvent], white: str, black: str) -> str:
    """The name of the winner in the last event."""
    last = events[-1]
    assert isinstance(last, MatchWon)
    return white if last.player is Player.WHITE else black


def test_a_question_about_the_seating_is_answered_with_one_tap(noted: Chrome, server: PageServer) -> None:
    """Each seating that fits is an answer; another one has its dialog."""
    browser, shown = noted, ShownMatch.begun("backgammon_race", seating=None)
    shown.match.rest(6000)
    shown.publish()
    visit(browser, server, shown)
    until(browser, lambda: find(browser, "#question").is_displayed())
    assert "who sits where" in find(browser, "#question p").text
    find(browser, "#question .other").click()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "input[name=white_plays]"))
    find(browser, "#asking .close").click()
    assert shown.obey() == ()
    tap_answer(browser)
    answer = ordered(browser, shown)
    assert isinstance(answer, AnswerQuestion)
    assert isinstance(answer.answer, SetSeating)
    until(browser, lambda: not find(browser, "#question").is_displayed())
    assert faults(browser) == []


def test_the_page_says_what_the_referee_waits_for(noted: Chrome, server: PageServer) -> None:
    """In the words of the reader's language, to spectators too, until the board can be seen."""
    browser, shown = noted, ShownMatch.in_the_dark()
    visit(browser, server, shown, is_operator=False)
    sentence = "It is too dark to read the board; light it."
    until(browser, lambda: find(browser, "#waits").text == sentence)
    assert sentence in [line.text for line in browser.find_elements(By.CSS_SELECTOR, "#log .words")]
    shown.match.picture_fault = None
    shown.match.rest(1000)
    shown.publish()
    until(browser, lambda: not find(browser, "#waits").is_displayed())
    assert faults(browser) == []


def test_the_name_of_the_table_stands_in_the_head(noted: Chrome, server: PageServer) -> None:
    server.control.table_name = "Table <2>"
    visit(noted, server, ShownMatch.begun(), is_operator=False)
    assert find(noted, "#title").text == "Table <2> · Backgammon"
    assert noted.title.endswith(" · Table <2>")
    assert faults(noted) == []


@pytest.mark.parametrize("is_operator", [True, False])
def test_the_operator_alone_is_told_of_receivers(noted: Chrome, server: PageServer, *, is_operator: bool) -> None:
    """As long as a fault lasts; the names of other machines are for nobody else."""
    sentence = "<b>the webhook takes no connection; see whether it runs"
    server.control.receiver_faults = (ReceiverFault(Receiver.WEBHOOK, "club.example", FaultKind.AWAY, sentence),)
    visit(noted, server, ShownMatch.begun(), is_operator=is_operator)
    until(noted, lambda: noted.execute_script("return window.heard.state !== null"))
    if is_operator:
        until(noted, lambda: find(noted, "#receivers").is_displayed())
        notice = "Webhook club.example: gets nothing at present, and is tried again. The match goes on."
        assert find(noted, "#receivers").text == f"{notice}\n{sentence}"
    assert noted.execute_script("return window.heard.state.office.receivers.length") == int(is_operator)
    server.control.receiver_faults = ()
    server.wake()
    until(noted, lambda: not find(noted, "#receivers").is_displayed())
    assert faults(noted) == []


def test_lights_that_come_and_go_have_one_line_and_a_chip(noted: Chrome, server: PageServer) -> None:
    """The line counts, and says when it was the last time; the caption keeps the last ruling."""
    browser, shown = noted, ShownMatch.begun()
    visit(browser, server, shown, is_operator=False)
    until(browser, lambda: browser.execute_script("return window.heard.state !== null"))
    play_first_turn(shown.match)
    shown.publish()
    until(browser, lambda: "8/5 6/5" in find(browser, "#said").text)
    said = find(browser, "#said").text
    for _ in range(3):
        for is_up in (False, True):
            shown.match.link(Peripheral.LIGHTS, is_up=is_up)
            shown.publish()
            until(browser, lambda: find(browser, "#lost").text == ("" if is_up else "no lights"))  # noqa: B023
    lines = [line.text for line in browser.find_elements(By.CSS_SELECTOR, "#log .line") if "lights" in line.text]
    assert len(lines) == 1
    assert re.fullmatch(r"The lights are back\.\s+lost 3 times, last at \d\d:\d\d( [AP]M)?", lines[0])
    assert find(browser, "#said").text == said
    assert faults(browser) == []


def test_an_unsure_turn_is_resolved_with_one_tap_which_may_be_taken_back(noted: Chrome, server: PageServer) -> None:
    """The answers stand above the board. A wrong one is taken back with one tap, and the same answers are offered again."""
    browser, shown = noted, ShownMatch.unsure()
    visit(browser, server, shown)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".option"))
    offered = texts(browser, ".option")
    assert find(browser, "#question").location["y"] < find(browser, "#board").location["y"]
    tap_answer(browser, 2)
    wrong = ordered(browser, shown)
    until(browser, lambda: not find(browser, "#question").is_displayed())
    until(browser, lambda: find(browser, "[data-order=TakeBackAnswer]").is_displayed())
    find(browser, "[data-order=TakeBackAnswer]").click()
    assert ordered(browser, shown) == TakeBackAnswer()
    until(browser, lambda: texts(browser, ".option") == offered)
    tap_answer(browser, offered.index("8/5 6/5") + 1)
    answer = ordered(browser, shown)
    assert answer != wrong
    assert isinstance(answer, AnswerQuestion)
    assert isinstance(answer.answer, ChoosePlay)
    assert shown.match.emitted(PlayMade)[-1].play == "8/5 6/5"
    assert browser.execute_script("return window.taps") == 3
    assert faults(browser) == []


@pytest.mark.parametrize("is_replay", [False, True], ids=["live", "replay"])
def test_long_names_do_not_widen_the_page(browser: Chrome, server: PageServer, *, is_replay: bool) -> None:
    """On a phone nothing lies beyond the edge, where no tap reaches it."""
    shown = ShownMatch.after_first_turn(white="B" * 60, black="long name " * 6)
    if is_replay:
        MatchPage(server).replay("evening", shown.match.table, shown.match.events, path=None)
    visit(browser, server, None if is_replay else shown)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#log .line"))
    beyond = "return [...document.querySelectorAll('main, main *')].filter((one) => "
    beyond += "one.getBoundingClientRect().right > document.documentElement.clientWidth).map((one) => one.id || one.className)"
    assert browser.execute_script(beyond) == []
    assert browser.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_tap_does_not_answer_what_has_just_appeared(noted: Chrome, server: PageServer) -> None:
    """The second tap of a double tap falls on the answers of the next question, which nobody has read."""
    browser, shown = noted, ShownMatch.unsure()
    visit(browser, server, shown)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".option"))
    tap_at_once = """
        new MutationObserver((_, watch) => {
          const answer = document.querySelector("#question .option");
          if (answer) { watch.disconnect(); window.appeared = true; answer.click(); }
        }).observe(document.querySelector("#question"), { childList: true });
    """
    tap_answer(browser)
    ordered(browser, shown)
    until(browser, lambda: not find(browser, "#question").is_displayed())
    browser.execute_script(tap_at_once)
    shown.match.give(TakeBackAnswer())
    shown.publish()
    until(browser, lambda: browser.execute_script("return Boolean(window.appeared)"))
    until(browser, lambda: find(browser, "#question .option").is_enabled())
    assert shown.obey() == ()
    tap_answer(browser)
    assert isinstance(ordered(browser, shown), AnswerQuestion)


def tap_answer(browser: Chrome, number: int = 1) -> None:
    """Taps an answer as soon as it can be given."""
    answer = f".option:nth-child({number})"
    until(browser, lambda: find(browser, answer).is_enabled())
    find(browser, answer).click()


def test_an_illegal_ruling_shows_what_was_moved_and_what_was_legal(
    browser: Chrome, server: PageServer, tmp_path: Path
) -> None:
    """Rings in all three pictures, arrows in the last; a legal play, one tap away, has its own in the first."""
    shown = ShownMatch.begun(folder=tmp_path)
    shown.match.throw(3, 1, halves=OPENING_HALVES)
    shown.match.play(Player.WHITE, (8, 4), (6, 5), rest_ms=2_000)
    shown.publish()
    visit(browser, server, shown)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#log .illegal button"))
    find(browser, "#log .illegal button").click()
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, "#ruling .marks")) == 3)
    assert marks(browser, "before") == (2, 0)
    assert marks(browser, "dice") == (2, 0)
    assert marks(browser, "after") == (4, 2)
    texts_shown = texts(browser, "#ruling dt")
    assert len(texts_shown) == len(set(texts_shown)) == 4
    assert "8/5 6/4: 5 pips in all; 3-1 allows 4." in find(browser, "#ruling dl").text
    find(browser, "#ruling summary").click()
    find(browser, "#ruling .legal-play").click()
    rings, arrows = marks(browser, "before", ".legal")
    assert (rings, arrows) == (4, 2)
    assert browser.execute_script(
        "const p = arguments[0]; return p.scrollWidth > p.clientWidth", find(browser, "#ruling .pictures")
    ) == (browser.execute_script("return innerWidth < 700"))
    assert faults(browser) == []


def marks(browser: Chrome, kind: str, of: str = "") -> tuple[int, int]:
    """The rings and arrows in a picture of the ruling."""
    inside = f"#ruling [data-kind={kind}] .marks{of}"
    return tuple(len(browser.find_elements(By.CSS_SELECTOR, f"{inside} {shape}")) for shape in ("circle", "path"))  # type: ignore[return-value]


def test_the_page_reconnects_after_a_restart(noted: Chrome) -> None:
    """It reports the lost connection, tries again, and continues after its last event."""
    browser, shown = noted, ShownMatch.begun()
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as first:
        visit(browser, first, shown)
    until(browser, lambda: find(browser, "#link").is_displayed())
    play_first_turn(shown.match)
    shown.publish()
    with closing(PageServer(first.address, TOKEN)) as second:
        shown_on(second, shown)
        until(browser, lambda: texts(browser, "#log .play") == ["8/5 6/5"])
        until(browser, lambda: not find(browser, "#link").is_displayed())
        assert browser.execute_script("return window.heard.numbers") == list(range(1, len(shown.match.events) + 1))
        assert find(browser, "#viewer").text == "Operator"
    log_of(browser)  # errors about the missing server


def after_first_turn_in_editor(browser: Chrome, server: PageServer) -> ShownMatch:
    shown = ShownMatch.after_first_turn()
    visit(browser, server, shown)
    open_editor(browser)
    return shown


@pytest.mark.slow
def test_the_board_is_set_by_keyboard(browser: Chrome, server: PageServer) -> None:
    """The Enter key takes a checker up and puts it down; the order has the position."""
    shown = after_first_turn_in_editor(browser, server)
    for spot in ("p19", "p18"):  # White's 5 and 6 point
        browser.execute_script("document.querySelector(arguments[0]).focus()", f"[data-spot={spot}]")
        browser.switch_to.active_element.send_keys(Keys.ENTER)
    before = shown.match.position
    find(browser, "#editor .send").click()
    assert ordered(browser, shown) == CorrectBoard(moved(before, Player.WHITE, (5, 6)))
    until(browser, lambda: not find(browser, "#editor").is_displayed())
    assert faults(browser) == []


@pytest.mark.slow
def test_the_board_is_set_by_dragging(browser: Chrome, server: PageServer) -> None:
    """A checker moves to where it is dropped; a drop beside the board moves nothing."""
    shown = after_first_turn_in_editor(browser, server)
    drag(browser, "[data-spot=p19]", "#doing")
    drag(browser, "#doing", "[data-spot=p17]")
    drag(browser, "[data-spot=p19]", "[data-spot=p18]")  # White's 5 and 6 point
    before = shown.match.position
    find(browser, "#editor .send").click()
    assert ordered(browser, shown) == CorrectBoard(moved(before, Player.WHITE, (5, 6)))
    assert faults(browser) == []


@pytest.mark.slow
def test_the_player_on_turn_is_sent_with_the_board(browser: Chrome, server: PageServer) -> None:
    """The game may have gone on while nobody could follow it."""
    shown = after_first_turn_in_editor(browser, server)
    Select(find(browser, "#editor-next")).select_by_value("W")
    before = shown.match.position
    find(browser, "#editor .send").click()
    assert ordered(browser, shown) == CorrectBoard(before, Player.WHITE)
    assert shown.match.state.on_turn is Player.WHITE
    assert faults(browser) == []


@pytest.mark.slow
def test_before_the_opening_the_editor_does_not_ask_who_throws(browser: Chrome, server: PageServer) -> None:
    """The opening throw decides it."""
    begun_on(server)
    visit(browser, server)
    open_editor(browser)
    assert browser.find_elements(By.CSS_SELECTOR, "#editor-next") == []
    assert "null" not in find(browser, "#editor").text
    assert faults(browser) == []


def drag(browser: Chrome, source: str, target: str) -> None:
    chain = ActionChains(browser).move_to_element(find(browser, source)).click_and_hold()
    chain.move_to_element(find(browser, target)).release().perform()


@pytest.mark.slow
def test_names_are_never_markup(browser: Chrome, server: PageServer) -> None:
    name = "<img src=x onerror=alert(1)>"
    shown = ShownMatch.after_first_turn(white=name)
    visit(browser, server, shown, is_operator=False)
    until(browser, lambda: texts(browser, "#log .who") == [name])
    assert name in texts(browser, ".player .name")
    assert not browser.find_elements(By.CSS_SELECTOR, "img[src=x]")
    assert faults(browser) == []


def test_wrong_tokens_of_others_leave_the_operator_the_token(browser: Chrome, server: PageServer) -> None:
    """They come from the same address, and have used up what it may try."""
    shown_on(server, ShownMatch.begun())
    address = (server.address.host, server.address.port)
    with closing(HTTPConnection(*address, timeout=10)) as stranger:
        for _ in range(12):
            stranger.request("GET", "/api/state", headers={"Authorization": "Bearer wrong"})
            stranger.getresponse().read()
    browser.get(f"{server.address.link()}#operator={TOKEN}")
    until(browser, lambda: find(browser, "#viewer").text == "Operator")
    assert browser.execute_script("return localStorage.getItem('zarbiter-operator')") == TOKEN
    log_of(browser)


@pytest.mark.slow
def test_an_outdated_token_makes_a_spectator(browser: Chrome, server: PageServer) -> None:
    """The page works without the token."""
    shown = ShownMatch.begun()
    assert isinstance(shown.match.events[-1], GameStarted)
    shown_on(server, shown)
    browser.get(f"{server.address.link()}#operator=a-token-of-another-day")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".checker"))
    assert find(browser, "#viewer").text == "Spectator"
    log_of(browser)


@pytest.mark.slow
def test_the_overlay_is_transparent(browser: Chrome, server: PageServer) -> None:
    """It shows the board and the score on a transparent ground."""
    shown = ShownMatch.begun(white="Ann", black="Ben")
    visit(browser, server, shown, is_operator=False, path="overlay")
    script = "return getComputedStyle(document.body).backgroundColor"
    assert browser.execute_script(script) == "rgba(0, 0, 0, 0)"
    assert texts(browser, ".player .name") == ["Ben", "Ann"]
    assert faults(browser) == []


def test_a_dispute_shows_the_ruling_and_both_players_confirm_the_score(
    browser: Chrome, server: PageServer, tmp_path: Path
) -> None:
    """One tap stops the game and opens the last ruling with its picture; two taps confirm the score."""
    shown = ShownMatch.after_first_turn(folder=tmp_path)
    visit(browser, server, shown)
    until(browser, lambda: texts(browser, "[data-order=CallDispute]"))
    find(browser, "[data-order=CallDispute]").click()
    assert ordered(browser, shown) == CallDispute()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#ruling[open] img"))
    assert "8/5 6/5" in find(browser, "#ruling-text").text
    find(browser, "#ruling .close").click()
    for command in (SettleDispute(), OfferDouble(Player.BLACK), DropDouble(Player.WHITE)):
        shown.match.give(command)
    shown.publish()
    for player in Player:
        until(browser, lambda: texts(browser, "[data-order=ConfirmResult]"))
        find(browser, "[data-order=ConfirmResult]").click()
        assert ordered(browser, shown) == ConfirmResult(player)
        until(browser, lambda: "confirmed" in find(browser, "#doing").text)
    until(browser, lambda: "Both players" in find(browser, "#doing").text)
    assert not texts(browser, "[data-order=ConfirmResult]")
