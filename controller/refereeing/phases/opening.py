"""OPENING: one die of each player, and who starts with which dice."""

from controller.match import CubeAct, CubeRaise, CubeTurned, Evidence, OpeningThrown
from controller.observing import Observation, judge_detected_throw
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import restoring
from controller.refereeing.throw import (
    PendingThrow,
    assemble_throw,
    convert_throw,
    die_numbers,
    emit_roll,
    emit_uncounted_throw,
    to_earlier_dice,
    valid_values,
)
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import require_seating
from controller.rules import Opening, Player, ThrowContext, ThrowRuling, Tie, apply_cube_event, cube_rules


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in OPENING; the two dice may settle one after the other."""
    transition, throw = assemble_throw(transition, seen, table)
    if throw is None:
        return restoring.compare_board(transition, seen, table)
    ruling = _judge_throw(transition, throw, table)
    transition = transition.with_dice(transition.seen.dice.identify(die_numbers(throw)))
    if not ruling.valid:
        return emit_uncounted_throw(transition, None, throw, ruling)
    white, black = valid_values(ruling)
    return emit_opening_throw(transition, white, black, table)


def emit_opening_throw(
    transition: Transition, white: int, black: int, table: MatchConfig, *, evidence: Evidence = Evidence.SEEN
) -> Transition:
    """Both dice are known, and whose they are: emits the opening throw, and the first roll where the game says so."""
    starter = None if white == black else Player.WHITE if white > black else Player.BLACK
    transition = transition.emit(OpeningThrown(transition.now_ms, white, black, starter, evidence))
    if starter is None:
        return _apply_automatic_double(transition, table)
    if table.dice_rules.opening is Opening.OPENING_DICE:
        return emit_roll(transition, (white, black), table, evidence=evidence)
    return transition


def _judge_throw(transition: Transition, throw: PendingThrow, table: MatchConfig) -> ThrowRuling:
    right = require_seating(transition.state).right_half(Player.WHITE)
    context = ThrowContext(is_opening=True, right_half=right)
    dice = convert_throw(throw, context) + to_earlier_dice(throw)
    return judge_detected_throw(dice, context, table.profile.throw_rules(table.dice_rules))


def _apply_automatic_double(transition: Transition, table: MatchConfig) -> Transition:
    """Doubles the cube after equal dice, where automatic doubles were agreed."""
    before = transition.state.cube
    ruled = apply_cube_event(before, Tie(), cube_rules(table.dice_rules, transition.state.match, table.match))
    if ruled.state.automatic_doubles == before.automatic_doubles:
        return transition
    raised = CubeRaise(before.value, ruled.state.value)
    return transition.emit(
        CubeTurned(transition.now_ms, CubeAct.DOUBLED_BY_EQUAL_DICE, None, ruled.state.value, raised)
    )
