"""Frames of a film at any times: the field is still since some moment, a hand is there or not."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.adjudication.board_view import log_likelihood, view_of
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.observing.observe import DEFAULT_OBSERVE_LIMITS, ObservationWindow, ObserveLimits, observe
from controller.observing.pooling import ReadingTables, make_evidence, pool_evidence, tabulate_reading
from controller.rules import start_position
from tests.controller.board_sights import BLURRED, CLEAR, ONE_LOOK, Sight, reading_of, sight_of, with_points
from tests.controller.rules.boards import game
from tests.vision.dice_tracking.dice_films import die
from vision.board.board_reading import BoardReading
from vision.dice_tracking.events import DiceSettled
from vision.errors import ImpossibleReadingError
from vision.places import Place

pytestmark = pytest.mark.broad

BACKGAMMON = game("backgammon")
VIEW = view_of(start_position(BACKGAMMON), Seating(), BACKGAMMON)


def watched(
    *frames: BoardReading, moving_ms: tuple[int, ...] = (), limits: ObserveLimits = DEFAULT_OBSERVE_LIMITS
) -> list[Observation]:
    """Observations of frames in the order of time; the field differs from the frame before at `moving_ms`."""
    window, seen, since_ms = ObservationWindow(), list[Observation](), frames[0].taken_ms
    for frame in frames:
        since_ms = frame.taken_ms if frame.taken_ms in moving_ms else since_ms
        window, observation = observe(window, frame, still_since_ms=since_ms, limits=limits)
        seen.append(observation)
    return seen


def film(*times_ms: int, hand_ms: tuple[int, ...] = ()) -> list[BoardReading]:
    return [reading_of(VIEW, taken_ms, hand_in_view=taken_ms in hand_ms) for taken_ms in times_ms]


def settled(observations: list[Observation]) -> list[bool]:
    return [observation.board is not None for observation in observations]


class TestTheBoard:
    def test_is_settled_when_it_rested_for_long_enough(self) -> None:
        assert settled(watched(*film(0, 130, 480, 510, 520))) == [False, False, False, True, True]

    def test_is_settled_by_two_frames_that_lie_far_apart(self) -> None:
        """A recording of a frame a second, and one with a jump of a minute."""
        assert settled(watched(*film(0, 1000, 61_000))) == [False, True, True]

    def test_is_not_settled_while_something_moves(self) -> None:
        """The rest begins anew with the frame that differs."""
        frames = film(0, 300, 600, 900, 1100)
        assert settled(watched(*frames, moving_ms=(600,))) == [False, False, False, False, True]

    def test_is_not_settled_under_a_hand(self) -> None:
        """Nor in the first frame after it, in which the field has changed."""
        frames = film(0, 600, 700, 800, 1400, hand_ms=(700,))
        assert settled(watched(*frames, moving_ms=(800,))) == [False, True, False, False, True]

    def test_is_not_judged_where_it_was_moved(self) -> None:
        """A bumped board lies elsewhere than it was calibrated."""
        frames = [replace(frame, board_moved_mm=9.0) for frame in film(0, 600, 1200)]
        assert settled(watched(*frames)) == [False] * 3

    def test_tells_since_when_it_has_been_so(self) -> None:
        board = watched(*film(0, 300, 600))[-1].board
        assert board is not None
        assert (board.since_ms, board.taken_ms, board.frame_count) == (0, 600, 3)

    def test_cached_is_no_new_reading(self) -> None:
        """A reading that was kept for an unchanged picture vouches for the rest, and for nothing else."""
        first = reading_of(VIEW, 0)
        again = [replace(first, taken_ms=taken_ms) for taken_ms in (300, 600, 900)]
        last = watched(first, *again)[-1].board
        assert last is not None
        assert (last.frame_count, last.taken_ms) == (1, 900)

    @given(st.lists(st.tuples(st.integers(1, 2000), st.sampled_from("shm")), min_size=1, max_size=25))
    def test_is_never_settled_sooner_than_it_rested(self, steps: list[tuple[int, str]]) -> None:
        """Whatever happens: frames come still (s), moving (m) or with a hand (h), at any distance."""
        times = np.cumsum([gap for gap, _ in steps]).tolist()
        hands = tuple(ms for ms, (_, kind) in zip(times, steps, strict=True) if kind == "h")
        moving = tuple(ms for ms, (_, kind) in zip(times, steps, strict=True) if kind == "m")
        disturbed = max((0, *(ms for ms in (*hands, *moving))))
        last = watched(*film(*times, hand_ms=hands), moving_ms=moving)[-1]
        if last.board is not None:
            assert times[-1] - disturbed >= DEFAULT_OBSERVE_LIMITS.rest_ms
            assert last.board.since_ms >= disturbed


class TestTheRest:
    def test_of_the_observation_is_that_of_the_frame(self) -> None:
        (one,) = watched(*film(5, hand_ms=(5,)))
        assert (one.taken_ms, one.hand_in_view, one.is_moving, one.board) == (5, True, True, None)
        assert one.frame_evidence.frame_count == 1

    def test_dice_are_watched_along(self) -> None:
        """They settle in their own time, and lie there afterwards."""
        dice = (die(5), die(3, (400.0, 220.0)))
        frames = [replace(frame, dice=dice) for frame in film(*range(0, 900, 100))]
        seen = watched(*frames)
        events = [event for observation in seen for event in observation.dice_events]
        assert [type(event) for event in events] == [DiceSettled]
        assert sorted(one.value for one in seen[-1].dice) == [3, 5]

    def test_frames_come_in_the_order_of_time(self) -> None:
        with pytest.raises(ImpossibleReadingError, match="order of time"):
            watched(*film(10, 5))

    def test_of_what_is_remembered_is_bounded(self) -> None:
        """After two minutes no more than after five seconds."""
        window, sizes = ObservationWindow(), list[int]()
        for number in range(600):
            window, _ = observe(window, reading_of(VIEW, number * 200 + 1), still_since_ms=0)
            sizes.append(len(window.readings))
        assert max(sizes) == sizes[25] == DEFAULT_OBSERVE_LIMITS.max_readings
        assert sys.getsizeof(window.readings) < 200


class TestPooledReadings:
    def test_are_no_surer_than_they_were(self) -> None:
        """A hundred blurred readings leave the truth about as likely as one does."""
        other = with_points(VIEW, T1=(4, 0))
        readings = [make_evidence(reading_of(VIEW, taken_ms, BLURRED)) for taken_ms in range(100)]
        ahead = [log_likelihood(VIEW, one) - log_likelihood(other, one) for one in readings]
        together = pool_evidence(readings)
        assert together.frame_count == 100
        assert log_likelihood(VIEW, together) - log_likelihood(other, together) == pytest.approx(
            float(np.mean(ahead)), abs=0.3
        )

    def test_outvote_one_that_was_wrong(self) -> None:
        right = [make_evidence(reading_of(VIEW, taken_ms)) for taken_ms in range(3)]
        wrong = sight_of(VIEW, ONE_LOOK, misread={Place.T1: (4, 0)})
        together = pool_evidence([wrong, *right])
        assert log_likelihood(VIEW, together) > log_likelihood(with_points(VIEW, T1=(4, 0)), together)

    def test_see_what_one_of_them_sees(self) -> None:
        """A place that is hidden in all readings but one gets its evidence from that one."""
        hiding = [make_evidence(reading_of(VIEW, taken_ms, Sight(hidden=[Place.T1]))) for taken_ms in range(3)]
        together = pool_evidence([*hiding, make_evidence(reading_of(VIEW, 9))])
        assert together.visible.min() == 1
        assert log_likelihood(VIEW, together) > log_likelihood(with_points(VIEW, T1=(4, 0)), together) + 6

    def test_have_a_tray_when_one_of_them_has(self) -> None:
        shown = Sight(tray_in_view=True)
        together = pool_evidence([make_evidence(reading_of(VIEW, 0)), make_evidence(reading_of(VIEW, 1, shown))])
        assert together.tray is not None
        assert together.tray.argmax() == 0  # none of either

    def test_of_one_reading_twice_are_known_to_be_one(self) -> None:
        first = tabulate_reading(reading_of(VIEW, 0))
        handed_on = tabulate_reading(replace(reading_of(VIEW, 0), taken_ms=5), first)
        assert handed_on.places is not first.places
        same = reading_of(VIEW, 0)
        one = tabulate_reading(same)
        again = tabulate_reading(replace(same, taken_ms=5), one)
        assert isinstance(again, ReadingTables)
        assert again.places is one.places
        assert again.evidence.taken_ms == 5

    def test_are_read_only(self) -> None:
        """What is remembered cannot be changed by whoever judges it."""
        seen: BoardEvidence = pool_evidence(
            [make_evidence(reading_of(VIEW, 0, CLEAR)), make_evidence(reading_of(VIEW, 1))]
        )
        assert not any(table.flags.writeable for table in (seen.points, seen.bar, seen.visible))
