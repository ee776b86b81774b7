"""The ground agrees with the labels, and a picture with unknown dice is refused."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.training.dice_grounds import HEIGHTS, plain_ground
from vision.simulated import compute_truth
from vision.simulated.scene import Scene
from vision.training.drawn_boards.scenes import random_scene
from vision.training.drawn_dice.ground import make_ground

SIZE_PX = (320, 240)


def _scene(number: int, seed: int = 1) -> Scene:
    """The scene that `draw_pictures` makes."""
    rng = np.random.default_rng([seed, number])
    rng.integers(4)
    rng.random()
    return random_scene(rng, size_px=SIZE_PX)


@pytest.mark.parametrize("number", range(6))
def test_checkers_and_dice_are_found_again_from_a_drawn_pictures_number(number: int) -> None:
    scene = _scene(number)
    ground = make_ground(Path(f"{number:06d}.jpg"), compute_truth(scene), np.random.default_rng(0))
    upright = [index for index, checker in enumerate(scene.checkers) if checker.lean == (0.0, 0.0)]
    centres = np.array([checker.centre_mm for checker in scene.checkers]).reshape(-1, 2)
    low = np.array([checker.height_mm for checker in scene.checkers])
    standing = [i for i in upright if abs(low[i] + scene.checker_thickness_mm - ground.tops_mm[i]) < 0.1]
    assert standing
    assert ground.centres_mm[standing] == pytest.approx(centres[standing], abs=0.5)
    assert ground.radii_mm[standing] == pytest.approx(scene.checker_diameter_mm / 2, rel=0.05)
    assert [tuple(thing[:2]) for thing in ground.things_mm[: len(scene.dice)]] == [die.centre_mm for die in scene.dice]


def test_a_picture_whose_dice_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="dice"):
        make_ground(Path("000001.jpg"), compute_truth(_scene(1, seed=2)), np.random.default_rng(0))


def test_ground_has_the_height_of_what_is_there() -> None:
    ground = plain_ground()
    places = {(100, 100): 0.0, (240, 100): HEIGHTS.bar_mm, (-5, 100): HEIGHTS.rim_mm, (-60, 100): HEIGHTS.table_mm}
    for place, height in places.items():
        assert ground.height_at(np.array(place)) == height
