"""Heaps, whose height no picture shows surely; seats as in `test_adjudicate`."""

from dataclasses import replace

import numpy as np
import pytest

from controller.adjudication.outcome import IllegalOutcome, LegalOutcome, UndecidedOutcome
from controller.observing.picture_changes import CHANGED_HEAP_NATS
from controller.rules import Rule, start_position
from tests.controller.adjudication.outcomes import require
from tests.controller.adjudication.test_adjudicate import BACKGAMMON, GUL_BARA, LONG_NARDY, adjudicated, standing
from tests.controller.board_sights import Sight, sight_of, with_points
from tests.controller.rules.boards import board
from vision.places import POINTS, Place


def test_a_checker_on_a_heap_or_borne_off() -> None:
    """From the 2 point onto a heap of six, backwards, or off too early: one checker of seven is hard to see."""
    before = board(BACKGAMMON, "24:1 6:4 4:2 3:6 2:2", "24:2 13:5 8:3 6:5")
    backwards = with_points(standing(before), B10=(7, 0), B11=(1, 0))
    outcome = require(IllegalOutcome, adjudicated(sight_of(backwards), 3, 1, before=before))
    assert not outcome.is_sure


def test_a_checker_borne_off_or_on_a_heap() -> None:
    """From the 2 point backwards or off too early, while the heap surely looks as it was."""
    before = board(BACKGAMMON, "24:1 6:4 4:2 3:6 2:2", "24:2 13:5 8:3 6:5")
    borne_off = replace(with_points(standing(before), B11=(1, 0)), off=(1, 0))
    outcome = require(
        IllegalOutcome, adjudicated(sight_of(borne_off, Sight(high_sureness=0.9999)), 3, 1, before=before)
    )
    assert outcome.view.off == (1, 0)
    assert not outcome.is_sure


def test_a_head_that_cannot_be_counted_was_not_borne_off_from() -> None:
    """Two checkers left the head, one too many; a lower reading of the head does not mean that a third was borne off."""
    before = board(LONG_NARDY, "24:14 20:1", "24:15")
    left, too_many = standing(before, LONG_NARDY), board(LONG_NARDY, "24:12 20:1 19:1 15:1", "24:15")
    assert left.totals == standing(too_many, LONG_NARDY).totals
    seen = sight_of(standing(too_many, LONG_NARDY), Sight(high_sureness=0.4))
    outcome = require(IllegalOutcome, adjudicated(seen, 5, 4, before=before, rules=LONG_NARDY))
    assert outcome.is_sure


def test_a_checker_on_a_heap_or_two_borne_off() -> None:
    """5-3 bears one off from the 3 point and one from the heap, or one moved back onto it: both fit."""
    before = board(BACKGAMMON, "1:3 3:4 4:1 5:7", "18:2 13:5 8:3 6:5")
    borne_off = replace(with_points(standing(before), B10=(3, 0), B8=(6, 0)), off=(2, 0))
    seen = sight_of(borne_off, Sight(high_sureness=0.95))
    assert isinstance(adjudicated(seen, 5, 3, before=before), LegalOutcome)
    points = seen.points.copy()
    points[POINTS.index(Place.B8), 1, 6:9] = -1.1
    assert isinstance(adjudicated(replace(seen, points=points), 5, 3, before=before), UndecidedOutcome)


@pytest.mark.parametrize(("read", "is_legal"), [(6, True), (5, True), (4, False), (0, False)])
def test_a_play_is_legal_beside_a_heap_that_seems_to_lack_checkers(read: int, *, is_legal: bool) -> None:
    """How high a heap is, is misread on any board; that only a few lie there would be another thing."""
    before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:4 8:3 6:6")
    heap = standing(before).points.index((0, 6))
    seen = sight_of(with_points(standing(before), B5=(2, 0), B7=(4, 0), B8=(2, 0)))
    points = seen.points.copy()
    points[heap], points[heap, 2 if read else 0, read] = -9.0, 0.0
    assert isinstance(adjudicated(replace(seen, points=points), 3, 1, before=before), LegalOutcome) is is_legal


@pytest.mark.parametrize("read", [11, 10, 9])
@pytest.mark.parametrize("has_changed", [False, True])
def test_a_heap_from_which_one_may_have_been_borne_off_unasked(read: int, *, has_changed: bool) -> None:
    """Two were borne off from elsewhere: a heap that is read lower and whose picture changed is undecided."""
    before = board(BACKGAMMON, "5:11 3:3 1:1", "18:2 13:5 8:3 6:5")
    heap = standing(before).points.index((11, 0))
    seen = sight_of(standing(board(BACKGAMMON, "5:11 3:2", "18:2 13:5 8:3 6:5")))
    points, shown = seen.points.copy(), np.zeros((24, 16, 16), np.float32)
    points[heap], points[heap, 1, read] = -9.0, 0.0
    seen = replace(seen, points=points)
    if has_changed:
        shown[heap, 11, 0] = -CHANGED_HEAP_NATS
        seen = replace(seen, change_penalty=shown, changed=frozenset({heap}))
    outcome = adjudicated(seen, 3, 1, before=before)
    assert isinstance(outcome, UndecidedOutcome if has_changed and read < 11 else LegalOutcome)
    if isinstance(outcome, UndecidedOutcome):
        assert outcome.places == (POINTS[heap],)


