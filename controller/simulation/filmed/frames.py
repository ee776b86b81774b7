"""Frames of the simulated table: what the referee gets, and all that he gets."""

from dataclasses import dataclass

from controller.simulation.filmed.arrangements import arrangement_of
from controller.simulation.filmed.snapshots import TableSnapshot
from vision.frame import Frame
from vision.simulated.painter import Painter


@dataclass(slots=True)
class FrameMaker:
    """Draws moments. `pins`: checkers lie on pinned ones in this game. Each frame has its own noise."""

    painter: Painter
    pins: bool = False
    _frame_count: int = 0

    def __call__(self, moment: TableSnapshot) -> Frame:
        self._frame_count += 1
        arrangement = arrangement_of(moment, self.painter.style, pins=self.pins)
        return Frame(self.painter.paint_frame(arrangement, self._frame_count), moment.taken_ms)
