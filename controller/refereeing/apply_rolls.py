"""The effect of rolls on the state: the numbers that are due, and the tallies of rolls."""

from dataclasses import replace

from controller.match import DiceRolled, RollAccepted, RollWithdrawn
from controller.refereeing.state import Due, Phase, RefereeState, counters_before
from controller.rules import CubePhase, Player, ThrowKind

_REJUDGED_PHASES = (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)


def apply_roll(state: RefereeState, event: DiceRolled) -> RefereeState:
    """A roll of the player on turn, a correction of that roll, or an early roll of the other player."""
    if event.player is not state.on_turn:
        early = Due(ThrowKind.ROLL, event.values, opponent_may_refuse=event.opponent_may_refuse)
        return replace(with_early(state, early), questions=state.questions.answer_throw())
    after = Phase.TURN_END if _effective_phase(state) in _REJUDGED_PHASES else Phase.PLAYING
    state = replace(
        state,
        phase=after,
        underneath=(),
        questions=state.questions.answer_throw().answer_play(),
        turn=replace(state.turn, is_pass_forced=False),
        game=replace(state.game, resignation=None),
    )
    if state.due is not None and state.due.kind is ThrowKind.ROLL:
        return with_due(state, replace(state.due, numbers=event.values))
    return with_roll(state, event.player, Due(ThrowKind.ROLL, event.values))


def _effective_phase(state: RefereeState) -> Phase:
    return state.phase if state.phase is not Phase.RESTORE else state.real_phase


def with_roll(state: RefereeState, player: Player, roll: Due) -> RefereeState:
    """Makes the roll due and counts it."""
    game, due = state.game, replace(roll, before=counters_before(state, player))
    cube = replace(game.cube, phase=CubePhase.ROLLED)
    return replace(
        state,
        phase=state.phase if state.phase is Phase.TURN_END else Phase.PLAYING,
        turn=replace(state.turn, due=due, ended_by=None),
        game=replace(game, opening=None, rolls=game.rolls.add(player), cube=cube),
    )


def await_throw(state: RefereeState, player: Player) -> RefereeState:
    """Makes it the player's turn to throw, or to play the roll that he threw early."""
    early = state.turn.early
    state = replace(state, phase=Phase.AWAIT_ROLL, turn=replace(state.turn, on_turn=player, due=None, early=None))
    return state if early is None else with_roll(state, player, early)


def apply_withdrawal(state: RefereeState, event: RollWithdrawn) -> RefereeState:
    if event.player is not state.on_turn:
        return with_early(state, None)
    game = state.game
    cube = replace(game.cube, phase=CubePhase.TO_ROLL)
    return replace(
        state,
        phase=Phase.AWAIT_ROLL,
        turn=replace(state.turn, due=None, is_pass_forced=False),
        game=replace(game, rolls=game.rolls.add(event.player, -1), cube=cube),
    )


def apply_acceptance(state: RefereeState, event: RollAccepted) -> RefereeState:
    early, due = state.turn.early, state.due
    if event.player is not state.on_turn and early is not None:
        return with_early(state, replace(early, opponent_may_refuse=False))
    if event.player is state.on_turn and due is not None:
        return with_due(state, replace(due, opponent_may_refuse=False))
    return state


def with_due(state: RefereeState, due: Due) -> RefereeState:
    return replace(state, turn=replace(state.turn, due=due))


def with_early(state: RefereeState, early: Due | None) -> RefereeState:
    return replace(state, turn=replace(state.turn, early=early))
