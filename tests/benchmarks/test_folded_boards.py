"""Boards that do not lie level: where their corners and marks go."""

from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.board_labels import BoardLabel
from tests.benchmarks.folded_boards import fold
from tests.vision.tagged_boards import CORNERS_PX, FIELD, PROJECTION, SIZE_PX

HINGE_MM = (FIELD.bar_left_mm + FIELD.bar_right_mm) / 2
LABEL = BoardLabel(Path("0000.jpg"), CORNERS_PX, {}, None, (), projection=PROJECTION, field=FIELD)


def marked(*points_mm: tuple[float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Black, with white squares of 7 px around these points of the board."""
    picture = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
    for x, y in np.rint(PROJECTION.to_picture(np.array(points_mm).reshape(-1, 2))).astype(int):
        picture[y - 3 : y + 4, x - 3 : x + 4] = 255
    return picture


def middle_px(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> tuple[float, float]:
    y, x = np.nonzero(picture[..., 0] > 127)
    return float(x.mean()), float(y.mean())


@pytest.mark.parametrize("raised_deg", [4.0, -4.0])
@pytest.mark.parametrize(("x_mm", "y_mm"), [(40.0, 60.0), (400.0, 300.0)])
def test_marks_go_where_the_tilted_half_is(raised_deg: float, x_mm: float, y_mm: float) -> None:
    """A mark 180 mm from the hinge lies 12.6 mm higher or lower, on either half."""
    picture, _ = fold(marked((x_mm, y_mm)), LABEL, raised_deg=raised_deg)
    away_mm, angle = x_mm - HINGE_MM, np.radians(raised_deg)
    there_mm, height_mm = HINGE_MM + away_mm * np.cos(angle), abs(away_mm) * np.sin(angle)
    expected = PROJECTION.to_picture(np.array([(there_mm, y_mm)]), height_mm)[0]
    assert middle_px(picture) == pytest.approx(tuple(expected), abs=1.0)


def test_the_hinge_stays() -> None:
    mark = marked((HINGE_MM, 180.0))
    picture, _ = fold(mark, LABEL, raised_deg=4.0)
    assert middle_px(picture) == pytest.approx(middle_px(mark), abs=0.3)


def test_the_corners_of_the_label_move_with_the_halves() -> None:
    """Raised corners come nearer to the camera: the sides of the field grow. The label has no flat projection any more."""
    _, label = fold(marked(), LABEL, raised_deg=4.0)
    left, before = (np.linalg.norm(corners[3] - corners[0]) for corners in (label.corners_px, CORNERS_PX))
    assert left / before == pytest.approx(1.024, abs=0.012)  # 15 mm of about 620
    assert label.projection is None


def test_a_board_that_lies_level_stays() -> None:
    mark = marked((100.0, 100.0), (300.0, 200.0))
    picture, label = fold(mark, LABEL, raised_deg=0.0)
    assert np.abs(picture.astype(int) - mark).max() <= 2
    assert label.corners_px == pytest.approx(CORNERS_PX, abs=1e-6)


def test_a_photograph_has_no_projection_to_fold() -> None:
    with pytest.raises(ValueError, match=r"0000\.jpg has no projection"):
        fold(marked(), BoardLabel(Path("0000.jpg"), CORNERS_PX, {}, None, ()), raised_deg=4.0)
