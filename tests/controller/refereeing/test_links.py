"""What gets lost and comes back: camera, lights, disk, power, a board in its place, time."""

from itertools import pairwise

import pytest

from controller.match import events
from controller.match.clocks import parse_clock
from controller.match.commands import CallDispute, ChoosePlay, EndTurn, Pause, Resume, SettleDispute
from controller.match.inputs import Peripheral, Tick
from controller.refereeing.state import Phase
from tests.controller.refereeing.refereed_match import (
    BLACK,
    LEGAL,
    LEGAL_PLACES,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    to_throw,
)
from vision.dice_tracking.events import DieMoved, DieTurned


def interrupt_camera(match: RefereedMatch) -> None:
    match.link(Peripheral.CAMERA, is_up=False)
    match.link(Peripheral.CAMERA, is_up=True)


def test_a_lost_camera_comes_back_and_the_turn_goes_on_by_itself() -> None:
    """Dice that settle once more are the dice of the roll, and no new throw."""
    match = opened()
    match.link(Peripheral.CAMERA, is_up=False)
    assert match.is_in(Phase.BLIND)
    match.link(Peripheral.CAMERA, is_up=True)
    assert match.ends_with(events.CameraLost, events.CameraBack)
    match.dice = ()
    match.throw(3, 1)
    assert match.is_in(Phase.PLAYING)
    match.play(WHITE, *LEGAL)
    assert match.ends_with(events.PlayMade)
    assert len(match.emitted(events.DiceRolled)) == 1


def test_nobody_is_accused_of_what_was_done_while_nobody_looked() -> None:
    """The dice lie elsewhere: a board that no play explains is a question, and stays one after the next throw."""
    match = opened()
    interrupt_camera(match)
    match.frame(*(DieMoved(die, (0.0, 0.0), die.reading, match.now_ms) for die in match.dice))
    match.rest(300)
    match.play(WHITE, (8, 4), (6, 5), rest_ms=2000)
    assert match.is_in(Phase.UNSURE)
    match.throw(6, 4)
    assert not match.emitted(events.PlayRefused)


@pytest.mark.parametrize("is_pushed", [False, True])
def test_a_turn_whose_dice_lie_as_they_lay_is_the_same_turn(is_pushed: bool) -> None:
    """Nobody threw while the camera was lost, so a wrong board is an offence in this turn."""
    match = opened()
    interrupt_camera(match)
    first, _ = match.dice
    match.rest(500)
    match.frame(*([DieMoved(first, (0.0, 0.0), first.reading, match.now_ms)] if is_pushed else []))
    match.rest(2000)
    match.play(WHITE, (8, 4), (6, 5), rest_ms=2000)
    assert bool(match.emitted(events.PlayRefused)) is not is_pushed
    assert bool(match.emitted(events.PlayUnclear)) is is_pushed


def waiting() -> tuple[RefereedMatch, str]:
    """White's turn is in doubt, and Black has thrown 6-4; returns White's board too."""
    match = opened()
    after = moved(match.position, WHITE, *LEGAL)
    match.put(after)
    match.hidden = LEGAL_PLACES
    match.lift()
    match.throw(6, 4)
    return match, after


def test_a_throw_that_waits_for_the_verdict_outlasts_a_lost_camera() -> None:
    """Otherwise the game would stay a turn behind. Dice that were removed are reported only after a while."""
    match, after = waiting()
    interrupt_camera(match)
    match.rest(1000)
    assert match.state.seen.throws.waiting is None
    match.rest(1000)
    match.frame(hand=True)
    match.give(ChoosePlay(after))
    assert match.emitted(events.PlayMade)[-1].after == after
    assert match.last(events.DiceRolled).values == (6, 4)


