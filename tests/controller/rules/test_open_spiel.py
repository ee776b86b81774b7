"""Backgammon and hypergammon against open_spiel, turn by turn along random games."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from controller.rules import DiceUse, Ruleset, get_ruleset, legal_plays, position_text
from tests.controller.rules.open_spiel import Question, questions

pytestmark = pytest.mark.broad

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed; it comes with the extra `oracle`")

SEED = 20241
# Seeds of short walks in which both duties decide a turn; they do so in one turn of a few hundred.
SHORT_WALKS = [("backgammon", 400, 1), ("hypergammon", 500, 10)]


def ask(name: str, count: int, seed: int) -> Counter[str]:
    """Compares `count` turns and counts the duties that decided them; fails at the first difference."""
    rules = get_ruleset(name)
    hyper = "true" if name == "hypergammon" else "false"
    game = pyspiel.load_game(f"backgammon(scoring_type=full_scoring,hyper_backgammon={hyper})")
    met, distinct = Counter[str](), set[tuple[object, ...]]()
    for question in islice(questions(game, rules.checkers, seed), count):
        ours = {play.after for play in legal_plays(question.before, question.mover, question.stage, rules)}
        where = f"{position_text(question.before)} {question.mover.value} {question.stage.numbers}"
        assert ours == question.results, where
        distinct.add((question.before, question.mover, question.stage.numbers))
        met.update(duties(question, rules, len(ours)))
    met["compared"] = count
    met["distinct"] = len(distinct)
    return met


def duties(question: Question, rules: Ruleset, results: int) -> list[str]:
    """The duty that decided: without the larger-number rule, or without look-ahead, the results would differ."""
    weaker = {
        "larger number": replace(rules, name="any_number", larger_die=False),
        "look-ahead": replace(rules, name="greedy", dice_use=DiceUse.GREEDY, larger_die=False),
    }
    counts = {
        name: len(legal_plays(question.before, question.mover, question.stage, weak)) for name, weak in weaker.items()
    }
    if counts["larger number"] != results:
        return ["larger number"]
    return ["look-ahead"] if counts["look-ahead"] != results else []


@pytest.mark.parametrize(("name", "count", "seed"), SHORT_WALKS)
def test_a_few_hundred_turns_have_the_same_results(name: str, count: int, seed: int) -> None:
    """Both engines name the same set of final positions, and both duties decide some of the turns."""
    met = ask(name, count, seed)
    assert met["compared"] == count
    assert met["look-ahead"] > 0
    assert met["larger number"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("backgammon", 105_000), ("hypergammon", 40_000)])
def test_a_hundred_thousand_turns_have_the_same_results(
    name: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    met = ask(name, count, SEED)
    with capsys.disabled():
        print(
            f"\n{name} against open_spiel: {met['compared']} turns equal ({met['distinct']} distinct), "
            f"{met['larger number']} decided by the larger number, {met['look-ahead']} by look-ahead"
        )
    assert met["larger number"] > 0
    assert met["look-ahead"] > 0
