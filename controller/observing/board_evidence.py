"""The evidence about the checkers on the board (`BoardEvidence`), and a hypothetical board to compare it with (`BoardView`).

Evidence is likelihoods, never a best guess; it comes from one reading or from several pooled readings. A view holds the
counts that a perfect camera would find for a given position.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]  # light, dark
_NONE, _LIGHT, _DARK = 0, 1, 2


@dataclass(frozen=True, slots=True)
class BoardView:
    """Counts of checkers by place; `points` runs T1..T12, B1..B12.

    `dark_above`: the numbers (0..23) of points with both colours where dark lies above; on the others light lies above.
    """

    points: tuple[Pair, ...]
    bar: Pair = (0, 0)
    off: Pair = (0, 0)
    dark_above: frozenset[int] = frozenset()

    @property
    def totals(self) -> Pair:
        """The totals of light and dark checkers on points, on the bar and borne off."""
        light, dark = (sum(column) for column in zip(*self.points, self.bar, self.off, strict=True))
        return light, dark


@dataclass(frozen=True, slots=True, eq=False)
class BoardEvidence:
    """Log-posteriors under a flat prior, read-only; all entries of a hidden place are equal.

    `points`: (24, 4, 16), none/light/dark/both x count, T1..T12, B1..B12. `bar` and `tray`: (16, 16), light x dark;
    `tray` is None if no tray is in view. `visible`: (25,), 0..1, of the points and the bar. `frame_count`: pooled frames;
    `since_ms` and `taken_ms` are the first and the last of them. `picture`: the newest of the pictures that hide least, for
    `vision.checkers.point_changes`, or None. `disturbed`: points (0..23) and bar (24) where the picture shows more than
    checkers. `change_penalty`: (24, 16, 16), light x dark, nats against each pair from the change of the pictures since the
    last known board, or None. `changed`: points (0..23) whose picture changed since then; `renewed`: those where a checker
    surely came or went. Without `has_bar` the board has
    no bar, and hit checkers are in a hand, on the rim or off the table; `bar` is flat then and not visible.
    """

    points: NDArray[np.float32]
    bar: NDArray[np.float32]
    tray: NDArray[np.float32] | None
    visible: NDArray[np.float32]
    frame_count: int
    since_ms: int
    taken_ms: int
    picture: NDArray[np.uint8] | None = None
    disturbed: frozenset[int] = frozenset()
    change_penalty: NDArray[np.float32] | None = None
    changed: frozenset[int] = frozenset()
    renewed: frozenset[int] = frozenset()
    has_bar: bool = True

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same arrays, by identity; so results that depend on them can be cached."""
        return isinstance(other, BoardEvidence) and self._tables == other._tables

    def __hash__(self) -> int:
        return hash(self._tables)

    @property
    def _tables(self) -> tuple[object, ...]:
        """The identities of the arrays, unique while the arrays are alive."""
        tables = self.points, self.bar, self.tray, self.visible, self.picture, self.change_penalty
        return *map(id, tables), self.frame_count, self.changed, self.renewed


def cell_of(stands: Pair) -> tuple[int, int] | None:
    """The index of a pair in the table of a point; None for both colours together."""
    light, dark = stands
    if light and dark:
        return None
    return (_LIGHT, light) if light else (_DARK, dark) if dark else (_NONE, 0)
