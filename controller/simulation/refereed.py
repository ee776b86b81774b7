"""A film put before the referee, and what came of it: events and truth side by side."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.match.events import RefereeEvent
from controller.observing.observation import Observation
from controller.refereeing.referee import begin, step
from controller.refereeing.table import Table
from controller.rules.grasshopper.game import GrasshopperRules
from controller.rules.ruleset import Ruleset
from controller.session.camera_watch import Film
from controller.simulation.compare import Comparison, compare
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.scripts.grasshopper_script import grasshopper_game
from controller.simulation.scripts.script import GamePlan, dice_game
from controller.simulation.staging.playing import Happening
from controller.simulation.staging.truth import TrueEvent
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Refereed:
    """What was told and what was true; `looks` counts the frames or readings."""

    events: tuple[RefereeEvent, ...]
    truths: tuple[TrueEvent, ...]
    looks: int

    @property
    def comparison(self) -> Comparison:
        return compare(self.truths, self.events)


def game_of(rules: Ruleset | GrasshopperRules, plan: GamePlan) -> Iterator[Happening]:
    """The film of a game of any kind."""
    return grasshopper_game(rules, plan) if isinstance(rules, GrasshopperRules) else dice_game(rules, plan)


def refereed(
    simulated: SimulatedTable[Frame] | SimulatedTable[Observation], table: Table, film: Film | None
) -> Refereed:
    """The whole film; `film` is what frames are watched with, None where observations come ready."""
    state, told = begin(table, 0)
    events, looks = list(told), 0
    for given in simulated.inputs():
        if isinstance(given, Frame):
            if film is None:
                raise ValueError("frames need a film, which knows the calibration")
            film, seen = film.seen(given)
            state, now = step(state, seen, table)
        else:
            state, now = step(state, given, table)
        looks += isinstance(given, Frame | Observation)
        events += now
        simulated.publish(state, now, state.seen.now_ms)
    return Refereed(tuple(events), tuple(simulated.truths), looks)
