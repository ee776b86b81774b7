"""Place by place: what is hidden, where two boards differ, what the picture alone tells."""

import numpy as np

from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.observing.likelihoods import COUNTS, LIGHT_ABOVE, MOST, FloatTable, Likelihoods
from vision.board.board_reading import VISIBLE_FROM
from vision.places import POINTS, Place

PLACES = (*POINTS, Place.BAR, Place.TRAY)  # in the order of all arrays by place

# How common stacks of 0..15 are: a row of five that lies there alone is far likelier than one with others upon it.
STACK_PRIOR = np.array([1.0] * 6 + [0.03] * 10)

HIDDEN = "Too much of the board is hidden; take away what covers it, or let the camera see all of it."
_DOUBTFUL = "It cannot be told how many checkers lie on {places}; lay them apart and let the camera see them."


def make_doubt_sentence(places: tuple[Place, ...]) -> str:
    """What to do about places that cannot be told."""
    names = ", ".join("the bar" if place is Place.BAR else place.value for place in places if place is not Place.TRAY)
    return _DOUBTFUL.format(places=names or "the board")


def find_hidden_places(seen: BoardEvidence) -> tuple[Place, ...]:
    """Points and bar that are not in view."""
    return tuple(place for place, visible in zip(PLACES, seen.visible, strict=False) if visible < VISIBLE_FROM)


def find_differing_places(one: BoardView, other: BoardView) -> tuple[Place, ...]:
    """Where two boards are not the same."""
    pairs = zip((*one.points, one.bar, one.off), (*other.points, other.bar, other.off), strict=True)
    return tuple(place for place, (first, second) in zip(PLACES, pairs, strict=True) if first != second)


def find_places_to_undo(before: BoardView, after: BoardView) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Places with checkers that were not there before, and places where some were that are gone."""
    rows = zip(PLACES, (*before.points, before.bar, before.off), (*after.points, after.bar, after.off), strict=True)
    changes = [(place, now[0] - was[0], now[1] - was[1]) for place, was, now in rows]
    gained = tuple(place for place, light, dark in changes if light > 0 or dark > 0)
    lost = tuple(place for place, light, dark in changes if light < 0 or dark < 0)
    return gained, lost


def compute_best_by_place(known: Likelihoods) -> FloatTable:
    """(25,): the log-likelihood of the likeliest answer for each point and the bar."""
    return np.append(known.points.max(axis=(1, 2, 3)), known.bar.max())


def find_contradicted_places(
    known: Likelihoods,
    view: BoardView,
    least: float,
    *,
    heaps_from: int = MOST + 1,
    counted: frozenset[int] = frozenset(),
) -> tuple[Place, ...]:
    """Points and bar that show something else by `least` nats than they have in this board.

    Of stacks of one colour from `heaps_from` on not how high they are, but on the points `counted`, 0 to 23: whatever holds
    as many as the row below them, or more, is nothing else.
    """
    by_place = known.by_place(view)
    short = compute_best_by_place(known) - by_place
    for number, (light, dark) in enumerate(view.points):
        if max(light, dark) >= heaps_from and not min(light, dark) and number not in counted:
            short[number] = _compute_best_of_fewer(known.points[number], heaps_from - 1) - by_place[number]
    return tuple(place for place, by in zip(PLACES, short, strict=False) if by > least)


def _compute_best_of_fewer(point: FloatTable, than: int) -> float:
    """Of the likelihoods of one point (2, 16, 16), those of both colours together."""
    return float(point[:, np.add.outer(np.arange(COUNTS), np.arange(COUNTS)) < than].max())


def find_inferred_places(known: Likelihoods, view: BoardView, confident_from: float) -> tuple[Place, ...]:
    """Places of which the picture alone does not tell what `view` has there, with a posterior of `told_from`.

    The trays are one of them when something was borne off and they are out of view.
    """
    single = np.exp(known.points[:, LIGHT_ABOVE])
    alone = single[:, :, 0] @ STACK_PRIOR + single[:, 0, 1:] @ STACK_PRIOR[1:]
    all_alone = np.append(alone, np.exp(known.bar).sum())
    highest = np.array([max(pair) for pair in (*view.points, (0, 0))])
    shares = np.exp(known.by_place(view)) * STACK_PRIOR[highest] / all_alone
    unseen = [place for place, share in zip(PLACES, shares, strict=False) if share < confident_from]
    if view.off != (0, 0) and not known.has_tray:
        unseen.append(Place.TRAY)
    return tuple(unseen)


def sort_places(places: set[Place]) -> tuple[Place, ...]:
    """From T1 to T12, B1 to B12, bar, trays."""
    return tuple(place for place in PLACES if place in places)
