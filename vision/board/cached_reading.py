"""Reads a frame only when something changed, and dice only where it did: a board at rest costs a fraction of a reading.

A new frame is compared, much reduced, with the frame that was READ, never with the last one: what creeps in over many
frames, such as daylight, adds up until it is read. The comparison is of windows of half a point: a checker fills at
least one wherever it lies. Three things must hold for "unchanged": the light as a whole drifted little, the noise of
the camera is low enough to tell, and no window differs by clearly more than that noise.

Measured on 357 checkers of rendered boards beside the same spot without one: the least visible, a dark one on dark
wood, changes its window by 255 squared levels; noise of the same pictures stays below 25 in nine windows of ten.
When in doubt the frame is read; that costs time and nothing else. Where one is read what may be dice is compared in the
same way, each with the frame in which it was looked at: a hand elsewhere on the board tells nothing new of them. Pale
pips on a small die might change unnoticed so, but no die is turned without a hand; at rest all are looked at anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.board_reading import BoardReading
from vision.board.read_board import FrameReading, read_frame
from vision.checkers.occupancy import PositionsWithoutDice
from vision.dice.candidates import DieCandidate, PreviousFrame, iter_confident_spots
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.pixels.resize import compute_shrink, reduce_frame


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """When two reduced pictures show the same. Levels are those of the pixels, 0..255."""

    px_a_point: int = 8  # the reduced picture; more sees finer things and more noise
    least_squared: float = 10.0  # squared levels in a window below which nothing is called a change
    over_noise: float = 4.0  # and this many times the typical window: noise differs from window to window
    noise_most_squared: float = 20.0  # with more noise than this in a typical window every frame is read
    drift_most: float = 3.0  # levels; the light as a whole may drift so far before all is read anew


@dataclass(frozen=True, slots=True, eq=False)
class CachedReading:
    """The last reading with what it was read from."""

    reading: BoardReading
    calibration: Calibration
    reduced_picture: NDArray[np.uint8]  # the reduced picture that was read, BGR
    candidates: tuple[
        tuple[DieCandidate, NDArray[np.uint8]], ...
    ] = ()  # close looks, each with the reduced picture it was of
    checkers_at_rest: PositionsWithoutDice | None = None  # the checkers when a scene at rest last showed no dice


def read_board_cached(
    frame: Frame,
    calibration: Calibration,
    before: CachedReading | None = None,
    *,
    anew: bool = False,
    limits: ChangeLimits | None = None,
) -> CachedReading:
    """The reading of this frame, which is the one before with the new time where nothing changed since it was read.

    `anew`: it is read all the same, since the scene rests; only then it is remembered what stands there. Where dice lay
    before one is looked for in any case.
    """
    limits = limits or ChangeLimits()
    shrink = compute_shrink(calibration.projection, calibration.field, limits.px_a_point)
    seen = reduce_frame(frame, shrink)
    if before is not None and before.calibration != calibration:
        before = None
    if before is not None and not anew and is_unchanged(before.reduced_picture, seen, limits=limits):
        return replace(before, reading=replace(before.reading, taken_ms=frame.taken_ms))
    known = (
        {} if before is None or anew else _select_unchanged_candidates(before.candidates, seen, shrink, limits=limits)
    )
    lay = () if before is None else tuple(iter_confident_spots(before.reading.dice))
    stood = (
        None
        if before is None or before.checkers_at_rest is None
        else _update_checkers_at_rest(before.checkers_at_rest, anew=anew)
    )
    found = read_frame(frame, calibration, PreviousFrame(tuple(known), lay, is_hurried=not anew, checkers_before=stood))
    spots = tuple((spot, known.get(spot, seen)) for spot in found.candidates)
    return CachedReading(
        found.reading, calibration, seen, spots, _remember_checkers_at_rest(stood, found) if anew else stood
    )


def _update_checkers_at_rest(stood: PositionsWithoutDice, *, anew: bool) -> PositionsWithoutDice:
    """Where dice lay and something moves, somebody may play."""
    return stood if anew else replace(stood, has_moved_since=stood.has_moved_since or stood.had_dice_since)


def _remember_checkers_at_rest(stood: PositionsWithoutDice | None, found: FrameReading) -> PositionsWithoutDice | None:
    """What is remembered after a scene at rest."""
    if _may_show_dice(found.reading):
        return None if stood is None else replace(stood, had_dice_since=True)
    return stood if found.reading.hand_in_view else PositionsWithoutDice(found.checker_positions)


def _may_show_dice(reading: BoardReading) -> bool:
    """So that something that seems to stand there may be one of them."""
    return bool(reading.dice) or reading.perhaps_more_dice


def _select_unchanged_candidates(
    spots: Iterable[tuple[DieCandidate, NDArray[np.uint8]]],
    now: NDArray[np.uint8],
    shrink: int,
    *,
    limits: ChangeLimits,
) -> dict[DieCandidate, NDArray[np.uint8]]:
    """Those around which nothing changed since they were looked at."""
    return {
        spot: then
        for spot, then in spots
        if then.shape == now.shape and is_unchanged(spot.crop(then, shrink), spot.crop(now, shrink), limits=limits)
    }


def is_unchanged(read: NDArray[np.uint8], now: NDArray[np.uint8], *, limits: ChangeLimits) -> bool:
    """Whether two reduced pictures, (rows, columns, 3) with `px_a_point` pixels a point, show the same."""
    if read.shape != now.shape:
        return False
    difference = np.subtract(now, read, dtype=np.int16)
    drift = np.median(difference.reshape(-1, 3)[::3], axis=0)  # every third pixel tells it as well
    if np.abs(drift).max() > limits.drift_most:
        return False
    squared = np.square(difference - drift.astype(np.float32)).mean(axis=2)
    window = max(1, limits.px_a_point // 2)
    windows = cv2.boxFilter(squared, -1, (window, window))
    noise = float(np.median(windows[::2, ::2]))
    if noise > limits.noise_most_squared:
        return False
    return float(windows.max()) <= max(limits.least_squared, limits.over_noise * noise)
