from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.training.rendered.scenes import SIZE
from vision.training.rendered.dice_windows.styles import (
    StyleSet,
    draw_die_materials,
    draw_named_light,
    draw_style,
    hue_deg,
    is_held_out,
    is_held_out_colour,
)
from vision.training.rendered.layout.lamps import LightingSetup
from vision.training.rendered.layout.palette import Material, Surface, draw_wood
from vision.training.rendered.tracing.arrays import Colour

SEEDS = st.integers(0, 10_000)
STYLES = st.sampled_from(StyleSet)


@pytest.mark.parametrize(
    ("colour", "hue"),
    [
        ((0.6, 0.0, 0.0), 0.0),
        ((0.6, 0.6, 0.0), 60.0),
        ((0.0, 0.4, 0.0), 120.0),
        ((0.0, 0.2, 0.2), 180.0),
        ((0.0, 0.0, 0.9), 240.0),
        ((0.5, 0.0, 0.5), 300.0),
        ((0.3, 0.3, 0.3), 0.0),
    ],
)
def test_hues_go_around_from_red(colour: Colour, hue: float) -> None:
    assert hue_deg(colour) == pytest.approx(hue)


def test_green_and_middle_grey_are_held_apart() -> None:
    assert is_held_out_colour((0.05, 0.5, 0.1))
    assert is_held_out_colour((0.22, 0.22, 0.22))
    assert not any(map(is_held_out_colour, ((0.5, 0.03, 0.02), (0.8, 0.8, 0.78), (0.008, 0.008, 0.008))))


@given(SEEDS)
def test_woods_are_separated_by_their_green(seed: int) -> None:
    timber = draw_wood(np.random.default_rng(seed), is_light=False)
    assert timber.wood is not None
    red, _, blue = timber.wood.early
    reddish, greenish = (
        Material(Surface.WOOD, timber.colour, replace(timber.wood, early=(red, red * share, blue)))
        for share in (0.5, 0.55)
    )
    assert is_held_out(reddish)
    assert not is_held_out(greenish)


@pytest.mark.parametrize("styles", StyleSet)
@pytest.mark.parametrize("seed", range(4))
def test_no_board_mixes_the_styles(styles: StyleSet, seed: int) -> None:
    style = draw_style(np.random.default_rng(seed), SIZE, styles)
    materials = [style.field.ground, *style.field.points, style.frame.rim, style.frame.bar]
    materials += [*style.pieces.checkers, style.table]
    assert {is_held_out(material) for material in materials} == {styles is StyleSet.HELD_APART}
    assert is_held_out_colour(style.pieces.cube) is (styles is StyleSet.HELD_APART)


@given(SEEDS, STYLES)
def test_no_die_has_both_kinds_of_traits(seed: int, styles: StyleSet) -> None:
    materials = draw_die_materials(np.random.default_rng(seed), styles)
    is_usual = (
        0.075 <= materials.pip_radius <= 0.11,
        0.23 <= materials.pip_gap <= 0.28,
        0.05 <= materials.rounding <= 0.2,
        0.08 <= materials.roughness <= 0.4,
        not is_held_out(materials.body),
    )
    assert set(is_usual) == {styles is StyleSet.TRAINING}
    assert materials.pip_radius < materials.pip_gap / 2 + 0.01  # pips of a six stay apart, but for a hair
    assert abs(Material(Surface.PLAIN, materials.pips).luma() - materials.body.luma()) > 0.1


@given(SEEDS, STYLES)
def test_lamps_of_the_two_sets_differ_in_colour(seed: int, styles: StyleSet) -> None:
    name, lighting = draw_named_light(np.random.default_rng(seed), styles)
    if styles is StyleSet.TRAINING:
        assert name in {setup.value for setup in LightingSetup}
        return
    assert name in ("desk_lamp", "two_windows", "spot_row")
    for lamp in lighting.lamps:
        red, _, blue = lamp.colour
        assert red / blue > 4.5 or red / blue < 0.75
        assert lamp.centre_mm[2] > 300
