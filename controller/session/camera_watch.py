"""Frames of one camera, one after the other: what is remembered of them, and each as an observation.

frame ─▶ unchanged.look ─┐
frame ─▶ motion.watch ───┴▶ observe ─▶ die_colours: what this session's dice look like
         bump (now and then): the calibration follows a camera that was knocked
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from controller.adjudication.thresholds import EVERYDAY_LIMITS
from controller.observing.drift_watch import BumpWatch, bumped
from controller.observing.observation import Observation
from controller.observing.observe import Window, observe
from controller.observing.stills import StillsWindow, observe_still
from vision.board.cached_reading import Look, look
from vision.board.motion import Stillness, watch
from vision.board.read_board import read_board
from vision.dice import classification_cascade
from vision.dice.appearance_model import DiceLook, learned_from, without_strangers
from vision.dice.cube_number import cube_numbers
from vision.dice.windows import DieSpot
from vision.dice_tracking.events import DiceSettled
from vision.frame import Frame
from vision.geometry.calibration import Calibration

LOOKS_AGAIN_MS = 300
_SOME_CUBE_PX = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """What a match is watched with: a `Watch` for frames in the order of time. With its calibration alone it begins."""

    calibration: Calibration
    window: Window = field(default_factory=Window)
    look: Look | None = None
    stillness: Stillness | None = None
    bump: BumpWatch = field(default_factory=BumpWatch)
    dice: DiceLook = field(default_factory=DiceLook)

    def seen(self, frame: Frame) -> tuple["Film", Observation]:
        """One frame further. VisionError for a picture that the calibration does not fit."""
        stillness = watch(frame, self.calibration, self.stillness)
        bump, calibration = bumped(self.bump, self.calibration, frame, still_ms=stillness.still_ms)
        newest = look(frame, calibration, self.look, anew=self._looks_again(stillness))
        dice = without_strangers(self.dice, newest.reading.dice, frame.pixels, calibration.projection)
        perhaps_more = newest.reading.perhaps_more_dice or len(dice) < len(newest.reading.dice)
        reading = replace(newest.reading, dice=dice, perhaps_more_dice=perhaps_more, board_moved_mm=bump.moved_mm)
        window, seen = observe(self.window, reading, still_since_ms=stillness.since_ms)
        settled = [die.reading for event in seen.dice_events if isinstance(event, DiceSettled) for die in event.dice]
        known = learned_from(self.dice, settled, frame.pixels, calibration.projection)
        return Film(calibration, window, newest, stillness, bump, known), seen

    def _looks_again(self, stillness: Stillness) -> bool:
        """A board at rest is read a few times though nothing changes: one reading alone accuses nobody."""
        return stillness.still_ms >= LOOKS_AGAIN_MS and 0 < len(self.window.looks) < EVERYDAY_LIMITS.alone_looks


def get_ready(calibration: Calibration) -> None:
    """Loads the networks and all else that takes its time once, and would hold up the first frame, or the first throw."""
    width_px, height_px = calibration.image_size_px
    blank = np.zeros((height_px, width_px, 3), np.uint8)
    read_board(Frame(blank, 0), calibration)  # which shows no dice, nor the cube
    classification_cascade.get_ready()
    cube_numbers(blank, DieSpot((width_px / 2, height_px / 2), _SOME_CUBE_PX, 1.0), None)


@dataclass(frozen=True, slots=True, eq=False)
class Stills:
    """The same for pictures of settled scenes: no rest is waited for."""

    calibration: Calibration
    window: StillsWindow = field(default_factory=StillsWindow)

    def seen(self, frame: Frame) -> tuple["Stills", Observation]:
        """One picture further."""
        window, seen = observe_still(self.window, read_board(frame, self.calibration))
        return replace(self, window=window), seen


@dataclass(frozen=True, slots=True, eq=False)
class Rewatched:
    """A recording whose first frames were looked at before: `known` has what they showed, by their time."""

    watch: Film | Stills
    known: Mapping[int, Observation]

    @property
    def calibration(self) -> Calibration:
        return self.watch.calibration

    def seen(self, frame: Frame) -> tuple["Rewatched", Observation]:
        """What it showed, without another look, as long as that is known."""
        known = self.known.get(frame.taken_ms)
        if known is not None:
            return self, known
        watch, seen = self.watch.seen(frame)
        return replace(self, watch=watch), seen
