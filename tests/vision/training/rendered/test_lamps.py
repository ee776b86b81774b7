import numpy as np
import pytest

from vision.training.rendered.layout.lamps import (
    AreaLamp,
    LampShape,
    Lighting,
    LightingSetup,
    black_body_colour,
    draw_lighting,
)


def test_warm_light_is_red_and_cold_light_blue() -> None:
    warm, cold = black_body_colour(2700), black_body_colour(8000)
    assert warm[0] > 1 > warm[2]
    assert cold[2] > 1 > cold[0]
    assert warm[1] == cold[1] == 1


def test_a_lamp_twice_as_far_gives_a_quarter() -> None:
    near, far = (AreaLamp(LampShape.DISC, (0.0, 0.0, z), (50.0, 50.0), (1.0, 1.0, 1.0)) for z in (1000.0, 2000.0))
    eye = np.array([0.0, 0.0, 800.0])
    assert near.light_per_radiance(eye) == pytest.approx(4 * far.light_per_radiance(eye))


def test_every_setup_lights_the_table_from_above() -> None:
    drawn = [draw_lighting(np.random.default_rng(seed)) for seed in range(80)]
    assert {lighting.setup for lighting in drawn} == set(LightingSetup)
    for lighting in drawn:
        assert len(lighting.lamps) == (2 if lighting.setup is LightingSetup.TWO_LAMPS else 1)
        assert all(lamp.shape is LampShape.RING or lamp.centre_mm[2] > 0 for lamp in lighting.lamps)
        assert lighting.room_power > 0


def test_the_mean_colour_is_that_of_all_light() -> None:
    """A red lamp in a grey room of equal power is half red."""
    lamp = AreaLamp(LampShape.DISC, (0.0, 0.0, 1000.0), (50.0, 50.0), (2.0, 1.0, 0.0))
    lighting = Lighting(LightingSetup.CEILING_LAMP, (lamp,), ambient=1.0, ambient_colour=(1.0, 1.0, 1.0))
    assert lighting.mean_colour == (3.0, 2.0, 1.0)
