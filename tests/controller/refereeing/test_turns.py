"""A turn from the throw to the verdict: what ends it, and when nothing may be said yet."""

import pytest

from controller.match import events
from controller.match.commands import CorrectRoll, EndTurn
from controller.refereeing.state import Phase
from tests.controller.refereeing.refereed_match import (
    BLACK,
    WHITE,
    RefereedMatch,
    die_reading,
    moved,
    opened,
    table_of,
    to_throw,
)
from vision.dice.readings import BoardHalf, DieState
from vision.dice_tracking.events import DieMoved, DieTurned


def test_in_mid_turn_nothing_is_judged() -> None:
    """The board may be impossible while the dice lie there; only the board at the end of the turn counts."""
    match = opened()
    start = match.position
    match.put(moved(start, WHITE, (6, 1), (13, 1)), rest_ms=10_000)
    assert match.is_in(Phase.PLAYING)
    match.put(moved(start, WHITE, (8, 5), (6, 5)))
    match.lift()
    assert not match.emitted(events.PlayRefused)
    assert match.ends_with(events.PlayMade)


def test_a_turn_ends_when_all_dice_are_lifted() -> None:
    """Lifting one of them does not end it."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    first, second = match.dice
    match.dice = (second,)
    match.frame()
    assert match.is_in(Phase.PLAYING)
    match.dice = ()
    match.frame()
    assert match.only(events.TurnEnded).by is events.EndedBy.DICE_LIFTED
    assert first not in match.dice


def test_a_turn_ends_by_button_with_the_dice_on_the_board() -> None:
    """The opponent takes them up and throws."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.give(EndTurn(WHITE))
    match.frame()
    assert match.ends_with(events.PlayMade)
    match.throw(6, 4)
    assert (match.state.on_turn, match.roll) == (BLACK, (6, 4))


def test_a_turn_ends_by_the_next_throw_and_the_board_answers_for_both() -> None:
    """The dice are thrown before a frame shows the board without them."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.dice = ()
    match.throw(6, 4)
    assert match.ends_with(events.TurnEnded, events.PlayMade, events.DiceRolled)
    assert match.state.on_turn is BLACK


def test_dice_thrown_anew_without_being_seen_to_leave_end_a_turn_when_the_play_is_done() -> None:
    """Both lie elsewhere, one with another face, and the board shows a legal play."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    first, second = match.dice
    now = [die_reading(6, BoardHalf.LEFT), die_reading(1, BoardHalf.LEFT)]
    match.frame(
        DieMoved(first, (0.0, 0.0), now[0], match.now_ms, was_gone=True),
        DieTurned(first, 3, 6, match.now_ms),
        DieMoved(second, (0.0, 0.0), now[1], match.now_ms, was_gone=True),
    )
    assert (match.state.on_turn, match.roll) == (BLACK, (6, 1))
    assert not match.emitted(events.DieTurnedOver)


def pushed_and_tipped(match: RefereedMatch, now: tuple[int, int], edges: float, *, was_gone: bool = True) -> None:
    """One die went right across the board; the second moved by this many edges and shows another face."""
    first, second = match.dice
    shown = die_reading(now[0]), die_reading(now[1])
    near_px = (shown[1].centre_px[0] - edges * shown[1].size_px, shown[1].centre_px[1])
    match.frame(
        DieMoved(first, (1000.0, 400.0), shown[0], match.now_ms, was_gone),
        DieMoved(second, near_px, shown[1], match.now_ms, was_gone),
        DieTurned(second, second.value, now[1], match.now_ms),
    )


