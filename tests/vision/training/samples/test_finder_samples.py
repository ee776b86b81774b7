"""What the search for dice is told of a piece of a picture, and of a mosaic of small ones."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.training.known_dice import board_below, crop_with, flat_die, shown
from vision.dice.proposals import CELL_PX, CUBE_MAP, DIE_MAP, SIZE_MAP, USUAL_DIE_PX, X_MAP, Y_MAP
from vision.training.samples import proposal_samples
from vision.training.samples.die_truth import DiceCrop
from vision.training.samples.proposal_samples import (
    CELLS,
    CROP_PX,
    TILE_PX,
    TILES,
    UNDECIDED_WEIGHT,
    WEIGHT,
    make_mosaic_sample,
    make_proposal_sample,
)


@pytest.fixture(autouse=True)
def plain_light(monkeypatch: pytest.MonkeyPatch) -> None:
    for effect in ("augment_lighting", "rotate_hue", "degrade_camera"):
        monkeypatch.setattr(proposal_samples, effect, lambda picture, _: picture)


def crop_of(*bases_mm: tuple[float, float], cube: bool = False) -> DiceCrop:
    board = board_below()
    dice = [flat_die(board, base_mm) for base_mm in bases_mm]
    if cube:
        dice = [replace(die, face=None, cube_value=64) for die in dice]
    return crop_with(*dice, board=board, pixels=shown(*dice))


def places(maps: NDArray[np.float32], kind: int) -> list[tuple[float, float, float]]:
    """Middles and edges in pixels of the piece."""
    return [
        (
            (column + float(maps[X_MAP, row, column])) * CELL_PX,
            (row + float(maps[Y_MAP, row, column])) * CELL_PX,
            USUAL_DIE_PX * float(np.exp(maps[SIZE_MAP, row, column])),
        )
        for row, column in np.argwhere(maps[kind] > 0)
    ]


def brightness_at(picture: NDArray[np.float32], x: float, y: float) -> float:
    """0..1, of all there is in the picture."""
    plane = picture[0]
    value = plane[int(np.clip(y, 0, CROP_PX - 1)), int(np.clip(x, 0, CROP_PX - 1))]
    return float((value - plane.min()) / (plane.max() - plane.min()))


@pytest.mark.parametrize(("is_cube", "kind", "other"), [(False, DIE_MAP, CUBE_MAP), (True, CUBE_MAP, DIE_MAP)])
def test_where_the_maps_say_so_a_die_shows(*, is_cube: bool, kind: int, other: int) -> None:
    """And as large: so much of the piece is bright as they say."""
    found = 0
    for seed in range(20):
        crop = crop_of((250.0, 200.0), cube=is_cube)
        sample = make_proposal_sample(crop.pixels, crop.board, crop.dice, np.random.default_rng(seed))
        assert not places(sample.maps, other)
        for x, y, edge in places(sample.maps, kind):
            assert brightness_at(sample.picture, x, y) > 0.9
            if min(x, y) > edge and max(x, y) < CROP_PX - edge:
                bright = sample.picture[0] > (sample.picture[0].max() + sample.picture[0].min()) / 2
                assert bright.sum() == pytest.approx(edge**2, rel=0.25)
                found += 1
    assert found > 10


def test_a_mosaic_shows_all_its_crops_each_in_its_tile() -> None:
    """Most of the dice lie in the tile of their crop; where the maps say so a die shows."""
    many = 0
    for seed in range(6):
        sample = make_mosaic_sample([crop_of((250.0, 200.0))] * TILES, np.random.default_rng(seed))
        dice = places(sample.maps, DIE_MAP)
        assert all(brightness_at(sample.picture, x, y) > 0.9 for x, y, _ in dice)
        tiles = {(int(x // TILE_PX), int(y // TILE_PX)) for x, y, _ in dice}
        assert len(tiles) == len(dice)
        many += len(dice)
    assert many > 6 * TILES / 2


def test_a_die_beyond_the_crop_is_in_no_tile() -> None:
    """Its label says where it would lie, but the crop's edge is repeated there."""
    board = board_below()
    die = flat_die(board, (320.0, 200.0))
    assert die.top_px[0] > 200
    crops = [crop_with(die, board=board)] * TILES
    assert not places(make_mosaic_sample(crops, np.random.default_rng(1)).maps, DIE_MAP)


def test_two_dice_that_touch_are_two() -> None:
    """Each has a cell of its own; cells nearer than one to a middle may say what they like, others are asked."""
    both = 0
    for seed in range(40):
        crop = crop_of((243.0, 200.0), (257.0, 200.0))
        sample = make_proposal_sample(crop.pixels, crop.board, crop.dice, np.random.default_rng(seed))
        dice = places(sample.maps, DIE_MAP)
        both += len(dice) == 2
        rows, columns = np.mgrid[:CELLS, :CELLS] + 0.5
        away = [np.hypot(columns - x / CELL_PX, rows - y / CELL_PX) for x, y, _ in dice]
        is_near = np.any([one < 1 for one in away], axis=0) & (sample.maps[DIE_MAP] == 0)
        assert (sample.maps[WEIGHT] == np.where(is_near, np.float32(UNDECIDED_WEIGHT), 1)).all()
    assert both > 15


def test_a_die_that_is_hardly_seen_is_not_asked_for() -> None:
    board = board_below()
    hidden = replace(flat_die(board, (250.0, 200.0)), visible=0.3)
    sample = make_proposal_sample(shown(), board, (hidden,), np.random.default_rng(3))
    assert not places(sample.maps, DIE_MAP)
    assert (sample.maps[WEIGHT] == np.float32(UNDECIDED_WEIGHT)).any()
