"""Windows and labels for the networks that read dice."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.known_dice import EDGE_MM, HEIGHT_MM, board_below, crop_with, flat_die
from vision.dice.classifier import LIES, ObjectClass
from vision.dice.readings import DieState
from vision.dice.windows import DIE_PX, WINDOW_PX
from vision.training.samples import dice_samples
from vision.training.samples.dice_samples import IGNORED, augment_orientation, downscale_crop, make_dice_sample

AWAY_MM = 20.0
BOARD = board_below()
WIDE = np.full((200, 600, 3), 90, np.uint8)


@pytest.fixture
def plain_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """No photometric augmentation."""
    monkeypatch.setattr(dice_samples, "augment_photo", lambda picture, *_, **__: picture)


def test_a_flat_die_straight_below() -> None:
    """Top and base are in the middle and have the size of a die in the window."""
    sample = make_dice_sample(crop_with(flat_die(BOARD, (250.0, 200.0), face=3), board=BOARD), None)
    assert (sample.kind, sample.face, LIES[sample.lie], sample.checker) == (
        ObjectClass.DIE.value,
        2,
        DieState.FLAT,
        0.0,
    )
    assert sample.shape == pytest.approx(np.zeros(7), abs=2e-3)


def test_the_base_lies_towards_the_camera_foot() -> None:
    """The top of a die 20 mm to the right shows 20 x 14 / 686 mm further right than its base."""
    sample = make_dice_sample(crop_with(flat_die(BOARD, (250.0 + AWAY_MM, 200.0)), board=BOARD), None)
    further_mm = AWAY_MM * EDGE_MM / (HEIGHT_MM - EDGE_MM)
    edge_mm = EDGE_MM * HEIGHT_MM / (HEIGHT_MM - EDGE_MM)
    assert sample.shape[2:4] == pytest.approx([0, 0], abs=1e-3)
    assert sample.shape[4:6] == pytest.approx([-further_mm / edge_mm, 0], abs=1e-3)


@pytest.mark.usefixtures("plain_light")
def test_labels_turn_with_the_window() -> None:
    """At any orientation a bright spot on the die's base is where the label has the base."""
    board = board_below(at_px=(60.0, 130.0))
    die = flat_die(board, (262.0, 191.0))
    spot = np.round(board.projection.to_picture(np.array([die.base_mm]))[0]).astype(int)
    pixels = np.full((200, 200, 3), 60, np.uint8)
    pixels[spot[1] - 1 : spot[1] + 2, spot[0] - 1 : spot[0] + 2] = 255
    seen = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sample = augment_orientation(make_dice_sample(crop_with(die, board=board, pixels=pixels), rng), rng)
        if sample.kind != ObjectClass.DIE.value:
            continue
        column, row = (WINDOW_PX - 1) / 2 + DIE_PX * sample.shape[4:6]
        bright = np.argwhere(sample.planes[:3].sum(axis=0) > 0.7 * sample.planes[:3].sum(axis=0).max())
        assert bright.mean(axis=0) == pytest.approx([row, column], abs=1.5)
        seen += 1
    assert seen > 30


@pytest.mark.usefixtures("plain_light")
def test_the_line_of_sight_turns_too() -> None:
    """The direction from base to top is the line of sight wherever the board is known."""
    board = board_below(under_mm=(100.0, 200.0), at_px=(-200.0, 100.0))
    crop = crop_with(flat_die(board, (250.0, 200.0)), board=board)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        sample = augment_orientation(make_dice_sample(crop, rng), rng)
        if sample.kind == ObjectClass.DIE.value and sample.planes[6, 0, 0] == 1:
            sight, lean = sample.planes[4:6, 0, 0], sample.shape[2:4] - sample.shape[4:6]
            assert float(sight @ lean) > 0.95 * float(np.linalg.norm(sight) * np.linalg.norm(lean)) > 0


def test_of_two_touching_dice_the_one_in_the_middle_is_labelled() -> None:
    """Both lie within half an edge of the middle of their windows."""
    two = (flat_die(BOARD, (243.0, 200.0), face=2), flat_die(BOARD, (257.0, 200.0), face=6))
    faces = set()
    for seed in range(60):
        sample = make_dice_sample(crop_with(*two, board=BOARD), np.random.default_rng(seed))
        if sample.kind == ObjectClass.DIE.value:
            # An edge as large as the window's, and the rest of a finder's error along the line between them.
            assert abs(sample.shape[2]) < 0.5 * np.exp(sample.shape[6]) + 0.02
            faces.add(sample.face)
    assert faces == {1, 5}


