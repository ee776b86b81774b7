"""The pace of the demo: frames wait for their time. A computer that is too slow for it slows the table down, and says so."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from controller.session import LiveInput
from vision import Frame

_MOST_BEHIND_S = 1.0
"""A knob: the table catches up with a shorter delay, as after a picture that took long; what is lost beyond it is lost."""
_MEASURED_S = 5.0
"""A knob: the time over which the speed is measured."""
_SLOW, _WELL = 0.8, 0.95
"""Knobs: the share of the speed below which the table is called slow, and from which on it is not any more."""


@dataclass(slots=True)
class Pace:
    """`speed` None: as fast as possible. `tell` gets the speed that is reached when it is too low, and None when it is not.

    `clock` gives seconds, `wait` sleeps for seconds.
    """

    speed: float | None
    tell: Callable[[float | None], None]
    clock: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep
    _due_s: float | None = None  # by the clock, for film time 0
    _measured: tuple[float, int] = field(default=(0.0, 0))  # clock and film time at which the measurement began
    _is_slow: bool = False

    def delay(self, inputs: Iterator[LiveInput]) -> Iterator[LiveInput]:
        """The inputs, each frame not before its time."""
        for given in inputs:
            if self.speed is not None and isinstance(given, Frame):
                self._wait_for(given.taken_ms, self.speed)
            yield given

    def _wait_for(self, taken_ms: int, speed: float) -> None:
        now_s = self.clock()
        if self._due_s is None:
            self._due_s, self._measured = now_s - taken_ms / 1000 / speed, (now_s, taken_ms)
        early_s = self._due_s + taken_ms / 1000 / speed - now_s
        if early_s > 0:
            self.wait(early_s)
        elif early_s < -_MOST_BEHIND_S:
            self._due_s -= early_s + _MOST_BEHIND_S
        self._measure(taken_ms, speed)

    def _measure(self, taken_ms: int, speed: float) -> None:
        begun_s, begun_ms = self._measured
        took_s = self.clock() - begun_s
        if took_s < _MEASURED_S:
            return
        self._measured = self.clock(), taken_ms
        reached = (taken_ms - begun_ms) / 1000 / took_s
        if reached < _SLOW * speed:
            self._is_slow = True
            self.tell(round(reached, 1))
        elif self._is_slow and reached >= _WELL * speed:
            self._is_slow = False
            self.tell(None)
