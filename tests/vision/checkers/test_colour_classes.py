"""Corrections of the checker network by the upper faces: sides, counts and mixed stacks."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.simulated.played_tables import calibration_of, start, style
from vision.board.board_reading import PlaceReading
from vision.board.read_board import read_board
from vision.checkers.colour_classes import (
    BAR,
    SideColours,
    classify_sides,
    find_place,
    fuse_face_counts,
    measure_face_colours,
    score_mixed_stacks,
)
from vision.checkers.network import CheckerTop, ViewReading
from vision.frame import Frame
from vision.geometry.top_view import MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.places import Colour, Place
from vision.simulated import draw
from vision.simulated.scene import CheckerSide
from vision.simulated.scene_building import build_scene
from vision.simulated.tabletop import Arrangement

RED, GREEN, DARK_RED = (30, 40, 200), (60, 150, 60), (15, 20, 100)  # BGR; the green is a little brighter


def board_of(
    sides: list[tuple[int, tuple[int, int, int]]], *, votes: dict[int, float]
) -> tuple[np.ndarray, ViewReading]:
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
    view, reading = board_of(sides, votes={0: -2, 2: 1, 4: 0.5, 7: -1, 9: -2, 11: 2})
    corrected = classify_sides(measure_face_colours(view, reading.tops), reading)
    assert [called(corrected, place) for place, _ in sides] == ["dark 2", "light 2"] * 3
    assert np.exp(corrected.points).sum(axis=1) == pytest.approx(np.ones(24), abs=1e-3)


def test_the_calibration_knows_which_side_is_light() -> None:
    """Colours known from the start position decide against brightness: there green is the dark side."""
    sides = [(0, RED), (2, GREEN), (4, RED), (7, GREEN)]
    view, reading = board_of(sides, votes={0: -1, 2: 1, 4: -1, 7: 1})
    known = SideColours(light=(45.0, 60.0, 45.0), dark=(56.0, -45.0, 40.0))
    assert [
        called(classify_sides(measure_face_colours(view, reading.tops), reading, known), place) for place, _ in sides
    ] == ["light 2", "dark 2"] * 2


def test_a_lone_side_in_light_and_shade_stays_one_side() -> None:
    """Late in a game only red is left, half of it in the shade: the network's word stands."""
    sides = [(0, RED), (2, DARK_RED), (4, RED), (7, DARK_RED)]
    view, reading = board_of(sides, votes={0: -6, 2: -6, 4: -6, 7: -6})
    corrected = classify_sides(measure_face_colours(view, reading.tops), reading)
    assert [called(corrected, place) for place, _ in sides] == ["dark 2"] * 4


def test_groups_that_are_not_clear_are_bounded_evidence() -> None:
    """Woods of both sides vary: a brown checker that the network hardly calls light is dark; one that it surely calls so stays."""
    pale, brown = (
        [(150 + 10 * n, 190 + 10 * n, 210 + 10 * n) for n in range(4)],
        [(60, 80 + 14 * n, 110 + 14 * n) for n in range(4)],
    )
    sides = [*zip((0, 2, 4, 6), pale, strict=True), *zip((1, 3, 5, 7), brown, strict=True)]
    view, reading = board_of(sides, votes={0: 5, 2: 5, 4: 5, 6: 5, 1: -5, 3: -5, 5: 0.6, 7: 5})
    corrected = classify_sides(measure_face_colours(view, reading.tops), reading)
    assert [called(corrected, place) for place in (0, 2, 4, 6)] == ["light 2"] * 4
    assert [called(corrected, place) for place in (1, 3, 5, 7)] == ["dark 2", "dark 2", "dark 2", "light 2"]


def test_few_faces_decide_nothing() -> None:
    view, reading = board_of([(0, RED), (2, GREEN)], votes={0: 1, 2: -1})
    assert classify_sides(measure_face_colours(view, reading.tops), reading) is reading


def test_places_follow_each_other_from_left_to_right() -> None:
    """Along the upper row: T1 to T6, the bar, T7 to T12; beside the field nothing."""
    row = [find_place(float(x), 60.0) for x in range(MARGIN_PX, VIEW_WIDTH_PX - MARGIN_PX)]
    order = [place for place, after in pairwise([*row, None]) if place != after]
    assert order == [0, 1, 2, 3, 4, 5, BAR, 6, 7, 8, 9, 10, 11]
    assert find_place(5.0, 60.0) is None
    assert find_place(50.0, 400.0) == 12


