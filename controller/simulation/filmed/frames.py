"""Frames of the simulated table: the only thing that the referee gets of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.rules import Contact, Ruleset
from controller.rules.grasshopper.game import GrasshopperRules
from controller.simulation.filmed.arrangements import arrangement_of, plan_of
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.staging import BoardPlan, Happening, Hearing
from vision import Frame
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

SIZE_PX = (640, 480)


@dataclass(slots=True)
class FrameMaker:
    """Draws snapshots. With `pins` checkers may lie on pinned ones. The noise of each frame is its own."""

    painter: Painter
    pins: bool = False
    _frame_count: int = 0

    def __call__(self, moment: TableSnapshot) -> Frame:
        self._frame_count += 1
        arrangement = arrangement_of(moment, self.painter.style, pins=self.pins)
        return Frame(self.painter.paint_frame(arrangement, self._frame_count), moment.taken_ms)


def draw_film(
    film: Callable[[BoardPlan], Iterable[Happening]],
    rules: Ruleset | GrasshopperRules,
    seed: int,
    hearing: Hearing | None = None,
) -> SimulatedTable[Frame]:
    """The film on a table in the style of the seed, as frames of SIZE_PX; `film` gets the board of that table, and
    its players have this `hearing`.
    """
    style = table_style(seed, SIZE_PX)
    board = plan_of(style)
    pins = isinstance(rules, Ruleset) and rules.contact is Contact.PIN
    return SimulatedTable(film(board), board, FrameMaker(Painter(style), pins), hearing=hearing or Hearing())
