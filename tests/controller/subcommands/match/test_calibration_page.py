"""`calibrate --page`, and a match that waits for its calibration, with an operator who asks as the page does."""

import json
from _thread import interrupt_main
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from controller.match_log import matches_folder, read_match
from controller.settings.settings import KnownNames, SettingsInput, read_settings
from controller.subcommands.match.page_calibration import list_sources, open_idle_calibration
from controller.web.calibration.server import CalibrationServer
from controller.web.calibration.session import Purpose
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import camera_folder, start_pictures
from tests.controller.web.calibrating import API, START, corner_error, labelled_corners
from vision.field.calibration_file import load_calibration

pytestmark = pytest.mark.broad

CAMERAS = "controller.subcommands.match.page_calibration.list_available_cameras"
ANYWHERE = ("--headless", "--web", "127.0.0.1:0")


@dataclass(slots=True)
class Operator:
    """Finds the board, saves it and finishes, in a thread that starts with the page; `answers` by order."""

    answers: dict[str, Any] = field(default_factory=dict)
    link: str = ""
    thread: Thread | None = None

    def reported(self, server: CalibrationServer, *, in_browser: bool) -> None:
        assert not in_browser
        self.link = server.link
        self.thread = Thread(target=self._work)
        self.thread.start()

    def ended(self) -> dict[str, Any]:
        assert self.thread is not None
        self.thread.join(30)
        return self.answers

    def _work(self) -> None:
        try:
            self.answers["state"] = json.loads(self.asked("GET", ""))
            while not self.asked("GET", "/picture"):  # which waits for one
                pass
            for name in ("find", "save", "check", "finish"):
                what = {"number": self.answers["find"]["number"]} if name == "save" else {}
                self.answers[name] = json.loads(self.asked("POST", f"/{name}", what))
        finally:
            if "finish" not in self.answers:
                interrupt_main()  # the command would wait for ever

    def asked(self, method: str, path: str, what: object = None) -> bytes:
        address = urlsplit(self.link)
        headers = {"Authorization": f"Bearer {address.fragment.partition('=')[2]}", "Content-Type": "application/json"}
        with closing(HTTPConnection(address.hostname or "", address.port, timeout=30)) as connection:
            connection.request(method, f"{API}{path}", None if what is None else json.dumps(what), headers)
            return connection.getresponse().read()


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> Iterator[Operator]:
    """An operator of a machine with one camera."""
    someone = Operator()
    monkeypatch.setattr("controller.subcommands.match.calibration_page._announce_page", someone.reported)
    monkeypatch.setattr(CAMERAS, lambda: ("/dev/v4l/by-id/usb-x-video-index0",))
    yield someone
    someone.ended()


def test_it_ends_with_the_file_where_play_looks(operator: Operator, tmp_path: Path, zarbiter: Program) -> None:
    """The named source is opened at once; the answer is the same as without a page."""
    printed = zarbiter("calibrate", START, "--page", *ANYWHERE, "--data", tmp_path / "data", "--json")
    file = tmp_path / "data" / "calibration.json"
    record = json.loads(printed.out)
    assert (record["calibration"], record["way"]) == (str(file), "itself")
    assert corner_error(load_calibration(file), labelled_corners()) < 0.01
    state = operator.ended()["state"]
    assert (state["purpose"], state["chosen"], state["file"]) == ("command", 0, str(file))
    assert [one["kind"] for one in state["sources"]] == ["given", "camera"]


def test_another_file_the_game_and_the_size_of_the_field(operator: Operator, tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "club.json"
    more = ("-o", str(file), "--game", "tavla", "--field-mm", "500x375", "--data", str(tmp_path))
    zarbiter("calibrate", START, "--page", *ANYWHERE, *more)
    state = operator.ended()["state"]
    assert (state["game"], state["field_mm"], state["file"]) == ("tavla", [500, 375], str(file))
    assert {"backgammon", "tavla", "long_nardy"} <= {one["name"] for one in state["games"]}
    assert file.is_file()


def test_a_match_without_a_calibration_begins_with_the_wizard(
    operator: Operator, tmp_path: Path, zarbiter: Program
) -> None:
    camera = camera_folder(tmp_path / "camera", start_pictures(30))
    data = tmp_path / "data"
    zarbiter("play --camera", camera, "--leds none --data", data, *ANYWHERE)
    answers = operator.ended()
    assert (answers["state"]["purpose"], answers["state"]["sources"][0]["kind"]) == ("begin", "settings")
    assert answers["check"]["verdict"] == "same"
    (log,) = matches_folder(data).glob("*.zmatch")
    assert "GameStarted" in [type(event).__name__ for event in read_match(log).events]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "the following arguments are required: SRC, -o/--output"),
        ((START,), "the following arguments are required: -o/--output"),
        ((START, "-o", "x.json", "--headless"), "--headless goes with --page"),
        ((START, "-o", "x.json", "--web", "8080"), "--web goes with --page"),
        ((START, "--page", "--web", "none"), "--page shows a page, and --web none is without one"),
        ((START, "--page", "--web", "'a b'"), "--web: 'a b' is no address"),
        ((START, "--page", "--corners", "1,1,9,1,9,9,1,9"), "--corners are set on the page"),
    ],
)
def test_calls_that_are_wrong(arguments: tuple[str, ...], sentence: str, zarbiter: Program) -> None:
    assert sentence in zarbiter("calibrate", *arguments, status=2).err


def test_without_any_camera_one_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zarbiter: Program
) -> None:
    monkeypatch.setattr(CAMERAS, lambda: ())
    printed = zarbiter("calibrate --page", *ANYWHERE, "--data", tmp_path, status=2)
    assert "no camera is connected; plug one in, or name a source" in printed.err


def test_sources_are_offered_once_and_without_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CAMERAS, lambda: ("/dev/v4l/by-id/a", "picamera"))
    offered = list(list_sources("rtsp://me:secret@10.0.0.7:554/one", "/dev/v4l/by-id/a", has_phone=True))
    assert [(one.kind.value, one.label) for one in offered] == [
        ("given", "rtsp://10.0.0.7:554/one"),
        ("settings", "/dev/v4l/by-id/a"),
        ("pi_camera", "picamera"),
        ("phone", "phone"),
    ]
    assert next(list_sources("phone", None, has_phone=True)).kind.value == "given"


def test_a_page_that_waits_for_a_match_lets_go_of_the_camera(tmp_path: Path) -> None:
    options = Namespace(data=tmp_path, rules=None)
    settings = read_settings(SettingsInput(), KnownNames(("backgammon",), ("casual",)))
    with ExitStack() as opened:
        desk = open_idle_calibration(options, settings, START, opened, None)
        desk.choose(0)
        while desk.provider.buffer.newest is None:
            desk.provider.buffer.wait_for_frames(1, 0.05)
        assert desk.provider.source_index == 0
    shown = desk.provider.buffer.newest
    desk.choose(0)
    assert desk.provider.buffer.newest is shown
    assert (desk.purpose, desk.file) == (Purpose.WAITING, tmp_path / "calibration.json")


def test_the_first_camera_by_its_number_where_none_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import vision.camera.sources

    monkeypatch.setattr(vision.camera.sources, "list_cameras", lambda: ())
    monkeypatch.setattr(vision.camera.sources, "find_spec", lambda name: name)
    monkeypatch.setattr(Path, "exists", lambda self: str(self) == "/dev/video0")
    assert vision.camera.sources.list_available_cameras() == ("0", "picamera")
