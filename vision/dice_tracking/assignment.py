"""Assignment of dice seen now to dice seen before, at the least total cost.

With squared distances as costs, dice that were pushed along together stay apart: a common shift changes the total of
every assignment by the same amount.

The algorithm is that of Kuhn and Munkres with potentials: it adds row after row, each along the cheapest augmenting
path. The work grows with the third power of the number of dice, so clutter beside the board that looks like dice
delays nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf


def assign_pairs(costs: Sequence[Sequence[float]], dearest: float) -> tuple[int | None, ...]:
    """For each row its column, or None; no column twice. `costs[row][column]` above `dearest` is never assigned.

    To leave a row alone costs `dearest` as well, so pairs are made where they can be.
    """
    columns = len(costs[0]) if costs else 0
    never = dearest * (len(costs) + 1) + 1.0  # dearer than to leave every row alone
    alone = [dearest] * len(costs)  # a column of its own for each row that is left alone
    table = [[*(cost if cost <= dearest else never for cost in row), *alone] for row in costs]
    chosen = _solve_assignment(table)
    return tuple(column if column < columns else None for column in chosen)


@dataclass(frozen=True, slots=True)
class _Potentials:
    """No cost is less than the sum of its row's and its column's potential; updated in place."""

    of_row: list[float]
    of_column: list[float]


def _solve_assignment(table: Sequence[Sequence[float]]) -> list[int]:
    """For each row its column at the least sum; there are no fewer columns than rows."""
    count = len(table[0]) if table else 0
    potentials = _Potentials([0.0] * len(table), [0.0] * count)
    row_at: list[int | None] = [None] * count
    for begun in range(len(table)):
        column, came_from = _find_augmenting_path(table, begun, row_at, potentials)
        while column is not None:
            before = came_from[column]
            row_at[column] = begun if before is None else row_at[before]
            column = before
    columns = [0] * len(table)
    for column, row in enumerate(row_at):
        if row is not None:
            columns[row] = column
    return columns


def _find_augmenting_path(
    table: Sequence[Sequence[float]], begun: int, row_at: Sequence[int | None], potentials: _Potentials
) -> tuple[int | None, list[int | None]]:
    """The cheapest path that assigns one more row: its last column, and for each column the one before it."""
    of_row, of_column = potentials.of_row, potentials.of_column
    least = [inf] * len(of_column)
    came_from: list[int | None] = [None] * len(of_column)
    done, left = list[int](), set(range(len(of_column)))
    column: int | None = None
    row: int | None = begun
    while row is not None:
        for other in left:
            cost = table[row][other] - of_row[row] - of_column[other]
            if cost < least[other]:
                least[other], came_from[other] = cost, column
        column = min(left, key=least.__getitem__)
        step = least[column]
        of_row[begun] += step
        for other in done:
            of_column[other] -= step
            there = row_at[other]
            if there is not None:
                of_row[there] += step
        for other in left:
            least[other] -= step
        left.discard(column)
        done.append(column)
        row = row_at[column]
    return column, came_from
