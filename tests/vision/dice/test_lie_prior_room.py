"""A die between two things leans more often than one beside a single one, and is believed flat less readily."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.dice.fake_networks import EDGE_PX, LEFT_HALF, PICTURE, fake_dice, output
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.standing_checkers import EDGE_MM, FIELD, likelier, with_faces_at
from vision.checkers.occupancy import CheckerPositions, estimate_radius_mm
from vision.dice.detect import read_dice
from vision.dice.lie_prior import ENOUGH_ROOM_LEAN_FACTOR, NO_ROOM_LEAN_FACTOR, WEDGED_LEAN_FACTOR, measure_room_edges
from vision.dice.readings import DieState
from vision.geometry.projection import Points


def leaning_at(base_mm: tuple[float, float], standing: CheckerPositions, footprint_mm: Points | None = None) -> float:
    """How many times likelier a die there leans than beside one thing."""
    return likelier(base_mm, standing, footprint=lambda: footprint_mm)[DieState.COCKED]


def square(middle_mm: tuple[float, float], turn_deg: float = 0.0) -> Points:
    """(4, 2): what a die there stands on."""
    corners = EDGE_MM * np.sqrt(0.5) * np.exp(1j * np.radians(turn_deg + 45 + 90 * np.arange(4)))
    return np.stack([corners.real, corners.imag], axis=1) + middle_mm


class TestBetweenTwoThings:
    """Most dice beside one thing lie flat, many between two do not, and they are hard to tell apart from above."""

    BESIDE_MM, FURTHER_MM = FIELD.pitch_mm / 2 + 0.6 * EDGE_MM, FIELD.pitch_mm / 2 + 0.8 * EDGE_MM
    HERE = (120.0, 200.0)

    def at(self, away_mm: float, turn_deg: float) -> tuple[float, float]:
        turn = np.radians(turn_deg)
        return (self.HERE[0] + away_mm * float(np.cos(turn)), self.HERE[1] + away_mm * float(np.sin(turn)))

    @pytest.mark.parametrize("turn_deg", [90.0, 120.0, 180.0, 270.0])
    def test_between_two_checkers(self, turn_deg: float) -> None:
        standing = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, turn_deg))
        assert leaning_at(self.HERE, standing) == pytest.approx(WEDGED_LEAN_FACTOR)

    def test_a_second_checker_counts_by_degrees(self) -> None:
        """One further off, one that hardly stands there, one that only the counts show, and the first one detected twice."""
        one, two = self.at(self.BESIDE_MM, 0), with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, 180))
        further_off = with_faces_at(one, self.at(self.FURTHER_MM, 180))
        assert 1.5 < leaning_at(self.HERE, further_off) < WEDGED_LEAN_FACTOR / 1.5
        doubtful = replace(two, chances=np.array([1.0, 0.05]))
        assert 1.0 < leaning_at(self.HERE, doubtful) < WEDGED_LEAN_FACTOR / 2
        counted = replace(two, is_seen=np.array([True, False]))
        assert leaning_at(self.HERE, counted) == pytest.approx(1.0)
        twice = with_faces_at(one, self.at(self.BESIDE_MM, 30))
        assert leaning_at(self.HERE, twice) == pytest.approx(1.0)

    def test_no_other_lie_is_likelier(self) -> None:
        one = with_faces_at(self.at(self.BESIDE_MM, 0))
        two = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, 180))
        beside, between = likelier(self.HERE, one), likelier(self.HERE, two)
        assert {lie for lie in between if between[lie] != beside[lie]} == {DieState.COCKED}

    def test_what_it_lies_on_or_is_itself_is_none_of_two(self) -> None:
        below, beside = with_faces_at(self.at(4.0, 180)), with_faces_at(self.at(self.BESIDE_MM, 0))
        both = with_faces_at(self.at(4.0, 180), self.at(self.BESIDE_MM, 0))
        assert [leaning_at(self.HERE, standing) for standing in (below, beside, both)] == pytest.approx([1.0] * 3)

    def test_between_a_checker_and_the_rim(self) -> None:
        here = (0.6 * EDGE_MM, 200.0)
        assert leaning_at(here, with_faces_at((here[0] + self.BESIDE_MM, 200.0))) == pytest.approx(WEDGED_LEAN_FACTOR)
        assert leaning_at(here, with_faces_at((200.0, 200.0))) == pytest.approx(1.0)

    def test_where_no_bar_is_there_is_no_wall(self) -> None:
        without_bar = replace(FIELD, bar_left_mm=240.0, bar_right_mm=240.0)
        here = (240.0 - 0.6 * EDGE_MM, 200.0)
        standing = with_faces_at((here[0] - self.BESIDE_MM, 200.0))
        assert leaning_at(here, replace(standing, field=without_bar)) == pytest.approx(1.0)
        narrow_bar = replace(FIELD, bar_left_mm=240.0, bar_right_mm=255.0)
        assert leaning_at(here, replace(standing, field=narrow_bar)) == pytest.approx(WEDGED_LEAN_FACTOR)

    def test_in_a_corner(self) -> None:
        assert leaning_at((0.6 * EDGE_MM, 0.6 * EDGE_MM), with_faces_at()) == pytest.approx(WEDGED_LEAN_FACTOR)


class TestRoom:
    """What holds a die that leans stands below it: it would not have room to lie flat."""

    HERE = (120.0, 200.0)
    # No others are in view to tell how large checkers are.
    RADIUS_MM = estimate_radius_mm(np.zeros((0, 2)), FIELD.pitch_mm / 2)

    def between(self, room: float, turn_deg: float = 0.0) -> float:
        """Two checkers whose rims are so many edges from the sides of a die, or from its corners if it is turned: how many times
        likelier it leans than beside one of them.
        """
        reach = 0.5 if turn_deg == 0 else np.sqrt(0.5)
        away_mm = self.RADIUS_MM + (reach + room) * EDGE_MM
        left_mm, right_mm = (self.HERE[0] - away_mm, 200.0), (self.HERE[0] + away_mm, 200.0)
        beside, between = with_faces_at(left_mm), with_faces_at(left_mm, right_mm)
        return leaning_at(self.HERE, between, square(self.HERE, turn_deg)) / leaning_at(self.HERE, beside)

    @pytest.mark.parametrize("turn_deg", [0.0, 45.0])
    @pytest.mark.parametrize(
        ("room", "times"), [(0.02, ENOUGH_ROOM_LEAN_FACTOR), (-0.12, NO_ROOM_LEAN_FACTOR), (-0.2, NO_ROOM_LEAN_FACTOR)]
    )
    def test_one_that_has_no_room_leans(self, room: float, times: float, turn_deg: float) -> None:
        assert self.between(room, turn_deg) == pytest.approx(times)

    @pytest.mark.parametrize("turn_deg", [0.0, 45.0])
    def test_by_degrees(self, turn_deg: float) -> None:
        half_way = np.sqrt(ENOUGH_ROOM_LEAN_FACTOR * NO_ROOM_LEAN_FACTOR)
        assert self.between(-0.08, turn_deg) > half_way > self.between(-0.02, turn_deg) > ENOUGH_ROOM_LEAN_FACTOR

    def test_what_hardly_stands_there_takes_no_room(self) -> None:
        away_mm = self.RADIUS_MM + 0.55 * EDGE_MM
        two = [(self.HERE[0] - away_mm, 200.0), (self.HERE[0] + away_mm, 200.0)]
        third = (self.HERE[0], 200.0 - self.RADIUS_MM - 0.35 * EDGE_MM)
        doubtful = replace(with_faces_at(*two, third), chances=np.array([1.0, 1.0, 0.1]))
        assert leaning_at(self.HERE, doubtful, square(self.HERE)) == pytest.approx(ENOUGH_ROOM_LEAN_FACTOR)
        assert leaning_at(self.HERE, with_faces_at(*two, third), square(self.HERE)) > 2 * ENOUGH_ROOM_LEAN_FACTOR

    def test_small_checkers_leave_more_of_it(self) -> None:
        """Checkers in rows show how large checkers are."""
        away_mm = self.RADIUS_MM + 0.4 * EDGE_MM
        two = [(self.HERE[0] - away_mm, 200.0), (self.HERE[0] + away_mm, 200.0)]
        small_mm = self.RADIUS_MM - 0.12 * EDGE_MM
        row = [(300.0, 100.0 + 2 * small_mm * place) for place in range(7)]
        assert leaning_at(self.HERE, with_faces_at(*two), square(self.HERE)) == pytest.approx(
            NO_ROOM_LEAN_FACTOR, rel=0.1
        )
        assert leaning_at(self.HERE, with_faces_at(*two, *row), square(self.HERE)) == pytest.approx(
            ENOUGH_ROOM_LEAN_FACTOR
        )

    @pytest.mark.parametrize(("room", "times"), [(0.02, ENOUGH_ROOM_LEAN_FACTOR), (-0.12, NO_ROOM_LEAN_FACTOR)])
    def test_between_a_checker_and_another_die(self, room: float, times: float) -> None:
        """A die of unknown orientation leans no oftener than beside the checker alone: two dice that touch mostly lie flat."""
        checker = with_faces_at((self.HERE[0] - self.RADIUS_MM - (0.5 + room) * EDGE_MM, 200.0))
        other_mm = [(self.HERE[0] + 1.05 * EDGE_MM, 200.0)]

        def leaning(others_mm: list[tuple[float, float]], corners_mm: Points | None) -> float:
            return likelier(self.HERE, checker, others_mm=others_mm, footprint=lambda: corners_mm)[DieState.COCKED]

        alone, unknown = leaning([], square(self.HERE)), leaning(other_mm, None)
        assert alone == unknown == pytest.approx(1.0)
        assert leaning(other_mm, square(self.HERE)) == pytest.approx(times)

    def test_whose_turn_is_unknown_leans_oftener(self) -> None:
        away_mm = FIELD.pitch_mm / 2 + 0.6 * EDGE_MM
        standing = with_faces_at((self.HERE[0] - away_mm, 200.0), (self.HERE[0] + away_mm, 200.0))
        assert leaning_at(self.HERE, standing, None) == pytest.approx(WEDGED_LEAN_FACTOR)

    def test_beside_one_thing_nobody_asks(self) -> None:
        standing = with_faces_at((self.HERE[0] + FIELD.pitch_mm / 2 + 0.6 * EDGE_MM, 200.0))
        likelier(self.HERE, standing, footprint=lambda: pytest.fail("asked"))

    def test_in_a_corner_that_it_does_not_fit(self) -> None:
        here = (0.6 * EDGE_MM, 0.6 * EDGE_MM)
        assert leaning_at(here, with_faces_at(), square(here)) == pytest.approx(ENOUGH_ROOM_LEAN_FACTOR)
        assert leaning_at(here, with_faces_at(), square(here, 45.0)) == pytest.approx(NO_ROOM_LEAN_FACTOR)


@pytest.mark.parametrize(
    ("checker_mm", "room"), [((30.0, 0.0), 1.0), ((22.0, 22.0), 1.7 * np.sqrt(2) - 1.5), ((12.0, 3.0), -0.8)]
)
def test_how_far_a_square_is_from_a_checker(checker_mm: tuple[float, float], room: float) -> None:
    """From a side, from a corner, and with the checker's middle almost below it."""
    corners = np.array([(5.0, 5.0), (-5.0, 5.0), (-5.0, -5.0), (5.0, -5.0)])
    assert measure_room_edges(corners, np.array([checker_mm]), 15.0, np.zeros(0)) == pytest.approx(room)
    assert measure_room_edges(corners, np.zeros((0, 2)), 15.0, np.array([3.0, -1.0])) == pytest.approx(-0.1)


