from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.board.read_board
from tests.vision.dice.hand_made_dice import die
from tests.vision.drawn_boards import FIELD, calibration_for, drawn_board, said
from vision.board.read_board import build_board_reading, read_board, shares_in_picture
from vision.checkers.network import ViewReading
from vision.checkers.occupancy import CheckerPositions
from vision.dice.candidates import PreviousFrame
from vision.dice.detect import DiceInView
from vision.dice.readings import CubePlace, CubeReading
from vision.errors import WrongPictureSizeError
from vision.frame import Frame
from vision.geometry.projection import FieldShape, KnownBoard
from vision.places import Colour, Place

ALL_IN_PICTURE = np.ones(25, np.float32)
LIGHT_3, DARK_2 = 3, 17  # classes of the network


def test_classes_go_to_their_places() -> None:
    """The first is T1, the thirteenth B1."""
    reading = build_board_reading(said({0: (LIGHT_3, 0.99), 12: (DARK_2, 0.98)}, bar=(1, 0)), ALL_IN_PICTURE, 77)
    guesses = {place: seen.best() for place, seen in reading.points()}
    assert (guesses[Place.T1].colour, guesses[Place.T1].count) == (Colour.LIGHT, 3)
    assert (guesses[Place.B1].colour, guesses[Place.B1].count) == (Colour.DARK, 2)
    assert guesses[Place.T2].colour is Colour.NONE
    assert reading.bar is not None
    assert (reading.bar.best().light, reading.taken_ms, reading.hand_in_view) == (1, 77, False)


@pytest.mark.parametrize(("share", "is_hand"), [(1.0, True), (0.2, False)], ids=["in the picture", "outside"])
def test_a_hidden_place_is_unknown(share: float, is_hand: bool) -> None:
    """Something covers it if it lies in the picture."""
    shares = ALL_IN_PICTURE.copy()
    shares[3] = share
    reading = build_board_reading(said(visible={3: 0.1}), shares, 0)
    assert reading.hand_in_view is is_hand
    assert dict(reading.points())[Place.T4].best().colour is Colour.UNKNOWN


def test_a_board_without_a_bar() -> None:
    """There is no place for it, and what the network sees between the halves is no hand."""
    without = FieldShape(440, 400, 220, 220)
    shares = shares_in_picture(calibration_for().projection, without, (640, 480))
    reading = build_board_reading(said(bar=(1, 0), visible={24: 0.0}), shares, 0, has_bar=without.has_bar)
    assert (reading.bar, reading.hand_in_view, Place.BAR in reading.places) == (None, False, False)


def test_the_shares_in_the_picture() -> None:
    """With the right half of the board outside: T1 in, T12 out, the bar half."""
    known = calibration_for(corners_px=((320, 60), (960, 60), (960, 420), (320, 420)))
    shares = shares_in_picture(known.projection, FIELD, (640, 480))
    assert shares[[0, 12, 5]].tolist() == [1, 1, 1]
    assert shares[[6, 11, 23]].tolist() == [0, 0, 0]
    assert shares[24] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("size_px", [(640, 480), (1280, 960)])
def test_a_whole_frame(monkeypatch: pytest.MonkeyPatch, size_px: tuple[int, int]) -> None:
    """At the calibrated size and at twice the size.

    The view is the field with its margin, with the checker on T1 at its upper left. Dice are searched in the whole
    frame, with the board as it lies in a frame of this size.
    """
    known, views, asked = calibration_for(), list[NDArray[Any]](), list[tuple[tuple[int, ...], KnownBoard | None]]()
    found = DiceInView((die(3), die(6)), CubeReading(2, CubePlace.BAR, (320.0, 240.0), 0.99))

    def read_view(view: NDArray[Any]) -> ViewReading:
        views.append(view)
        return said()

    def detect_dice(
        pixels: NDArray[Any],
        board: KnownBoard | None,
        *,
        positions: CheckerPositions | None = None,
        previous: PreviousFrame | None = None,
    ) -> DiceInView:
        assert positions is not None
        assert previous is not None
        assert positions.field == known.field
        assert (previous.candidates, previous.die_spots, previous.checkers_before) == ((), (), None)
        asked.append((pixels.shape, board))
        return found

    monkeypatch.setattr(vision.board.read_board, "read_view", read_view)
    frame = Frame(drawn_board(calibration_for(*size_px), {"T1": [(255, 255, 255)]}), 12)
    reading = read_board(frame, known, detect_dice=detect_dice)
    assert (reading.dice, reading.cube, reading.taken_ms) == (found.dice, found.cube, 12)
    (view,) = views
    assert view.shape == (416, 496, 3)
    assert (view[48, 48] > 250).all()
    assert (view[200, 48] < 250).all()
    projection = known.projection if size_px == (640, 480) else known.projection.scale(2)
    assert asked == [((*size_px[::-1], 3), KnownBoard(projection, FIELD))]


def test_a_frame_of_another_camera_is_refused() -> None:
    with pytest.raises(WrongPictureSizeError):
        read_board(Frame(np.zeros((300, 300, 3), np.uint8), 0), calibration_for())
