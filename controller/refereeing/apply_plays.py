"""The effect of plays on the state: the board of the log, and who plays next."""

from dataclasses import replace

from controller.match import PlayCondoned, PlayMade
from controller.refereeing.apply_rolls import await_throw
from controller.refereeing.state import Due, Phase, RefereeState, without_history
from controller.rules import GRASSHOPPER, CubePhase, FollowKind, Player, ThrowKind

_TRANSFER = f"{FollowKind.TRANSFER.value}:"


def apply_play(state: RefereeState, event: PlayMade) -> RefereeState:
    """Records a legal play; its `follow` decides what comes next."""
    after = _record_play(state, event.after)
    after = replace(after, questions=replace(after.questions, condoned=None))
    if event.follow == FollowKind.GAME_OVER.value:
        return replace(_finish_turn(after, event.player), phase=Phase.GAME_OVER)
    if event.follow == FollowKind.ROLL_AGAIN.value:
        return await_throw(after, event.player)
    if event.follow.startswith(_TRANSFER):
        after = _finish_turn(after, event.player)
        numbers = tuple(map(int, event.follow.removeprefix(_TRANSFER).split(",")))
        due = Due(ThrowKind.TRANSFER, numbers)
        return replace(after, phase=Phase.PLAYING, turn=replace(after.turn, on_turn=event.player.opponent, due=due))
    return _begin_next_turn(after, event.player)


def apply_condoned_play(state: RefereeState, event: PlayCondoned) -> RefereeState:
    """Records an illegal play that stands; no numbers are handed over."""
    after = _record_play(state, event.after)
    after = replace(after, questions=replace(after.questions, condoned=event), underneath=())
    return _begin_next_turn(after, event.player)


def undo_play(state: RefereeState) -> RefereeState:
    """Restores the turn before the play was judged; seating, lights, mode, clock and perception stay as they are now."""
    before = state.before_play
    if before is None:
        return state
    turn, questions = replace(before.turn, ended_by=None), before.questions.answer_play()
    before = replace(before, phase=Phase.PLAYING, underneath=(), turn=turn, questions=questions, seating=state.seating)
    return _with_present(before, state)


def undo_answer(state: RefereeState) -> RefereeState:
    """Restores the state in which the question was open; what concerns the devices stays as it is now."""
    before = state.questions.answered
    if before is None:
        return state
    questions = replace(before.questions, hindered=state.questions.hindered)
    return _with_present(replace(before, questions=questions), state)


def _with_present(before: RefereeState, state: RefereeState) -> RefereeState:
    return replace(
        before,
        lights_up=state.lights_up,
        mode=state.mode,
        directing=state.directing,
        clock=state.clock,
        seen=state.seen,
    )


def _record_play(state: RefereeState, position: str) -> RefereeState:
    return replace(
        state,
        turn=replace(state.turn, position=position, is_pass_forced=False),
        before_play=replace(without_history(state), before_play=None),
        questions=state.questions.answer_play(),
        game=replace(state.game, resignation=None),
    )


def _begin_next_turn(state: RefereeState, player: Player) -> RefereeState:
    """Begins the other player's turn; a player who has played handed-over numbers throws himself."""
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return await_throw(state, player)
    has_no_dice = state.started is not None and state.started.game == GRASSHOPPER
    state = _finish_turn(state, player)
    if has_no_dice:
        return replace(state, phase=Phase.PLAYING, turn=replace(state.turn, on_turn=player.opponent))
    return await_throw(state, player.opponent)


def _finish_turn(state: RefereeState, player: Player) -> RefereeState:
    cube = replace(state.cube, phase=CubePhase.TO_ROLL, on_turn=player.opponent)
    game = replace(state.game, turns=state.game.turns.add(player), cube=cube)
    return replace(state, turn=replace(state.turn, due=None), game=game)
