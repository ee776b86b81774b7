import numpy as np
import pytest

from vision.training.rendered.layout.palette import (
    Surface,
    draw_checkers,
    draw_colour,
    draw_die,
    draw_point_colours,
    luma,
)


def test_luma_of_known_colours() -> None:
    """Black is 0, white 1, and pure green outshines red, which outshines blue, by the weights of Rec. 709."""
    assert luma((0, 0, 0)) == pytest.approx(0, abs=1e-6)
    assert luma((1, 1, 1)) == pytest.approx(1)
    assert [round(luma(colour), 3) for colour in ((1, 0, 0), (0, 1, 0), (0, 0, 1))] == [0.213, 0.715, 0.072]


def test_the_light_checker_is_the_brighter() -> None:
    for seed in range(300):
        light, dark = draw_checkers(np.random.default_rng(seed))
        assert light.luma() > 1.05 * dark.luma()


def test_some_pairs_are_alike_in_brightness() -> None:
    pairs = [draw_checkers(np.random.default_rng(seed)) for seed in range(300)]
    assert sum(light.luma() < 1.3 * dark.luma() for light, dark in pairs) >= 10


def test_colours_are_those_of_real_surfaces() -> None:
    rng = np.random.default_rng(1)
    colours = [draw_colour(rng, 0.001, 2.0) for _ in range(200)]
    colours += [colour for _ in range(100) for colour in draw_point_colours(rng)]
    assert min(map(min, colours)) >= 0.004
    assert max(map(max, colours)) <= 0.82


def test_pips_stand_out_from_their_die() -> None:
    for seed in range(200):
        body, pip = draw_die(np.random.default_rng(seed))
        assert abs(body.luma() - luma(pip)) > 0.15
        assert body.wood is not None or body.surface is not Surface.WOOD
