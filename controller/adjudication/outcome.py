"""The outcomes of adjudication: a ruling on the observed board, or the reason why there is none.

Places are those of the picture. `confidence` is 0..1, the posterior of the observation; the ruling on the observed board
is certain. `inferred` are places whose contents follow not from the picture alone, but from memory, the rules and the
number of checkers.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from controller.observing import BoardView
from controller.rules import Illegal, Legal, Setup
from controller.rules.grasshopper.judge import ActionAllowed, ActionRefused, PieceSetup
from vision.places import Place

Allowed = TypeVar("Allowed")  # a ruling that allows the play, or in Grasshopper the action
Refused = TypeVar("Refused")
Claim = TypeVar("Claim")


@dataclass(frozen=True, slots=True)
class RunnerUp(Generic[Allowed]):
    """The legal play that comes next after the one that was ruled, and by how many nats it is less likely."""

    ruling: Allowed
    nats: float


@dataclass(frozen=True, slots=True)
class LegalOutcome(Generic[Allowed]):
    """The board shows the result of exactly one legal play. `runner_up`: None if no other play comes near."""

    ruling: Allowed
    view: BoardView
    confidence: float
    inferred: tuple[Place, ...] = ()
    runner_up: RunnerUp[Allowed] | None = None


@dataclass(frozen=True, slots=True)
class IllegalOutcome(Generic[Claim, Refused]):
    """No legal play explains the board. `after` is the observed board, unchanged.

    To undo the play: `take_back` are the places with checkers that were not there before, `belongs` the places where
    checkers are gone. `is_sure` is False if another board is nearly as likely: the turn is illegal, but its board is open.
    `legal` is the most likely board that a legal play leads to, if one was found; `against_legal` are the places where it
    differs, each with the nats by which the evidence contradicts it.
    """

    after: Claim
    ruling: Refused
    view: BoardView
    confidence: float
    is_sure: bool = True
    take_back: tuple[Place, ...] = ()
    belongs: tuple[Place, ...] = ()
    legal: BoardView | None = None
    against_legal: tuple[tuple[Place, float], ...] = ()


@dataclass(frozen=True, slots=True)
class AmbiguousOutcome(Generic[Allowed]):
    """Several legal plays fit the evidence, the most likely one first; `places` are where they differ."""

    options: tuple[Allowed, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class UndecidedOutcome:
    """The evidence fits neither a legal play nor clearly another board; `sentence` says why and what to do."""

    places: tuple[Place, ...]
    sentence: str


Outcome = LegalOutcome[Legal] | IllegalOutcome[Setup, Illegal] | AmbiguousOutcome[Legal] | UndecidedOutcome


GrasshopperOutcome = (
    LegalOutcome[ActionAllowed]
    | IllegalOutcome[PieceSetup, ActionRefused]
    | AmbiguousOutcome[ActionAllowed]
    | UndecidedOutcome
)


@dataclass(frozen=True, slots=True)
class BoardDifference:
    """Where a board differs from the expected one: places with extra checkers, with missing ones, and unsure places.

    A point that holds the wrong colour is in both `extra` and `missing`.
    """

    extra: tuple[Place, ...]
    missing: tuple[Place, ...]
    unsure: tuple[Place, ...]

    @property
    def is_none(self) -> bool:
        """Whether the whole board is as expected."""
        return not (self.extra or self.missing or self.unsure)
