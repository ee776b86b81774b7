"""Turns a film into what a camera gives: snapshots, then frames or simulated readings.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.simulation.filmed.board_location import locate_board
    from controller.simulation.filmed.frames import SIZE_PX, draw_film
    from controller.simulation.filmed.observations import Observer
    from controller.simulation.filmed.table import SimulatedTable
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
