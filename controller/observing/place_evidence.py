"""Evidence place by place: what is hidden, where boards differ, what the picture contradicts or leaves open."""

import numpy as np

from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.observing.likelihoods import COUNTS, LIGHT_ABOVE, MOST, FloatTable, Likelihoods
from vision.board.board_reading import VISIBLE_FROM
from vision.places import POINTS, Place

PLACES = (*POINTS, Place.BAR, Place.TRAY)  # in the order of all arrays by place

# Prior of stack heights 0..15 (knob): a row of five is far more common than one with a second layer.
STACK_PRIOR = np.array([1.0] * 6 + [0.03] * 10)

HIDDEN = "Too much of the board is hidden; take away what covers it, or let the camera see all of it."
_DOUBTFUL = "It cannot be told how many checkers lie on {places}; lay them apart and let the camera see them."


def make_doubt_sentence(places: tuple[Place, ...]) -> str:
    """The sentence for undecided places, with the remedy."""
    names = ", ".join("the bar" if place is Place.BAR else place.value for place in places if place is not Place.TRAY)
    return _DOUBTFUL.format(places=names or "the board")


def find_hidden_places(seen: BoardEvidence) -> tuple[Place, ...]:
    """The points and the bar that are not in view."""
    places = PLACES if seen.has_bar else POINTS
    return tuple(place for place, visible in zip(places, seen.visible, strict=False) if visible < VISIBLE_FROM)


def find_differing_places(one: BoardView, other: BoardView) -> tuple[Place, ...]:
    """The places where two boards differ."""
    pairs = zip((*one.points, one.bar, one.off), (*other.points, other.bar, other.off), strict=True)
    return tuple(place for place, (first, second) in zip(PLACES, pairs, strict=True) if first != second)


def find_places_to_undo(before: BoardView, after: BoardView) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The places that gained checkers, and the places that lost checkers."""
    rows = zip(PLACES, (*before.points, before.bar, before.off), (*after.points, after.bar, after.off), strict=True)
    changes = [(place, now[0] - was[0], now[1] - was[1]) for place, was, now in rows]
    gained = tuple(place for place, light, dark in changes if light > 0 or dark > 0)
    lost = tuple(place for place, light, dark in changes if light < 0 or dark < 0)
    return gained, lost


def compute_best_by_place(known: Likelihoods) -> FloatTable:
    """(25,): the log-likelihood of the most likely content of each point and the bar."""
    return np.append(known.points.max(axis=(1, 2, 3)), known.bar.max())


def find_contradicted_places(
    known: Likelihoods,
    view: BoardView,
    least: float,
    *,
    heaps_from: int = MOST + 1,
    counted: frozenset[int] = frozenset(),
) -> tuple[Place, ...]:
    """Points and bar where another content is more likely than that of `view` by more than `least` nats.

    For stacks of one colour from `heaps_from` checkers on, another height is no contradiction, except on the points
    `counted` (0..23): contents with at least a full lowest row agree with a heap.
    """
    by_place = known.by_place(view)
    short = compute_best_by_place(known) - by_place
    for number, (light, dark) in enumerate(view.points):
        if max(light, dark) >= heaps_from and not min(light, dark) and number not in counted:
            short[number] = _compute_best_of_fewer(known.points[number], heaps_from - 1) - by_place[number]
    return tuple(place for place, by in zip(PLACES, short, strict=False) if by > least)


def _compute_best_of_fewer(point: FloatTable, than: int) -> float:
    """The best log-likelihood at one point (2, 16, 16) of contents with fewer than `than` checkers in all."""
    return float(point[:, np.add.outer(np.arange(COUNTS), np.arange(COUNTS)) < than].max())


def find_inferred_places(known: Likelihoods, view: BoardView, confident_from: float) -> tuple[Place, ...]:
    """The places where the picture alone gives the content of `view` a posterior below `confident_from`.

    The trays are one of these places if checkers are borne off and no tray is in view. A bar that the board does not have is none.
    """
    single = np.exp(known.points[:, LIGHT_ABOVE])
    alone = single[:, :, 0] @ STACK_PRIOR + single[:, 0, 1:] @ STACK_PRIOR[1:]
    all_alone = np.append(alone, np.exp(known.bar).sum())
    highest = np.array([max(pair) for pair in (*view.points, (0, 0))])
    shares = np.exp(known.by_place(view)) * STACK_PRIOR[highest] / all_alone
    unseen = [place for place, share in zip(PLACES, shares, strict=False) if share < confident_from]
    if view.off != (0, 0) and not known.has_tray:
        unseen.append(Place.TRAY)
    return tuple(place for place in unseen if place is not Place.BAR or known.has_bar)


def sort_places(places: set[Place]) -> tuple[Place, ...]:
    """Sorts places: T1..T12, B1..B12, bar, trays."""
    return tuple(place for place in PLACES if place in places)
