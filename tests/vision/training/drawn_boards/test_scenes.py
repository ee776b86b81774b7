"""Random scenes can be drawn and labelled, and light is the lighter side."""

from functools import cache

import numpy as np
import pytest

from vision.simulated import Scene, TableTruth, compute_truth, draw
from vision.simulated.drawing.checkers import top_luma
from vision.training.drawn_boards.scenes import random_negative, random_scene

pytestmark = pytest.mark.broad

SMALL = (160, 120)


@cache
def small_scene(seed: int) -> Scene:
    return random_scene(np.random.default_rng(seed), size_px=SMALL)


@cache
def small_truth(seed: int) -> TableTruth:
    return compute_truth(small_scene(seed))


def test_many_scenes_can_be_made_and_labelled(full_counts: bool) -> None:
    """Finite corners, one colour for each point, nearly all boards whole in the picture."""
    whole = 0
    count = 200 if full_counts else 80
    for seed in range(count):
        scene = small_scene(seed)
        if seed % 4:
            continue  # that it could be made is enough; the labels cost more than the scene
        truth = small_truth(seed)
        corners = np.array(truth.field_corners_px)
        whole += int((corners > -1).all() and (corners < np.array(SMALL) + 1).all())
        standing = [checker for checker in scene.checkers if checker.place not in ("bar", "off")]
        assert sum(place.count for place in truth.places) == len(standing)
        assert len({(checker.place, checker.side) for checker in standing}) == len({c.place for c in standing})
        assert all(0 <= place.occluded <= 1 for place in truth.places)
        assert all(0 <= checker.visible <= 1 and checker.radius_px > 0 for checker in truth.checkers)
    assert whole >= 0.8 * count / 4


def test_light_is_the_lighter_side() -> None:
    for seed in range(15):
        scene = small_scene(seed)
        assert top_luma(scene.light) > top_luma(scene.dark)


def test_corners_go_round_from_the_top_left() -> None:
    for seed in range(25):
        a, b, c, d = np.array(small_truth(seed).field_corners_px)
        across, down = b - a, d - a
        assert across[0] * down[1] - across[1] * down[0] > 0, "seen in a mirror"
        assert (c - a)[0] + (c - a)[1] > 0 or abs(across[1]) > abs(across[0])


def test_pictures_are_of_the_size_asked_for(full_counts: bool) -> None:
    for seed in range(9 if full_counts else 4):
        rng = np.random.default_rng(seed)
        scene = (random_negative if seed % 4 == 3 else random_scene)(rng, size_px=SMALL)
        picture = draw(scene)
        assert picture.shape == (SMALL[1], SMALL[0], 3)
        assert picture.dtype == np.uint8


def test_a_seed_names_one_scene() -> None:
    one, same = (random_scene(np.random.default_rng(5), size_px=SMALL) for _ in range(2))
    assert one == same
    assert random_negative(np.random.default_rng(5)) == random_negative(np.random.default_rng(5))


def test_rows_stand_aside_only_towards_bare_points() -> None:
    """By up to two fifths of a point; towards a neighbour's row by no more than its own room."""
    asides = []
    for seed in range(60):
        scene = random_scene(np.random.default_rng([17, seed]))
        assert scene.board is not None
        taken = {checker.place for checker in scene.checkers}
        for checker in scene.checkers:
            if checker.place in ("bar", "off"):
                continue
            column = int(checker.place[1:]) - 1
            aside = (checker.centre_mm[0] - scene.board.point_x_mm(column)) / scene.board.pitch_mm
            way = 1 if aside > 0 else -1
            beside = f"{checker.place[0]}{column + way + 1}"
            is_free = column % 6 + way in range(6) and beside not in taken
            asides.append(abs(aside))
            assert abs(aside) < (0.8 if is_free else 0.4)
    assert sum(aside > 0.2 for aside in asides) > 20
