"""What events are made of besides plain values: modes, kinds of evidence and acts, causes of waiting, what was agreed."""

from dataclasses import dataclass
from enum import Enum

from controller.match.seating import Seating
from controller.rules import Player


@dataclass(frozen=True, slots=True)
class Event:
    """`at_ms`: the time of the frame or command that the event follows from, on the monotonic clock of the session."""

    at_ms: int


class Mode(Enum):
    """What may light up or speak."""

    TEACH = "teach"
    REFEREE = "referee"
    SILENT = "silent"
    TOURNAMENT = "tournament"


class Evidence(Enum):
    """How a fact is known."""

    SEEN = "seen"
    ENTERED = "told"  # by a person
    INFERRED = "inferred"  # from what came before and after
    FORCED = "forced"  # by the rules, which leave nothing else


class EndedBy(Enum):
    """What ended a turn."""

    DICE_LIFTED = "dice_lifted"
    BUTTON = "button"
    CLOCK = "clock"
    NEXT_THROW = "next_throw"
    STILL = "still"


class CubeAct(Enum):
    """What was done with the cube."""

    OFFERED = "offered"
    TAKEN = "taken"
    DROPPED = "dropped"
    BEAVERED = "beavered"
    DOUBLED_BY_EQUAL_DICE = "doubled_by_equal_dice"


class Hindrance(Enum):
    """What keeps the camera from showing the board."""

    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    BLURRED = "blurred"
    NO_BOARD = "no_board"  # the camera shows something else
    ONE_COLOUR = "one_colour"  # the light has one colour
    BANDED = "banded"  # light flickers, and the rows of the picture see different moments of it
    HAZY = "hazy"  # haze, or light that the board mirrors, hides a part of it
    COVERED = "covered"  # by a hand or anything else
    MOVING = "moving"  # nothing rests: the camera shakes, or hands are busy all the time


class SetUpFault(Enum):
    """Why nothing begins although checkers, or none, can be seen well."""

    OTHER_GAME = "other_game"  # another game begins like this
    OTHER_SEATING = "other_seating"  # the game begins like this, but with players elsewhere
    NO_CHECKERS = "no_checkers"


@dataclass(frozen=True, slots=True)
class CubeRaise:
    """A raise of the stake: from what the cube shows to what it shows once the raise is accepted."""

    was: int
    to: int


@dataclass(frozen=True, slots=True)
class Occasion:
    """Facts about a match besides its play, from an imported file or a description; "" where unknown.

    `date` is written 2026-11-21, `time` 20:15. `crawford` and `jacoby`: whether it was agreed.
    """

    site: str = ""
    event: str = ""
    round: str = ""
    date: str = ""
    time: str = ""
    transcriber: str = ""
    crawford: bool = True
    jacoby: bool = False


@dataclass(frozen=True, slots=True)
class BoardUsed:
    """The agreed board, as in `MatchConfig`, so that a resumed match does not depend on later settings.

    `seating` None: it is inferred, among `seatings` if there are any, and `SeatingKnown` reports it.
    """

    has_bar: bool = True
    seating: Seating | None = None
    start: str | None = None
    on_turn: Player | None = None
    seatings: tuple[Seating, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordingUsed:
    """A recording that was transcribed: its name, its size, and a digest (SHA-256, hex) that another one does not have.

    `begins_ms`: the time of its first picture in the match, where several recordings make one.
    """

    name: str
    n_bytes: int
    digest: str
    begins_ms: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that a program weighed, as text, and the mover's equity after it in stakes (values of the cube)."""

    play: str
    equity: float


@dataclass(frozen=True, slots=True)
class Remark:
    """What people or programs wrote beside a match; it changes nothing. `text` is a comment, with line breaks.

    `source` is the program that computed the rest, in stakes (values of the cube): what a decision gave away (None: nothing,
    or not computed), what the throw was worth to the player, and the `candidates` for a play, the best first.
    """

    text: str = ""
    source: str = ""
    play_error: float | None = None
    cube_error: float | None = None
    answer_error: float | None = None
    luck: float | None = None
    candidates: tuple[Candidate, ...] = ()

    @property
    def is_of_decision(self) -> bool:
        """Whether a program judged a decision."""
        return (self.play_error, self.cube_error, self.answer_error, self.candidates) != (None, None, None, ())

    def join(self, other: "Remark") -> "Remark":
        """Both as one: this comment first, and of what was computed twice the own value."""
        computed = {
            name: getattr(other if getattr(self, name) is None else self, name)
            for name in ("play_error", "cube_error", "answer_error", "luck")
        }
        text = "\n".join(filter(None, (self.text, other.text)))
        return Remark(text, self.source or other.source, **computed, candidates=self.candidates or other.candidates)
