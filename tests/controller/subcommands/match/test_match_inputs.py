import os
from collections.abc import Iterator

import pytest

from controller.match.commands import EndTurn, Pause
from controller.subcommands.match.match_inputs import TypedCommands


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Reading end and writing end; the test may close the writing end."""
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def test_lines_come_when_they_are_whole(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    typed = TypedCommands(lambda _: None, reading)
    assert list(typed()) == []
    os.write(writing, b"pau")
    assert list(typed()) == []
    os.write(writing, b"se\nend\n")
    assert list(typed()) == [Pause(), EndTurn()]
    os.close(writing)
    assert list(typed()) == []
    assert list(typed()) == []


def test_what_is_no_order_is_answered(pipe: tuple[int, int]) -> None:
    """The sentence goes to whoever typed; help lists all orders."""
    reading, writing = pipe
    reported: list[str] = []
    typed = TypedCommands(reported.append, reading)
    os.write(writing, b"\xff\xfe\npuase\nhelp\n")
    os.close(writing)
    assert list(typed()) == []
    assert reported[1].startswith("'puase' is no order; write one of end, double, ")
    assert any(line.startswith("roll N N ") for line in reported)
