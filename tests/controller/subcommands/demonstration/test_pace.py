from dataclasses import dataclass, field

import numpy as np
import pytest

from controller.subcommands.demonstration.pace import Pace
from vision.frame import Frame

PICTURE = np.zeros((2, 2, 3), np.uint8)


@dataclass(slots=True)
class Machine:
    """A clock, and the seconds that each picture costs."""

    costs_s: float
    now_s: float = 100.0
    told: list[float | None] = field(default_factory=list)

    def clock(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def shown(self, pace: Pace, frames: int, begins_ms: int = 0) -> float:
        """The seconds that these frames take, of which ten are a second at the table."""
        begun_s = self.now_s
        pictures = (Frame(PICTURE, begins_ms + 100 * number) for number in range(frames))
        for _ in pace.delay(pictures):
            self.now_s += self.costs_s
        return self.now_s - begun_s

    def pace(self, speed: float | None) -> Pace:
        return Pace(speed, self.told.append, self.clock, self.wait)


def test_frames_wait_for_their_time() -> None:
    machine = Machine(costs_s=0.01)
    assert machine.shown(machine.pace(4.0), 401) == pytest.approx(10.0, abs=0.1)
    assert machine.told == []


def test_without_a_speed_nothing_waits() -> None:
    machine = Machine(costs_s=0.01)
    assert machine.shown(machine.pace(None), 400) == pytest.approx(4.0)


def test_a_slow_computer_says_so_and_the_table_does_not_race_afterwards() -> None:
    """What is lost stays lost: the table does not catch up with a minute at full speed."""
    machine = Machine(costs_s=0.05)
    pace = machine.pace(4.0)
    machine.shown(pace, 400)
    assert machine.told
    assert set(machine.told) == {2.0}
    machine.costs_s = 0.01
    assert machine.shown(pace, 801, 40_000) == pytest.approx(20.0, abs=1.2)
    assert machine.told[-1] is None
