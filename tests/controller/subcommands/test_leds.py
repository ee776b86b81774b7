"""`zarbiter leds` on boards in memory."""

import errno
import json
import os
import pty
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Timer

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.cli import main
from controller.lights.led_mapping import LedMap
from controller.lights.light_show import SCENES, format_places
from controller.lights.vocabulary import Meaning
from firmware_bridge.boards.adalight import AdalightBoard
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.light_board import ShowReport
from firmware_bridge.boards.wled import WledBoard
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import FakeClock, FakePlug
from firmware_bridge.layout import LOWER_ROW, UPPER_ROW, LedLayout, LedPlace, StripPlan, Wiring
from firmware_bridge.layout_file import load_layout, save_layout
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.serial_port import SerialPort
from tests.controller.fake_sources import FakeSource
from tests.controller.subcommands.called import Program
from tests.vision.drawn_tables import calibration_of, table
from vision.field.calibration_file import save_calibration
from vision.field.led_finder import LedLimits
from vision.frame import Condition, Frame, SourceState
from vision.simulated import draw

pytestmark = pytest.mark.broad

LEDS = 24


class FakeStrip:
    """The hardware behind --port fake: the board, its plug, and the pictures it was shown."""

    def __init__(self) -> None:
        self.board = FakeBoard(FakeBoardSpec(n_led=LEDS))
        self.plugs: list[FakePlug] = []
        self.shown: list[LedFrame] = []

    def plug(self, _: object, clock: FakeClock) -> FakePlug:
        self.plugs.append(FakePlug(self.board, clock))
        return self.plugs[-1]

    def show(self, board: BglpBoard, frame: LedFrame) -> ShowReport:
        self.shown.append(frame)
        return _SHOW(board, frame)


_SHOW = BglpBoard.show


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeStrip:
    strip = FakeStrip()
    monkeypatch.setattr("controller.subcommands.match.light_boards.FakePlug", strip.plug)
    monkeypatch.setattr(BglpBoard, "show", lambda board, frame: strip.show(board, frame))  # noqa: PLW0108  (a method)
    return strip


class TestShow:
    def test_every_meaning_is_shown(self) -> None:
        shown = [sign.meaning for scene in SCENES for sign in scene.signs]
        assert sorted(shown, key=lambda meaning: meaning.name) == sorted(Meaning, key=lambda meaning: meaning.name)

    def test_it_says_what_should_be_seen(self, zarbiter: Program) -> None:
        lines = zarbiter("leds test --port fake --seconds 0.1").out.splitlines()
        assert len(lines) == len(SCENES) + 1
        assert lines[0] == f" 1 of {len(SCENES)}: warm white, slow pulse, at B7 to B12 (your turn to throw, light side)"
        assert lines[-1].endswith("on fake (simulated) confirmed it by the digest of what it clocked out.")

    def test_as_json(self, zarbiter: Program) -> None:
        record = json.loads(zarbiter("leds test --port fake --leds 48 --seconds 0.1 --json").out)
        assert (record["verified"], record["simulated"], record["leds"]) == ("digest", True, 48)
        assert len(record["scenes"]) == len(SCENES)
        assert record["pictures"] >= len(SCENES)

    @pytest.mark.parametrize(("driver", "verified"), [("bglp", "digest"), ("wled", "readback"), ("adalight", "none")])
    def test_every_driver(self, driver: str, verified: str, zarbiter: Program) -> None:
        call = ["leds", "test", "--port", "fake", "--driver", driver, "--leds", "24", "--seconds", "0.05", "--json"]
        assert json.loads(zarbiter(*call).out)["verified"] == verified

    def test_points_without_leds_are_reported(self, tmp_path: Path, zarbiter: Program) -> None:
        save_layout(LedLayout(tuple(LedPlace)[:23]), tmp_path / "leds.json")
        call = ["leds", "test", "--port", "fake", "--layout", str(tmp_path / "leds.json"), "--seconds", "0.05"]
        assert "no LED lies at B12; what is meant for them is not seen" in zarbiter(*call).err

    def test_places_are_reported_briefly(self) -> None:
        assert format_places(UPPER_ROW + LOWER_ROW[:3]) == "T1 to T12, B1 to B3"
        assert format_places((LedPlace.T1, LedPlace.T2, LedPlace.BAR)) == "T1, T2, bar"


