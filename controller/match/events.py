"""Events of a match: the values of the log, from which the state of the match follows.

Events hold plain values only (numbers, text, enums, tuples and other such dataclasses), so that each has one form on
disk. Positions are position text, plays play text, both along the player's own path.
"""

from dataclasses import dataclass

from controller.match.device_events import BoardMoved as BoardMoved
from controller.match.device_events import CameraBack as CameraBack
from controller.match.device_events import CameraLost as CameraLost
from controller.match.device_events import LightsBack as LightsBack
from controller.match.device_events import LightsLost as LightsLost
from controller.match.device_events import SetUpCertified as SetUpCertified
from controller.match.device_events import SightClear as SightClear
from controller.match.device_events import SightHindered as SightHindered
from controller.match.device_events import StorageBack as StorageBack
from controller.match.event_values import BoardUsed, CubeRaise, Event, Occasion, RecordingUsed, Remark, SetUpFault
from controller.match.event_values import CubeAct as CubeAct
from controller.match.event_values import EndedBy as EndedBy
from controller.match.event_values import Evidence as Evidence
from controller.match.event_values import Mode as Mode
from controller.match.seating import Seating
from controller.rules import BadThrow, Player, ResultKind, Rule, Unclear


@dataclass(frozen=True, slots=True)
class MatchStarted(Event):
    """`rules_toml` is the text of a house variant, else None; `length` None: money games; `clock`: as `parse_clock` reads it.

    `occasion` None: nobody described the match, and it was played when its log was begun. `board` None: unknown, because
    the log is older than the field or the match was imported. `recordings`: those of a match that was transcribed.
    `disputes`: how many each player may lose; None: any number.
    """

    game: str
    rules_toml: str | None
    profile: str
    mode: Mode
    white: str
    black: str
    length: int | None
    white_score: int = 0
    black_score: int = 0
    clock: str | None = None
    occasion: Occasion | None = None
    crawford: bool = True
    board: BoardUsed | None = None
    recordings: tuple[RecordingUsed, ...] = ()
    disputes: int | None = None


@dataclass(frozen=True, slots=True)
class SetUpBegun(Event):
    """The checkers are set up for the next game."""


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """`player` is on turn; None: the opening throw decides. `rolls_before`: of each player, in a game joined later."""

    number: int
    position: str
    player: Player | None
    is_crawford: bool = False
    rolls_before: int = 0


@dataclass(frozen=True, slots=True)
class OpeningThrown(Event):
    """`player` starts; None when the dice were equal."""

    white: int
    black: int
    player: Player | None
    evidence: Evidence = Evidence.SEEN


@dataclass(frozen=True, slots=True)
class StarterKnown(Event):
    """The starter, where no opening throw decided."""

    player: Player
    evidence: Evidence = Evidence.ENTERED


@dataclass(frozen=True, slots=True)
class DiceRolled(Event):
    """A throw that counts, the higher number first. `opponent_may_refuse`: it came early."""

    player: Player
    values: tuple[int, int]
    evidence: Evidence = Evidence.SEEN
    opponent_may_refuse: bool = False


@dataclass(frozen=True, slots=True)
class ThrowRefused(Event):
    """A throw that does not count, with all reasons; a value is None where a die could not be read."""

    player: Player | None
    reasons: tuple[BadThrow, ...]
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ThrowUnclear(Event):
    """A throw that could not be read, or whose validity is open; a person says it, or it is thrown again."""

    player: Player | None
    unclear: tuple[Unclear, ...]
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class RollWithdrawn(Event):
    """An accepted roll does not count after all; it is thrown again."""

    player: Player
    values: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RollAccepted(Event):
    """The opponent lets an early roll stand."""

    player: Player


@dataclass(frozen=True, slots=True)
class DieTurnedOver(Event):
    """A die of the accepted roll shows another face. The roll stays, and people should check it."""

    was: int
    now: int


@dataclass(frozen=True, slots=True)
class NumbersHandedOver(Event):
    """Numbers that the other player could not play and `player` has to play."""

    player: Player
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PassForced(Event):
    """No number can be played."""

    player: Player


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """The turn is over; now the board is judged."""

    player: Player
    by: EndedBy


