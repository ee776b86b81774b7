"""One picture of all places that were read wrongly: each with its top view, what was read and what the label says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tests.benchmarks.board_labels import POINT_NAMES, Picture
from tests.benchmarks.board_scores import PictureScore, PlaceScore
from vision.geometry.top_view import BAR_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX

TILE_WIDTH_PX = 5 * PITCH_PX  # the place and two neighbours on each side, for comparison of colours
TILE_HEIGHT_PX = VIEW_HEIGHT_PX // 2
CAPTION_PX, GAP_PX = 30, 4
TILES_A_ROW = 8


@dataclass(frozen=True, slots=True)
class Mistake:
    """A place that was read wrongly, and the top view in which it was read."""

    picture: str
    place: PlaceScore
    view: Picture  # (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3) BGR


def mistakes_of(score: PictureScore, view: Picture) -> Iterator[Mistake]:
    """The wrong ones among the scored places, which are not hidden and of a single layer."""
    return (Mistake(score.name, place, view) for place in score.scored if not place.is_right)


def sheet_of(mistakes: Sequence[Mistake]) -> Picture:
    """All mistakes as tiles, TILES_A_ROW side by side. Raises ValueError when there is none."""
    if not mistakes:
        raise ValueError("nothing was read wrongly; there is nothing to show.")
    tiles = [_tile(mistake) for mistake in mistakes]
    blank = np.full_like(tiles[0], 255)
    rows = [tiles[first : first + TILES_A_ROW] for first in range(0, len(tiles), TILES_A_ROW)]
    rows[-1] += [blank] * (min(TILES_A_ROW, len(tiles)) - len(rows[-1]))
    return np.vstack([np.hstack(row) for row in rows])


def _tile(mistake: Mistake) -> Picture:
    name = mistake.place.name
    number = POINT_NAMES.index(name)
    row, column = divmod(number, 12)
    left = MARGIN_PX + column * PITCH_PX + (HALF_PX + BAR_PX - 6 * PITCH_PX if column >= 6 else 0)
    left = min(max(left - 2 * PITCH_PX, 0), mistake.view.shape[1] - TILE_WIDTH_PX)
    half = mistake.view[row * TILE_HEIGHT_PX :][:TILE_HEIGHT_PX, left : left + TILE_WIDTH_PX]
    tile = np.full((TILE_HEIGHT_PX + CAPTION_PX + GAP_PX, TILE_WIDTH_PX + GAP_PX, 3), 255, np.uint8)
    tile[:TILE_HEIGHT_PX, :TILE_WIDTH_PX] = half
    said, is_so = (
        f"{count} {colour}" if count else colour for colour, count in (mistake.place.answer, mistake.place.label.answer)
    )
    for line, text in enumerate(
        (f"{mistake.picture.split('.')[0]} {name}: {is_so}", f"read {said} ({mistake.place.confidence:.2f})")
    ):
        at = (2, TILE_HEIGHT_PX + 12 + 14 * line)
        cv2.putText(tile, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return tile
