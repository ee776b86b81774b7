"""Referees a recorded match again: films each game on the simulated table and compares the rulings with the record.

Each game is refereed separately, with the score and Crawford state of the record, so that one difference does not spoil
later games. The referee gets frames or, for quick tests, readings; doubles and resignations reach it as commands, as
they do at a real table. The profile is casual play.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.formats import CubeAction, GameHistory, MatchHistory
from controller.match import Seating
from controller.rules import Contact, Position, Ruleset, parse_setup
from controller.session import VideoProcessor
from controller.simulation.compare import Comparison
from controller.simulation.filmed import Observer, SimulatedTable, draw_film, locate_board
from controller.simulation.recorded_config import make_rules, make_table
from controller.simulation.recorded_findings import ReplayFinding, find_differences
from controller.simulation.referee_run import RefereeRun, referee_film
from controller.simulation.scripts import GamePlan, PlayablePart, film_recorded_game, select_playable_part
from vision import Calibration, Frame, Refusal

__all__ = ["BoardNotFoundError", "ReplayFinding", "ReplayOptions", "ReplayedGame", "replay_games"]


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """`has_pictures`: frames, else ideal readings. `max_turns` limits each game."""

    has_pictures: bool = True
    seed: int = 1
    max_turns: int = 1_000_000


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """The shown part of a game and its result. `frame_count` counts frames or readings."""

    part: PlayablePart
    comparison: Comparison
    findings: tuple[ReplayFinding, ...]
    frame_count: int

    @property
    def differences(self) -> int:
        return sum(not one.is_question for one in self.findings)

    @property
    def cube_acts(self) -> int:
        return sum(isinstance(turn, CubeAction) for turn in self.part.game.turns)


class BoardNotFoundError(RuntimeError):
    """The board was not found in the first frame; the text says why."""


def replay_games(match: MatchHistory, options: ReplayOptions) -> Iterator[ReplayedGame]:
    """Referees each game when it is requested. Raises BoardNotFoundError."""
    for game in match.games:
        shown = select_playable_part(game, make_rules(match, game), options.max_turns)
        run = _referee_game(shown.game, match, options)
        yield ReplayedGame(shown, run.comparison, find_differences(shown.game, run), run.frame_count)


def _referee_game(game: GameHistory, match: MatchHistory, options: ReplayOptions) -> RefereeRun:
    table = make_table(match, game)
    plan = GamePlan(seed=options.seed, seating=table.seating or Seating())
    if not options.has_pictures:
        pins = isinstance(table.rules, Ruleset) and table.rules.contact is Contact.PIN
        film = film_recorded_game(game, table.rules, plan)
        return referee_film(
            SimulatedTable(film, plan.board, Observer(plan.board, options.seed, pins=pins)), table, None
        )
    first, filmed = (
        draw_film(
            lambda board: film_recorded_game(game, table.rules, replace(plan, board=board)), table.rules, options.seed
        )
        for _ in range(2)
    )
    calibration = _calibrate_first_frame(first, game, match)
    return referee_film(filmed, table, VideoProcessor(calibration, calibration.reference))


def _calibrate_first_frame(filmed: SimulatedTable[Frame], game: GameHistory, match: MatchHistory) -> Calibration:
    frame = next(given for given in filmed.inputs() if isinstance(given, Frame))
    rules = match.rules
    position = None if rules is None else Position.of(parse_setup(game.start), rules)
    seating = Seating(white_head=12 if rules is None else rules.white_head)
    found = locate_board(frame, position, seating, rules)
    if isinstance(found, Refusal):
        raise BoardNotFoundError(f"the board was not found: {found.reason}")
    return found
