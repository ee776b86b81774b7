"""What helps the player on turn: the checkers that may move next, or where the one in his hand may go.

How far he is, the last settled board tells; what he holds, the last frame. Neither is a ruling, and what is wrong with a
board in the middle of a turn is nobody's business: where no legal play comes past it, nothing is shown. The same is
asked for with every picture of the strip, so it is remembered.

A checker on the bar, or one that waits beside the board, needs no lifting: where it may enter is shown at once.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from controller.adjudication.checker_in_hand import (
    CheckerInHand,
    find_checker_in_hand,
    find_current_stage,
    find_lifted_source,
)
from controller.adjudication.grasshopper import view_of_state
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS
from controller.adjudication.turn_evidence import make_turn_evidence
from controller.match.seating import Seating, place_number
from controller.observing.board_evidence import BoardEvidence, BoardView
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts import make_throw, position_of
from controller.rules import (
    BAR,
    OFF,
    POINTS,
    Direction,
    Play,
    Player,
    Position,
    Ruleset,
    Setup,
    Stage,
    Step,
    Throw,
    continuations,
    first_steps,
    legal_plays,
)
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import ActionKind, GrasshopperRules
from vision.places import Place


@dataclass(frozen=True, slots=True)
class PlayHints:
    """Places of the picture. `is_only`: there is one legal play, and these are its places."""

    sources: tuple[Place, ...] = ()
    destinations: tuple[Place, ...] = ()
    is_only: bool = False


def compute_hints(state: RefereeState, table: MatchConfig) -> PlayHints:
    """Nothing while it is not known what is due, who plays or who sits where."""
    if state.seating is None or state.on_turn is None:
        return PlayHints()
    if isinstance(table.rules, GrasshopperRules):
        return _hint_grasshopper(state.position, state.seating, table.rules, state.seen.glimpse)
    if state.due is None:
        return PlayHints()
    throw = make_throw(state.due, table.rules)
    before = position_of(state.position, table.rules)
    turn = _ThrowInPlay(before, state.on_turn, throw, table.rules, state.seating, table.has_bar)
    return _hint_in_turn(turn, state.seen.board, state.seen.glimpse)


@dataclass(frozen=True, slots=True)
class _ThrowInPlay:
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
def _hint_in_turn(turn: _ThrowInPlay, board: BoardEvidence | None, glimpse: BoardEvidence | None) -> PlayHints:
    now = turn.before.setup if board is None else _estimate_board(turn, board)
    whole = _hint_at_start(turn)
    held = None if glimpse is None else _find_checker_in_hand(turn, now, glimpse)
    if held is not None:
        return PlayHints(destinations=held.places, is_only=whole.is_only)
    if now == turn.before.setup:
        return whole
    begun, stage = find_current_stage(turn.before, now, turn.mover, turn.throw, turn.rules)
    onward = continuations(begun, turn.mover, stage, now, turn.rules)
    return _hint_steps(onward.steps, turn, in_hand=onward.in_hand)


@lru_cache(maxsize=4)
def _estimate_board(turn: _ThrowInPlay, board: BoardEvidence) -> Setup:
    """The likeliest board, legal or not, for what was seen when it last rested."""
    scene = make_turn_evidence(
        *(turn.before, turn.mover, turn.throw),
        seen=board,
        seating=turn.seating,
        rules=turn.rules,
        bar_is_used=turn.has_bar,
        limits=DEFAULT_THRESHOLDS,
    )
    found = next(scene.enumerate_boards(DEFAULT_THRESHOLDS.illegal_from), None)
    return turn.before.setup if found is None else scene.to_setup(found.view)


def _find_checker_in_hand(turn: _ThrowInPlay, now: Setup, glimpse: BoardEvidence) -> CheckerInHand | None:
    return find_checker_in_hand(
        *(turn.before, now, glimpse),
        mover=turn.mover,
        throw=turn.throw,
        seating=turn.seating,
        rules=turn.rules,
        bar_is_used=turn.has_bar,
    )


@lru_cache(maxsize=4)
def _hint_at_start(turn: _ThrowInPlay) -> PlayHints:
    """Before anything was played."""
    if len(turn.throw.stages) == 1:
        plays = legal_plays(turn.before, turn.mover, turn.stage, turn.rules)
        if len(plays) == 1 and plays[0].steps:
            sources, targets = _find_moved_points(turn.before, plays[0], turn.mover)
            return PlayHints(_convert_to_places(sources, turn), _convert_to_places(targets, turn), is_only=True)
    return _hint_steps(first_steps(turn.before, turn.mover, turn.stage, turn.rules), turn, in_hand=False)


def _hint_steps(steps: tuple[Step, ...], turn: _ThrowInPlay, *, in_hand: bool) -> PlayHints:
    """`in_hand`: the checker of these steps is off the board already."""
    sources = [] if in_hand else [step.source for step in steps]
    targets = [step.target for step in steps if in_hand or step.source >= BAR]
    return PlayHints(_convert_to_places(sources, turn), _convert_to_places(targets, turn))


def _find_moved_points(before: Position, play: Play, mover: Player) -> tuple[list[int], list[int]]:
    """Where fewer of the mover's checkers stand after the play, and where more."""
    changes = [now - was for was, now in zip(before.counts(mover), play.after.counts(mover), strict=True)]
    return [at for at, by in enumerate(changes) if by < 0], [at for at, by in enumerate(changes) if by > 0]


def _convert_to_places(coordinates: list[int], turn: _ThrowInPlay) -> tuple[Place, ...]:
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
def _hint_grasshopper(text: str, seating: Seating, rules: GrasshopperRules, glimpse: BoardEvidence | None) -> PlayHints:
    state = grasshopper.from_text(text)
    allowed = grasshopper.actions(state, rules)
    held = None if glimpse is None else _find_held_piece(state, {action.source for action in allowed}, glimpse, seating)
    if held is not None:
        targets = [action.target for action in allowed if action.source == held]
        return PlayHints((), _convert_points(targets, seating), len(allowed) == 1)
    sources = [action.source for action in allowed if action.kind is not ActionKind.ENTER]
    enters = [action.target for action in allowed if action.kind is ActionKind.ENTER]
    is_only = len(allowed) == 1
    targets = [allowed[0].target] if is_only else enters
    return PlayHints(_convert_points(sources, seating), _convert_points(targets, seating), is_only)


def _find_held_piece(
    state: grasshopper.State, sources: set[int], glimpse: BoardEvidence, seating: Seating
) -> int | None:
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
    return find_lifted_source(standing, without, glimpse, bar_is_used=False)


def _convert_points(points: list[int], seating: Seating) -> tuple[Place, ...]:
    """Both sides count as White does from his seat; what was borne off lies beside the board."""
    return tuple(
        seating.place_of(point, Player.WHITE, Direction.CONTRARY) if point in POINTS else Place.TRAY
        for point in dict.fromkeys(points)
    )