@pytest.mark.parametrize(
    ("edges", "was_gone", "is_throw"), [(1.0, True, False), (2.5, True, False), (3.5, True, True), (3.5, False, False)]
)
def test_a_die_pushed_and_one_tipped_over_after_the_play_are_a_question(
    edges: float, was_gone: bool, is_throw: bool
) -> None:
    """A die that is tipped rolls over an edge or two; only dice that were away and lie far off were thrown anew."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    pushed_and_tipped(match, (3, 6), edges, was_gone=was_gone)
    assert bool(match.emitted(events.PlayMade)) is is_throw
    assert bool(match.emitted(events.DieTurnedOver)) is not is_throw
    assert match.state.on_turn is (BLACK if is_throw else WHITE)


def test_dice_that_may_have_been_thrown_anew_accuse_nobody_later() -> None:
    """The moved dice were Black's throw: Black has played it when the dice are lifted, and people are asked."""
    match = opened()
    after = moved(match.position, WHITE, (8, 5), (6, 5))
    match.put(after)
    pushed_and_tipped(match, (3, 6), 1.0)
    match.put(moved(after, BLACK, (24, 18), (13, 10)))
    match.lift(rest_ms=6000)
    assert match.is_asked_and_not_refused()


def test_dice_tipped_over_before_a_throw_are_a_question() -> None:
    """The button ended the turn and the dice still lie there: nobody knows whether they were thrown."""
    match = opened()
    match.put(moved(match.position, WHITE, (8, 5), (6, 5)))
    match.give(EndTurn(WHITE))
    match.frame()
    pushed_and_tipped(match, (3, 6), 1.0)
    assert match.last(events.ThrowUnclear).player is BLACK
    match.give(CorrectRoll((6, 3)))
    assert (match.state.on_turn, match.roll) == (BLACK, (6, 3))


def test_a_die_that_shows_another_face_is_a_question_and_no_new_roll() -> None:
    """The accepted roll stays; a die that is only pushed aside causes no event."""
    match = opened()
    first, _ = match.dice
    match.frame(DieMoved(first, (0.0, 0.0), first.reading, match.now_ms))
    match.frame(DieTurned(first, 3, 6, match.now_ms))
    turned = match.last(events.DieTurnedOver)
    assert (turned.was, turned.now) == (3, 6)
    assert match.roll == (3, 1)


def test_dice_that_had_only_been_hidden_end_no_turn() -> None:
    """The dice are found where they lay: the turn goes on, and a play that was accepted meanwhile is taken back."""
    match = opened()
    dice = match.dice
    match.lift(is_settled=False)
    match.find(dice)
    assert match.ends_with(events.TurnGoesOn)
    assert match.is_in(Phase.PLAYING)
    match.play(WHITE, (8, 5), (6, 5))
    assert match.ends_with(events.PlayMade)
    match.find(dice)
    assert match.ends_with(events.PlayTakenBack)
    assert match.is_in(Phase.PLAYING)


def test_dice_of_a_refused_throw_that_are_found_again_are_no_turn_that_goes_on() -> None:
    """The play before the refused throw stays made."""
    match = opened()
    match.play(WHITE, (8, 5), (6, 5))
    match.throw(5, 2, lies=DieState.COCKED)
    dice = match.dice
    match.lift()
    match.find(dice)
    assert match.is_in(Phase.AWAIT_ROLL)
    assert not match.emitted(events.PlayTakenBack)


def test_nobody_is_scolded_while_a_hand_is_over_the_board() -> None:
    """A player may lift his dice before his last checker; the verdict waits for a still board."""
    match = opened()
    start = match.position
    match.put(moved(start, WHITE, (8, 5)))
    match.lift(rest_ms=1000)
    for _ in range(40):
        match.frame(hand=True)
    match.position = moved(start, WHITE, (8, 5), (6, 5))
    match.frame()
    assert not match.emitted(events.PlayRefused)
    assert match.ends_with(events.PlayMade)


def test_a_forced_pass_is_announced_and_the_unchanged_board_is_the_pass() -> None:
    """Black is on the bar against six made points."""
    match = RefereedMatch.begun(table_of("backgammon", start=CLOSED, on_turn=BLACK))
    match.throw(6, 5)
    assert match.ends_with(events.PassForced)
    match.lift()
    made = match.last(events.PlayMade)
    assert (made.play, made.before) == ("pass", made.after)


# Black is on the bar against six made points; White bears off soon.
CLOSED = "02222222100000000000000000/e0000000000000000000000001"


