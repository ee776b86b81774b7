"""Which of the dice seen now is which of those seen before: the pairing of the least total cost.

With squared distances as costs dice that were pushed along together stay apart: the same shift of all changes every
pairing's total by the same amount.
"""

from collections.abc import Sequence


def paired(costs: Sequence[Sequence[float]], dearest: float) -> tuple[int | None, ...]:
    """For each row its column, or None; no column twice. `costs[row][column]` above `dearest` is never paired.

    Leaving a row alone costs `dearest` too, so that pairs are made where they can be. Made for a handful of dice: the
    work doubles with each column.
    """
    best: dict[int, tuple[float, tuple[int | None, ...]]] = {0: (0.0, ())}  # used columns, as bits -> cost, pairs
    for row in costs:
        further: dict[int, tuple[float, tuple[int | None, ...]]] = {}
        for used, (total, pairs) in best.items():
            choices = [(used, dearest, None)] + [
                (used | 1 << column, cost, column)
                for column, cost in enumerate(row)
                if cost <= dearest and not used >> column & 1
            ]
            for taken, cost, choice in choices:
                if taken not in further or total + cost < further[taken][0]:
                    further[taken] = (total + cost, (*pairs, choice))
        best = further
    return min(best.values(), key=lambda found: found[0])[1]
