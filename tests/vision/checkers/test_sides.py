"""Light and dark told by comparing all checkers."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.checkers.colour_classes import BAR, SideColours, classify_sides, find_place, measure_face_colours
from vision.checkers.network import CheckerTop, ViewReading
from vision.geometry.top_view import MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX

RED, GREEN, DARK_RED = (30, 40, 200), (60, 150, 60), (15, 20, 100)  # BGR; the green is a little brighter


def board(sides: list[tuple[int, tuple[int, int, int]]], *, votes: dict[int, float]) -> tuple[np.ndarray, ViewReading]:
    """Two checkers of a colour on each of these upper places, and what the network says of them (odds of light)."""
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 128, np.uint8)
    tops, points = [], np.full((24, 31), -12.0, np.float32)
    points[:, 0] = 0
    for place, colour in sides:
        x = MARGIN_PX + PITCH_PX * place + 16 + (48 if place > 5 else 0)
        for y in (48, 78):
            cv2.circle(view, (x, y), 13, colour, -1)
            tops.append(CheckerTop(float(x), float(y), 0.9))
        light = 1 / (1 + np.exp(-votes[place]))
        points[place] = -12.0
        points[place, 2], points[place, 17] = np.log(light), np.log(1 - light)
    nothing = np.log(np.eye(16, dtype=np.float32)[0] + 1e-6)
    return view, ViewReading(points, nothing, nothing, np.ones(25, np.float32), tuple(tops))


def called(reading: ViewReading, place: int) -> str:
    best = int(reading.points[place].argmax())
    return "none" if best == 0 else f"{'light' if best < 16 else 'dark'} {(best - 1) % 15 + 1}"


def test_a_side_is_one_side_even_where_the_network_wavers() -> None:
    """Red and green of like brightness: every red stack becomes dark, every green one light, counts stay."""
    sides = [(0, RED), (2, GREEN), (4, RED), (7, GREEN), (9, RED), (11, GREEN)]
    view, reading = board(sides, votes={0: -2, 2: 1, 4: 0.5, 7: -1, 9: -2, 11: 2})
    told = classify_sides(measure_face_colours(view, reading.tops), reading)
    assert [called(told, place) for place, _ in sides] == ["dark 2", "light 2"] * 3
    assert np.exp(told.points).sum(axis=1) == pytest.approx(np.ones(24), abs=1e-3)


def test_the_calibration_knows_which_side_is_light() -> None:
    """Colours known from the start position decide against brightness: there green is the dark side."""
    sides = [(0, RED), (2, GREEN), (4, RED), (7, GREEN)]
    view, reading = board(sides, votes={0: -1, 2: 1, 4: -1, 7: 1})
    known = SideColours(light=(45.0, 60.0, 45.0), dark=(56.0, -45.0, 40.0))
    assert [
        called(classify_sides(measure_face_colours(view, reading.tops), reading, known), place) for place, _ in sides
    ] == [
        "light 2",
        "dark 2",
    ] * 2


def test_a_lone_side_in_light_and_shade_stays_one_side() -> None:
    """Late in a game only red is left, half of it in the shade: the network's word stands."""
    sides = [(0, RED), (2, DARK_RED), (4, RED), (7, DARK_RED)]
    view, reading = board(sides, votes={0: -6, 2: -6, 4: -6, 7: -6})
    told = classify_sides(measure_face_colours(view, reading.tops), reading)
    assert [called(told, place) for place, _ in sides] == ["dark 2"] * 4


def test_few_faces_decide_nothing() -> None:
    view, reading = board([(0, RED), (2, GREEN)], votes={0: 1, 2: -1})
    assert classify_sides(measure_face_colours(view, reading.tops), reading) is reading


def test_places_follow_each_other_from_left_to_right() -> None:
    """Along the upper row: T1 to T6, the bar, T7 to T12; beside the field nothing."""
    row = [find_place(float(x), 60.0) for x in range(MARGIN_PX, VIEW_WIDTH_PX - MARGIN_PX)]
    order = [place for place, after in pairwise([*row, None]) if place != after]
    assert order == [0, 1, 2, 3, 4, 5, BAR, 6, 7, 8, 9, 10, 11]
    assert find_place(5.0, 60.0) is None
    assert find_place(50.0, 400.0) == 12
