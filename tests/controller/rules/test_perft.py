"""Opening counts: plays of each first roll, distinct positions after it, and the second player's answers in all."""

import json
from pathlib import Path

import pytest

from controller.rules import (
    ALL_ROLLS,
    RULESETS,
    Opening,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Stage,
    legal_plays,
    make_own_throw,
    start_position,
)

FILE = Path(__file__).parents[4] / "shared" / "golden" / "perft.jsonl"
W, B = Player.WHITE, Player.BLACK


def first_stage(before: Position, mover: Player, roll: Roll, rules: Ruleset, *, game: int) -> set[Position]:
    """The results of the first stage of a player's first roll, `game` rolls after the start."""
    throw = make_own_throw(roll, rules, RollCounters(game=game, player=0))
    stage = Stage(throw.stages[0], first_roll=True)
    return {play.after for play in legal_plays(before, mover, stage, rules)}


def first_results(rules: Ruleset) -> dict[str, set[Position]]:
    """The results by first roll, without doubles where the starter plays the opening dice."""
    rolls = [roll for roll in ALL_ROLLS if rules.opening is Opening.REROLL or not roll.is_double]
    return {f"{roll.high}{roll.low}": first_stage(start_position(rules), W, roll, rules, game=0) for roll in rolls}


@pytest.mark.parametrize(
    ("name", "roll", "count"),
    [
        ("backgammon", "31", 16),
        ("backgammon", "65", 7),
        ("nackgammon", "32", 27),
        ("hypergammon", "54", 9),
        ("tavla", "11", 42),
        ("long_nardy", "66", 1),
        ("long_nardy", "33", 2),
        ("gul_bara", "11", 5),
        ("fevga", "66", 1),
    ],
)
def test_plays_of_a_first_roll(name: str, roll: str, count: int) -> None:
    assert len(first_results(RULESETS[name])[roll]) == count


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_the_counts_of_the_file(name: str) -> None:
    if not FILE.exists():
        pytest.skip(f"no {FILE.name} beside the project")
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    (expected,) = [line for line in lines if line["variant"] == name]
    rules, first = RULESETS[name], first_results(RULESETS[name])
    assert {roll: len(found) for roll, found in first.items()} == expected["first_stage"]
    distinct = set[Position]().union(*first.values())
    assert len(distinct) == expected["distinct_after_first"]
    answers = sum(len(first_stage(after, B, roll, rules, game=1)) for after in distinct for roll in ALL_ROLLS)
    assert answers == expected["second_player_total"]
