"""The whole way: film, frames or readings of them, observations, referee, comparison."""

import pytest

from controller.match import GameWon, PlayMade
from controller.refereeing.match_config import MatchConfig
from controller.rules import RULESETS
from controller.rules.grasshopper.game import STANDARD
from controller.simulation.compare import DifferenceKind
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.readings import PERFECT
from controller.simulation.filmed.snapshots import FrameRates
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import RefereeRun, film_game, referee_film
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS
from tests.benchmarks.simulated_turns import Setting, one_game

pytestmark = pytest.mark.broad

SMALL_AND_SLOW = Setting(FrameRates(5.0, 2.5), EVERYDAY_MISHAPS, (640, 480), PERFECT)
"""Half the frames of the benchmark, and of half its size: a frame takes 20 to 40 ms to be drawn and read."""


def result_of(game: str, seed: int, turns: int) -> RefereeRun:
    rules, board = RULESETS.get(game, STANDARD), BoardPlan()
    plan = GamePlan(seed=seed, mishaps=EVERYDAY_MISHAPS, max_turns=turns)
    table = MatchConfig(game=game, rules=rules, seating=plan.seating)
    return referee_film(SimulatedTable(film_game(rules, plan), board, Observer(board, seed), FrameRates()), table, None)


@pytest.mark.parametrize(
    ("game", "seed", "void", "illegal"), [("hypergammon", 1, 4, 0), ("long_nardy", 107, 0, 1), ("grasshopper", 1, 0, 2)]
)
def test_twenty_turns_with_mishaps_are_refereed_without_a_fault(game: str, seed: int, void: int, illegal: int) -> None:
    """No wrong ruling, no false accusation; every throw that does not count is refused, every illegal play found."""
    found = result_of(game, seed, 20).comparison
    assert found.turns >= 12
    assert found.wrong_rulings == 0, found.differences
    assert (found.invalid_throws, found.invalid_refused) == (void, void)
    assert (found.illegal, found.illegal_found) == (illegal, illegal)


@pytest.mark.parametrize(
    ("game", "seed", "turns", "void"), [("backgammon", 34, 6, 1), ("long_nardy", 9, 6, 1), ("grasshopper", 36, 8, 0)]
)
def test_twenty_turns_with_mishaps_are_refereed_from_frames(game: str, seed: int, turns: int, void: int) -> None:
    found = one_game(game, seed, turns, SMALL_AND_SLOW).comparison
    assert found.turns == turns
    assert found.wrong_rulings == 0, found.differences
    assert found.count(DifferenceKind.FALSE_ACCUSATION) == 0
    assert (found.invalid_throws, found.invalid_refused) == (void, void)
    assert (found.illegal, found.illegal_found, found.illegal_named) == (1, 1, 1)


@pytest.mark.parametrize(("game", "seed"), [("backgammon", 3), ("tavla", 8)])
def test_a_whole_game_on_a_board_without_a_bar(game: str, seed: int) -> None:
    """Hit checkers lie beside the board: they enter again, and the game ends as it truly does."""
    rules, board = RULESETS[game], BoardPlan(width_mm=440.0, bar_mm=(220.0, 220.0))
    plan = GamePlan(seed=seed, board=board)
    table = MatchConfig(game=game, rules=rules, seating=plan.seating)
    film = SimulatedTable(film_game(rules, plan), board, Observer(board, seed), FrameRates())
    result = referee_film(film, table, None)
    plays = [event.play for event in result.events if isinstance(event, PlayMade)]
    assert any("*" in play for play in plays)
    assert any("bar/" in play for play in plays)
    assert any(isinstance(event, GameWon) for event in result.events)
    assert result.comparison.differences == ()
