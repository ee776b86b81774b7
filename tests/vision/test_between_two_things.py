"""A die between two things leans more often than one beside a single one, and is believed flat less readily."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.standing_checkers import EDGE_MM, FIELD, likelier, with_faces_at
from vision.dice_clearance import LEANS_BETWEEN, Standing
from vision.die_reading import DieState


def leaning_at(base_mm: tuple[float, float], standing: Standing) -> float:
    """How many times likelier a die there leans than beside one thing."""
    return likelier(base_mm, standing)[DieState.COCKED]


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
        assert leaning_at(self.HERE, standing) == pytest.approx(LEANS_BETWEEN)

    def test_no_other_lie_is_likelier(self) -> None:
        one = with_faces_at(self.at(self.BESIDE_MM, 0))
        two = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, 180))
        beside, between = likelier(self.HERE, one), likelier(self.HERE, two)
        assert {lie for lie in between if between[lie] != beside[lie]} == {DieState.COCKED}

    def test_by_degrees(self) -> None:
        standing = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.FURTHER_MM, 180))
        assert 1.5 < leaning_at(self.HERE, standing) < LEANS_BETWEEN / 1.5

    def test_one_that_is_told_twice_is_one(self) -> None:
        standing = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, 30))
        assert leaning_at(self.HERE, standing) == pytest.approx(1.0)

    def test_one_that_hardly_stands_there_counts_little(self) -> None:
        standing = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, 180))
        doubtful = replace(standing, chances=np.array([1.0, 0.05]))
        assert 1.0 < leaning_at(self.HERE, doubtful) < LEANS_BETWEEN / 2

    def test_counts_do_not_tell_where_a_checker_stands(self) -> None:
        standing = with_faces_at(self.at(self.BESIDE_MM, 0), self.at(self.BESIDE_MM, 180))
        counted = replace(standing, is_seen=np.array([True, False]))
        assert leaning_at(self.HERE, counted) == pytest.approx(1.0)

    def test_what_it_lies_on_or_is_itself_is_none_of_two(self) -> None:
        below, beside = with_faces_at(self.at(4.0, 180)), with_faces_at(self.at(self.BESIDE_MM, 0))
        both = with_faces_at(self.at(4.0, 180), self.at(self.BESIDE_MM, 0))
        assert [leaning_at(self.HERE, standing) for standing in (below, beside, both)] == pytest.approx([1.0] * 3)

    def test_between_a_checker_and_the_rim(self) -> None:
        here = (0.6 * EDGE_MM, 200.0)
        assert leaning_at(here, with_faces_at((here[0] + self.BESIDE_MM, 200.0))) == pytest.approx(LEANS_BETWEEN)
        assert leaning_at(here, with_faces_at((200.0, 200.0))) == pytest.approx(1.0)

    def test_where_no_bar_is_there_is_no_wall(self) -> None:
        without_bar = replace(FIELD, bar_left_mm=240.0, bar_right_mm=240.0)
        here = (240.0 - 0.6 * EDGE_MM, 200.0)
        standing = with_faces_at((here[0] - self.BESIDE_MM, 200.0))
        assert leaning_at(here, replace(standing, field=without_bar)) == pytest.approx(1.0)
        narrow_bar = replace(FIELD, bar_left_mm=240.0, bar_right_mm=241.0)
        assert leaning_at(here, replace(standing, field=narrow_bar)) == pytest.approx(LEANS_BETWEEN)

    def test_in_a_corner(self) -> None:
        assert leaning_at((0.6 * EDGE_MM, 0.6 * EDGE_MM), with_faces_at()) == pytest.approx(LEANS_BETWEEN)
