"""What one frame shows, as likelihoods, and the step from a frame to it.

A reading has no memory, no rules and no players, and may well be impossible. It keeps for every place how likely what
is seen would be for each thing that may stand there, so that whoever knows more (the total of fifteen, the position
before) can weigh it anew. `best()` is for those who know nothing more: the likeliest answer under a flat prior.

A point holds one colour, or both where one checker is pinned below another; the bar and the trays hold both side by
side, so theirs is a joint table of two counts. A hidden place is unknown, never empty: what a hand covers and what
lies outside the picture is not `visible`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board.dice_on_checkers import (
    disturbed_places,
    places_leant_on,
    places_of_dice,
    with_dice_doubted,
    with_hidden_below,
)
from vision.checkers.colour_classes import SideColours, both_colours, faces_of, with_faces, with_sides
from vision.checkers.network import COUNTS, ViewReading, read_view
from vision.checkers.occupancy import Standing, standing_of
from vision.checkers.point_changes import reduced_view
from vision.checkers.trays import TraysSeen, read_trays
from vision.dice.candidates import Earlier, SpotLook
from vision.dice.detect import read_dice
from vision.dice.readings import CubeReading, DieReading
from vision.dice.windows import KnownBoard
from vision.errors import ImpossibleReadingError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, for_picture
from vision.geometry.projection import FieldShape, Projection
from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, ViewMap, view_map

MOST_CHECKERS = COUNTS - 1  # of one colour; no game of the family has more
# Below this a place counts as hidden; the network's `visible` is the probability that it can be told.
VISIBLE_FROM = 0.5
# What is seen of a place counts fully when most of it is free, and not at all when hardly any of it is.
FULLY_VISIBLE_FROM, NOT_AT_ALL_BELOW = 0.8, 0.3


class Place(Enum):
    """Where checkers stand: the upper row from left to right, the lower row, the bar, the trays together."""

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
    T4 = "T4"
    T5 = "T5"
    T6 = "T6"
    T7 = "T7"
    T8 = "T8"
    T9 = "T9"
    T10 = "T10"
    T11 = "T11"
    T12 = "T12"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    B5 = "B5"
    B6 = "B6"
    B7 = "B7"
    B8 = "B8"
    B9 = "B9"
    B10 = "B10"
    B11 = "B11"
    B12 = "B12"
    BAR = "bar"
    TRAY = "tray"


POINTS = tuple(place for place in Place if place not in (Place.BAR, Place.TRAY))


class Colour(Enum):
    """What stands on a point; the first four are the rows of its likelihoods."""

    NONE = "none"
    LIGHT = "light"
    DARK = "dark"
    BOTH = "both"
    UNKNOWN = "unknown"


_ROWS = (Colour.NONE, Colour.LIGHT, Colour.DARK, Colour.BOTH)


@dataclass(frozen=True, slots=True)
class PointGuess:
    """The likeliest answer for a point; an unknown one has count 0. `confidence` is 0..1."""

    colour: Colour
    count: int
    confidence: float


@dataclass(frozen=True, slots=True)
class PairGuess:
    """The likeliest counts on the bar or in the trays; None where they cannot be told. `confidence` is 0..1."""

    light: int | None
    dark: int | None
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class PlaceReading:
    """A point. Of `log_likelihood` only differences matter; -inf is impossible, as is any count of none but 0."""

    log_likelihood: NDArray[np.float32]  # (4, 16), read-only: none, light, dark, both x count (of both: the sum)
    visible: float  # 0..1

    def __post_init__(self) -> None:
        _keep_table(self, (len(_ROWS), COUNTS))

    @classmethod
    def of_point(cls, log_probabilities: ArrayLike, visible: float, both: ArrayLike | None = None) -> "PlaceReading":
        """From (31,): none, light x 1..15, dark x 1..15; and (16,) of both colours together where they may be there."""
        known = np.asarray(log_probabilities, np.float32)
        if known.shape != (1 + 2 * MOST_CHECKERS,):
            raise ImpossibleReadingError(f"a point has 31 log-probabilities, not an array of shape {known.shape}")
        table = np.full((len(_ROWS), COUNTS), -np.inf, np.float32)
        table[0, 0], table[1, 1:], table[2, 1:] = known[0], known[1:COUNTS], known[COUNTS:]
        if both is not None:
            table[3, 1:] = np.asarray(both, np.float32)[1:]
        return cls(table, visible)

    def best(self) -> PointGuess:
        (row, count), confidence = _likeliest(self.log_likelihood, self.visible)
        if self.visible < VISIBLE_FROM:
            return PointGuess(Colour.UNKNOWN, 0, confidence)
        return PointGuess(_ROWS[row], count, confidence)


@dataclass(frozen=True, slots=True, eq=False)
class PairReading:
    """The bar, or the trays: both colours at once."""

    log_likelihood: NDArray[np.float32]  # (16, 16), read-only: light checkers x dark checkers
    visible: float  # 0..1

    def __post_init__(self) -> None:
        _keep_table(self, (COUNTS, COUNTS))

    @classmethod
    def of_counts(cls, light: ArrayLike, dark: ArrayLike, visible: float) -> "PairReading":
        """From two (16,) log-likelihoods of 0..15 that do not depend on each other."""
        return cls(np.add.outer(np.asarray(light, np.float32), np.asarray(dark, np.float32)), visible)

    def best(self) -> PairGuess:
        (light, dark), confidence = _likeliest(self.log_likelihood, self.visible)
        if self.visible < VISIBLE_FROM:
            return PairGuess(None, None, confidence)
        return PairGuess(light, dark, confidence)


def _keep_table(reading: PlaceReading | PairReading, shape: tuple[int, int]) -> None:
    """Checks the values of a place and keeps a read-only copy of its table."""
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


def _likeliest(table: NDArray[np.float32], visible: float) -> tuple[tuple[int, int], float]:
    """The cell with the most, and its posterior under a flat prior times visibility."""
    share = np.exp(table.astype(np.float64) - float(table.max()))
    row, column = divmod(int(table.argmax()), table.shape[1])
    seen = np.clip((visible - NOT_AT_ALL_BELOW) / (FULLY_VISIBLE_FROM - NOT_AT_ALL_BELOW), 0, 1)
    return (row, column), float(seen / share.sum())


@dataclass(frozen=True, slots=True, eq=False)
class BoardReading:
    """What one frame shows. No memory, no rules, no players: it may well be impossible."""

    places: Mapping[Place, PlaceReading | PairReading]  # the 24 points and the bar; the trays only when in view
    dice: tuple[DieReading, ...] = ()  # all in view, from left to right
    cube: CubeReading | None = None
    hand_in_view: bool = False
    board_moved_mm: float = 0.0  # against the calibration
    perhaps_more_dice: bool = False  # something that is not among the dice may be one too
    shown: NDArray[np.uint8] | None = None  # the picture itself, as `point_changes` compares it; None: it was not kept
    disturbed: frozenset[int] = frozenset()  # 0..23 as in `points()`, 24 is the bar: where more shows than its checkers
    taken_ms: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        missing = [place.value for place in (*POINTS, Place.BAR) if place not in self.places]
        if missing:
            raise ImpossibleReadingError(f"a board reading lacks {', '.join(missing)}")
        for place, seen in self.places.items():
            if isinstance(seen, PlaceReading) != (place in POINTS):
                raise ImpossibleReadingError(f"{place.value} has the reading of another kind of place")
        if not 0 <= self.board_moved_mm < float("inf"):
            raise ImpossibleReadingError(f"a board moves by 0 mm or more, not by {self.board_moved_mm}")
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))

    def points(self) -> Iterator[tuple[Place, PlaceReading]]:
        """T1..T12, B1..B12."""
        for place in POINTS:
            seen = self.places[place]
            if isinstance(seen, PlaceReading):
                yield place, seen

    @property
    def bar(self) -> PairReading:
        seen = self.places[Place.BAR]
        if isinstance(seen, PairReading):
            return seen
        raise ImpossibleReadingError("the bar has the reading of a point")

    @property
    def tray(self) -> PairReading | None:
        """The trays in view together; None where none is."""
        seen = self.places.get(Place.TRAY)
        return seen if isinstance(seen, PairReading) else None


def read_board(frame: Frame, calibration: Calibration) -> BoardReading:
    """One look at one frame. WrongPictureSizeError where it is no larger or smaller copy of the calibrated view."""
    return read_board_knowing(frame, calibration, Earlier()).reading


@dataclass(frozen=True, slots=True, eq=False)
class ReadFrame:
    """A reading, and what came of it on the way that may be worth knowing in the next frame."""

    reading: BoardReading
    spots: tuple[SpotLook, ...]
    standing: Standing


def read_board_knowing(frame: Frame, calibration: Calibration, earlier: Earlier) -> ReadFrame:
    """The same of a frame that others went before."""
    height_px, width_px = frame.pixels.shape[:2]
    here = for_picture(calibration, width_px, height_px)
    view = view_map(here.projection, here.field).view_of(frame.pixels)
    colours = _sides_of(here)
    seen = read_view(view)
    faces = faces_of(view, seen.tops)
    seen = with_faces(with_sides(faces, seen, colours))
    in_picture = shares_in_picture(here.projection, here.field, (width_px, height_px))
    trays = read_trays(frame.pixels, here, view=view, seen=seen, colours=colours)
    board = KnownBoard(here.projection, here.field)
    standing = standing_of(seen, board)
    found = read_dice(frame.pixels, board, standing=standing, earlier=earlier)
    counted = places_of_dice(seen, found.dice, board)
    both = both_colours(faces, seen, counted)
    seen = with_hidden_below(with_dice_doubted(seen, counted), places_leant_on(found.dice, board))
    reading = board_reading(seen, in_picture, frame.taken_ms, trays=trays, both=both)
    reading = replace(reading, shown=reduced_view(view), disturbed=disturbed_places(found.dice, found.cube, board))
    reading = replace(reading, dice=found.dice, cube=found.cube, perhaps_more_dice=found.perhaps_more)
    return ReadFrame(reading, found.spots, standing)


def _sides_of(known: Calibration) -> SideColours | None:
    """What the calibration learned of the two sides' colours."""
    look = known.checkers
    if look is None or look.light is None or look.dark is None:
        return None
    return SideColours(look.light.lab_mean, look.dark.lab_mean)


