"""A recorded match on the page: its moments, and stepping through them."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from starlette.testclient import TestClient

from controller.formats.importing.import_file import read_match_file
from controller.match.clocks import parse_clock
from controller.match.events import Mode, PlayMade, PlayRefused, RefereeEvent
from controller.match_log import turn_lines
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import apply_event
from controller.refereeing.state import RefereeState
from controller.rules import Player
from controller.web.match.live_match import LiveMatch
from controller.web.match.replayed_match import ReplayedMatch
from controller.web.match_page import MatchPage
from controller.web.page_context import PageContext
from controller.web.server import PageServer
from tests.controller.formats.match_samples import SAMPLES
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.refereeing.refereed_match import OPENING_HALVES, moved, table_of
from tests.controller.web.browsing import devtools, faults, find, needs_browser, texts, until, visit
from tests.controller.web.shown_match import OPERATOR, TOKEN, ShownMatch, client_of, number_of, play_first_turn

pytestmark = pytest.mark.broad


def replay_client(events: tuple[RefereeEvent, ...], table: MatchConfig, path: Path | None = None) -> TestClient:
    """A client of the page of a replay."""
    replay = ReplayedMatch(table.game, events)
    context = PageContext(LiveMatch("m", table, replay.last, events, path=path, most_in_memory=len(events)), TOKEN)
    context.replay = replay
    return client_of(context)


def client_of_replay(shown: ShownMatch) -> TestClient:
    return replay_client(shown.match.events, shown.match.table)


def carla_and_dmitri() -> MatchConfig:
    """The configuration of the sample file."""
    return table_of("backgammon", white="Carla", black="Dmitri")


def refused_and_corrected(mode: Mode = Mode.TEACH) -> ShownMatch:
    """White has played 3-1 as 8/4 6/4, and has corrected it to 8/5 6/5."""
    shown = ShownMatch.begun(mode=mode)
    before = shown.match.position
    shown.match.throw(3, 1, halves=OPENING_HALVES)
    shown.match.put(moved(before, Player.WHITE, (8, 4), (6, 4)))
    shown.match.lift(rest_ms=2500)
    shown.match.put(moved(before, Player.WHITE, (8, 5), (6, 5)), rest_ms=2500)
    assert isinstance(shown.match.events[-1], PlayMade)
    return shown


class TestMoments:
    @pytest.mark.parametrize("seed", [1, 2])
    def test_each_state_is_computed_from_the_events_before_it(self, seed: int) -> None:
        """This holds from the empty state to the end of a match of many games."""
        events, state = simulated_match(seed), RefereeState()
        replay = ReplayedMatch("backgammon", events)
        assert len(events) > 128
        for number, event in enumerate(events, 1):
            assert replay.snapshot_at(number - 1).state == state
            state = apply_event(state, event)
            assert replay.snapshot_at(number).now_ms == event.at_ms
        assert replay.last == state

    def test_turns_are_counted_as_the_log_counts_them(self) -> None:
        """Each turn names the event that rules it."""
        events = simulated_match(1)
        replay = ReplayedMatch("backgammon", events)
        assert [mark.turn for mark in replay.turns] == [line.turn for line in turn_lines(events)]
        ruled = [events[mark.event - 1] for mark in replay.turns]
        assert all(isinstance(event, PlayMade) for event in ruled)

    def test_an_illegal_play_is_shown_as_it_stood(self) -> None:
        """The state has the guide, but no question and no orders."""
        shown = refused_and_corrected()
        number = number_of(shown, PlayRefused)
        answer = client_of_replay(shown).get(f"/api/replay/{number}", headers=OPERATOR).json()
        assert answer["viewer"] == "operator"
        state = answer["state"]
        assert (state["phase"], state["events"]) == ("illegal", number)
        assert state["guide"] == {"extra": ["B9"], "missing": ["B5", "B7"]}
        assert (state["orders"], state["question"]) == ([], None)

    def test_a_spectator_sees_no_more_than_in_the_match(self) -> None:
        """An illegal play that silent mode only recorded is visible to the operator alone."""
        shown = refused_and_corrected(Mode.SILENT)
        number, client = number_of(shown, PlayRefused), client_of_replay(shown)
        assert client.get(f"/api/replay/{number}").json()["state"]["phase"] == "turn_end"
        assert client.get(f"/api/rulings/{number}").status_code == 403
        assert client.get(f"/api/replay/{number}", headers=OPERATOR).json()["state"]["phase"] == "illegal"

    def test_the_newest_state_is_the_position_of_the_operator(self) -> None:
        """At first it is the end; only the operator can move it, to an existing event."""
        shown = refused_and_corrected()
        client = client_of_replay(shown)
        last = len(shown.match.events)
        assert client.get("/api/state").json()["state"]["events"] == last
        assert client.post("/api/replay", json={"number": 3}).status_code == 401
        for sent in ({"number": last + 1}, {"number": -1}, {"number": None}, {"number": 1.0}, {}):
            assert client.post("/api/replay", json=sent, headers=OPERATOR).status_code == 422
        assert client.get("/api/state").json()["state"]["events"] == last
        assert client.post("/api/replay", json={"number": 3}, headers=OPERATOR).status_code == 200
        moment, newest = client.get("/api/replay/3").json()["state"], client.get("/api/state").json()["state"]
        assert moment == {name: newest[name] for name in moment}

    def test_the_log_is_whole_wherever_the_operator_stands(self) -> None:
        """A page that is opened then, or asks for a ruling ahead of it, gets all events."""
        shown = refused_and_corrected()
        client, last = client_of_replay(shown), len(shown.match.events)
        client.post("/api/replay", json={"number": 3}, headers=OPERATOR)
        answer = client.get("/api/events").json()
        assert (answer["last"], len(answer["events"])) == (last, last)
        assert client.get(f"/api/rulings/{last}").status_code == 200

    def test_the_clocks_are_stopped(self) -> None:
        """They show the time at that moment."""
        shown = ShownMatch.begun(clock=parse_clock("10+12"))
        play_first_turn(shown.match)
        client = client_of_replay(shown)
        clock = client.get(f"/api/replay/{len(shown.match.events)}").json()["state"]["clock"]
        assert clock is not None
        assert clock["since_ms"] is None

    @pytest.mark.parametrize("game", ["grasshopper", "plakoto", "long_nardy", "hypergammon"])
    def test_every_kind_of_game_can_be_replayed(self, game: str) -> None:
        """This includes games that no other program's file can hold."""
        shown = ShownMatch.begun(game)
        client = client_of_replay(shown)
        for number in range(len(shown.match.events) + 1):
            assert client.get(f"/api/replay/{number}").json()["state"]["board"] is not None

    def test_an_imported_file_is_replayed(self) -> None:
        """Its rulings have no pictures."""
        read = read_match_file(SAMPLES / "g2_std_5pt.mat")
        client = replay_client(read.events, carla_and_dmitri())
        answer = client.get("/api/replay").json()
        assert (answer["last"], len(answer["turns"])) == (len(read.events), 91)
        ruling = client.get("/api/rulings/6").json()
        assert ruling["text"] == "Dmitri 6-2: 24/22*/16. Legal."
        assert ruling["pictures"] == []
        assert client.get("/api/evidence/6/after").status_code == 404


