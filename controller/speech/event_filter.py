"""Which events may be said aloud: rolls and rulings that somebody has to act on, where the mode allows them.

What may not light up in a mode is not said either, so the topics are those of `lights/state_lights.py`.
"""

from controller.lights.state_lights import Topic, select_topics
from controller.match import Mode, RefereeEvent, events
from controller.match.event_values import Hindrance
from controller.refereeing.match_config import MatchConfig

_TOPICS: dict[type, Topic] = {
    events.ThrowRefused: Topic.THROW,
    events.ThrowUnclear: Topic.THROW,
    events.PassForced: Topic.HELP,
    events.PlayRefused: Topic.PLAY,
    events.PlayCondoned: Topic.PLAY,
    events.PlayUnclear: Topic.DOUBT,
    events.BoardDiffers: Topic.RESTORE,
    events.SetUpUnclear: Topic.SET_UP,
}
_FAULT_EVENTS = (events.BoardMoved, events.CameraBack, events.CameraLost, events.LightsLost)
_PASSING = (Hindrance.COVERED, Hindrance.MOVING)  # hands come and go; to say it each time annoys
_BAD_THROW_EVENTS = (events.ThrowRefused, events.ThrowUnclear)
# Legal plays are missing: the lights acknowledge them. In the middle of a turn there is no ruling to say.
_PLAY_EVENTS = (
    *(events.OpeningThrown, events.StarterKnown, events.DiceRolled, events.RollWithdrawn, events.DieTurnedOver),
    *(events.NumbersHandedOver, events.PassForced),
    *(events.PlayRefused, events.PlayUnclear, events.PlayCondoned, events.PlayTakenBack),
    *(events.GameStarted, events.GameWon, events.MatchWon, events.CubeTurned, events.TimeRanOut),
    *(events.ResignationOffered, events.ResignationAnswered, events.ResultConfirmed),
    *(events.DisputeOpened, events.DisputeSettled, events.MatchPaused, events.MatchResumed),
)


def may_speak(table: MatchConfig) -> bool:
    """Whether plays may be announced: a speaking device is a match monitor, which a tournament has to appoint."""
    return table.mode in (Mode.TEACH, Mode.REFEREE) or (table.mode is Mode.TOURNAMENT and table.monitor_appointed)


def is_topic_enabled(event: RefereeEvent, table: MatchConfig) -> bool:
    """Whether the mode allows the topic of the event; events without a topic (scores, rolls, faults) always pass."""
    topic = _TOPICS.get(type(event))
    return topic is None or topic in select_topics(table)


def should_speak(event: RefereeEvent, table: MatchConfig) -> bool:
    """Whether the voice says the event. Faults are always said, bad throws in every mode whose topics allow them."""
    if isinstance(event, events.SightHindered):
        return event.hindrance not in _PASSING
    if isinstance(event, _FAULT_EVENTS):
        return True
    kinds = (*_BAD_THROW_EVENTS, *_PLAY_EVENTS) if may_speak(table) else _BAD_THROW_EVENTS
    return isinstance(event, kinds) and is_topic_enabled(event, table)
