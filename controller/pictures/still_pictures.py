"""When a live picture is ready to be calibrated: nothing moves in it, and it is not one that was tried already."""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from vision.board.motion import FieldArea, field_area, is_motionless
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.pixels.resize import reduce_frame

STILL_MS = 600  # physical: a hand that puts checkers up rests for less; a settled picture waits no longer than needed
# Width of the reduced picture where the board is not known: a point has 8 px on a board that fills two thirds of it.
SEARCH_WIDTH_PX = 160


class Waiting(Enum):
    """What a calibration waits for."""

    PICTURE = "picture"  # the camera has sent none, or too few
    STILLNESS = "stillness"  # something moves
    CHANGE = "change"  # the picture still shows what was tried
    NOTHING = "nothing"  # it may begin


def judge_stillness(frames: Sequence[Frame], tried: Frame | None = None, known: Calibration | None = None) -> Waiting:
    """Judges the last frames of a camera, the newest last. `tried` is the picture of the last attempt, if any.

    With `known`, a calibration of this view, only motion on its field counts.
    """
    newest = frames[-1] if frames else None
    last = [frame for frame in frames if newest and newest.taken_ms - frame.taken_ms <= 2 * STILL_MS]
    if newest is None or newest.taken_ms - last[0].taken_ms < STILL_MS:
        return Waiting.PICTURE
    area = _find_area(newest, known)
    if not all(_are_alike(frame, newest, area) for frame in (last[0], last[len(last) // 2])):
        return Waiting.STILLNESS
    if tried is not None and _are_alike(tried, newest, area):
        return Waiting.CHANGE
    return Waiting.NOTHING


def _find_area(frame: Frame, known: Calibration | None) -> FieldArea:
    height_px, width_px = frame.pixels.shape[:2]
    if known is not None and known.image_size_px == (width_px, height_px):
        return field_area(known.projection, known.field, (width_px, height_px))
    shrink = max(1, width_px // SEARCH_WIDTH_PX)
    size = (max(1, height_px // shrink), max(1, width_px // shrink))
    return FieldArea(shrink, np.ones(size, np.float32))


def _are_alike(one: Frame, other: Frame, area: FieldArea) -> bool:
    return is_motionless(reduce_frame(one, area.shrink), reduce_frame(other, area.shrink), area)
