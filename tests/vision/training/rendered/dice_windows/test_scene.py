from functools import cache

import numpy as np
import pytest

from vision.training.rendered.dice_windows.scene import (
    DiceScene,
    DiceWindow,
    RestingDie,
    die_edge_px,
    draw_dice_scene,
    draw_windows,
)
from vision.training.rendered.dice_windows.styles import StyleSet
from vision.training.rendered.layout.board_style import TurnedProfile
from vision.training.rendered.layout.dice_state import judge_die
from vision.training.rendered.scene import RenderedTable
from vision.training.rendered.tracing.arrays import Floats

COUNT = 12


def in_a_row(_rng: np.random.Generator, table: RenderedTable, _eye_mm: Floats, count: int) -> tuple[RestingDie, ...]:
    """Flat on the field, evenly along its middle line."""
    size = table.size
    found = []
    for share in np.linspace(-0.45, 0.45, count).tolist():
        centre = np.array([share * size.field_width_mm, 0.0, size.die_mm / 2])
        die = judge_die(centre, np.eye(3), frozenset({"floor"}), size=size, shape=table.shape)
        found.append(RestingDie(die, frozenset({"floor"})))
    return tuple(found)


@cache
def scenes() -> tuple[DiceScene, ...]:
    return tuple(draw_dice_scene(seed, in_a_row, StyleSet.TRAINING) for seed in range(COUNT))


def windows(dice_scene: DiceScene) -> tuple[DiceWindow, ...]:
    return draw_windows(np.random.default_rng(dice_scene.scene.seed), dice_scene)


@pytest.mark.parametrize("order", range(COUNT))
def test_windows_lie_on_the_grid_of_jpeg(order: int) -> None:
    dice_scene = scenes()[order]
    camera = dice_scene.camera
    for window in windows(dice_scene):
        assert window.x_px % 16 == window.y_px % 16 == window.side_px % 16 == 0
        assert 0 <= window.x_px <= camera.width_px - window.side_px
        assert 0 <= window.y_px <= camera.height_px - window.side_px
        assert window.side_px >= 96
        if window.order is not None:
            centre = np.array(dice_scene.scene.dice[window.order].centre_mm)
            edge = die_edge_px(camera, centre, dice_scene.scene.table.size.die_mm)
            assert window.side_px > 4 * edge


@pytest.mark.parametrize("order", range(COUNT))
def test_every_die_in_view_has_a_window_and_empty_ones_have_none(order: int) -> None:
    dice_scene = scenes()[order]
    camera = dice_scene.camera
    pixels = camera.project([die.centre_mm for die in dice_scene.scene.dice])
    found = windows(dice_scene)
    assert [window.order for window in found if window.about == "die"] == np.nonzero(camera.sees(pixels))[0].tolist()
    for window in found:
        inside = (pixels >= (window.x_px, window.y_px)) & (
            pixels < np.array([window.x_px, window.y_px]) + window.side_px
        )
        held = set(np.nonzero(inside.all(axis=1))[0].tolist())
        assert window.order in held if window.order is not None else window.about == "cube" or not held


def test_boards_fit_their_dice() -> None:
    in_range = 0
    for dice_scene in scenes():
        size = dice_scene.scene.table.size
        assert 9 <= size.die_mm <= 16
        assert size.die_mm < 0.48 * size.checker_mm
        in_range += 16 <= die_edge_px(dice_scene.camera, np.zeros(3), size.die_mm) <= 45
    assert in_range >= 0.75 * COUNT


def test_a_cube_on_the_field_stands_clear() -> None:
    """The points that it takes are empty in the position too."""
    found = 0
    for seed in range(60):
        scene = draw_dice_scene(seed, in_a_row, StyleSet.TRAINING).scene
        cube, size = scene.table.cube, scene.table.size
        if cube is None or cube.spot != "field":
            continue
        found += 1
        apart = [np.hypot(*(np.array(checker.base_mm[:2]) - cube.centre_mm[:2])) for checker in scene.table.checkers]
        assert all(distance > size.checker_mm / 2 + size.cube_mm / 2 for distance in apart)
        standing = {checker.place for checker in scene.table.checkers if checker.is_on_point}
        assert standing == set(scene.position.points)
    assert found


def test_both_styles_share_what_is_not_style() -> None:
    for seed in range(3):
        usual, apart = (draw_dice_scene(seed, in_a_row, styles).scene for styles in StyleSet)
        assert usual.table.size == apart.table.size
        assert usual.position == apart.position
        assert sum(led.light is not None for led in usual.leds) <= 1


def test_checkers_that_lean_are_common() -> None:
    """At least every fourth scene has a leaning row."""
    leaning = [any(checker.is_leaning for checker in one.scene.table.checkers) for one in scenes()]
    assert sum(leaning) >= COUNT / 4


def test_glossy_checkers_below_small_lamps_are_common() -> None:
    """Where they are, more windows show neither die nor cube."""
    glinting = [draw_dice_scene(seed, in_a_row, StyleSet.TRAINING) for seed in range(3 * COUNT)]
    glinting = [dice_scene for dice_scene in glinting if dice_scene.has_glints]
    assert len(glinting) >= COUNT / 4
    for dice_scene in glinting:
        scene = dice_scene.scene
        assert scene.style.pieces.checker_roughness < 0.2
        assert scene.style.pieces.profile is not TurnedProfile.PLAIN
        assert len(scene.lighting.lamps) >= 2
        assert all(max(lamp.half_mm) <= 140 for lamp in scene.lighting.lamps)
    usual = [sum(window.about == "none" for window in windows(one)) for one in scenes() if not one.has_glints]
    more = [sum(window.about == "none" for window in windows(one)) for one in glinting]
    assert np.mean(more) > np.mean(usual) + 1
