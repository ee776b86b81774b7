"""Samples for dice proposals: parts of pictures, mosaics of crops, and windows for the filter."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.training.known_dice import board_below, crop_with, flat_die, shown
from vision.dice.classifier import ObjectClass
from vision.dice.proposals import (
    CELL_PX,
    CHECK_EDGES,
    CHECK_PX,
    CUBE_MAP,
    DIE_MAP,
    SIZE_MAP,
    USUAL_DIE_PX,
    X_MAP,
    Y_MAP,
)
from vision.training.samples import proposal_samples
from vision.training.samples.dice_samples import IGNORED
from vision.training.samples.die_truth import DiceCrop
from vision.training.samples.proposal_samples import (
    CELLS,
    CROP_PX,
    TILE_PX,
    TILES,
    UNDECIDED_WEIGHT,
    WEIGHT,
    augment_filter_orientation,
    make_mosaic_sample,
    make_proposal_filter_sample,
    make_proposal_sample,
)

BOARD = board_below()


@pytest.fixture(autouse=True)
def plain_light(monkeypatch: pytest.MonkeyPatch) -> None:
    for effect in ("augment_lighting", "rotate_hue", "degrade_camera"):
        monkeypatch.setattr(proposal_samples, effect, lambda picture, _: picture)
    monkeypatch.setattr(proposal_samples, "augment_photo", lambda picture, *_, **__: picture)


def crop_of(*bases_mm: tuple[float, float], cube: bool = False) -> DiceCrop:
    dice = [flat_die(BOARD, base_mm) for base_mm in bases_mm]
    if cube:
        dice = [replace(die, face=None, cube_value=64) for die in dice]
    return crop_with(*dice, board=BOARD, pixels=shown(*dice))


def places(maps: NDArray[np.float32], kind: int) -> list[tuple[float, float, float]]:
    """Middles and edges in pixels of the sample."""
    return [
        (
            (column + float(maps[X_MAP, row, column])) * CELL_PX,
            (row + float(maps[Y_MAP, row, column])) * CELL_PX,
            USUAL_DIE_PX * float(np.exp(maps[SIZE_MAP, row, column])),
        )
        for row, column in np.argwhere(maps[kind] > 0)
    ]


def brightness_at(picture: NDArray[np.float32], x: float, y: float) -> float:
    """0..1 within the range of the picture."""
    plane = picture[0]
    value = plane[int(np.clip(y, 0, CROP_PX - 1)), int(np.clip(x, 0, CROP_PX - 1))]
    return float((value - plane.min()) / (plane.max() - plane.min()))


@pytest.mark.parametrize(("is_cube", "kind", "other"), [(False, DIE_MAP, CUBE_MAP), (True, CUBE_MAP, DIE_MAP)])
def test_where_the_maps_say_so_a_die_shows(*, is_cube: bool, kind: int, other: int) -> None:
    """The bright area has the labelled size."""
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
    die = flat_die(BOARD, (320.0, 200.0))
    assert die.top_px[0] > 200
    crops = [crop_with(die, board=BOARD)] * TILES
    assert not places(make_mosaic_sample(crops, np.random.default_rng(1)).maps, DIE_MAP)


def test_two_dice_that_touch_are_two() -> None:
    """Each has its own cell; cells nearer than one to a middle hardly count."""
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


def test_a_hardly_visible_die_has_no_label() -> None:
    hidden = replace(flat_die(BOARD, (250.0, 200.0)), visible=0.3)
    sample = make_proposal_sample(shown(), BOARD, (hidden,), np.random.default_rng(3))
    assert not places(sample.maps, DIE_MAP)
    assert (sample.maps[WEIGHT] == np.float32(UNDECIDED_WEIGHT)).any()


def test_labels_turn_with_the_window_of_the_filter() -> None:
    """A bright top is where the label is, and as large."""
    die = flat_die(BOARD, (250.0, 200.0))
    pixels = shown(die)
    seen = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sample = augment_filter_orientation(
            make_proposal_filter_sample(crop_with(die, board=BOARD, pixels=pixels), rng), rng
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


def test_the_filter_learns_nothing_of_empty_places() -> None:
    """A cube has a class, but no position."""
    kinds = {make_proposal_filter_sample(crop_with(board=BOARD), np.random.default_rng(seed)).kind for seed in range(5)}
    assert kinds == {ObjectClass.NOTHING.value}
    cube = replace(flat_die(BOARD, (250.0, 200.0)), face=None, cube_value=32)
    some = [
        make_proposal_filter_sample(crop_with(cube, board=BOARD), np.random.default_rng(seed)) for seed in range(40)
    ]
    assert {sample.kind for sample in some} == {ObjectClass.CUBE.value, ObjectClass.NOTHING.value, IGNORED}
    assert all(np.isnan(sample.shape).all() for sample in some)
