"""Which rulings may be said aloud in a mode: what may not light up is not said either."""

from controller.lights.state_lights import Topic, select_topics
from controller.match.events import (
    BoardDiffers,
    PassForced,
    PlayCondoned,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    SetUpUnclear,
    ThrowRefused,
    ThrowUnclear,
)
from controller.refereeing.match_config import MatchConfig

_TOPICS: dict[type, Topic] = {
    ThrowRefused: Topic.THROW,
    ThrowUnclear: Topic.THROW,
    PassForced: Topic.HELP,
    PlayRefused: Topic.PLAY,
    PlayCondoned: Topic.PLAY,
    PlayUnclear: Topic.DOUBT,
    BoardDiffers: Topic.RESTORE,
    SetUpUnclear: Topic.SET_UP,
}


def is_topic_enabled(event: RefereeEvent, table: MatchConfig) -> bool:
    """Scores, throws, plays that count and broken links always are."""
    topic = _TOPICS.get(type(event))
    return topic is None or topic in select_topics(table)
