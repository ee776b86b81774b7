"""What happens around a game: the board and who sits at it, links, pauses, clocks. See `events.py`."""

from dataclasses import dataclass

from controller.match.game_events import Evidence, Mode
from controller.match.seating import Seating
from controller.rules import Player


@dataclass(frozen=True, slots=True)
class SeatingKnown:
    """Who sits where and plays which checkers is known, or known better."""

    at_ms: int
    seating: Seating
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """Somebody asked for what the rules or the moment do not allow; `reason` is a sentence."""

    at_ms: int
    command: str
    reason: str


@dataclass(frozen=True, slots=True)
class BoardDiffers:
    """The board is not what the log says (set-up, restore, resume): places with too many and with too few checkers."""

    at_ms: int
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetUpUnclear:
    """It cannot be told whether the game may begin: `places` are doubtful, or it is open who sits where."""

    at_ms: int
    places: tuple[str, ...]
    is_seating_open: bool = False


@dataclass(frozen=True, slots=True)
class BoardAgrees:
    """The board is what the log says again."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardCorrected:
    """The board is taken as it is told by a person, or as it is seen after a turn that nobody could tell.

    `on_turn`: who throws then; None leaves it as it was.
    """

    at_ms: int
    position: str
    on_turn: Player | None = None


@dataclass(frozen=True, slots=True)
class BoardMoved:
    """The board lies elsewhere than when it was calibrated."""

    at_ms: int
    moved_mm: float


@dataclass(frozen=True, slots=True)
class CameraLost:
    """Nothing is seen any more; `sentence` says why and what helps."""

    at_ms: int
    sentence: str


@dataclass(frozen=True, slots=True)
class CameraBack:
    """Frames come again, and with them the board is compared with the log."""

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
    """Saving works again; what happened in between was not refereed."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class MatchPaused:
    """Nothing is refereed until the match is resumed."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class MatchResumed:
    """After a pause, or after the program was started anew."""

    at_ms: int
    after_restart: bool = False


@dataclass(frozen=True, slots=True)
class DisputeOpened:
    """The game stops while people talk something over."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class DisputeSettled:
    """The talk is over."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """What may light up or speak from now on. `monitor_appointed`: the director wants the device to speak up."""

    at_ms: int
    mode: Mode
    monitor_appointed: bool


@dataclass(frozen=True, slots=True)
class ClockReserve:
    """What is left of both reserves; written so often that a restart loses at most a second."""

    at_ms: int
    white_ms: int
    black_ms: int


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """Nothing is left of the player's reserve: the match is lost."""

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
