import json
from pathlib import Path

import pytest

from controller.formats.exporting.single_steps import find_illegal_steps, find_steps
from controller.rules import Player
from tests.controller.formats.match_samples import GOLDEN

WHITE = Player.WHITE
START = "00000050300005000000000020/00000050300005000000000020"


def side_text(counts: list[int]) -> str:
    return "".join(f"{count:x}" for count in (15 - sum(counts), *counts))


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden files are not beside the project")
@pytest.mark.parametrize("file", sorted((GOLDEN / "matches").glob("*.json")), ids=lambda file: str(file.stem))
def test_the_steps_are_those_of_gnubg(file: Path) -> None:
    """In its order, from the boards and the roll alone."""
    for game in json.loads(file.read_text(encoding="utf-8"))["games"]:
        for turn in game["turns"]:
            if turn["action"] == "move":
                before, after = (
                    f"{side_text(turn[when]['p0'])}/{side_text(turn[when]['p1'])}" for when in ("before", "after")
                )
                steps = find_steps(before, after, list(Player)[turn["side"]], tuple(turn["dice"]))
                assert steps is not None
                assert [list(step) for step in steps] == turn["steps"]


def test_a_pass_has_no_steps_and_a_wrong_roll_explains_nothing() -> None:
    assert find_steps(START, START, WHITE, (6, 6)) == ()
    after = "00000240200005000000000020/00000050300005000000000020"
    assert find_steps(START, after, WHITE, (6, 4)) is None


@pytest.mark.parametrize(
    ("white", "black", "steps"),
    [
        ("00000050300004100000000020", "00000050300005000000000020", None),  # backwards
        ("00000050310004000000000020", "00000050300005000000000020", ((13, 9),)),
        ("00000250300003000000000020", "00000050300005000000000020", ((13, 5), (13, 5))),
        ("00000050300005000000001010", "00000050300005000000000020", ((24, 22),)),
        ("00000050300005000000000110", "00000050300005000000000020", ((24, 23),)),
        ("00000050300005000000000020", "00000050300005000000000110", None),  # the other one's checkers
        ("00111050300002000000000020", "00000050300005000000000020", ((13, 4), (13, 3), (13, 2))),
        ("01111150300000000000000020", "00000050300005000000000020", None),  # five steps
    ],
)
def test_illegal_plays_as_they_were_made(white: str, black: str, steps: object) -> None:
    """One step for each checker that moved forward; None if that cannot express the play."""
    assert find_illegal_steps(START, f"{white}/{black}", WHITE) == steps


def test_an_illegal_play_that_hits() -> None:
    """The blot is on the bar only if a checker landed on its point."""
    before = "00000050300005000000000020/00001050300004000000000020"
    hit = "00000050300005000000010010/00000050300004000000000021"
    assert find_illegal_steps(before, hit, WHITE) == ((24, 21),)
    elsewhere = "00000050300005000000001010/00000050300004000000000021"
    assert find_illegal_steps(before, elsewhere, WHITE) is None