@dataclass(frozen=True, slots=True)
class TurnGoesOn(Event):
    """A turn that had ended continues: its dice still lie on the board, or the play is made anew."""

    player: Player


@dataclass(frozen=True, slots=True)
class PlayMade(Event):
    """A legal play. `numbers` are those of the throw, `follow` what comes next by the rules (text of `Follow`).

    `inferred`: places (T1..B12, bar, tray) that were not seen and follow from the rules and the count of checkers.
    `evidence` INFERRED: nobody saw the turn, and the play is the only one that explains the boards around it. `next_best`:
    the legal play that comes next, `odds` times less likely; "" if none comes near.
    """

    player: Player
    numbers: tuple[int, ...]
    play: str
    before: str
    after: str
    follow: str
    evidence: Evidence = Evidence.SEEN
    inferred: tuple[str, ...] = ()
    next_best: str = ""
    odds: int = 0


@dataclass(frozen=True, slots=True)
class PlayRefused(Event):
    """A board that no legal play explains; `after` is what stands there, kept as it is.

    `take_back` and `belongs` are places of the picture: checkers that must go back, and where they belong.
    """

    player: Player
    numbers: tuple[int, ...]
    before: str
    after: str
    rules: tuple[Rule, ...]
    sentences: tuple[str, ...]
    take_back: tuple[str, ...] = ()
    belongs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayUnclear(Event):
    """The play could not be read. `options`: the possible plays as text; `places`: doubtful places; `sentence`: why."""

    player: Player
    options: tuple[str, ...]
    places: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class PlayCorrected(Event):
    """An illegal play was taken back; `PlayMade` follows when another play was made."""

    player: Player


