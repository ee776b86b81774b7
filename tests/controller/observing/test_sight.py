"""Light and focus of the pictures are measured now and then, in the middle of the field."""

import numpy as np

from controller.observing.sight import SIGHT_INTERVAL_MS, SightWatch, measure_picture_fault, update_sight_watch
from tests.vision.drawn_boards import calibration_for
from vision.frame import Frame
from vision.pixels.picture_quality import PictureFault

BOARD = calibration_for()
WIDTH_PX, HEIGHT_PX = BOARD.image_size_px


def picture(level: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Sharp squares, up to this level."""
    rows, columns = np.indices((HEIGHT_PX, WIDTH_PX)) // 8
    shown = ((rows + columns) % 2 == 0)[..., np.newaxis].repeat(3, axis=2)
    return np.asarray(shown * level, np.uint8)


def test_a_picture_is_measured_every_two_seconds() -> None:
    """In between the last finding holds."""
    watch = update_sight_watch(SightWatch(), BOARD, Frame(picture(150), 0))
    assert watch.fault is None
    night = Frame(picture(20), SIGHT_INTERVAL_MS - 1)
    assert update_sight_watch(watch, BOARD, night) == watch
    later = update_sight_watch(watch, BOARD, Frame(picture(20), SIGHT_INTERVAL_MS))
    assert (later.fault, later.measured_ms) == (PictureFault.TOO_DARK, SIGHT_INTERVAL_MS)


def test_what_lies_beside_the_field_does_not_count() -> None:
    """A dark room around a board that is lit is no fault, and a bright window beside a dark board is no help."""
    corners_px = BOARD.projection.to_picture(BOARD.field.corners_mm)
    (left, top), (right, bottom) = corners_px.min(axis=0).astype(int), corners_px.max(axis=0).astype(int)
    lit, dark = picture(10), picture(255)
    lit[top:bottom, left:right] = picture(150)[top:bottom, left:right]
    dark[top:bottom, left:right] = picture(10)[top:bottom, left:right]
    assert measure_picture_fault(lit, BOARD) is None
    assert measure_picture_fault(dark, BOARD) is PictureFault.TOO_DARK
