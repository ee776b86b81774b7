"""A whole game from readings of the simulated table, refereed in a few seconds."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.match.events import RefereeEvent
from controller.match.seating import Seating
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig, MatchPlayers
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import RefereeState
from controller.rules import MatchRules, get_ruleset
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.board_plan import BoardPlan


@dataclass(frozen=True, slots=True)
class Published:
    """What a sink gets after one input."""

    state: RefereeState
    events: tuple[RefereeEvent, ...]
    now_ms: int


def one_point_match(game: str) -> MatchConfig:
    return MatchConfig(
        game=game,
        rules=get_ruleset(game),
        seating=Seating(),
        match=MatchRules(target=1),
        players=MatchPlayers("Leyla", "Arman"),
    )


def refereed_game(table: MatchConfig, seed: int) -> Iterator[Published]:
    """The start of the match, then the result of every reading."""
    plan = GamePlan(seed=seed, seating=table.seating or Seating(), board=BoardPlan())
    film = film_game(table.dice_rules, plan)
    simulated = SimulatedTable(film, plan.board, Observer(plan.board, plan.seed))
    state, events = begin_match(table, 0)
    yield Published(state, events, 0)
    for given in simulated.inputs():
        state, events = step(state, given, table)
        now_ms = given.taken_ms if isinstance(given, Observation) else state.seen.now_ms
        simulated.publish(state, events, now_ms)
        yield Published(state, events, now_ms)
