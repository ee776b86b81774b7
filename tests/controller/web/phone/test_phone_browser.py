"""A phone as camera from end to end: Chromium films the simulated table with a fake camera, and `play` referees it."""

import json
import time
from _thread import interrupt_main
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import cv2
import pytest
from selenium.webdriver import Chrome

from controller.web import PhoneDoor
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import calibration_file, start_pictures
from tests.controller.web.browsing import PHONE, browser_of, faults, find, needs_browser, until

pytestmark = [pytest.mark.broad, pytest.mark.timeout(300)]

WAIT_S = 100
PICTURES = 12  # in a loop; each with noise of its own


@dataclass(slots=True)
class FakePhone:
    """Opens the link as soon as the door is open, in a thread, and ends the command when it has seen what it wanted."""

    film: Path
    page: str = ""
    seen: dict[str, Any] = field(default_factory=dict)
    thread: Thread | None = None

    def handed(self, door: PhoneDoor) -> None:
        self.thread = Thread(target=self._work, args=(door,))
        self.thread.start()

    def _work(self, door: PhoneDoor) -> None:
        fake = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--ignore-certificate-errors")
        try:
            with browser_of(PHONE, *fake, f"--use-file-for-fake-video-capture={self.film}") as browser:
                self._play(browser, door)
        finally:
            interrupt_main()

    def _play(self, browser: Chrome, door: PhoneDoor) -> None:
        browser.get(door.link)
        self.until(lambda: self.state()["phase"] == "opening")
        state = self.state()
        self.seen["board"], self.seen["seating"] = state["board"]["points"], state["seating"]["is_known"]
        until(browser, lambda: find(browser, "#rate").is_displayed())
        self.seen["words"] = find(browser, "#state").text
        self.seen["faults"] = faults(browser)
        here = browser.current_window_handle
        browser.switch_to.new_window("tab")  # the page is hidden, as on a locked phone
        locked_s = time.monotonic()
        self.until(lambda: self.state()["lost"] == ["camera"])
        self.seen["lost_s"] = time.monotonic() - locked_s
        browser.close()
        browser.switch_to.window(here)
        self.until(lambda: not self.state()["lost"])
        self.seen["is_back"] = True

    def until(self, is_so: Callable[[], bool]) -> None:
        end_s = time.monotonic() + WAIT_S
        while time.monotonic() < end_s:
            with suppress(OSError):  # the page answers from the first match on
                if is_so():
                    return
            time.sleep(0.1)
        raise TimeoutError(self.seen)

    def state(self) -> dict[str, Any]:
        with urlopen(f"{self.page}api/state", timeout=10) as answer:  # noqa: S310 - a page of this machine
            return dict(json.load(answer)["state"])


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePhone:
    film = tmp_path / "table.mjpeg"
    film.write_bytes(b"".join(cv2.imencode(".jpg", one)[1].tobytes() for one in start_pictures(PICTURES)))
    someone = FakePhone(film)
    monkeypatch.setattr("controller.subcommands.match.page._announce_phone", someone.handed)
    return someone


@needs_browser
def test_the_referee_reads_the_board_that_a_phone_films(
    phone: FakePhone, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the phone locks, its loss is said within the time of every camera; when it is opened, the match goes on."""

    def note(page: Any, _: object) -> tuple[str, ...]:
        phone.page = page.spectators_link
        return ()

    monkeypatch.setattr("controller.subcommands.play.page_lines", note)
    (tmp_path / "settings.toml").write_text("[web]\nphone_port = 65000\n", encoding="utf-8")
    known = calibration_file(tmp_path)
    where = ("--leds none --headless --web 127.0.0.1:0 --data", tmp_path)
    printed = zarbiter("play --game backgammon --camera phone --calibration", known, *where)
    assert phone.thread is not None
    phone.thread.join(WAIT_S)
    seen = phone.seen
    assert sum(map(sum, seen["board"])) == 30
    assert seen["words"] == "Pictures are sent to the referee."
    assert seen["faults"] == []
    assert seen["lost_s"] < 20.0  # 1.5 s where the machine of the tests is not busy
    assert seen["is_back"]
    assert "unlock it, open its camera page again" in printed.out
    assert urlsplit(phone.page).hostname == "127.0.0.1"
