"""What may be said aloud: rolls and rulings that somebody has to act on, and only where the mode lets them be spoken."""

from controller.match.events import (
    BoardMoved,
    CameraBack,
    CameraLost,
    CubeTurned,
    DiceRolled,
    DieTurnedOver,
    DisputeOpened,
    DisputeSettled,
    GameStarted,
    GameWon,
    LightsLost,
    MatchPaused,
    MatchResumed,
    MatchWon,
    Mode,
    NumbersHandedOver,
    OpeningThrown,
    PassForced,
    PlayCondoned,
    PlayRefused,
    PlayTakenBack,
    PlayUnclear,
    RefereeEvent,
    ResignationAnswered,
    ResignationOffered,
    RollWithdrawn,
    StarterKnown,
    ThrowRefused,
    ThrowUnclear,
    TimeRanOut,
)
from controller.refereeing.match_config import MatchConfig
from controller.speech.topic_filter import is_topic_enabled

_FAULT_EVENTS = (BoardMoved, CameraBack, CameraLost, LightsLost)
_BAD_THROW_EVENTS = (ThrowRefused, ThrowUnclear)
_PLAY_EVENTS = (
    *(OpeningThrown, StarterKnown, DiceRolled, RollWithdrawn, DieTurnedOver, NumbersHandedOver, PassForced),
    *(PlayRefused, PlayUnclear, PlayCondoned, PlayTakenBack),
    *(GameStarted, GameWon, MatchWon, CubeTurned, ResignationOffered, ResignationAnswered, TimeRanOut),
    *(DisputeOpened, DisputeSettled, MatchPaused, MatchResumed),
)


def may_speak(table: MatchConfig) -> bool:
    """A device that speaks up is a match monitor: in a tournament only where the director wants one; in silence never."""
    return table.mode in (Mode.TEACH, Mode.REFEREE) or (table.mode is Mode.TOURNAMENT and table.monitor_appointed)


def should_speak(event: RefereeEvent, table: MatchConfig) -> bool:
    """Plays that were legal are not: the lights say so, and nobody wants to hear each. Mid-turn nothing is ruled at all."""
    if isinstance(event, _FAULT_EVENTS):
        return True
    kinds = (*_BAD_THROW_EVENTS, *_PLAY_EVENTS) if may_speak(table) else _BAD_THROW_EVENTS
    return isinstance(event, kinds) and is_topic_enabled(event, table)
