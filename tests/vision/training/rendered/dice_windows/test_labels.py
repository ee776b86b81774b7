import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.training.rendered.scenes import CAMERA, SIZE, made_by_hand
from vision.training.rendered.dice_windows.labels import make_windows_label, upper_normal
from vision.training.rendered.dice_windows.scene import DiceScene, DiceWindow, RestingDie
from vision.training.rendered.dice_windows.styles import StyleSet, draw_die_materials
from vision.training.rendered.difficulty import Glare
from vision.training.rendered.layout.board_shape import build_board_shape
from vision.training.rendered.layout.dice_state import judge_die
from vision.training.rendered.layout.rotations import about
from vision.training.rendered.scene import RenderedCube
from vision.training.rendered.tracing.arrays import Flags, Floats

FLAT = np.array([100.0, 50.0, 7.0])
TILTED = np.array([-60.0, -20.0, 10.0])


def all_seen(points_mm: Floats) -> Flags:
    return np.ones(len(points_mm), bool)


def resting(centre_mm: Floats, rotation: Floats, *touched: str) -> RestingDie:
    die = judge_die(centre_mm, rotation, frozenset(touched), size=SIZE, shape=build_board_shape(SIZE))
    return RestingDie(die, frozenset(touched))


def labelled() -> dict[str, Any]:
    """A flat die, a die that leans by 30 degrees to the right on a checker and the bar, and a cube, in two windows."""
    dice = (
        resting(FLAT, np.eye(3), "floor"),
        resting(TILTED, about((0, 1, 0), np.radians(30)), "checker1", "bar_left", "die0"),
    )
    materials = tuple(draw_die_materials(np.random.default_rng(seed), StyleSet.TRAINING) for seed in range(2))
    scene = made_by_hand()
    pieces = replace(
        scene.style.pieces, dice=tuple(one.body for one in materials), pips=tuple(one.pips for one in materials)
    )
    table = replace(scene.table, cube=RenderedCube("field", (-150.0, 0.0, 13.0), 0.0, 1, 8))
    scene = replace(scene, dice=tuple(one.die for one in dice), style=replace(scene.style, pieces=pieces), table=table)
    dice_scene = DiceScene(scene, CAMERA, dice, materials, StyleSet.TRAINING, "ceiling_lamp")
    windows = (DiceWindow("die", 0, 368, 144, 96), DiceWindow("cube", None, 128, 192, 96))
    written = make_windows_label(dice_scene, windows, all_seen, Glare(0.0, (0.25, 0.0)), "0007")
    read: dict[str, Any] = json.loads(json.dumps(written))
    return read


def test_the_normal_of_a_flat_die_is_vertical() -> None:
    """At 100 right of and 50 above the middle of a field of 400 x 300: base at (300, 100) on the board, normal up."""
    flat = labelled()["dice"][0]
    assert flat["normal"] == [0, 0, 1]
    assert flat["base_mm"] == [300, 100]
    assert flat["base_height_mm"] == 0
    assert (flat["state"], flat["value"], flat["touches"], flat["touched"]) == ("flat", 1, ["floor"], {})
    assert flat["burnt"] == 0.25


def test_a_leaning_die_says_which_way_and_on_what() -> None:
    leaning = labelled()["dice"][1]
    assert leaning["normal"] == pytest.approx([0.5, 0, np.sqrt(0.75)], abs=1e-4)
    assert leaning["base_mm"] == pytest.approx([200 - 60 - 3.5, 170], abs=0.01)
    assert leaning["base_height_mm"] == pytest.approx(10 - 7 * np.sqrt(0.75), abs=0.01)
    assert leaning["touches"] == ["bar", "checker", "die"]
    assert leaning["touched"] == {"checker": [1], "die": [0]}
    assert (leaning["state"], leaning["value"]) == ("cocked", None)


def test_normals_point_down_the_board_where_y_falls() -> None:
    towards = resting(FLAT, about((1, 0, 0), np.radians(20)), "floor").die
    assert upper_normal(towards)[1] > 0.3


def test_windows_name_what_is_in_them() -> None:
    read = labelled()
    first, second = read["windows"]
    assert [window["image"] for window in read["windows"]] == ["0007_0.jpg", "0007_1.jpg"]
    assert (first["dice"], first["cube"], first["die"]) == ([0], False, 0)
    assert (second["dice"], second["cube"], second["die"]) == ([], True, None)
    assert (first["x"], first["y"], first["width"], first["height"]) == (368, 144, 96, 96)


def test_the_cube_has_the_outline_of_its_top() -> None:
    """26 mm wide at a height of 26 mm under a camera at 800: 26.87 px, square to the picture."""
    cube = labelled()["cube"]
    quad = np.array(cube["quad_px"])
    assert np.ptp(quad, axis=0) == pytest.approx([26 * 800 / 774] * 2, abs=0.02)
    assert quad.mean(axis=0) == pytest.approx(cube["top_centre_px"], abs=0.02)
    assert cube["value"] == 8


def test_whole_pictures_say_no_less_of_a_die() -> None:
    read = labelled()
    known = {"value", "state", "half", "centre_px", "top_centre_px", "tilt_deg", "quad_px", "up_face", "place"}
    assert known | {"visible", "burnt", "centre_mm", "in_image"} <= set(read["dice"][0])
    assert read["dice"][0]["centre_px"] == pytest.approx([319.5 + 100 * 800 / 793, 239.5 - 50 * 800 / 793], abs=0.01)
    assert "roll" not in read
    assert read["styles"] == "training"
