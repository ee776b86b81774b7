"""What is known of the checkers on the board: likelihoods, never a best guess; and a board as it would be seen.

`BoardSeen` is one look or several looks taken together. `BoardView` is the other side of the comparison: the counts
that a camera would find if a given position stood there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]  # light, dark
_NONE, _LIGHT, _DARK = 0, 1, 2


@dataclass(frozen=True, slots=True)
class BoardView:
    """Checkers by place: what the camera would find there. `points` goes T1..T12, B1..B12.

    `dark_above`: numbers (0..23) of points that hold both colours where dark lies above; on others light does.
    """

    points: tuple[Pair, ...]
    bar: Pair = (0, 0)
    off: Pair = (0, 0)
    dark_above: frozenset[int] = frozenset()

    @property
    def totals(self) -> Pair:
        """Light and dark on points and bar, and beside the board."""
        light, dark = (sum(column) for column in zip(*self.points, self.bar, self.off, strict=True))
        return light, dark


@dataclass(frozen=True, slots=True, eq=False)
class BoardEvidence:
    """Log-posteriors under a flat prior, read-only; a hidden place says nothing (all its entries are equal).

    `points`: (24, 4, 16), none/light/dark/both x count, T1..T12, B1..B12. `bar` and `tray`: (16, 16), light x dark;
    `tray` is None when no tray is in view. `visible`: (25,), 0..1, of the points and the bar. `shown`: the newest of
    the pictures that hides least, as `vision.checkers.point_changes` compares them; None where none was kept. `disturbed`: points
    (0..23) and bar (24) where more showed than checkers. `by_pictures`: (24, 16, 16), light x dark, nats that the
    pictures say against each pair since the last board that is known, None where there is none. `changed`: points (0..23)
    that look otherwise since then.
    """

    points: NDArray[np.float32]
    bar: NDArray[np.float32]
    tray: NDArray[np.float32] | None
    visible: NDArray[np.float32]
    frame_count: int  # how many frames were taken together
    since_ms: int  # the first of them
    taken_ms: int  # the last of them
    picture: NDArray[np.uint8] | None = None
    disturbed: frozenset[int] = frozenset()
    change_penalty: NDArray[np.float32] | None = None
    changed: frozenset[int] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Whether the very same tables are behind both, whenever they were seen: what follows from them is remembered."""
        return isinstance(other, BoardEvidence) and self._tables == other._tables

    def __hash__(self) -> int:
        return hash(self._tables)

    @property
    def _tables(self) -> tuple[object, ...]:
        """Which arrays these are; as long as one of them is kept no other one gets its name."""
        tables = self.points, self.bar, self.tray, self.visible, self.picture, self.change_penalty
        return *map(id, tables), self.frame_count, self.changed


def cell_of(stands: Pair) -> tuple[int, int] | None:
    """Where a point's table has that; None for both colours together, which are read otherwise."""
    light, dark = stands
    if light and dark:
        return None
    return (_LIGHT, light) if light else (_DARK, dark) if dark else (_NONE, 0)
