"""What weighing a settled board against the rules comes to: a ruling on what was seen, or what stands in its way.

Places are those of the picture. `confidence` is 0..1 and says how sure the seeing is; the ruling on what was seen is
certain. `inferred` are places that the picture alone does not tell: memory, the rules and the count of checkers do.
"""

from dataclasses import dataclass

from controller.observing.board_evidence import BoardView
from controller.rules import Illegal, Legal, Setup
from controller.rules.grasshopper.judge import ActionAllowed, ActionRefused, PieceSetup
from vision.places import Place


@dataclass(frozen=True, slots=True)
class LegalOutcome:
    """The board shows the result of a legal play, and of no other one."""

    ruling: Legal
    view: BoardView
    confidence: float
    inferred: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalOutcome:
    """No legal play explains the board. `after` is what stands there, kept as it is.

    To undo the play: `take_back` are places with checkers that were not there before it, `belongs` those where
    checkers stood. `is_sure` is False where another board comes near: then it is illegal, but what stands there is open.
    `legal` is the likeliest board that a legal play leads to, where one was found; `against_legal` are the places where
    it differs, each with the nats by which what is seen there speaks against it.
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
    """Several legal plays look alike to the camera, the likeliest first; `places` are where they differ."""

    options: tuple[Legal, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class UndecidedOutcome:
    """What is seen neither fits a legal play nor clearly another board; `sentence` says why and what to do."""

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
    """Grasshopper: no allowed action explains the board. `take_back` and `belongs` as in `IllegalSeen`."""

    after: PieceSetup
    ruling: ActionRefused
    view: BoardView
    confidence: float
    take_back: tuple[Place, ...] = ()
    belongs: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class AmbiguousActionOutcome:
    """Grasshopper: several allowed actions look alike; `places` are where they differ."""

    options: tuple[ActionAllowed, ...]
    places: tuple[Place, ...]


GrasshopperOutcome = LegalActionOutcome | IllegalActionOutcome | AmbiguousActionOutcome | UndecidedOutcome


@dataclass(frozen=True, slots=True)
class BoardDifference:
    """Where a board is not as expected: places with too many checkers or the wrong ones, with too few, and doubtful.

    A point that holds the wrong colour is in both of the first two.
    """

    extra: tuple[Place, ...]
    missing: tuple[Place, ...]
    unsure: tuple[Place, ...]

    @property
    def is_none(self) -> bool:
        """Everything is seen to be as expected."""
        return not (self.extra or self.missing or self.unsure)
