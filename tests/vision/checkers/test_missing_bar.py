from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_boards import FIELD, said
from vision.checkers.colour_classes import BAR, find_place
from vision.checkers.missing_bar import remove_missing_bar
from vision.checkers.network import CheckerTop
from vision.geometry.projection import FieldShape
from vision.geometry.top_view import BAR_PX, HALF_PX, MARGIN_PX, to_view

NO_BAR = FieldShape(440, 400, 220, 220)
STRIP_MIDDLE_PX = MARGIN_PX + HALF_PX + BAR_PX / 2
AWAY_PX = 0.4 * BAR_PX  # in the strip, which shows a point's width of board


def tops(*at_px: tuple[float, float]) -> tuple[CheckerTop, ...]:
    return tuple(CheckerTop(x_px, y_px, 0.9) for x_px, y_px in at_px)


@pytest.mark.parametrize(
    ("x_px", "y_px", "place"),
    [(-AWAY_PX, 100.0, 5), (AWAY_PX, 100.0, 6), (-AWAY_PX, 300.0, 17), (AWAY_PX, 300.0, 18)],
    ids=["T6", "T7", "B6", "B7"],
)
def test_a_face_in_the_strip_goes_to_the_point_it_stands_on(x_px: float, y_px: float, place: int) -> None:
    (found,) = remove_missing_bar(replace(said(), tops=tops((STRIP_MIDDLE_PX + x_px, y_px))), NO_BAR).tops
    assert find_place(found.x_px, found.y_px) == place
    assert (found.y_px, found.score) == (y_px, 0.9)


def test_a_face_that_its_point_shows_too_counts_once() -> None:
    """A checker right beside the middle line is seen on its point, and half of it in the strip."""
    ((x_px, y_px),) = to_view([(NO_BAR.width_mm / 2 - 15.0, 60.0)], NO_BAR).tolist()
    twice = tops((x_px, y_px), (STRIP_MIDDLE_PX - 15.0 / NO_BAR.pitch_mm * BAR_PX, y_px))
    assert remove_missing_bar(replace(said(), tops=twice), NO_BAR).tops == twice[:1]


def test_nothing_is_said_about_a_bar_that_is_not_there() -> None:
    found = remove_missing_bar(said(bar=(2, 1)), NO_BAR)
    assert found.visible[BAR] == 0
    assert np.ptp(found.bar_light) == np.ptp(found.bar_dark) == 0


def test_a_reading_of_a_board_with_a_bar_stays() -> None:
    seen = replace(said(bar=(1, 0)), tops=tops((STRIP_MIDDLE_PX, 100.0)))
    assert remove_missing_bar(seen, FIELD) is seen
