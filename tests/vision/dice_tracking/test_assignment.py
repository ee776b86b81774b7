import time
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice_tracking.assignment import assign_pairs

FAR = 1000.0


@pytest.mark.parametrize(
    ("costs", "limit", "pairs"),
    [
        ([[1.0, 2.0], [1.5, 9.0]], FAR, (1, 0)),  # the least total, though the first row is nearest to the first column
        ([[9.0], [1.0], [5.0]], FAR, (None, 0, None)),  # the rows that fit worst stay alone
        ([[11.0, 12.0]], 10.0, (None,)),  # too dear
        ([], FAR, ()),
        ([[], []], FAR, (None, None)),
    ],
)
def test_pairs(costs: list[list[float]], limit: float, pairs: tuple[int | None, ...]) -> None:
    assert assign_pairs(costs, limit) == pairs


def test_many_things_that_look_like_dice_hold_nothing_up() -> None:
    """Sixteen and sixteen, as many as are ever remembered: a few milliseconds, and not seconds."""
    chance = Random(1)
    costs = [[chance.random() for _ in range(16)] for _ in range(16)]
    begun_s = time.process_time()
    assert sorted(assign_pairs(costs, FAR), key=str) == sorted(range(16), key=str)
    assert time.process_time() - begun_s < 0.5


@given(
    st.integers(0, 4).flatmap(
        lambda columns: st.lists(st.lists(st.floats(0, 100), min_size=columns, max_size=columns), max_size=4)
    )
)
def test_no_other_pairing_costs_less(costs: list[list[float]]) -> None:
    columns = len(costs[0]) if costs else 0
    choices: list[int | None] = [*range(columns), *[None] * len(costs)]
    least = min(_total(costs, pairing) for pairing in permutations(choices, len(costs)))
    found = assign_pairs(costs, FAR)
    used = [column for column in found if column is not None]
    assert len(used) == len(set(used))
    assert _total(costs, found) <= least + 1e-9


def _total(costs: list[list[float]], pairing: tuple[int | None, ...]) -> float:
    return sum(FAR if column is None else row[column] for row, column in zip(costs, pairing, strict=True))
