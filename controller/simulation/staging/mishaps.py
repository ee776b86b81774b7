"""How often things go wrong at the simulated table; which of them it is, chance says."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishaps:
    """Probabilities, each of the moment it is named for."""

    bad_throw: float = 0.0  # of a throw, that it does not count and is thrown again
    early_throw: float = 0.0  # of a turn, that the opponent throws before the dice are lifted
    illegal_play: float = 0.0  # of a play, that it breaks a rule
    condoned: float = 0.5  # of an illegal play that can stand: that it does, by the opponent's next throw
    take_back: float = 0.0  # of a play, that something else is tried first
    slow_hand: float = 0.0  # of a carry, that the hand hovers
    hand_rests: float = 0.0  # of a play, that a hand stays at the rim for a while
    hand_away: float = 0.15  # of a carry, that the hand goes away after it
    die_pushed: float = 0.0  # of a play
    die_turned: float = 0.0  # of a play
    by_button: float = 0.0  # of a turn, that a button or clock ends it and the dice stay
    by_clock: float = 0.0  # of such a turn, that the button is that of the clock; only where the table has one
    camera_gone: float = 0.0  # of a turn, that no picture comes for five seconds
    camera_bumped: float = 0.0  # of a turn
    lights_gone: float = 0.0  # of a turn, that the board of lights is unplugged for a while
    led_light: float = 0.0  # of a turn, that the strip shines on the wood


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
    """One draw, whatever the probability, so that a rate of nothing leaves the rest of a script as it is."""
    return chance.random() < probability
