"""The pipeline from one frame to one `BoardReading`: checkers, trays, dice and cube."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.board.board_reading import VISIBLE_FROM, BoardReading, PairReading, PlaceReading
from vision.board.covered_places import doubt_covered_places
from vision.board.dice_on_checkers import (
    allow_fewer_checkers,
    allow_hidden_checkers,
    compute_lean_chances,
    find_disturbed_places,
    find_places_of_dice,
)
from vision.board.view_quality import measure_view_quality
from vision.checkers import (
    CheckerPositions,
    TrayReading,
    ViewReading,
    correct_reading,
    get_side_colours,
    locate_checkers,
    read_trays,
    read_view,
    reduce_view,
    remove_missing_bar,
    score_mixed_stacks,
)
from vision.dice.candidates import DieCandidate, PreviousFrame
from vision.dice.detect import DiceDetector, read_dice
from vision.frame import Frame
from vision.geometry.calibration import Calibration, scale_to_picture
from vision.geometry.projection import FieldShape, KnownBoard, Projection
from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, ViewMap, view_map
from vision.places import POINTS, Place


def read_board(frame: Frame, calibration: Calibration, *, detect_dice: DiceDetector = read_dice) -> BoardReading:
    """Reads one frame without knowledge of other frames.

    Raises WrongPictureSizeError unless the frame shows the calibrated view, at any size.
    """
    return read_frame(frame, calibration, PreviousFrame(), detect_dice=detect_dice).reading


@dataclass(frozen=True, slots=True, eq=False)
class FrameReading:
    """A reading, with the intermediate results that the next frame can use."""

    reading: BoardReading
    candidates: tuple[DieCandidate, ...]
    checker_positions: CheckerPositions


def read_frame(
    frame: Frame, calibration: Calibration, previous: PreviousFrame, *, detect_dice: DiceDetector = read_dice
) -> FrameReading:
    """Reads one frame with the die candidates, die positions and checkers of the previous frames.

    Raises WrongPictureSizeError unless the frame shows the calibrated view, at any size.
    """
    height_px, width_px = frame.pixels.shape[:2]
    here = scale_to_picture(calibration, width_px, height_px)
    view = view_map(here.projection, here.field).warp(frame.pixels)
    of_network = remove_missing_bar(read_view(view), here.field)
    corrected = correct_reading(view, of_network, here)
    seen = corrected.seen
    in_picture = shares_in_picture(here.projection, here.field, (width_px, height_px))
    reduced = reduce_view(view)
    quality = measure_view_quality(reduced)
    seen = doubt_covered_places(seen, reduced, calibration.reference, calibration.field)
    trays = read_trays(frame.pixels, here, view=view, reading=seen, colours=get_side_colours(here))
    board = KnownBoard(here.projection, here.field)
    positions = locate_checkers(seen, board)
    found = detect_dice(frame.pixels, board, positions=positions, previous=previous)
    places_of_dice = find_places_of_dice(seen, found.dice, board)
    both = score_mixed_stacks(corrected.faces, seen, places_of_dice)
    seen = allow_hidden_checkers(allow_fewer_checkers(seen, places_of_dice), compute_lean_chances(found.dice, board))
    reading = replace(
        build_board_reading(
            seen,
            in_picture,
            frame.taken_ms,
            trays=trays,
            both=both,
            has_bar=here.field.has_bar,
            readable=quality.readable,
        ),
        picture_fault=quality.fault,
        dice=found.dice,
        cube=found.cube,
        perhaps_more_dice=found.may_hold_more,
        view_thumbnail=reduced,
        of_network=of_network,
        disturbed=find_disturbed_places(found.dice, found.cube, board),
    )
    return FrameReading(reading, found.candidates, positions)


def build_board_reading(
    seen: ViewReading,
    in_picture: NDArray[np.float32],
    taken_ms: int,
    *,
    trays: TrayReading | None = None,
    both: NDArray[np.float32] | None = None,
    has_bar: bool = True,
    readable: NDArray[np.float32] | None = None,
) -> BoardReading:
    """A reading without dice, from the checkers in the straight-down view.

    A place outside the picture (`in_picture` comes from `shares_in_picture`) is hidden. A hand is in view when a place
    inside the picture is hidden. `both`: (24, 16) log-likelihoods of points with both colours. `readable`: (25,) shares as
    of `ViewQuality`; what glare hides is unknown, and no hand.
    """
    net_visible = np.clip(np.asarray(seen.visible, np.float64), 0.0, 1.0)
    in_view = in_picture if readable is None else np.minimum(in_picture, readable)
    visible = np.minimum(net_visible, in_view).tolist()
    mixed_rows = [None] * len(POINTS) if both is None else both
    places: dict[Place, PlaceReading | PairReading] = {
        place: PlaceReading.of_point(row, share, mixed)
        for place, row, share, mixed in zip(POINTS, seen.points, visible, mixed_rows, strict=False)
    }
    if has_bar:
        places[Place.BAR] = PairReading.of_counts(seen.bar_light, seen.bar_dark, visible[len(POINTS)])
    if trays is not None:
        is_readable = readable is None or bool(readable.any())
        places[Place.TRAY] = PairReading(trays.log_likelihood, trays.visible if is_readable else 0.0)
    covered = (net_visible < VISIBLE_FROM) & (in_view > VISIBLE_FROM)
    return BoardReading(places, hand_in_view=bool(covered.any()), taken_ms=taken_ms)


@lru_cache(maxsize=4)
def shares_in_picture(projection: Projection, field_shape: FieldShape, size_px: tuple[int, int]) -> NDArray[np.float32]:
    """(25,), read-only: the share of each point and of the bar inside a picture of this (width, height).

    A bar that the field does not have is not in the picture.
    """
    where = view_map(projection, field_shape)
    shares = np.array([inside.mean() for inside in _cells(where, size_px)], np.float32)
    shares[len(POINTS)] *= field_shape.has_bar
    shares.flags.writeable = False
    return shares


def _cells(where: ViewMap, size_px: tuple[int, int]) -> Iterator[NDArray[np.bool_]]:
    """For each place, a mask of its pixels in the view that lie inside the picture."""
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
