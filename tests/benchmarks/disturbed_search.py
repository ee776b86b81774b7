"""Shifts the proposals for dice by as little as they differ between two pictures of a still scene.

A reading depends on the exact position of each window: from a single reading of each picture, the number of accepted
throws varies by luck.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from vision.dice import detect
from vision.dice.proposals import propose_dice
from vision.dice.windows import DieSpot

SHIFT_EDGES, SHIFT_LOG_SIZE = 0.04, 0.04  # standard deviations of each coordinate and of the size


@contextmanager
def disturbed_search(rng: np.random.Generator) -> Iterator[None]:
    """Inside this context every proposal is shifted a little and is a little larger or smaller."""

    def disturbed(*searched: Any, **how: Any) -> list[DieSpot]:
        return [shift_proposal(spot, rng) for spot in propose_dice(*searched, **how)]

    with patch.object(detect, "propose_dice", disturbed):
        yield


def shift_proposal(spot: DieSpot, rng: np.random.Generator) -> DieSpot:
    x_px, y_px = np.add(spot.centre_px, rng.normal(0, SHIFT_EDGES * spot.size_px, 2)).tolist()
    return replace(spot, centre_px=(x_px, y_px), size_px=spot.size_px * float(np.exp(rng.normal(0, SHIFT_LOG_SIZE))))
