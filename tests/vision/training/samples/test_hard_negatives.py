"""Crops around false proposals."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.dice.fake_networks import classified, output
from vision.dice.classifier import ObjectClass
from vision.dice.windows import DieSpot
from vision.training.samples import hard_negatives
from vision.training.samples.hard_negatives import mine_hard_negatives
from vision.training.samples.picture_store import draw_pictures, has_dice_labels, list_labelled_pictures, load_dice
from vision.training.samples.rendered_crops import CROP_EDGES


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("drawn")
    draw_pictures(folder, first=0, count=4, seed=3)
    return [picture for picture in list_labelled_pictures([folder]) if has_dice_labels(picture) and load_dice(picture)]


def see(monkeypatch: pytest.MonkeyPatch, kind: ObjectClass) -> None:
    """The dice network sees this everywhere."""
    seen = classified(DieSpot((0.0, 0.0), 20.0, 1.0), output(kind))
    monkeypatch.setattr(hard_negatives, "classify_spot", lambda *_: seen)


@pytest.mark.broad
def test_no_piece_has_a_die_in_its_middle(pictures: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    see(monkeypatch, ObjectClass.DIE)
    crops = [crop for picture in pictures for crop in mine_hard_negatives([picture])]
    assert len(crops) > len(pictures)
    whole = [
        crop for crop in crops if crop.pixels.shape[0] == crop.pixels.shape[1]
    ]  # not cut off by the picture's edge
    assert whole
    for crop in whole:
        side = crop.pixels.shape[0]
        for die in crop.dice:
            apart = float(np.hypot(*np.subtract(die.top_px, (side / 2, side / 2))))
            assert apart > 0.8 * min(die.size_px, side / CROP_EDGES)


@pytest.mark.broad
def test_faint_proposals_count_where_the_network_sees_an_object(
    pictures: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for kind in (ObjectClass.NOTHING, ObjectClass.DIE):
        see(monkeypatch, kind)
        counts.append(sum(1 for _ in mine_hard_negatives(pictures)))
    assert 0 < counts[0] < counts[1]