def test_a_place_without_a_die_is_nothing() -> None:
    kinds = {make_dice_sample(crop_with(board=BOARD), np.random.default_rng(seed)).kind for seed in range(5)}
    assert kinds == {ObjectClass.NOTHING.value}
    crop = crop_with(flat_die(BOARD, (250.0, 200.0)), board=BOARD)
    some = [make_dice_sample(crop, np.random.default_rng(seed)) for seed in range(120)]
    empty = [sample for sample in some if sample.kind != ObjectClass.DIE.value]
    assert {sample.kind for sample in empty} == {ObjectClass.NOTHING.value, IGNORED}
    assert all(sample.face == sample.lie == IGNORED and np.isnan(sample.shape).all() for sample in empty)


def test_ambiguous_dice_have_no_label() -> None:
    """From 3 to 5 degrees a die has no lie; half hidden it has its face only, hardly visible nothing."""
    flat = flat_die(BOARD, (250.0, 200.0))
    for tilt_deg, lie in ((4.0, IGNORED), (6.0, LIES.index(DieState.COCKED))):
        tilted = replace(flat, state=DieState.COCKED, tilt_deg=tilt_deg)
        assert make_dice_sample(crop_with(tilted, board=BOARD), None).lie == lie
    for visible, face in ((0.4, 4), (0.19, IGNORED)):  # it shows a five
        hidden = make_dice_sample(crop_with(replace(flat, visible=visible), board=BOARD), None)
        assert (hidden.kind, hidden.face, hidden.lie) == (IGNORED, face, IGNORED)


def test_a_steep_die_has_no_face() -> None:
    steep = replace(flat_die(BOARD, (250.0, 200.0)), state=DieState.COCKED, tilt_deg=41.0)
    sample = make_dice_sample(crop_with(steep, board=BOARD), None)
    assert (sample.face, LIES[sample.lie]) == (IGNORED, DieState.COCKED)


def test_the_cube_has_a_class_only() -> None:
    cube = replace(flat_die(BOARD, (250.0, 200.0)), face=None, cube_value=32)
    sample = make_dice_sample(crop_with(cube, board=BOARD), None)
    assert (sample.kind, sample.face, sample.lie) == (ObjectClass.CUBE.value, IGNORED, IGNORED)


def test_masks_of_a_die_beside_the_camera() -> None:
    """The top is a square of 26 pixels; the body extends it towards the camera's foot only."""
    sample = make_dice_sample(crop_with(flat_die(BOARD, (350.0, 200.0)), board=BOARD, pixels=WIDE), None)
    top, body = sample.masks
    cell_px = WINDOW_PX / len(top)
    assert top.sum() * cell_px**2 == pytest.approx((DIE_PX + 1) ** 2, rel=0.05)  # with the pixels of the outline
    beside = body - top
    shift_px = DIE_PX * float(sample.shape[2] - sample.shape[4])
    assert beside.sum() * cell_px**2 == pytest.approx((DIE_PX + 1) * shift_px, rel=0.15)
    columns = np.nonzero(beside.sum(axis=0) > 0.5)[0]
    assert columns.max() < len(top) / 2
    assert beside.min() > -0.01


def test_a_downscaled_crop_keeps_its_geometry() -> None:
    """The die keeps at least 13 pixels."""
    die = flat_die(BOARD, (262.0, 191.0))
    sizes = set()
    for seed in range(30):
        crop = downscale_crop(crop_with(die, board=BOARD), np.random.default_rng(seed))
        (further,) = crop.dice
        factor = crop.pixels.shape[1] / 200
        assert further.size_px == pytest.approx(factor * die.size_px, rel=0.01)
        top_px = crop.board.projection.to_picture(np.array([die.base_mm]), die.size_mm)[0]
        assert further.top_px == pytest.approx(tuple(top_px), abs=0.02)
        sizes.add(round(further.size_px))
    assert min(sizes) >= 13
    assert max(sizes) - min(sizes) > 8


def test_a_small_die_is_not_downscaled() -> None:
    quad = np.array(flat_die(BOARD, (250.0, 200.0)).quad_px)
    first, second, third, fourth = (
        (float(x), float(y)) for x, y in quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 0.4
    )
    small = replace(flat_die(BOARD, (250.0, 200.0)), quad_px=(first, second, third, fourth))
    crop = crop_with(small, board=BOARD)
    assert downscale_crop(crop, np.random.default_rng(1)) is crop
