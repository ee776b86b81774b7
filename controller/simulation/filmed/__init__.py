"""Turns a film into what a camera gives: snapshots, then frames or simulated readings.

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.simulation.filmed.board_location import locate_board
    from controller.simulation.filmed.frames import SIZE_PX, draw_film
    from controller.simulation.filmed.observations import Observer
    from controller.simulation.filmed.table import SimulatedTable

__all__ = [
    "SIZE_PX",
    "Observer",
    "SimulatedTable",
    "draw_film",
    "locate_board",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "board_location": ("locate_board",),
    "frames": ("SIZE_PX", "draw_film"),
    "observations": ("Observer",),
    "table": ("SimulatedTable",),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