def test_a_player_whom_no_roll_lets_move_need_not_throw() -> None:
    """He presses the button, or the other player throws again; a player who could move has to throw."""
    match = RefereedMatch.begun(table_of("backgammon", start=CLOSED, on_turn=BLACK))
    match.give(EndTurn(BLACK))
    assert match.ends_with(events.PassForced, events.PlayMade)
    assert match.state.on_turn is WHITE
    match.give(EndTurn(WHITE))
    assert match.last(events.CommandRefused).reason == "The player on turn has to throw first."


def test_a_throw_for_a_player_who_could_not_move_anyway_may_be_the_other_ones() -> None:
    """White throws again and plays: it is his roll, and Black is not accused of White's play."""
    match = RefereedMatch.begun(table_of("backgammon", start=CLOSED, on_turn=BLACK))
    match.throw(2, 1)
    match.play(WHITE, (8, 6), (7, 6))
    made = match.last(events.PlayMade)
    assert (made.player, made.numbers, made.play) == (WHITE, (2, 1), "8/6 7/6")
    assert match.state.on_turn is BLACK


def test_a_board_that_changes_between_turns_is_shown_until_it_is_right() -> None:
    """A checker is knocked over while the other player throws."""
    match = to_throw()
    right = match.position
    match.put(moved(right, WHITE, (13, 14)), rest_ms=2500)
    (differs,) = match.emitted(events.BoardDiffers)
    assert (len(differs.extra), len(differs.missing)) == (1, 1)
    assert match.is_in(Phase.RESTORE)
    match.put(right, rest_ms=500)
    assert match.is_in(Phase.AWAIT_ROLL)


def test_another_legal_play_before_the_next_throw_takes_the_place_of_the_first() -> None:
    """The player changes his mind, or the first reading was wrong: the log follows what stands there."""
    match = opened()
    start = match.position
    match.put(moved(start, WHITE, (8, 5), (6, 5)))
    match.lift()
    match.put(moved(start, WHITE, (24, 23), (13, 10)), rest_ms=2500)
    assert match.ends_with(events.PlayTakenBack, events.PlayMade)
    assert match.state.position == moved(start, WHITE, (24, 23), (13, 10))


def test_a_throw_that_does_not_count_may_be_thrown_anew_without_being_seen_to_leave() -> None:
    """All dice lie elsewhere and at least one shows another face: nobody pushes and tips dice before a throw."""
    match = opened()
    match.play(WHITE, (8, 5), (6, 5))
    match.throw(5, 2, lies=DieState.COCKED)
    first, second = match.dice
    match.frame(
        DieMoved(first, (0.0, 0.0), die_reading(4), match.now_ms, was_gone=True),
        DieTurned(first, 5, 4, match.now_ms),
        DieMoved(second, (0.0, 0.0), die_reading(2), match.now_ms, was_gone=True),
    )
    assert match.last(events.DiceRolled).values == (4, 2)


def test_what_is_handed_over_may_be_played_right_after_a_correction() -> None:
    """Gul bara, 6-6: White mends his play, and Black plays the 6 that is left before the referee has said so."""
    before = "00020000500013310000000000/00000101001101201112011100"
    mended = "00020000800013010000000000/00000101001101201112011100"
    match = RefereedMatch.begun(table_of("gul_bara", start=before, on_turn=WHITE, rolls_before=9))
    match.throw(6, 6)
    match.put("00020000700013110000000000/00000101001101201112011100")
    match.lift(rest_ms=2000)
    assert match.is_in(Phase.ILLEGAL)
    match.put(mended)
    match.put("00020000800013010000000000/00000101101101101112011100")
    match.throw(2, 2)
    made = match.emitted(events.PlayMade)
    assert [(event.player, event.numbers) for event in made] == [(WHITE, (6, 6)), (BLACK, (6,))]
    assert made[0].after == mended
    assert len(match.emitted(events.PlayRefused)) == 1
    assert match.last(events.DiceRolled).player is BLACK
