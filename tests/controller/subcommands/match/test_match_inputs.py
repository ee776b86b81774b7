import os
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from controller.match.commands import EndTurn, Pause
from controller.session.asker import Asker
from controller.subcommands.match.match_inputs import MatchSource, TypedCommands
from tests.controller.refereeing.refereed_match import table_of
from tests.vision.drawn_boards import calibration_for
from vision.camera.recorded import Pictures
from vision.field.drift import make_reference
from vision.frame import Condition, Frame, FrameSource, SourceState


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Reading end and writing end; the test may close the writing end."""
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def test_lines_come_when_they_are_whole(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    typed = TypedCommands(lambda _: None, Asker(table_of("backgammon")), reading)
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
    typed = TypedCommands(reported.append, Asker(table_of("backgammon")), reading)
    os.write(writing, b"\xff\xfe\npuase\nhelp\n")
    os.close(writing)
    assert list(typed()) == []
    assert reported[1].startswith("'puase' is no order; write one of end, double, ")
    assert any(line.startswith("roll N N ") for line in reported)


class Camera(FrameSource):
    """A live source that delivers nothing."""

    @property
    def state(self) -> SourceState:
        return SourceState(Condition.LIVE, 0)

    def latest(self, timeout_ms: int) -> Frame | None:
        return None

    def describe(self) -> str:
        return "a camera"

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("frames", "is_resumed", "is_older"),
    [(Camera(), False, True), (Camera(), True, False), (Pictures([], "a recording"), False, False)],
    ids=("new", "resumed", "recording"),
)
def test_dice_in_the_calibration_are_none_of_a_match_that_is_watched_from_its_beginning(
    frames: FrameSource, is_resumed: bool, is_older: bool
) -> None:
    """They may be the throw of a match that goes on, or the first throw of a recording."""
    known = calibration_for()
    reference = make_reference(np.zeros((480, 640, 3), np.uint8), known.projection)
    source = MatchSource(frames, replace(known, reference=reference), is_resumed=is_resumed)
    assert (source.make_processor().before_play is reference) == is_older
