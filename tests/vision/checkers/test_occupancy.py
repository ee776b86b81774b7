"""Where checkers stand whose faces are seen further from the camera."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.standing_checkers import FAR_BELOW, FIELD, with_counts
from vision.checkers.network import THICKNESS_OF_PITCH, CheckerTop
from vision.checkers.occupancy import locate_checkers
from vision.geometry.projection import KnownBoard
from vision.geometry.top_view import to_view

NEAR = KnownBoard(replace(STRAIGHT_DOWN.projection, camera_mm=(240.0, 200.0, 600.0)), FIELD)
FAR_POINT = 0  # T1, furthest from what is below the camera


def stands_at(shown_mm: tuple[float, float], chances: dict[int, float]) -> tuple[float, float]:
    """A checker of the far point, with these probabilities of counts, whose face shows there."""
    ((x_px, y_px),) = to_view([shown_mm], FIELD)
    seen = replace(with_counts(FAR_POINT, chances), tops=(CheckerTop(float(x_px), float(y_px), 1.0),))
    standing = locate_checkers(seen, NEAR)
    ((x_mm, y_mm),) = standing.middles_mm[standing.is_seen]
    return float(x_mm), float(y_mm)


def below(shown_mm: tuple[float, float], layers: float) -> tuple[float, float]:
    ((x_mm, y_mm),) = NEAR.projection.shift_to_base_mm(
        np.array([shown_mm]), layers * THICKNESS_OF_PITCH * FIELD.pitch_mm
    )
    return float(x_mm), float(y_mm)


@pytest.mark.parametrize(
    ("number", "chances", "layers"),
    [
        (0, {5: 1.0}, 1.0),
        (0, {6: 1.0}, 2.0),
        (1, {6: 1.0}, 1.0),
        (4, {10: 1.0}, 2.0),
        (0, {11: 1.0}, 3.0),
        (4, {15: 1.0}, 3.0),
        (0, {5: 0.5, 6: 0.5}, 1.5),
    ],
)
def test_a_face_on_top_of_others_stands_lower_than_it_shows(
    number: int, chances: dict[int, float], layers: float
) -> None:
    """Rows of five from the rim on, and then the next upon them."""
    shown_mm = (10.0, 18.0 + 36.0 * number)
    assert stands_at(shown_mm, chances) == pytest.approx(below(shown_mm, layers), abs=0.01)


def test_a_face_beside_the_points_lies_on_nothing() -> None:
    shown_mm = (240.0, 60.0)  # the bar
    assert stands_at(shown_mm, {15: 1.0}) == pytest.approx(below(shown_mm, 1.0), abs=0.01)


class TestCounts:
    """What only the count of a point tells stands in a row; where a face is seen, that is the checker."""

    RADIUS_MM = 16.0

    def standing(self, count: int, faces: int) -> tuple[list[float], list[float]]:
        """How far from the rim checkers of the far point stand that are seen, and that are only counted."""
        column_mm = FIELD.point_middle_mm(FAR_POINT + 1)
        rows_mm = [self.RADIUS_MM * (2 * number + 1) for number in range(faces)]
        others = [(330.0, self.RADIUS_MM * (2 * number + 1)) for number in range(5)]  # that tell how large they are
        places_px = to_view([*((column_mm, row_mm) for row_mm in rows_mm), *others], FIELD)
        tops = tuple(CheckerTop(float(x_px), float(y_px), 1.0) for x_px, y_px in places_px)
        found = locate_checkers(replace(with_counts(FAR_POINT, {count: 1.0}), tops=tops), FAR_BELOW)
        on_point = np.abs(found.middles_mm[:, 0] - column_mm) < self.RADIUS_MM
        seen, counted = (
            np.sort(found.middles_mm[on_point & which, 1]).tolist() for which in (found.is_seen, ~found.is_seen)
        )
        return seen, counted

    def test_no_more_than_are_seen(self) -> None:
        seen, counted = self.standing(5, faces=5)
        assert seen == pytest.approx([16.0, 48.0, 80.0, 112.0, 144.0], abs=0.1)
        assert counted == []

    def test_what_is_hidden_stands_as_near_to_the_next_as_the_others(self) -> None:
        """A die that lies on one of them hides its face."""
        assert self.standing(5, faces=4)[1] == pytest.approx([144.0], rel=0.02)

    def test_more_than_five_lie_on_these(self) -> None:
        assert self.standing(11, faces=5)[1] == []
