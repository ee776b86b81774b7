"""Random tables are completely in the picture, readable, and disjoint from what training draws."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from tests.vision.simulated.played_tables import calibration_of, style
from vision.simulated.checker_spots import require_board
from vision.simulated.drawing.checkers import top_luma
from vision.simulated.drawing.optics import distort, pinhole_view
from vision.simulated.drawing.painting import rectangle_mm
from vision.simulated.drawing.walls import outer_mm
from vision.simulated.scene import PointShape, Scene, SurfacePattern
from vision.simulated.scene_building import project_field
from vision.simulated.table_styles import PIP_SPREAD, table_style
from vision.training.drawn_boards import boards
from vision.training.drawn_boards.scenes import random_scene
from vision.training.drawn_dice.appearances import random_pips

SEEDS = range(40)
TRAINED = 30  # scenes of training that ours are compared with
ONLY_HERE = {SurfacePattern.BURL, SurfacePattern.TWILL, SurfacePattern.TERRAZZO, SurfacePattern.SWIRL}


@cache
def trained(seed: int) -> Scene:
    return random_scene(np.random.default_rng(seed), size_px=(160, 120))


def materials_of(scene: Scene) -> set[SurfacePattern]:
    assert scene.board is not None
    board = scene.board
    surfaces = (board.field, board.points.first, board.points.second, board.bar, board.rim, board.inner)
    return {one.material for one in (*surfaces, scene.light.finish, scene.dark.finish, scene.table)}


@pytest.mark.broad
def test_training_draws_none_of_our_points() -> None:
    ours = {require_board(style(seed)).points.shape for seed in SEEDS}
    assert ours == {PointShape.BOTTLE, PointShape.STEPPED}
    assert not ours & set(boards.SHAPES)
    assert not ours & {board.points.shape for seed in range(TRAINED) if (board := trained(seed).board) is not None}


def test_training_draws_none_of_our_materials() -> None:
    assert set().union(*(materials_of(style(seed).scene) for seed in SEEDS)) == ONLY_HERE
    assert not ONLY_HERE & set().union(*(materials_of(trained(seed)) for seed in range(TRAINED)))


def test_training_draws_no_dice_like_ours() -> None:
    """Our pips are wider apart than any of `random_pips`, and than those of drawn scenes."""
    rng = np.random.default_rng(5)
    theirs = max(random_pips(rng).spread for _ in range(2000))
    ours = [die.marks.spread for seed in SEEDS for die in style(seed).dice]
    assert min(ours) >= PIP_SPREAD[0] > theirs
    assert all(die.marks is None for seed in range(TRAINED) for die in trained(seed).dice)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_fits_the_picture(seed: int) -> None:
    """Rim and table beside it are visible; a die's edge has 16 px or more at 640 x 480."""
    table = style(seed)
    board, camera = require_board(table), table.scene.camera
    left, top, right, bottom = outer_mm(board)
    rim = rectangle_mm((left, top), (right, bottom), board.rim_height_mm)
    seen = distort(camera, pinhole_view(camera).project(rim))
    assert (seen > 0).all()
    assert (seen < np.array(camera.size_px) - 1).all()
    width, height = board.field_mm
    scales = [pinhole_view(camera).px_per_mm(x, y) for x in (0.0, width) for y in (0.0, height)]
    assert all(min(scales) * die.size_mm > 16 for die in table.dice)
    assert all(14 <= die.size_mm <= 18 for die in table.dice)


@pytest.mark.parametrize("seed", SEEDS)
def test_light_checkers_are_lighter(seed: int) -> None:
    scene = style(seed).scene
    assert top_luma(scene.light) > top_luma(scene.dark) + 0.15


def test_the_same_seed_is_the_same_table_at_every_size() -> None:
    small, large = table_style(3), table_style(3, (1280, 960))
    assert small == table_style(3)
    assert small != table_style(4)
    assert small.scene.board == large.scene.board
    assert small.dice == large.dice
    assert small.bottom == large.bottom
    corners = np.array(project_field(small).corners_px)
    assert np.allclose(np.array(project_field(large).corners_px), 2 * corners + 0.5, atol=1.0)


def test_leds_lie_on_the_rim_at_their_points() -> None:
    table = style(6)
    board, leds = require_board(table), table.scene.leds
    assert len(leds) == 24
    assert all(led.at_mm[2] == board.rim_height_mm and led.colour is None for led in leds)
    assert all(-board.rim_width_mm < led.at_mm[1] < 0 for led in leds[:12])
    assert all(0 < led.at_mm[1] - board.field_mm[1] < board.rim_width_mm for led in leds[12:])
    for row in (leds[:12], leds[12:]):
        assert [led.at_mm[0] for led in row] == [board.point_x_mm(column) for column in range(12)]
        assert all(a.at_mm[0] < b.at_mm[0] for a, b in pairwise(row))


@pytest.mark.parametrize("seed", range(8))
def test_the_field_in_the_picture_is_exact(seed: int) -> None:
    """The perfect calibration projects points at any height as the scene's camera does."""
    table = style(seed)
    camera, board = table.scene.camera, require_board(table)
    points = np.random.default_rng(seed).uniform((0, 0, 0), (*board.field_mm, 20), (30, 3))
    seen = distort(camera, pinhole_view(camera).project(points))
    known = calibration_of(table).projection.to_picture(points[:, :2], points[:, 2])
    assert np.abs(seen - known).max() < 0.01
    assert np.allclose(calibration_of(table).field.corners_mm[2], board.field_mm)
