"""The question in the terminal and on the buttons: listed once, answered with a number or with two buttons."""

import os

import pytest

from controller.lights.strip_picture import StripRenderer
from controller.match import AnswerQuestion, ChoosePlay, CorrectRoll, OfferDouble, TakeBackAnswer, commands
from controller.refereeing.state import Phase
from controller.session.asker import Asker
from controller.session.button_commands import command_for
from controller.subcommands.match.match_inputs import TypedCommands
from controller.wording.command_text import list_commands
from firmware_bridge.layout import LedLayout, LedPlace, StripPlan
from firmware_bridge.led_frame import BLACK
from firmware_bridge.pins.buttons import Button, Pressed
from tests.controller.questions.test_find_question import refused, unsure, with_an_unclear_throw
from tests.controller.refereeing.refereed_match import BLACK as BLACK_PLAYER
from tests.controller.refereeing.refereed_match import RefereedMatch, to_throw

FIRST, SECOND = Pressed(Button.END_TURN_1, 0), Pressed(Button.END_TURN_2, 0)
STEP, UNDO = Pressed(Button.CUBE, 0), Pressed(Button.UNDO, 0)


def shown(asker: Asker, match: RefereedMatch) -> None:
    asker.publish(match.state, (), match.now_ms)


def typed(asker: Asker, *lines: str) -> list[object]:
    reading, writing = os.pipe()
    os.write(writing, "".join(f"{line}\n" for line in lines).encode())
    os.close(writing)
    try:
        return list(TypedCommands(lambda _: None, asker, reading)())
    finally:
        os.close(reading)


def test_a_question_is_listed_once_and_answered_with_its_number() -> None:
    """The likeliest answer is number 1; 0 takes the answer back, and then the question is listed again."""
    match, lines = unsure(), list[str]()
    asker = Asker(match.table, lines.append)
    for _ in range(3):
        shown(asker, match)
        match.frame(hand=True)
    assert lines[0] == "What was played?"
    assert [line.split()[0] for line in lines[1:-1]] == [str(number) for number in range(1, len(lines) - 1)]
    (answer,) = typed(asker, "1")
    assert isinstance(answer, AnswerQuestion)
    assert isinstance(answer.answer, ChoosePlay)
    match.give(answer)
    shown(asker, match)
    n_lines = len(lines)
    (back,) = typed(asker, "0")
    assert back == TakeBackAnswer()
    match.give(TakeBackAnswer())
    shown(asker, match)
    assert lines[n_lines:] == lines[:n_lines]


@pytest.mark.parametrize("line", ["1", "99"])
def test_a_number_without_an_answer_is_said(line: str) -> None:
    match, lines = to_throw(), list[str]()
    asker = Asker(match.table, lines.append)
    shown(asker, match)
    assert typed(asker, line) == []
    assert lines == ["There is no answer with this number; type answers to see what is asked."]


def test_what_is_no_question_is_listed_on_request() -> None:
    """An illegal play asks nothing, but the legal plays are a line away."""
    match, lines = refused(), list[str]()
    asker = Asker(match.table, lines.append)
    shown(asker, match)
    assert lines == []
    typed(asker, "answers")
    assert lines[0] == "Which plays were legal?"
    assert lines[-2].split(maxsplit=1)[1] == "The illegal play stands"
    assert list_commands()[0].split()[0] == "answers"


def test_a_number_answers_nothing_that_nobody_has_seen() -> None:
    """The answers are listed first."""
    match, lines = refused(), list[str]()
    asker = Asker(match.table, lines.append)
    shown(asker, match)
    assert typed(asker, "1") == []
    assert lines[0] == "Which plays were legal?"
    (answer,) = typed(asker, "1")
    assert isinstance(answer, AnswerQuestion)


def test_the_cube_button_steps_and_a_player_confirms() -> None:
    """The strip shows the roll that is picked. Nothing is answered by a button that ends turns alone."""
    match, lines = with_an_unclear_throw(), list[str]()
    strip = StripRenderer(match.table)
    asker = Asker(match.table, lines.append, strip)
    shown(asker, match)
    assert asker.press(SECOND) is None
    assert asker.press(STEP) == ()
    assert lines[-1].startswith("> 1  5-2;")
    layout = LedLayout.from_plan(StripPlan(1))
    frame = strip(match.state, layout, match.now_ms)
    lit = [place for place, led in zip(layout.place_of, frame.leds, strict=True) if led != BLACK]
    assert {place for place in lit if place is not None} == {
        *(LedPlace(f"T{number}") for number in range(1, 6)),
        *(LedPlace(f"B{number}") for number in range(1, 3)),
    }
    asker.press(STEP)
    assert asker.press(UNDO) == ()
    asker.press(STEP)
    assert asker.press(FIRST) == (AnswerQuestion(match.state.questions.throw_unclear.at_ms, CorrectRoll((5, 2))),)  # type: ignore[union-attr]
    match.give(commands.CorrectRoll((5, 2)))
    shown(asker, match)
    assert match.is_in(Phase.PLAYING)
    assert strip(match.state, layout, match.now_ms) != frame


def test_buttons_have_their_usual_meaning_without_a_question() -> None:
    match = to_throw()
    asker = Asker(match.table)
    shown(asker, match)
    assert asker.press(STEP) is None
    assert command_for(STEP, match.state, has_clock=False) == OfferDouble(BLACK_PLAYER)


def test_undo_takes_back_the_last_answer_first() -> None:
    match = unsure()
    asker = Asker(match.table)
    shown(asker, match)
    answer = asker.answer(1)
    assert answer is not None
    match.give(answer)
    shown(asker, match)
    assert command_for(UNDO, match.state, has_clock=False) == TakeBackAnswer()