def board_reading(
    seen: ViewReading,
    in_picture: NDArray[np.float32],
    taken_ms: int,
    *,
    trays: TraysSeen | None = None,
    both: NDArray[np.float32] | None = None,
) -> BoardReading:
    """What was seen in the view, with what lies outside the picture (`shares_in_picture`) taken as hidden.

    `both`: (24, 16) of points with checkers of both colours.
    A hand is in view when a place that lies in the picture is hidden all the same.
    """
    net_visible = np.clip(np.asarray(seen.visible, np.float64), 0.0, 1.0)
    visible = np.minimum(net_visible, in_picture).tolist()
    mixed_rows = [None] * len(POINTS) if both is None else both
    places: dict[Place, PlaceReading | PairReading] = {
        place: PlaceReading.of_point(row, share, mixed)
        for place, row, share, mixed in zip(POINTS, seen.points, visible, mixed_rows, strict=False)
    }
    places[Place.BAR] = PairReading.of_counts(seen.bar_light, seen.bar_dark, visible[len(POINTS)])
    if trays is not None:
        places[Place.TRAY] = PairReading(trays.log_likelihood, trays.visible)
    covered = (net_visible < VISIBLE_FROM) & (in_picture > VISIBLE_FROM)
    return BoardReading(places, hand_in_view=bool(covered.any()), taken_ms=taken_ms)


