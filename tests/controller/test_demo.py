import logging
from functools import partial

import pytest

from controller import demo
from controller.cli import main
from controller.playthrough import TurnPlayed, play_game
from controller.rules.house_rules import house_variant
from controller.rules.ruleset import Ruleset
from controller.rules.variants import GAMES, RULESETS


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that a demo without faults prints."""
    assert main(["demo", *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.splitlines()


def test_the_plain_demo_is_one_seeded_game_of_backgammon(capsys: pytest.CaptureFixture[str]) -> None:
    """Opening, turns with a board each, and the end with winner, kind, points and turns."""
    lines = output(capsys)
    assert lines[:9] == [
        "Backgammon: 1 game, seed 1",
        "Plays count along the player's own path, 24 to 1, as on the frame of the board.",
        "The demo plays without doubling; the cube stays in the middle at 1.",
        "",
        "Opening throw: White 1, Black 6; Black starts with these two numbers",
        "",
        "Turn 1, Black",
        "  throws 6-1 (шеш-як): 13/7 8/7",
        "  P13 P14 P15 P16 P17 P18         P19 P20 P21 P22 P23 P24",
    ]
    assert lines[-1] == "Black wins a single game, 1 point, after 53 turns."
    turns = [line for line in lines if line.startswith("Turn ")]
    assert len(turns) == sum(line.startswith("  P12 ") for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_ends_by_itself(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line says who won, or that the game is drawn; nothing is wider than 80 columns."""
    lines = output(capsys, "--game", game, "--seed", "1", "--headless")
    assert " wins " in lines[-1] or "The game is drawn after " in lines[-1]
    assert max(map(len, lines)) <= 80


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs with seed 5 are equal; seed 6 is another game."""
    first = output(capsys, "--game", "hypergammon", "--seed", "5")
    assert output(capsys, "--game", "hypergammon", "--seed", "5") == first
    assert output(capsys, "--game", "hypergammon", "--seed", "6")[1:] != first[1:]


def test_several_games_are_scored(capsys: pytest.CaptureFixture[str]) -> None:
    """Three games of hypergammon, the score after each."""
    lines = output(capsys, "--game", "hypergammon", "--games", "3")
    assert [line for line in lines if line.startswith(("Game", "Score"))] == [
        "Game 1",
        "Score after 1 of 3: White 0, Black 1",
        "Game 2",
        "Score after 2 of 3: White 3, Black 1",
        "Game 3",
        "Score after 3 of 3: White 3, Black 3",
    ]


def test_the_winner_starts_the_next_game_of_fevga(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the first of two games has an opening throw, and the second is begun by the winner of the first."""
    lines = output(capsys, "--game", "fevga", "--games", "2")
    assert sum(line.startswith("Opening throw") for line in lines) == 1
    winner = next(line.split()[0] for line in lines if " wins " in line)
    assert lines[lines.index("Game 2") + 2] == f"Turn 1, {winner}"


def test_what_a_player_cannot_play_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    """Crazy gulbar tells cascades, handed-over numbers and stages that cannot be played."""
    text = "\n".join(output(capsys, "--game", "crazy_gulbar"))
    assert "  throws 3-3 (ду-сэ), a cascade: 3-3 24/18, 4-4 18/10, 5-5 no legal play;\n" in text
    assert "    5-5-6-6 to be played by Black\n" in text
    assert "  plays 5-5-6-6, handed over by White: 5-5 24/14, 6-6 17/5\n" in text


def test_a_forced_pass_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody dances on the bar in one of the first games."""
    assert ": no legal play, a forced pass" in "\n".join(output(capsys, "--games", "3"))


def test_grasshopper_enters_walls_and_scores(capsys: pytest.CaptureFixture[str]) -> None:
    """White begins by entering a piece; every action of the game is told."""
    lines = output(capsys, "--game", "grasshopper")
    assert lines[0] == "Grasshopper: 1 game, seed 1"
    assert lines[2].startswith("Turn 1, White enters a piece on P")
    text = "\n".join(lines)
    assert all(words in text for words in (" and builds a wall", " and scores", " moves from P"))


def test_a_disagreement_of_the_judge_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge who refuses turn 3 ends the demo there with status 1 and both positions."""

    def refuses_turn_3(played: TurnPlayed, _rules: Ruleset) -> bool:
        return played.number != 3

    monkeypatch.setattr(demo, "is_confirmed", refuses_turn_3)
    assert main(["demo"]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("zarbiter: the judge refuses turn 3 (")
    assert "Turn 4" not in printed.out


def test_a_game_without_end_is_a_failure(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """At the bound the demo says so and fails."""
    monkeypatch.setattr("controller.demo.play_game", partial(play_game, most_turns=2))
    with caplog.at_level(logging.ERROR):
        assert demo.play_demo(RULESETS["backgammon"], games=1, seed=1) == 1
    assert caplog.messages == ["the game was stopped after 2 turns without an end"]


def test_a_house_variant_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    """A variant has its own name in the heading, since it is none of the eighteen."""
    rules = house_variant('name = "two_heads"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\n')
    assert demo.play_demo(rules, games=1, seed=1) == 0
    assert capsys.readouterr().out.startswith("two_heads: 1 game, seed 1\n")