BAR_X = VIEW_WIDTH_PX / 2


def reading_of(points: dict[int, dict[int, float]], faces: list[tuple[float, float]]) -> ViewReading:
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
    fused = fuse_face_counts(reading_of({0: {4: 0.4, 5: 0.6}}, on_first_point(4)))
    assert fused.points[0].argmax() == 4
    assert np.exp(fused.points[0, 4]) == pytest.approx(0.95, abs=0.04)


def test_a_face_that_was_missed_does_not_overrule_a_sure_network() -> None:
    fused = fuse_face_counts(reading_of({0: {18: 0.9999}}, on_first_point(2)))
    assert fused.points[0].argmax() == 18


@pytest.mark.parametrize("is_lower", [False, True])
def test_a_face_that_a_near_rim_hides_is_not_missed(is_lower: bool) -> None:
    """Three faces, and room for a fourth between the edge and the first: the network decides. Without room they count."""
    place, likely = (12, {3: 0.3, 4: 0.7}) if is_lower else (0, {3: 0.3, 4: 0.7})
    for from_edge_px, count in ((PITCH_PX, 4), (PITCH_PX / 2, 3)):
        rows = [MARGIN_PX + from_edge_px + 30 * number for number in range(3)]
        rows = [VIEW_HEIGHT_PX - 1 - y_px for y_px in rows] if is_lower else rows
        fused = fuse_face_counts(reading_of({place: likely}, [(MARGIN_PX + PITCH_PX / 2, y_px) for y_px in rows]))
        assert fused.points[place].argmax() == count


def test_a_print_that_looks_like_a_face_is_no_second_witness() -> None:
    """One face on a point that the network calls empty leaves it empty; several do not."""
    for faces, count in ((1, 0), (3, 3)):
        fused = fuse_face_counts(reading_of({0: {0: 0.85, faces: 0.15}}, on_first_point(faces)))
        assert fused.points[0].argmax() == count


def test_a_heap_stays_undecided() -> None:
    """Ten or eleven in three layers: eight faces show, and they tell neither from the other."""
    before = reading_of({0: {10: 0.5, 11: 0.5}}, on_first_point(8))
    fused = fuse_face_counts(before)
    assert np.exp(fused.points[0, 10]) == pytest.approx(np.exp(fused.points[0, 11]), abs=0.02)


def test_colours_are_left_alone() -> None:
    """Faces say how many, not whose: the odds between light and dark stay."""
    fused = fuse_face_counts(reading_of({0: {2: 0.7, 17: 0.3}}, on_first_point(2)))
    assert fused.points[0, 2] - fused.points[0, 17] == pytest.approx(np.log(0.7 / 0.3), abs=1e-4)


def test_the_bar_adds_up_both_colours() -> None:
    """Two faces on the bar make one of each likelier than the network thought; none make it empty."""
    both = fuse_face_counts(reading_of({}, [(BAR_X, 150.0), (BAR_X, 250.0)]))
    assert [int(counts.argmax()) for counts in (both.bar_light, both.bar_dark)] == [1, 1]
    empty = fuse_face_counts(reading_of({}, []))
    assert [int(counts.argmax()) for counts in (empty.bar_light, empty.bar_dark)] == [0, 0]
    assert np.exp(empty.bar_light[0]) > 0.9


def test_the_answers_stay_likelihoods() -> None:
    fused = fuse_face_counts(reading_of({3: {2: 0.5, 3: 0.5}}, on_first_point(3)))
    assert np.exp(fused.points).sum(axis=1) == pytest.approx(np.ones(24), abs=1e-4)
    assert float(np.exp(fused.bar_dark).sum()) == pytest.approx(1, abs=1e-4)


def test_many_faces_are_in_view() -> None:
    """A heap that was taken for a sleeve: five faces say otherwise; one face under a hand says nothing."""
    covered = np.full(25, 0.1, np.float32)
    heap = fuse_face_counts(replace(reading_of({0: {7: 0.5, 8: 0.5}}, on_first_point(5)), visible=covered))
    assert heap.visible[0] == pytest.approx(0.7)
    assert heap.visible[1] == pytest.approx(0.1)
    hand = fuse_face_counts(replace(reading_of({0: {1: 0.9, 0: 0.1}}, on_first_point(1)), visible=covered))
    assert hand.visible[0] == pytest.approx(0.1)


