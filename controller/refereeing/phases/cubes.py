"""The doubling cube: commands, and the places where the camera sees it. `controller.rules` decides what is allowed."""

from dataclasses import replace

from controller.match import (
    Beaver,
    Clause,
    CorrectionWindow,
    CubeAct,
    CubeRaise,
    CubeTurned,
    DropDouble,
    OfferDouble,
    PictureEdge,
    TakeDouble,
    clause_text,
)
from controller.observing import Observation
from controller.refereeing.debounce import clear_pending, debounce, debounce_by_frames
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end, restoring
from controller.refereeing.phases.judging import can_stand, condone_play
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import require_seating
from controller.rules import (
    CubeRefusal,
    CubeRules,
    CubeState,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Player,
    ResultKind,
    Ruleset,
    apply_cube_event,
    cube_rules,
    points_for_drop,
)
from vision.dice.readings import CubePlace

_NO_CUBE = CubeRules(use=False)


def handle_offer_double(transition: Transition, command: OfferDouble, table: MatchConfig) -> Transition:
    """Offers a double in AWAIT_ROLL; in other phases the rules of the cube refuse it with a reason."""
    if transition.state.phase is Phase.ILLEGAL:
        return _handle_offer_on_illegal_play(transition, command, table)
    ruled = apply_cube_event(transition.state.cube, DoubleOffered(command.player), rules_of(transition, table))
    if ruled.refusal is not None:
        return transition.refuse(command, ruled.refusal.sentence)
    if transition.state.phase is not Phase.AWAIT_ROLL:
        return transition.refuse(command, CubeRefusal.ALREADY_ROLLED.sentence)
    return _emit_cube_turn(transition, CubeAct.OFFERED, command.player, ruled.state, table)


def handle_take_double(transition: Transition, command: TakeDouble, table: MatchConfig) -> Transition:
    ruled = apply_cube_event(transition.state.cube, DoubleTaken(command.player), rules_of(transition, table))
    if ruled.refusal is not None:
        return transition.refuse(command, ruled.refusal.sentence)
    return _emit_cube_turn(transition, CubeAct.TAKEN, command.player, ruled.state, table)


def handle_beaver(transition: Transition, command: Beaver, table: MatchConfig) -> Transition:
    ruled = apply_cube_event(transition.state.cube, DoubleBeavered(command.player), rules_of(transition, table))
    if ruled.refusal is not None:
        return transition.refuse(command, ruled.refusal.sentence)
    return _emit_cube_turn(transition, CubeAct.BEAVERED, command.player, ruled.state, table)


def handle_drop_double(transition: Transition, command: DropDouble, table: MatchConfig) -> Transition:
    """Ends the game for the stake before the last raise."""
    ruled = apply_cube_event(transition.state.cube, DoubleDropped(command.player), rules_of(transition, table))
    if ruled.refusal is not None or ruled.state.over is None:
        return transition.refuse(command, (ruled.refusal or CubeRefusal.NO_OFFER).sentence)
    over = ruled.state.over
    transition = transition.emit(CubeTurned(transition.now_ms, CubeAct.DROPPED, command.player, over.points))
    return game_end.score_game(transition, over.winner, ResultKind.SINGLE, points_for_drop(over), table)


def rules_of(transition: Transition, table: MatchConfig) -> CubeRules:
    """The rules of the cube in this game of the match."""
    if not isinstance(table.rules, Ruleset):
        return _NO_CUBE
    return cube_rules(table.rules, transition.state.match, table.match)


def detect_offer(transition: Transition, table: MatchConfig) -> Transition:
    """Before the throw, a cube that stays at the place of an offer is an offer where the rules allow one."""
    transition, is_ripe = _debounce_place(transition, CubePlace.OFFERED, table)
    if not is_ripe:
        return transition
    ruled = apply_cube_event(transition.state.cube, DoubleOffered(transition.mover), rules_of(transition, table))
    if ruled.refusal is not None:
        return _acknowledge_cube(transition)
    return _emit_cube_turn(clear_pending(transition), CubeAct.OFFERED, transition.mover, ruled.state, table)


def is_moved_to(place: CubePlace, transition: Transition, seen: Observation) -> bool:
    """Whether the cube lies there now and came there since the last act with it; false detections last a frame or two."""
    path = transition.seen.view.cube_path
    is_there = seen.cube is not None and seen.cube.place is place and not seen.hand_in_view
    return is_there and len(path) > 1 and path[-1] is place


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in CUBE_OFFERED: the cube may be drawn to the side of the player who takes it."""
    known = transition.state.cube
    offered_by = (
        None if known.beavered else known.offer_by
    )  # the place of the cube does not show the answer to a beaver
    if offered_by is None:
        return restoring.compare_board(transition, seen, table)
    side = _side_of(transition, offered_by.opponent)
    if not is_moved_to(side, transition, seen):
        return restoring.compare_board(transition, seen, table)
    transition, is_ripe = _debounce_place(transition, side, table)
    return handle_take_double(transition, TakeDouble(offered_by.opponent), table) if is_ripe else transition


def _debounce_place(transition: Transition, place: CubePlace, table: MatchConfig) -> tuple[Transition, bool]:
    """Whether the cube lies there for long enough to count; a single picture may be misread."""
    if not table.is_watched:
        return debounce_by_frames(transition, frozenset({place}))
    return debounce(transition, place, table.patience.cube_ms)


def _side_of(transition: Transition, player: Player) -> CubePlace:
    sits_below = (require_seating(transition.state).edge is PictureEdge.BOTTOM) == (player is Player.WHITE)
    return CubePlace.BOTTOM if sits_below else CubePlace.TOP


def _handle_offer_on_illegal_play(transition: Transition, command: OfferDouble, table: MatchConfig) -> Transition:
    """A double by the opponent condones the illegal play where the profile says so."""
    closes = table.profile.correction_window is CorrectionWindow.OPPONENT_ROLL_OR_DOUBLE
    if not closes or command.player is transition.mover or not can_stand(transition, table):
        return transition.refuse(command, "An illegal play waits for its correction; a double has to wait too.")
    allowed = condone_play(transition, table, clause_text(table.profile, Clause.CORRECTION_WINDOW))
    ruled = apply_cube_event(allowed.state.cube, DoubleOffered(command.player), rules_of(allowed, table))
    if ruled.refusal is not None or allowed.state.phase is not Phase.AWAIT_ROLL:
        return transition.refuse(command, (ruled.refusal or CubeRefusal.GAME_OVER).sentence)
    return handle_offer_double(allowed, command, table)


def _emit_cube_turn(
    transition: Transition, act: CubeAct, player: Player, after: CubeState, table: MatchConfig
) -> Transition:
    before, raise_value = transition.state.cube.value, rules_of(transition, table).raise_by.raise_value
    match act:
        case CubeAct.OFFERED:
            raised = CubeRaise(before, raise_value(before))
        case CubeAct.BEAVERED:
            raised = CubeRaise(raise_value(before), raise_value(raise_value(before)))
        case _:
            raised = CubeRaise(before, after.value)
    return _acknowledge_cube(transition.emit(CubeTurned(transition.now_ms, act, player, after.value, raised)))


def _acknowledge_cube(transition: Transition) -> Transition:
    return transition.with_seen(replace(transition.seen, view=transition.seen.view.acknowledge_cube()))
