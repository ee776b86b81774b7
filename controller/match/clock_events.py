"""The effect of each event on the clock, which is a fold over the log like the rest of a match.

The time of the player who has to decide runs: the player on turn, or the one who was offered the cube.
"""

from dataclasses import replace

from controller.match import events
from controller.match.clocks import ClockState, Reserves, Stop, begin_turn, end_turn, restore_reserves, resume, stop
from controller.match.profile import ClockOffence
from controller.rules import BadThrow, FollowKind, Player

_ON_BOARD_BUT_BAD = frozenset({BadThrow.COCKED, BadThrow.ON_CHECKER, BadThrow.ON_BAR, BadThrow.ON_RIM})


def apply_to_clock(
    state: ClockState, event: events.RefereeEvent, offence: ClockOffence = ClockOffence.NOTHING
) -> ClockState:
    """The clock after the event; `offence`: the cost of an illegal play in the profile."""
    match event:
        case events.ClockReserve():
            return _apply_reserve(state, event)
        case events.MatchResumed(after_restart=True):
            return restore_reserves(state, state.banked.white_ms, state.banked.black_ms)
        case events.MatchResumed() | events.DisputeSettled() | events.BoardAgrees():
            return resume(state, event.at_ms)
        case events.StorageBack() if state.is_running:
            return replace(state, since_ms=event.at_ms)  # time during which nothing could be saved does not count
        case events.PlayRefused() if offence is ClockOffence.OFFENDER_RUNS:
            return begin_turn(state, event.player, event.at_ms)
        case events.DiceRolled() if not state.is_running:
            return _apply_roll(state, event)
    if _is_stopped_by(event, state.rules.also_stops_for):
        return stop(state, event.at_ms)
    if isinstance(event, events.GameWon | events.MatchWon | events.SetUpBegun):
        return end_turn(stop(state, event.at_ms))
    decides = _find_decider(event)
    return state if decides in (None, state.turn) else begin_turn(state, decides, event.at_ms)


def _apply_reserve(state: ClockState, event: events.ClockReserve) -> ClockState:
    """The logged reserves replace the computed ones; a running clock keeps running."""
    stood = replace(stop(state, event.at_ms), banked=Reserves(event.white_ms, event.black_ms))
    return resume(stood, event.at_ms) if state.is_running else stood


def _apply_roll(state: ClockState, event: events.DiceRolled) -> ClockState:
    """A throw that counts restarts the clock."""
    if state.turn is event.player:
        return resume(state, event.at_ms)
    return begin_turn(state, event.player, event.at_ms)


def _is_stopped_by(event: events.RefereeEvent, also: Stop) -> bool:
    if isinstance(event, events.MatchPaused | events.DisputeOpened):
        return True
    if not isinstance(event, events.ThrowRefused):
        return False
    off_board = Stop.OFF_BOARD in also and BadThrow.OFF_BOARD in event.reasons
    return off_board or (Stop.COCKED in also and not _ON_BOARD_BUT_BAD.isdisjoint(event.reasons))


def _find_decider(event: events.RefereeEvent) -> Player | None:
    """The player whose time runs from this event on; None: no change."""
    match event:
        case (
            events.OpeningThrown()
            | events.StarterKnown()
            | events.GameStarted()
            | events.TurnGoesOn()
            | events.PlayTakenBack()
            | events.AnswerTakenBack()
        ):
            return event.player
        case events.TurnEnded():
            return event.player.opponent
        case events.PlayMade():
            throws_again = event.follow == FollowKind.ROLL_AGAIN.value
            return event.player if throws_again else event.player.opponent
        case events.BoardCorrected():
            return event.on_turn
        case events.CubeTurned(act=events.CubeAct.OFFERED | events.CubeAct.TAKEN | events.CubeAct.BEAVERED):
            return event.player and event.player.opponent
        case _:
            return None
