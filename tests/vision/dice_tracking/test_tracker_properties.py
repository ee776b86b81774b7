"""What holds of every film, however dice, hands and frames come."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.dice_tracking.dice_films import SIZE_PX, die
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.events import DiceEvent, DiceFound, DiceLifted, DiceSettled, DieMoved, DieTurned, ExtraDice
from vision.dice_tracking.tracker import DiceFrame, TrackerState, step
from vision.dice_tracking.tracks import TrackingLimits

pytestmark = pytest.mark.broad

LIMITS = TrackingLimits(rest_ms=200, lifted_ms=150, one_lifted_ms=300)  # so that short films hold much

# Few places, so that dice come back to where dice were, some of them nearer to each other than readings scatter.
places_px = st.sampled_from([(100.0, 100.0), (102.0, 100.0), (110.0, 104.0), (170.0, 100.0), (400.0, 300.0)])
dice = st.builds(
    die,
    st.sampled_from([2, 5, 6]),
    places_px,
    lies=st.sampled_from([DieState.FLAT] * 6 + [DieState.COCKED, DieState.OFF_BOARD, DieState.MOVING]),
    confidence=st.sampled_from([0.5, 0.95]),
    odds=st.sampled_from([0.5, 8.0]),
)


@st.composite
def films(draw: st.DrawFn, hands: st.SearchStrategy[bool] | None = None) -> list[DiceFrame]:
    """Up to six scenes of up to a dozen frames each, at 10 to 30 frames a second with gaps."""
    frames: list[DiceFrame] = []
    now_ms = draw(st.integers(0, 1000))
    for _ in range(draw(st.integers(1, 6))):
        shown = tuple(draw(st.lists(dice, max_size=4)))
        hand = draw(hands if hands is not None else st.sampled_from([False, False, False, True]))
        moving, overlooks = draw(st.sampled_from([False, False, True])), draw(st.sampled_from([0, 0, 3]))
        for number in range(draw(st.integers(1, 12))):
            now_ms += draw(st.sampled_from([33, 33, 34, 66, 100, 400]))
            seen = shown[1:] if overlooks and number % overlooks == 1 else shown
            frames.append(DiceFrame(seen, hand, moving and number == 0, now_ms))
    return frames


def run(frames: list[DiceFrame]) -> list[tuple[DiceFrame, TrackerState, tuple[DiceEvent, ...]]]:
    state, done = TrackerState(), []
    for frame in frames:
        state, events = step(state, frame, LIMITS)
        done.append((frame, state, events))
    return done


@given(films())
def test_nothing_settles_before_its_rest(frames: list[DiceFrame]) -> None:
    """For `rest_ms` before, no hand, no motion, and the die at its place in enough observations."""
    for number, (frame, _, events) in enumerate(run(frames)):
        rest = [past for past in frames[: number + 1] if past.taken_ms > frame.taken_ms - LIMITS.rest_ms]
        for event in events:
            if not isinstance(event, DiceSettled | ExtraDice):
                continue
            assert len(frames[: number + 1]) > len(rest), "no frame is as old as the rest is long"
            assert not any(past.hand_in_view or past.is_moving for past in rest)
            for one in event.dice:
                observations = sum(_shows(past, one.reading) for past in rest)
                assert observations >= LIMITS.least_share * len(rest) - 1
                assert any(_shows(past, one.reading) for past in _long_enough_ago(frames, frame))


def _long_enough_ago(frames: list[DiceFrame], now: DiceFrame) -> list[DiceFrame]:
    return [frame for frame in frames if frame.taken_ms <= now.taken_ms - LIMITS.rest_ms]


def _shows(frame: DiceFrame, reading: DieReading) -> bool:
    return any(
        abs(one.centre_px[0] - reading.centre_px[0]) <= 0.3 * SIZE_PX
        and abs(one.centre_px[1] - reading.centre_px[1]) <= 0.3 * SIZE_PX
        for one in frame.dice
    )


@given(films(hands=st.just(True)))
def test_with_a_hand_in_every_frame_nothing_happens(frames: list[DiceFrame]) -> None:
    """Dice do not settle, move or leave."""
    assert all(events == () and state.settled == () for _, state, events in run(frames))


@given(films())
def test_in_motion_nothing_happens(frames: list[DiceFrame]) -> None:
    moving = [replace(frame, is_moving=True) for frame in frames]
    assert all(events == () for _, _, events in run(moving))


@given(films(), st.integers(0, 2**32))
def test_the_order_of_dice_in_a_frame_does_not_matter(frames: list[DiceFrame], seed: int) -> None:
    rng = random.Random(seed)
    mixed = [replace(frame, dice=tuple(rng.sample(frame.dice, len(frame.dice)))) for frame in frames]
    assert [(state, events) for _, state, events in run(frames)] == [(state, events) for _, state, events in run(mixed)]


@given(films())
def test_a_value_never_changes_and_a_die_never_goes_silently(frames: list[DiceFrame]) -> None:
    """What lies there after a frame is what lay there before, and what the events add and take; with the same values."""
    lying: dict[int, int] = {}
    for _, state, events in run(frames):
        for event in events:
            match event:
                case DiceSettled(dice=new) | ExtraDice(dice=new) | DiceFound(dice=new):
                    assert not {one.number for one in new} & set(lying)
                    lying |= {one.number: one.value for one in new}
                case DiceLifted(dice=gone):
                    for one in gone:
                        del lying[one.number]
                case DieMoved(die=one) | DieTurned(die=one):
                    assert lying[one.number] == one.value
        assert {one.number: one.value for one in state.settled} == lying


@given(films())
def test_a_number_is_given_once(frames: list[DiceFrame]) -> None:
    """Over the whole film, also to dice that were lifted since."""
    numbers = [
        one.number
        for _, _, events in run(frames)
        for event in events
        if isinstance(event, DiceSettled | ExtraDice)
        for one in event.dice
    ]
    assert numbers == list(range(1, len(numbers) + 1))


@given(films())
def test_only_another_face_is_reported(frames: list[DiceFrame]) -> None:
    """Each DieTurned continues from the face reported before it."""
    shown: dict[int, int] = {}
    for _, _, events in run(frames):
        for event in events:
            if isinstance(event, DieTurned):
                assert event.was == shown.get(event.die.number, event.die.value) != event.now
                shown[event.die.number] = event.now


@given(films())
def test_what_is_remembered_is_bounded(frames: list[DiceFrame]) -> None:
    for _, state, _ in run(frames):
        assert len(state.tracks) <= 2 * LIMITS.most_dice
        assert all(
            len(track.observations) <= len(state.observed_ms) <= LIMITS.max_observations for track in state.tracks
        )
        assert all(track.readings for track in state.tracks)
        assert len(state.confirmed.dice) <= LIMITS.most_dice
        assert len(state.confirmed.gone) <= LIMITS.most_dice


@given(films())
def test_only_dice_that_are_seen_settle_flat(frames: list[DiceFrame]) -> None:
    """A throw is never made up: no die settles in a film that shows none, and none settles as moving."""
    assert all(
        one.reading.lies is not DieState.MOVING
        for _, _, events in run(frames)
        for event in events
        if isinstance(event, DiceSettled | ExtraDice)
        for one in event.dice
    )
    assert all(not events for _, _, events in run([replace(frame, dice=()) for frame in frames]))
