"""The phases of a match: the modules whose handlers the transition table calls.

The table imports from this face, the modules of this room from each other.
"""

from controller.refereeing.phases import (
    awaiting,
    between_games,
    corrections,
    cubes,
    entered_turns,
    hindsight,
    interruptions,
    opening,
    playing,
    restoring,
    set_up,
    turn_end,
)

__all__ = [
    "awaiting", "between_games", "corrections", "cubes", "entered_turns", "hindsight", "interruptions", "opening", "playing",
    "restoring", "set_up", "turn_end",
]  # fmt: skip
