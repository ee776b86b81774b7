import numpy as np
import pytest

from tests.vision.training.rendered.scenes import CAMERA, drawn
from vision.training.rendered.layout.board_shape import field_corners


def test_every_camera_sees_the_field() -> None:
    for scene in drawn(60):
        seen = scene.camera.project(field_corners(scene.table.size))
        assert seen.min() > 10
        assert (seen < (scene.camera.width_px - 10, scene.camera.height_px - 10)).all()


def test_a_camera_straight_above_sees_a_pixel_a_millimetre() -> None:
    """From 800 mm with a focal length of 800 px, 100 mm right is 100 px right and 50 mm away is 50 px up."""
    assert CAMERA.project_one((0, 0, 0)) == (319.5, 239.5)
    assert CAMERA.project_one((100, 50, 0)) == (419.5, 189.5)
    assert CAMERA.eye_mm.tolist() == [0, 0, 800]


def test_the_lens_is_undone() -> None:
    for scene in drawn(20):
        camera = scene.camera
        x, y = np.meshgrid(np.linspace(0, camera.width_px - 1, 9), np.linspace(0, camera.height_px - 1, 7))
        pixels = np.column_stack([x.ravel(), y.ravel()])
        rays = np.column_stack([camera.undistort(pixels), np.ones(len(pixels))])
        world = (rays - camera.shift_mm) @ camera.rotation
        assert np.abs(camera.project(world) - pixels).max() < 0.01


def test_a_smaller_picture_shows_the_same() -> None:
    small = CAMERA.resize(320, 240)
    x, y = CAMERA.project_one((100, 50, 0))
    assert small.project_one((100, 50, 0)) == pytest.approx(((x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5))


def test_the_traced_picture_covers_the_distorted_one() -> None:
    for scene in drawn(10):
        camera = scene.camera
        width, height = camera.traced_size_px
        corners = [(a, b) for a in (0, camera.width_px - 1) for b in (0, camera.height_px - 1)]
        source = np.abs(camera.undistort(corners)) * camera.focal_px
        assert (source < (width / 2, height / 2)).all()
