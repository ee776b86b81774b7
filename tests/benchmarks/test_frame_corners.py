"""The corners that were measured again belong to the photographs that `frames` counts, and name the corners in order."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.benchmarks.boards import DEFAULT_REAL
from tests.benchmarks.frames import LEFT_OUT, MEASURED_CORNERS
from vision.field.auto_calibration import find_corner_fault

LABELS = DEFAULT_REAL / "more.jsonl"
FAR_SHARE = 0.12  # of the width: the worst label of `more.jsonl` is off by 9.8 %


def _lines() -> Iterator[dict[str, Any]]:
    yield from map(json.loads, MEASURED_CORNERS.read_text(encoding="utf-8").splitlines())


@pytest.mark.skipif(not LABELS.is_file(), reason="the photographs' labels lie in ../shared")
def test_every_photograph_was_measured_twice_near_its_label() -> None:
    labels = map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())
    counted = {(one["repo"], one["path"]): one for one in labels if not one["board"].startswith(LEFT_OUT)}
    measured = {(one["repo"], one["path"]): np.array(one["measured"]) for one in _lines()}
    assert measured.keys() == counted.keys()
    for key, corners in measured.items():
        assert corners.shape == (2, 4, 2)
        label = np.array(counted[key]["corners"])
        width_px = np.linalg.norm(label[1] - label[0])
        assert np.linalg.norm(corners - label, axis=2).max() < FAR_SHARE * width_px, key
        for own in corners:
            assert not find_corner_fault(own, counted[key]["width"], counted[key]["height"])
