"""Side tracks: a phase that interrupts another, and the way back."""

from dataclasses import replace

from controller.refereeing.state import SIDE_TRACKS, Phase, RefereeState


def switched_to(state: RefereeState, track: Phase) -> RefereeState:
    """The track interrupts whatever was; one that lies underneath already comes up again."""
    if state.phase is track:
        return state
    underneath = tuple(phase for phase in state.underneath if phase is not track)
    return replace(state, phase=track, underneath=(*underneath, state.phase))


def left(state: RefereeState, track: Phase) -> RefereeState:
    """Without the track, wherever it lies; a state that is not on it stays as it is."""
    if state.phase is track:
        *others, phase = state.underneath
        return replace(state, phase=phase, underneath=tuple(others))
    return replace(state, underneath=tuple(phase for phase in state.underneath if phase is not track))


def goes_to(state: RefereeState, phase: Phase) -> RefereeState:
    """The game goes on with this phase; a track that interrupts it still does."""
    if state.phase not in SIDE_TRACKS:
        return replace(state, phase=phase)
    _, *others = state.underneath
    return replace(state, underneath=(phase, *others))