@dataclass(frozen=True, slots=True)
class PlayCondoned(Event):
    """An illegal play stands and is recorded as illegal. `clause` cites the article of the profile."""

    player: Player
    numbers: tuple[int, ...]
    before: str
    after: str
    rules: tuple[Rule, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class PlayTakenBack(Event):
    """An accepted play is undone; the turn is played again from `position` with the same roll."""

    player: Player
    position: str


@dataclass(frozen=True, slots=True)
class CubeTurned(Event):
    """`value`: the cube after the act; a raise that is offered leaves it as it is. `raised`: None in older logs."""

    act: CubeAct
    player: Player | None
    value: int
    raised: CubeRaise | None = None

    @property
    def raise_of_stake(self) -> CubeRaise:
        """From which value to which, which means nothing after a drop; doubled where the log does not say it."""
        if self.raised is not None or self.act not in (CubeAct.OFFERED, CubeAct.BEAVERED):
            return self.raised or CubeRaise(self.value // 2, self.value)
        was = self.value if self.act is CubeAct.OFFERED else 2 * self.value
        return CubeRaise(was, 2 * was)


@dataclass(frozen=True, slots=True)
class ResignationOffered(Event):
    """The player resigns and offers this kind of win; the offer lapses when play goes on."""

    player: Player
    kind: ResultKind


@dataclass(frozen=True, slots=True)
class ResignationAnswered(Event):
    """The other player's answer; an accepted resignation ends the game."""

    player: Player
    is_accepted: bool


@dataclass(frozen=True, slots=True)
class GameWon(Event):
    """`player` None: a draw."""

    player: Player | None
    kind: ResultKind
    points: int
    white_score: int
    black_score: int


@dataclass(frozen=True, slots=True)
class MatchWon(Event):
    """The player has reached the target of the match."""

    player: Player


@dataclass(frozen=True, slots=True)
class ResultConfirmed(Event):
    """The player confirms this score after a game. Confirmed by both it is final, unless a dispute is called."""

    player: Player
    white_score: int
    black_score: int


@dataclass(frozen=True, slots=True)
class QuestionAnswered(Event):
    """Somebody answered what was asked at `asked_ms`; what follows from it comes next."""

    asked_ms: int


@dataclass(frozen=True, slots=True)
class AnswerTakenBack(Event):
    """The last answer was wrong: nothing since it counts, and the question is open again. `player`: whose time runs."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class SeatingKnown(Event):
    """The seating is known, or corrected."""

    seating: Seating
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class CommandRefused(Event):
    """A command that the rules or the phase do not allow; `reason` is a sentence."""

    command: str
    reason: str


@dataclass(frozen=True, slots=True)
class BoardDiffers(Event):
    """The board differs from the log or the start position: places with checkers too many and places that lack some.

    `fault`: before a game, what the board shows instead of the start. `games`: those that begin like this.
    """

    extra: tuple[str, ...]
    missing: tuple[str, ...]
    fault: SetUpFault | None = None
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetUpUnclear(Event):
    """Nobody can say whether the game may begin: `places` are doubtful, or the seating is open."""

    places: tuple[str, ...]
    is_seating_open: bool = False


@dataclass(frozen=True, slots=True)
class BoardAgrees(Event):
    """The board agrees with the log again."""


@dataclass(frozen=True, slots=True)
class BoardCorrected(Event):
    """The log takes over a board that a person entered, or that was seen after a turn that could not be inferred.

    `on_turn`: who throws next; None: unchanged. `evidence` SEEN: nobody could tell what was played to this board;
    INFERRED: the player on turn was passed over, because the other one was seen to play.
    """

    position: str
    on_turn: Player | None = None
    evidence: Evidence = Evidence.ENTERED


@dataclass(frozen=True, slots=True)
class MatchPaused(Event):
    """Nothing is refereed until the match is resumed."""


@dataclass(frozen=True, slots=True)
class MatchResumed(Event):
    """The match continues after a pause, or after a restart of the program."""

    after_restart: bool = False


@dataclass(frozen=True, slots=True)
class DisputeOpened(Event):
    """The game stops for a dispute. `player` called it; None: the director, or nobody said who."""

    player: Player | None = None


@dataclass(frozen=True, slots=True)
class DisputeSettled(Event):
    """The dispute is settled. `is_upheld`: the player who called it was right, so it is not counted."""

    is_upheld: bool = False


@dataclass(frozen=True, slots=True)
class ModeChanged(Event):
    """The mode from now on. `monitor_appointed`: the director wants the device to announce illegal plays."""

    mode: Mode
    monitor_appointed: bool


@dataclass(frozen=True, slots=True)
class BoardLearned(Event):
    """What the board looks like, learned from a confirmed turn (`vision.geometry.calibration.Appearance`).

    `network`: the weights that are changed; `first`: a digest of the first fit that it continues; `change`: base64;
    `pictures`: from how many it was learned.
    """

    network: str
    first: str
    change: str
    pictures: int


@dataclass(frozen=True, slots=True)
class ClockReserve(Event):
    """Both reserves; written often enough that a restart loses at most one second."""

    white_ms: int
    black_ms: int


@dataclass(frozen=True, slots=True)
class TimeRanOut(Event):
    """The player's reserve is used up, and the match is lost."""

    player: Player


@dataclass(frozen=True, slots=True)
class EventRevised(Event):
    """A person who reviewed the match put event `number` right; from now on it reads as `text`, the text of an event."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RemarkMade(Event):
    """What stands beside the event before it: a turn, an act with the cube, a result, or the beginning of the match."""

    remark: Remark


GameEvent = (
    MatchStarted | SetUpBegun | GameStarted | OpeningThrown | StarterKnown | DiceRolled | ThrowRefused | ThrowUnclear
    | RollWithdrawn | RollAccepted | DieTurnedOver | NumbersHandedOver | PassForced | TurnEnded | TurnGoesOn
    | PlayMade | PlayRefused | PlayUnclear | PlayCorrected | PlayCondoned | PlayTakenBack | CubeTurned
    | ResignationOffered | ResignationAnswered | GameWon | MatchWon
)  # fmt: skip
TableEvent = (
    QuestionAnswered | AnswerTakenBack | SeatingKnown | CommandRefused | SetUpCertified | BoardDiffers | SetUpUnclear | BoardAgrees
    | BoardCorrected | BoardMoved
    | SightHindered | SightClear | CameraLost | CameraBack | LightsLost | LightsBack | StorageBack | MatchPaused | MatchResumed | DisputeOpened
    | DisputeSettled | ResultConfirmed | ModeChanged | BoardLearned | ClockReserve | TimeRanOut | EventRevised | RemarkMade
)  # fmt: skip
RefereeEvent = GameEvent | TableEvent
