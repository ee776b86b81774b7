"""The demo: a seeded game on the simulated table, refereed from its frames as a real one is.

The referee gets frames and nothing else: he finds the board in the first of them, and in a whole game who sits where.
What truly happened at the table is known too, and is compared with his rulings at the end.
"""

from dataclasses import dataclass
from random import Random

from controller.adjudication.board_view import view_of
from controller.match.seating import Seating
from controller.pictures.find_board import find_board
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.rules import Contact, Ruleset, position_text, start_position
from controller.rules.grasshopper.game import STANDARD
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.playthrough import MAX_TURNS, GameProgress, TurnPlayed, play_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS, NO_MISHAPS
from vision.field.position_calibration import OccupancyByPlace
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal
from vision.places import POINTS, Colour
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

SIZE_PX = (640, 480)
LAST_TURNS = 14
"""As many are refereed from frames well within three minutes on two cores; a whole game of backgammon has some 50."""


@dataclass(frozen=True, slots=True)
class DemoGame:
    """What is agreed about one game. `standing` None: it begins at its start."""

    name: str
    rules: Ruleset | None  # Grasshopper has none
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

    def film(self) -> SimulatedTable[Frame]:
        """The table of this seed, and the game on it as frames."""
        style = table_style(self.seed, SIZE_PX)
        board = plan_of(style)
        pins = self.rules is not None and self.rules.contact is Contact.PIN
        plan = GamePlan(
            seed=self.seed,
            seating=self.table.seating or Seating(),
            board=board,
            mishaps=EVERYDAY_MISHAPS if self.has_mishaps else NO_MISHAPS,
            start=self.start,
            max_turns=MAX_TURNS,
        )
        return SimulatedTable(film_game(self.table.rules, plan), board, FrameMaker(Painter(style), pins))

    def calibrate(self, first: Frame) -> Calibration | Refusal:
        """The board found as a user's is: what stands on it is known."""
        return find_board(first.pixels, start=self._occupancy())

    def _occupancy(self) -> OccupancyByPlace | None:
        if self.rules is None:
            return None
        position = self.start.position if self.start else start_position(self.rules)
        view = view_of(position, self.table.seating or Seating(white_head=self.rules.white_head), self.rules)
        pairs = zip(POINTS, view.points, strict=True)
        return {place: _stack(light, dark) for place, (light, dark) in pairs if light or dark}


def _stack(light: int, dark: int) -> tuple[Colour, int]:
    if light and dark:
        return Colour.BOTH, light + dark
    return (Colour.LIGHT, light) if light else (Colour.DARK, dark)


def make_demo_game(name: str, rules: Ruleset | None, seed: int, *, has_mishaps: bool) -> DemoGame:
    """The end of the seeded game, as far back as can be shown in the time; short games are shown whole."""
    return DemoGame(name, rules, seed, has_mishaps, None if rules is None else _find_late_start(rules, seed))


def _find_late_start(rules: Ruleset, seed: int) -> GameProgress | None:
    """Where the game of that seed stands LAST_TURNS before its end; None when it is hardly longer than that.

    A turn in which numbers wait that were handed over is no beginning, so it may be one or two more.
    """
    chance = Random(seed)
    standings: list[GameProgress] = []
    standing: GameProgress | None = None
    for event in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance)):
        if isinstance(event, TurnPlayed):
            standing = GameProgress(event.before, event.player) if standing is None else standing
            standings.append(standing)
            standing = standing.with_turn(event)
    earlier = [one for one in standings[1 : 1 - LAST_TURNS] if not one.handed_over]
    return earlier[-1] if earlier else None
