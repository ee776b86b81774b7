"""Calibrating while a match has the camera: what the loop hands over, and what it takes back."""

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
from vision.frame import Frame
from vision.geometry.calibration import Refusal

pytestmark = pytest.mark.broad

FREE = {Phase.SET_UP, Phase.GAME_OVER, Phase.BLIND, Phase.PAUSED}
GREY = np.full((64, 64, 3), 90, np.uint8)


@pytest.mark.parametrize("phase", Phase)
def test_when_the_camera_may_be_calibrated(phase: Phase) -> None:
    """Between games, paused, or when the board was moved or the camera lost; never while a game is played."""
    state = replace(ShownMatch.begun().match.state, phase=phase)
    assert (explain_block(state) == "") == (phase in FREE)


def test_after_the_match_it_is_free() -> None:
    """Whatever the phase."""
    state = replace(ShownMatch.begun().match.state, phase=Phase.AWAIT_ROLL, match_winner=Player.WHITE)
    assert explain_block(state) == ""


def test_what_is_saved_holds_from_the_next_frame_on(tmp_path: Path) -> None:
    """The film begins anew with it, and goes on with what it learns; it is asked for no file."""
    beside = InMatchCalibration("a camera", tmp_path / "c.json", {}, None)
    pixels, old = seen_at_start(), calibration_of(style(SEED, SIZE_PX))
    moved = replace(old, projection=old.projection.crop(9, 0))
    watch = beside.wrap_processor(ViewableProcessor(VideoProcessor(moved), CameraView()))
    assert beside.session.provider.buffer.newest is None  # somebody looks
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


def corners_apart(watch: RecalibratingProcessor, corners: NDArray[np.float64]) -> float:
    """The largest distance in pixels, whichever corner is the upper left one."""
    known = watch.calibration
    found = known.projection.to_picture(known.field.corners_mm)
    return float(min(np.linalg.norm(np.roll(found, turn, axis=0) - corners, axis=1).max() for turn in (0, 2)))


@cache
def seen_at_start() -> NDArray[np.uint8]:
    (pixels,) = start_pictures(1)
    return pixels


class TestShelf:
    def test_nothing_is_kept_while_nobody_looks(self) -> None:
        """Frames of a match are large."""
        shelf = FrameBuffer(is_shared=True)
        shelf.put(Frame(GREY, 0))
        assert shelf.recent() == ()
        assert shelf.newest is None
        shelf.put(Frame(GREY, 40))
        assert len(shelf.recent()) == 1

    def test_some_are_kept_apart_and_the_newest_always(self) -> None:
        """At thirty frames a second, eight of the last second; what a recheck and a median ask for."""
        shelf = FrameBuffer()
        for number in range(60):
            shelf.put(Frame(GREY, 33 * number))
        times = [frame.taken_ms for frame in shelf.recent()]
        assert len(times) == MOST_FRAMES
        assert times[-1] == 33 * 59
        assert all(later - earlier >= INTERVAL_MS for earlier, later in pairwise(times[:-1]))
        assert len(shelf.recent(3)) == 3

    def test_pictures_of_a_recording_are_all_kept(self) -> None:
        """They may have the same time."""
        shelf = FrameBuffer()
        for _ in range(5):
            shelf.put(Frame(GREY, 0), is_still=True)
        assert len(shelf.recent()) == 5

    def test_another_camera_shows_nothing_old(self) -> None:
        """But is numbered on, so that a page does not wait for ever."""
        shelf = FrameBuffer()
        shelf.put(Frame(GREY, 0))
        shelf.clear()
        assert (shelf.newest, shelf.recent()) == (None, ())
        shelf.put(Frame(GREY, 0))
        assert shelf.newest is not None
        assert shelf.newest.number == 2
