"""The calibration wizard without a browser: its session, its API, and sources for both."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.testclient import TestClient

from controller.adjudication.board_view import start_occupancy
from controller.rules import get_ruleset
from controller.web.access import Access
from controller.web.address import LOOPBACK, Address
from controller.web.calibration.camera import CalibrationCamera, SourceKind, SourceOption
from controller.web.calibration.server import make_calibration_application
from controller.web.calibration.session import CalibrationSession, Purpose, StartPosition
from tests.controller.fake_sources import FakeSource
from tests.controller.web.shown_match import OPERATOR, PORT, TOKEN
from vision.camera.sources import open_source
from vision.frame import Condition, Frame, FrameSource, SourceState
from vision.geometry.calibration import Calibration

PICTURES = Path(__file__).parents[2] / "vision" / "pictures"
START = str(PICTURES / "start.jpg")
API = "/api/calibration"


def labelled_corners(name: str = "start.jpg") -> NDArray[np.float64]:
    """(4, 2) px: the true corners of the field."""
    for line in (PICTURES / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        if label["image"] == name:
            return np.array(label["corners"])
    raise KeyError(name)


def corner_error(known: Calibration, truth: NDArray[np.float64]) -> float:
    """The largest distance of a corner from the truth, as a share of the width; either upper left corner counts."""
    corners = known.projection.to_picture(known.field.corners_mm)
    width_px = np.linalg.norm(truth[1] - truth[0])
    turned = [np.linalg.norm(np.roll(corners, turn, axis=0) - truth, axis=1).max() for turn in (0, 2)]
    return float(min(turned) / width_px)


@dataclass(slots=True)
class StillCamera(FakeSource):
    """A live source: always the same picture, at 30 frames a second."""

    pixels: NDArray[np.uint8]
    taken_ms: int = 0
    is_closed: bool = False
    _shutter: Event = field(default_factory=Event)

    @property
    def state(self) -> SourceState:
        return SourceState(Condition.CLOSED if self.is_closed else Condition.LIVE, self.taken_ms)

    def latest(self, timeout_ms: int) -> Frame | None:
        self._shutter.wait(0.033)
        self.taken_ms += 33
        return Frame(self.pixels, self.taken_ms)

    def close(self) -> None:
        self.is_closed = True


@dataclass(slots=True)
class WavingCamera(StillCamera):
    """A camera over a table on which something dark moves, while `is_waving`."""

    is_waving: bool = True

    def latest(self, timeout_ms: int) -> Frame | None:
        frame = StillCamera.latest(self, timeout_ms)
        if frame is None or not self.is_waving:
            return frame
        pixels = frame.pixels.copy()
        left = frame.taken_ms % 500
        pixels[100:300, left : left + 100] = 20
        return Frame(pixels, frame.taken_ms)


@dataclass(slots=True)
class Calibrating:
    """A session with its API. `opened` are the names of the sources that were opened."""

    file: Path
    sources: Sequence[str] = (START,)
    purpose: Purpose = Purpose.COMMAND
    camera: FrameSource | None = None
    opened: list[str] = field(default_factory=list)
    provider: CalibrationCamera = field(init=False)
    session: CalibrationSession = field(init=False)
    client: TestClient = field(init=False)

    def __post_init__(self) -> None:
        offered = [SourceOption(name, SourceKind.GIVEN, name) for name in self.sources]
        self.provider = CalibrationCamera(offered, self._open)
        games = {"backgammon": StartPosition("Backgammon", start_occupancy(get_ruleset("backgammon")))}
        self.session = CalibrationSession(self.provider, self.file, self.purpose, games)
        app = make_calibration_application(self.session, Access(TOKEN), Address(LOOPBACK, PORT))
        self.client = TestClient(app, base_url=f"http://{LOOPBACK}:{PORT}", client=(LOOPBACK, 50_000))

    def _open(self, name: str) -> FrameSource:
        self.opened.append(name)
        return self.camera or open_source(name)

    def select_source(self, source: int = 0) -> None:
        """Chooses a source, and waits for its first picture."""
        self.order("source", source=source)
        while self.provider.buffer.newest is None:
            self.provider.buffer.wait_for_frames(1, 0.05)

    def order(self, name: str, **what: object) -> dict[str, Any]:
        """The response to the operator, which must have status 200."""
        answer = self.client.post(f"{API}/{name}", json=what, headers=OPERATOR)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def status(self, name: str, what: object) -> int:
        return self.client.post(f"{API}/{name}", json=what, headers=OPERATOR).status_code
