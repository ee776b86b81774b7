"""The outcomes of adjudication: a ruling on the observed board, or the reason why there is none.

Places are those of the picture. `confidence` is 0..1, the posterior of the observation; the ruling on the observed board
is certain. `inferred` are places whose contents follow not from the picture alone, but from memory, the rules and the
number of checkers.
"""

from dataclasses import dataclass

from controller.observing import BoardView
from controller.rules import Illegal, Legal, Setup
from controller.rules.grasshopper.judge import ActionAllowed, ActionRefused, PieceSetup
from vision.places import Place


@dataclass(frozen=True, slots=True)
class LegalOutcome:
    """The board shows the result of exactly one legal play."""

    ruling: Legal
    view: BoardView
    confidence: float
    inferred: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalOutcome:
    """No legal play explains the board. `after` is the observed board, unchanged.

    To undo the play: `take_back` are the places with checkers that were not there before, `belongs` the places where
    checkers are gone. `is_sure` is False if another board is nearly as likely: the turn is illegal, but its board is open.
    `legal` is the most likely board that a legal play leads to, if one was found; `against_legal` are the places where it
    differs, each with the nats by which the evidence contradicts it.
    """

    after: Setup
    ruling: Illegal
    view: BoardView
    confidence: float
    is_sure: bool = True
    take_back: tuple[Place, ...] = ()
    belongs: tuple[Place, ...] = ()
    legal: BoardView | None = None
    against_legal: tuple[tuple[Place, float], ...] = ()


@dataclass(frozen=True, slots=True)
class AmbiguousOutcome:
    """Several legal plays fit the evidence, the most likely one first; `places` are where they differ."""

    options: tuple[Legal, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class UndecidedOutcome:
    """The evidence fits neither a legal play nor clearly another board; `sentence` says why and what to do."""

    places: tuple[Place, ...]
    sentence: str


Outcome = LegalOutcome | IllegalOutcome | AmbiguousOutcome | UndecidedOutcome


@dataclass(frozen=True, slots=True)
class LegalActionOutcome:
    """Grasshopper: the board shows an allowed action, or a compulsory pass."""

    ruling: ActionAllowed
    view: BoardView
    confidence: float
    inferred: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalActionOutcome:
    """Grasshopper: no allowed action explains the board. `take_back` and `belongs` as in `IllegalOutcome`."""

    after: PieceSetup
    ruling: ActionRefused
    view: BoardView
    confidence: float
    take_back: tuple[Place, ...] = ()
    belongs: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class AmbiguousActionOutcome:
    """Grasshopper: several allowed actions fit the evidence; `places` are where they differ."""

    options: tuple[ActionAllowed, ...]
    places: tuple[Place, ...]


GrasshopperOutcome = LegalActionOutcome | IllegalActionOutcome | AmbiguousActionOutcome | UndecidedOutcome


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
