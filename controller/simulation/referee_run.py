"""A film put before the referee, and what came of it: events and truth side by side."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.match.events import RefereeEvent
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.rules import Ruleset
from controller.rules.grasshopper.game import GrasshopperRules
from controller.session.camera_watch import VideoProcessor
from controller.simulation.compare import Comparison, compare
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.scripts.grasshopper_script import film_grasshopper_game
from controller.simulation.scripts.script import GamePlan, film_dice_game
from controller.simulation.staging.script_context import Happening
from controller.simulation.staging.truth import TrueEvent
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class RefereeRun:
    """What was told and what was true; `looks` counts the frames or readings."""

    events: tuple[RefereeEvent, ...]
    truths: tuple[TrueEvent, ...]
    frame_count: int

    @property
    def comparison(self) -> Comparison:
        return compare(self.truths, self.events)


def film_game(rules: Ruleset | GrasshopperRules, plan: GamePlan) -> Iterator[Happening]:
    """The film of a game of any kind."""
    return film_grasshopper_game(rules, plan) if isinstance(rules, GrasshopperRules) else film_dice_game(rules, plan)


def referee_film(
    simulated: SimulatedTable[Frame] | SimulatedTable[Observation], table: MatchConfig, processor: VideoProcessor | None
) -> RefereeRun:
    """The whole film; `film` is what frames are watched with, None where observations come ready."""
    state, told = begin_match(table, 0)
    events, looks = list(told), 0
    for given in simulated.inputs():
        if isinstance(given, Frame):
            if processor is None:
                raise ValueError("frames need a film, which knows the calibration")
            processor, seen = processor.process(given)
            state, now = step(state, seen, table)
        else:
            state, now = step(state, given, table)
        looks += isinstance(given, Frame | Observation)
        events += now
        simulated.publish(state, now, state.seen.now_ms)
    return RefereeRun(tuple(events), tuple(simulated.truths), looks)
