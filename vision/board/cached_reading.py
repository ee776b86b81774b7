"""A change gate: reads a frame only after a change, and dice only where the change is.

The gate compares a strongly reduced frame with the last frame that was READ, not with the last frame, so that slow
changes such as daylight accumulate until they cause a reading. It compares windows of half a point, because a checker
fills at least one such window at any position. A frame is unchanged if the mean light has drifted little, the camera
noise is low enough for a decision, and no window differs by clearly more than the noise. The least visible change, a
dark checker on dark wood, is about ten times the noise. In doubt the frame is read, which costs only time.

In a frame that is read, each die candidate passes the same comparison against the frame in which it was classified, so
that a hand elsewhere on the board causes no new classification. The gate can miss a change of pale pips on a small die,
but only a hand turns a die, and all candidates are classified anew once the scene is at rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.before_play import compare_with_before
from vision.board.board_reading import BoardReading
from vision.board.read_board import FrameReading, read_frame
from vision.checkers import PositionsWithoutDice
from vision.dice.candidates import DieCandidate, PreviousFrame, iter_confident_spots
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Reference, scale_to_picture
from vision.pixels.averages import average_channels, compute_median
from vision.pixels.resize import compute_shrink, reduce_frame

# Thresholds for a change between two reduced pictures, in grey levels 0..255. Larger values read fewer frames.
PX_A_POINT = 8  # resolution of the reduced picture; more shows finer changes and more noise
LEAST_SQUARED = 10.0  # mean squared difference of a window that counts as a change
OVER_NOISE = 4.0  # the same threshold as a multiple of the median window; the larger one applies
NOISE_MOST_SQUARED = 20.0  # median window above which every frame is read; larger reads fewer frames
DRIFT_MOST = 3.0  # median difference of the whole picture above which everything is read anew


@dataclass(frozen=True, slots=True, eq=False)
class CachedReading:
    """The last reading with its input."""

    reading: BoardReading
    calibration: Calibration
    reduced_picture: NDArray[np.uint8]  # of the frame that was read, BGR
    # Classified die candidates, each with the reduced picture of its frame.
    candidates: tuple[tuple[DieCandidate, NDArray[np.uint8]], ...] = ()
    checkers_at_rest: PositionsWithoutDice | None = None  # the checkers of the last scene at rest without dice


def read_board_cached(
    frame: Frame,
    calibration: Calibration,
    before: CachedReading | None = None,
    *,
    anew: bool = False,
    before_play: Reference | None = None,
) -> CachedReading:
    """The reading of a frame; without a change it is the reading `before` with the new time.

    `anew` marks a scene at rest: the frame is read without cached candidates, and its checkers are remembered. The
    search for dice includes the positions of confident dice in the reading `before`. What looks as in the picture
    `before_play`, taken before the first throw, is no die.
    """
    shrink = compute_shrink(calibration.projection, calibration.field, PX_A_POINT)
    here = scale_to_picture(calibration, frame.pixels.shape[1], frame.pixels.shape[0])
    seen = reduce_frame(frame, shrink)
    if before is not None and before.calibration != calibration:
        before = None
    if before is not None and not anew and is_unchanged(before.reduced_picture, seen):
        return replace(before, reading=replace(before.reading, taken_ms=frame.taken_ms))
    known: dict[DieCandidate, NDArray[np.uint8]] = {}
    if before is not None and not anew:
        known = _select_unchanged_candidates(before.candidates, seen, shrink)
    lay = () if before is None else tuple(iter_confident_spots(before.reading.dice))
    at_rest = None if before is None else before.checkers_at_rest
    if at_rest is not None and not anew:  # motion after dice lay on the board may be a play
        at_rest = replace(at_rest, has_moved_since=at_rest.has_moved_since or at_rest.had_dice_since)
    is_as_before = None if before_play is None else compare_with_before(frame.pixels, here, before_play)
    previous = PreviousFrame(tuple(known), lay, not anew, at_rest, is_as_before)
    found = read_frame(frame, calibration, previous)
    candidates = tuple((candidate, known.get(candidate, seen)) for candidate in found.candidates)
    if anew:
        at_rest = _remember_checkers(at_rest, found)
    return CachedReading(found.reading, calibration, seen, candidates, at_rest)


def _remember_checkers(before: PositionsWithoutDice | None, found: FrameReading) -> PositionsWithoutDice | None:
    """The checkers to remember after a scene at rest: an apparent checker may be a die, or a hand may hide one."""
    if found.reading.dice or found.reading.perhaps_more_dice:
        return None if before is None else replace(before, had_dice_since=True)
    return before if found.reading.hand_in_view else PositionsWithoutDice(found.checker_positions)


def _select_unchanged_candidates(
    candidates: Iterable[tuple[DieCandidate, NDArray[np.uint8]]], now: NDArray[np.uint8], shrink: int
) -> dict[DieCandidate, NDArray[np.uint8]]:
    """The candidates whose surroundings have not changed since their classification."""
    return {
        candidate: then
        for candidate, then in candidates
        if then.shape == now.shape and is_unchanged(candidate.crop(then, shrink), candidate.crop(now, shrink))
    }


def is_unchanged(read: NDArray[np.uint8], now: NDArray[np.uint8]) -> bool:
    """Whether two reduced pictures, (rows, columns, 3) with PX_A_POINT pixels per point, show the same scene."""
    if read.shape != now.shape:
        return False
    difference = np.subtract(now, read, dtype=np.int16)
    drift = compute_median(difference.reshape(-1, 3)[::3])  # every third pixel suffices
    if np.abs(drift).max() > DRIFT_MOST:
        return False
    squared = average_channels(np.square(difference - drift.astype(np.float32)))
    window = max(1, PX_A_POINT // 2)
    windows = cv2.boxFilter(squared, -1, (window, window))
    noise = float(compute_median(windows[::2, ::2].ravel()))
    if noise > NOISE_MOST_SQUARED:
        return False
    return float(windows.max()) <= max(LEAST_SQUARED, OVER_NOISE * noise)
