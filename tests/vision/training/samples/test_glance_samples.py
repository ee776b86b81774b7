"""What the glance is told of a window."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.known_dice import board_below, crop_with, flat_die, shown
from vision.dice.classifier import ObjectClass
from vision.dice.proposals import CHECK_EDGES, CHECK_PX
from vision.training.samples import proposal_samples
from vision.training.samples.dice_samples import IGNORED, downscale_crop
from vision.training.samples.proposal_samples import augment_filter_orientation, make_proposal_filter_sample


@pytest.fixture
def plain_light(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposal_samples, "augment_photo", lambda picture, *_, **__: picture)


@pytest.mark.usefixtures("plain_light")
def test_answers_turn_with_the_window() -> None:
    """Near or far, whichever way it is turned: a bright top is where the sample says, and as large."""
    board = board_below()
    die = flat_die(board, (250.0, 200.0))
    pixels = shown(die)
    seen = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sample = augment_filter_orientation(
            make_proposal_filter_sample(crop_with(die, board=board, pixels=pixels), rng), rng
        )
        assert sample.window.shape == (3, CHECK_PX, CHECK_PX)
        is_whole = np.abs(sample.shape[:2]).max() + np.exp(sample.shape[2]) / 2 < CHECK_EDGES / 2
        if sample.kind != ObjectClass.DIE.value or not is_whole:
            continue
        an_edge = CHECK_PX / CHECK_EDGES
        bright = np.argwhere(sample.window[0] > (sample.window[0].max() + sample.window[0].min()) / 2)
        column, row = (CHECK_PX - 1) / 2 + an_edge * sample.shape[:2]
        assert bright.mean(axis=0) == pytest.approx([row, column], abs=1.0)
        assert len(bright) == pytest.approx((an_edge * np.exp(sample.shape[2])) ** 2, rel=0.25)
        seen += 1
    assert seen > 30


def test_a_place_without_a_die_is_nothing() -> None:
    """The cube is something, and where it lies nobody asks."""
    board = board_below()
    kinds = {make_proposal_filter_sample(crop_with(board=board), np.random.default_rng(seed)).kind for seed in range(5)}
    assert kinds == {ObjectClass.NOTHING.value}
    cube = replace(flat_die(board, (250.0, 200.0)), face=None, cube_value=32)
    some = [
        make_proposal_filter_sample(crop_with(cube, board=board), np.random.default_rng(seed)) for seed in range(40)
    ]
    assert {sample.kind for sample in some} == {ObjectClass.CUBE.value, ObjectClass.NOTHING.value, IGNORED}
    assert all(np.isnan(sample.shape).all() for sample in some)


def test_from_further_away() -> None:
    """The die has fewer pixels, 13 at least; where the board lies in the picture, and the die on it, stays true."""
    board = board_below()
    die = flat_die(board, (262.0, 191.0))
    sizes = set()
    for seed in range(30):
        crop = downscale_crop(crop_with(die, board=board), np.random.default_rng(seed))
        (further,) = crop.dice
        factor = crop.pixels.shape[1] / 200
        assert further.size_px == pytest.approx(factor * die.size_px, rel=0.01)
        top_px = crop.board.projection.to_picture(np.array([die.base_mm]), die.size_mm)[0]
        assert further.top_px == pytest.approx(tuple(top_px), abs=0.02)
        sizes.add(round(further.size_px))
    assert min(sizes) >= 13
    assert max(sizes) - min(sizes) > 8


def test_what_is_small_already_stays() -> None:
    board = board_below()
    quad = np.array(flat_die(board, (250.0, 200.0)).quad_px)
    first, second, third, fourth = (
        (float(x), float(y)) for x, y in quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 0.4
    )
    small = replace(flat_die(board, (250.0, 200.0)), quad_px=(first, second, third, fourth))
    crop = crop_with(small, board=board)
    assert downscale_crop(crop, np.random.default_rng(1)) is crop
