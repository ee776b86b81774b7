"""Plays as text."""

import pytest

from controller.rules import Step, play_text


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], "pass"),
        ([Step(13, 8, 5)], "13/8"),
        ([Step(25, 22, 3)], "bar/22"),
        ([Step(26, 20, 5)], "reserve/20"),
        ([Step(6, 0, 6), Step(5, 0, 5)], "6/off 5/off"),
        ([Step(24, 18, 6), Step(18, 13, 5)], "24/13"),
        ([Step(24, 18, 6, hits=True), Step(18, 13, 5)], "24/18*/13"),
        ([Step(8, 4, 4, hits=True), Step(8, 4, 4)], "8/4*(2)"),
        ([Step(8, 4, 4), Step(8, 4, 4), Step(6, 2, 4), Step(6, 2, 4)], "8/4(2) 6/2(2)"),
        ([Step(6, 5, 1), Step(13, 7, 6, hits=True)], "13/7* 6/5"),
    ],
)
def test_text_of_steps(steps: list[Step], expected: str) -> None:
    assert play_text(steps) == expected
