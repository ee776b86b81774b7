"""The table: checkers, dice, hands and incidents as beats of a film, with the truth about them.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.simulation.staging.beats import Beat, Conditions, Cue, DieAtRest, HandMovement, RollingDie
    from controller.simulation.staging.board_plan import BoardPlan, PointMm, distance_mm
    from controller.simulation.staging.dice_placement import Landing, ThrowMishap, place_dice
    from controller.simulation.staging.filming import Filming
    from controller.simulation.staging.hearing import Hearing
    from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS, NO_MISHAPS, Mishaps
    from controller.simulation.staging.script_context import (
        Happening,
        Happenings,
        ScriptContext,
        film_incidents,
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
    from controller.simulation.staging.tempo import BRISK, Span, Tempo
    from controller.simulation.staging.truth import (
        TrueContinuation,
        TrueEnd,
        TrueEvent,
        TrueMishap,
        TrueOrder,
        TruePlay,
        TrueStart,
        TrueThrow,
    )
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
