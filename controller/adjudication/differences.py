"""Where the board differs from an expected one: at set-up, when a position is restored, after a restart."""

from controller import observing
from controller.adjudication.board_view import view_of
from controller.adjudication.outcome import BoardDifference
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.match import Seating
from controller.rules import Position, Ruleset, Setup
from vision.places import Place


def compare_setup(
    expected: Setup | Position,
    seen: observing.BoardEvidence,
    seating: Seating,
    rules: Ruleset,
    *,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> BoardDifference:
    """Points and bar that differ from `expected`. Trays are ignored, because borne-off checkers may lie anywhere."""
    known = observing.likelihoods_of(seen, limits.trust)
    return compare_view(view_of(expected, seating, rules), known, observing.find_hidden_places(seen), limits=limits)


def compare_view(
    view: observing.BoardView,
    known: observing.Likelihoods,
    hidden: tuple[Place, ...],
    *,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> BoardDifference:
    """Points and bar that differ from `view`. A hidden place that should be empty counts as empty.

    The height of a heap follows from the other places, because no checker vanishes; a heap is unsure only if it may be no
    heap at all.
    """
    extra, missing, unsure = list[Place](), list[Place](), list[Place]()
    pairs = (*view.points, view.bar)
    shorts = observing.compute_best_by_place(known) - known.by_place(view)
    for number, (place, expected, short) in enumerate(zip(observing.PLACES, pairs, shorts.tolist(), strict=False)):
        if place in hidden:
            unsure += [place] if any(expected) else []
        elif short >= limits.contradicted:
            found = _find_likeliest_pair(known, number)
            extra += [place] if found[0] > expected[0] or found[1] > expected[1] else []
            missing += [place] if found[0] < expected[0] or found[1] < expected[1] else []
        elif short > limits.rival and not _are_heaps(
            expected, _find_likeliest_pair(known, number), limits.trust.high_from
        ):
            unsure.append(place)
    return BoardDifference(tuple(extra), tuple(missing), tuple(unsure))


def _are_heaps(expected: observing.Pair, found: observing.Pair, high_from: int) -> bool:
    """Whether both are heaps of one colour that are too high to be counted; a camera may see only the lowest row."""
    return any(one >= high_from and other >= high_from - 1 for one, other in zip(expected, found, strict=True))


def _find_likeliest_pair(known: observing.Likelihoods, number: int) -> observing.Pair:
    if number == observing.POINTS:
        light, dark = divmod(int(known.bar.argmax()), observing.COUNTS)
        return light, dark
    light, dark = divmod(int(known.points[number].argmax()) % observing.COUNTS**2, observing.COUNTS)
    return light, dark
