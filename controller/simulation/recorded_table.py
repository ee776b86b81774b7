"""A recorded match before the referee: each game filmed on the simulated table, refereed, and compared with the record.

Every game is refereed for itself, with the score and the Crawford rule that it was recorded with, so that what went
wrong in one of them spoils no other. The referee gets frames, or for quick tests readings; doubles and resignations are
told him, as people at a table do. He officiates casual play.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from controller.formats.exporting.header_tags import holds_jacoby
from controller.formats.match_model import CubeAction, Game, Match
from controller.match.events import CubeAct, CubeTurned, Mode
from controller.match.seating import Seating
from controller.refereeing.table import Table
from controller.rules.grasshopper.game import STANDARD, GrasshopperRules
from controller.rules.notation import parse_setup
from controller.rules.player import Player
from controller.rules.position import Position
from controller.rules.ruleset import Contact, Ruleset
from controller.rules.scoring.match import MatchRules
from controller.session.camera_watch import Film
from controller.simulation.compare import QUESTIONS, Comparison
from controller.simulation.demo import SIZE_PX, DemoGame
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.refereed import Refereed, refereed
from controller.simulation.scripts.playthrough import Standing
from controller.simulation.scripts.recorded_part import ShownPart, shown_part
from controller.simulation.scripts.recorded_script import openings_of, recorded_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.truth import TruePlay
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style


@dataclass(frozen=True, slots=True)
class Manner:
    """How the record is put before the referee. `most_turns`: so many of each game at most."""

    has_pictures: bool = True
    seed: int = 1
    most_turns: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a turn, 0 for what belongs to none; turns count through the match as `zarbiter log show` does.

    `is_question`: the referee could not tell, asked, and was told; else he ruled otherwise than the record says.
    """

    turn: int
    what: str
    sentence: str
    is_question: bool = False


@dataclass(frozen=True, slots=True)
class GameReplayed:
    """A game, how much of it was shown, and what came of it. `looks` are frames or readings."""

    shown: ShownPart
    comparison: Comparison
    findings: tuple[Finding, ...]
    looks: int

    @property
    def differences(self) -> int:
        return sum(not one.is_question for one in self.findings)

    @property
    def cube_acts(self) -> int:
        return sum(isinstance(turn, CubeAction) for turn in self.shown.game.turns)


class BoardNotFoundError(RuntimeError):
    """The referee did not find the board in the first frame; its text says why."""


def replayed_games(match: Match, manner: Manner) -> Iterator[GameReplayed]:
    """One after the other, each when it is asked for. Raises BoardNotFoundError."""
    for game in match.games:
        shown = shown_part(game, _rules_of(match, game), manner.most_turns)
        found = _refereed(shown.game, match, manner)
        comparison = found.comparison
        findings = (*_about_rulings(shown.game, found, comparison), *_about_the_cube(shown.game, found))
        yield GameReplayed(shown, comparison, findings, found.looks)


def table_of(match: Match, game: Game) -> Table:
    """What was agreed, for this one game. Without an opening throw to film its starter is told."""
    rules = _rules_of(match, game)
    plain = Table(game=match.game, rules=rules, rules_toml=match.rules_toml)
    is_told = game.start != plain.start_text or not openings_of(game, rules)
    return replace(
        plain,
        mode=Mode.REFEREE,
        seating=Seating(white_head=rules.white_head if isinstance(rules, Ruleset) else 12),
        match=MatchRules(target=match.length, crawford=game.is_crawford),
        white=match.white,
        black=match.black,
        white_score=game.score[0],
        black_score=game.score[1],
        start=game.start if is_told and isinstance(rules, Ruleset) else None,
        on_turn=game.starter if is_told else None,
    )


def _rules_of(match: Match, game: Game) -> Ruleset | GrasshopperRules:
    """With what was agreed besides the rules of the game, as far as the record shows it."""
    if match.rules is None:
        return STANDARD
    beavers = any(isinstance(turn, CubeAction) and turn.act is CubeAct.BEAVERED for turn in game.turns)
    return replace(match.rules, jacoby=holds_jacoby(match), beaver=match.rules.beaver or beavers)


def _refereed(game: Game, match: Match, manner: Manner) -> Refereed:
    table = table_of(match, game)
    pins = isinstance(table.rules, Ruleset) and table.rules.contact is Contact.PIN
    plan = GamePlan(seed=manner.seed, seating=table.seating or Seating())
    if not manner.has_pictures:
        observer = Observer(plan.board, manner.seed, pins=pins)
        return refereed(SimulatedTable(recorded_game(game, table.rules, plan), plan.board, observer), table, None)
    style = table_style(manner.seed, SIZE_PX)
    plan = replace(plan, board=plan_of(style))
    first, filmed = (
        SimulatedTable(recorded_game(game, table.rules, plan), plan.board, FrameMaker(Painter(style), pins))
        for _ in range(2)
    )
    return refereed(filmed, table, Film(_calibrated(first, game, match, manner.seed)))


def _calibrated(filmed: SimulatedTable[Frame], game: Game, match: Match, seed: int) -> Calibration:
    """The board found in the first frame, as the demo finds it."""
    frame = next(given for given in filmed.inputs() if isinstance(given, Frame))
    standing = None
    if match.rules is not None:
        standing = Standing(Position.of(parse_setup(game.start), match.rules), game.starter or Player.WHITE)
    found = DemoGame(match.game, match.rules, seed, has_mishaps=False, standing=standing).calibrated(frame)
    if isinstance(found, Refusal):
        raise BoardNotFoundError(f"the board was not found: {found.reason}")
    return found


def _about_rulings(game: Game, found: Refereed, comparison: Comparison) -> Iterator[Finding]:
    """With the turn that each belongs to: the one whose end was signalled at that time, or next."""
    ends_ms = [truth.at_ms for truth in found.truths if isinstance(truth, TruePlay)]
    numbers = [turn.number for turn in game.played]
    for one in comparison.differences:
        at = bisect_left(ends_ms, one.at_ms)
        turn = numbers[at] if at < len(numbers) else 0
        yield Finding(turn, one.miss.value, one.sentence, is_question=one.miss in QUESTIONS)


def _about_the_cube(game: Game, found: Refereed) -> Iterator[Finding]:
    """Where the first act differs; what comes after it follows from it."""
    recorded = [(turn.player, turn.act) for turn in game.turns if isinstance(turn, CubeAction)]
    told = [(event.player, event.act) for event in found.events if isinstance(event, CubeTurned)]
    for expected, one in zip_longest(recorded, told):
        if expected != one:
            sentence = f"recorded {_act_words(expected)}; told {_act_words(one)}"
            yield Finding(0, "another act with the cube", sentence)
            return


def _act_words(act: tuple[Player | None, CubeAct] | None) -> str:
    if act is None:
        return "nothing"
    player, what = act
    return what.value.replace("_", " ") + ("" if player is None else f" by {player.name.capitalize()}")
