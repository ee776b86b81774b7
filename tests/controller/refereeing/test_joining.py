from random import Random

import pytest

from controller.match.seating import Checkers, PictureEdge, Seating
from controller.observing.observation import Observation
from controller.refereeing.joining import complete_table, make_belief
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.rules import RULESETS, Player, position_text, start_position
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.playthrough import GameProgress, TurnPlayed, play_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.board_plan import BoardPlan

pytestmark = pytest.mark.broad


def standing_after(game: str, turns: int, seed: int) -> GameProgress:
    """The state of a seeded game after this many turns."""
    rules, chance = RULESETS[game], Random(seed)
    standing: GameProgress | None = None
    played = (event for event in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance)))
    for number, turn in enumerate(event for event in played if isinstance(event, TurnPlayed)):
        if number == turns:
            break
        standing = (standing or GameProgress(turn.before, turn.player)).with_turn(turn)
    assert standing is not None
    return standing


def joined(
    game: str, seating: Seating, standing: GameProgress | None, *, turns: int, seed: int = 5
) -> tuple[bool, MatchConfig]:
    """Whether the first turns at a table without given settings decide, and what follows from them."""
    rules, plan = RULESETS[game], BoardPlan()
    played = sum(standing.turns.values()) if standing else 0
    game_plan = GamePlan(seed=seed, seating=seating, start=standing, max_turns=played + turns)
    table = SimulatedTable(film_game(rules, game_plan), plan, Observer(plan, seed))
    told = MatchConfig(game=game, rules=rules)
    belief = make_belief(told)
    assert belief is not None
    for given in table.inputs():
        if isinstance(given, Observation) and belief.decided is None:
            belief = belief.with_observation(given)
    return belief.decided is not None, complete_table(told, belief)


@pytest.mark.parametrize(
    ("edge", "mirrored"),
    [
        (PictureEdge.TOP, True),
        pytest.param(PictureEdge.TOP, False, marks=pytest.mark.slow),
        pytest.param(PictureEdge.BOTTOM, True, marks=pytest.mark.slow),
        pytest.param(PictureEdge.BOTTOM, False, marks=pytest.mark.slow),
    ],
)
def test_a_game_joined_in_its_middle(edge: PictureEdge, mirrored: bool) -> None:
    """Backgammon after eleven turns, from every seat: who sits where, who is on turn and the board, found from the plays."""
    seating = Seating(edge=edge, mirrored=mirrored)
    standing = standing_after("backgammon", 11, seed=2)
    decided, table = joined("backgammon", seating, standing, turns=6)
    assert decided
    assert table.seating == seating
    assert table.start.on_turn is standing.player
    assert table.start.position == position_text(standing.position)


def test_nardy_joined_in_its_middle() -> None:
    """Games on parallel paths have more seats that look alike; the plays tell them apart all the same."""
    seating, standing = Seating(mirrored=True), standing_after("long_nardy", 6, seed=1)
    _, table = joined("long_nardy", seating, standing, turns=8)
    assert (table.seating, table.start.on_turn) == (seating, standing.player)


def test_an_opening_throw_is_one() -> None:
    decided, table = joined("backgammon", Seating(), None, turns=4)
    assert decided
    assert (table.seating, table.start.on_turn) == (Seating(), None)


@pytest.mark.parametrize("player", Player)
def test_a_start_without_an_opening_throw(player: Player) -> None:
    first = GameProgress(start_position(RULESETS["backgammon"]), player)
    decided, table = joined("backgammon", Seating(), first, turns=4)
    assert decided
    assert table.start.on_turn is player


def test_what_was_said_is_not_guessed() -> None:
    standing = standing_after("backgammon", 11, seed=2)
    seating = Seating(Checkers.DARK, PictureEdge.TOP)
    rules, plan = RULESETS["backgammon"], BoardPlan()
    start = GameStart(position_text(standing.position), standing.player)
    table = MatchConfig(game="backgammon", rules=rules, seating=seating, start=start)
    film = film_game(rules, GamePlan(seed=1, seating=seating, start=standing, max_turns=1))
    simulated = SimulatedTable(film, plan, Observer(plan, 1))
    belief = make_belief(table)
    assert belief is not None
    seen = (given for given in simulated.inputs() if isinstance(given, Observation))
    while belief.decided is None:
        belief = belief.with_observation(next(seen))
    known = complete_table(table, belief)
    assert (known.seating, known.start.position) == (seating, start.position)
