"""A recorded match before the referee: each game filmed on the simulated table, refereed, and compared with the record.

Every game is refereed for itself, with the score and the Crawford rule that it was recorded with, so that what went
wrong in one of them spoils no other. The referee gets frames, or for quick tests readings; doubles and resignations are
told him, as people at a table do. He officiates casual play.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from controller.formats.exporting.header_tags import uses_jacoby
from controller.formats.match_model import CubeAction, GameHistory, MatchHistory
from controller.match.events import CubeAct, CubeTurned, Mode
from controller.match.seating import Seating
from controller.refereeing.match_config import GameStart, MatchConfig, MatchPlayers
from controller.rules import Contact, MatchRules, Player, Position, Ruleset, parse_setup
from controller.rules.grasshopper.game import STANDARD, GrasshopperRules
from controller.session.camera_watch import VideoProcessor
from controller.simulation.compare import QUESTIONS, Comparison
from controller.simulation.demo import SIZE_PX, DemoGame
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import RefereeRun, referee_film
from controller.simulation.scripts.playable_part import PlayablePart, select_playable_part
from controller.simulation.scripts.playthrough import GameProgress
from controller.simulation.scripts.recorded_script import film_recorded_game, openings_of
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.truth import TruePlay
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """How the record is put before the referee. `most_turns`: so many of each game at most."""

    has_pictures: bool = True
    seed: int = 1
    max_turns: int = 1_000_000


@dataclass(frozen=True, slots=True)
class ReplayFinding:
    """Something about a turn, 0 for what belongs to none; turns count through the match as `zarbiter log show` does.

    `is_question`: the referee could not tell, asked, and was told; else he ruled otherwise than the record says.
    """

    turn: int
    what: str
    sentence: str
    is_question: bool = False


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game, how much of it was shown, and what came of it. `looks` are frames or readings."""

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
    """The referee did not find the board in the first frame; its text says why."""


def replay_games(match: MatchHistory, options: ReplayOptions) -> Iterator[ReplayedGame]:
    """One after the other, each when it is asked for. Raises BoardNotFoundError."""
    for game in match.games:
        shown = select_playable_part(game, _make_rules(match, game), options.max_turns)
        found = _referee_game(shown.game, match, options)
        comparison = found.comparison
        findings = (*_find_ruling_findings(shown.game, found, comparison), *_find_cube_findings(shown.game, found))
        yield ReplayedGame(shown, comparison, findings, found.frame_count)


def make_table(match: MatchHistory, game: GameHistory) -> MatchConfig:
    """What was agreed, for this one game. Without an opening throw to film its starter is told."""
    rules = _make_rules(match, game)
    plain = MatchConfig(game=match.game, rules=rules, rules_toml=match.rules_toml)
    is_told = game.start != plain.start_text or not openings_of(game, rules)
    return replace(
        plain,
        mode=Mode.REFEREE,
        seating=Seating(white_head=rules.white_head if isinstance(rules, Ruleset) else 12),
        match=MatchRules(target=match.length, crawford=game.is_crawford),
        players=MatchPlayers(match.white, match.black, *game.score),
        start=GameStart(
            game.start if is_told and isinstance(rules, Ruleset) else None, game.starter if is_told else None
        ),
    )


def _make_rules(match: MatchHistory, game: GameHistory) -> Ruleset | GrasshopperRules:
    """With what was agreed besides the rules of the game, as far as the record shows it."""
    if match.rules is None:
        return STANDARD
    beavers = any(isinstance(turn, CubeAction) and turn.act is CubeAct.BEAVERED for turn in game.turns)
    return replace(match.rules, jacoby=uses_jacoby(match), beaver=match.rules.beaver or beavers)


def _referee_game(game: GameHistory, match: MatchHistory, options: ReplayOptions) -> RefereeRun:
    table = make_table(match, game)
    pins = isinstance(table.rules, Ruleset) and table.rules.contact is Contact.PIN
    plan = GamePlan(seed=options.seed, seating=table.seating or Seating())
    if not options.has_pictures:
        observer = Observer(plan.board, options.seed, pins=pins)
        return referee_film(
            SimulatedTable(film_recorded_game(game, table.rules, plan), plan.board, observer), table, None
        )
    style = table_style(options.seed, SIZE_PX)
    plan = replace(plan, board=plan_of(style))
    first, filmed = (
        SimulatedTable(film_recorded_game(game, table.rules, plan), plan.board, FrameMaker(Painter(style), pins))
        for _ in range(2)
    )
    return referee_film(filmed, table, VideoProcessor(_calibrate_first_frame(first, game, match, options.seed)))


def _calibrate_first_frame(
    filmed: SimulatedTable[Frame], game: GameHistory, match: MatchHistory, seed: int
) -> Calibration:
    """The board found in the first frame, as the demo finds it."""
    frame = next(given for given in filmed.inputs() if isinstance(given, Frame))
    standing = None
    if match.rules is not None:
        standing = GameProgress(Position.of(parse_setup(game.start), match.rules), game.starter or Player.WHITE)
    found = DemoGame(match.game, match.rules, seed, has_mishaps=False, start=standing).calibrate(frame)
    if isinstance(found, Refusal):
        raise BoardNotFoundError(f"the board was not found: {found.reason}")
    return found


def _find_ruling_findings(game: GameHistory, run: RefereeRun, comparison: Comparison) -> Iterator[ReplayFinding]:
    """With the turn that each belongs to: the one whose end was signalled at that time, or next."""
    ends_ms = [truth.at_ms for truth in run.truths if isinstance(truth, TruePlay)]
    numbers = [turn.number for turn in game.played_turns]
    for one in comparison.differences:
        at = bisect_left(ends_ms, one.at_ms)
        turn = numbers[at] if at < len(numbers) else 0
        yield ReplayFinding(turn, one.kind.value, one.sentence, is_question=one.kind in QUESTIONS)


def _find_cube_findings(game: GameHistory, run: RefereeRun) -> Iterator[ReplayFinding]:
    """Where the first act differs; what comes after it follows from it."""
    recorded = [(turn.player, turn.act) for turn in game.turns if isinstance(turn, CubeAction)]
    told = [(event.player, event.act) for event in run.events if isinstance(event, CubeTurned)]
    for expected, one in zip_longest(recorded, told):
        if expected != one:
            sentence = f"recorded {_describe_act(expected)}; told {_describe_act(one)}"
            yield ReplayFinding(0, "another act with the cube", sentence)
            return


def _describe_act(act: tuple[Player | None, CubeAct] | None) -> str:
    if act is None:
        return "nothing"
    player, what = act
    return what.value.replace("_", " ") + ("" if player is None else f" by {player.name.capitalize()}")
