import numpy as np
import pytest

from tests.benchmarks import disturbed_search as search
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import candidates, detect
from vision.dice.detect import read_dice
from vision.dice.windows import DieSpot

SPOT = DieSpot((100.0, 50.0), 20.0, 0.7)
PICTURE = np.zeros((8, 8, 3), np.uint8)


def test_spots_are_put_off_as_far_as_it_says() -> None:
    rng = np.random.default_rng(1)
    spots = [search.shift_proposal(SPOT, rng) for _ in range(2000)]
    off = np.subtract([spot.centre_px for spot in spots], SPOT.centre_px) / SPOT.size_px
    assert np.allclose(off.std(axis=0), search.SHIFT_EDGES, rtol=0.1)
    assert np.std([np.log(spot.size_px) for spot in spots]) == pytest.approx(search.SHIFT_LOG_SIZE, rel=0.1)
    assert {spot.score for spot in spots} == {SPOT.score}


def test_pictures_are_searched_so_only_within(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "propose_dice", lambda *_: [SPOT])
    monkeypatch.setattr(detect, "propose_dice", lambda *_: [SPOT])
    monkeypatch.setattr(detect, "filter_proposals", lambda _, spots, *_limits: list(spots))
    monkeypatch.setattr(candidates, "classify_spot", lambda *_: None)
    with search.disturbed_search(np.random.default_rng(1)):
        (within,) = read_dice(PICTURE, STRAIGHT_DOWN).candidates
    (after,) = read_dice(PICTURE, STRAIGHT_DOWN).candidates
    assert within.spot != SPOT
    assert after.spot == SPOT
