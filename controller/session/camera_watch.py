"""Turns the frames of one camera into observations. A processor is a value: each frame gives the next processor.

frame ─▶ read_board_cached ──┐
frame ─▶ measure_stillness ──┴▶ observe ─▶ learn_dice: the appearance of this session's dice
         update_drift_watch (now and then): the calibration follows a camera that was knocked
"""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from controller.adjudication import DEFAULT_THRESHOLDS
from controller.observing import (
    LOST_CHECKS,
    DriftWatch,
    Observation,
    ObservationWindow,
    Occupancy,
    StillsWindow,
    observe,
    observe_still,
    prove_moved_board,
    update_drift_watch,
)
from vision.board.board_reading import VISIBLE_FROM, BoardReading
from vision.board.cached_reading import CachedReading, read_board_cached
from vision.board.motion import Stillness, measure_stillness
from vision.board.read_board import read_board
from vision.board.session_dice import reject_strange_dice
from vision.dice.appearance_model import AppearanceModel, learn_dice
from vision.dice_tracking.events import DiceSettled
from vision.frame import Frame
from vision.geometry.calibration import Appearance, Calibration, Reference
from vision.pixels.picture_quality import PictureFault

MOST_COVERED = 0.5  # physical: people at the table cover a fifth of a board
_HIDING = frozenset(PictureFault) - {PictureFault.NO_BOARD}  # faults with another remedy than to turn the camera
REREAD_AFTER_MS = 300  # stillness before a static board is read again


def _is_covered(reading: BoardReading) -> bool:
    """Whether something covers a part of the board, but not most of it: then it is no other view."""
    hidden = np.mean([seen.visible < VISIBLE_FROM for _, seen in reading.points()])
    return bool(reading.hand_in_view and hidden < MOST_COVERED)


@dataclass(frozen=True, slots=True, eq=False)
class VideoProcessor:
    """The `FrameProcessor` of a live match, for frames in order of time. The calibration alone makes the first one.

    `before_play`: a picture from before the first throw, if it is known: what lay there then is no thrown die.
    """

    calibration: Calibration
    before_play: Reference | None = None
    window: ObservationWindow = field(default_factory=ObservationWindow)
    cached_reading: CachedReading | None = None
    stillness: Stillness | None = None
    drift: DriftWatch = field(default_factory=DriftWatch)
    dice_appearance: AppearanceModel = field(default_factory=AppearanceModel)

    @property
    def newest_reading(self) -> BoardReading | None:
        return None if self.cached_reading is None else self.cached_reading.reading

    def with_appearance(self, appearance: Appearance) -> Self:
        return replace(self, calibration=replace(self.calibration, appearance=appearance))

    def find_moved_board(self, occupancy: Occupancy) -> Self:
        """Takes the place where a board that moved far seems to lie, if what stands on it proves it; once a drift check."""
        drift, found = prove_moved_board(self.drift, occupancy)
        return replace(self, drift=drift, calibration=found or self.calibration)

    def process(self, frame: Frame) -> tuple["VideoProcessor", Observation]:
        """The next processor and the observation. Raises VisionError for a frame that the calibration does not fit."""
        stillness = measure_stillness(frame, self.calibration, self.stillness)
        drift, calibration = update_drift_watch(self.drift, self.calibration, frame, still_ms=stillness.still_ms)
        newest = read_board_cached(
            frame,
            calibration,
            self.cached_reading,
            anew=self._should_reread(stillness),
            before_play=self.before_play,
        )
        dice = reject_strange_dice(self.dice_appearance, newest.reading, frame.pixels, calibration)
        perhaps_more = newest.reading.perhaps_more_dice or len(dice) < len(newest.reading.dice)
        reading = replace(newest.reading, dice=dice, perhaps_more_dice=perhaps_more, board_moved_mm=drift.moved_mm)
        window, seen = observe(self.window, reading, still_since_ms=stillness.since_ms)
        settled = [die.reading for event in seen.dice_events if isinstance(event, DiceSettled) for die in event.dice]
        known = learn_dice(self.dice_appearance, settled, frame.pixels, calibration.projection)
        is_lost = drift.lost_checks > 0 and not seen.hand_in_view
        fault = reading.picture_fault or (PictureFault.NO_BOARD if is_lost else None)
        seen = replace(
            seen,
            picture_fault=fault,
            is_unreadable=reading.is_unreadable,
            shows_board=drift.lost_checks < LOST_CHECKS or _is_covered(reading) or fault in _HIDING,
        )
        return VideoProcessor(calibration, self.before_play, window, newest, stillness, drift, known), seen

    def _should_reread(self, stillness: Stillness) -> bool:
        """A static board is read a few times, since a breach is reported only when several readings agree."""
        return (
            stillness.still_ms >= REREAD_AFTER_MS and 0 < len(self.window.readings) < DEFAULT_THRESHOLDS.agreeing_frames
        )


@dataclass(frozen=True, slots=True, eq=False)
class StillsProcessor:
    """The `FrameProcessor` of pictures of settled scenes: each picture counts as a board at rest."""

    calibration: Calibration
    window: StillsWindow = field(default_factory=StillsWindow)
    newest_reading: BoardReading | None = None

    def with_appearance(self, appearance: Appearance) -> Self:
        return replace(self, calibration=replace(self.calibration, appearance=appearance))

    def find_moved_board(self, occupancy: Occupancy) -> Self:
        """A still does not tell that the board moved."""
        del occupancy
        return self

    def process(self, frame: Frame) -> tuple["StillsProcessor", Observation]:
        reading = read_board(frame, self.calibration)
        window, seen = observe_still(self.window, reading)
        seen = replace(seen, picture_fault=reading.picture_fault, is_unreadable=reading.is_unreadable)
        return replace(self, window=window, newest_reading=reading), seen
