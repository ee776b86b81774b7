"""Points on which checkers of both colours show, told by the colours of their upper faces."""

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.simulated.played_tables import calibration_of, start, style
from vision.board.board_reading import PlaceReading
from vision.board.read_board import read_board
from vision.checkers.colour_classes import measure_face_colours, score_mixed_stacks
from vision.checkers.network import CheckerTop, ViewReading
from vision.frame import Frame
from vision.geometry.top_view import MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.places import Colour, Place
from vision.simulated import draw
from vision.simulated.scene import CheckerSide
from vision.simulated.scene_building import build_scene
from vision.simulated.tabletop import Arrangement

LIGHT, DARK = CheckerSide.LIGHT, CheckerSide.DARK
IVORY, BLACK, GREY = (210, 235, 240), (25, 25, 25), (110, 120, 125)  # BGR


def seen(arrangement: Arrangement, place: str, seed: int) -> PlaceReading:
    """What is read of a place of a drawn table."""
    table = style(seed, (640, 480))
    reading = read_board(Frame(draw(build_scene(table, arrangement)), 0), calibration_of(table))
    found = reading.places[Place(place)]
    assert isinstance(found, PlaceReading)
    return found


class TestDrawnTables:
    @pytest.mark.parametrize("seed", [301, 302, 303])
    @pytest.mark.parametrize("stack", [(DARK, DARK, LIGHT), (LIGHT, DARK), (LIGHT, LIGHT, LIGHT, DARK)])
    def test_both_are_told_with_their_number(self, stack: tuple[CheckerSide, ...], seed: int) -> None:
        """Side by side on a point that was empty."""
        guess = seen(start().with_stack("T3", stack), "T3", seed).best()
        assert (guess.colour, guess.count) == (Colour.BOTH, len(stack))

    def test_a_sixth_one_upon_a_row_of_the_other_colour(self) -> None:
        """It hides one of them: five faces show, and six are nearly as likely as five."""
        both = seen(start().with_stack("T7", (DARK,) * 5 + (LIGHT,)), "T7", 304)
        assert both.best().colour is Colour.BOTH
        table = both.log_likelihood[3]
        assert table[6] > table[5] - 1.5
        assert table[4] < table[5] - 2

    @pytest.mark.parametrize("seed", [305, 306])
    def test_points_of_one_colour_hold_one(self, seed: int) -> None:
        table = style(seed, (640, 480))
        reading = read_board(Frame(draw(build_scene(table, start())), 0), calibration_of(table))
        assert all(np.isneginf(found.log_likelihood[3]).all() for _, found in reading.points())


@cache
def nothing() -> NDArray[np.float32]:
    return np.asarray(np.log(np.eye(16, dtype=np.float32)[0] + 1e-6))


def told(
    *columns: tuple[tuple[int, int, int], ...], doubted: frozenset[int] = frozenset(), visible: float = 1.0
) -> list[int]:
    """On which upper places both colours are told of faces of these colours."""
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 128, np.uint8)
    tops = []
    for place, colours in enumerate(columns):
        for row, colour in enumerate(colours):
            x, y = MARGIN_PX + PITCH_PX * place + PITCH_PX // 2, MARGIN_PX + 16 + 30 * row
            cv2.circle(view, (x, y), 13, colour, -1)
            tops.append(CheckerTop(float(x), float(y), 0.9))
    points = np.full((24, 31), -3.0, np.float32)
    reading = ViewReading(points, nothing(), nothing(), np.full(25, visible, np.float32), tuple(tops))
    table = score_mixed_stacks(measure_face_colours(view, reading.tops), reading, doubted)
    return np.flatnonzero(np.isfinite(table).any(axis=1)).tolist()


class TestFaces:
    PLAIN = ((IVORY, IVORY), (BLACK, BLACK), (IVORY,), (BLACK,))

    def test_one_of_each(self) -> None:
        assert told((IVORY, BLACK), *self.PLAIN) == [0]

    def test_a_face_between_both_makes_the_others_doubtful(self) -> None:
        """Glare that whitens one dark face whitens a part of the next."""
        assert told((BLACK, GREY, IVORY), *self.PLAIN) == []

    def test_what_may_be_a_die_is_none(self) -> None:
        assert told((IVORY, BLACK), *self.PLAIN, doubted=frozenset({0})) == []

    def test_what_a_hand_covers_is_not_told(self) -> None:
        assert told((IVORY, BLACK), *self.PLAIN, visible=0.6) == []

    def test_too_few_faces_to_know_the_colours(self) -> None:
        assert told((IVORY, BLACK), (IVORY, BLACK)) == []
