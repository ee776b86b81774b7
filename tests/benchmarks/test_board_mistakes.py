"""The picture of all places that were read wrongly."""

import numpy as np
import pytest

from tests.benchmarks.board_labels import PlaceLabel
from tests.benchmarks.board_mistakes import (
    CAPTION_PX,
    GAP_PX,
    TILE_HEIGHT_PX,
    TILE_WIDTH_PX,
    TILES_A_ROW,
    Mistake,
    mistakes_of,
    sheet_of,
)
from tests.benchmarks.board_scores import PictureScore, PlaceScore
from vision.geometry.top_view import MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX


def place(name: str, answer: tuple[str, int], truth: tuple[str, int], covered: float = 0.0) -> PlaceScore:
    return PlaceScore(name, PlaceLabel(truth, covered), answer, 0.9)


def view_with(column: int, row: int) -> np.ndarray:
    """A grey top view with a red point."""
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 128, np.uint8)
    left = MARGIN_PX + column * PITCH_PX
    view[row * TILE_HEIGHT_PX :][:TILE_HEIGHT_PX, left : left + PITCH_PX] = (0, 0, 255)
    return view


def test_only_what_counts_and_is_wrong() -> None:
    wrong = place("T3", ("dark", 1), ("light", 1))
    others = place("T1", ("none", 0), ("none", 0)), place("B1", ("none", 0), ("light", 2), covered=0.9)
    score = PictureScore("0007.jpg", (), (others[0], wrong, others[1]))
    assert [mistake.place for mistake in mistakes_of(score, view_with(0, 0))] == [wrong]


@pytest.mark.parametrize(("name", "column", "row"), [("T3", 2, 0), ("B5", 4, 1)])
def test_the_place_is_in_the_middle_of_its_tile(name: str, column: int, row: int) -> None:
    """A tile shows two neighbours on either side, and the half of the board in which the place lies."""
    mistake = Mistake("0007.jpg", place(name, ("dark", 1), ("light", 1)), view_with(column, row))
    sheet = sheet_of([mistake])
    assert sheet.shape == (TILE_HEIGHT_PX + CAPTION_PX + GAP_PX, TILE_WIDTH_PX + GAP_PX, 3)
    red = np.flatnonzero((sheet[TILE_HEIGHT_PX // 2] == (0, 0, 255)).all(axis=1))
    assert (int(red.min()), int(red.max())) == (2 * PITCH_PX, 3 * PITCH_PX - 1)
    assert sheet[TILE_HEIGHT_PX:].min() < 100  # letters


def test_many_are_laid_in_rows() -> None:
    mistake = Mistake("0007.jpg", place("T3", ("dark", 1), ("light", 1)), view_with(2, 0))
    sheet = sheet_of([mistake] * (TILES_A_ROW + 1))
    assert sheet.shape[1] == TILES_A_ROW * (TILE_WIDTH_PX + GAP_PX)
    assert sheet.shape[0] == 2 * (TILE_HEIGHT_PX + CAPTION_PX + GAP_PX)
    assert (sheet[-TILE_HEIGHT_PX:, TILE_WIDTH_PX + GAP_PX :] == 255).all()
