"""The legal results of a throw of one stage, as arrays by places of the picture, and their likelihoods.

A roll has up to a few thousand results. All of them are compared with the evidence at once, so that no legal play is left
out. Cascades have up to millions of results; `hypothesis_test.py` judges single boards there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.match import Checkers, Seating, numbers_along
from controller.observing import POINTS, BoardView, FloatTable, Likelihoods
from controller.rules import BAR, OFF, SIDE_BITS, Contact, Player, Position, Ruleset, Stage, Throw, legal_plays

_SIDE_BYTES = (SIDE_BITS + 7) // 8
_COORDINATES = 27


@dataclass(frozen=True, slots=True, eq=False)
class LegalResults:
    """Positions, and the boards that the camera would see: all arrays have one row a position.

    `points`: (n, 2, 24), light and dark by place. `dark_above`: (n, 24), 0 or 1. `bar`, `off`: (n, 2).
    """

    positions: tuple[Position, ...]
    points: NDArray[np.intp]
    dark_above: NDArray[np.intp]
    bar: NDArray[np.intp]
    off: NDArray[np.intp]

    def by_place(self, known: Likelihoods) -> FloatTable:
        """(n, 26): log-likelihoods of points, bar and trays."""
        on_points = known.points[np.arange(POINTS), self.dark_above, self.points[:, 0], self.points[:, 1]]
        bar, tray = known.bar[self.bar[:, 0], self.bar[:, 1]], known.tray[self.off[:, 0], self.off[:, 1]]
        return np.column_stack((on_points, bar, tray))

    def view(self, row: int) -> BoardView:
        light, dark = self.points[row].tolist()
        return BoardView(
            points=tuple(zip(light, dark, strict=True)),
            bar=(int(self.bar[row, 0]), int(self.bar[row, 1])),
            off=(int(self.off[row, 0]), int(self.off[row, 1])),
            dark_above=frozenset(np.flatnonzero(self.dark_above[row]).tolist()),
        )


@lru_cache(maxsize=4)
def legal_results(before: Position, mover: Player, throw: Throw, rules: Ruleset, seating: Seating) -> LegalResults:
    """The results of a throw of one stage; cached, because the same turn is adjudicated for many frames."""
    stage = Stage(throw.stages[0], first_roll=throw.is_first_roll)
    return make_legal_results([play.after for play in legal_plays(before, mover, stage, rules)], rules, seating)


def make_legal_results(positions: Sequence[Position], rules: Ruleset, seating: Seating) -> LegalResults:
    """Converts positions into the boards that the camera would see."""
    points = np.zeros((len(positions), 2, POINTS), np.intp)
    dark_above = np.zeros((len(positions), POINTS), np.intp)
    bar, off = np.zeros((len(positions), 2), np.intp), np.zeros((len(positions), 2), np.intp)
    for checkers in Checkers:
        player = seating.player_of(checkers)
        numbers = list(numbers_along(seating, player, rules.direction))
        counts = _unpack_counts([position.side(player) for position in positions])
        points[:, checkers.column, numbers] = counts[:, 1:BAR]
        bar[:, checkers.column], off[:, checkers.column] = counts[:, BAR], counts[:, OFF]
        if checkers is Checkers.LIGHT and rules.contact is Contact.PIN:
            pinned = np.array([position.pinned_mask(player) for position in positions])
            dark_above[:, numbers] = pinned[:, None] >> np.arange(1, BAR) & 1
    return LegalResults(tuple(positions), points, dark_above, bar, off)


def _unpack_counts(sides: Sequence[int]) -> NDArray[np.intp]:
    """(n, 27): the counts by own coordinate, unpacked from four bits each."""
    packed = np.frombuffer(b"".join(side.to_bytes(_SIDE_BYTES, "little") for side in sides), np.uint8)
    rows = packed.reshape(len(sides), _SIDE_BYTES)
    return np.stack((rows & 15, rows >> 4), axis=-1).reshape(len(sides), -1)[:, :_COORDINATES].astype(np.intp)
