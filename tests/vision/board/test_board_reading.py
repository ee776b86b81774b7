from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board.board_reading import BoardReading, PairReading, PlaceReading
from vision.errors import ImpossibleReadingError
from vision.places import POINTS, Colour, Place

LIGHT_3 = 3  # a class of the network


def point(kind: int, chance: float, visible: float = 1.0) -> PlaceReading:
    row = np.full(31, np.log((1 - chance) / 30))
    row[kind] = np.log(chance)
    return PlaceReading.of_point(row, visible)


def certain(light: int, dark: int) -> PairReading:
    on_light, on_dark = (np.where(np.arange(16) == count, 0, -20.0) for count in (light, dark))
    return PairReading.of_counts(on_light, on_dark, 1.0)


PLACES: dict[Place, PlaceReading | PairReading] = {**dict.fromkeys(POINTS, point(0, 0.99)), Place.BAR: certain(0, 0)}


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
        louder = PlaceReading(point(LIGHT_3, 0.8).log_likelihood + np.float32(7), 1.0)
        assert louder.best().confidence == pytest.approx(0.8, abs=1e-6)

    def test_visibility_scales_the_confidence(self) -> None:
        guess = point(LIGHT_3, 0.9, visible=0.6).best()
        assert (guess.colour, guess.count) == (Colour.LIGHT, 3)
        assert guess.confidence == pytest.approx(0.54, abs=1e-6)

    def test_a_hidden_one_is_unknown_never_empty(self) -> None:
        """Below one half the colour is unknown, however sure the network is."""
        guess = point(0, 0.999, visible=0.49).best()
        assert (guess.colour, guess.count) == (Colour.UNKNOWN, 0)
        assert guess.confidence < 0.5

    def test_both_colours(self) -> None:
        """A pinned checker: the fourth row."""
        table = np.full((4, 16), -np.inf)
        table[0, 0], table[3, 2] = -5, -0.1
        assert PlaceReading(table, 1.0).best().colour is Colour.BOTH

    def test_two_equal_classes_have_half_a_confidence(self) -> None:
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
            *((point(0, 0.9).log_likelihood, share, "visible from 0 to 1") for share in (-0.1, 1.1, float("nan"))),
        ],
    )
    def test_an_impossible_reading_is_refused(self, table: NDArray[Any], visible: float, match: str) -> None:
        with pytest.raises(ImpossibleReadingError, match=match):
            PlaceReading(table, visible)

    def test_a_wrong_number_of_classes_is_refused(self) -> None:
        with pytest.raises(ImpossibleReadingError, match="31 log-probabilities"):
            PlaceReading.of_point(np.zeros(30), 1.0)


class TestBar:
    def test_both_colours_at_once(self) -> None:
        """Probabilities of 0.9 and 0.8 are 0.72 together."""
        light, dark = np.full(16, np.log(0.1 / 15)), np.full(16, np.log(0.2 / 15))
        light[1], dark[2] = np.log(0.9), np.log(0.8)
        guess = PairReading.of_counts(light, dark, 1.0).best()
        assert (guess.light, guess.dark) == (1, 2)
        assert guess.confidence == pytest.approx(0.72, abs=1e-6)

    def test_a_hidden_one_is_unknown(self) -> None:
        """No counts at all."""
        guess = PairReading(certain(1, 0).log_likelihood, 0.2).best()
        assert (guess.light, guess.dark) == (None, None)
        assert guess.confidence <= 0.2


class TestBoard:
    def test_it_keeps_its_places(self) -> None:
        """The caller cannot change them afterwards; trays are there only in view."""
        places = dict(PLACES)
        reading = BoardReading(places, taken_ms=5)
        places.clear()
        assert [place for place, _ in reading.points()] == list(POINTS)
        assert (len(reading.places), reading.tray, reading.dice) == (25, None, ())
        tray = BoardReading({**PLACES, Place.TRAY: certain(3, 0)}).tray
        assert tray is not None
        assert tray.best().light == 3

    def test_an_impossible_board_is_refused(self) -> None:
        """A missing point, a place of another kind, a shift that is no distance."""
        with pytest.raises(ImpossibleReadingError, match="lacks T7"):
            BoardReading({place: seen for place, seen in PLACES.items() if place is not Place.T7})
        with pytest.raises(ImpossibleReadingError, match="bar has the reading of another kind"):
            BoardReading({**PLACES, Place.BAR: point(0, 0.9)})
        with pytest.raises(ImpossibleReadingError, match="moves by 0 mm or more"):
            BoardReading(PLACES, board_moved_mm=float("nan"))
