"""What is asked and which answers are offered, the likeliest first; each answer is an order that the referee obeys."""

from itertools import pairwise
from time import monotonic, sleep

import pytest

from controller.match import Mode, commands, events
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.questions.find_question import AskedInBackground, AskedOnce, find_question
from controller.questions.question import About, Meaning, OfferedAnswer, Question
from controller.refereeing.match_config import with_current_mode
from controller.refereeing.state import Phase
from controller.rules import parse_setup
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.question_phrases import phrase_answer, phrase_question, phrase_reason
from controller.speech.rendering import PhraseRenderer, make_speech_context
from tests.controller.refereeing.refereed_match import (
    BLACK,
    OPENING_HALVES,
    WHITE,
    RefereedMatch,
    moved,
    opened,
    table_of,
    to_throw,
)


def asked(match: RefereedMatch) -> Question:
    question = find_question(match.state, match.table)
    assert question is not None
    return question


def unsure() -> RefereedMatch:
    match = opened()
    match.lift(is_settled=False)
    match.throw(6, 4, is_settled=False)
    match.frame(hand=True)
    return match


def with_an_unclear_throw() -> RefereedMatch:
    match = to_throw()
    match.throw(5, 2, sure=0.9)
    return match


def with_an_unclear_opening() -> RefereedMatch:
    match = RefereedMatch.begun(table_of("backgammon"))
    match.throw(5, 2, sure=0.9, halves=OPENING_HALVES)
    return match


def refused() -> RefereedMatch:
    match = opened()
    match.play(WHITE, (8, 5), (8, 6), rest_ms=2000)
    assert match.is_in(Phase.ILLEGAL)
    return match


def nudged() -> RefereedMatch:
    """Between two turns one checker of White's lies on the next point."""
    match = to_throw()
    match.put(moved(match.position, WHITE, (13, 14)), rest_ms=2500)
    assert match.is_in(Phase.RESTORE)
    return match


def under_way(**changes: object) -> RefereedMatch:
    """The referee was started in mid-game."""
    table = table_of("backgammon", **changes)
    match = RefereedMatch.before_start(table)
    match.position = moved(table.start_text, WHITE, (13, 7), (24, 18), (6, 5))
    match.rest(6000)
    return match


def without_seats() -> RefereedMatch:
    match = RefereedMatch.begun(table_of("backgammon_race", seating=None))
    match.rest(6000)
    return match


ASKING = {
    About.PLAY: unsure,
    About.ROLL: with_an_unclear_throw,
    About.OPENING: with_an_unclear_opening,
    About.REFUSED: refused,
    About.BOARD: nudged,
    About.SEATING: without_seats,
}


@pytest.mark.parametrize("about", About)
def test_each_answer_is_obeyed_and_can_be_taken_back(about: About) -> None:
    """None is refused; afterwards the same question is open again, with the same answers."""
    match = ASKING[about]()
    question = asked(match)
    assert question.about is about
    assert len(question.answers) >= 2
    for answer in question.answers:
        given = match.give(commands.AnswerQuestion(question.asked.at_ms, answer.command))
        assert not any(isinstance(event, events.CommandRefused) for event in given), answer
        match.give(commands.TakeBackAnswer())
        assert asked(match).answers == question.answers
    assert match.is_what_the_log_says()


@pytest.mark.parametrize("about", About)
@pytest.mark.parametrize("language", Language)
def test_questions_and_answers_are_worded_in_every_language(about: About, language: Language) -> None:
    """No two answers read alike, and no value is left open."""
    match = ASKING[about]()
    question = asked(match)
    words = PhraseRenderer(load_pack(language), make_speech_context(match.table, match.state.seating), in_notation=True)
    answers = [words.render((phrase_answer(answer),)) for answer in question.answers]
    assert len(set(answers)) == len(answers)
    lines = [words.render((phrase_question(question),)), words.render(phrase_reason(question)), *answers]
    assert not [line for line in lines if "{" in line or "answer." in line or "question." in line]


