import numpy as np
import pytest

from tests.vision.training.rendered.scenes import drawn
from vision.training.rendered.layout.board_size import Bar
from vision.training.rendered.layout.checkers_layout import PlacedChecker
from vision.training.rendered.scene import RenderedScene

OVERLAP_MM = 0.3
SCENES = 60


def bottom_layer(scene: RenderedScene) -> list[PlacedChecker]:
    """Flat checkers of layer 0, on points and, where the bar is lower than a checker, on the bar."""
    size = scene.table.size
    is_bar_low = size.bar_height_mm < size.checker_thick_mm
    return [
        checker
        for checker in scene.table.checkers
        if checker.layer == 0
        and not checker.is_leaning
        and (checker.is_on_point or (is_bar_low and checker.place == "bar"))
    ]


def test_checkers_do_not_overlap() -> None:
    for scene in drawn(SCENES):
        centres = np.array([checker.base_mm[:2] for checker in bottom_layer(scene)])
        distance = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
        np.fill_diagonal(distance, np.inf)
        assert distance.min() > scene.table.size.checker_mm - OVERLAP_MM


def test_checkers_lie_in_the_field() -> None:
    for scene in drawn(SCENES):
        size = scene.table.size
        for checker in bottom_layer(scene):
            x, y, _ = checker.base_mm
            reach = size.checker_mm / 2 - OVERLAP_MM
            assert abs(x) + reach < size.field_width_mm / 2
            assert abs(y) + reach < size.field_height_mm / 2
            assert checker.place == "bar" or abs(x) - reach > size.bar_width_mm / 2


def test_the_layout_is_the_position() -> None:
    for scene in drawn(SCENES):
        placed = [(checker.place, checker.side) for checker in scene.table.checkers]
        for place, (side, count) in scene.position.points.items():
            assert placed.count((place, side)) == count
        assert len(placed) == 30


def test_a_layer_lies_on_the_one_below() -> None:
    for scene in drawn(SCENES):
        size, checkers = scene.table.size, [checker for checker in scene.table.checkers if checker.is_on_point]
        for upper in checkers:
            below = [lower for lower in checkers if lower.place == upper.place and lower.layer == upper.layer - 1]
            if upper.layer:
                apart = [np.hypot(*np.subtract(upper.base_mm, lower.base_mm)[:2]) for lower in below]
                assert min(apart) < size.checker_mm
                assert upper.base_mm[2] == pytest.approx(upper.layer * size.checker_thick_mm)


def test_the_bar_is_used_only_where_it_holds_checkers() -> None:
    for scene in drawn(SCENES):
        if not scene.table.size.bar_holds_checkers:
            assert all(checker.place != "bar" for checker in scene.table.checkers)


def test_boards_differ_in_kind() -> None:
    """Among 60 boards are all kinds of bar, flat printed ones, and tight and loose points."""
    sizes = [scene.table.size for scene in drawn(SCENES)]
    assert {size.bar for size in sizes} == set(Bar)
    assert any(size.rim_height_mm < 1.6 for size in sizes)
    shares = [size.checker_mm / size.pitch_mm for size in sizes]
    assert min(shares) < 0.78
    assert max(shares) > 0.96
    assert all(0.72 <= share <= 1.0 for share in shares)
