from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.board.read_board
from tests.vision.dice.hand_made_dice import die
from tests.vision.drawn_boards import FIELD, calibration_for, drawn_board, said
from vision.board.board_reading import BoardReading, PairReading, PlaceReading
from vision.board.read_board import build_board_reading, read_board, shares_in_picture
from vision.checkers.network import ViewReading
from vision.checkers.occupancy import CheckerPositions
from vision.dice.candidates import PreviousFrame
from vision.dice.detect import DiceInView
from vision.dice.readings import CubePlace, CubeReading
from vision.errors import ImpossibleReadingError, WrongPictureSizeError
from vision.frame import Frame
from vision.geometry.projection import KnownBoard
from vision.places import POINTS, Colour, Place

ALL_IN_PICTURE = np.ones(25, np.float32)
LIGHT_3, DARK_2 = 3, 17  # classes of the network


def point(kind: int, chance: float, visible: float = 1.0) -> PlaceReading:
    row = np.full(31, np.log((1 - chance) / 30))
    row[kind] = np.log(chance)
    return PlaceReading.of_point(row, visible)


def certain(light: int, dark: int) -> PairReading:
    on_light, on_dark = (np.where(np.arange(16) == count, 0, -20.0) for count in (light, dark))
    return PairReading.of_counts(on_light, on_dark, 1.0)


def detect_nothing(_pixels: object, _board: object, **_: object) -> DiceInView:
    return DiceInView()


def handed_over(monkeypatch: pytest.MonkeyPatch) -> list[NDArray[Any]]:
    """The views that come to a network which sees nothing but empty points."""
    views: list[NDArray[Any]] = []

    def read_view(view: NDArray[Any]) -> ViewReading:
        views.append(view)
        return said()

    monkeypatch.setattr(vision.board.read_board, "read_view", read_view)
    return views


class TestPlaces:
    def test_there_are_twenty_six(self) -> None:
        """Twelve above, twelve below, bar and trays."""
        assert [place.value for place in POINTS] == [f"{row}{i}" for row in "TB" for i in range(1, 13)]
        assert len(Place) == 26


class TestPoint:
    @pytest.mark.parametrize(
        ("kind", "colour", "count"),
        [
            (0, Colour.NONE, 0),
            (1, Colour.LIGHT, 1),
            (15, Colour.LIGHT, 15),
            (16, Colour.DARK, 1),
            (30, Colour.DARK, 15),
        ],
    )
    def test_the_best_answer(self, kind: int, colour: Colour, count: int) -> None:
        """The class with the highest probability; its confidence is that probability."""
        guess = point(kind, 0.9).best()
        assert (guess.colour, guess.count) == (colour, count)
        assert guess.confidence == pytest.approx(0.9, abs=1e-6)

    def test_scale_does_not_matter(self) -> None:
        """Likelihoods need not add up to one."""
        seen = point(LIGHT_3, 0.8)
        louder = PlaceReading(seen.log_likelihood + np.float32(7), 1.0)
        assert louder.best().confidence == pytest.approx(0.8, abs=1e-6)

    def test_what_is_half_seen_is_half_sure(self) -> None:
        """Visibility scales the confidence."""
        guess = point(LIGHT_3, 0.9, visible=0.6).best()
        assert (guess.colour, guess.count) == (Colour.LIGHT, 3)
        assert guess.confidence == pytest.approx(0.54, abs=1e-6)

    def test_a_hidden_one_is_unknown_never_empty(self) -> None:
        """Below one half nothing is called, however sure the network is."""
        guess = point(0, 0.999, visible=0.49).best()
        assert (guess.colour, guess.count) == (Colour.UNKNOWN, 0)
        assert guess.confidence < 0.5

    def test_both_colours(self) -> None:
        """A pinned checker: the fourth row."""
        table = np.full((4, 16), -np.inf)
        table[0, 0], table[3, 2] = -5, -0.1
        assert PlaceReading(table, 1.0).best().colour is Colour.BOTH

    def test_an_undecided_one_says_so(self) -> None:
        """Nine and ten equally likely: half a confidence."""
        row = np.full(31, -np.inf)
        row[9] = row[10] = -0.7
        assert PlaceReading.of_point(row, 1.0).best().confidence == pytest.approx(0.5)

    def test_it_cannot_be_changed(self) -> None:
        """The array is a copy and read-only."""
        table = np.full((4, 16), -np.inf, np.float32)
        table[0, 0] = 0
        seen = PlaceReading(table, 1.0)
        table[0, 0] = -9
        assert seen.log_likelihood[0, 0] == 0
        assert seen.log_likelihood.dtype == np.float32
        with pytest.raises(ValueError, match="read-only"):
            seen.log_likelihood[0, 0] = 1

    @pytest.mark.parametrize(
        ("table", "visible", "match"),
        [
            (np.zeros((4, 15)), 1.0, "shape"),
            (np.full((4, 16), np.nan), 1.0, "no number"),
            (np.full((4, 16), -np.inf), 1.0, "nothing that is possible"),
            (np.zeros((4, 16)), 1.0, "no checkers of no colour"),
        ],
    )
    def test_impossible_likelihoods(self, table: NDArray[Any], visible: float, match: str) -> None:
        """Refused where they are made."""
        with pytest.raises(ImpossibleReadingError, match=match):
            PlaceReading(table, visible)

    @pytest.mark.parametrize("visible", [-0.1, 1.1, float("nan")])
    def test_impossible_visibility(self, visible: float) -> None:
        """It is a share."""
        with pytest.raises(ImpossibleReadingError, match="visible from 0 to 1"):
            point(0, 0.9, visible)

    def test_a_wrong_number_of_classes(self) -> None:
        """31, no more and no fewer."""
        with pytest.raises(ImpossibleReadingError, match="31 log-probabilities"):
            PlaceReading.of_point(np.zeros(30), 1.0)


