"""What truly happened at the simulated table, in the order of time; the referee is never shown it."""

from dataclasses import dataclass

from controller.match.events import EndedBy
from controller.match.seating import Seating
from controller.rules import BadThrow, Player, ResultKind, Rule
from controller.rules.grasshopper.game import Reason
from controller.rules.grasshopper.judge import Mismatch

Objection = Rule | Reason | Mismatch


@dataclass(frozen=True, slots=True)
class TrueStart:
    """A game begins; everything stands as it must at `at_ms`. `position` is position text."""

    at_ms: int
    game: str
    seating: Seating
    position: str


@dataclass(frozen=True, slots=True)
class TrueThrow:
    """Dice came to rest. `values`: the larger first, of an opening throw White's and Black's; `reasons` why it is void."""

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
    """A part of a turn is over: what was played of one throw, judged at `at_ms`, when its end was signalled.

    `before` and `after` are position text; for Grasshopper the text of its states. `breaches` is empty for a legal
    play; else the rules that may be named as the decisive one, as far as a camera can tell them apart.
    `sentence` is what must be said of a Grasshopper action, whose reasons have no name in the log.
    `mended`: the legal board that the player made of an illegal one; `is_condoned`: it stood instead.
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
    mishap: str = ""  # what went wrong on purpose, for people

    @property
    def is_legal(self) -> bool:
        return not self.breaches

    @property
    def stood(self) -> str:
        """The board from which the game went on; "" where that is no position."""
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
    """Something happened that must not change any ruling."""

    at_ms: int
    description: str


TrueEvent = TrueStart | TrueThrow | TruePlay | TrueEnd | TrueMishap
