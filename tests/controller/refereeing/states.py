"""States for tests, written flat: a field of `TurnState`, `GameState` or `Questions` by its own name."""

from dataclasses import fields, replace

from controller.refereeing.state import GameState, Phase, Questions, RefereeState, TurnState

_PARTS = {"turn": TurnState, "game": GameState, "questions": Questions}


def changed_state(state: RefereeState, **changes: object) -> RefereeState:
    """The state with these fields changed, each in the part that has it."""
    for part, kind in _PARTS.items():
        own = {field.name: changes.pop(field.name) for field in fields(kind) if field.name in changes}
        state = replace(state, **{part: replace(getattr(state, part), **own)})
    return replace(state, **changes)  # type: ignore[arg-type]


def state_at(phase: Phase, **changes: object) -> RefereeState:
    return changed_state(RefereeState(phase=phase), **changes)