class TestBar:
    def test_both_colours_at_once(self) -> None:
        """One light and two dark checkers."""
        guess = certain(1, 2).best()
        assert (guess.light, guess.dark) == (1, 2)
        assert guess.confidence > 0.999

    def test_its_confidence_is_of_both_counts(self) -> None:
        """0.9 and 0.8 are 0.72 together."""
        light, dark = np.full(16, np.log(0.1 / 15)), np.full(16, np.log(0.2 / 15))
        light[0], dark[1] = np.log(0.9), np.log(0.8)
        guess = PairReading.of_counts(light, dark, 1.0).best()
        assert (guess.light, guess.dark) == (0, 1)
        assert guess.confidence == pytest.approx(0.72, abs=1e-6)

    def test_a_hidden_one_is_unknown(self) -> None:
        """No counts at all."""
        guess = PairReading(certain(1, 0).log_likelihood, 0.2).best()
        assert (guess.light, guess.dark) == (None, None)
        assert guess.confidence <= 0.2


class TestBoardReading:
    def places(self) -> dict[Place, PlaceReading | PairReading]:
        return {**dict.fromkeys(POINTS, point(0, 0.99)), Place.BAR: certain(0, 0)}

    def test_it_keeps_its_places(self) -> None:
        """Who made it cannot change it afterwards."""
        places = self.places()
        reading = BoardReading(places, taken_ms=5)
        places.clear()
        assert len(reading.places) == 25
        assert [place for place, _ in reading.points()] == list(POINTS)
        assert reading.tray is None
        assert reading.dice == ()

    def test_a_tray_in_view(self) -> None:
        """It is there only then."""
        reading = BoardReading({**self.places(), Place.TRAY: certain(3, 0)})
        assert reading.tray is not None
        assert reading.tray.best().light == 3

    def test_a_missing_place(self) -> None:
        """Every point is read, hidden or not."""
        places = self.places()
        del places[Place.T7]
        with pytest.raises(ImpossibleReadingError, match="lacks T7"):
            BoardReading(places)

    def test_a_place_of_the_wrong_kind(self) -> None:
        """The bar is no point."""
        with pytest.raises(ImpossibleReadingError, match="bar has the reading of another kind"):
            BoardReading({**self.places(), Place.BAR: point(0, 0.9)})

    def test_an_impossible_shift(self) -> None:
        """A board moves by a distance."""
        with pytest.raises(ImpossibleReadingError, match="moves by 0 mm or more"):
            BoardReading(self.places(), board_moved_mm=float("nan"))