class TestHowLargeCheckersAre:
    MOST_MM = 20.0

    @pytest.mark.parametrize("radius_mm", [15.0, 17.0, 19.5])
    def test_those_in_rows_tell(self, radius_mm: float) -> None:
        """Some stand alone, and one is detected twice."""
        rows = [(x_mm, 2 * radius_mm * place) for x_mm in (0.0, 90.0) for place in range(4)]
        others = [(200.0, 0.0), (300.0, 0.0), (203.0, 1.0)]
        found_mm = estimate_radius_mm(np.array(rows + others), self.MOST_MM)
        assert found_mm == pytest.approx(radius_mm, rel=0.015)

    def test_single_ones_on_points_beside_each_other_tell_nothing(self) -> None:
        """They do not touch: points are wider than checkers."""
        alone = np.array([(2 * self.MOST_MM * number, 0.0) for number in range(8)])
        assert estimate_radius_mm(alone, self.MOST_MM) == estimate_radius_mm(np.zeros((0, 2)), self.MOST_MM)

    def test_few_tell_nothing(self) -> None:
        few = estimate_radius_mm(np.array([(0.0, 0.0), (0.0, 31.0), (0.0, 62.0)]), self.MOST_MM)
        assert few == estimate_radius_mm(np.zeros((0, 2)), self.MOST_MM)
        assert 0.85 * self.MOST_MM < few < self.MOST_MM


