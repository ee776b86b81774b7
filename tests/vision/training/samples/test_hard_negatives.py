"""Crops around false proposals."""

from pathlib import Path

import numpy as np
import pytest

from vision.dice.proposals import ProposalCheck
from vision.training.samples import hard_negatives as module
from vision.training.samples.hard_negatives import mine_hard_negatives
from vision.training.samples.picture_store import draw_pictures, has_dice_labels, list_labelled_pictures, load_dice
from vision.training.samples.rendered_crops import CROP_EDGES


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("drawn")
    draw_pictures(folder, first=0, count=4, seed=3)
    return [picture for picture in list_labelled_pictures([folder]) if has_dice_labels(picture) and load_dice(picture)]


def seeing(chance: float) -> object:
    """A filter with this confidence everywhere."""
    kinds = np.log([1 - chance, chance, 1e-9])
    return lambda _pixels, spot: ProposalCheck(kinds, spot)


@pytest.mark.broad
def test_no_piece_has_a_die_in_its_middle(pictures: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "check_proposal", seeing(0.9))
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
def test_faint_proposals_count_where_the_filter_sees_an_object(
    pictures: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for chance in (0.01, 0.9):
        monkeypatch.setattr(module, "check_proposal", seeing(chance))
        counts.append(sum(1 for _ in mine_hard_negatives(pictures)))
    assert 0 < counts[0] < counts[1]
