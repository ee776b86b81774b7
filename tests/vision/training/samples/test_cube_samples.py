"""Samples for the network that reads the cube's number."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.known_dice import board_below, crop_with, flat_die
from vision.dice.cube_number import CUBE_VALUES
from vision.dice.windows import WINDOW_PX
from vision.training.samples import cube_samples as samples
from vision.training.samples.cube_samples import ORIENTATIONS, make_cube_samples

PIXELS = np.full((200, 300, 3), 90, np.uint8)


def test_a_cube_is_seen_turned_with_its_number() -> None:
    board = board_below(at_px=(150.0, 100.0))
    cube = replace(flat_die(board, (250.0, 200.0)), face=None, cube_value=16)
    crop = crop_with(flat_die(board, (275.0, 200.0)), cube, board=board, pixels=PIXELS)
    made = list(make_cube_samples(crop, np.random.default_rng(1)))
    assert [CUBE_VALUES[number] for _, number in made] == [16] * ORIENTATIONS
    assert {planes.shape for planes, _ in made} == {(3, WINDOW_PX, WINDOW_PX)}


def test_a_crop_without_one_makes_none() -> None:
    """A crop whose cube is hardly visible makes none either."""
    board = board_below(at_px=(150.0, 100.0))
    hidden = replace(flat_die(board, (250.0, 200.0)), face=None, cube_value=4, visible=0.3)
    for one in (flat_die(board, (250.0, 200.0)), hidden):
        assert not list(make_cube_samples(crop_with(one, board=board, pixels=PIXELS), np.random.default_rng(1)))


def test_no_number_is_mirrored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three coloured spots keep their order around the face's middle."""
    monkeypatch.setattr(samples, "augment_photo", lambda window, *_, **__: window)
    monkeypatch.setattr(samples, "DOWNSCALE_SHARE", 0.0)
    board = board_below(at_px=(150.0, 100.0))
    pixels = PIXELS.copy()
    for place, colour in (((100, 130), (0, 0, 255)), ((80, 150), (255, 0, 0)), ((100, 170), (0, 255, 0))):
        row, column = place
        pixels[row - 5 : row + 6, column - 5 : column + 6] = colour
    cube = replace(flat_die(board, (250.0, 200.0)), face=None, cube_value=2)
    cube = replace(cube, quad_px=((110.0, 60.0), (190.0, 60.0), (190.0, 140.0), (110.0, 140.0)))
    for seed in range(6):
        for planes, _ in make_cube_samples(crop_with(cube, board=board, pixels=pixels), np.random.default_rng(seed)):
            blue, green, red = (
                np.argwhere(plane - planes.mean(axis=0) > 0.5 * (plane - planes.mean(axis=0)).max()).mean(0)
                for plane in planes
            )
            (first_y, first_x), (second_y, second_x) = blue - red, green - blue
            assert first_x * second_y - first_y * second_x > 0
