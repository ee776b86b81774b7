"""The whole way but for the pictures: film, readings, observations, referee, comparison."""

import pytest

from controller.rules.grasshopper import STANDARD
from controller.rules.variants import RULESETS
from controller.simulation.board_plan import BoardPlan
from controller.simulation.mishaps import EVERYDAY_MISHAPS
from controller.simulation.moments import Pace
from controller.simulation.observations import Observer
from controller.simulation.refereed import Refereed, game_of, refereed
from controller.simulation.script import GamePlan
from controller.simulation.table import SimulatedTable
from controller.table import Table

pytestmark = pytest.mark.broad


def result_of(game: str, seed: int, turns: int) -> Refereed:
    rules, board = RULESETS.get(game, STANDARD), BoardPlan()
    plan = GamePlan(seed=seed, mishaps=EVERYDAY_MISHAPS, most_turns=turns)
    table = Table(game=game, rules=rules, seating=plan.seating)
    return refereed(SimulatedTable(game_of(rules, plan), board, Observer(board, seed), Pace()), table, None)


@pytest.mark.parametrize(("game", "seed"), [("hypergammon", 1), ("long_nardy", 107), ("grasshopper", 1)])
def test_twenty_turns_with_mishaps_are_refereed_without_a_fault(game: str, seed: int) -> None:
    """No wrong ruling, no false accusation, every invalid throw refused."""
    found = result_of(game, seed, 20).comparison
    assert found.turns >= 12
    assert found.wrong_rulings == 0, found.differences
    assert found.invalid_refused == found.invalid_throws
