"""Observations of the simulated table without pictures: readings as they should be, through the same `observe`."""

from dataclasses import dataclass, field
from typing import Protocol

from controller.observing.observation import Observation
from controller.observing.observe import Window, observe
from controller.simulation.filmed.moments import Moment
from controller.simulation.filmed.readings import PERFECT, Noise, board_reading_of
from controller.simulation.staging.board_plan import BoardPlan
from vision.board.board_reading import BoardReading


class ReadingOf(Protocol):
    """What a picture of a moment is read as, without one: `board_reading_of`."""

    def __call__(self, moment: Moment, plan: BoardPlan, seed: int, noise: Noise, /, *, pins: bool) -> BoardReading: ...


@dataclass(slots=True)
class Observer:
    """Takes moments in the order of time. What moves is told from the film itself, as `vision.board.motion` should tell it."""

    plan: BoardPlan
    seed: int
    noise: Noise = PERFECT
    pins: bool = False
    reading_of: ReadingOf = board_reading_of
    _window: Window = field(default_factory=Window)
    _still_since_ms: int = 0
    _shown: object = None

    def __call__(self, moment: Moment) -> Observation:
        shown = (moment.stacks, moment.dice, moment.conditions.shift_mm)
        if moment.hand is not None or moment.rolling or shown != self._shown:
            self._still_since_ms = moment.taken_ms
        # a hand or a die that has just gone leaves a picture that differs from the one before
        self._shown = None if moment.hand is not None or moment.rolling else shown
        reading = self.reading_of(moment, self.plan, self.seed, self.noise, pins=self.pins)
        self._window, seen = observe(self._window, reading, still_since_ms=self._still_since_ms)
        return seen
