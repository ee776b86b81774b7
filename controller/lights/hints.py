"""What helps the player on turn: the checkers that may move next, or where the one in his hand may go.

How far he is, the last settled board tells; what he holds, the last frame. Neither is a ruling, and what is wrong with a
board in the middle of a turn is nobody's business: where no legal play comes past it, nothing is shown. The same is
asked for with every picture of the strip, so it is remembered.

A checker on the bar, or one that waits beside the board, needs no lifting: where it may enter is shown at once.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from controller.adjudication.checker_in_hand import Lifted, lifted, stage_due, taken_up
from controller.adjudication.grasshopper import view_of_state
from controller.adjudication.question import scene_of
from controller.adjudication.thresholds import EVERYDAY_LIMITS
from controller.match.seating import Seating, place_number
from controller.observing.board_evidence import BoardSeen, BoardView
from controller.refereeing.state import RefereeState
from controller.refereeing.table import Table
from controller.refereeing.verdicts import position_of, throw_of
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import ActionKind, GrasshopperRules
from controller.rules.player import BAR, OFF, POINTS, Direction, Player
from controller.rules.plays.legal_plays import Play, continuations, first_steps, legal_plays
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.setup import Setup
from controller.rules.stages import Stage, Throw
from controller.rules.steps import Step
from vision.places import Place


@dataclass(frozen=True, slots=True)
class PlayHelp:
    """Places of the picture. `is_only`: there is one legal play, and these are its places."""

    sources: tuple[Place, ...] = ()
    destinations: tuple[Place, ...] = ()
    is_only: bool = False


def play_help(state: RefereeState, table: Table) -> PlayHelp:
    """Nothing while it is not known what is due, who plays or who sits where."""
    if state.seating is None or state.on_turn is None:
        return PlayHelp()
    if isinstance(table.rules, GrasshopperRules):
        return _of_grasshopper(state.position, state.seating, table.rules, state.seen.glimpse)
    if state.due is None:
        return PlayHelp()
    throw = throw_of(state.due, table.rules)
    before = position_of(state.position, table.rules)
    turn = _Turn(before, state.on_turn, throw, table.rules, state.seating, table.has_bar)
    return _in_the_turn(turn, state.seen.board, state.seen.glimpse)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A throw that is being played."""

    before: Position
    mover: Player
    throw: Throw
    rules: Ruleset
    seating: Seating
    has_bar: bool

    @property
    def stage(self) -> Stage:
        return Stage(self.throw.stages[0], self.throw.is_first_roll)


@lru_cache(maxsize=4)
def _in_the_turn(turn: _Turn, board: BoardSeen | None, glimpse: BoardSeen | None) -> PlayHelp:
    now = turn.before.setup if board is None else _board_now(turn, board)
    whole = _from_the_start(turn)
    held = None if glimpse is None else _in_hand(turn, now, glimpse)
    if held is not None:
        return PlayHelp(destinations=held.places, is_only=whole.is_only)
    if now == turn.before.setup:
        return whole
    begun, stage = stage_due(turn.before, now, turn.mover, turn.throw, turn.rules)
    onward = continuations(begun, turn.mover, stage, now, turn.rules)
    return _of_steps(onward.steps, turn, in_hand=onward.in_hand)


@lru_cache(maxsize=4)
def _board_now(turn: _Turn, board: BoardSeen) -> Setup:
    """The likeliest board, legal or not, for what was seen when it last rested."""
    scene = scene_of(
        *(turn.before, turn.mover, turn.throw),
        seen=board,
        seating=turn.seating,
        rules=turn.rules,
        bar_is_used=turn.has_bar,
        limits=EVERYDAY_LIMITS,
    )
    found = next(scene.boards(EVERYDAY_LIMITS.illegal_from), None)
    return turn.before.setup if found is None else scene.setup(found.view)