@pytest.mark.parametrize("read", [5, 9, 12])
def test_a_heap_that_was_played_from_has_changed_of_course(read: int) -> None:
    """One was borne off from it and one moved down: whatever number it is read as."""
    before = board(BACKGAMMON, "5:11 3:3 1:1", "18:2 13:5 8:3 6:5")
    heap = standing(before).points.index((11, 0))
    seen = sight_of(standing(board(BACKGAMMON, "5:9 4:1 3:3 1:1", "18:2 13:5 8:3 6:5")))
    points, shown = seen.points.copy(), np.zeros((24, 16, 16), np.float32)
    points[heap], points[heap, 1, read] = -9.0, 0.0
    shown[heap, 11, 0] = -CHANGED_HEAP_NATS
    seen = replace(seen, points=points, change_penalty=shown, changed=frozenset({heap}))
    assert isinstance(adjudicated(seen, 5, 1, before=before), LegalOutcome)


def test_a_play_leaves_high_stacks_to_memory() -> None:
    """Of a head of fifteen one checker left, which no picture can count; where it went, one can."""
    after = board(LONG_NARDY, "24:14 18:1", "24:15")
    seen = sight_of(standing(after, LONG_NARDY))
    outcome = require(LegalOutcome, adjudicated(seen, 5, 1, before=start_position(LONG_NARDY), rules=LONG_NARDY))
    assert outcome.ruling.after == after
    assert set(outcome.inferred) == {Place.B1, Place.T12}


def test_nothing_is_a_checker_too_many_where_one_may_have_been_taken_from_a_heap() -> None:
    """Six of Black's read like five, and one more of his is found beside them."""
    before = board(BACKGAMMON, "24:2 13:5 8:3 6:5", "24:2 13:4 8:3 6:6")
    heap = standing(before).points.index((0, 6))
    place = POINTS[heap + 1].value
    seen = sight_of(with_points(standing(before), B5=(2, 0), B7=(4, 0), B8=(2, 0), **{place: (0, 1)}))
    points = seen.points.copy()
    points[heap, 2, 6], points[heap, 2, 5] = 0.0, -1.0
    outcome = require(IllegalOutcome, adjudicated(replace(seen, points=points), 3, 1, before=before))
    assert outcome.ruling.rules == (Rule.OPPONENT_MOVED,)


@pytest.mark.parametrize("read", [12, 13, 14])
def test_an_illegal_play_from_a_head_is_what_conserves_checkers(read: int) -> None:
    """Two of fourteen left the head, which reads as thirteen, or as before: none came from nowhere."""
    before = board(LONG_NARDY, "24:14 10:1", "24:15")
    head = next(number for number, pair in enumerate(standing(before, LONG_NARDY).points) if pair == (14, 0))
    after = board(LONG_NARDY, "24:12 19:1 21:1 10:1", "24:15")
    seen = sight_of(standing(after, LONG_NARDY))
    points = seen.points.copy()
    points[head, 1], points[head, 1, read] = -9.0, 0.0
    outcome = require(IllegalOutcome, adjudicated(replace(seen, points=points), 5, 3, before=before, rules=LONG_NARDY))
    assert outcome.ruling.rules[0] is Rule.HEAD


def test_a_checker_that_is_gone_is_not_hidden_in_a_heap_that_no_number_leads_to() -> None:
    """Gul bara, 3-2: a checker that is gone did not go onto the fifteen of the other side, twelve points away."""
    before = board(GUL_BARA, "24:15", "24:15")
    seen = sight_of(standing(board(GUL_BARA, "24:13 21:1 22:1", "24:15"), GUL_BARA))
    gone = seen.points.copy()
    number = standing(board(GUL_BARA, "24:13 21:1 22:1", "24:15"), GUL_BARA).points.index((1, 0))
    gone[number] = gone[next(at for at, pair in enumerate(standing(before, GUL_BARA).points) if pair == (0, 0))]
    outcome = require(IllegalOutcome, adjudicated(replace(seen, points=gone), 3, 2, before=before, rules=GUL_BARA))
    assert outcome.ruling.rules[0] is not Rule.WRONG_NUMBERS