class TestRefusals:
    def test_nothing_can_be_ordered(self) -> None:
        client = client_of_replay(refused_and_corrected())
        answer = client.post("/api/commands", json={"command": "Pause"}, headers=OPERATOR)
        assert answer.status_code == 409

    @pytest.mark.parametrize("number", ["-1", "1e3", "9999999999", "x", "٣", "100000"])
    def test_an_unknown_event_is_not_found(self, number: str) -> None:
        client = client_of_replay(refused_and_corrected())
        assert client.get(f"/api/replay/{number}").status_code == 404

    def test_a_live_match_has_no_replay(self) -> None:
        client = ShownMatch.begun().client()
        assert client.get("/api/replay").status_code == 404
        assert client.get("/api/replay/1").status_code == 404
        assert client.post("/api/replay", json={"number": 1}, headers=OPERATOR).status_code == 404
        assert "replay.js" not in client.get("/").text

    def test_a_wrong_token_is_refused(self) -> None:
        client = client_of_replay(refused_and_corrected())
        for path in ("/api/replay", "/api/replay/1"):
            assert client.get(path, headers={"Authorization": "Bearer nonsense"}).status_code == 401


def replayed_on(server: PageServer, shown: ShownMatch) -> None:
    path = None if shown.log is None else shown.log.path
    MatchPage(server).replay("m", shown.match.table, shown.match.events, path=path)


def shows(browser: Chrome, number: int) -> None:
    """Waits until the page shows the board after the event."""
    script = "return document.documentElement.dataset.shown"
    until(browser, lambda: browser.execute_script(script) == str(number))


def press(browser: Chrome, *keys: str) -> None:
    find(browser, "body").send_keys(*keys)


