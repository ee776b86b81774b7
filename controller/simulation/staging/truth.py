"""The true events at the simulated table, in order of time. The referee never gets them."""

from dataclasses import dataclass

from controller.match import EndedBy, Seating
from controller.rules import BadThrow, Player, ResultKind, Rule
from controller.rules.grasshopper.game import Reason
from controller.rules.grasshopper.judge import Mismatch

Objection = Rule | Reason | Mismatch


@dataclass(frozen=True, slots=True)
class TrueStart:
    """A game begins with the start position on the board at `at_ms`. `position` is position text."""

    at_ms: int
    game: str
    seating: Seating
    position: str


@dataclass(frozen=True, slots=True)
class TrueThrow:
    """Dice came to rest. `values`: the larger first, but White's first in an opening throw; `reasons` why it is void."""

    at_ms: int
    player: Player | None
    values: tuple[int, ...]
    reasons: tuple[BadThrow, ...]
    is_early: bool = False

    @property
    def is_valid(self) -> bool:
        return not self.reasons


@dataclass(frozen=True, slots=True)
class TruePlay:
    """The play of one throw is over; `at_ms` is the signal of its end, at which it is judged.

    `before` and `after` are position text, or the text of a Grasshopper state. `breaches` is empty for a legal play,
    else it holds every rule that is correct as the decisive one for a camera. `sentence` is the expected sentence about
    a Grasshopper action, whose reasons have no name in the log. `corrected_to` is the legal board that replaced an
    illegal one; with `is_condoned` the illegal board stood.
    """

    at_ms: int
    player: Player
    numbers: tuple[int, ...]
    before: str
    after: str
    by: EndedBy
    breaches: frozenset[Objection] = frozenset()
    corrected_to: str | None = None
    is_condoned: bool = False
    sentence: str = ""
    mishap: str = ""  # the intended fault, for people

    @property
    def is_legal(self) -> bool:
        return not self.breaches

    @property
    def stood(self) -> str:
        """The board from which the game continued; "" if it is no position."""
        return self.after if self.corrected_to is None else self.corrected_to


@dataclass(frozen=True, slots=True)
class TrueEnd:
    """The game is over; `winner` is None for a draw, and `kind` is None in Grasshopper."""

    at_ms: int
    winner: Player | None
    kind: ResultKind | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class TrueMishap:
    """An incident that must not change any ruling."""

    at_ms: int
    description: str


@dataclass(frozen=True, slots=True)
class TrueOrder:
    """An order of the operator took effect: until the players go on from it, nothing that they do is compared."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class TrueContinuation:
    """The players have followed the operator and play on from the referee's board."""

    at_ms: int


TrueEvent = TrueStart | TrueThrow | TruePlay | TrueEnd | TrueMishap | TrueOrder | TrueContinuation
