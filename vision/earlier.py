"""What the frames before tell of the next one: what was looked at, where dice lay, and what stood there without them."""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.checkers.occupancy import Stood
from vision.die_reading import DieReading
from vision.die_windows import DieSpot
from vision.spot_looks import SpotLook

PLAIN_DIE = 0.95  # probability of its face


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """The empty one begins."""

    spots: tuple[SpotLook, ...] = ()  # close looks at places around which nothing changed since
    lay: tuple[DieSpot, ...] = ()  # where dice were, in case the search overlooks one
    is_hurried: bool = False  # something moves: what takes long waits for the rest
    stood: Stood | None = None  # the checkers when a scene at rest last showed no dice, however long ago


def spots_of_dice(dice: tuple[DieReading, ...]) -> Iterator[DieSpot]:
    """Of those that are plain: what only looks a little like a die is not helped to stay."""
    for die in dice:
        if die.value_confidence >= PLAIN_DIE:
            yield DieSpot(die.centre_px, die.size_px, die.value_confidence)
