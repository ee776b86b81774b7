"""What a match file says, before anybody asked whether it can be true: every reader gives this, `checking.py` takes it.

Lines count from 1. Points are the mover's own, 25 is the bar and 0 is off.
"""

from dataclasses import dataclass, field
from enum import Enum

from controller.formats.variations import Variation
from controller.match.events import CubeAct, Occasion
from controller.rules import Player, Setup


class PlayForm(Enum):
    """What is said of the play of a throw."""

    PLAYED = "played"
    NOT_PLAYED = "not_played"  # thrown, and then the game was given up or broken off
    BOARD = "board"  # no steps, only the board after them


@dataclass(frozen=True, slots=True)
class CheckerPath:
    """One checker or several equal ones: the points they come past, from the first to the last."""

    points: tuple[int, ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class ThrowEntry:
    """`roll` None: the dice were not written down. `board`: the checkers after it, where those are said instead of steps.

    `text` is what the file says, for messages.
    """

    line: int
    player: Player
    roll: tuple[int, int] | None
    play_form: PlayForm
    paths: tuple[CheckerPath, ...] = ()
    board: Setup | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class CubeEntry:
    """`value` None: none is written."""

    line: int
    player: Player
    act: CubeAct
    value: int | None = None


@dataclass(frozen=True, slots=True)
class ResignationEntry:
    """Somebody gives up: who stands in this column, or, in some dialects, the other one, whom the win then names.

    `times` the cube is what it is worth, where that is said; else it stands in the win.
    """

    line: int
    player: Player
    multiplier: int | None = None


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """The checkers are put so."""

    line: int
    board: Setup


@dataclass(frozen=True, slots=True)
class WinEntry:
    """`points` None: they are not written. Not `is_certain`: who it was is guessed from a column."""

    line: int
    player: Player
    points: int | None
    is_certain: bool = True


TranscriptEntry = ThrowEntry | CubeEntry | ResignationEntry | BoardEntry | WinEntry


@dataclass(frozen=True, slots=True)
class GameTranscript:
    """`score` is White's and Black's before the game, None where it is not written. `is_crawford` None: not said.

    `is_whole`: every play of it could be read.
    """

    line: int
    score: tuple[int, int] | None
    entries: tuple[TranscriptEntry, ...] = ()
    is_crawford: bool | None = None
    is_whole: bool = True


class ProblemKind(Enum):
    """What a reader found."""

    ILLEGAL_PLAY = "illegal_play"
    ILLEGAL_CUBE = "illegal_cube"
    ORDER = "order"
    RESULT = "result"
    UNREADABLE = "unreadable"  # what was not kept

    @property
    def loses_something(self) -> bool:
        return self is ProblemKind.UNREADABLE


@dataclass(frozen=True, slots=True)
class Problem:
    """`sentence` is for people. `turn` counts as the match log does, through the whole match; 0 or empty: not of one."""

    kind: ProblemKind
    sentence: str
    line: int = 0
    game: int = 0
    turn: int = 0
    player: Player | None = None
    rules: tuple[str, ...] = ()

    def record(self) -> dict[str, object]:
        """What is known of it, for programs."""
        known: dict[str, object] = {"kind": self.kind.value, "sentence": self.sentence}
        for name, value in (("line", self.line), ("game", self.game), ("turn", self.turn)):
            if value:
                known[name] = value
        if self.player is not None:
            known["player"] = self.player.value
        if self.rules:
            known["rules"] = list(self.rules)
        return known


@dataclass(frozen=True, slots=True)
class Transcript:
    """`crawford` None: not said."""

    white: str
    black: str
    length: int
    variation: Variation
    games: tuple[GameTranscript, ...]
    occasion: Occasion = field(default_factory=Occasion)
    crawford: bool | None = None
    problems: tuple[Problem, ...] = ()


class UnreadableFileError(ValueError):
    """A file that gives no match at all; its text is one sentence."""
