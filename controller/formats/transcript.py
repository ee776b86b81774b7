"""The content of a match file as written, before any check: every reader returns it, and `checking/` verifies it.

Lines count from 1, records of binary files likewise. Points are on the mover's own path; 25 is the bar and 0 is off.
"""

from dataclasses import dataclass, field
from enum import Enum

from controller.formats.variations import Variation
from controller.match import CubeAct, Occasion, Remark
from controller.rules import Player, Setup


class PlayForm(Enum):
    """How a file describes the play of a throw."""

    PLAYED = "played"
    NOT_PLAYED = "not_played"  # thrown, and then the game was resigned or broken off
    BOARD = "board"  # the board after the play instead of its steps
    DUMP = "dump"  # such a board that does not say whose checkers are whose


@dataclass(frozen=True, slots=True)
class CheckerPath:
    """`count` checkers that move alike, and the points of their path from the first to the last."""

    points: tuple[int, ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class ThrowEntry:
    """`roll` None: the dice are not written. `board`: the board after the play, if it is written instead of steps.

    `text` is the text of the file, for messages.
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
    """A cube action. `value` None: not written."""

    line: int
    player: Player
    act: CubeAct
    value: int | None = None


@dataclass(frozen=True, slots=True)
class ResignationEntry:
    """A resignation by the player of this column or, in some dialects, by the opponent, which the win line reveals.

    It is worth `multiplier` times the cube if that is written; otherwise the win line says it.
    """

    line: int
    player: Player
    multiplier: int | None = None


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A position that is set up."""

    line: int
    board: Setup


@dataclass(frozen=True, slots=True)
class WinEntry:
    """`points` None: not written. Without `is_certain` the winner is guessed from a column."""

    line: int
    player: Player
    points: int | None
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class RemarkEntry:
    """What stands beside the entry before it, or at the head of the game."""

    line: int
    remark: Remark


TranscriptEntry = ThrowEntry | CubeEntry | ResignationEntry | BoardEntry | WinEntry | RemarkEntry


@dataclass(frozen=True, slots=True)
class GameTranscript:
    """`score` is White's and Black's before the game, None if it is not written. `is_crawford` None: not written.

    `is_whole`: every play could be read.
    """

    line: int
    score: tuple[int, int] | None
    entries: tuple[TranscriptEntry, ...] = ()
    is_crawford: bool | None = None
    is_whole: bool = True


class ProblemKind(Enum):
    """The kind of a problem that a reader or the check found."""

    ILLEGAL_PLAY = "illegal_play"
    ILLEGAL_CUBE = "illegal_cube"
    ORDER = "order"
    RESULT = "result"
    ENCODING = "encoding"
    UNREADABLE = "unreadable"  # content that was not kept

    @property
    def loses_something(self) -> bool:
        return self is ProblemKind.UNREADABLE


@dataclass(frozen=True, slots=True)
class Problem:
    """`sentence` is for people. `turn` counts through the match as the log does. 0, None and empty: not applicable."""

    kind: ProblemKind
    sentence: str
    line: int = 0
    game: int = 0
    turn: int = 0
    player: Player | None = None
    rules: tuple[str, ...] = ()

    def record(self) -> dict[str, object]:
        """The JSON object of the problem, without unknown values."""
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
    """A whole match as written. `crawford` None: not written. `unit`: what the lines of a binary file are."""

    white: str
    black: str
    length: int
    variation: Variation
    games: tuple[GameTranscript, ...]
    occasion: Occasion = field(default_factory=Occasion)
    crawford: bool | None = None
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
    unit: str = "line"


class UnreadableFileError(ValueError):
    """A file without a readable match; the text is one sentence."""
