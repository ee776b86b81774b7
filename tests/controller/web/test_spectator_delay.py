"""Spectators see everything that leaves over the page later; the operator sees it at once."""

import asyncio
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from selenium.webdriver.common.by import By
from starlette.testclient import TestClient

from controller.match.commands import ChangeMode
from controller.match.events import EventRevised, Mode, PlayMade, PlayRefused
from controller.match_log.event_json import event_text
from controller.rules import Player
from controller.subcommands.match.page import stay_until_shown
from controller.web.address import LOOPBACK, Address
from controller.web.camera_view import CameraStream, CameraView, DelayedCameraStream, InterpretedFrame
from controller.web.match.live_match import LiveMatch
from controller.web.match.ruling_record import WITHHELD
from controller.web.match.visibility import Viewer
from controller.web.page_context import PageContext
from controller.web.server import PageServer
from controller.web.set_up.program_control import ProgramStage
from controller.web.shown_view import DelayedViews
from tests.controller.refereeing.refereed_match import ILLEGAL, OPENING_HALVES
from tests.controller.web.browsing import PHONE, begun_on, browser_of, faults, find, needs_browser, until, visit
from tests.controller.web.shown_match import (
    OPERATOR,
    PORT,
    TOKEN,
    ShownMatch,
    client_of,
    number_of,
    play_first_turn,
)
from tests.controller.web.test_server import filmed

DELAY_S = 60.0


@dataclass(slots=True)
class DelayedPage:
    """A page whose clock stands at `now_s`."""

    shown: ShownMatch
    now_s: float = 1_000.0
    context: PageContext = field(init=False)
    client: TestClient = field(init=False)

    def __post_init__(self) -> None:
        self.context = PageContext(self.shown.live, TOKEN, delay_s=DELAY_S, clock_s=lambda: self.now_s)
        self.client = client_of(self.context)

    def publish(self) -> None:
        self.shown.publish()
        self.context.wake()

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def events(self, path: str = "/api/state", **headers: str) -> Any:
        """The number of events that a viewer learns of; None where the page has not begun."""
        answer = self.client.get(path, headers=headers)
        if answer.status_code == 503:
            return None
        record = answer.json()
        return record["last"] if "last" in record else record["state"]["events"]


@pytest.fixture
def page(tmp_path: Path) -> DelayedPage:
    return DelayedPage(ShownMatch.begun(folder=tmp_path))


def test_nothing_is_seen_before_the_first_moment_is_old_enough(page: DelayedPage) -> None:
    """This holds for a program that was started again too: what its log holds already may be a second old."""
    n_events = len(page.shown.match.events)
    page.wait(DELAY_S - 0.5)
    for path in ("/api/state", "/api/events", "/api/rulings/1", f"/api/evidence/{n_events}/after"):
        answer = page.client.get(path)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1"), path
        assert answer.json()["said"]["key"] == "refusal.later"
    assert page.events(**OPERATOR) == n_events
    page.wait(0.5)
    assert page.events() == n_events


def test_every_answer_ends_with_the_moment_that_may_be_seen(page: DelayedPage) -> None:
    """State, events, rulings and pictures; who watches from now on sees no more than who watched before."""
    page.wait(DELAY_S)
    n_before = len(page.shown.match.events)
    play_first_turn(page.shown.match)
    page.publish()
    n_events, made = len(page.shown.match.events), number_of(page.shown, PlayMade)
    for waited_s, n_seen in ((0.0, n_before), (DELAY_S - 1, n_before), (1.0, n_events)):
        page.wait(waited_s)
        assert page.events() == n_seen
        assert page.events("/api/events?since=0") == n_seen
        numbers = [one["number"] for one in page.client.get("/api/events?since=0").json()["events"]]
        assert numbers == list(range(1, n_seen + 1))
        assert page.client.get(f"/api/events?since={n_seen}").json()["events"] == []
        status = 200 if made <= n_seen else 404
        assert page.client.get(f"/api/rulings/{made}").status_code == status
        assert page.client.get(f"/api/evidence/{made}/after").status_code == status
        assert page.events(**OPERATOR) == page.events("/api/events", **OPERATOR) == n_events
        assert page.client.get(f"/api/evidence/{made}/after", headers=OPERATOR).status_code == 200


