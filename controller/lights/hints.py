"""Hints for the player on turn: the checkers that may move next, or where the checker in his hand may go.

Two observations decide: the last settled board shows how much of the turn is played, the latest frame (the glimpse)
shows which checker is off the board. Hints are no ruling. An illegal board in the middle of a turn is not reported:
where no legal play passes through it, there are no hints. The strip asks for hints with every picture, so results are
cached.

A checker on the bar, or one that waits beside the board, needs no lifting: its entry points are shown at once.
"""

from dataclasses import dataclass
from functools import lru_cache

from controller import adjudication
from controller.lights.grasshopper_hints import find_action_places
from controller.observing import BoardEvidence
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts import make_throw, position_of
from controller.rules import (
    BAR,
    OFF,
    POINTS,
    Play,
    Player,
    Position,
    Ruleset,
    Setup,
    Step,
    continuations,
    first_steps,
    legal_plays,
)
from vision.places import Place


@dataclass(frozen=True, slots=True)
class PlayHints:
    """Places of the picture. `is_only`: there is one legal play, and these are its places."""

    sources: tuple[Place, ...] = ()
    destinations: tuple[Place, ...] = ()
    is_only: bool = False


def compute_hints(state: RefereeState, table: MatchConfig) -> PlayHints:
    """Empty while the throw, the player on turn or the seating is unknown."""
    if state.seating is None or state.on_turn is None:
        return PlayHints()
    if not isinstance(table.rules, Ruleset):
        return PlayHints(*find_action_places(state.position, state.seating, table.rules, state.seen.view.glimpse))
    if state.due is None:
        return PlayHints()
    throw = make_throw(state.due, table.rules)
    before = position_of(state.position, table.rules)
    turn = adjudication.ThrowInPlay(before, state.on_turn, throw, state.seating, table.rules, table.has_bar)
    return _hint_in_turn(turn, state.seen.view.board, state.seen.view.glimpse)


@lru_cache(maxsize=4)
def _hint_in_turn(
    turn: adjudication.ThrowInPlay, board: BoardEvidence | None, glimpse: BoardEvidence | None
) -> PlayHints:
    now = turn.before.setup if board is None else _estimate_board(turn, board)
    at_start = _hint_at_start(turn)
    held = None if glimpse is None else adjudication.find_checker_in_hand(turn, now, glimpse)
    if held is not None:
        return PlayHints(destinations=held.places, is_only=at_start.is_only)
    if now == turn.before.setup:
        return at_start
    begun, stage = adjudication.find_current_stage(turn, now)
    onward = continuations(begun, turn.mover, stage, now, turn.rules)
    return _hint_steps(onward.steps, turn, in_hand=onward.in_hand)


@lru_cache(maxsize=4)
def _estimate_board(turn: adjudication.ThrowInPlay, board: BoardEvidence) -> Setup:
    """The most likely board, legal or not, given the evidence of the last settled board."""
    evidence = adjudication.make_turn_evidence(turn, board)
    found = next(evidence.enumerate_boards(adjudication.DEFAULT_THRESHOLDS.illegal_from), None)
    return turn.before.setup if found is None else evidence.to_setup(found.view)


@lru_cache(maxsize=4)
def _hint_at_start(turn: adjudication.ThrowInPlay) -> PlayHints:
    """Hints before the first step of the throw."""
    if len(turn.throw.stages) == 1:
        plays = legal_plays(turn.before, turn.mover, turn.first_stage, turn.rules)
        if len(plays) == 1 and plays[0].steps:
            sources, targets = _find_moved_points(turn.before, plays[0], turn.mover)
            return PlayHints(_convert_to_places(sources, turn), _convert_to_places(targets, turn), is_only=True)
    return _hint_steps(first_steps(turn.before, turn.mover, turn.first_stage, turn.rules), turn, in_hand=False)


def _hint_steps(steps: tuple[Step, ...], turn: adjudication.ThrowInPlay, *, in_hand: bool) -> PlayHints:
    """`in_hand`: the checker of these steps is already off the board."""
    sources = [] if in_hand else [step.source for step in steps]
    targets = [step.target for step in steps if in_hand or step.source >= BAR]
    return PlayHints(_convert_to_places(sources, turn), _convert_to_places(targets, turn))


def _find_moved_points(before: Position, play: Play, mover: Player) -> tuple[list[int], list[int]]:
    """The mover's coordinates with fewer checkers after the play, and with more."""
    changes = [now - was for was, now in zip(before.counts(mover), play.after.counts(mover), strict=True)]
    return [at for at, by in enumerate(changes) if by < 0], [at for at, by in enumerate(changes) if by > 0]


def _convert_to_places(coordinates: list[int], turn: adjudication.ThrowInPlay) -> tuple[Place, ...]:
    """From the mover's own coordinates (25 is the bar, 0 the trays); a coordinate of the reserve has no place."""
    found = []
    for at in dict.fromkeys(coordinates):
        if at in POINTS:
            found.append(turn.seating.place_of(at, turn.mover, turn.rules.direction))
        elif at == OFF:
            found.append(Place.TRAY)
        elif at == BAR and turn.bar_is_used:
            found.append(Place.BAR)
    return tuple(found)