def test_the_play_that_comes_nearest_to_a_refused_one_is_first() -> None:
    """Each further one has at least as many checkers elsewhere; last, that the play stands."""
    match = refused()
    *plays, stands = asked(match).answers
    assert stands.meaning is Meaning.STANDS
    assert "8/5 6/5" in [play.play for play in plays]
    made = parse_setup(match.position).white.counts
    boards = [parse_setup(play.after).white.counts for play in plays]
    misplaced = [sum(max(0, a - b) for a, b in zip(made, board, strict=True)) for board in boards]
    assert all(first <= second for first, second in pairwise(misplaced))
    match.give(commands.AnswerQuestion(asked(match).asked.at_ms, plays[0].command))
    assert match.last(events.PlayMade).play == plays[0].play


def test_a_tournament_names_no_legal_play() -> None:
    """Neither beside the play that was refused nor when the board has to be restored before the next throw counts."""
    match = opened(mode=Mode.TOURNAMENT, profile="kazaross")
    match.play(WHITE, (6, 9), (8, 7), rest_ms=2000)
    assert match.is_in(Phase.ILLEGAL)
    assert not [answer for answer in asked(match).answers if answer.play]
    match.throw(6, 4)
    assert match.is_in(Phase.RESTORE)
    assert asked(match).answers == ()


def test_a_change_of_mode_changes_the_answers_of_an_open_question() -> None:
    """What may be named in one mode is gone in another one."""
    match, ask = refused(), AskedOnce()
    table = match.table
    assert [answer.play for answer in answers_of(ask(match.state, table)) if answer.play]
    match.give(commands.ChangeMode(Mode.TOURNAMENT))
    found = ask(match.state, with_current_mode(table, match.state))
    assert not [answer.play for answer in answers_of(found) if answer.play]


def answers_of(question: Question | None) -> tuple[OfferedAnswer, ...]:
    assert question is not None
    return question.answers


def test_a_board_that_differs_is_as_it_is_seen_or_as_the_log_has_it() -> None:
    """The places that differ tell the answers apart."""
    match = nudged()
    seen, logged = asked(match).answers
    assert (seen.meaning, logged.meaning) == (Meaning.AS_SEEN, Meaning.AS_LOGGED)
    assert {(one.light, one.dark) for one in seen.counts} == {(4, 0), (1, 0)}
    match.give(commands.AnswerQuestion(asked(match).asked.at_ms, seen.command))
    assert match.state.position == match.position


def test_a_game_under_way_is_joined_with_one_answer() -> None:
    """Who is on turn is part of the answer."""
    match = under_way()
    answers = asked(match).answers
    assert [answer.meaning for answer in answers] == [Meaning.START, Meaning.GOES_ON, Meaning.GOES_ON]
    match.give(commands.AnswerQuestion(asked(match).asked.at_ms, answers[2].command))
    assert (match.state.phase, match.state.on_turn, match.state.position) == (Phase.AWAIT_ROLL, BLACK, match.position)


def test_other_seats_than_agreed_are_an_answer() -> None:
    """The game begins after it."""
    table = table_of("backgammon", seating=Seating(Checkers.LIGHT, PictureEdge.TOP, mirrored=False))
    match = RefereedMatch.before_start(table)
    match.position = table.start_text
    match.rest(6000)
    question = asked(match)
    assert (question.about, question.is_open) == (About.SEATING, True)
    match.give(commands.AnswerQuestion(question.asked.at_ms, question.answers[0].command))
    match.rest(1000)
    assert match.is_in(Phase.OPENING)


def test_nothing_is_asked_while_play_goes_on() -> None:
    assert find_question(to_throw().state, to_throw().table) is None


def test_a_loop_does_not_wait_for_the_answers() -> None:
    """A later call has the question, and a second output gets the very same value."""
    match, questions = unsure(), AskedOnce()
    ask = AskedInBackground(questions)
    ask(match.state, match.table)
    deadline_s = monotonic() + 10
    while (found := ask(match.state, match.table)) is None and monotonic() < deadline_s:
        sleep(0.01)
    assert found is not None
    assert questions(match.state, match.table) is found


def test_a_question_is_found_once() -> None:
    """While nothing changes every output gets the same value."""
    match, ask = unsure(), AskedOnce()
    first = ask(match.state, match.table)
    match.frame(hand=True)
    assert ask(match.state, match.table) is first
    match.give(commands.AnswerQuestion(asked(match).asked.at_ms, asked(match).answers[0].command))
    assert ask(match.state, match.table) is None
