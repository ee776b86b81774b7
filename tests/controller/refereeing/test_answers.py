"""Answers to what the referee asks: each question is asked once, and an answer may be taken back until the turn ends."""

from controller.match import commands, events
from controller.match.seating import Seating
from controller.match_log.turns import turn_lines
from controller.refereeing.state import Phase
from controller.refereeing.waiting import find_asked
from tests.controller.refereeing.refereed_match import (
    BLACK,
    LEGAL,
    OPENING_HALVES,
    WHITE,
    RefereedMatch,
    moved,
    table_of,
)

MADE = moved(table_of("backgammon").start_text, WHITE, *LEGAL)
OTHER = moved(table_of("backgammon").start_text, WHITE, (24, 23), (13, 10))


def unsure(**changes: object) -> RefereedMatch:
    """White's 3-1 is played under a hand, and Black's throw already lies on the board."""
    match = RefereedMatch.begun(table_of("backgammon", **changes))
    match.throw(3, 1, halves=OPENING_HALVES)
    match.lift(is_settled=False)
    match.throw(6, 4, is_settled=False)
    match.frame(hand=True)
    assert match.is_in(Phase.UNSURE)
    return match


def answer(match: RefereedMatch, command: commands.Answer) -> tuple[events.RefereeEvent, ...]:
    asked = find_asked(match.state)
    assert asked is not None
    return match.give(commands.AnswerQuestion(asked.at_ms, command))


def test_a_wrong_answer_is_taken_back_although_the_next_throw_counts_already() -> None:
    """The same question is open again; the next throw waits as before, and counts after the right answer."""
    match = unsure()
    asked = find_asked(match.state)
    answer(match, commands.ChoosePlay(OTHER))
    assert (match.is_in(Phase.PLAYING), match.state.on_turn, match.state.position) == (True, BLACK, OTHER)
    match.give(commands.TakeBackAnswer())
    assert match.is_in(Phase.UNSURE)
    assert find_asked(match.state) == asked
    assert len(match.emitted(events.PlayUnclear)) == 1
    answer(match, commands.ChoosePlay(MADE))
    assert (match.state.position, match.state.due is not None and match.state.due.numbers) == (MADE, (6, 4))
    assert [(line.player, line.after) for line in turn_lines(match.events)] == [(WHITE, MADE)]
    assert match.is_what_the_log_says()


def test_an_answer_to_another_question_is_refused_and_changes_nothing() -> None:
    """A tap that comes too late must not answer the next question."""
    match = unsure()
    (refused,) = match.give(commands.AnswerQuestion(1, commands.ChoosePlay(MADE)))
    assert isinstance(refused, events.CommandRefused)
    assert "not asked any more" in refused.reason
    assert match.is_in(Phase.UNSURE)
    asked = find_asked(match.state)
    assert asked is not None
    answer(match, commands.ChoosePlay(MADE))
    (late,) = match.give(commands.AnswerQuestion(asked.at_ms, commands.ChoosePlay(OTHER)))
    assert isinstance(late, events.CommandRefused)
    assert match.state.position == MADE


def test_a_refused_answer_leaves_nothing_to_take_back() -> None:
    match = unsure()
    (refused,) = answer(match, commands.Condone())
    assert isinstance(refused, events.CommandRefused)
    (refused,) = match.give(commands.TakeBackAnswer())
    assert isinstance(refused, events.CommandRefused)
    assert refused.reason == "There is no answer to take back."


def test_the_end_of_the_next_turn_closes_the_answer() -> None:
    match = unsure()
    answer(match, commands.ChoosePlay(MADE))
    match.position = moved(MADE, BLACK, (24, 18), (13, 9))
    match.lift()
    assert match.emitted(events.TurnEnded)[-1].player is BLACK
    (refused,) = match.give(commands.TakeBackAnswer())
    assert isinstance(refused, events.CommandRefused)


def test_a_seating_is_asked_once_and_may_be_taken_back() -> None:
    """While nothing changes the question is not asked again."""
    match = RefereedMatch.begun(table_of("backgammon_race", seating=None))
    match.rest(30_000)
    assert len(match.emitted(events.SetUpUnclear)) == 1
    answer(match, commands.SetSeating(Seating()))
    assert match.only(events.SeatingKnown).seating == match.state.seating
    match.give(commands.TakeBackAnswer())
    assert find_asked(match.state) == match.only(events.SetUpUnclear)
    assert match.is_what_the_log_says()
