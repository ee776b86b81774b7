import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_boards import FIELD, calibration_for, checker_mm, drawn_board, said
from vision.board.overlay import draw_reading
from vision.board.read_board import build_board_reading

KNOWN = calibration_for()
ALL = np.ones(25, np.float32)


def changed(points: dict[int, tuple[int, float]], visible: dict[int, float] | None = None) -> NDArray[np.bool_]:
    """Where an overlay of this reading differs from one of an empty board."""
    picture = drawn_board(KNOWN, {})
    empty = draw_reading(picture, build_board_reading(said(), ALL, 0), KNOWN.projection, FIELD)
    other = draw_reading(picture, build_board_reading(said(points, visible=visible), ALL, 0), KNOWN.projection, FIELD)
    return np.asarray((empty != other).any(axis=2))


def around(name: str, mask: NDArray[np.bool_]) -> int:
    """How many pixels differ around the place of a point's first three checkers."""
    (x_px, y_px) = KNOWN.projection.to_picture([checker_mm(name, 1)])[0].astype(int)
    return int(mask[y_px - 60 : y_px + 60, x_px - 22 : x_px + 22].sum())


def test_it_is_a_new_picture_of_the_same_size() -> None:
    """The frame stays as it was."""
    picture = drawn_board(KNOWN, {})
    before = picture.copy()
    drawn = draw_reading(picture, build_board_reading(said(), ALL, 0), KNOWN.projection, FIELD)
    assert drawn.shape == picture.shape
    assert drawn.dtype == np.uint8
    assert (picture == before).all()
    assert (drawn != picture).any()


def test_a_read_only_picture_is_drawn_over() -> None:
    """Frames are read-only."""
    picture = drawn_board(KNOWN, {})
    picture.flags.writeable = False
    draw_reading(picture, build_board_reading(said(), ALL, 0), KNOWN.projection, FIELD)


def test_a_checker_marks_its_own_point_only() -> None:
    """T3 changes, T8 and B3 do not."""
    mask = changed({2: (1, 0.999)})
    assert around("T3", mask) > 100
    assert around("T8", mask) == 0
    assert around("B3", mask) == 0


def test_confidence_shows_without_colour() -> None:
    """Sure is thick, likely thin, doubtful dashed: each covers less."""
    sure, likely, doubtful = (around("T3", changed({2: (1, chance)})) for chance in (0.999, 0.95, 0.6))
    assert sure > 1.2 * likely
    assert likely > 1.1 * doubtful
    assert doubtful > 0


def test_a_hidden_place_is_hatched() -> None:
    """Lines all over it, not an outline."""
    mask = changed({}, {14: 0.1})
    (x_px, y_px) = KNOWN.projection.to_picture([checker_mm("B3", 1)])[0].astype(int)
    inside = mask[y_px - 15 : y_px + 15, x_px - 8 : x_px + 8]
    assert 0.3 < inside.mean() < 0.9


@pytest.mark.parametrize(
    "corners", [((-200, -150), (900, -150), (900, 700), (-200, 700)), ((600, 60), (60, 70), (70, 400), (620, 420))]
)
def test_boards_that_leave_the_picture(corners: tuple[tuple[float, float], ...]) -> None:
    """Badges are moved inside, lines end at the edge; nothing falls over, not even for corners the wrong way round."""
    known = calibration_for(corners_px=corners)
    drawn = draw_reading(drawn_board(KNOWN, {}), build_board_reading(said(), ALL, 0), known.projection, FIELD)
    assert drawn.shape == (480, 640, 3)
