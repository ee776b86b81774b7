"""At a terminal a digit alone answers an open question; afterwards lines end with Enter again."""

import os
import pty
import termios
from collections.abc import Iterator

import pytest

from controller.match import AnswerQuestion, Pause, commands
from controller.session.asker import Asker
from controller.subcommands.match.match_inputs import TypedCommands
from controller.subcommands.match.single_keys import split_keys
from firmware_bridge.fakes.fake_line import FakeClock
from tests.controller.questions.test_find_question import unsure


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, int]]:
    """The program's end of a terminal, and the keyboard. The program is in front of it."""
    keyboard, program = pty.openpty()
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp())
    yield program, keyboard
    os.close(keyboard)
    os.close(program)


def is_by_lines(terminal: int) -> bool:
    return bool(termios.tcgetattr(terminal)[3] & termios.ICANON)


def test_a_digit_answers_without_enter_while_a_question_is_open(terminal: tuple[int, int]) -> None:
    program, keyboard = terminal
    match, clock = unsure(), FakeClock()
    asker = Asker(match.table, clock=clock)
    typed = TypedCommands(lambda _: None, asker, program)
    assert list(typed()) == []
    assert is_by_lines(program)
    asker.publish(match.state, (), match.now_ms)
    assert list(typed()) == []
    assert not is_by_lines(program)
    clock.now_ms += 1000
    os.write(keyboard, b"2")
    (answer,) = typed()
    assert isinstance(answer, AnswerQuestion)
    match.give(answer)
    asker.publish(match.state, (), match.now_ms)
    assert list(typed()) == []
    assert is_by_lines(program)
    os.write(keyboard, b"pause\n")
    assert list(typed()) == [Pause()]


def test_the_second_key_of_a_double_press_answers_no_question_that_nobody_has_read(terminal: tuple[int, int]) -> None:
    program, keyboard = terminal
    match, clock, lines = unsure(), FakeClock(), list[str]()
    asker = Asker(match.table, lines.append, clock=clock)
    asker.publish(match.state, (), match.now_ms)
    typed = TypedCommands(lines.append, asker, program)
    assert list(typed()) == []
    clock.now_ms += 200
    os.write(keyboard, b"2")
    assert list(typed()) == []
    assert lines[-1] == "That key came before this question could be read; press it again."
    clock.now_ms += 400
    os.write(keyboard, b"2")
    (answer,) = typed()
    assert isinstance(answer, AnswerQuestion)


def test_a_command_may_be_typed_while_a_question_is_open(terminal: tuple[int, int]) -> None:
    """Its digits are no answers, and a wrong letter can be erased. In the end the terminal is as it was."""
    program, keyboard = terminal
    match = unsure()
    asker = Asker(match.table)
    asker.publish(match.state, (), match.now_ms)
    typed = TypedCommands(lambda _: None, asker, program)
    assert list(typed()) == []
    os.write(keyboard, b"rolk\x7fl 6 5\n")
    assert list(typed()) == [commands.CorrectRoll((6, 5))]
    typed.close()
    assert is_by_lines(program)


def test_a_terminal_with_another_program_in_front_is_left_alone(
    terminal: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changing it would stop this program."""
    program, _ = terminal
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp() + 1)
    match = unsure()
    asker = Asker(match.table)
    asker.publish(match.state, (), match.now_ms)
    assert list(TypedCommands(lambda _: None, asker, program)()) == []
    assert is_by_lines(program)


@pytest.mark.parametrize(
    ("typed", "lines", "rest"),
    [
        (b"1\n", [b"1", b""], b""),
        (b"end\n2", [b"end", b"2"], b""),
        (b"\x7f\x7fen", [], b"en"),
        (b"play 00", [], b"play 00"),
    ],
)
def test_keys_become_lines(typed: bytes, lines: list[bytes], rest: bytes) -> None:
    assert split_keys(typed, b"") == (lines, rest)
