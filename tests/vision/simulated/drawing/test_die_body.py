"""Dice at any orientation: their corners, their upper face, and their pips in pictures."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.simulated.played_tables import style, upper_value
from vision.simulated.drawing.die_body import corners_mm, rotation_of
from vision.simulated.drawing.draw import draw
from vision.simulated.scene import Die, PipMarks
from vision.simulated.scene_building import build_scene, make_die
from vision.simulated.tabletop import Arrangement, DiePose

pytestmark = pytest.mark.broad

MARKS = PipMarks(0.62, 0.18, 0.2)
degrees = st.floats(-720, 720)


def die(yaw_deg: float = 0.0, tilt_deg: float = 0.0, way_deg: float = 0.0) -> Die:
    body, pip = (0.9, 0.9, 0.9), (0.1, 0.1, 0.1)
    return Die((50.0, 60.0), 10.0, yaw_deg, (1, 2, 3), body, pip, tilt_deg=tilt_deg, way_deg=way_deg, marks=MARKS)


@given(degrees, degrees, degrees)
def test_a_turned_die_stays_a_cube_that_rests_on_its_lowest_corner(yaw: float, tilt: float, way: float) -> None:
    turned = rotation_of(die(yaw, tilt, way))
    corners = corners_mm(replace(die(yaw, tilt, way), height_mm=7.0))
    assert np.allclose(turned @ turned.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(turned) == pytest.approx(1.0)
    assert corners[:, 2].min() == pytest.approx(7.0)
    assert np.allclose(corners[:, :2].mean(0), (50.0, 60.0))


@pytest.mark.parametrize(
    ("tilt_deg", "way_deg", "value"),
    [(0, 0, 1), (40, 123, 1), (90, 180, 2), (90, 0, 5), (90, 270, 3), (90, 90, 4), (180, 77, 6), (360, 12, 1)],
)
def test_rolling_brings_another_face_up(tilt_deg: float, way_deg: float, value: int) -> None:
    """Up 1, towards x 2, towards y 3: rolled towards -x the 2 comes up, towards -y the 3, upside down the 6."""
    assert upper_value(die(tilt_deg=tilt_deg, way_deg=way_deg)) == value


@pytest.mark.parametrize("number", [0, 2])
def test_all_lying_dice_of_a_number_are_the_same_die(number: int) -> None:
    """1, 2 and 3 have the same sense of rotation, whichever face is up."""
    die_style = style(3).dice[number]
    turns = set()
    for up in range(1, 7):
        faces = make_die(die_style, DiePose(number, up, (0.0, 0.0))).faces
        axes = {faces[0]: (0, 0, 1), faces[1]: (1, 0, 0), faces[2]: (0, 1, 0)}
        axes |= {7 - value: (-x, -y, -z) for value, (x, y, z) in axes.items()}
        turns.add(round(float(np.linalg.det(np.array([axes[value] for value in (1, 2, 3)], float)))))
    # The board's frame is left-handed: seen from outside, 1 means clockwise.
    assert turns == ({-1} if die_style.is_western else {1})


def pips_seen(lying: DiePose) -> int:
    """Dark spots on a light die in a large picture without noise."""
    table = style(0, (1280, 960))
    photo = replace(table.scene.photo, shot_noise=0.0, read_noise=0.0, defocus_px=0.0, jpeg=101)
    plain = replace(table.dice[0], body=(0.95, 0.95, 0.95), pip=(0.02, 0.02, 0.02), marks=MARKS, size_mm=30.0)
    table = replace(table, scene=replace(table.scene, photo=photo), dice=(plain,))
    scene = build_scene(table, Arrangement(dice=(lying,)))
    overhead = replace(scene.camera, rotation=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), k1=0.0)
    x, y = lying.centre_mm
    overhead = replace(overhead, translation_mm=(-x, -y, 600.0), centre_px=(639.5, 479.5), focal_px=1300.0)
    picture = draw(replace(scene, camera=overhead, ambient=(1.0, 1.0, 1.0), lamps=()))
    part = picture[450:510, 610:670].max(2)
    spots: int = cv2.connectedComponents((part < 0.5 * part.max()).astype(np.uint8))[0]
    return spots - 1


@pytest.mark.parametrize("up", [1, 2, 3, 4, 5, 6])
def test_the_upper_face_is_drawn_with_its_pips(up: int) -> None:
    assert pips_seen(DiePose(0, up, (110.0, 180.0))) == up


def test_a_die_on_its_side_shows_the_pips_of_that_side() -> None:
    """The face towards -x of (6, 5, 3) is the 2; rolled towards +x it comes up."""
    assert pips_seen(DiePose(0, 6, (110.0, 180.0), 0.0, 90.0, 0.0)) == (
        upper_value(make_die(style(0).dice[0], DiePose(0, 6, (0.0, 0.0), 0.0, 90.0, 0.0)))
    )
