from dataclasses import replace

import pytest

from tests.vision.dice_tracking.dice_films import LEFT_PX, RIGHT_PX, SIZE_PX, Scene, die, film, kinds, pushed, track
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.events import DiceLifted, DiceSettled
from vision.dice_tracking.tracker import DiceFrame, TrackerState, step
from vision.dice_tracking.tracks import TrackingLimits
from vision.errors import ImpossibleReadingError

PAIR = (die(5, LEFT_PX), die(3, RIGHT_PX))


def frames(*dice: tuple[DieReading, ...], every_ms: int = 33) -> list[DiceFrame]:
    """One frame for each tuple of dice, without hands and without motion seen."""
    return [DiceFrame(shown, False, False, number * every_ms) for number, shown in enumerate(dice)]


def settled_in(film_ms: int, *scenes: Scene, fps: int = 30) -> list[DiceSettled]:
    _, events = track(film(*scenes, Scene(PAIR, film_ms), fps=fps))
    return [event for event in events if isinstance(event, DiceSettled)]


def settled_of(*dice: tuple[DieReading, ...]) -> DiceSettled:
    """The only event of these frames."""
    (event,) = track(frames(*dice))[1]
    assert isinstance(event, DiceSettled)
    return event


def ghost_at(number: int) -> DieReading:
    """A false detection in one frame, each time elsewhere."""
    return die(2, (300.0 + 5 * number, 90.0))


