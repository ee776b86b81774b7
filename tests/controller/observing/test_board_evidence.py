"""What follows from tables that were seen is remembered for as long as they are the same ones."""

from dataclasses import replace

from controller.observing.likelihoods import likelihoods_of
from controller.observing.pooling import look_at
from tests.controller.board_sights import EMPTY, reading_of, sight_of

SEEN = sight_of(EMPTY)


def test_the_same_tables_at_another_time() -> None:
    """A board that rests is the same with every frame; its likelihoods are worked out once."""
    later = replace(SEEN, taken_ms=SEEN.taken_ms + 40)
    assert later == SEEN
    assert hash(later) == hash(SEEN)
    assert likelihoods_of(later) is likelihoods_of(SEEN)


def test_other_tables_with_the_same_numbers() -> None:
    """Whether they show the same is not looked into, and never taken for granted."""
    assert replace(SEEN, points=SEEN.points.copy()) != SEEN
    assert replace(SEEN, looks=SEEN.looks + 1) != SEEN
    assert SEEN != "a board"


def test_a_reading_handed_on_is_the_same_look() -> None:
    """For an unchanged picture vision hands the reading on with a new time."""
    reading = reading_of(EMPTY, 100)
    first = look_at(reading)
    again = look_at(replace(reading, taken_ms=140), first)
    assert (again.seen == first.seen, again.seen.taken_ms) == (True, 140)
    assert look_at(reading_of(EMPTY, 140), first).seen != first.seen
