"""Events around a game: board, seating, peripherals, pauses, clocks. `events.py` says what all events share."""

from dataclasses import dataclass

from controller.match.game_events import Evidence, Mode
from controller.match.seating import Seating
from controller.rules import Player


@dataclass(frozen=True, slots=True)
class SeatingKnown:
    """The seating is known, or corrected."""

    at_ms: int
    seating: Seating
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command that the rules or the phase do not allow; `reason` is a sentence."""

    at_ms: int
    command: str
    reason: str


@dataclass(frozen=True, slots=True)
class BoardDiffers:
    """The board differs from the log or the start position: places with checkers too many and places that lack some."""

    at_ms: int
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetUpUnclear:
    """Nobody can say whether the game may begin: `places` are doubtful, or the seating is open."""

    at_ms: int
    places: tuple[str, ...]
    is_seating_open: bool = False


@dataclass(frozen=True, slots=True)
class BoardAgrees:
    """The board agrees with the log again."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardCorrected:
    """The log takes over a board that a person entered, or that was seen after a turn that could not be inferred.

    `on_turn`: who throws next; None: unchanged.
    """

    at_ms: int
    position: str
    on_turn: Player | None = None


@dataclass(frozen=True, slots=True)
class BoardMoved:
    """The board was moved away from its calibrated place."""

    at_ms: int
    moved_mm: float


@dataclass(frozen=True, slots=True)
class CameraLost:
    """No frames arrive; `sentence` says why and what helps."""

    at_ms: int
    sentence: str


@dataclass(frozen=True, slots=True)
class CameraBack:
    """Frames arrive again; the board is compared with the log."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class LightsLost:
    """The light board does not answer; the game goes on without it."""

    at_ms: int
    sentence: str


@dataclass(frozen=True, slots=True)
class LightsBack:
    """The light board answers again."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class StorageBack:
    """Saving works again; nothing in between was refereed."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class MatchPaused:
    """Nothing is refereed until the match is resumed."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class MatchResumed:
    """The match continues after a pause, or after a restart of the program."""

    at_ms: int
    after_restart: bool = False


@dataclass(frozen=True, slots=True)
class DisputeOpened:
    """The game stops for a dispute."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class DisputeSettled:
    """The dispute is settled."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The mode from now on. `monitor_appointed`: the director wants the device to announce illegal plays."""

    at_ms: int
    mode: Mode
    monitor_appointed: bool


@dataclass(frozen=True, slots=True)
class ClockReserve:
    """Both reserves; written often enough that a restart loses at most one second."""

    at_ms: int
    white_ms: int
    black_ms: int


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """The player's reserve is used up, and the match is lost."""

    at_ms: int
    player: Player


TableEvent = (
    SeatingKnown
    | CommandRefused
    | BoardDiffers
    | SetUpUnclear
    | BoardAgrees
    | BoardCorrected
    | BoardMoved
    | CameraLost
    | CameraBack
    | LightsLost
    | LightsBack
    | StorageBack
    | MatchPaused
    | MatchResumed
    | DisputeOpened
    | DisputeSettled
    | ModeChanged
    | ClockReserve
    | TimeRanOut
)