class TestTheVerdict:
    @pytest.mark.parametrize("fps", [10, 15, 25, 30])
    @pytest.mark.parametrize("rest_ms", [300, 500, 1000])
    def test_falls_within_two_frames_after_the_rest_and_never_before(self, fps: int, rest_ms: int) -> None:
        """From the first frame that shows the dice where they lie."""
        rolling = tuple(Scene((pushed(PAIR[0], -20 * step), PAIR[1]), 1000 // fps + 1) for step in (9, 6, 4, 2, 1))
        shown = list(film(*rolling, Scene(PAIR, 2000), fps=fps))
        lie_still = next(frame.taken_ms for frame in shown if frame.taken_ms >= sum(scene.ms for scene in rolling))
        _, events = track(shown, TrackingLimits(rest_ms=rest_ms))
        assert kinds(events) == ["DiceSettled"]
        assert rest_ms <= events[0].taken_ms - lie_still <= rest_ms + 2 * (1000 // fps + 1)

    def test_fuses_every_observation(self) -> None:
        """Values, halves and lies, in the order of their places; the noise of a single reading is gone."""
        (event,) = settled_in(1000)
        assert [one.value for one in event.dice] == [5, 3]
        assert [one.reading.lies for one in event.dice] == [DieState.FLAT] * 2
        assert [one.reading.half for one in event.dice] == [one.half for one in PAIR]
        assert event.dice[0].reading.centre_px == pytest.approx(LEFT_PX, abs=0.4)
        assert [one.number for one in event.dice] == [1, 2]

    @pytest.mark.parametrize(("scene", "events"), [(Scene(PAIR, 10_000), ["DiceSettled"]), (Scene((), 3000), [])])
    def test_falls_once_or_without_dice_never(self, scene: Scene, events: list[str]) -> None:
        assert kinds(track(film(scene))[1]) == events

    def test_needs_three_observations(self) -> None:
        """Two frames a second apart are no rest, the third makes it one."""
        state, events = track(frames(PAIR, PAIR, every_ms=1000))
        assert events == []
        _, now = step(state, DiceFrame(PAIR, False, False, 2000))
        assert kinds(now) == ["DiceSettled"]


class TestNoRest:
    @pytest.mark.parametrize(
        "scene",
        [
            Scene(PAIR, 5000, hand=True),
            Scene(PAIR, 5000, moving=True),
            Scene((PAIR[0], die(3, RIGHT_PX, lies=DieState.MOVING)), 5000, begins_with_motion=False),
        ],
        ids=["a hand is in view", "the field moves elsewhere", "a blurred die keeps its place"],
    )
    def test_while(self, scene: Scene) -> None:
        """The dice seem to lie still all the time."""
        assert track(film(scene))[1] == []

    def test_a_hand_for_one_frame_begins_it_anew(self) -> None:
        """The time before it does not count."""
        (event,) = settled_in(1000, Scene(PAIR, 400), Scene(PAIR, 34, hand=True, begins_with_motion=False))
        assert event.taken_ms >= 434 + 500

    @pytest.mark.parametrize(
        ("dice", "px_a_frame"), [(PAIR, px) for px in (6.0, 15.0, 40.0, 120.0)] + [(PAIR[:1], 0.7)]
    )
    def test_while_a_die_rolls_or_creeps_by_itself(self, dice: tuple[DieReading, ...], px_a_frame: float) -> None:
        """By the places alone, when no other motion is seen; 0.7 px a frame exceed the noise within half a second."""
        assert track(frames(*[(pushed(dice[0], px_a_frame * number), *dice[1:]) for number in range(90)]))[1] == []

    def test_a_die_that_turns_up_begins_it_anew(self) -> None:
        """No motion was seen, but the die is not accepted before it has lain there for the whole time."""
        event = settled_of(*[PAIR[:1]] * 10, *[PAIR] * 30)
        assert len(event.dice) == 2
        assert event.taken_ms >= 330 + 500


class TestBesideTheBoard:
    @staticmethod
    def fiddled(number: int, lies: DieState = DieState.OFF_BOARD) -> DieReading:
        place_px = (500.0 + 37 * (number % 5), 20.0 + 23 * (number % 7))
        return replace(die(6, place_px, lies=lies), half=None)

    @pytest.mark.parametrize("lies", [DieState.OFF_BOARD, DieState.MOVING])
    def test_a_die_that_somebody_plays_with_holds_nothing_up(self, lies: DieState) -> None:
        """The throw on the board settles in time, without it."""
        event = settled_of(*[(*PAIR, self.fiddled(number, lies)) for number in range(30)])
        assert [one.value for one in event.dice] == [5, 3]
        assert event.taken_ms <= 500 + 2 * 33

    def test_a_die_that_comes_to_rest_there_settles_in_its_own_time(self) -> None:
        """Half a second after it lies, not after the others do."""
        rolling = [(*PAIR, self.fiddled(number)) for number in range(25)]
        _, events = track(frames(*rolling, *[(*PAIR, self.fiddled(3))] * 30))
        assert kinds(events) == ["DiceSettled", "ExtraDice"]
        assert 500 <= events[1].taken_ms - 25 * 33 <= 500 + 2 * 33

    @pytest.mark.parametrize("every_ms", [33, 66, 100])
    def test_a_die_that_is_taken_away_again_was_no_throw(self, every_ms: int) -> None:
        """Shown in two frames and in none of those after, for half a second: what nobody sees any more has not come to rest."""
        shown, none = [(self.fiddled(3),)] * 2, [()] * (600 // every_ms)
        assert track(frames((), (), (), *shown, *none, every_ms=every_ms))[1] == []

    def test_leaves_no_trail(self) -> None:
        """A minute of it is remembered no better than a second."""
        state, _ = track(frames(*[(*PAIR, self.fiddled(number)) for number in range(600)]))
        assert len(state.tracks) <= 4


class TestAnUnsteadyReader:
    def test_a_die_overlooked_now_and_then(self) -> None:
        """One missed frame in five delays nothing and takes no certainty."""
        shown = [PAIR[:1] if number % 5 == 3 else PAIR for number in range(30)]
        event = settled_of(*shown)
        assert event.taken_ms <= 500 + 2 * 33
        assert [one.reading.lie_confidence for one in event.dice] == pytest.approx([0.95, 0.95])

    def test_a_die_seen_half_of_the_time(self) -> None:
        shown = [PAIR if number % 2 == 0 else PAIR[:1] for number in range(30)]
        event = settled_of(*shown)
        sure, unsure = event.dice
        assert sure.reading.lie_confidence == pytest.approx(0.95)
        assert unsure.reading.lie_confidence < 0.6
        assert sure.reading.die_chance == 1
        assert unsure.reading.die_chance < 0.6

    def test_a_ghost(self) -> None:
        """One detection among many frames is no die; it costs the time since then and no more."""
        ghost = die(1, (300.0, 50.0))
        shown = [(*PAIR, ghost) if number == 4 else PAIR for number in range(30)]
        event = settled_of(*shown)
        assert len(event.dice) == 2
        assert event.taken_ms <= 4 * 33 + 500 + 2 * 33

    def test_ghosts_do_not_keep_lifted_dice_on_the_table(self) -> None:
        """They come here and there while nothing moves: that disturbs no rest, so the missing dice are lifted."""
        empty = [() if number % 4 else (ghost_at(number),) for number in range(40)]
        _, events = track(frames(*[PAIR] * 30, *empty))
        assert kinds(events) == ["DiceSettled", "DiceLifted"]

    def test_a_ghost_that_stays_a_while_is_no_lifted_die(self) -> None:
        """It hardly resembles a die, and lies where none did: both were lifted, and neither was pushed there."""
        ghost = die(2, (300.0, 50.0), confidence=0.55, odds=1.5)
        scenes = (
            Scene(PAIR, 1000),
            Scene(PAIR, 300, hand=True),
            Scene((ghost,), 300),
            Scene((), 2000, begins_with_motion=False),
        )
        _, events = track(film(*scenes, fps=10))
        assert kinds(events) == ["DiceSettled", "DiceLifted"]
        assert [len(event.dice) for event in events if isinstance(event, DiceLifted)] == [2]

    @pytest.mark.parametrize(("share", "lifted"), [(0.7, 2), (0.8, 1)])
    def test_a_gap_between_checkers_is_too_small_for_a_pushed_die(self, share: float, lifted: int) -> None:
        """It resembles a die more, where a hand may have pushed one to; one of similar size is that die."""
        gap = die(5, (LEFT_PX[0] + 40.0, LEFT_PX[1]), confidence=0.6)
        gap = replace(gap, size_px=share * gap.size_px)
        _, events = track(film(Scene(PAIR, 1000), Scene(PAIR, 300, hand=True), Scene((gap,), 2500), fps=10))
        assert [len(event.dice) for event in events if isinstance(event, DiceLifted)] == [lifted]

    def test_a_die_that_is_read_badly_where_it_lies_is_still_there(self) -> None:
        """Shade came over it."""
        shade = tuple(replace(one, lie_confidence=0.2) for one in PAIR)
        _, events = track(film(Scene(PAIR, 1000), Scene(shade, 2000)))
        assert kinds(events) == ["DiceSettled"]

    def test_ghosts_do_not_hold_up_a_throw(self) -> None:
        shown = [PAIR if number % 4 else (*PAIR, ghost_at(number)) for number in range(40)]
        event = settled_of(*shown)
        assert sorted(one.value for one in event.dice) == [3, 5]
        assert event.taken_ms <= 500 + 2 * 33

    def test_readings_that_disagree_about_the_lie(self) -> None:
        """The worse lie counts, with little confidence."""
        cocked = die(5, LEFT_PX, lies=DieState.COCKED)
        shown = [(cocked if number % 3 == 0 else PAIR[0],) for number in range(30)]
        event = settled_of(*shown)
        assert event.dice[0].reading.lies is DieState.COCKED
        assert event.dice[0].reading.lie_confidence < 0.5

    def test_more_dice_than_anybody_has(self) -> None:
        """A reader gone mad shows fifty; the eight surest are watched, and the state stays small."""
        many = tuple(die(1 + number % 6, (60.0 * number, 100.0), confidence=number / 100) for number in range(50))
        state, events = track(frames(*[many] * 30))
        assert isinstance(events[0], DiceSettled)
        assert len(state.settled) == 8
        assert min(one.reading.lie_confidence for one in state.settled) == pytest.approx(0.42)


class TestWhatIsSeenNow:
    def test_a_rolling_die_is_moving(self) -> None:
        """A die is shown as moving until two frames show it at one place."""
        roll = [(pushed(PAIR[0], -25.0 * max(0, 5 - number)), PAIR[1]) for number in range(8)]
        state, states = TrackerState(), []
        for frame in frames(*roll):
            state, _ = step(state, frame)
            states.append([one.lies for one in state.newest_dice])
        moving, flat = DieState.MOVING, DieState.FLAT
        assert states == [[moving, moving], *[[moving, flat]] * 5, [flat, flat], [flat, flat]]

    def test_a_still_die_beside_a_hand_is_not(self) -> None:
        """What lies still lies as it is seen, though it does not count yet."""
        state, _ = track(film(Scene(PAIR, 200, hand=True)))
        assert [one.lies for one in state.newest_dice] == [DieState.FLAT] * 2


class TestTime:
    @pytest.mark.parametrize("back_ms", [0, 1, 5000])
    def test_that_goes_backwards_is_refused(self, back_ms: int) -> None:
        """The same frame a second time is refused too; the sentence has both times."""
        state, _ = track(frames(PAIR, PAIR, every_ms=6000))
        with pytest.raises(ImpossibleReadingError, match=f"{6000 - back_ms} ms cannot follow those of 6000 ms"):
            step(state, DiceFrame(PAIR, False, False, 6000 - back_ms))

    def test_that_jumps_an_hour(self) -> None:
        """Dice that lay there still do; dice at rest settle after the jump."""
        shown = frames(PAIR, PAIR)
        late = [DiceFrame(PAIR, False, False, 3_600_000 + number * 33) for number in range(3)]
        state, events = track([*shown, *late])
        assert kinds(events) == ["DiceSettled"]
        assert len(track([DiceFrame(PAIR, False, False, 9_000_000)], state=state)[0].settled) == 2

    def test_frames_dropped_at_random(self) -> None:
        """Gaps of up to half a second lose no verdict."""
        kept = [frame for number, frame in enumerate(film(Scene(PAIR, 3000))) if number % 15 in (0, 1, 6)]
        assert kinds(track(kept)[1]) == ["DiceSettled"]

    def test_many_throws_leave_no_more_behind_than_one(self) -> None:
        """Nothing in the state grows: observations, dice and lifted dice are bounded."""
        scenes = [
            scene
            for number in range(40)
            for scene in (
                Scene((pushed(PAIR[0], 20.0 * number), pushed(PAIR[1], 20.0 * number)), 1000),
                Scene((), 1000),
            )
        ]
        state, events = track(film(*scenes, fps=10))
        assert kinds(events) == ["DiceSettled", "DiceLifted"] * 40
        assert max((len(track.observations) for track in state.tracks), default=0) <= TrackingLimits().max_observations
        assert len(state.confirmed.dice) + len(state.confirmed.gone) == 2
        assert state.confirmed.next_number == 81


def test_the_size_of_the_picture_does_not_matter() -> None:
    """A die moved by a fifth of its edge is still there in no resolution."""
    far = (pushed(PAIR[0], 0.2 * SIZE_PX), PAIR[1])
    assert track(frames(*[PAIR, far] * 45))[1] == []
