import numpy as np
import pytest

from controller.simulation.filmed.arrangements import arrangement_of, plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot, take_snapshots
from controller.simulation.filmed.table import SimulatedTable
from tests.controller.simulation.films import MANY_MISHAPS, film
from vision.frame import Frame
from vision.places import POINTS
from vision.simulated.checker_spots import locate_checker
from vision.simulated.painter import Painter
from vision.simulated.scene import CheckerSide
from vision.simulated.table_styles import table_style

pytestmark = pytest.mark.broad

STYLE = table_style(3, (320, 240))
PLAN = plan_of(STYLE)


def test_everything_is_drawn() -> None:
    for moment in take_snapshots(film("backgammon", 1, mishaps=MANY_MISHAPS, turns=6, board=PLAN), PLAN, FrameRates()):
        if isinstance(moment, TableSnapshot):
            drawn = arrangement_of(moment, STYLE)
            standing = sum(map(len, drawn.points)) + len(drawn.bar) + len(drawn.off)
            assert standing == sum(moment.stacks.total) - sum(moment.stacks.box)
            assert len(drawn.dice) == len(moment.dice) + len(moment.rolling)
            assert bool(drawn.hands) == (moment.hand is not None)


def test_the_plan_puts_checkers_where_the_painter_does() -> None:
    for place in POINTS:
        for number in (0, 4):
            spot = locate_checker(STYLE, place.value, number, CheckerSide.LIGHT).centre_mm
            assert np.hypot(*np.subtract(spot, PLAN.spot_mm(place, number))) < 1 + 15 * STYLE.untidy_mm


def test_a_table_gives_frames_in_the_order_of_time() -> None:
    table = SimulatedTable(
        film("hypergammon", 1, turns=1, board=PLAN), PLAN, FrameMaker(Painter(STYLE)), FrameRates(2, 1)
    )
    assert table.truths == []
    frames = [one for one in table.inputs() if isinstance(one, Frame)]
    assert {frame.pixels.shape for frame in frames} == {(240, 320, 3)}
    times = [frame.taken_ms for frame in frames]
    assert times == sorted(set(times))
    assert len(table.truths) >= 3
