from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.rendered.scenes import CAMERA, drawn
from vision.training.rendered.exposure import (
    SensorSettings,
    develop,
    develop_part,
    distort,
    draw_sensor_settings,
    exposure_gain,
    metering_window,
)

PHOTO = SensorSettings(
    ev=0.0,
    red_gain=1.0,
    blue_gain=1.0,
    white_balance=1.0,
    noise=0.0,
    blur_px=0.3,
    vignette=0.0,
    sharpening=0.0,
    contrast=0.0,
    saturation=1.0,
    jpeg_quality=90,
)
WHOLE = (slice(None), slice(None))


def grey(photo: SensorSettings, colour: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> list[int]:
    """BGR of an even picture under lamps of that colour."""
    light = np.full((60, 80, 3), colour, np.float32)
    image = develop(light, photo, np.random.default_rng(1), metered=WHOLE, lamp_colour=colour)
    pixel: list[int] = image[30, 40].tolist()
    return pixel


def test_exposure_brings_an_even_picture_to_middle_grey() -> None:
    """Mean light of 0.19 is 121 in sRGB, a stop more is brighter, a stop less darker."""
    assert grey(PHOTO) == [121, 121, 121]
    assert grey(replace(PHOTO, ev=1.0))[0] > 150
    assert grey(replace(PHOTO, ev=-1.0))[0] < 100


def test_white_balance_takes_the_lamp_off() -> None:
    blue, green, red = grey(PHOTO, (1.4, 1.0, 0.5))
    assert max(blue, green, red) - min(blue, green, red) <= 1
    blue, green, red = grey(replace(PHOTO, white_balance=0.0), (1.4, 1.0, 0.5))
    assert red > green > blue


def test_a_straight_lens_only_crops() -> None:
    width, height = CAMERA.traced_size_px
    light = np.random.default_rng(1).uniform(0, 1, (height, width, 3)).astype(np.float32)
    top, left = (height - CAMERA.height_px) // 2, (width - CAMERA.width_px) // 2
    cropped = light[top : top + CAMERA.height_px, left : left + CAMERA.width_px]
    assert np.abs(distort(light, CAMERA) - cropped).max() < 1e-5


def test_a_spot_falls_where_the_camera_projects_it() -> None:
    for scene in drawn(5):
        camera = scene.camera.resize(320, 240)
        point = (0.3 * scene.table.size.field_width_mm, 0.3 * scene.table.size.field_height_mm, 0.0)
        width, height = camera.traced_size_px
        x, y = replace(camera, lens=(0.0, 0.0, 0.0, 0.0, 0.0)).project_one(point)
        rows, columns = np.mgrid[0:height, 0:width]
        away = (columns - (x - camera.centre_px[0] + (width - 1) / 2)) ** 2
        away = away + (rows - (y - camera.centre_px[1] + (height - 1) / 2)) ** 2
        light = np.repeat(np.exp(-away / 8)[..., None], 3, axis=2)
        seen = distort(light, camera)[..., 0]
        rows, columns = np.mgrid[0 : camera.height_px, 0 : camera.width_px]
        found = (columns * seen).sum() / seen.sum(), (rows * seen).sum() / seen.sum()
        assert found == pytest.approx(camera.project_one(point), abs=0.1)


def test_a_drawn_photo_is_in_range() -> None:
    for seed in range(50):
        photo = draw_sensor_settings(np.random.default_rng(seed))
        assert min(photo.red_gain, photo.blue_gain, photo.noise, photo.blur_px) > 0
        assert 0 <= photo.white_balance <= 1
        assert 0 <= photo.vignette <= 1


def test_a_part_is_developed_as_in_the_whole() -> None:
    """Away from its edges, with vignette, blur, bloom and sharpening, without noise."""
    light = np.random.default_rng(3).uniform(0, 0.5, (120, 160, 3)).astype(np.float32)
    light[50:54, 70:74] = 9.0
    photo = replace(PHOTO, vignette=0.4, sharpening=0.8, blur_px=1.5, contrast=0.4)
    whole = develop(light, photo, np.random.default_rng(1), metered=WHOLE, lamp_colour=(1.0, 1.0, 1.0))
    gain = exposure_gain(light, photo, (1.0, 1.0, 1.0))
    cut = light[20:100, 30:130]
    part = develop_part(cut, photo, np.random.default_rng(2), gain=gain, full_px=(160, 120), corner_px=(30, 20))
    assert np.abs(part[15:-15, 15:-15].astype(int) - whole[35:85, 45:115].astype(int)).max() <= 1


def test_exposure_is_metered_on_the_field_and_a_margin() -> None:
    field_px = np.array([(100.0, 60.0), (300.0, 50.0), (310.0, 200.0), (90.0, 210.0)])
    assert metering_window(field_px, (320, 240)) == (slice(30, 230), slice(70, 320))
    assert metering_window(field_px, (320, 240), 8) == (slice(3, 28), slice(8, 40))
