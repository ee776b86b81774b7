"""What the referee waits for when it cannot go on: `find_obstacle`, from which every output words its line.

Most obstacles are questions that a phase has asked. What keeps the camera from showing the board concerns all phases and
is reported here (`report_sight`): once it has lasted, and again when it changes.
"""

from dataclasses import dataclass

from controller.match import (
    BoardDiffers,
    BoardMoved,
    CameraLost,
    Hindrance,
    PlayRefused,
    PlayUnclear,
    SetUpUnclear,
    SightClear,
    SightHindered,
    ThrowUnclear,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.transition import Transition
from vision.pixels.picture_quality import PictureFault

Asked = BoardDiffers | SetUpUnclear | ThrowUnclear | PlayUnclear | PlayRefused
"""What a person can answer."""
Obstacle = SightHindered | CameraLost | BoardMoved | Asked
_BOARD_PHASES = (Phase.SET_UP, Phase.RESTORE, Phase.TURN_END, Phase.UNSURE)
"""The phases that wait for a board: without a good picture they cannot end. Neither can a throw that was not read."""
_PLAY_PHASES = (Phase.OPENING, Phase.AWAIT_ROLL, Phase.PLAYING)
"""The phases in which people act and may hide the board for a while."""
_SETTLING = frozenset({Hindrance.COVERED, Hindrance.MOVING})


@dataclass(frozen=True, slots=True)
class _Finding:
    """What hinders the camera, since when, and how long that has to last before it is reported; times in ms."""

    hindrance: Hindrance
    since_ms: int
    patience_ms: int


def find_obstacle(state: RefereeState) -> Obstacle | None:
    """The event that says why the referee cannot go on; None while it waits for the players' next action only.

    It depends on the durable state alone, so that a replayed log gives the same obstacles.
    """
    questions = state.questions
    match state.phase:
        case Phase.BLIND:
            return questions.blind
        case Phase.PAUSED | Phase.DISPUTE | Phase.GAME_OVER:
            return None
        case _:
            return questions.hindered or find_asked(state)


def find_asked(state: RefereeState) -> Asked | None:
    """The event that asks, or states what a person may correct, whether or not the camera sees the board."""
    questions = state.questions
    match state.phase:
        case Phase.SET_UP:
            return questions.differs or questions.set_up_unclear
        case Phase.RESTORE:
            return questions.differs
        case Phase.UNSURE:
            return questions.unclear
        case Phase.ILLEGAL:
            return questions.refused
        case Phase.OPENING | Phase.AWAIT_ROLL:
            return questions.throw_unclear
        case _:
            return None


def report_sight(transition: Transition, table: MatchConfig) -> Transition:
    """Reports what hinders the camera once it has lasted, and its end."""
    is_asked = any(isinstance(event, ThrowUnclear | PlayUnclear) for event in transition.events)
    known, found = transition.state.questions.hindered, _find_hindrance(transition.state, table, is_asked=is_asked)
    if found is None:
        return transition if known is None else transition.emit(SightClear(transition.now_ms))
    if known is not None and (known.hindrance is found.hindrance or {known.hindrance, found.hindrance} == _SETTLING):
        return transition
    lasted_ms = transition.now_ms - found.since_ms
    is_single = found.hindrance in _SETTLING and lasted_ms == 0  # one picture with a hand is nothing unusual
    if is_single or lasted_ms < found.patience_ms:
        return transition
    return transition.emit(SightHindered(transition.now_ms, found.hindrance, found.since_ms))


def _find_hindrance(state: RefereeState, table: MatchConfig, *, is_asked: bool) -> _Finding | None:
    """What hinders the camera now. Where a question is open already, its remedy needs no second one.

    `is_asked`: this frame led to a question, of which a bad picture may be the reason.
    """
    view, patience = state.seen.view, table.patience
    if state.phase not in (*_BOARD_PHASES, *_PLAY_PHASES):
        return None
    is_stuck = is_asked or state.phase in _BOARD_PHASES or state.questions.throw_unclear is not None
    is_useless = view.is_unreadable or view.fault is PictureFault.TOO_DARK
    if view.fault is not None and (is_useless or is_stuck):
        return _Finding(Hindrance(view.fault.value), view.fault_ms, patience.sight_ms)
    if view.unsettled_ms is None:
        return None
    if view.fault is not None:
        return _Finding(Hindrance(view.fault.value), max(view.fault_ms, view.unsettled_ms), patience.unseen_ms)
    is_explained = state.questions.differs is not None or state.questions.set_up_unclear is not None
    if state.phase in (Phase.RESTORE, Phase.UNSURE) or (state.phase is Phase.SET_UP and is_explained):
        return None
    # a camera that shakes may look like a hand, but a hand at rest does not move
    hindrance = Hindrance.MOVING if view.is_moving else Hindrance.COVERED
    patience_ms = patience.unseen_ms if state.phase in _PLAY_PHASES else patience.rest_ms
    return _Finding(hindrance, view.unsettled_ms, patience_ms)
