"""The network that reads checkers, as the product runs it."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.simulated.played_tables import START, calibration_of, start, style
from vision.checkers.colour_classes import find_place
from vision.checkers.network import read_view
from vision.geometry.top_view import VIEW_HEIGHT_PX, VIEW_WIDTH_PX, view_map
from vision.places import POINTS
from vision.simulated.painter import Painter
from vision.simulated.scene import Colour


def test_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="not \\(416, 496, 3\\)"):
        read_view(np.zeros((100, 100, 3), np.uint8))


def test_the_answers_are_likelihoods() -> None:
    """Whatever the picture shows, each place's likelihoods add up to one and nothing is nan."""
    noise = np.random.default_rng(1).integers(0, 256, (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3)).astype(np.uint8)
    for view in (noise, np.zeros_like(noise), np.full_like(noise, 255)):
        reading = read_view(view)
        assert reading.points.shape == (24, 31)
        assert reading.visible.shape == (25,)
        assert np.exp(reading.points).sum(axis=1) == pytest.approx(np.ones(24), abs=1e-4)
        assert float(np.exp(reading.bar_light).sum()) == pytest.approx(1, abs=1e-4)
        assert float(np.exp(reading.bar_dark).sum()) == pytest.approx(1, abs=1e-4)
        assert ((reading.visible >= 0) & (reading.visible <= 1)).all()


def test_more_light_changes_nothing() -> None:
    """The pixels are brought to one mean and spread first: a darker exposure of the same board reads the same."""
    rng = np.random.default_rng(2)
    view = rng.integers(0, 120, (VIEW_HEIGHT_PX, VIEW_WIDTH_PX, 3)).astype(np.uint8)
    assert read_view(view).points == pytest.approx(read_view(view * 2).points, abs=1e-3)


@pytest.mark.parametrize("colour", [(1.0, 1.0, 1.0), (0.0, 1.0, 0.6), (1.0, 0.3, 0.0)])
def test_lit_leds_on_the_rim_are_no_faces(colour: Colour) -> None:
    table = style(5, (640, 480))
    known = calibration_of(table)
    lit = Painter(table).paint_frame(replace(start(), leds=(colour,) * 24), 1)
    seen = read_view(view_map(known.projection, known.field).warp(lit))
    faces = Counter(find_place(top.x_px, top.y_px) for top in seen.tops)
    assert faces == {place: len(START[name.value]) for place, name in enumerate(POINTS) if name.value in START}
