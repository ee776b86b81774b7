import time
from itertools import permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from vision.dice_tracking.assignment import assign_pairs

FAR = 1000.0


def test_the_least_total_counts_not_the_nearest_first() -> None:
    """The first row is nearest to the first column, and yet gets the second: together that is nearer."""
    assert assign_pairs([[1.0, 2.0], [1.5, 9.0]], FAR) == (1, 0)


def test_more_rows_than_columns() -> None:
    """The row that fits worst is left alone."""
    assert assign_pairs([[9.0], [1.0], [5.0]], FAR) == (None, 0, None)


def test_what_is_too_dear_is_left_alone() -> None:
    assert assign_pairs([[11.0, 12.0]], 10.0) == (None,)


def test_nothing_to_pair() -> None:
    assert assign_pairs([], FAR) == ()
    assert assign_pairs([[], []], FAR) == (None, None)


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
    """Compared with all that are possible."""
    columns = len(costs[0]) if costs else 0
    choices: list[int | None] = [*range(columns), *[None] * len(costs)]
    least = min(_total(costs, pairing) for pairing in permutations(choices, len(costs)))
    found = assign_pairs(costs, FAR)
    used = [column for column in found if column is not None]
    assert len(used) == len(set(used))
    assert _total(costs, found) <= least + 1e-9


def _total(costs: list[list[float]], pairing: tuple[int | None, ...]) -> float:
    return sum(FAR if column is None else row[column] for row, column in zip(costs, pairing, strict=True))
