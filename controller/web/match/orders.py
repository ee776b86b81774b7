"""The orders that get a button now. The referee still decides on each order, and gives the reason of a refusal."""

from controller.match import EndedBy, commands
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.closed_out import can_play_no_roll
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.transition_table import COMMANDS, TRANSITION_TABLE
from controller.rules import DoubleBeavered, DoubleOffered, apply_cube_event, cube_rules
from controller.rules.grasshopper.game import GrasshopperRules


def list_available_orders(state: RefereeState, table: MatchConfig) -> tuple[str, ...]:
    """The class names of the commands."""
    return tuple(
        kind.__name__
        for kind in COMMANDS
        if (state.phase, kind) in TRANSITION_TABLE and _is_available(kind, state, table)
    )


def _is_available(kind: type, state: RefereeState, table: MatchConfig) -> bool:
    if kind in (commands.OfferDouble, commands.TakeDouble, commands.DropDouble, commands.Beaver):
        return _is_cube_order_available(kind, state, table)
    if kind is commands.EndTurn and state.phase is Phase.AWAIT_ROLL and not can_play_no_roll(state, table):
        return False
    if kind is commands.EndTurn:
        return table.profile.is_ended_by(EndedBy.BUTTON, table.clock)
    if kind in (commands.CorrectRoll, commands.WithdrawRoll) and table.is_grasshopper:
        return False
    if kind is commands.AnswerQuestion:
        return False  # its buttons stand beside the question
    if kind is commands.ChoosePlay:
        return state.due is not None or table.is_grasshopper
    if kind is commands.TakeBackPlay:
        return state.before_play is not None and state.match_winner is None and not state.is_result_final
    if kind is commands.TakeBackAnswer:
        return state.questions.answered is not None and not state.is_result_final
    if kind is commands.CallDispute and state.phase is Phase.DISPUTE:
        return state.directing.disputed_by is None
    if kind is commands.ConfirmResult:
        return not state.is_result_final
    if kind is commands.Condone:
        return table.profile.opponent_may_condone
    if kind is commands.AcceptRoll:
        return any(due is not None and due.opponent_may_refuse for due in (state.turn.early, state.due))
    if kind is commands.AnswerResignation:
        return state.game.resignation is not None
    return kind is not commands.Resign or state.game.resignation is None


def _is_cube_order_available(kind: type, state: RefereeState, table: MatchConfig) -> bool:
    """Asks the rules of the cube. A double after an illegal play gets no button."""
    if isinstance(table.rules, GrasshopperRules) or not table.rules.cube:
        return False
    rules, offered_by = cube_rules(table.rules, state.match, table.match), state.cube.offer_by
    if kind is commands.OfferDouble:
        is_time = state.phase is Phase.AWAIT_ROLL and state.on_turn is not None
        return is_time and apply_cube_event(state.cube, DoubleOffered(state.on_turn), rules).is_allowed  # type: ignore[arg-type]
    if offered_by is None or state.phase is not Phase.CUBE_OFFERED:
        return False
    if kind is commands.Beaver:
        return apply_cube_event(state.cube, DoubleBeavered(offered_by.opponent), rules).is_allowed
    return True
