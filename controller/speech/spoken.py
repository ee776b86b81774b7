"""Which rulings may be said aloud in a mode: what may not light up is not said either."""

from controller.lights.state_lights import Topic, topics_of
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
from controller.refereeing.table import Table

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


def is_spoken(event: RefereeEvent, table: Table) -> bool:
    """Scores, throws, plays that count and broken links always are."""
    topic = _TOPICS.get(type(event))
    return topic is None or topic in topics_of(table)
