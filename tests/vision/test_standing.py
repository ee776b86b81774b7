"""Where checkers stand whose faces are seen further from the camera."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.standing_checkers import FIELD, with_counts
from vision.checkers import THICKNESS_OF_PITCH, CheckerTop
from vision.die_windows import KnownBoard
from vision.rectify import to_view
from vision.standing import standing_of

NEAR = KnownBoard(replace(STRAIGHT_DOWN.projection, camera_mm=(240.0, 200.0, 600.0)), FIELD)
FAR_POINT = 0  # T1, furthest from what is below the camera


def stands_at(shown_mm: tuple[float, float], chances: dict[int, float]) -> tuple[float, float]:
    """A checker of the far point, with these probabilities of counts, whose face shows there."""
    ((x_px, y_px),) = to_view([shown_mm], FIELD)
    seen = replace(with_counts(FAR_POINT, chances), tops=(CheckerTop(float(x_px), float(y_px), 1.0),))
    standing = standing_of(seen, NEAR)
    ((x_mm, y_mm),) = standing.middles_mm[standing.is_seen]
    return float(x_mm), float(y_mm)


def below(shown_mm: tuple[float, float], layers: float) -> tuple[float, float]:
    ((x_mm, y_mm),) = NEAR.projection.standing_mm(np.array([shown_mm]), layers * THICKNESS_OF_PITCH * FIELD.pitch_mm)
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
