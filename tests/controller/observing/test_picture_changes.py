"""What the change between two pictures of a board adds to its readings."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.board_view import view_of
from controller.adjudication.outcome import IllegalOutcome, LegalOutcome, Outcome
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.seating import Seating, place_number
from controller.observing.board_evidence import BoardEvidence, BoardView, Pair
from controller.observing.likelihoods import likelihoods_of
from controller.observing.picture_changes import (
    CHANGED_HEAP_NATS,
    OTHER_COLOUR_NATS,
    UNCHANGED_HEAP_NATS,
    UNCHANGED_NATS,
    compute_change_penalty,
    find_changed_points,
    find_unexplained_places,
    is_supported_by_changes,
)
from controller.observing.pooling import pool_evidence
from controller.refereeing.known_misreadings import ReferenceBoard, relative_to_reference
from controller.rules import Player, Roll, RollCounters, make_own_throw, start_position
from tests.controller.board_sights import CLEAR, EMPTY, Sight, picture_of, sight_of, with_points
from tests.controller.rules.boards import game
from tests.vision.shown_boards import picture_with
from vision.checkers.colour_classes import BAR
from vision.places import Place

BACKGAMMON = game("backgammon")
START = start_position(BACKGAMMON)
BEFORE = view_of(START, Seating(), BACKGAMMON)
PLAYED = with_points(BEFORE, B5=(2, 0), B7=(4, 0), B8=(1, 0), B9=(1, 0))  # White's 4-1: 8/4 6/5


def seen(
    view: BoardView, sight: Sight = CLEAR, *, misread: Mapping[Place, Pair] | None = None, of: BoardView | None = None
) -> BoardEvidence:
    """A sight with its picture, which shows the board `of` instead if given."""
    return replace(sight_of(view, sight, misread=misread), picture=picture_of(of or view))


def adjudicated(board: BoardEvidence) -> Outcome:
    throw = make_own_throw(Roll.of(4, 1), BACKGAMMON, RollCounters(8, 4))
    return adjudicate(ThrowInPlay(START, Player.WHITE, throw, Seating(), BACKGAMMON), board)


def nats_of(now: BoardEvidence, place: str, then: BoardEvidence | None = None) -> NDArray[np.float32]:
    found = compute_change_penalty(now, BEFORE, then or seen(BEFORE), BEFORE)
    return np.zeros((16, 16), np.float32) if found is None else found[place_number(Place(place))]


@pytest.mark.parametrize("misread", [{Place.B8: (2, 0)}, {Place.T3: (0, 1)}, {Place.T1: (4, 0)}])
def test_a_play_is_legal_whatever_is_misread_where_nothing_changed(misread: dict[Place, Pair]) -> None:
    """A blot read as two, a shadow as a blot, five as four: the weak readings look illegal, the pictures correct them."""
    weak = Sight(sureness=0.97)
    board = seen(PLAYED, weak, misread=misread)
    assert not isinstance(adjudicated(board), LegalOutcome)
    outcome = adjudicated(relative_to_reference(board, ReferenceBoard(BEFORE, seen(BEFORE)), BEFORE))
    assert isinstance(outcome, LegalOutcome)
    assert outcome.view == PLAYED


def test_a_change_stays_an_offence() -> None:
    """Two moved to the point, and the picture shows them."""
    wrong = with_points(BEFORE, B7=(4, 0), B8=(2, 0), B5=(2, 0))
    outcome = adjudicated(relative_to_reference(seen(wrong), ReferenceBoard(BEFORE, seen(BEFORE)), BEFORE))
    assert isinstance(outcome, IllegalOutcome)
    assert outcome.view == wrong


@pytest.mark.parametrize(
    ("place", "now", "possible", "impossible"),
    [
        ("B8", (1, 0), [(1, 0), (0, 1), (1, 1)], [(2, 0), (0, 2), (6, 0)]),
        ("B7", (4, 0), [(4, 0), (6, 0), (9, 0)], [(3, 0), (0, 5), (0, 4), (0, 0)]),
        ("B7", (3, 0), [(3, 0), (4, 0), (7, 0)], [(2, 0), (0, 3), (0, 0)]),
        ("T5", (3, 0), [(3, 0), (0, 2), (0, 5), (4, 0)], [(5, 0), (7, 0)]),
    ],
)
def test_no_more_than_changed(place: str, now: Pair, possible: list[Pair], impossible: list[Pair]) -> None:
    """B8 was empty, B7 held five light ones and T5 three dark ones."""
    nats = nats_of(seen(with_points(BEFORE, **{place: now})), place)
    assert [nats[pair] for pair in possible] == [0] * len(possible)
    assert [nats[pair] for pair in impossible] == pytest.approx([-UNCHANGED_NATS] * len(impossible))
    stood = BEFORE.points[place_number(Place(place))]
    assert nats[stood] == (-CHANGED_HEAP_NATS if max(stood) == 5 else 0)  # what changed may be a nudge


def test_a_heap_that_looks_the_same() -> None:
    """One more checker on it can hardly be seen, so an unchanged picture is weak evidence."""
    nats = nats_of(seen(BEFORE), "B7")
    assert nats[5, 0] == 0
    assert nats[[6, 7, 12], 0] == pytest.approx(-UNCHANGED_HEAP_NATS)
    assert nats[4, 0] == pytest.approx(-UNCHANGED_NATS)


@pytest.mark.parametrize(("stands", "is_evidence"), [(9, True), (10, False), (15, False)])
def test_a_tall_heap_with_an_unchanged_picture_may_have_one_fewer(stands: int, *, is_evidence: bool) -> None:
    """Seen from above its upper face stays where it is. But it did not become a row."""
    heap = with_points(BEFORE, B7=(stands, 0))
    found = compute_change_penalty(seen(heap), heap, seen(heap), heap)
    assert found is not None
    nats = found[place_number(Place.B7)]
    assert nats[stands - 1, 0] == pytest.approx(-UNCHANGED_HEAP_NATS if is_evidence else 0)
    assert nats[4, 0] == pytest.approx(-UNCHANGED_NATS)


@pytest.mark.parametrize(("has_die", "is_evidence"), [(False, True), (True, False)])
def test_a_heap_with_a_changed_picture_is_hardly_what_it_was(*, has_die: bool, is_evidence: bool) -> None:
    """Its height is unknown now; that of three side by side is known."""
    heap = with_points(BEFORE, B7=(8, 0))
    picture = picture_with(heap.points, {place_number(Place.B7): [5.1], place_number(Place.T5): [5.1]})
    now = replace(seen(heap), picture=picture, disturbed=frozenset({place_number(Place.B7)} if has_die else ()))
    found = compute_change_penalty(now, heap, seen(heap), heap)
    assert found is not None
    assert found[place_number(Place.B7)][8, 0] == pytest.approx(-CHANGED_HEAP_NATS if is_evidence else 0)
    assert found[place_number(Place.B7)][7, 0] == found[place_number(Place.T5)][0, 3] == 0


def test_it_counts_in_full_beside_the_reading() -> None:
    """Even beside a confident reading: repeated readings err together, pictures err independently."""
    number, board = place_number(Place.B8), seen(PLAYED, misread={Place.B8: (2, 0)})
    before, after = (
        likelihoods_of(one).points[number, 0]
        for one in (board, relative_to_reference(board, ReferenceBoard(BEFORE, seen(BEFORE)), BEFORE))
    )
    assert (after[1, 0] - after[2, 0]) - (before[1, 0] - before[2, 0]) == pytest.approx(UNCHANGED_NATS)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        (sight_of(PLAYED), seen(BEFORE)),
        (seen(PLAYED), sight_of(BEFORE)),
        (seen(PLAYED, Sight(hidden=[Place.B8])), seen(BEFORE)),
        (seen(PLAYED), seen(BEFORE, Sight(hidden=[Place.B8]))),
        (seen(PLAYED), seen(BEFORE, misread={Place.B8: (1, 0)})),  # another board was seen then
    ],
)
def test_where_pictures_say_nothing(now: BoardEvidence, then: BoardEvidence) -> None:
    assert not nats_of(now, "B8", then).any()


@pytest.mark.parametrize(("likelier", "is_evidence"), [(1.0, True), (OTHER_COLOUR_NATS + 1, False)])
def test_what_was_hardly_read_in_another_colour_is_known(likelier: float, *, is_evidence: bool) -> None:
    """An empty dark point reads as a dark blot, then as now: no checker came, because no picture changed."""
    then = seen(BEFORE)
    points, number = then.points.copy(), place_number(Place.T3)
    points[number, 2, 1] = points[number].max() + likelier
    found = nats_of(seen(PLAYED), "T3", replace(then, points=points))
    assert found[0, 1] == pytest.approx(-UNCHANGED_NATS if is_evidence else 0.0)


def test_what_stood_otherwise_then_says_nothing() -> None:
    older = with_points(BEFORE, B8=(1, 0))
    found = compute_change_penalty(seen(PLAYED), BEFORE, seen(older), older)
    assert found is not None
    assert not found[place_number(Place.B8)].any()
    assert found[place_number(Place.B9)].any()
    assert not found.flags.writeable


@pytest.mark.parametrize(
    ("view", "of", "is_right"),
    [
        (with_points(BEFORE, T7=(0, 4)), with_points(BEFORE, T7=(0, 4)), True),
        (with_points(BEFORE, B8=(2, 0)), with_points(BEFORE, B8=(2, 0)), True),
        (with_points(BEFORE, B8=(2, 0)), with_points(BEFORE, B8=(1, 0)), False),
        (with_points(BEFORE, B8=(1, 0)), BEFORE, False),
        (with_points(BEFORE, B7=(6, 0)), with_points(BEFORE, B7=(6, 0)), False),
        (replace(with_points(BEFORE, B8=(1, 0)), bar=(0, 1)), with_points(BEFORE, B8=(1, 0)), False),
    ],
)
def test_read_as_much_as_the_picture_changed(view: BoardView, of: BoardView, *, is_right: bool) -> None:
    assert is_supported_by_changes(view, BEFORE, seen(view, of=of), seen(BEFORE), BEFORE) == is_right
    assert is_supported_by_changes(view, None, seen(view, of=of), seen(BEFORE), BEFORE) == is_right
    assert not is_supported_by_changes(view, None, sight_of(view), seen(BEFORE), BEFORE)
    assert not is_supported_by_changes(
        view, None, seen(view, of=of), seen(BEFORE, Sight(hidden=list(Place)[:24])), BEFORE
    )


@pytest.mark.parametrize(("middle", "is_right"), [(0.5, True), (0.9, False), (1.0, False)])
def test_a_blot_read_as_two_is_not_supported_wherever_it_lies(middle: float, *, is_right: bool) -> None:
    """Away from the rim a blot may be as long as two; a reading needs a change of surely that size."""
    picture = picture_with(BEFORE.points, {place_number(Place.B8): [middle]})
    blot, two = with_points(BEFORE, B8=(1, 0)), with_points(BEFORE, B8=(2, 0))
    now = replace(sight_of(BEFORE), picture=picture)
    assert not is_supported_by_changes(two, None, now, seen(BEFORE), BEFORE)
    assert is_supported_by_changes(blot, None, now, seen(BEFORE), BEFORE) == is_right


@pytest.mark.parametrize(
    "view", [BEFORE, replace(BEFORE, off=(1, 0)), replace(with_points(BEFORE, B8=(1, 1)), dark_above=frozenset({19}))]
)
def test_what_the_pictures_cannot_show_is_not_supported(view: BoardView) -> None:
    """Nothing differs on the points, or only which colour lies above."""
    legal = replace(view, off=BEFORE.off, dark_above=frozenset())
    assert not is_supported_by_changes(view, legal, seen(view), seen(BEFORE), BEFORE)


def test_only_what_no_legal_play_explains_needs_support() -> None:
    """A checker went from a heap as the numbers say, and one more lies elsewhere; or nothing left a point that should."""
    heap = with_points(BEFORE, B7=(7, 0))
    legal = with_points(heap, B7=(6, 0), B8=(1, 0))
    for wrong, is_right in ((with_points(legal, T3=(0, 1)), True), (with_points(legal, B7=(7, 0)), False)):
        assert is_supported_by_changes(wrong, legal, seen(wrong), seen(heap), heap) == is_right
    stayed = with_points(BEFORE, B5=(3, 0), B8=(1, 0))
    assert is_supported_by_changes(
        stayed, with_points(BEFORE, B5=(2, 0), B8=(1, 0)), seen(stayed), seen(BEFORE), BEFORE
    )


def test_a_change_that_nothing_explains() -> None:
    """One of two checkers left and two are still read; changes of other points do not explain this one."""
    gone = with_points(BEFORE, B12=(0, 1), B8=(0, 1))
    expected = with_points(BEFORE, B8=(0, 1))
    assert find_unexplained_places(expected, seen(expected, of=gone), seen(BEFORE), BEFORE) == {Place.B12}
    assert not find_unexplained_places(gone, seen(gone), seen(BEFORE), BEFORE)
    assert not find_unexplained_places(expected, sight_of(expected), seen(BEFORE), BEFORE)
    assert not find_unexplained_places(
        expected, seen(expected, Sight(hidden=[Place.B12]), of=gone), seen(BEFORE), BEFORE
    )


def test_where_the_board_has_changed() -> None:
    """Only points count that held the same before the turn as in the first picture."""
    now, places = seen(PLAYED), ("B5", "B7", "B8", "B9")
    numbers = {place_number(Place(place)) for place in places}
    assert find_changed_points(now, BEFORE, seen(BEFORE), BEFORE) == numbers
    older = with_points(BEFORE, B9=(0, 0), B8=(1, 0))
    assert find_changed_points(now, BEFORE, seen(older), older) == numbers - {place_number(Place.B8)}
    assert not find_changed_points(sight_of(PLAYED), BEFORE, seen(BEFORE), BEFORE)


def test_a_change_on_the_bar_that_nothing_explains() -> None:
    """A third checker came, and two are read as before."""
    two, three = (replace(BEFORE, bar=(count, 0)) for count in (2, 3))
    assert find_unexplained_places(two, seen(two, of=three), seen(two), two) == {Place.BAR}
    assert not find_unexplained_places(three, seen(three), seen(two), two)
    assert not find_unexplained_places(two, seen(two), seen(two), two)
    assert not find_unexplained_places(two, seen(two, Sight(hidden=[Place.BAR]), of=three), seen(two), two)
    assert not find_unexplained_places(two, replace(seen(two, of=three), disturbed=frozenset({BAR})), seen(two), two)


@pytest.mark.parametrize("number", [23, 19])
@pytest.mark.parametrize("is_then", [True, False])
def test_where_a_die_lies_a_change_may_be_its_own(number: int, *, is_then: bool) -> None:
    """B12 changed unexpectedly, and B8 as expected: each only counts where no die lay in either picture."""
    gone = with_points(BEFORE, B12=(0, 1), B8=(0, 1))
    expected, dice = with_points(BEFORE, B8=(0, 1)), frozenset({number})
    now, then = seen(expected, of=gone), seen(BEFORE)
    now, then = (now, replace(then, disturbed=dice)) if is_then else (replace(now, disturbed=dice), then)
    assert find_unexplained_places(expected, now, then, BEFORE) == (
        set() if number == place_number(Place.B12) else {Place.B12}
    )
    assert is_supported_by_changes(expected, BEFORE, now, then, BEFORE) == (number != place_number(Place.B8))


def test_dice_of_all_looks_count() -> None:
    dice = [frozenset({3}), frozenset({4, 5}), frozenset[int]()]
    assert pool_evidence([replace(seen(BEFORE), disturbed=near) for near in dice]).disturbed == {3, 4, 5}


def test_of_several_looks_the_newest_that_shows_all_is_compared() -> None:
    """A sleeve that lies over a point in the last picture is no change on it."""
    first, second = seen(BEFORE), seen(PLAYED)
    covered = seen(PLAYED, Sight(hidden=[Place.T1]), of=EMPTY)
    assert pool_evidence([first, second, covered]).picture is second.picture
    assert pool_evidence([covered, first, second]).picture is second.picture
    assert pool_evidence([covered, covered]).picture is covered.picture
    other = seen(BEFORE, Sight(hidden=[Place.B8]))
    assert pool_evidence([covered, other]).picture is None
