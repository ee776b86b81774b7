"""Observations of the simulated table without pictures: simulated readings go through the real `observe`."""

from dataclasses import dataclass, field

from controller.observing import Observation, ObservationWindow, observe
from controller.simulation.filmed.readings import PERFECT, Noise, simulate_reading
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.staging import BoardPlan


@dataclass(slots=True)
class Observer:
    """Takes snapshots in order of time. Stillness comes from the film itself, standing in for `vision.board.motion`."""

    plan: BoardPlan
    seed: int
    noise: Noise = PERFECT
    pins: bool = False
    _window: ObservationWindow = field(default_factory=ObservationWindow)
    _still_since_ms: int = 0
    _last_contents: object = None

    def __call__(self, moment: TableSnapshot) -> Observation:
        shown = (moment.stacks, moment.dice, moment.conditions.shift_mm)
        if moment.hand is not None or moment.rolling or shown != self._last_contents:
            self._still_since_ms = moment.taken_ms
        # the picture after a hand or die has left differs from the one before
        self._last_contents = None if moment.hand is not None or moment.rolling else shown
        reading = simulate_reading(moment, self.plan, self.seed, self.noise, pins=self.pins)
        self._window, seen = observe(self._window, reading, still_since_ms=self._still_since_ms)
        return seen
