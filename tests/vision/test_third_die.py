"""A third die beside a whole throw, which the search may see only faintly."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.hand_made_dice import STRAIGHT_DOWN
from tests.vision.told_dice import (
    EDGE_PX,
    LEFT_HALF,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    find_spots,
    see_nothing_aside,
    tell_finished_looks,
    tell_looks,
)
from vision import further_spots
from vision.close_look import Look
from vision.dice import read_dice
from vision.dice_answers import FACE, KIND, answer_of
from vision.dice_glance import Glance
from vision.die_windows import DieSpot, KnownBoard, place_window


@pytest.mark.parametrize(
    ("at_px", "times", "glanced", "found"),
    [
        (RIGHT_HALF, 1.0, RIGHT_HALF, 3),
        (RIGHT_HALF, 0.7, RIGHT_HALF, 3),
        (RIGHT_HALF, 0.6, RIGHT_HALF, 2),
        (RIGHT_HALF, 1.6, RIGHT_HALF, 2),
        (RIGHT_HALF, 1.0, ON_THE_BAR, 2),  # a glance there sees one of the pair
        (RIGHT_HALF, 1.0, None, 2),  # or nothing
        ((630.0, 240.0), 1.0, (630.0, 240.0), 2),
    ],
)
def test_beside_two_dice_a_faint_place_is_looked_at_only_where_it_may_be_a_third(
    monkeypatch: pytest.MonkeyPatch,
    at_px: tuple[float, float],
    times: float,
    glanced: tuple[float, float] | None,
    found: int,
) -> None:
    """About as large as they are, and not beside the field: a die on a checker the search sees no better."""
    pair = [DieSpot(place_px, EDGE_PX, 0.9) for place_px in (LEFT_HALF, ON_THE_BAR)]
    find_spots(monkeypatch, [*pair, DieSpot(at_px, times * EDGE_PX, 0.19)])
    tell_looks(monkeypatch, lambda _: answer())

    def glance_at(_: object, spot: DieSpot) -> Glance:
        if glanced is None:
            return Glance(np.log([0.9, 0.1, 1e-9]), spot)
        return Glance(SURELY_A_DIE, replace(spot, centre_px=glanced))

    monkeypatch.setattr(further_spots, "glance_at", glance_at)
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found


@pytest.mark.parametrize(("score", "found"), [(0.19, 2), (0.21, 3)])
def test_what_the_search_is_surer_of_is_looked_at_in_any_size(
    monkeypatch: pytest.MonkeyPatch, score: float, found: int
) -> None:
    """It is among the first places then."""
    pair = [DieSpot(place_px, EDGE_PX, 0.9) for place_px in (LEFT_HALF, ON_THE_BAR)]
    find_spots(monkeypatch, [*pair, DieSpot(RIGHT_HALF, 0.65 * EDGE_PX, score)])
    tell_looks(monkeypatch, lambda _: answer())
    monkeypatch.setattr(further_spots, "glance_at", lambda _, spot: Glance(SURELY_A_DIE, spot))
    assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found


@pytest.mark.parametrize(
    ("chances", "board", "dice", "likely_more"),
    [
        ((0.995, 0.995, 0.96), STRAIGHT_DOWN, 2, True),
        ((0.995, 0.995, 0.975), STRAIGHT_DOWN, 3, False),
        ((0.995, 0.96, 0.96), STRAIGHT_DOWN, 3, False),  # neither of them is the third one
        ((0.995, 0.96), STRAIGHT_DOWN, 2, False),
        ((0.995, 0.995, 0.995, 0.96), STRAIGHT_DOWN, 3, True),
        ((0.995, 0.995, 0.96), None, 3, False),  # dice on a table are no throw
    ],
)
def test_what_is_told_by_a_little_beside_a_whole_throw_is_a_question(
    monkeypatch: pytest.MonkeyPatch,
    chances: tuple[float, ...],
    board: KnownBoard | None,
    dice: int,
    *,
    likely_more: bool,
) -> None:
    """A glint on a checker looks so; a throw that counts without it is not refused, nor does it count."""
    places = [(LEFT_HALF[0] + 60.0 * number, LEFT_HALF[1]) for number in range(len(chances))]
    sure = dict(zip(places, chances, strict=True))

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> Look:
        kinds = np.log([1 - sure[spot.centre_px], sure[spot.centre_px], 1e-9])
        return Look(place_window(spot, board), answer_of(answer()), spot, kinds)

    find_spots(monkeypatch, [DieSpot(place_px, EDGE_PX, 0.9) for place_px in places])
    tell_finished_looks(monkeypatch, says)
    seen = read_dice(PICTURE, board)
    assert (len(seen.dice), seen.likely_more) == (dice, likely_more)


@pytest.mark.parametrize(
    ("chance", "face", "at_px", "times", "likely_more"),
    [
        (0.96, 0.9, RIGHT_HALF, 1.0, True),
        (0.93, 0.999, RIGHT_HALF, 1.0, True),  # of what the search sees plainly it would be told
        (0.89, 0.9, RIGHT_HALF, 1.0, False),
        (0.96, 0.9, LEFT_HALF, 1.0, False),
        (0.96, 0.9, RIGHT_HALF, 0.55, False),
    ],
)
def test_a_faint_die_that_hardly_shows_its_face_is_a_question_beside_a_throw(
    monkeypatch: pytest.MonkeyPatch,
    chance: float,
    face: float,
    at_px: tuple[float, float],
    times: float,
    *,
    likely_more: bool,
) -> None:
    """So far from the light on its checker that nobody can read it: no die is told there, and no throw counts beside it."""
    places = [LEFT_HALF, ON_THE_BAR]

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> Look:
        numbers = answer()
        if spot.centre_px not in places:
            numbers[FACE] = np.log([face, *[(1 - face) / 5] * 5])
            numbers[KIND] = np.log([1 - chance, chance, 1e-9])
            spot = DieSpot(at_px, times * EDGE_PX, spot.score)
        return Look(place_window(spot, STRAIGHT_DOWN), answer_of(numbers), spot, SURELY_A_DIE)

    pair = [DieSpot(place_px, EDGE_PX, 0.9) for place_px in places]
    find_spots(monkeypatch, [*pair, DieSpot(RIGHT_HALF, EDGE_PX, 0.19)])
    tell_finished_looks(monkeypatch, says)
    see_nothing_aside(monkeypatch)
    monkeypatch.setattr(further_spots, "glance_at", lambda _, spot: Glance(SURELY_A_DIE, spot))
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (len(seen.dice), seen.likely_more) == (2, likely_more)
