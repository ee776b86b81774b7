from dataclasses import replace

import pytest

from tests.vision.dice_tracking.dice_films import LEFT_PX, RIGHT_PX, SIZE_PX, Scene, die, film, kinds, pushed, track
from vision.dice_tracking.events import DiceEvent, DiceFound, DiceLifted, DiceSettled, DieMoved, DieTurned, ExtraDice
from vision.dice_tracking.tracks import TrackingLimits

FIVE, THREE = die(5, LEFT_PX), die(3, RIGHT_PX)
PAIR = (FIVE, THREE)
THROWN = Scene(PAIR, 1000)
HAND = 600  # ms that a hand is over the board


def after(*scenes: Scene, fps: int = 30) -> list[DiceEvent]:
    """The events after the throw has settled."""
    _, events = track(film(THROWN, *scenes, fps=fps))
    assert isinstance(events[0], DiceSettled)
    return events[1:]


def covered(*dice: object, ms: int = HAND) -> Scene:
    return Scene(dice, ms, hand=True, moving=True)  # type: ignore[arg-type]


class TestPushedAside:
    @pytest.mark.parametrize("fps", [10, 30])
    def test_a_die_keeps_its_value_and_its_number(self, fps: int) -> None:
        """Pushed in view of the camera: where from, where to, and nothing else."""
        way = [covered(pushed(FIVE, 12.0 * number), THREE, ms=1000 // fps) for number in range(12)]
        state, events = track(film(THROWN, *way, Scene((pushed(FIVE, 132), THREE), 1000), fps=fps))
        settled, moved = events
        assert isinstance(settled, DiceSettled)
        assert isinstance(moved, DieMoved)
        assert moved.die == settled.dice[0]
        assert moved.from_px == pytest.approx(LEFT_PX, abs=0.5)
        assert moved.now.centre_px == pytest.approx((232.0, 200.0), abs=0.5)
        assert state.settled == settled.dice

    def test_both_while_nobody_saw_it(self) -> None:
        """Under a hand, by the same way: each is paired with itself though the one now lies where the other lay."""
        step_px = RIGHT_PX[0] - LEFT_PX[0]
        moved = after(covered(), Scene((pushed(FIVE, step_px, 20), pushed(THREE, step_px, 20)), 1000))
        assert [(event.die.value, event.now.value) for event in moved if isinstance(event, DieMoved)] == [
            (5, 5),
            (3, 3),
        ]
        assert kinds(moved) == ["DieMoved", "DieMoved"]

    def test_past_the_other(self) -> None:
        """Exchanged under a hand: the faces tell which is which."""
        moved = after(covered(), Scene((replace(FIVE, centre_px=RIGHT_PX), replace(THREE, centre_px=LEFT_PX)), 1000))
        assert kinds(moved) == ["DieMoved", "DieMoved"]
        assert all(isinstance(event, DieMoved) and event.die.value == event.now.value for event in moved)

    def test_past_one_with_the_same_face(self) -> None:
        """Carried in view of the camera: faces and ways would say otherwise, but it was followed."""
        near, other = die(5, LEFT_PX), die(5, (400.0, 300.0))
        way = [covered(pushed(near, 20.0 * number), other, ms=34) for number in range(31)]
        at_last = Scene((pushed(near, 600), pushed(other, 45)), 1000)
        _, events = track(film(Scene((near, other), 1000), *way, covered(*at_last.dice, ms=34), at_last))
        ways = {event.die.number: event.now.centre_px[0] for event in events if isinstance(event, DieMoved)}
        assert ways == {1: pytest.approx(700, abs=1), 2: pytest.approx(445, abs=1)}

    def test_what_lay_in_view_all_the_while_is_itself(self) -> None:
        """Others were thrown beside it, with its face before and elsewhere: squared ways alone would take it for one of these."""
        lying, others = die(3, (400.0, 300.0)), (die(3, (1000.0, 100.0)), die(1, (1040.0, 150.0)))
        thrown = (die(6, (300.0, 400.0)), die(4, (400.0, 460.0)))
        blur = Scene((lying,), 400, moving=True)
        _, events = track(film(Scene((lying, *others), 1500), blur, Scene((lying, *thrown), 1500)))
        (settled, *changes) = events
        assert isinstance(settled, DiceSettled)
        stays = min(settled.dice, key=lambda one: one.reading.centre_px[0]).number
        assert stays not in [event.die.number for event in changes if isinstance(event, DieMoved | DieTurned)]
        assert sorted(kinds(changes)) == ["DieMoved", "DieMoved", "DieTurned", "DieTurned"]

    def test_by_less_than_readings_scatter(self) -> None:
        """Nothing happens, but it adds up: six times a tenth of an edge is."""
        tenth = SIZE_PX / 10
        assert after(covered(*PAIR), Scene((pushed(FIVE, 2 * tenth), THREE), 1000)) == []
        steps = [Scene((pushed(FIVE, tenth * number), THREE), 1000) for number in range(7)]
        assert "DieMoved" in kinds(after(*steps))

    @pytest.mark.parametrize(
        ("between", "was_gone"),
        [
            (covered(), False),
            (Scene((), 150), False),
            (Scene((), 300, moving=True), True),
            (covered(*PAIR, ms=1500), False),
        ],
    )
    def test_they_may_have_been_out_of_view_without_a_hand(self, between: Scene, was_gone: bool) -> None:
        """Dice below a hand are hidden; gone for longer than a detector misses them, they may have been thrown anew."""
        elsewhere = Scene((pushed(FIVE, 200, 90), pushed(THREE, 200, 90)), 1000)
        moved = [event for event in after(between, elsewhere) if isinstance(event, DieMoved)]
        assert [event.was_gone for event in moved] == [was_gone, was_gone]

    def test_nothing_happens_while_the_hand_is_there(self) -> None:
        assert after(Scene((pushed(FIVE, 90), THREE), 5000, hand=True)) == []


class TestAnotherFace:
    TURNED = die(2, LEFT_PX)

    def test_is_reported_and_never_adopted(self) -> None:
        """Once, with what it was and what it is; the die keeps its value."""
        state, events = track(film(THROWN, covered(*PAIR), Scene((self.TURNED, THREE), 3000)))
        assert kinds(events) == ["DiceSettled", "DieTurned"]
        turned = events[1]
        assert isinstance(turned, DieTurned)
        assert (turned.die.value, turned.was, turned.now) == (5, 5, 2)
        assert [one.value for one in state.settled] == [5, 3]

    def test_and_back_again(self) -> None:
        """The way back is reported too, so that the question can be dropped."""
        back = after(covered(*PAIR), Scene((self.TURNED, THREE), 1000), covered(*PAIR), THROWN)
        assert [(event.was, event.now) for event in back if isinstance(event, DieTurned)] == [(5, 2), (2, 5)]

    def test_of_a_die_that_was_moved_as_well(self) -> None:
        events = after(covered(), Scene((die(2, (130.0, 230.0)), THREE), 1000))
        assert kinds(events) == ["DieMoved", "DieTurned"]

    def test_that_nobody_is_sure_of(self) -> None:
        """A reader that wavers after the verdict turns no die."""
        wavering = replace(FIVE, face_log_likelihood=(-5.0, 0.0, -5.0, -5.0, -0.3, -5.0))
        assert after(covered(*PAIR), Scene((wavering, THREE), 2000)) == []

    def test_without_any_motion(self) -> None:
        """A face that is read differently later is reported: the value never changes silently."""
        quietly = Scene((self.TURNED, THREE), 2000, begins_with_motion=False)
        assert kinds(after(quietly)) == ["DieTurned"]


class TestLifted:
    @pytest.mark.parametrize("fps", [10, 30])
    def test_both(self, fps: int) -> None:
        """Once the field has lain still without them for a while; nothing remains."""
        state, events = track(film(THROWN, covered(), Scene((), 2000), fps=fps))
        settled, lifted = events
        assert isinstance(settled, DiceSettled)
        assert lifted == DiceLifted(settled.dice, (), lifted.taken_ms)
        assert 400 <= lifted.taken_ms - (1000 + HAND) <= 400 + 2 * 1000 // fps + 1
        assert state.settled == ()

    def test_one(self) -> None:
        """It takes longer, for something may hide it; the other remains and keeps its number."""
        events = after(covered(), Scene((THREE,), 2000))
        (lifted,) = events
        assert isinstance(lifted, DiceLifted)
        assert [one.value for one in lifted.dice] == [5]
        assert [(one.value, one.number) for one in lifted.remaining] == [(3, 2)]
        assert lifted.taken_ms - (1000 + HAND) >= 1000

    def test_never_while_a_hand_may_hide_them(self) -> None:
        assert after(covered(ms=20_000), THROWN) == []
        assert after(Scene((), 20_000, moving=True), THROWN) == []

    @pytest.mark.parametrize("hidden_ms", [100, 350])
    def test_not_where_they_are_hidden_for_a_moment(self, hidden_ms: int) -> None:
        """A checker held over them without a hand in view."""
        assert after(Scene((), hidden_ms), THROWN) == []
        assert after(Scene((THREE,), 2 * hidden_ms), THROWN) == []

    def test_moments_before_and_after_a_hand_do_not_add_up(self) -> None:
        """A hand that comes stops the clock, and it begins anew when the hand has gone."""
        assert after(Scene((), 300), covered(ms=3000), Scene((), 300), covered(ms=300), THROWN) == []

    def test_those_that_lie_there_again_were_never_away(self) -> None:
        """Hidden for longer than anybody waits: they come back as what they were, and are no new throw."""
        events = after(Scene((), 3000), Scene(PAIR, 2000))
        assert kinds(events) == ["DiceLifted", "DiceFound"]
        lifted, found = events
        assert isinstance(lifted, DiceLifted)
        assert isinstance(found, DiceFound)
        assert found.dice == lifted.dice

    @pytest.mark.parametrize(("away", "is_found"), [(0.0, True), (0.12, False)])
    def test_one_of_a_pair_is_only_found_exactly_where_it_lay(self, away: float, is_found: bool) -> None:
        """A throw that comes to rest nearly there, with the same face, is another throw."""
        second = (pushed(FIVE, away * SIZE_PX), die(6, (180.0, 250.0)))
        events = after(covered(), Scene((), 800), covered(*second), Scene(second, 1000))
        assert ("DiceFound" in kinds(events)) is is_found
        assert (
            len([one for event in events if isinstance(event, DiceSettled | ExtraDice) for one in event.dice])
            == 2 - is_found
        )

    def test_a_gap_that_was_taken_for_one_of_them_is_not_found_again(self) -> None:
        """It stays exactly where it is; but its face was never plain, and the next throw is no old one."""
        gap = die(5, FIVE.centre_px, odds=4.0)
        second = (gap, die(6, (180.0, 250.0)))
        events = after(covered(), Scene((), 800), covered(*second), Scene(second, 1000))
        assert "DiceFound" not in kinds(events)

    def test_the_next_throw_begins_anew(self) -> None:
        """New numbers, new values, no question about faces."""
        second = (die(6, (150.0, 120.0)), die(6, (180.0, 250.0)))
        events = after(covered(), Scene((), 800), covered(*second), Scene(second, 1000))
        assert kinds(events) == ["DiceLifted", "DiceSettled"]
        settled = events[1]
        assert isinstance(settled, DiceSettled)
        assert [(one.number, one.throw, one.value) for one in settled.dice] == [(3, 3, 6), (4, 3, 6)]

    def test_a_throw_nobody_saw_lifted_is_a_question(self) -> None:
        """Dice that were never seen to leave are the old ones, moved and turned: no value is adopted."""
        second = (die(6, (150.0, 120.0)), die(1, (450.0, 300.0)))
        state, events = track(film(THROWN, covered(*PAIR), covered(*second), Scene(second, 1000)))
        assert kinds(events) == ["DiceSettled", "DieMoved", "DieTurned", "DieMoved", "DieTurned"]
        assert [one.value for one in state.settled] == [5, 3]


@pytest.mark.parametrize(("die_chance", "is_reported"), [(0.995, True), (0.9, False)])
def test_what_surely_is_a_die_however_it_lies(die_chance: float, is_reported: bool) -> None:
    """A third one beside a throw of two; a doubtful one of unknown lie is not reported."""
    third = replace(die(2, (300.0, 100.0), confidence=0.3), die_chance=die_chance)
    events = after(covered(*PAIR), Scene((*PAIR, third), 1500))
    assert ("ExtraDice" in kinds(events)) is is_reported


class TestInAddition:
    THIRD = die(1, (300.0, 330.0))

    def test_a_third_die(self) -> None:
        """Reported with those it lies beside, which stay what they are."""
        (extra,) = after(covered(*PAIR), Scene((*PAIR, self.THIRD), 2000))
        assert isinstance(extra, ExtraDice)
        assert [one.value for one in extra.dice] == [1]
        assert [one.value for one in extra.lay_before] == [5, 3]
        assert extra.dice[0].throw != extra.lay_before[0].throw

    def test_the_opponents_own_pair(self) -> None:
        """Two dice beside two; when the first two are lifted the others remain, and it takes no longer for them."""
        others = (die(6, (120.0, 60.0)), die(4, (330.0, 60.0)))
        events = after(Scene((*PAIR, *others), 1000), covered(), Scene(others, 700))
        extra, lifted = events
        assert isinstance(extra, ExtraDice)
        assert isinstance(lifted, DiceLifted)
        assert sorted(one.value for one in lifted.dice) == [3, 5]
        assert sorted(one.value for one in lifted.remaining) == [4, 6]

    def test_while_one_is_pushed(self) -> None:
        """The pushed die is the nearer one with the same face; the other is the new one."""
        events = after(covered(), Scene((pushed(FIVE, 60), THREE, self.THIRD), 1000))
        assert kinds(events) == ["DieMoved", "ExtraDice"]
        moved = events[0]
        assert isinstance(moved, DieMoved)
        assert moved.die.value == 5

    @pytest.mark.parametrize(("tipped_px", "is_unclear"), [(0, True), (2 * SIZE_PX, True), (4 * SIZE_PX, False)])
    def test_where_one_lay_before(self, tipped_px: float, *, is_unclear: bool) -> None:
        """A die shows a five far off, and another one lies where the five lay: that one may be tipped, and the five be thrown."""
        tipped, thrown = die(1, (LEFT_PX[0], LEFT_PX[1] + tipped_px)), die(5, (300.0, 600.0))
        events = after(
            covered(tipped, THREE),
            Scene((tipped, THREE), 200),
            covered(tipped, THREE),
            Scene((tipped, THREE, thrown), 1000),
        )
        (extra,) = (event for event in events if isinstance(event, ExtraDice))
        assert [one.value for one in extra.dice] == [1]
        assert extra.perhaps_old == (tuple(one.number for one in extra.dice) if is_unclear else ())

    def test_beside_one_that_jumped_and_turned(self) -> None:
        """A hand laid the five elsewhere, further off than a one that was thrown meanwhile: any of the new ones may be the five."""
        near, other = die(1, (LEFT_PX[0], 400.0)), die(2, (300.0, 400.0))
        events = after(covered(THREE), Scene((pushed(FIVE, 1000), THREE, near, other), 1000))
        (moved,) = (event for event in events if isinstance(event, DieMoved))
        (extra,) = (event for event in events if isinstance(event, ExtraDice))
        assert (moved.die.value, moved.now.value) == (5, 1)
        assert [one.value for one in extra.dice] == [2, 5]
        assert extra.perhaps_old == tuple(one.number for one in extra.dice)

    def test_where_one_lay_before_that_was_followed_further(self) -> None:
        """It was knocked away in view of the camera, by the one that lies about there now."""
        step_px, by = 25.0, die(1, (LEFT_PX[0] - SIZE_PX / 2, LEFT_PX[1]))
        way = [
            Scene((pushed(FIVE, step_px * min(step, 6)), pushed(by, step_px * (step - 9)), THREE), 34, moving=True)
            for step in range(10)
        ]
        events = after(*way, Scene((pushed(FIVE, 6 * step_px), by, THREE), 1000))
        (extra,) = (event for event in events if isinstance(event, ExtraDice))
        assert ([one.value for one in extra.dice], extra.perhaps_old) == ([1], ())

    def test_each_die_of_the_opening(self) -> None:
        """One die settles, a while later the other beside it."""
        _, events = track(film(Scene((FIVE,), 1500), covered(FIVE), Scene(PAIR, 1000)))
        assert kinds(events) == ["DiceSettled", "ExtraDice"]


def test_a_longer_rest_may_be_asked_for() -> None:
    """`rest_ms` holds for every later rest as well."""
    turned = Scene((die(2, LEFT_PX), THREE), 1500)
    _, events = track(film(Scene(PAIR, 2000), covered(*PAIR), turned), TrackingLimits(rest_ms=1400))
    assert kinds(events) == ["DiceSettled", "DieTurned"]
    assert events[1].taken_ms >= 2000 + HAND + 1400
