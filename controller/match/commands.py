"""What people ask for, by button, page or keyboard. An order may be refused; the refusal is an event with its reason."""

from dataclasses import dataclass

from controller.match.events import Mode
from controller.match.seating import Seating
from controller.rules import Player, ResultKind


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Button or clock pressed by a player (None: whoever is on turn)."""

    player: Player | None = None
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class OfferDouble:
    """The player on turn offers to double, before he throws."""

    player: Player


@dataclass(frozen=True, slots=True)
class TakeDouble:
    """The offered player, or after a beaver the doubler, accepts."""

    player: Player


@dataclass(frozen=True, slots=True)
class DropDouble:
    """He refuses, and loses the game."""

    player: Player


@dataclass(frozen=True, slots=True)
class Beaver:
    """The offered player redoubles at once and keeps the cube, where that was agreed."""

    player: Player


@dataclass(frozen=True, slots=True)
class Resign:
    """The player gives up the game and offers this kind of win."""

    player: Player
    kind: ResultKind


@dataclass(frozen=True, slots=True)
class AnswerResignation:
    """The other player accepts what was offered, or plays on."""

    player: Player
    accept: bool


@dataclass(frozen=True, slots=True)
class CorrectBoard:
    """A person says what stands on the board; `position` is position text.

    `on_turn`: who throws next, and with that the turns before are over however they went; None: as the log has it. It
    changes nothing before somebody is on turn, and in Grasshopper, whose positions tell it.
    """

    position: str
    on_turn: Player | None = None


@dataclass(frozen=True, slots=True)
class CorrectRoll:
    """A person says what was thrown; of an opening throw White's number, then Black's."""

    values: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChoosePlay:
    """A person says which of the plays told as possible it was; `after` is position text."""

    after: str


@dataclass(frozen=True, slots=True)
class TakeBackPlay:
    """The last play did not happen: its turn is played again with the same roll."""


@dataclass(frozen=True, slots=True)
class Condone:
    """The opponent lets the illegal play stand."""


@dataclass(frozen=True, slots=True)
class WithdrawRoll:
    """The roll does not count by the players' agreement or the opponent's choice (early throw); it is thrown again."""


@dataclass(frozen=True, slots=True)
class AcceptRoll:
    """The opponent lets an early throw stand."""


@dataclass(frozen=True, slots=True)
class SetSeating:
    """A person says who sits where."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class SetStarter:
    """A person says who starts, where the opening throw could not tell."""

    player: Player


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop refereeing until Resume."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a pause."""


@dataclass(frozen=True, slots=True)
class CallDispute:
    """A player or the director stops the game to talk it over."""


@dataclass(frozen=True, slots=True)
class SettleDispute:
    """The talk is over; the game goes on from what the log says."""


@dataclass(frozen=True, slots=True)
class NextGame:
    """Set up the next game of the match."""


@dataclass(frozen=True, slots=True)
class ChangeMode:
    """From now on this may light up and speak; `monitor_appointed` None: the director's word stays as it is."""

    mode: Mode
    monitor_appointed: bool | None = None


Command = (
    EndTurn
    | OfferDouble
    | TakeDouble
    | DropDouble
    | Beaver
    | Resign
    | AnswerResignation
    | CorrectBoard
    | CorrectRoll
    | ChoosePlay
    | TakeBackPlay
    | Condone
    | WithdrawRoll
    | AcceptRoll
    | SetSeating
    | SetStarter
    | Pause
    | Resume
    | CallDispute
    | SettleDispute
    | NextGame
    | ChangeMode
)
