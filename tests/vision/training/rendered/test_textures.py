from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.rendered.scenes import SIZE, drawn
from vision.training.rendered.layout.board_size import Bar
from vision.training.rendered.layout.field_texture import paint_field_texture
from vision.training.rendered.layout.palette import Material, Surface, draw_any_wood
from vision.training.rendered.layout.textures import make_swatch

RED, GREEN, BLUE = (0.5, 0.02, 0.02), (0.02, 0.5, 0.02), (0.02, 0.02, 0.5)
EVEN = [surface for surface in Surface if surface not in (Surface.WOOD, Surface.STAIN, Surface.CHECKED)]


@pytest.mark.parametrize("surface", EVEN)
def test_a_swatch_has_the_colour_of_its_material(surface: Surface) -> None:
    """Within two fifths, since holes and veins darken some kinds."""
    piece = make_swatch(
        np.random.default_rng(1), Material(surface, (0.4, 0.2, 0.1)), width_mm=60, height_mm=40, px_per_mm=2.0
    )
    assert piece.albedo.shape == (80, 120, 3)
    assert piece.height.shape == (80, 120)
    assert piece.albedo.mean(axis=(0, 1)) == pytest.approx([0.4, 0.2, 0.1], rel=0.4)


def test_wood_lies_between_its_two_colours() -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        material = draw_any_wood(rng)
        assert material.wood is not None
        mean = make_swatch(rng, material, width_mm=100, height_mm=60, px_per_mm=2.0).albedo.mean(axis=(0, 1))
        early, late = np.array(material.wood.early), np.array(material.wood.late)
        assert (mean < 1.1 * np.maximum(early, late)).all()
        assert (mean > 0.5 * np.minimum(early, late)).all()


def plain(colour: tuple[float, float, float]) -> Material:
    return Material(Surface.PLAIN, colour)


def test_points_lie_where_the_board_has_them() -> None:
    style = replace(
        drawn(1)[0].style.field,
        ground=plain(RED),
        points=(plain(GREEN), plain(BLUE)),
        point_base=0.9,
        line_mm=0.0,
        ornament_leaves=0,
        wear=0.0,
    )
    piece = paint_field_texture(np.random.default_rng(1), SIZE, style, 2.0)
    assert piece.albedo.shape == (600, 800, 3)

    def at(x_mm: float, y_mm: float) -> int:
        return int(piece.albedo[int(2 * y_mm), int(2 * x_mm)].argmax())

    red, green, blue = 0, 1, 2
    assert [at(x, 10) for x in (15, 45, 75)] == [blue, green, blue]
    assert [at(x, 290) for x in (15, 45, 75)] == [green, blue, green]
    assert [at(x, 150) for x in (15, 100, 300)] == [red] * 3
    assert [at(15, y) for y in (100, 140)] == [blue, red]


def test_a_board_without_a_bar_has_a_fold() -> None:
    size = replace(SIZE, bar=Bar.NONE, bar_width_mm=6.0, bar_height_mm=0.0)
    style = replace(drawn(1)[0].style.field, ground=plain(RED), line_colour=BLUE, wear=0.0)
    piece = paint_field_texture(np.random.default_rng(1), size, style, 2.0)
    middle = piece.albedo[:, piece.albedo.shape[1] // 2]
    assert (middle.argmax(axis=1) == 2).all()