LIGHT, DARK = CheckerSide.LIGHT, CheckerSide.DARK
IVORY, BLACK, GREY = (210, 235, 240), (25, 25, 25), (110, 120, 125)  # BGR


def seen(arrangement: Arrangement, place: str, seed: int) -> PlaceReading:
    """What is read of a place of a drawn table."""
    table = style(seed, (640, 480))
    reading = read_board(Frame(draw(build_scene(table, arrangement)), 0), calibration_of(table))
    found = reading.places[Place(place)]
    assert isinstance(found, PlaceReading)
    return found


class TestDrawnTables:
    @pytest.mark.parametrize("seed", [301, *(pytest.param(seed, marks=pytest.mark.broad) for seed in (302, 303))])
    @pytest.mark.parametrize("stack", [(DARK, DARK, LIGHT), (LIGHT, DARK), (LIGHT, LIGHT, LIGHT, DARK)])
    def test_both_are_counted(self, stack: tuple[CheckerSide, ...], seed: int) -> None:
        """Side by side on a point that was empty."""
        guess = seen(start().with_stack("T3", stack), "T3", seed).best()
        assert (guess.colour, guess.count) == (Colour.BOTH, len(stack))

    def test_a_sixth_one_upon_a_row_of_the_other_colour(self) -> None:
        """It hides one of them: five faces show, and six are nearly as likely as five."""
        both = seen(start().with_stack("T7", (DARK,) * 5 + (LIGHT,)), "T7", 304)
        assert both.best().colour is Colour.BOTH
        table = both.log_likelihood[3]
        assert table[6] > table[5] - 1.5
        assert table[4] < table[5] - 2

    @pytest.mark.parametrize("seed", [305, 306])
    def test_points_of_one_colour_hold_one(self, seed: int) -> None:
        table = style(seed, (640, 480))
        reading = read_board(Frame(draw(build_scene(table, start())), 0), calibration_of(table))
        assert all(np.isneginf(found.log_likelihood[3]).all() for _, found in reading.points())


@cache
def empty_bar() -> NDArray[np.float32]:
    return np.asarray(np.log(np.eye(16, dtype=np.float32)[0] + 1e-6))


def mixed_places(
    *columns: tuple[tuple[int, int, int], ...], unreliable: frozenset[int] = frozenset(), visible: float = 1.0
) -> list[int]:
    """Upper places with a mixed stack, by faces of these colours."""
    view = np.full((VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3), 128, np.uint8)
    tops = []
    for place, colours in enumerate(columns):
        for row, colour in enumerate(colours):
            x, y = MARGIN_PX + PITCH_PX * place + PITCH_PX // 2, MARGIN_PX + 16 + 30 * row
            cv2.circle(view, (x, y), 13, colour, -1)
            tops.append(CheckerTop(float(x), float(y), 0.9))
    points = np.full((24, 31), -3.0, np.float32)
    reading = ViewReading(points, empty_bar(), empty_bar(), np.full(25, visible, np.float32), tuple(tops))
    table = score_mixed_stacks(measure_face_colours(view, reading.tops), reading, unreliable)
    return np.flatnonzero(np.isfinite(table).any(axis=1)).tolist()


class TestFaces:
    PLAIN = ((IVORY, IVORY), (BLACK, BLACK), (IVORY,), (BLACK,))

    def test_one_of_each(self) -> None:
        assert mixed_places((IVORY, BLACK), *self.PLAIN) == [0]

    def test_a_face_between_both_makes_the_others_doubtful(self) -> None:
        """Glare that whitens one dark face whitens a part of the next."""
        assert mixed_places((BLACK, GREY, IVORY), *self.PLAIN) == []

    def test_what_may_be_a_die_is_none(self) -> None:
        assert mixed_places((IVORY, BLACK), *self.PLAIN, unreliable=frozenset({0})) == []

    def test_covered_points_hold_none(self) -> None:
        assert mixed_places((IVORY, BLACK), *self.PLAIN, visible=0.6) == []

    def test_too_few_faces_to_know_the_colours(self) -> None:
        assert mixed_places((IVORY, BLACK), (IVORY, BLACK)) == []