class TestOff:
    def test_it_is_dark_and_known_to_be(self, fake: FakeStrip, zarbiter: Program) -> None:
        printed = zarbiter("leds off --port fake")
        assert fake.shown == [LedFrame.dark(LEDS)]
        assert "confirmed it by the digest of what it clocked out" in printed.out

    def test_a_board_that_cannot_say_so(self, zarbiter: Program) -> None:
        printed = zarbiter("leds off --port fake --driver adalight --leds 24")
        assert printed.out == "Dark was sent; Adalight on fake cannot say what is lit.\n"

    @pytest.mark.usefixtures("fake")
    def test_it_stays_dark_without_us(self, fake: FakeStrip, zarbiter: Program) -> None:
        """The program said goodbye to the board, which therefore does not report it as lost."""
        zarbiter("leds off --port fake")
        clock = fake.plugs[0].clock
        assert fake.board.advance(clock.now_ms + 5_000) == b""
        assert fake.board.lit == LedFrame.dark(LEDS)

    def test_wled_has_a_light_of_its_own(self, zarbiter: Program) -> None:
        assert zarbiter("leds off --port fake --driver wled --leds 24").out.splitlines()[1] == (
            "In 2.5 s WLED goes back to its own light; switch that off in WLED."
        )


class TestCurrent:
    @pytest.mark.parametrize("driver", ["auto", "bglp", "wled", "adalight"])
    def test_the_strip_never_draws_more_than_allowed(
        self, driver: str, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        call = ["leds", "test", "--port", "fake", "--driver", driver, "--leds", "48", "--seconds", "0.05", "--json"]
        drawn_ma: list[int] = []
        for kind in (BglpBoard, WledBoard, AdalightBoard):
            monkeypatch.setattr(kind, "show", _measuring(kind.show, drawn_ma))
        record = json.loads(zarbiter(*call, "--max-ma 200").out)
        assert record["limited"] > 0
        assert 190 <= max(drawn_ma) <= 200
        assert record["cap_ma"] == 200
        assert json.loads(zarbiter(*call).out)["limited"] == 0

    def test_too_little_for_the_dark_strip(self, zarbiter: Program) -> None:
        printed = zarbiter("leds test --port fake --leds 48 --max-ma 48", status=2)
        assert "48 LEDs draw 48 mA when they are dark, so 48 mA light none" in printed.err


def _measuring(show: Callable[..., ShowReport], drawn_ma: list[int]) -> Callable[..., ShowReport]:
    def measured(board: object, frame: LedFrame) -> ShowReport:
        shown = show(board, frame)
        drawn_ma.append(shown.current_ma or 0)
        return shown

    return measured


class TestMistakes:
    @pytest.mark.parametrize(
        ("call", "sentence"),
        [
            (["off", "--port", "fake", "--leds", "0"], "--leds: 0 LEDs are no strip; give 1 or more"),
            (["off", "--port", "fake", "--leds", "121"], "the light board drives at most 120 LEDs, not 121; give fewer"),
            (["off", "--driver", "adalight"], "Adalight does not say how many LEDs there are; give --leds N or --layout FILE"),
            (["test", "--driver", "null"], "this board does not say how many LEDs it has; give --leds N or --layout FILE"),
            (["test", "--port", "fake", "--seconds", "0"], "argument --seconds: 0 is no time"),
            (["test", "--port", "fake", "--max-ma", "0"], "argument --max-ma: 0 is no current; give milliamperes from 1"),
            (["map", "--port", "fake", "--led-height", "-1"], "argument --led-height: -1 is no height; give millimetres"),
            (["test", "--port", "fake", "--leds", "20"], "20 LEDs are no strip along both rims"),
            (["map", "--camera", "0"], "--camera and --calibration go together; give both, or none for a table"),
            (["map", "--camera", "0", "--calibration", "c"], "give -o FILE, where the layout that the camera finds is kept"),
            (["map", "-o", "/none/leds.json"], "-o: the folder /none is not there; make it, or name a file in another"),
            (["off", "--layout", "/none.json"], "--layout: /none.json: cannot be read"),
        ],
    )  # fmt: skip
    def test_are_reported_in_a_sentence(self, call: list[str], sentence: str, zarbiter: Program) -> None:
        assert sentence in zarbiter("leds", *call, status=2).err

    def test_layout_and_leds_must_agree(self, tmp_path: Path, zarbiter: Program) -> None:
        save_layout(LedLayout.from_plan(StripPlan(1)), tmp_path / "leds.json")
        printed = zarbiter("leds off --port fake --layout", tmp_path / "leds.json", "--leds 30", status=2)
        assert "--layout has 24 LEDs and --leds 30; leave --leds out" in printed.err

    @pytest.mark.usefixtures("fake")
    def test_a_layout_longer_than_the_strip(self, tmp_path: Path, zarbiter: Program) -> None:
        save_layout(LedLayout.from_plan(StripPlan(2)), tmp_path / "leds.json")
        printed = zarbiter("leds off --port fake --layout", tmp_path / "leds.json", status=2)
        assert "the strip asked for has 48 LEDs and the board drives 24; give fewer" in printed.err

    def test_no_board(self, tmp_path: Path, zarbiter: Program) -> None:
        """A broken world, not a wrong call: exit status 1 and what to do."""
        port = str(tmp_path / "ttyUSB0")
        assert f"{port} is not there; plug it in" in zarbiter("leds off --port", port, status=1).err

    def test_a_port_that_says_nothing(self, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        """Asked for longer than two seconds, and that is reported; the last line says what to do."""
        ours, theirs = pty.openpty()
        silence = Silence()
        monkeypatch.setattr("controller.subcommands.match.light_boards.monotonic_ms", lambda: silence.now_ms)
        monkeypatch.setattr("controller.subcommands.match.light_boards.Timer", AtOnce)
        monkeypatch.setattr(SerialPort, "read", lambda _, wait_ms: silence.read(wait_ms))
        port = os.ttyname(theirs)
        assert zarbiter("leds off --port", port, status=1).err.splitlines() == [
            "zarbiter: still asking for a light board; up to 8 s a port",
            f"zarbiter: {port}: nothing answers; choose another port, or flash the light board.",
        ]
        assert 7_000 < silence.now_ms < 8_000
        for end in (ours, theirs):
            os.close(end)

    def test_interrupted_it_is_dark(self, fake: FakeStrip, monkeypatch: pytest.MonkeyPatch, zarbiter: Program) -> None:
        monkeypatch.setattr("controller.subcommands.match.light_boards.FakePace.wait", _interrupt)
        zarbiter("leds test --port fake", status=130)
        assert fake.shown[-2] != LedFrame.dark(LEDS)
        assert fake.shown[-1] == LedFrame.dark(LEDS)


class AtOnce(Timer):
    """A timer whose time is over when it is started."""

    def start(self) -> None:
        self.function(*self.args)


class Silence:
    """A port on which nothing arrives; waiting moves its clock."""

    now_ms = 0

    def read(self, wait_ms: int) -> bytes:
        self.now_ms += wait_ms
        return b""


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


class TestMapByHand:
    def test_a_table_is_printed_and_kept(self, tmp_path: Path, zarbiter: Program) -> None:
        file = tmp_path / "leds.json"
        lines = zarbiter("leds map --port fake --leds 30 -o", file).out.splitlines()
        assert lines[1:4] == ["LED   0  T1", "LED   1  T2", "LED   2  T3"]
        assert lines[25:] == [*(f"LED  {led}  -" for led in range(24, 30)), f"Kept in {file}."]
        assert load_layout(file).led_count == 30

    def test_what_cannot_be_kept_is_still_reported(
        self, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The disk filled up meanwhile: exit status 1, and the whole table on the output."""
        monkeypatch.setattr("firmware_bridge.layout_file.os.fsync", _disk_full)
        call = ["leds", "map", "--port", "fake", "--leds", "24", "-o", str(tmp_path / "leds.json"), "--json"]
        reported = zarbiter(*call, status=1)
        assert json.loads(reported.out)["led_count"] == 24
        assert "cannot be written (No space left on device)" in reported.err


def _disk_full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


SMALL = table((320, 240))


@cache
def drawn(lit: int | None, seed: int) -> NDArray[np.uint8]:
    """The simulated table with this LED lit; another seed is other noise."""
    leds = tuple(replace(led, colour=(0.8, 0.8, 0.8)) if n == lit else led for n, led in enumerate(SMALL.leds))
    return draw(replace(SMALL, leds=leds, seed=seed))


class DrawnCamera(FakeSource):
    """A FrameSource over the simulated table: it sees what the board has lit, except what a hand hides."""

    state = SourceState(Condition.LIVE, 0)

    def __init__(self, fake: FakeStrip, hidden: int) -> None:
        self._fake, self._hidden = fake, hidden

    def latest(self, timeout_ms: int) -> Frame:
        clock = self._fake.plugs[0].clock
        clock.now_ms += timeout_ms
        lit = [led for led, rgb in enumerate(self._fake.board.lit.leds) if rgb != BLACK]
        assert len(lit) <= 1
        seen = lit[0] if lit and lit[0] != self._hidden else None
        return Frame(drawn(seen, clock.now_ms % 2 if seen is None else seen + 10), clock.now_ms)


class DeadCamera(DrawnCamera):
    """Unplugged for good when the first LED is lit."""

    state = SourceState(Condition.FAILED, 0, "The camera was taken away.")

    def latest(self, timeout_ms: int) -> Frame:
        if any(rgb != BLACK for rgb in self._fake.board.lit.leds):
            return None  # type: ignore[return-value]
        return super().latest(timeout_ms)


class TestMapByCamera:
    @pytest.fixture
    def call(self, tmp_path: Path) -> list[str]:
        save_calibration(calibration_of(SMALL), tmp_path / "c.json")
        camera = ["--camera", "0", "--calibration", str(tmp_path / "c.json")]
        return ["leds", "map", "--port", "fake", *camera, "-o", str(tmp_path / "leds.json"), "--json"]

    def test_it_finds_by_itself_which_led_lies_where(
        self, fake: FakeStrip, call: list[str], zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Lit through the real link on a board in memory, seen on drawn pictures; LED 14 lies under a hand."""
        monkeypatch.setattr("vision.camera.sources.open_source", lambda name: DrawnCamera(fake, hidden=14))
        done = zarbiter(*call, status=1)
        assert "some LEDs were not seen, or some points have none; take away what hides them and map again" in done.err
        record = json.loads(done.out)
        assert (record["not_seen"], record["points_without"]) == ([14], ["B3"])
        expected = list(LedLayout.from_plan(StripPlan(1, wiring=Wiring.Z)).place_of)
        expected[14] = None
        assert load_layout(Path(record["layout"])).place_of == tuple(expected)
        assert fake.board.lit == LedFrame.dark(LEDS)

    def test_the_height_of_the_leds_is_taken_into_account(
        self, fake: FakeStrip, call: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heights_mm: list[float] = []

        def map_leds(*_: object, limits: LedLimits, **__: object) -> LedMap:
            heights_mm.append(limits.rim_height_mm)
            return LedMap((None,) * LEDS, None)

        monkeypatch.setattr("vision.camera.sources.open_source", lambda name: DrawnCamera(fake, hidden=0))
        monkeypatch.setattr("controller.lights.led_mapping.map_leds", map_leds)
        for more in ([], ["--led-height", "32.5"]):
            assert main([*call, *more]) == 1
        assert heights_mm == [LedLimits().rim_height_mm, 32.5]

    def test_a_camera_that_is_gone(
        self, fake: FakeStrip, call: list[str], zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Is reported with its own reason; no layout is written, and no LED stays lit."""
        monkeypatch.setattr("vision.camera.sources.open_source", lambda name: DeadCamera(fake, hidden=0))
        assert "zarbiter: The camera was taken away." in zarbiter(*call, status=1).err
        assert not Path(call[-2]).exists()
        assert sum(rgb != BLACK for rgb in fake.shown[-2].leds) == 1
        assert fake.shown[-1] == fake.board.lit == LedFrame.dark(LEDS)
