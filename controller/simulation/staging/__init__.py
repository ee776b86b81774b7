"""The table: checkers, dice, hands and incidents as beats of a film, with the truth about them.

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.simulation.staging.beats import Beat, Conditions, Cue, DieAtRest, HandMovement, RollingDie
    from controller.simulation.staging.board_plan import BoardPlan, PointMm, distance_mm
    from controller.simulation.staging.dice_placement import Landing, ThrowMishap, place_dice
    from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS, NO_MISHAPS, Mishaps
    from controller.simulation.staging.script_context import (
        Happening,
        Happenings,
        ScriptContext,
        film_incidents,
        make_script_context,
        push_aside,
        push_die,
        turn_die,
    )
    from controller.simulation.staging.stacks import (
        Aside,
        Carry,
        Spot,
        Stack,
        Stacks,
        carries_between,
        grasshopper_stacks,
        stacks_of,
    )
    from controller.simulation.staging.tempo import BRISK, Tempo
    from controller.simulation.staging.truth import TrueEnd, TrueEvent, TrueMishap, TruePlay, TrueStart, TrueThrow

__all__ = [
    "BRISK",
    "EVERYDAY_MISHAPS",
    "NO_MISHAPS",
    "Aside",
    "Beat",
    "BoardPlan",
    "Carry",
    "Conditions",
    "Cue",
    "DieAtRest",
    "HandMovement",
    "Happening",
    "Happenings",
    "Landing",
    "Mishaps",
    "PointMm",
    "RollingDie",
    "ScriptContext",
    "Spot",
    "Stack",
    "Stacks",
    "Tempo",
    "ThrowMishap",
    "TrueEnd",
    "TrueEvent",
    "TrueMishap",
    "TruePlay",
    "TrueStart",
    "TrueThrow",
    "carries_between",
    "distance_mm",
    "film_incidents",
    "grasshopper_stacks",
    "make_script_context",
    "place_dice",
    "push_aside",
    "push_die",
    "stacks_of",
    "turn_die",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "beats": ("Beat", "Conditions", "Cue", "DieAtRest", "HandMovement", "RollingDie"),
    "board_plan": ("BoardPlan", "PointMm", "distance_mm"),
    "dice_placement": ("Landing", "ThrowMishap", "place_dice"),
    "mishaps": ("EVERYDAY_MISHAPS", "Mishaps", "NO_MISHAPS"),
    "script_context": (
        "Happening",
        "Happenings",
        "ScriptContext",
        "film_incidents",
        "make_script_context",
        "push_aside",
        "push_die",
        "turn_die",
    ),
    "stacks": ("Aside", "Carry", "Spot", "Stack", "Stacks", "carries_between", "grasshopper_stacks", "stacks_of"),
    "tempo": ("BRISK", "Tempo"),
    "truth": ("TrueEnd", "TrueEvent", "TrueMishap", "TruePlay", "TrueStart", "TrueThrow"),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
