from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import board_with, cocked, die
from tests.vision.drawn_boards import FIELD, calibration_for
from vision.board.overlay import die_text, draw_dice, draw_reading, mark_cube, mark_dice
from vision.dice.readings import CubePlace, CubeReading, DieReading, DieState

BROWN = np.full((300, 400, 3), (70, 105, 150), np.uint8)
KNOWN = calibration_for()


def inked(one: DieReading) -> NDArray[np.bool_]:
    """Where the mark of a die differs from bare wood."""
    picture = BROWN.copy()
    mark_dice(picture, [one])
    return np.asarray((picture != BROWN).any(axis=2))


class TestWhatItSays:
    @pytest.mark.parametrize(
        ("one", "text"),
        [
            (die(5), "5"),
            (die(5, sure=0.981), "5"),  # as it is printed
            (die(5, sure=0.97), "?"),
            (cocked(5), "? cocked"),
            (die(5, lies=DieState.MOVING), "? moving"),
            (die(3, lies=DieState.ON_RIM), "3 on rim"),
            (die(3, lies=DieState.ON_CHECKER, sure=0.5), "? on checker"),
        ],
    )
    def test_value_and_lie(self, one: DieReading, text: str) -> None:
        """A value only where it is sure and the die shows one; a flat die needs no word."""
        assert die_text(one) == text


class TestADie:
    def test_its_face_stays_free(self) -> None:
        """The outline is around it, the value beside it."""
        mask = inked(die(at_px=(200.0, 150.0)))  # 24 pixels wide
        assert mask[110:190, 170:230].sum() > 200
        assert not mask[140:161, 190:211].any()

    def test_nothing_else_changes(self) -> None:
        """Not three edges away."""
        mask = inked(die(at_px=(200.0, 150.0)))
        mask[78:222, 128:272] = False
        assert not mask.any()

    def test_confidence_shows_without_colour(self) -> None:
        """Sure is thick, likely thin, doubtful dashed: each covers less below the die, where no plate is."""
        below = [
            int(inked(die(at_px=(200.0, 150.0), lie_sure=lie_sure))[152:].sum()) for lie_sure in (0.995, 0.95, 0.6)
        ]
        assert below[0] > 1.2 * below[1] > 1.2 * 1.1 * below[2] > 0

    def test_the_value_is_part_of_it(self) -> None:
        """A sure value of a doubtful die and a doubtful value of a sure one are both dashed."""
        doubtful = inked(die(at_px=(200.0, 150.0), sure=0.6, lie_sure=0.995))[152:].sum()
        assert doubtful == inked(die(at_px=(200.0, 150.0), lie_sure=0.6))[152:].sum()

    def test_one_that_leans_shows_no_value_to_doubt(self) -> None:
        """Its lie alone says how sure it is."""
        sure, doubtful = (
            inked(die(at_px=(200.0, 150.0), lies=DieState.COCKED, tilt_deg=20.0, sure=face_sure, lie_sure=0.995))
            for face_sure in (0.999, 0.3)
        )
        assert (sure == doubtful).all()

    @pytest.mark.parametrize(("size_px", "side_px"), [(500.0, 750), (2000.0, 1000)])
    def test_a_large_one_of_a_close_picture(self, size_px: float, side_px: int) -> None:
        """As large as it is there, as far as the picture reaches."""
        picture = np.full((1000, 1200, 3), (70, 105, 150), np.uint8)
        wood = picture.copy()
        mark_dice(picture, [replace(die(at_px=(600.0, 500.0)), size_px=size_px)])
        row = (picture != wood).any(axis=2)[500]
        assert abs(int(row.nonzero()[0][0]) - (600 - side_px // 2)) <= side_px / 20  # its line is thick

    @pytest.mark.parametrize("at_px", [(0.0, 0.0), (399.0, 299.0), (200.0, 3.0), (-80.0, 500.0)])
    def test_at_the_edge_of_the_picture(self, at_px: tuple[float, float]) -> None:
        """The plate is moved inside; nothing falls over."""
        assert inked(die(at_px=at_px)).sum() > 100


class TestTheCube:
    def test_it_is_no_die(self) -> None:
        """Its square stands on a corner: its sides pass where a die's corners would not."""
        picture = BROWN.copy()
        mark_cube(picture, CubeReading(2, CubePlace.BAR, (200.0, 150.0), 0.999), field_px=720.0)  # 40 pixels wide
        mask = (picture != BROWN).any(axis=2)
        assert mask[150, 218:223].any()
        assert not mask[166:174, 216:224].any()
        assert not mask[145:155, 195:205].any()

    def test_on_a_board(self) -> None:
        """It is marked on the board's picture, with the dice."""
        wood = np.full((480, 640, 3), (70, 105, 150), np.uint8)
        cube = CubeReading(2, CubePlace.BAR, (320.0, 150.0), 0.999)
        empty, full = (
            draw_reading(wood, reading, KNOWN.projection, FIELD)
            for reading in (board_with(), board_with(die(at_px=(200.0, 240.0)), cube=cube))
        )
        changed = (empty != full).any(axis=2)
        assert changed[220:260, 180:220].any()
        assert changed[130:170, 300:340].any()
        assert not changed[:, 400:].any()


def test_a_picture_without_a_board() -> None:
    """A new one of the same size, read-only or not; the last line tells what the marks mean."""
    picture = BROWN.copy()
    picture.flags.writeable = False
    drawn = draw_dice(picture, [die(at_px=(200.0, 150.0))])
    assert (picture == BROWN).all()
    assert drawn.shape == picture.shape
    assert (drawn[140:161, 190:211] == BROWN[140:161, 190:211]).all()
    assert (drawn[-5] != BROWN[-5]).any()
