"""AWAIT_ROLL: a throw, an offered cube, and a board that has to stay as it is."""

from controller.match import PlayTakenBack
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import cubes, restoring, roll_inference, unread_throw
from controller.refereeing.throw import PendingThrow, assemble_throw, dice_are_back, handle_throw
from controller.refereeing.transition import Transition
from vision.dice.readings import CubePlace


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in AWAIT_ROLL."""
    before = transition.state.before_play
    if before is not None and not restoring.is_play_settled(transition.state) and dice_are_back(transition, seen):
        # the dice were only hidden, so the judged turn is not over
        taken_back = PlayTakenBack(transition.now_ms, before.on_turn or transition.mover, before.position)
        return transition.emit(taken_back).mark_blind()
    transition, throw = assemble_throw(transition, seen, table)
    transition, throw = unread_throw.reread_throw(transition, seen, throw, table)
    if throw is not None:
        return _handle_throw(transition, seen, throw, table)
    if cubes.is_moved_to(CubePlace.OFFERED, transition, seen):
        return cubes.detect_offer(transition, table)
    return restoring.compare_board(transition, seen, table)


def _handle_throw(transition: Transition, seen: Observation, throw: PendingThrow, table: MatchConfig) -> Transition:
    """A throw. If an unread or missed throw may have been played before it, that turn is explained first."""
    state = transition.state
    is_doubted = (
        state.questions.throw_unclear is not None or state.questions.throw_refused is not None
    )  # a die may not have been detected
    may_be_played = is_doubted or not table.is_watched
    lay_before_play = table.is_watched and any(
        die.settled_ms <= transition.seen.findings.agreed_ms for die in throw.dice
    )
    if unread_throw.is_unread(transition, throw) or not may_be_played or lay_before_play or seen.board is None:
        return handle_throw(transition, throw, table)
    agrees = restoring.agrees_beside_dice if table.is_watched else restoring.agrees
    if agrees(transition, seen.board, table):
        return handle_throw(transition, throw, table)
    return roll_inference.handle_overtaken_throw(transition, seen.board, throw, table)
