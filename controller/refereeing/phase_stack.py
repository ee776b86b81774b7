"""Phases that interrupt others, and the way back."""

from dataclasses import replace

from controller.refereeing.state import INTERRUPTING_PHASES, Phase, RefereeState


def push_phase(state: RefereeState, track: Phase) -> RefereeState:
    """The track interrupts the present phase; a track that is underneath already comes up again."""
    if state.phase is track:
        return state
    underneath = tuple(phase for phase in state.underneath if phase is not track)
    return replace(state, phase=track, underneath=(*underneath, state.phase))


def pop_phase(state: RefereeState, track: Phase) -> RefereeState:
    """Removes the track, wherever it lies; a state without the track stays as it is."""
    if state.phase is track:
        *others, phase = state.underneath
        return replace(state, phase=phase, underneath=tuple(others))
    return replace(state, underneath=tuple(phase for phase in state.underneath if phase is not track))


def replace_game_phase(state: RefereeState, phase: Phase) -> RefereeState:
    """Replaces the phase of the game; a phase that interrupts it stays on top."""
    if state.phase not in INTERRUPTING_PHASES:
        return replace(state, phase=phase)
    _, *others = state.underneath
    return replace(state, underneath=(phase, *others))
