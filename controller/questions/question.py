"""A question of the referee with its answers, as values: every output words and numbers the same ones."""

from dataclasses import dataclass
from enum import Enum

from controller.match import Answer, BoardDiffers, PlayRefused, SetUpFault
from controller.refereeing.waiting import Asked
from controller.rules import Player


class About(Enum):
    """What is asked."""

    PLAY = "play"  # which play was made
    ROLL = "roll"  # what was thrown
    OPENING = "opening"  # what each player threw
    SEATING = "seating"  # who sits where
    BOARD = "board"  # what stands on the board
    REFUSED = "refused"  # whether the play that was refused was read correctly, or stands


class Meaning(Enum):
    """What an answer says."""

    PLAY = "play"
    ROLL = "roll"
    OPENING_ROLL = "opening-roll"
    SEATING = "seating"
    START = "start"  # the checkers stand as the game begins
    AS_LOGGED = "as-logged"  # the board stands as the log has it
    AS_SEEN = "as-seen"  # the camera is right
    GOES_ON = "goes-on"  # a game is under way, and somebody is on turn
    STANDS = "stands"  # the illegal play stands


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """What stands on a place of the picture (T1..B12, bar)."""

    place: str
    light: int
    dark: int


@dataclass(frozen=True, slots=True)
class OfferedAnswer:
    """One answer. `play`: notation; `after`: the board it speaks of, as position text; `counts`: what stands on the places
    by which that board can be told from the others; `player`: whose count of the points its words use.
    """

    meaning: Meaning
    command: Answer
    play: str = ""
    after: str = ""
    counts: tuple[PlaceCount, ...] = ()
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """`asked`: the event that asks. `answers`: the likeliest first; none where only people know what may be answered."""

    about: About
    asked: Asked
    answers: tuple[OfferedAnswer, ...]

    @property
    def is_open(self) -> bool:
        """Whether the referee needs a word. Otherwise he knows what he thinks of the board, and people may contradict."""
        is_other_seating = isinstance(self.asked, BoardDiffers) and self.asked.fault is SetUpFault.OTHER_SEATING
        return is_other_seating or not isinstance(self.asked, BoardDiffers | PlayRefused)
