"""The demo: a seeded game on the simulated table, refereed from its frames alone.

The referee locates the board in the first frame and, in a whole game, infers who sits where. What truly happened at the
table is known to the simulation and compared with the rulings at the end.
"""

from dataclasses import dataclass, replace
from random import Random

from controller.match import Seating
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.rules import Ruleset, position_text, start_position
from controller.rules.grasshopper.game import STANDARD
from controller.simulation.filmed import SIZE_PX, SimulatedTable, draw_film, locate_board
from controller.simulation.referee_run import film_game
from controller.simulation.scripts import (
    MAX_TURNS,
    DemoPlayer,
    GamePlan,
    GameProgress,
    SeededDice,
    TurnPlayed,
    play_game,
)
from controller.simulation.staging import EVERYDAY_MISHAPS, NO_MISHAPS
from vision import Calibration, Frame, Refusal

__all__ = ["LAST_TURNS", "MAX_TURNS", "SIZE_PX", "DemoGame", "make_demo_game"]

LAST_TURNS = 14
"""Turns that are refereed from frames: under three minutes on two cores. A whole game of backgammon has some 50."""


@dataclass(frozen=True, slots=True)
class DemoGame:
    """One game of the demo. `start` None: it begins at its start position."""

    name: str
    rules: Ruleset | None  # None for Grasshopper
    seed: int
    has_mishaps: bool
    start: GameProgress | None

    @property
    def table(self) -> MatchConfig:
        rules = STANDARD if self.rules is None else self.rules
        if self.start is None:
            return MatchConfig(game=self.name, rules=rules)
        return MatchConfig(
            game=self.name,
            rules=rules,
            seating=Seating(white_head=self.rules.white_head if self.rules else 12),
            start=GameStart(position_text(self.start.position), self.start.player, min(self.start.rolls.values())),
        )

    @property
    def plan(self) -> GamePlan:
        """The game of this seed, for any board."""
        return GamePlan(
            seed=self.seed,
            seating=self.table.seating or Seating(),
            mishaps=EVERYDAY_MISHAPS if self.has_mishaps else NO_MISHAPS,
            start=self.start,
            max_turns=MAX_TURNS,
        )

    def film(self) -> SimulatedTable[Frame]:
        """The table of this seed, and the game on it as frames."""
        plan, rules = self.plan, self.table.rules
        return draw_film(lambda board: film_game(rules, replace(plan, board=board)), rules, self.seed, plan.hearing)

    def calibrate(self, first: Frame) -> Calibration | Refusal:
        """Locates the board in the first frame, with its start position known."""
        if self.rules is None:
            return locate_board(first, None, Seating(), None)
        position = self.start.position if self.start else start_position(self.rules)
        seating = self.table.seating or Seating(white_head=self.rules.white_head)
        return locate_board(first, position, seating, self.rules)


def make_demo_game(name: str, rules: Ruleset | None, seed: int, *, has_mishaps: bool) -> DemoGame:
    """The last LAST_TURNS turns of the seeded game; short games are shown whole."""
    return DemoGame(name, rules, seed, has_mishaps, None if rules is None else _find_late_start(rules, seed))


def _find_late_start(rules: Ruleset, seed: int) -> GameProgress | None:
    """The state of the seeded game LAST_TURNS before its end; None if the game is hardly longer.

    A turn with numbers handed over cannot be a start, so the part may be one or two turns longer.
    """
    chance = Random(seed)
    history: list[GameProgress] = []
    progress: GameProgress | None = None
    for event in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance)):
        if isinstance(event, TurnPlayed):
            progress = GameProgress(event.before, event.player) if progress is None else progress
            history.append(progress)
            progress = progress.with_turn(event)
    earlier = [one for one in history[1 : 1 - LAST_TURNS] if not one.handed_over]
    return earlier[-1] if earlier else None