@pytest.mark.parametrize("what", ["turned", "lifted"])
def test_dice_that_were_touched_while_nobody_looked_are_no_throw_that_waited(what: str) -> None:
    """The touch is reported some time after the camera is back."""
    match, after = waiting()
    interrupt_camera(match)
    match.rest(500)
    if what == "turned":
        match.frame(DieTurned(match.dice[0], 6, 5, match.now_ms))
    else:
        match.lift()
    match.rest(2000)
    match.frame(hand=True)
    match.reveal(rest_ms=3000)
    match.give(ChoosePlay(after))
    assert match.emitted(events.PlayMade)[-1].after == after
    assert len(match.emitted(events.DiceRolled)) == 1


def test_after_a_pause_a_throw_that_waited_is_thrown_again() -> None:
    """Anything may happen to dice during a pause."""
    match, after = waiting()
    match.give(Pause())
    match.give(Resume())
    match.rest(2500)
    match.reveal(rest_ms=3000)
    assert match.emitted(events.PlayMade)[-1].after == after
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_frame_is_proof_that_the_camera_is_back() -> None:
    match = to_throw()
    match.link(Peripheral.CAMERA, is_up=False)
    match.rest(200)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_board_that_was_changed_unseen_is_shown_afterwards() -> None:
    """The log is never overwritten with the seen board."""
    match = to_throw()
    right = match.position
    match.link(Peripheral.CAMERA, is_up=False)
    match.position = moved(right, BLACK, (24, 20))
    match.link(Peripheral.CAMERA, is_up=True)
    match.rest(2500)
    assert match.is_in(Phase.RESTORE)
    assert match.state.position == right


def test_a_bumped_board_is_not_judged_until_it_lies_right() -> None:
    """The distance is reported, and the match goes on by itself."""
    match = to_throw()
    match.moved_mm = 9.0
    match.rest(300)
    assert match.emitted(events.BoardMoved)
    assert match.is_in(Phase.BLIND)
    match.moved_mm = 0.5
    match.rest(300)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_a_camera_that_shows_something_else_judges_nothing_until_it_is_back() -> None:
    """With the first such frame, and in one sentence with the remedy."""
    match = to_throw()
    match.shows_board = False
    match.frame()
    assert match.is_in(Phase.BLIND)
    (lost,) = match.emitted(events.CameraLost)
    assert "turn it towards the board" in lost.sentence
    match.rest(3000)
    match.shows_board = True
    match.rest(300)
    assert match.ends_with(events.CameraLost, events.CameraBack)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_lights_may_come_and_go() -> None:
    """The game goes on."""
    match = to_throw()
    match.link(Peripheral.LIGHTS, is_up=False)
    match.link(Peripheral.LIGHTS, is_up=False)
    assert not match.state.lights_up
    match.link(Peripheral.LIGHTS, is_up=True)
    assert match.ends_with(events.LightsLost, events.LightsBack)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_while_nothing_can_be_saved_nothing_happens() -> None:
    """No event is emitted; once the disk has room again, the dice are thrown once more."""
    match = to_throw()
    match.link(Peripheral.STORAGE, is_up=False)
    assert match.throw(6, 4) == ()
    assert match.give(EndTurn()) == ()
    assert match.is_in(Phase.AWAIT_ROLL)
    (back,) = match.link(Peripheral.STORAGE, is_up=True)
    assert isinstance(back, events.StorageBack)
    match.lift()
    match.throw(6, 4)
    assert match.is_in(Phase.PLAYING)


@pytest.mark.parametrize("comes_back", [True, False])
def test_peripherals_lost_while_storage_is_down_are_reported_afterwards(comes_back: bool) -> None:
    """Otherwise a light would stay on without a camera."""
    match = to_throw()
    match.link(Peripheral.STORAGE, is_up=False)
    assert match.link(Peripheral.LIGHTS, is_up=False) == ()
    assert match.link(Peripheral.CAMERA, is_up=False) == ()
    if comes_back:
        match.link(Peripheral.LIGHTS, is_up=True)
        match.link(Peripheral.CAMERA, is_up=True)
    match.link(Peripheral.STORAGE, is_up=True)
    assert (
        match.ends_with(events.StorageBack)
        if comes_back
        else {*map(type, match.events[-2:])} == {events.LightsLost, events.CameraLost}
    )
    assert match.is_in(Phase.AWAIT_ROLL if comes_back else Phase.BLIND)
    assert match.state.lights_up is comes_back


