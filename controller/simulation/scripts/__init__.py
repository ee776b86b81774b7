"""The course of a game: players, whole games as values, and the film of each throw and play.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
    from controller.simulation.scripts.grasshopper_script import film_grasshopper_game
    from controller.simulation.scripts.playable_part import PlayablePart, select_playable_part
    from controller.simulation.scripts.playthrough import MAX_TURNS, GameProgress, TurnPlayed, play_game
    from controller.simulation.scripts.recorded_script import film_recorded_game, openings_of
    from controller.simulation.scripts.script import GamePlan, film_dice_game
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