@needs_browser
def test_a_log_is_stepped_through_with_its_pictures(browser: Chrome, server: PageServer, tmp_path: Path) -> None:
    """Buttons, keys and lines of the log work; the grounds of a ruling are shown with its pictures."""
    shown = ShownMatch.after_first_turn(folder=tmp_path)
    last = len(shown.match.events)
    replayed_on(server, shown)
    visit(browser, server)
    shows(browser, 1)
    find(browser, "[data-step=last]").click()
    shows(browser, last)
    assert texts(browser, "#event-text") == ["White 3-1: 8/5 6/5. Legal."]
    assert texts(browser, "#log [aria-current] .play") == ["8/5 6/5"]
    find(browser, "#grounds").click()
    until(browser, lambda: texts(browser, "#ruling figcaption") == ["Afterwards"])
    find(browser, "#ruling .close").click()
    press(browser, Keys.ARROW_LEFT)
    shows(browser, last - 2)  # the opening throw; the end of the turn has no line
    press(browser, Keys.HOME)
    shows(browser, 1)
    press(browser, Keys.PAGE_DOWN)
    shows(browser, last)
    find(browser, "#log li button").click()
    shows(browser, 1)
    assert faults(browser) == []


# Some browsers raise an error when the address changes too often.
FEW_ADDRESSES = """
let left = 3;
const change = history.replaceState.bind(history);
history.replaceState = (...given) => {
  if ((left -= 1) < 0) throw new DOMException("too often", "SecurityError");
  change(...given);
};"""


@needs_browser
@pytest.mark.slow
def test_stepping_fast_changes_the_address_once(browser: Chrome, server: PageServer) -> None:
    """The address changes after the last step, and a reload begins there."""
    read = read_match_file(SAMPLES / "g2_std_5pt.mat")
    MatchPage(server).replay("m", carla_and_dmitri(), read.events, path=None)
    script = devtools(browser, "Page.addScriptToEvaluateOnNewDocument", source=FEW_ADDRESSES)["identifier"]
    visit(browser, server, is_operator=False)
    shows(browser, 1)
    press(browser, *[Keys.PAGE_DOWN] * 8)
    until(browser, lambda: browser.current_url.endswith("?turn=8"))
    shown = browser.execute_script("return document.documentElement.dataset.shown")
    devtools(browser, "Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    browser.refresh()
    shows(browser, int(shown))
    assert faults(browser) == []


@needs_browser
@pytest.mark.slow
def test_the_overlay_follows_the_operator(browser: Chrome, server: PageServer) -> None:
    """The overlay shows the same moment as the operator's page."""
    shown = refused_and_corrected()
    replayed_on(server, shown)
    visit(browser, server, is_operator=False, path="overlay")
    until(browser, lambda: find(browser, "#doing").text == "Black throws.")
    overlay = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(f"{server.address.link()}#operator={TOKEN}")
    shows(browser, 1)
    step_to_the_refusal(browser, shown)
    operator = browser.current_window_handle
    browser.switch_to.window(overlay)
    until(browser, lambda: find(browser, "#doing").text == "Illegal play: take it back.")
    browser.switch_to.window(operator)
    browser.close()
    browser.switch_to.window(overlay)
    assert faults(browser) == []


def step_to_the_refusal(browser: Chrome, shown: ShownMatch) -> None:
    number = number_of(shown, PlayRefused)
    find(browser, f"#log [data-number='{number}'] button").click()
    shows(browser, number)


@needs_browser
@pytest.mark.slow
def test_a_file_plays_by_itself(browser: Chrome, server: PageServer) -> None:
    """Playback begins at the turn in the link, and stops at the end."""
    read = read_match_file(SAMPLES / "g2_std_5pt.mat")
    MatchPage(server).replay("m", carla_and_dmitri(), read.events, path=None)
    visit(browser, server, is_operator=False, path="?turn=90")
    shows(browser, len(read.events) - 4)
    Select(find(browser, ".fields label:last-child select")).select_by_value("4")
    press(browser, " ")
    until(browser, lambda: find(browser, "[data-step=play]").get_attribute("title") == "Pause")
    shows(browser, len(read.events))
    until(browser, lambda: find(browser, "[data-step=play]").get_attribute("title") == "Play")
    assert texts(browser, "#doing") == ["Dmitri has won the match."]
    assert find(browser, "[data-step=next]").get_attribute("aria-disabled") == "true"
    press(browser, Keys.SHIFT, Keys.ARROW_LEFT)
    assert faults(browser) == []
