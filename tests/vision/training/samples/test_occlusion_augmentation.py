"""Dice half hidden, with glints or in a shadow, and the labels that remain."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.known_dice import board_below, crop_with, flat_die, shown
from vision.dice.windows import DieSpot
from vision.training.samples import occlusion_augmentation
from vision.training.samples.dice_samples import IGNORED, make_dice_sample
from vision.training.samples.die_truth import DiceCrop, DieTruth
from vision.training.samples.occlusion_augmentation import (
    add_coloured_light,
    add_glints,
    add_shadow,
    augment_empty,
    occlude,
)

BOARD = board_below()
DIE = flat_die(BOARD, (250.0, 200.0), face=4)


def _crop(*dice: DieTruth) -> DiceCrop:
    return crop_with(*dice, board=BOARD, pixels=shown(*dice))


def test_what_is_hidden_is_seen_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """`visible` falls by the share of the face that changed colour; the occluder covers from little to nearly all."""
    monkeypatch.setattr(
        occlusion_augmentation, "_make_occluder", lambda crop, *_: np.zeros(crop.pixels.shape, np.float32)
    )
    left, top = np.ceil(np.min(DIE.quad_px, axis=0)).astype(int)
    right, bottom = np.floor(np.max(DIE.quad_px, axis=0)).astype(int)
    seen = []
    for seed in range(60):
        hidden = occlude(_crop(DIE), DIE, np.random.default_rng(seed))
        face = hidden.pixels[top : bottom + 1, left : right + 1, 0]
        assert hidden.dice[0].visible == pytest.approx(
            float((face > 60).mean()), abs=0.12
        )  # 60: never so dark beside it
        seen.append(hidden.dice[0].visible)
    assert min(seen) < 0.3
    assert max(seen) > 0.9


def test_what_hides_one_die_may_hide_its_neighbour() -> None:
    """A hidden die has no label for touching a checker."""
    neighbour = flat_die(BOARD, (265.0, 200.0), face=2)
    crop = _crop(DIE, neighbour)
    hidden = [occlude(crop, DIE, np.random.default_rng(seed)).dice[1] for seed in range(60)]
    untouched = [die for die in hidden if die == neighbour]
    assert 10 < len(untouched) < 50
    assert all(die.touches_checker is None and die.visible < 1 for die in hidden if die != neighbour)


def test_glints_only_lighten() -> None:
    for seed in range(20):
        crop = _crop(DIE)
        crop = replace(crop, pixels=np.full_like(crop.pixels, 90))
        lit = add_glints(crop, DIE, np.random.default_rng(seed))
        assert lit.dice == crop.dice
        assert (lit.pixels >= crop.pixels).all()
        assert 0 < int((lit.pixels > crop.pixels).any(axis=2).sum()) < 0.6 * DIE.size_px**2


def test_a_shadow_only_darkens_and_its_edge_crosses_the_die() -> None:
    for seed in range(20):
        crop = _crop(DIE)
        dark = add_shadow(crop, DIE, np.random.default_rng(seed))
        assert dark.dice == crop.dice
        assert (dark.pixels <= crop.pixels).all()
        share = float((dark.pixels < crop.pixels).any(axis=2).mean())
        assert 0.2 < share < 1


def test_samples_are_augmented_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an occluder leaves this visible die without any label but its face."""
    monkeypatch.setattr(occlusion_augmentation, "AUGMENTED_SHARE", 1.0)
    crop, hidden = _crop(DIE), {}
    for asked in (True, False):
        samples = [make_dice_sample(crop, np.random.default_rng(seed), with_occlusion=asked) for seed in range(60)]
        hidden[asked] = sum(sample.kind == IGNORED and sample.face != IGNORED for sample in samples)
    assert hidden[True] > 3
    assert hidden[False] == 0


def test_coloured_light_only_adds() -> None:
    for seed in range(20):
        crop = _crop(DIE)
        crop = replace(crop, pixels=np.full_like(crop.pixels, 60))
        lit = add_coloured_light(crop, DIE, np.random.default_rng(seed))
        more = lit.pixels.astype(int) - crop.pixels
        assert lit.dice == crop.dice
        assert (more >= 0).all()
        assert np.ptp(more.reshape(-1, 3).sum(axis=0)) > 1000


def test_led_light_appears_in_empty_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    spot, crop = DieSpot((40.0, 50.0), 25.0, 1.0), _crop(DIE)
    assert any(augment_empty(crop, spot, np.random.default_rng(seed)) is crop for seed in range(20))
    monkeypatch.setattr(occlusion_augmentation, "AUGMENTED_SHARE", 1.0)
    for seed in range(20):
        lit = augment_empty(crop, spot, np.random.default_rng(seed))
        more = (lit.pixels.astype(int) - crop.pixels).sum(axis=2)
        assert lit.dice == crop.dice
        assert more[25:76, 15:66].max() > 20