def test_an_event_of_tomorrow_looks_as_one_that_never_comes(tmp_path: Path) -> None:
    """Also one that this mode withholds from spectators, which is otherwise answered with 403."""
    page = DelayedPage(ShownMatch.begun(folder=tmp_path, mode=Mode.SILENT))
    page.wait(DELAY_S)
    page.shown.match.throw(3, 1, halves=OPENING_HALVES)
    page.shown.match.play(Player.WHITE, *ILLEGAL)
    page.shown.match.throw(6, 4)
    page.publish()
    refused = number_of(page.shown, PlayRefused)
    for path in ("/api/rulings/{}", "/api/evidence/{}/after"):
        never = page.client.get(path.format(900))
        assert page.client.get(path.format(refused)).content == never.content
        assert page.client.get(path.format(refused)).status_code == never.status_code == 404
    page.wait(DELAY_S)
    assert page.client.get(f"/api/rulings/{refused}").status_code == 403


def test_a_mode_of_tomorrow_opens_no_event_of_today(tmp_path: Path) -> None:
    """An illegal play that the mode of then withholds is withheld, although the mode has changed meanwhile."""
    page = DelayedPage(ShownMatch.begun(folder=tmp_path, mode=Mode.SILENT))
    page.shown.match.throw(3, 1, halves=OPENING_HALVES)
    page.shown.match.play(Player.WHITE, *ILLEGAL)
    page.shown.match.throw(6, 4)
    page.publish()
    refused = number_of(page.shown, PlayRefused)
    page.wait(1)
    page.shown.match.give(ChangeMode(Mode.TEACH))
    page.publish()
    page.wait(DELAY_S - 1)
    shown = page.client.get(f"/api/events?since={refused - 1}").json()["events"][0]
    assert shown["event"] == {"event": WITHHELD}


def test_spectators_cost_the_match_no_question(page: DelayedPage) -> None:
    """The question of the present moment is found once, whatever spectators are asked now."""
    find = Mock(return_value=None)
    page.shown.live.questions = find
    page.wait(DELAY_S)
    page.client.get("/api/state")
    assert not find.called
    page.client.get("/api/state", headers=OPERATOR)
    assert find.called


def test_a_revision_is_not_seen_before_its_time(page: DelayedPage) -> None:
    """An event that is put right afterwards reads as before until the delay has passed, also from the log file."""
    play_first_turn(page.shown.match)
    page.publish()
    page.wait(DELAY_S)
    made, log = number_of(page.shown, PlayMade), page.shown.log
    assert log is not None
    event = page.shown.match.events[made - 1]
    assert isinstance(event, PlayMade)
    said = page.client.get("/api/events").json()
    log.append((EventRevised(event.at_ms, made, event_text(replace(event, play="24/20"))),))
    page.client.get(f"/api/rulings/{made}")  # reads the log file
    assert page.client.get("/api/events").json() == said
    last = len(page.shown.match.events)
    live = page.shown.live
    before, after = (live.read_events_from_log(made - 1, 1, until)[0].event for until in (last, last + 1))
    assert (before, after) == (event, replace(event, play="24/20"))


def test_a_match_is_seen_to_its_end_after_another_one_has_begun(page: DelayedPage) -> None:
    """The stage of the program and the match are those of the moment that is seen."""
    page.wait(DELAY_S)
    play_first_turn(page.shown.match)
    page.publish()
    n_events = len(page.shown.match.events)
    page.context.control.stage = ProgramStage.WAITING
    page.context.wake()
    page.wait(0.01)
    other = ShownMatch.begun()
    page.context.match = LiveMatch("other", other.match.table, other.match.state, other.match.events)
    page.context.control.stage = ProgramStage.PLAYING
    page.context.wake()
    page.wait(DELAY_S - 0.005)
    state = page.client.get("/api/state").json()["state"]
    assert (state["match_id"], state["events"], state["office"]["stage"]) == ("m", n_events, "waiting")
    assert page.client.get("/api/state", headers=OPERATOR).json()["state"]["match_id"] == "other"
    page.wait(0.01)
    assert page.client.get("/api/state").json()["state"]["match_id"] == "other"


