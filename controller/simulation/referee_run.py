"""Referees a film: events and truth side by side."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.match import RefereeEvent
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.rules import Ruleset
from controller.rules.grasshopper.game import GrasshopperRules
from controller.session import BoardLessons, FrameProcessor, learn_from_step
from controller.simulation.compare import Comparison, compare
from controller.simulation.filmed import SimulatedTable
from controller.simulation.scripts import GamePlan, film_dice_game, film_grasshopper_game
from controller.simulation.staging import Happening, TrueEvent
from vision import Frame


@dataclass(frozen=True, slots=True)
class RefereeRun:
    """The referee's events and the truth; `frame_count` counts frames or readings."""

    events: tuple[RefereeEvent, ...]
    truths: tuple[TrueEvent, ...]
    frame_count: int

    @property
    def comparison(self) -> Comparison:
        return compare(self.truths, self.events)


def film_game(rules: Ruleset | GrasshopperRules, plan: GamePlan) -> Iterator[Happening]:
    return film_grasshopper_game(rules, plan) if isinstance(rules, GrasshopperRules) else film_dice_game(rules, plan)


def referee_film(
    simulated: SimulatedTable[Frame] | SimulatedTable[Observation], table: MatchConfig, processor: FrameProcessor | None
) -> RefereeRun:
    """Referees the whole film. `processor` reads frames; None if the table gives observations."""
    state, begun = begin_match(table, 0)
    events, frame_count, lessons = list(begun), 0, BoardLessons(table)
    for given in simulated.inputs():
        frame_count += isinstance(given, Frame | Observation)
        if isinstance(given, Frame):
            if processor is None:
                raise ValueError("frames need a processor, which holds the calibration")
            processor, given = processor.process(given)
        state, now = step(state, given, table)
        if processor is not None:
            lessons, processor, learned = learn_from_step(lessons, processor, state, now, given)
            now += learned
        events += now
        simulated.publish(state, now, state.seen.now_ms)
    return RefereeRun(tuple(events), tuple(simulated.truths), frame_count)
