"""Position text and play text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import (
    RULESETS,
    Player,
    Position,
    PositionTextError,
    Step,
    parse_setup,
    play_text,
    position_text,
    start_position,
)
from tests.controller.rules.boards import board, game
from tests.controller.rules.strategies import wild_positions

START = "00000050300005000000000020"


def test_the_start_of_backgammon() -> None:
    assert position_text(start_position(game("backgammon"))) == f"{START}/{START}"


def test_the_reserve_is_written_only_when_it_holds_a_checker() -> None:
    rules = game("backgammon_race")
    assert position_text(board(rules, "reserve:15", "3:15")) == f"{'0' * 26}f/000f{'0' * 22}"


def test_pins_come_white_first_each_rising() -> None:
    position = board(game("plakoto"), "7:1 3:1 2:1", "18:2 22:1 23:1", pins={Player.BLACK: {23}, Player.WHITE: {7, 3}})
    assert position_text(position).endswith("/W3,W7,B23")


@given(st.data())
@pytest.mark.parametrize("name", ["backgammon", "plakoto", "fevga", "backgammon_race", "hypergammon"])
def test_text_and_back(name: str, data: st.DataObject) -> None:
    position = data.draw(wild_positions(RULESETS[name]))
    assert Position.of(parse_setup(position_text(position)), RULESETS[name]) == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has 1 parts between slashes; write WHITE/BLACK"),
        ("a/b/c/d", "has 4 parts between slashes"),
        ("x" * 100, "..."),
        (f"{START[:-1]}/{START}", "White's side has 25 digits; give 26"),
        (f"{START}/{START}00", "Black's side has 28 digits"),
        (f"{START}/g{START[1:]}", "Black's side has 'g' at place 0; use the digits 0 to 9 and a to f"),
        (f"{START}/F{START[1:]}", "Black's side has 'F' at place 0"),
        (f"\u0663{START[1:]}/{START}", "White's side has '\u0663' at place 0"),
        (f"{START}/{START}/", "'' is no pin; write a colour letter and a point, like W7,B23"),
        (f"{START}/{START}/W0", "'W0' is no pin"),
        (f"{START}/{START}/W25", "'W25' is no pin"),
        (f"{START}/{START}/X7", "'X7' is no pin"),
        (f"{START}/{START}/W7,", "'' is no pin"),
        (f"{START}/{START}/W\u0667", "is no pin"),
        pytest.param(f"{START}/{START}/W{'9' * 5000}", "is no pin", id="pin-of-5000-digits"),
    ],
)  # fmt: skip
def test_text_that_is_no_position(text: str, words: str) -> None:
    """One sentence that says what is wrong and how it is written."""
    with pytest.raises(PositionTextError) as caught:
        parse_setup(text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 250


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