def _in_hand(turn: _Turn, now: Setup, glimpse: BoardSeen) -> Lifted | None:
    return lifted(
        *(turn.before, now, glimpse),
        mover=turn.mover,
        throw=turn.throw,
        seating=turn.seating,
        rules=turn.rules,
        bar_is_used=turn.has_bar,
    )


@lru_cache(maxsize=4)
def _from_the_start(turn: _Turn) -> PlayHelp:
    """Before anything was played."""
    if len(turn.throw.stages) == 1:
        plays = legal_plays(turn.before, turn.mover, turn.stage, turn.rules)
        if len(plays) == 1 and plays[0].steps:
            sources, targets = _moved(turn.before, plays[0], turn.mover)
            return PlayHelp(_places(sources, turn), _places(targets, turn), is_only=True)
    return _of_steps(first_steps(turn.before, turn.mover, turn.stage, turn.rules), turn, in_hand=False)


def _of_steps(steps: tuple[Step, ...], turn: _Turn, *, in_hand: bool) -> PlayHelp:
    """`in_hand`: the checker of these steps is off the board already."""
    sources = [] if in_hand else [step.source for step in steps]
    targets = [step.target for step in steps if in_hand or step.source >= BAR]
    return PlayHelp(_places(sources, turn), _places(targets, turn))


def _moved(before: Position, play: Play, mover: Player) -> tuple[list[int], list[int]]:
    """Where fewer of the mover's checkers stand after the play, and where more."""
    changes = [now - was for was, now in zip(before.counts(mover), play.after.counts(mover), strict=True)]
    return [at for at, by in enumerate(changes) if by < 0], [at for at, by in enumerate(changes) if by > 0]


def _places(coordinates: list[int], turn: _Turn) -> tuple[Place, ...]:
    """Of the mover's own coordinates: points, 25 the bar, 0 the trays; those of the reserve have no place."""
    found = []
    for at in dict.fromkeys(coordinates):
        if at in POINTS:
            found.append(turn.seating.place_of(at, turn.mover, turn.rules.direction))
        elif at == OFF:
            found.append(Place.TRAY)
        elif at == BAR and turn.has_bar:
            found.append(Place.BAR)
    return tuple(found)


@lru_cache(maxsize=8)
def _of_grasshopper(text: str, seating: Seating, rules: GrasshopperRules, glimpse: BoardSeen | None) -> PlayHelp:
    state = grasshopper.from_text(text)
    allowed = grasshopper.actions(state, rules)
    held = None if glimpse is None else _held(state, {action.source for action in allowed}, glimpse, seating)
    if held is not None:
        targets = [action.target for action in allowed if action.source == held]
        return PlayHelp((), _points(targets, seating), len(allowed) == 1)
    sources = [action.source for action in allowed if action.kind is not ActionKind.ENTER]
    enters = [action.target for action in allowed if action.kind is ActionKind.ENTER]
    is_only = len(allowed) == 1
    targets = [allowed[0].target] if is_only else enters
    return PlayHelp(_points(sources, seating), _points(targets, seating), is_only)


def _held(state: grasshopper.State, sources: set[int], glimpse: BoardSeen, seating: Seating) -> int | None:
    """The point from which a piece was lifted; of a wall both go, one after the other."""
    column = seating.checkers_of(state.to_act).column
    standing = view_of_state(state, seating)
    without: dict[int, BoardView] = {}
    for source in sources & set(POINTS):
        number = place_number(seating.place_of(source, Player.WHITE, Direction.CONTRARY))
        points = list(standing.points)
        light, dark = points[number]
        points[number] = (light - 1, dark) if column == 0 else (light, dark - 1)
        without[source] = replace(standing, points=tuple(points))
    return taken_up(standing, without, glimpse, bar_is_used=False)


def _points(points: list[int], seating: Seating) -> tuple[Place, ...]:
    """Both sides count as White does from his seat; what was borne off lies beside the board."""
    return tuple(
        seating.place_of(point, Player.WHITE, Direction.CONTRARY) if point in POINTS else Place.TRAY
        for point in dict.fromkeys(points)
    )
