"""What follows from tables that were seen is remembered for as long as they are the same ones."""

from dataclasses import replace

from controller.observing.likelihoods import likelihoods_of
from controller.observing.pooling import tabulate_reading
from tests.controller.board_sights import EMPTY, reading_of, sight_of

SEEN = sight_of(EMPTY)


def test_the_same_tables_at_another_time() -> None:
    """A board that rests is the same with every frame; its likelihoods are worked out once."""
    later = replace(SEEN, taken_ms=SEEN.taken_ms + 40)
    assert later == SEEN
    assert hash(later) == hash(SEEN)
    assert likelihoods_of(later) is likelihoods_of(SEEN)


def test_other_tables_with_the_same_numbers() -> None:
    """Equal contents in other arrays are not compared."""
    assert replace(SEEN, points=SEEN.points.copy()) != SEEN
    assert replace(SEEN, frame_count=SEEN.frame_count + 1) != SEEN
    assert SEEN != "a board"


def test_a_cached_reading_is_the_same_evidence() -> None:
    """For an unchanged picture vision hands the reading on with a new time."""
    reading = reading_of(EMPTY, 100)
    first = tabulate_reading(reading)
    again = tabulate_reading(replace(reading, taken_ms=140), first)
    assert (again.evidence == first.evidence, again.evidence.taken_ms) == (True, 140)
    assert tabulate_reading(reading_of(EMPTY, 140), first).evidence != first.evidence
