"""Comparing a log with the turns that were played. No picture is read here."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.match.events import (
    DiceRolled,
    Evidence,
    GameStarted,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    SeatingKnown,
    ThrowRefused,
)
from controller.match.seating import Seating
from controller.rules import BadThrow, Player, Rule
from tests.benchmarks.sequence_labels import Found, PlayedGame, played_game, score_of

START = "00000050300005000000000020/00000050300005000000000020"
AFTER = "00000240200005000000000020/00000050300005000000000020"
POINTS = {
    "T1": ["light", 5], "T12": ["light", 2], "B5": ["light", 3], "B7": ["light", 5],
    "T5": ["dark", 3], "T7": ["dark", 5], "B1": ["dark", 5], "B12": ["dark", 2],
}  # fmt: skip
SEATED = SeatingKnown(0, Seating(), Evidence.SEEN)
BEGUN = GameStarted(0, 1, START, Player.WHITE)
ROLLED = DiceRolled(67, Player.WHITE, (3, 1))
MADE = PlayMade(100, Player.WHITE, (3, 1), "8/5 6/5", START, AFTER, "end_turn")
REFUSED = PlayRefused(100, Player.WHITE, (3, 1), START, AFTER, (Rule.WRONG_NUMBERS,), ("",))
NOTHING = {"light": 0, "dark": 0}


@pytest.fixture
def truth(tmp_path: Path) -> PlayedGame:
    """One turn from the start, 8/5 6/5 with 3-1, after a throw that does not count."""
    turn = {"player": "light", "roll": [1, 3], "moves": [["B5", "B8"], ["B7", "B8"]]}
    game = {"game": "backgammon", "start": {"points": POINTS, "bar": NOTHING, "off": NOTHING}, "turns": [turn]}
    frames = [{"event": event} for event in ("rest", "bad_roll", "dice_rolled", "moved")]
    (tmp_path / "game.json").write_text(json.dumps(game), encoding="utf-8")
    (tmp_path / "index.json").write_text(json.dumps(frames), encoding="utf-8")
    for number in range(len(frames)):
        cv2.imwrite(str(tmp_path / f"frame_{number:03}.png"), np.zeros((64, 64, 3), np.uint8))
    return played_game(tmp_path)


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ((ROLLED, MADE), [Found.RIGHT]),
        ((replace(ROLLED, values=(1, 1)), replace(MADE, numbers=(1, 1))), [Found.WRONG_ROLL]),
        ((ROLLED, replace(MADE, after=START)), [Found.WRONG_RULING]),
        ((ROLLED, REFUSED), [Found.WRONG_RULING]),
        ((PlayUnclear(100, Player.WHITE, (), (), ""),), [Found.UNSURE]),
        ((ROLLED,), [Found.MISSING]),
        (
            (ROLLED, MADE, DiceRolled(133, Player.BLACK, (6, 5)), replace(MADE, player=Player.BLACK, numbers=(6, 5))),
            [Found.RIGHT, Found.INVENTED],
        ),
    ],
)
def test_what_becomes_of_a_turn(truth: PlayedGame, events: tuple[RefereeEvent, ...], found: list[Found]) -> None:
    assert sorted(score_of((SEATED, BEGUN, *events), truth).found.elements(), key=found.index) == found


def test_a_throw_that_counted_must_not_be_refused(truth: PlayedGame) -> None:
    """The picture at 33 ms shows a bad throw, that at 67 ms a good one."""
    refused = (ThrowRefused(at_ms, Player.WHITE, (BadThrow.COCKED,), (3, 1)) for at_ms in (33, 67))
    assert score_of((SEATED, BEGUN, *refused), truth).refused == 1


@pytest.mark.parametrize(("mirrored", "is_right"), [(False, True), (True, False)])
def test_the_seating(truth: PlayedGame, mirrored: bool, is_right: bool) -> None:
    seated = replace(SEATED, seating=Seating(mirrored=mirrored))
    assert score_of((seated, BEGUN), truth).seating_is_right == is_right
