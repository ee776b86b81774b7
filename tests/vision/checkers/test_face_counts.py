"""Counts weighed by the faces that were found one by one."""

from dataclasses import replace

import numpy as np
import pytest

from vision.checkers.colour_classes import fuse_face_counts
from vision.checkers.network import CheckerTop, ViewReading
from vision.geometry.top_view import MARGIN_PX, PITCH_PX, VIEW_WIDTH_PX

BAR_X = VIEW_WIDTH_PX / 2


def reading(points: dict[int, dict[int, float]], faces: list[tuple[float, float]]) -> ViewReading:
    """Class -> probability for some places (the others are surely empty), and the faces found."""
    chances = np.full((24, 31), 1e-6)
    chances[:, 0] = 1.0
    for place, likely in points.items():
        chances[place] = 1e-6
        for number, chance in likely.items():
            chances[place, number] = chance
    logs = np.log(chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)
    nothing = np.log(np.array([0.7, 0.29, *[0.01 / 14] * 14], np.float32))
    tops = tuple(CheckerTop(x, y, 0.9) for x, y in faces)
    return ViewReading(logs, nothing, nothing.copy(), np.ones(25, np.float32), tops)


def on_first_point(count: int) -> list[tuple[float, float]]:
    return [(MARGIN_PX + PITCH_PX / 2, 48.0 + 30 * number) for number in range(count)]


def test_four_faces_settle_a_doubt_between_four_and_five() -> None:
    """The row is as long as five checkers of another board, but four faces were found: four, and not by a hair."""
    told = fuse_face_counts(reading({0: {4: 0.4, 5: 0.6}}, on_first_point(4)))
    assert told.points[0].argmax() == 4
    assert np.exp(told.points[0, 4]) == pytest.approx(0.95, abs=0.04)


def test_a_face_that_was_missed_does_not_overrule_a_sure_network() -> None:
    told = fuse_face_counts(reading({0: {18: 0.9999}}, on_first_point(2)))
    assert told.points[0].argmax() == 18


def test_a_heap_stays_undecided() -> None:
    """Ten or eleven in three layers: eight faces show, and they tell neither from the other."""
    before = reading({0: {10: 0.5, 11: 0.5}}, on_first_point(8))
    told = fuse_face_counts(before)
    assert np.exp(told.points[0, 10]) == pytest.approx(np.exp(told.points[0, 11]), abs=0.02)


def test_colours_are_left_alone() -> None:
    """Faces say how many, not whose: the odds between light and dark stay."""
    told = fuse_face_counts(reading({0: {2: 0.7, 17: 0.3}}, on_first_point(2)))
    assert told.points[0, 2] - told.points[0, 17] == pytest.approx(np.log(0.7 / 0.3), abs=1e-4)


def test_the_bar_adds_up_both_colours() -> None:
    """Two faces on the bar make one of each likelier than the network thought; none make it empty."""
    both = fuse_face_counts(reading({}, [(BAR_X, 150.0), (BAR_X, 250.0)]))
    assert [int(counts.argmax()) for counts in (both.bar_light, both.bar_dark)] == [1, 1]
    empty = fuse_face_counts(reading({}, []))
    assert [int(counts.argmax()) for counts in (empty.bar_light, empty.bar_dark)] == [0, 0]
    assert np.exp(empty.bar_light[0]) > 0.9


def test_the_answers_stay_likelihoods() -> None:
    told = fuse_face_counts(reading({3: {2: 0.5, 3: 0.5}}, on_first_point(3)))
    assert np.exp(told.points).sum(axis=1) == pytest.approx(np.ones(24), abs=1e-4)
    assert float(np.exp(told.bar_dark).sum()) == pytest.approx(1, abs=1e-4)


def test_many_faces_are_in_view() -> None:
    """A heap that was taken for a sleeve: five faces say otherwise; one face under a hand says nothing."""
    covered = np.full(25, 0.1, np.float32)
    heap = fuse_face_counts(replace(reading({0: {7: 0.5, 8: 0.5}}, on_first_point(5)), visible=covered))
    assert heap.visible[0] == pytest.approx(0.7)
    assert heap.visible[1] == pytest.approx(0.1)
    hand = fuse_face_counts(replace(reading({0: {1: 0.9, 0: 0.1}}, on_first_point(1)), visible=covered))
    assert hand.visible[0] == pytest.approx(0.1)