class TestFromTheNetwork:
    def test_answers_go_to_their_places(self) -> None:
        """The first is T1, the thirteenth B1."""
        reading = build_board_reading(said({0: (LIGHT_3, 0.99), 12: (DARK_2, 0.98)}, bar=(1, 0)), ALL_IN_PICTURE, 77)
        guesses = {place: seen.best() for place, seen in reading.points()}
        assert (guesses[Place.T1].colour, guesses[Place.T1].count) == (Colour.LIGHT, 3)
        assert (guesses[Place.B1].colour, guesses[Place.B1].count) == (Colour.DARK, 2)
        assert guesses[Place.T2].colour is Colour.NONE
        assert (reading.bar.best().light, reading.taken_ms, reading.hand_in_view) == (1, 77, False)

    def test_a_hand(self) -> None:
        """What the network cannot see although it lies in the picture is covered by something."""
        reading = build_board_reading(said(visible={3: 0.1}), ALL_IN_PICTURE, 0)
        assert reading.hand_in_view
        assert dict(reading.points())[Place.T4].best().colour is Colour.UNKNOWN

    def test_outside_the_picture_is_no_hand(self) -> None:
        """It is unknown all the same."""
        shares = ALL_IN_PICTURE.copy()
        shares[3] = 0.2
        reading = build_board_reading(said(visible={3: 0.1}), shares, 0)
        assert not reading.hand_in_view
        assert dict(reading.points())[Place.T4].best().colour is Colour.UNKNOWN

    def test_what_lies_in_the_picture(self) -> None:
        """With the right half of the board outside, its places are: T1 in, T12 out, the bar half."""
        known = calibration_for(corners_px=((320, 60), (960, 60), (960, 420), (320, 420)))
        shares = shares_in_picture(known.projection, FIELD, (640, 480))
        assert shares[[0, 12, 5]].tolist() == [1, 1, 1]
        assert shares[[6, 11, 23]].tolist() == [0, 0, 0]
        assert shares[24] == pytest.approx(0.5, abs=0.05)

    def test_a_whole_frame(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The view handed to the network is the field with its margin: the checker on T1 lies at its upper left."""
        views = handed_over(monkeypatch)
        known = calibration_for()
        picture = drawn_board(known, {"T1": [(255, 255, 255)]})
        reading = read_board(Frame(picture, 12), known, detect_dice=detect_nothing)
        assert reading.taken_ms == 12
        assert views[0].shape == (416, 496, 3)
        assert (views[0][48, 48] > 250).all()
        assert (views[0][200, 48] < 250).all()

    def test_the_same_view_larger(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A frame of twice the calibrated size is read as the same board."""
        views = handed_over(monkeypatch)
        picture = drawn_board(calibration_for(1280, 960), {"T1": [(255, 255, 255)]})
        read_board(Frame(picture, 0), calibration_for(640, 480), detect_dice=detect_nothing)
        assert (views[0][48, 48] > 250).all()

    def test_dice_and_cube(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """They are sought in the whole frame, with the board as it lies in a frame of this size."""
        handed_over(monkeypatch)
        half_as_large = calibration_for(640, 480)
        asked: list[tuple[tuple[int, ...], KnownBoard | None]] = []
        found = DiceInView((die(3), die(6)), CubeReading(2, CubePlace.BAR, (320.0, 240.0), 0.99))

        def detect_dice(
            pixels: NDArray[Any],
            board: KnownBoard | None,
            *,
            positions: CheckerPositions | None = None,
            previous: PreviousFrame | None = None,
        ) -> DiceInView:
            assert positions is not None
            assert previous is not None
            assert positions.field == half_as_large.field
            assert (previous.candidates, previous.die_spots, previous.checkers_before) == ((), (), None)
            asked.append((pixels.shape, board))
            return found

        frame = Frame(drawn_board(calibration_for(1280, 960), {}), 12)
        reading = read_board(frame, half_as_large, detect_dice=detect_dice)
        assert (reading.dice, reading.cube, reading.taken_ms) == (found.dice, found.cube, 12)
        ((shape, board),) = asked
        assert shape == (960, 1280, 3)
        assert board == KnownBoard(half_as_large.projection.scale(2), FIELD)

    def test_a_frame_of_another_camera(self) -> None:
        """Another ratio of the sides is refused."""
        with pytest.raises(WrongPictureSizeError):
            read_board(Frame(np.zeros((300, 300, 3), np.uint8), 0), calibration_for())
