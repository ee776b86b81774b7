"""The course of a game: players, whole games as values, and the film of each throw and play.

Each name loads its module at its first use (PEP 562).
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

__all__ = [
    "MAX_TURNS",
    "DemoPlayer",
    "GamePlan",
    "GameProgress",
    "PlayablePart",
    "SeededDice",
    "TurnPlayed",
    "film_dice_game",
    "film_grasshopper_game",
    "film_recorded_game",
    "openings_of",
    "play_game",
    "select_playable_part",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "demo_players": ("DemoPlayer", "SeededDice"),
    "grasshopper_script": ("film_grasshopper_game",),
    "playable_part": ("PlayablePart", "select_playable_part"),
    "playthrough": ("GameProgress", "MAX_TURNS", "TurnPlayed", "play_game"),
    "recorded_script": ("film_recorded_game", "openings_of"),
    "script": ("GamePlan", "film_dice_game"),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
