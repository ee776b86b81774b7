"""Calibration during a match: the frames that the loop hands over, and the calibration that it takes back."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.refereeing.state import Phase
from controller.rules import Player
from controller.session.camera_watch import VideoProcessor
from controller.web.calibration.frame_buffer import INTERVAL_MS, MOST_FRAMES, FrameBuffer
from controller.web.calibration.in_match import InMatchCalibration, RecalibratingProcessor, explain_block
from controller.web.calibration.orders import FindOrder, KeepOrder
from controller.web.camera_view import CameraView, ViewableProcessor
from tests.controller.table_pictures import SEED, SIZE_PX, start_pictures
from tests.controller.web.shown_match import ShownMatch
from tests.vision.simulated.played_tables import calibration_of, style
from vision.field.drift import make_reference
from vision.frame import Frame
from vision.geometry.calibration import Refusal

pytestmark = pytest.mark.broad

FREE = {Phase.SET_UP, Phase.GAME_OVER, Phase.BLIND, Phase.PAUSED}
GREY = np.full((64, 64, 3), 90, np.uint8)


@pytest.mark.parametrize("phase", Phase)
def test_when_the_camera_may_be_calibrated(phase: Phase) -> None:
    """It may be calibrated between games, in a pause, and while the board has moved or the camera is lost."""
    state = replace(ShownMatch.begun().match.state, phase=phase)
    assert (explain_block(state) == "") == (phase in FREE)


def test_after_the_match_calibration_is_allowed() -> None:
    """The phase does not matter then."""
    state = replace(ShownMatch.begun().match.state, phase=Phase.AWAIT_ROLL, match_winner=Player.WHITE)
    assert explain_block(state) == ""


def test_a_saved_calibration_holds_from_the_next_frame_on(tmp_path: Path) -> None:
    """The processor restarts with it, and then keeps its readings."""
    beside = InMatchCalibration("a camera", tmp_path / "c.json", {}, None)
    pixels, old = seen_at_start(), calibration_of(style(SEED, SIZE_PX))
    moved = replace(old, projection=old.projection.crop(9, 0))
    before_play = make_reference(pixels, moved.projection)
    watch = beside.wrap_processor(ViewableProcessor(VideoProcessor(moved, before_play), CameraView()))
    assert beside.session.provider.buffer.newest is None  # a request, so that frames are kept
    for time_ms in (0, 200, 400):
        watch, _ = watch.process(Frame(pixels, time_ms))
    assert watch.calibration == moved
    found = beside.session.find(FindOrder(None, None, None))
    assert isinstance(found, dict)
    assert found["corners"] == pytest.approx(np.array(moved.projection.to_picture(moved.field.corners_mm)), abs=20)
    assert isinstance(beside.session.rotate_half_turn(int(str(found["number"]))), Refusal)
    kept = beside.session.keep(KeepOrder(int(str(found["number"])), True))
    assert isinstance(kept, dict), kept
    anew, _ = watch.process(Frame(pixels, 600))
    assert beside.session.saved is not None
    assert anew.calibration == beside.session.saved.calibration
    assert corners_apart(anew, old.projection.to_picture(old.field.corners_mm)) < 0.01 * SIZE_PX[0]
    after, _ = anew.process(Frame(pixels, 800))
    assert after.processor.processor.cached_reading is not None
    assert after.processor.processor.window.readings != ()
    assert after.processor.processor.before_play is before_play  # not the new picture, which may show a throw


def corners_apart(watch: RecalibratingProcessor, corners: NDArray[np.float64]) -> float:
    """The largest distance in px; either upper left corner counts."""
    known = watch.calibration
    found = known.projection.to_picture(known.field.corners_mm)
    return float(min(np.linalg.norm(np.roll(found, turn, axis=0) - corners, axis=1).max() for turn in (0, 2)))


@cache
def seen_at_start() -> NDArray[np.uint8]:
    (pixels,) = start_pictures(1)
    return pixels


class TestFrameBuffer:
    def test_a_shared_buffer_keeps_nothing_without_requests(self) -> None:
        """Frames are large."""
        buffer = FrameBuffer(is_shared=True)
        buffer.put(Frame(GREY, 0))
        assert buffer.recent() == ()
        assert buffer.newest is None
        buffer.put(Frame(GREY, 40))
        assert len(buffer.recent()) == 1

    def test_kept_frames_are_apart_in_time_except_the_newest(self) -> None:
        """At 30 frames a second, eight frames of the last second are kept."""
        buffer = FrameBuffer()
        for number in range(60):
            buffer.put(Frame(GREY, 33 * number))
        times = [frame.taken_ms for frame in buffer.recent()]
        assert len(times) == MOST_FRAMES
        assert times[-1] == 33 * 59
        assert all(later - earlier >= INTERVAL_MS for earlier, later in pairwise(times[:-1]))
        assert len(buffer.recent(3)) == 3

    def test_pictures_of_a_recording_are_all_kept(self) -> None:
        """They may have equal times."""
        buffer = FrameBuffer()
        for _ in range(5):
            buffer.put(Frame(GREY, 0), is_still=True)
        assert len(buffer.recent()) == 5

    def test_clear_forgets_frames_and_continues_the_numbers(self) -> None:
        """A page that waits for the next number gets the next camera's frame."""
        buffer = FrameBuffer()
        buffer.put(Frame(GREY, 0))
        buffer.clear()
        assert (buffer.newest, buffer.recent()) == (None, ())
        buffer.put(Frame(GREY, 0))
        assert buffer.newest is not None
        assert buffer.newest.number == 2