def test_nobody_loses_by_the_time_in_which_nothing_could_be_saved() -> None:
    """The clock goes on from the moment at which saving failed."""
    match = opened(clock=parse_clock("1+0"))
    match.now_ms += 5000
    match.give(Tick(match.now_ms))
    match.link(Peripheral.STORAGE, is_up=False)
    match.now_ms += 90_000
    match.link(Peripheral.STORAGE, is_up=True)
    match.rest(300)
    assert not match.emitted(events.TimeRanOut)
    match.now_ms += 2000
    match.give(Tick(match.now_ms))
    assert 52_000 <= match.last(events.ClockReserve).white_ms <= 53_000


def test_a_killed_match_goes_on_where_it_was() -> None:
    """The log is enough; the dice that still lie there are the dice of the roll."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5)))
    before = match.state.due
    (resumed,) = match.restart()
    assert isinstance(resumed, events.MatchResumed)
    assert resumed.after_restart
    match.dice = ()
    match.throw(3, 1)
    assert match.state.due == before
    match.play(WHITE, (6, 5))
    assert match.ends_with(events.PlayMade)


def test_after_a_restart_another_board_is_shown_and_not_taken_over() -> None:
    """The log keeps its board, and people put theirs right."""
    match = to_throw()
    right = match.position
    match.restart()
    match.position = moved(right, BLACK, (13, 7))
    match.rest(2500)
    assert match.emitted(events.BoardDiffers)
    assert (match.state.phase, match.state.position) == (Phase.RESTORE, right)


def test_a_pause_stops_everything_and_goes_back_to_where_it_was() -> None:
    """A throw during the pause does not count."""
    match = to_throw()
    match.give(Pause())
    match.throw(6, 4, rest_ms=3000)
    assert match.is_in(Phase.PAUSED)
    match.give(Resume())
    assert match.is_in(Phase.AWAIT_ROLL)
    match.lift()
    match.throw(5, 2)
    assert match.roll == (5, 2)


def test_a_dispute_stops_the_game_until_it_is_settled() -> None:
    match = opened()
    match.give(CallDispute())
    assert match.is_in(Phase.DISPUTE)
    match.give(SettleDispute())
    assert match.ends_with(events.DisputeSettled)
    assert match.is_in(Phase.PLAYING)


def test_side_tracks_lie_upon_each_other() -> None:
    """The camera is lost during a pause: both ways back lead to the game, in either order."""
    match = to_throw()
    match.give(Pause())
    match.link(Peripheral.CAMERA, is_up=False)
    assert match.is_in(Phase.BLIND)
    match.link(Peripheral.CAMERA, is_up=True)
    assert match.is_in(Phase.PAUSED)
    match.give(Resume())
    assert match.is_in(Phase.AWAIT_ROLL)


def test_the_log_knows_the_clock_to_within_a_second() -> None:
    match = opened(clock=parse_clock("1+0"))
    for _ in range(30):
        match.now_ms += 200
        match.give(Tick(match.now_ms))
    logged = match.emitted(events.ClockReserve)
    gaps_ms = [later.at_ms - earlier.at_ms for earlier, later in pairwise(logged)]
    assert len(logged) >= 5
    assert max(gaps_ms) <= 1000
    assert logged[-1].white_ms < 60_000
    assert logged[-1].black_ms == 60_000


@pytest.mark.parametrize("by_frames", [True, False])
def test_who_has_no_time_left_has_lost_the_match(by_frames: bool) -> None:
    """Frames and ticks both end it."""
    match = opened(clock=parse_clock("0.1+0"))
    match.now_ms += 8000
    if by_frames:
        match.frame()
    else:
        match.give(Tick(match.now_ms))
    assert match.ends_with(events.TimeRanOut, events.MatchWon)
    assert (match.emitted(events.TimeRanOut)[0].player, match.last(events.MatchWon).player) == (WHITE, BLACK)
    assert match.is_in(Phase.GAME_OVER)
