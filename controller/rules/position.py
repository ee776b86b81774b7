"""A position without faults, packed into integers.

The generator visits thousands of positions for one roll. Therefore a side is one integer: the count on own coordinate *p*
is stored in the four bits from 4 * *p* (0 borne off, 1..24 points, 25 bar, 26 reserve). Four bits are enough for at most
fifteen checkers, a step is one addition, and the hexadecimal digits read backwards are the position text itself.
"""

from dataclasses import dataclass

from controller.rules.player import POINTS, RESERVE, Player
from controller.rules.ruleset import Ruleset
from controller.rules.setup import ImpossibleSetupError, Setup, Side

SIDE_BITS = 4 * (RESERVE + 1)


def pack_counts(counts: tuple[int, ...]) -> int:
    """Packs counts by own coordinate (index 0 borne off to 26 reserve, each 0..15)."""
    side = 0
    for coordinate, count in enumerate(counts):
        side |= count << 4 * coordinate
    return side


def unpack_counts(side: int) -> tuple[int, ...]:
    """Unpacks a side into 27 counts, index 0 borne off to 26 reserve."""
    return tuple([side >> shift & 15 for shift in range(0, SIDE_BITS, 4)])


def mask_occupied(side: int) -> int:
    """The coordinates 1..26 that hold a checker, as bits 1..26."""
    mask = 0
    for coordinate in range(1, RESERVE + 1):
        if side >> 4 * coordinate & 15:
            mask |= 1 << coordinate
    return mask


def _points_mask(points: frozenset[int]) -> int:
    return sum(1 << point for point in points)


@dataclass(frozen=True, slots=True)
class Position:
    """Both sides packed; the pinned masks hold bits 1..24 of the owner's path (plakoto).

    A position is made from a claim by `Position.of`, or from another position by the generator.
    """

    white: int
    black: int
    white_pinned: int = 0
    black_pinned: int = 0

    @classmethod
    def of(cls, setup: Setup, rules: Ruleset) -> "Position":
        """Checks a claim; raises ImpossibleSetupError, which carries all faults."""
        faults = setup.faults(rules)
        if faults:
            raise ImpossibleSetupError(faults, setup.fault_sentences(rules))
        white, black = setup.white, setup.black
        return cls(
            pack_counts(white.counts), pack_counts(black.counts), _points_mask(white.pinned), _points_mask(black.pinned)
        )

    def side(self, player: Player) -> int:
        return self.white if player is Player.WHITE else self.black

    def pinned_mask(self, player: Player) -> int:
        return self.white_pinned if player is Player.WHITE else self.black_pinned

    def counts(self, player: Player) -> tuple[int, ...]:
        """The player's 27 counts by own coordinate, index 0 borne off to 26 reserve."""
        return unpack_counts(self.side(player))

    def pips(self, player: Player) -> int:
        """The pip count; a checker on the bar or in the reserve needs 25 pips."""
        return sum(min(coordinate, 25) * count for coordinate, count in enumerate(self.counts(player)))

    @property
    def setup(self) -> Setup:
        """The position as an unpacked claim."""
        return Setup(self._side(Player.WHITE), self._side(Player.BLACK))

    def _side(self, player: Player) -> Side:
        mask = self.pinned_mask(player)
        pinned = frozenset(point for point in POINTS if mask >> point & 1)
        return Side.of_counts(self.counts(player), pinned)


def start_position(rules: Ruleset) -> Position:
    """The position before the first roll of a game."""
    counts = [0] * (RESERVE + 1)
    for coordinate, count in rules.start:
        counts[coordinate] = count
    side = pack_counts(tuple(counts))
    return Position(side, side)
