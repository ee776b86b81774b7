"""Events of a game: throws, turns, plays, the cube, wins. `events.py` says what all events have in common."""

from dataclasses import dataclass
from enum import Enum

from controller.match.seating import Seating
from controller.rules import BadThrow, Player, ResultKind, Rule, Unclear


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
class MatchStarted:
    """`rules_toml` is the text of a house variant, else None; `length` None: money games; `clock`: as `parse_clock` reads it.

    `occasion` None: nobody described the match, and it was played when its log was begun. `board` None: unknown, because
    the log is older than the field or the match was imported.
    """

    at_ms: int
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


@dataclass(frozen=True, slots=True)
class SetUpBegun:
    """The checkers are set up for the next game."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class GameStarted:
    """`player` is on turn; None: the opening throw decides. `rolls_before`: of each player, in a game joined later."""

    at_ms: int
    number: int
    position: str
    player: Player | None
    is_crawford: bool = False
    rolls_before: int = 0


@dataclass(frozen=True, slots=True)
class OpeningThrown:
    """`player` starts; None when the dice were equal."""

    at_ms: int
    white: int
    black: int
    player: Player | None
    evidence: Evidence = Evidence.SEEN


@dataclass(frozen=True, slots=True)
class StarterKnown:
    """The starter, where no opening throw decided."""

    at_ms: int
    player: Player
    evidence: Evidence = Evidence.ENTERED


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """A throw that counts, the higher number first. `opponent_may_refuse`: it came early."""

    at_ms: int
    player: Player
    values: tuple[int, int]
    evidence: Evidence = Evidence.SEEN
    opponent_may_refuse: bool = False


@dataclass(frozen=True, slots=True)
class ThrowRefused:
    """A throw that does not count, with all reasons; a value is None where a die could not be read."""

    at_ms: int
    player: Player | None
    reasons: tuple[BadThrow, ...]
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ThrowUnclear:
    """A throw that could not be read, or whose validity is open; a person says it, or it is thrown again."""

    at_ms: int
    player: Player | None
    unclear: tuple[Unclear, ...]
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class RollWithdrawn:
    """An accepted roll does not count after all; it is thrown again."""

    at_ms: int
    player: Player
    values: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RollAccepted:
    """The opponent lets an early roll stand."""

    at_ms: int
    player: Player


@dataclass(frozen=True, slots=True)
class DieTurnedOver:
    """A die of the accepted roll shows another face. The roll stays, and people should check it."""

    at_ms: int
    was: int
    now: int


@dataclass(frozen=True, slots=True)
class NumbersHandedOver:
    """Numbers that the other player could not play and `player` has to play."""

    at_ms: int
    player: Player
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PassForced:
    """No number can be played."""

    at_ms: int
    player: Player


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn is over; now the board is judged."""

    at_ms: int
    player: Player
    by: EndedBy


@dataclass(frozen=True, slots=True)
class TurnGoesOn:
    """A turn that had ended continues: its dice still lie on the board, or the play is made anew."""

    at_ms: int
    player: Player


@dataclass(frozen=True, slots=True)
class PlayMade:
    """A legal play. `numbers` are those of the throw, `follow` what comes next by the rules (text of `Follow`).

    `inferred`: places (T1..B12, bar, tray) that were not seen and follow from the rules and the count of checkers.
    """

    at_ms: int
    player: Player
    numbers: tuple[int, ...]
    play: str
    before: str
    after: str
    follow: str
    evidence: Evidence = Evidence.SEEN
    inferred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayRefused:
    """A board that no legal play explains; `after` is what stands there, kept as it is.

    `take_back` and `belongs` are places of the picture: checkers that must go back, and where they belong.
    """

    at_ms: int
    player: Player
    numbers: tuple[int, ...]
    before: str
    after: str
    rules: tuple[Rule, ...]
    sentences: tuple[str, ...]
    take_back: tuple[str, ...] = ()
    belongs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayUnclear:
    """The play could not be read. `options`: the possible plays as text; `places`: doubtful places; `sentence`: why."""

    at_ms: int
    player: Player
    options: tuple[str, ...]
    places: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class PlayCorrected:
    """An illegal play was taken back; `PlayMade` follows when another play was made."""

    at_ms: int
    player: Player


@dataclass(frozen=True, slots=True)
class PlayCondoned:
    """An illegal play stands and is recorded as illegal. `clause` cites the article of the profile."""

    at_ms: int
    player: Player
    numbers: tuple[int, ...]
    before: str
    after: str
    rules: tuple[Rule, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class PlayTakenBack:
    """An accepted play is undone; the turn is played again from `position` with the same roll."""

    at_ms: int
    player: Player
    position: str


@dataclass(frozen=True, slots=True)
class CubeTurned:
    """`value`: the cube after the act."""

    at_ms: int
    act: CubeAct
    player: Player | None
    value: int


@dataclass(frozen=True, slots=True)
class ResignationOffered:
    """The player resigns and offers this kind of win; the offer lapses when play goes on."""

    at_ms: int
    player: Player
    kind: ResultKind


@dataclass(frozen=True, slots=True)
class ResignationAnswered:
    """The other player's answer; an accepted resignation ends the game."""

    at_ms: int
    player: Player
    is_accepted: bool


@dataclass(frozen=True, slots=True)
class GameWon:
    """`player` None: a draw."""

    at_ms: int
    player: Player | None
    kind: ResultKind
    points: int
    white_score: int
    black_score: int


@dataclass(frozen=True, slots=True)
class MatchWon:
    """The player has reached the target of the match."""

    at_ms: int
    player: Player


GameEvent = (
    MatchStarted
    | SetUpBegun
    | GameStarted
    | OpeningThrown
    | StarterKnown
    | DiceRolled
    | ThrowRefused
    | ThrowUnclear
    | RollWithdrawn
    | RollAccepted
    | DieTurnedOver
    | NumbersHandedOver
    | PassForced
    | TurnEnded
    | TurnGoesOn
    | PlayMade
    | PlayRefused
    | PlayUnclear
    | PlayCorrected
    | PlayCondoned
    | PlayTakenBack
    | CubeTurned
    | ResignationOffered
    | ResignationAnswered
    | GameWon
    | MatchWon
)