def test_the_moments_that_are_kept_are_bounded(page: DelayedPage) -> None:
    """A camera publishes thirty states a second, for as long as a match lasts."""
    view = page.context.find_view(Viewer.OPERATOR)
    assert view is not None
    for delay_s, most in ((60.0, 1_250), (1_800.0, 2_100)):
        views = DelayedViews(delay_s)
        for number in range(30 * int(delay_s + 60)):
            views.record(view, number / 30)
        assert len(views) <= most


def test_both_viewers_are_told_of_the_delay(page: DelayedPage) -> None:
    page.wait(DELAY_S)
    assert page.client.get("/api/state").json()["state"]["delay_s"] == DELAY_S
    assert page.client.get("/api/state", headers=OPERATOR).json()["state"]["delay_s"] == DELAY_S
    assert ShownMatch.begun().state()["delay_s"] == 0


def test_a_socket_counts_down_and_goes_on_while_nothing_happens() -> None:
    """During a pause no news wakes the viewer; the last moment is due all the same."""
    shown = ShownMatch.begun()
    context = PageContext(shown.live, TOKEN, delay_s=0.6)
    with (
        client_of(context) as client,
        client.websocket_connect(f"ws://127.0.0.1:{PORT}/api/live") as socket,
    ):
        assert socket.receive_json() == {"type": "delay", "wait_s": 1}
        play_first_turn(shown.match)
        shown.publish()
        context.wake()
        kinds: list[dict[str, Any]] = []
        while not kinds or kinds[-1].get("state", {}).get("events") != len(shown.match.events):
            kinds.append(socket.receive_json())
    assert [one["type"] for one in kinds if one["type"] != "delay"][:2] == ["match", "events"]


def test_the_page_stays_until_spectators_have_seen_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that was played to its end closes its page only then; without a delay at once."""
    waits: list[float] = []
    monkeypatch.setattr("threading.Event.wait", lambda _, seconds: waits.append(seconds))
    stay_until_shown(Mock(delay_s=0.0))
    stay_until_shown(Mock(delay_s=DELAY_S))
    assert waits[0] > DELAY_S
    assert len(waits) == 1
    assert capsys.readouterr().err == "Spectators see the end in 60 s; the page stays until then, or until Ctrl-C.\n"


class TestCamera:
    def test_spectators_see_the_picture_of_then(self) -> None:
        """Neither more pictures than the memory holds nor a newer one, however late a viewer comes."""
        assert asyncio.run(self.collect(delay_s=0.5, watch_s=0.9)) >= 0.5

    async def collect(self, delay_s: float, watch_s: float) -> float:
        """The time from the first picture of the camera to the first one that a spectator gets."""
        loop = asyncio.get_running_loop()
        view = CameraView()
        stream, closing_now = DelayedCameraStream(view, delay_s, loop.time), asyncio.Event()
        parts, frame = stream.parts("here", closing_now), filmed()
        began_s = loop.time()
        feeding = asyncio.create_task(_film(view, frame))
        async with asyncio.timeout(watch_s + 5):
            part = await anext(parts)
        got_s = loop.time() - began_s
        assert part.startswith(b"--frame")
        feeding.cancel()
        closing_now.set()
        return got_s

    def test_the_token_opens_the_present_picture(self) -> None:
        """Whoever sends none, as an image of a page does, waits for the pictures of then."""
        context = PageContext(ShownMatch.begun().live, TOKEN, delay_s=DELAY_S)
        streams = context.camera_streams
        assert isinstance(streams[Viewer.OPERATOR], CameraStream)
        assert isinstance(streams[Viewer.SPECTATOR], DelayedCameraStream)


async def _film(view: CameraView, frame: InterpretedFrame) -> None:
    while True:
        view.put(replace(frame))
        await asyncio.sleep(0.05)


@pytest.mark.slow
@needs_browser
def test_the_page_counts_down_and_says_who_is_late() -> None:
    """The operator sees the board at once."""
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN, delay_s=4)) as server, browser_of(PHONE) as browser:
        begun_on(server)
        browser.get(server.address.link())
        until(browser, lambda: find(browser, "#link").text.startswith("Spectators see this page later; it begins in "))
        assert not browser.find_elements(By.CSS_SELECTOR, ".checker")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".checker"))
        assert (find(browser, "#viewer").text, find(browser, "#link").text) == ("Spectator, 4 s later", "")
        visit(browser, server)
        assert find(browser, "#viewer").text == "Operator (spectators see it 4 s later)"
        assert faults(browser) == []
