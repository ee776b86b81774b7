"""The content of one frame, as likelihoods.

A reading has no memory, no rules and no players, and it may be impossible. For each place it holds the likelihood of
the pixels under each possible content, so that a caller with more knowledge (the total of fifteen, the position before)
can combine it with a prior. `best()` is the maximum under a flat prior.

A point holds one colour, or both when one checker pins another. The bar and the trays hold both colours side by side,
so their table is joint over two counts. A hidden place is unknown, never empty: a place that a hand covers, or that
lies outside the picture, is not `visible`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.checkers import COUNTS, ViewReading
from vision.dice.readings import CubeReading, DieReading
from vision.errors import ImpossibleReadingError
from vision.pixels.picture_quality import PictureFault
from vision.places import POINTS, Colour, Place

MOST_CHECKERS = COUNTS - 1  # of one colour; no game of the family has more

# Least visibility of a place that is not hidden. `visible` is the network's probability that the place can be read.
VISIBLE_FROM = 0.5

# The confidence rises linearly with visibility, from zero at the second value to its full size at the first.
FULLY_VISIBLE_FROM, NOT_AT_ALL_BELOW = 0.8, 0.3

_ROWS = (Colour.NONE, Colour.LIGHT, Colour.DARK, Colour.BOTH)


@dataclass(frozen=True, slots=True)
class PointGuess:
    """The most likely content of a point; an unknown content has count 0. `confidence` is 0..1."""

    colour: Colour
    count: int
    confidence: float


@dataclass(frozen=True, slots=True)
class PairGuess:
    """The most likely counts on the bar or in the trays; None when they are unknown. `confidence` is 0..1."""

    light: int | None
    dark: int | None
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class PlaceReading:
    """The reading of a point. Raises ImpossibleReadingError for a table or visibility that no point can have.

    Only differences of log-likelihoods matter; -inf means impossible. No colour has only the count 0.
    """

    log_likelihood: NDArray[np.float32]  # (4, 16), read-only: none, light, dark, both x count (for both: the sum)
    visible: float  # 0..1

    def __post_init__(self) -> None:
        _keep_table(self, (len(_ROWS), COUNTS))

    @classmethod
    def of_point(cls, log_probabilities: ArrayLike, visible: float, both: ArrayLike | None = None) -> "PlaceReading":
        """From (31,) log-probabilities: none, light x 1..15, dark x 1..15; and (16,) for both colours together."""
        known = np.asarray(log_probabilities, np.float32)
        if known.shape != (1 + 2 * MOST_CHECKERS,):
            raise ImpossibleReadingError(f"a point has 31 log-probabilities, not an array of shape {known.shape}")
        table = np.full((len(_ROWS), COUNTS), -np.inf, np.float32)
        table[0, 0], table[1, 1:], table[2, 1:] = known[0], known[1:COUNTS], known[COUNTS:]
        if both is not None:
            table[3, 1:] = np.asarray(both, np.float32)[1:]
        return cls(table, visible)

    def best(self) -> PointGuess:
        (row, count), confidence = _find_likeliest_cell(self.log_likelihood, self.visible)
        if self.visible < VISIBLE_FROM:
            return PointGuess(Colour.UNKNOWN, 0, confidence)
        return PointGuess(_ROWS[row], count, confidence)

    def find_likeliest(self) -> tuple[Colour, int]:
        """The likeliest content, whether or not the place is hidden."""
        row, count = divmod(int(self.log_likelihood.argmax()), COUNTS)
        return _ROWS[row], count

    def compute_chance(self, colour: Colour, count: int) -> float:
        """The posterior of a content under a flat prior, whether or not the place is hidden."""
        table = self.log_likelihood.astype(np.float64)
        return float(np.exp(table[_ROWS.index(colour), count] - np.logaddexp.reduce(table, axis=None)))

    def find_rival(self, colour: Colour, count: int) -> tuple[Colour, int]:
        """The likeliest content other than the given one."""
        others = self.log_likelihood.copy()
        others[_ROWS.index(colour), count] = -np.inf
        row, other = divmod(int(others.argmax()), COUNTS)
        return _ROWS[row], other


@dataclass(frozen=True, slots=True, eq=False)
class PairReading:
    """The reading of the bar or of the trays: both colours at once."""

    log_likelihood: NDArray[np.float32]  # (16, 16), read-only: light checkers x dark checkers
    visible: float  # 0..1

    def __post_init__(self) -> None:
        _keep_table(self, (COUNTS, COUNTS))

    @classmethod
    def of_counts(cls, light: ArrayLike, dark: ArrayLike, visible: float) -> "PairReading":
        """From two independent (16,) log-likelihoods of the counts 0..15."""
        return cls(np.add.outer(np.asarray(light, np.float32), np.asarray(dark, np.float32)), visible)

    def best(self) -> PairGuess:
        (light, dark), confidence = _find_likeliest_cell(self.log_likelihood, self.visible)
        if self.visible < VISIBLE_FROM:
            return PairGuess(None, None, confidence)
        return PairGuess(light, dark, confidence)


def _keep_table(reading: PlaceReading | PairReading, shape: tuple[int, int]) -> None:
    """Validates a reading and replaces its table by a read-only copy."""
    table = np.array(reading.log_likelihood, np.float32)
    if table.shape != shape:
        raise ImpossibleReadingError(f"the likelihoods of a place have the shape {shape}, not {table.shape}")
    if np.isnan(table).any() or not np.isfinite(table.max()):
        raise ImpossibleReadingError("a place has a log-likelihood that is no number, or nothing that is possible")
    if shape == (len(_ROWS), COUNTS) and (np.isfinite(table[0, 1:]).any() or np.isfinite(table[1:, 0]).any()):
        raise ImpossibleReadingError("a point has no checkers of no colour, and at least one of a colour")
    if not 0 <= reading.visible <= 1:
        raise ImpossibleReadingError(f"a place is visible from 0 to 1, not {reading.visible}")
    table.flags.writeable = False
    object.__setattr__(reading, "log_likelihood", table)
    object.__setattr__(reading, "visible", float(reading.visible))


def _find_likeliest_cell(table: NDArray[np.float32], visible: float) -> tuple[tuple[int, int], float]:
    """The maximum cell, and its posterior under a flat prior, scaled by visibility."""
    share = np.exp(table.astype(np.float64) - float(table.max()))
    row, column = divmod(int(table.argmax()), table.shape[1])
    seen = np.clip((visible - NOT_AT_ALL_BELOW) / (FULLY_VISIBLE_FROM - NOT_AT_ALL_BELOW), 0, 1)
    return (row, column), float(seen / share.sum())


@dataclass(frozen=True, slots=True, eq=False)
class BoardReading:
    """The reading of one frame. Raises ImpossibleReadingError unless each place has a reading of its kind."""

    places: Mapping[
        Place, PlaceReading | PairReading
    ]  # the 24 points and the bar; the bar only if the board has one, the trays only when in view
    dice: tuple[DieReading, ...] = ()  # all dice in view, from left to right
    cube: CubeReading | None = None
    hand_in_view: bool = False
    board_moved_mm: float = 0.0  # relative to the calibration
    perhaps_more_dice: bool = False  # a rejected candidate may be a die
    view_thumbnail: NDArray[np.uint8] | None = None  # the reduced view that `point_changes` compares
    of_network: ViewReading | None = None  # the checker network's output, from which a board's appearance is learned
    # 0..23 as in `points()`, 24 for the bar: places whose pixels show more than their checkers.
    disturbed: frozenset[int] = frozenset()
    taken_ms: int = field(default=0, kw_only=True)
    picture_fault: PictureFault | None = field(default=None, kw_only=True)  # why places cannot be read in this picture

    def __post_init__(self) -> None:
        missing = [place.value for place in POINTS if place not in self.places]
        if missing:
            raise ImpossibleReadingError(f"a board reading lacks {', '.join(missing)}")
        for place, seen in self.places.items():
            if isinstance(seen, PlaceReading) != (place in POINTS):
                raise ImpossibleReadingError(f"{place.value} has the reading of another kind of place")
        if not 0 <= self.board_moved_mm < float("inf"):
            raise ImpossibleReadingError(f"a board moves by 0 mm or more, not by {self.board_moved_mm}")
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))

    @property
    def is_unreadable(self) -> bool:
        """Whether the fault of the picture hides all places."""
        return self.picture_fault is not None and all(seen.visible < VISIBLE_FROM for seen in self.places.values())

    def points(self) -> Iterator[tuple[Place, PlaceReading]]:
        """The points in the order T1..T12, B1..B12."""
        for place in POINTS:
            seen = self.places[place]
            if isinstance(seen, PlaceReading):
                yield place, seen

    def point(self, place: Place) -> PlaceReading:
        """The reading of one point. KeyError for a place that is no point."""
        seen = self.places[place]
        if not isinstance(seen, PlaceReading):
            raise KeyError(place)
        return seen

    @property
    def bar(self) -> PairReading | None:
        """None on a board without a bar."""
        return self._find_pair(Place.BAR)

    @property
    def tray(self) -> PairReading | None:
        """All trays in view together; None without one."""
        return self._find_pair(Place.TRAY)

    def _find_pair(self, place: Place) -> PairReading | None:
        seen = self.places.get(place)
        return seen if isinstance(seen, PairReading) else None
