"""The last minutes of frames: bounded, private, never waited for."""

import stat
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from controller.match_log import frame_files, frames_folder
from controller.private_files import write_private
from controller.session import kept_frames
from controller.session.evidence import crop_field
from controller.session.kept_frames import KeptFrames
from tests.vision.drawn_boards import calibration_for
from vision.frame import Frame

KNOWN = calibration_for()
PIXELS = np.full((480, 640, 3), 90, np.uint8)


@dataclass
class Ring:
    """The frames of a match, of which each is written before the next is offered."""

    match: Path
    minutes: int = 1
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.frames = KeptFrames(self.match, self.minutes, self.told.append)

    def offer(self, *taken_ms: int) -> None:
        for each in taken_ms:
            self.frames.offer(Frame(PIXELS, each), KNOWN)
            assert self.frames._writing is not None
            self.frames._writing.result()

    def times_s(self) -> list[float]:
        return [int(file.stem) / 1000 for file in frame_files(frames_folder(self.match))]


@pytest.fixture
def ring(tmp_path: Path) -> Ring:
    return Ring(tmp_path / "matches" / "evening.zmatch")


def test_one_frame_a_second_and_only_the_last_minute(ring: Ring) -> None:
    ring.offer(*range(0, 70_000, 500))
    assert ring.times_s() == list(range(10, 70))
    ring.frames.close()


def test_the_frames_are_private_and_show_the_board_alone(ring: Ring) -> None:
    ring.offer(1_000)
    folder = frames_folder(ring.match)
    (file,) = frame_files(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    height_px, width_px = crop_field(Frame(PIXELS, 0), KNOWN).shape[:2]
    size = height_px.to_bytes(2, "big") + width_px.to_bytes(2, "big")
    assert size in file.read_bytes()[:1000]
    assert width_px < PIXELS.shape[1]


def test_the_bytes_are_bounded_too(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    ring.offer(0)
    (file,) = frame_files(frames_folder(ring.match))
    monkeypatch.setattr(kept_frames, "MOST_BYTES", 3 * file.stat().st_size)
    ring.offer(*range(1_000, 9_000, 1_000))
    assert ring.times_s() == [6, 7, 8]


def test_a_resumed_match_keeps_what_came_before(ring: Ring) -> None:
    """But not the frames of an earlier start of the machine, whose times are later."""
    ring.offer(1_000, 2_000, 900_000)
    again = Ring(ring.match)
    again.offer(3_000)
    assert again.times_s() == [1, 2, 3]


def test_few_matches_keep_their_frames(tmp_path: Path) -> None:
    rings = [Ring(tmp_path / f"{number}.zmatch") for number in range(kept_frames.MOST_MATCHES + 2)]
    for each in rings:
        each.offer(1_000)
    assert len(list(tmp_path.iterdir())) == kept_frames.MOST_MATCHES
    assert rings[-1].times_s() == [1]


def test_a_disk_that_refuses_is_told_once_and_used_again(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_half(file: Path, content: bytes) -> None:
        write_private(file, content[:99])
        raise OSError(28, "No space left on device")

    ring.offer(0)
    monkeypatch.setattr(kept_frames, "write_private", write_half)
    ring.offer(1_000, 2_000)
    monkeypatch.setattr(kept_frames, "write_private", write_private)
    ring.offer(3_000)
    assert ring.times_s() == [0, 3]
    assert "".join(ring.told) == (
        f"the last minutes of frames cannot be kept in {frames_folder(ring.match)} (No space left on device);"
        " make room on the disk and see who may write there; the match goes on"
    )


def test_a_folder_that_cannot_be_made_is_told_once(ring: Ring) -> None:
    ring.match.parent.mkdir()
    frames_folder(ring.match).write_text("a file")
    ring.offer(0, 1_000)
    assert len(ring.told) == 1
    assert "(File exists)" in ring.told[0]


def test_the_loop_waits_for_no_frame(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that comes while another is written is left out."""
    may_write = Event()

    def write_late(file: Path, content: bytes) -> None:
        may_write.wait()
        write_private(file, content)

    monkeypatch.setattr(kept_frames, "write_private", write_late)
    for taken_ms in range(0, 5_000, 100):
        ring.frames.offer(Frame(PIXELS, taken_ms), KNOWN)
    may_write.set()
    ring.frames.close()
    assert ring.times_s() == [0]


def test_a_frame_that_the_calibration_does_not_fit_is_left_out(ring: Ring) -> None:
    ring.frames.offer(Frame(np.zeros((480, 900, 3), np.uint8), 0), KNOWN)
    ring.frames.close()
    assert ring.times_s() == []
    assert ring.told == []
