"""The kinds of viewers, and what each may see.

The operator, who has the token, sees everything in the log, because the operator or the director decides. A spectator may
be a player with a phone, and therefore sees no more than lights and announcer show in this mode.
"""

from enum import Enum

from controller.lights.state_lights import Topic, select_topics
from controller.match import Mode, PlayCorrected, RefereeEvent, TurnGoesOn
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.speech.event_filter import is_topic_enabled


class Viewer(Enum):
    """A viewer of the page: the sender of the token, or anybody else."""

    OPERATOR = "operator"
    SPECTATOR = "spectator"


_FOLLOWS_A_REFUSAL = (PlayCorrected, TurnGoesOn)
_TOPIC_OF = {
    Phase.ILLEGAL: Topic.PLAY,
    Phase.UNSURE: Topic.DOUBT,
    Phase.SET_UP: Topic.SET_UP,
    Phase.RESTORE: Topic.RESTORE,
}


def may_see_event(event: RefereeEvent, table: MatchConfig, viewer: Viewer) -> bool:
    """Also withholds from spectators the events that would reveal an illegal play which this mode only records."""
    if viewer is Viewer.OPERATOR:
        return True
    if isinstance(event, _FOLLOWS_A_REFUSAL):
        return Topic.PLAY in select_topics(table)
    return is_topic_enabled(event, table)


def mask_phase(state: RefereeState, table: MatchConfig, viewer: Viewer) -> Phase:
    """The phase that a viewer sees: TURN_END instead of an illegal play or a doubt that is withheld."""
    if state.phase in (Phase.ILLEGAL, Phase.UNSURE) and not may_see_phase(state.phase, table, viewer):
        return Phase.TURN_END
    return state.phase


def may_see_phase(phase: Phase, table: MatchConfig, viewer: Viewer) -> bool:
    """Whether the viewer sees the obstacle of this phase."""
    topic = _TOPIC_OF.get(phase)
    return viewer is Viewer.OPERATOR or topic is None or topic in select_topics(table)


def is_disputed(state: RefereeState) -> bool:
    """Whether a dispute stops the match."""
    return state.phase is Phase.DISPUTE


def may_be_helped(table: MatchConfig, viewer: Viewer, state: RefereeState) -> bool:
    """Whether the viewer may read which plays are legal: a spectator may be a player, and in a tournament everybody.

    While a dispute stops a tournament, the operator is the director who decides it.
    """
    is_operator = viewer is Viewer.OPERATOR and (table.mode is not Mode.TOURNAMENT or is_disputed(state))
    return is_operator or Topic.HELP in select_topics(table)


def may_show_pips(table: MatchConfig) -> bool:
    """Pip counts are an aid, which tournament rules forbid."""
    return table.mode is not Mode.TOURNAMENT and not table.is_grasshopper
