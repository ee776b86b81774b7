"""Side tracks: a phase that interrupts another, and the way back."""

from dataclasses import replace

from controller.refereeing.state import INTERRUPTING_PHASES, Phase, RefereeState


def push_phase(state: RefereeState, track: Phase) -> RefereeState:
    """The track interrupts whatever was; one that lies underneath already comes up again."""
    if state.phase is track:
        return state
    underneath = tuple(phase for phase in state.underneath if phase is not track)
    return replace(state, phase=track, underneath=(*underneath, state.phase))


def pop_phase(state: RefereeState, track: Phase) -> RefereeState:
    """Without the track, wherever it lies; a state that is not on it stays as it is."""
    if state.phase is track:
        *others, phase = state.underneath
        return replace(state, phase=phase, underneath=tuple(others))
    return replace(state, underneath=tuple(phase for phase in state.underneath if phase is not track))


def replace_game_phase(state: RefereeState, phase: Phase) -> RefereeState:
    """The game goes on with this phase; a track that interrupts it still does."""
    if state.phase not in INTERRUPTING_PHASES:
        return replace(state, phase=phase)
    _, *others = state.underneath
    return replace(state, underneath=(phase, *others))
