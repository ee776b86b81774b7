"""The drawn throws of the benchmark."""

from collections import Counter

import numpy as np
import pytest

from tests.benchmarks.drawn_dice import SIZE_PX, drawn_throws
from vision.dice.detect import read_dice
from vision.dice.readings import DieState

pytestmark = pytest.mark.broad


def test_every_kind_of_throw_is_drawn_and_lies_where_its_label_says() -> None:
    """Every reason for a bad throw occurs, and the reader finds most dice at their labelled middles."""
    states: Counter[DieState] = Counter()
    reasons: set[object] = set()
    found = 0
    for pixels, label in drawn_throws(1):
        assert pixels.shape == (SIZE_PX[1], SIZE_PX[0], 3)
        assert label.throw is not None
        reasons.add(label.throw.reason)
        read = read_dice(pixels, label.board).dice
        for die in label.dice:
            states[die.state] += 1
            away = [min(np.hypot(*np.subtract(one.centre_px, at)) for at in die.places_px) for one in read]
            found += min(away, default=np.inf) < 0.4 * die.size_px
    assert set(states) == set(DieState) - {DieState.MOVING}
    assert len(reasons) == 9  # it counts, or not for one of eight reasons
    assert found >= 0.8 * sum(states.values())
