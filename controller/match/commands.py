"""Commands that people give by button, page or keyboard. A refused command is an event with its reason."""

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
    """The offered player refuses and loses the game."""

    player: Player


@dataclass(frozen=True, slots=True)
class Beaver:
    """The offered player redoubles at once and keeps the cube, where beavers were agreed."""

    player: Player


@dataclass(frozen=True, slots=True)
class Resign:
    """The player gives up the game and offers this kind of win."""

    player: Player
    kind: ResultKind


@dataclass(frozen=True, slots=True)
class AnswerResignation:
    """The other player accepts the offered win, or plays on."""

    player: Player
    accept: bool


@dataclass(frozen=True, slots=True)
class CorrectBoard:
    """A person says what stands on the board; `position` is position text.

    `on_turn`: who throws next, which ends all open turns; None: as the log has it, or before a game as its opening decides.
    It has no effect in Grasshopper, whose position text contains it.
    """

    position: str
    on_turn: Player | None = None


@dataclass(frozen=True, slots=True)
class CorrectRoll:
    """A person says what was thrown; of an opening throw White's number, then Black's."""

    values: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChoosePlay:
    """A person says which of the possible plays was made; `after` is position text."""

    after: str


@dataclass(frozen=True, slots=True)
class TakeBackPlay:
    """The last play did not happen: its turn is played again with the same roll."""


@dataclass(frozen=True, slots=True)
class Condone:
    """The opponent lets the illegal play stand."""


@dataclass(frozen=True, slots=True)
class WithdrawRoll:
    """By agreement, or by the opponent's choice after an early throw, the roll does not count and is repeated."""


@dataclass(frozen=True, slots=True)
class AcceptRoll:
    """The opponent lets an early throw stand."""


@dataclass(frozen=True, slots=True)
class SetSeating:
    """A person says who sits where."""

    seating: Seating


@dataclass(frozen=True, slots=True)
class SetStarter:
    """A person says who starts, where the opening throw could not be read."""

    player: Player


@dataclass(frozen=True, slots=True)
class Pause:
    """Refereeing stops until `Resume`."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The match continues after a pause."""


@dataclass(frozen=True, slots=True)
class CallDispute:
    """A player, or the director (None), stops the game for a dispute; during one, it says which player called it."""

    player: Player | None = None


@dataclass(frozen=True, slots=True)
class SettleDispute:
    """The dispute is settled; the game continues from the log. `is_upheld`: the player who called it was right."""

    is_upheld: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """A player confirms the score after a game."""

    player: Player


@dataclass(frozen=True, slots=True)
class NextGame:
    """The next game of the match is set up."""


@dataclass(frozen=True, slots=True)
class ChangeMode:
    """Changes what may light up and speak; `monitor_appointed` None: the appointment stays as it is."""

    mode: Mode
    monitor_appointed: bool | None = None


Answer = ChoosePlay | CorrectRoll | CorrectBoard | SetSeating | SetStarter | Condone


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A person answers what was asked at `asked_ms`; refused once that question is closed."""

    asked_ms: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class TakeBackAnswer:
    """The last answer was wrong: what followed from it does not count, and the question is asked again."""


Command = (
    EndTurn | OfferDouble | TakeDouble | DropDouble | Beaver | Resign | AnswerResignation | CorrectBoard | CorrectRoll
    | ChoosePlay | TakeBackPlay | Condone | WithdrawRoll | AcceptRoll | SetSeating | SetStarter | Pause | Resume
    | CallDispute | SettleDispute | ConfirmResult | NextGame | ChangeMode | AnswerQuestion | TakeBackAnswer
)  # fmt: skip