@pytest.mark.parametrize(("turn_deg", "has_room"), [(0.0, True), (45.0, False)])
def test_a_die_that_is_read_is_asked_how_it_is_turned(
    monkeypatch: pytest.MonkeyPatch, turn_deg: float, *, has_room: bool
) -> None:
    """The networks call both dice flat; the one with its corners in the checkers is believed less."""
    fake_dice(monkeypatch, lambda _: output(flat_p=0.995), LEFT_HALF)
    picture = np.full_like(PICTURE, 60)
    corners_px = np.array(LEFT_HALF) + square((0.0, 0.0), turn_deg) * (EDGE_PX / EDGE_MM)
    cv2.fillConvexPoly(picture, np.round(corners_px).astype(np.int32), (220, 220, 220), cv2.LINE_AA)
    ((x_mm, y_mm),) = STRAIGHT_DOWN.projection.to_board([LEFT_HALF], EDGE_PX)
    most_mm, edge_mm = STRAIGHT_DOWN.field.pitch_mm / 2, EDGE_PX  # a pixel is a millimetre there
    away_mm = estimate_radius_mm(np.zeros((0, 2)), most_mm) + 0.59 * edge_mm
    two_mm = np.array([(x_mm - away_mm, y_mm), (x_mm + away_mm, y_mm)])
    standing = CheckerPositions(two_mm, np.ones(2), np.ones(2, np.bool_), most_mm, STRAIGHT_DOWN.field)
    (die,) = read_dice(picture, STRAIGHT_DOWN, positions=standing).dice
    assert die.lies is DieState.FLAT
    assert (die.likeliest_lie_p > 0.99) is has_room