@lru_cache(maxsize=4)
def shares_in_picture(projection: Projection, field_shape: FieldShape, size_px: tuple[int, int]) -> NDArray[np.float32]:
    """(25,), read-only: which share of each of the 24 points and the bar lies in a picture of this width and height."""
    where = view_map(projection, field_shape)
    shares = np.array([inside.mean() for inside in _cells(where, size_px)], np.float32)
    shares.flags.writeable = False
    return shares


def _cells(where: ViewMap, size_px: tuple[int, int]) -> Iterator[NDArray[np.bool_]]:
    """For each place, whether each of its pixels in the view lies in the picture."""
    edge_px = 0.5 / where.shrink
    width_px, height_px = (length / where.shrink for length in size_px)
    inside = (where.x_px >= -edge_px) & (where.x_px <= width_px - edge_px)
    inside &= (where.y_px >= -edge_px) & (where.y_px <= height_px - edge_px)
    middle_px = MARGIN_PX + FIELD_ROWS_PX // 2
    for top, bottom in ((MARGIN_PX, middle_px), (middle_px, MARGIN_PX + FIELD_ROWS_PX)):
        for column in range(12):
            left = MARGIN_PX + column * PITCH_PX + (BAR_PX if column >= 6 else 0)
            yield inside[top:bottom, left : left + PITCH_PX]
    bar_left = MARGIN_PX + HALF_PX
    yield inside[MARGIN_PX : MARGIN_PX + FIELD_ROWS_PX, bar_left : bar_left + BAR_PX]
