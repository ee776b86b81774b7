"""How often each mishap happens at the simulated table."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishaps:
    """Probabilities 0..1."""

    bad_throw: float = 0.0  # per throw: invalid and thrown again
    early_throw: float = 0.0  # per turn: the opponent throws before the dice are lifted
    illegal_play: float = 0.0  # per play
    condoned: float = 0.5  # per illegal play that can stand: the opponent's next throw condones it
    take_back: float = 0.0  # per play: another play is tried first
    slow_hand: float = 0.0  # per carry: the hand hovers
    hand_rests: float = 0.0  # per play: a hand stays at the rim for a while
    hand_away: float = 0.15  # per carry: the hand leaves after it
    die_pushed: float = 0.0  # per play
    die_turned: float = 0.0  # per play
    by_button: float = 0.0  # per turn: a button or the clock ends it, and the dice stay
    by_clock: float = 0.0  # per turn ended by a button: it is the clock's; only for a table with a clock
    camera_gone: float = 0.0  # per turn: no picture for five seconds
    camera_bumped: float = 0.0  # per turn
    lights_gone: float = 0.0  # per turn: the light board is unplugged for a while
    led_light: float = 0.0  # per turn: the strip shines on the wood


NO_MISHAPS = Mishaps(hand_away=0.1)
EVERYDAY_MISHAPS = Mishaps(
    bad_throw=0.08,
    early_throw=0.02,
    illegal_play=0.10,
    take_back=0.10,
    slow_hand=0.02,
    hand_rests=0.03,
    die_pushed=0.06,
    die_turned=0.02,
    by_button=0.05,
    camera_gone=0.01,
    camera_bumped=0.002,
    lights_gone=0.01,
    led_light=0.3,
)


def happens(probability: float, chance: Random) -> bool:
    """Draws exactly once, whatever the probability, so that changing one rate leaves later draws unchanged."""
    return chance.random() < probability
