"""What rolls do to the state: the numbers that are due, and how many rolls there were."""

from dataclasses import replace

from controller.match.events import DiceRolled, RollAccepted, RollWithdrawn
from controller.refereeing.state import Due, Phase, RefereeState, Tally
from controller.rules import CubePhase, Player, RollCounters, ThrowKind

_REJUDGED_PHASES = (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)


def apply_roll(state: RefereeState, event: DiceRolled) -> RefereeState:
    """The roll that is played now, a better word for it, or one made before the other player had finished."""
    if event.player is not state.on_turn:
        early = Due(ThrowKind.ROLL, event.values, opponent_may_refuse=event.opponent_may_refuse)
        return replace(state, early=early, throw_refused=None, throw_unclear=None)
    after = Phase.TURN_END if _effective_phase(state) in _REJUDGED_PHASES else Phase.PLAYING
    state = replace(state, phase=after, underneath=(), throw_refused=None, throw_unclear=None, differs=None)
    state = replace(state, refused=None, unclear=None, is_pass_forced=False, resignation=None)
    if state.due is not None and state.due.kind is ThrowKind.ROLL:
        return replace(state, due=replace(state.due, numbers=event.values))
    return with_roll(state, event.player, Due(ThrowKind.ROLL, event.values))


def _effective_phase(state: RefereeState) -> Phase:
    return state.phase if state.phase is not Phase.RESTORE else state.real_phase


def with_roll(state: RefereeState, player: Player, roll: Due) -> RefereeState:
    """The roll is due, and counted."""
    counters = RollCounters(state.rolls.white + state.rolls.black, state.rolls.of(player))
    return replace(
        state,
        phase=state.phase if state.phase is Phase.TURN_END else Phase.PLAYING,
        due=replace(roll, before=counters),
        opening=None,
        ended_by=None,
        rolls=state.rolls.plus_one(player),
        cube=replace(state.cube, phase=CubePhase.ROLLED),
    )


def await_throw(state: RefereeState, player: Player) -> RefereeState:
    """The player throws, or has thrown already."""
    state = replace(state, phase=Phase.AWAIT_ROLL, on_turn=player, due=None)
    if state.early is None:
        return state
    return with_roll(replace(state, early=None), player, state.early)


def apply_withdrawal(state: RefereeState, event: RollWithdrawn) -> RefereeState:
    if event.player is not state.on_turn:
        return replace(state, early=None)
    rolls = Tally(
        state.rolls.white - (event.player is Player.WHITE), state.rolls.black - (event.player is Player.BLACK)
    )
    return replace(
        state,
        phase=Phase.AWAIT_ROLL,
        due=None,
        rolls=rolls,
        is_pass_forced=False,
        cube=replace(state.cube, phase=CubePhase.TO_ROLL),
    )


def apply_acceptance(state: RefereeState, event: RollAccepted) -> RefereeState:
    if event.player is not state.on_turn and state.early is not None:
        return replace(state, early=replace(state.early, opponent_may_refuse=False))
    if event.player is state.on_turn and state.due is not None:
        return replace(state, due=replace(state.due, opponent_may_refuse=False))
    return state
