"""What is seen of one die, and of the doubling cube, as values.

A die's `face_log_likelihood` says what its *upper* face would be; `lies` is how it lies, the likeliest way or a worse one that
is not unlikely, and `lie_confidence` how sure that is. Nothing here says whether a throw counts: that is a matter of rules.
"""

from dataclasses import dataclass, replace
from enum import Enum
from math import exp, isfinite, isnan

from vision.errors import ImpossibleReadingError

FACES = 6
NO_FACE = (0.0,) * FACES  # likelihoods that tell none
ACCEPT_VALUE_P = 0.98  # from where on a value is told; below it is none at all


class DieState(Enum):
    """How a die lies; the values are those of `read --json`."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"
    MOVING = "moving"


# The ways a still die may lie, in the order of `DieReading.lie_chances`.
STILL_LIES = (
    DieState.FLAT,
    DieState.COCKED,
    DieState.ON_CHECKER,
    DieState.ON_BAR,
    DieState.ON_RIM,
    DieState.OFF_BOARD,
)
FLAT_LIE = STILL_LIES.index(DieState.FLAT)


class BoardHalf(Enum):
    """Left or right of the bar, as the camera sees it."""

    LEFT = "left"
    RIGHT = "right"


class Contact(Enum):
    """What a die touches besides the surface it lies on."""

    NOTHING = "nothing"
    CHECKER = "checker"
    BAR = "bar"
    RIM = "rim"
    DIE = "die"  # another one, and nothing of these


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die. Millimetres are None where no board is known (`--dice-only`); so is `half`, and outside the halves."""

    face_log_likelihood: tuple[float, ...]  # six, of the upper face; only differences matter
    lies: DieState
    lie_confidence: float  # 0..1
    centre_px: tuple[float, float]  # of its upper face in the picture
    size_px: float  # of an edge of the upper face
    base_mm: tuple[float, float] | None  # middle of its base on the board
    half: BoardHalf | None
    touches: Contact
    tilt_deg: float  # of the upper face against the board
    tilt_sigma_deg: float
    lie_chances: tuple[float, ...] = ()  # 0..1, of STILL_LIES; () where nothing but `lies` is known
    die_chance: float = 1.0  # 0..1, that it is a die at all
    base_px: tuple[float, float] | None = None  # the middle of its base in the picture
    edge_mm: float | None = None  # of the die, as large as what is seen of it

    def __post_init__(self) -> None:
        faces = self.face_log_likelihood
        if len(faces) != FACES or any(isnan(value) for value in faces) or not isfinite(max(faces)):
            raise ImpossibleReadingError("a die has six log-likelihoods, one of them finite at least")
        for confidence in (self.lie_confidence, self.die_chance):
            if not 0 <= confidence <= 1:
                raise ImpossibleReadingError(f"a confidence lies between 0 and 1, not at {confidence}")
        if self.lie_chances and len(self.lie_chances) != len(STILL_LIES):
            raise ImpossibleReadingError(f"a die that lies still may do so in {len(STILL_LIES)} ways")

    @property
    def likeliest_lie_p(self) -> float:
        """How sure the likeliest way is, 0..1, which `lies` need not be: how plain a die this is."""
        return max(self.lie_chances, default=self.lie_confidence)

    @property
    def value(self) -> int:
        """The likeliest upper face, 1 to 6."""
        return self.face_log_likelihood.index(max(self.face_log_likelihood)) + 1

    @property
    def value_confidence(self) -> float:
        """Posterior of `value` under a flat prior, 0..1."""
        best = max(self.face_log_likelihood)
        return 1 / sum(exp(likelihood - best) for likelihood in self.face_log_likelihood)

    @property
    def accepted_value(self) -> int | None:
        """What people are told: `value` where the die shows one and it is believed."""
        return self.value if self.shows_a_value and self.value_confidence >= ACCEPT_VALUE_P else None

    @property
    def has_no_face(self) -> bool:
        """Whether nothing at all is known of what it shows, as `without_face` leaves it."""
        return self.face_log_likelihood == NO_FACE

    def without_face(self) -> "DieReading":
        """The same die, of which nobody knows what it shows."""
        return replace(self, face_log_likelihood=NO_FACE)

    @property
    def shows_a_value(self) -> bool:
        """As it lies, whether or not that can be read."""
        return self.lies not in (DieState.COCKED, DieState.MOVING)


class CubePlace(Enum):
    """Where the doubling cube lies."""

    BAR = "bar"
    TOP = "top"
    BOTTOM = "bottom"
    OFFERED = "offered"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class CubeReading:
    """The doubling cube; `value` is the number on its upper face, None where that cannot be told."""

    value: int | None
    place: CubePlace
    centre_px: tuple[float, float]
    confidence: float  # 0..1, that this is the cube
