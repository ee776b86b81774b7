"""Who looks at the page, and what he may be shown.

The operator has the token, and is told everything that is in the log: he, or the director, decides. Spectators may be
players with a telephone in their hands, so they see no more than lights and announcer may say in this mode.
"""

from enum import Enum

from controller.lights.state_lights import Topic, select_topics
from controller.match.events import Mode, PlayCorrected, RefereeEvent, TurnGoesOn
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.speech.event_filter import is_topic_enabled


class Viewer(Enum):
    """Two kinds of people."""

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
    """What would give away an illegal play that is only recorded is kept back as well."""
    if viewer is Viewer.OPERATOR:
        return True
    if isinstance(event, _FOLLOWS_A_REFUSAL):
        return Topic.PLAY in select_topics(table)
    return is_topic_enabled(event, table)


def mask_phase(state: RefereeState, table: MatchConfig, viewer: Viewer) -> Phase:
    """An illegal play and a doubt that nobody may speak of look like a turn that is being looked at."""
    if state.phase in (Phase.ILLEGAL, Phase.UNSURE) and not may_see_phase(state.phase, table, viewer):
        return Phase.TURN_END
    return state.phase


def may_see_phase(phase: Phase, table: MatchConfig, viewer: Viewer) -> bool:
    """Whether he is shown what stands in the way in this phase."""
    topic = _TOPIC_OF.get(phase)
    return viewer is Viewer.OPERATOR or topic is None or topic in select_topics(table)


def may_show_pips(table: MatchConfig) -> bool:
    """They are an aid, and tournaments forbid aids to everybody in the hall."""
    return table.mode is not Mode.TOURNAMENT and not table.is_grasshopper
