"""Readings of one die and of the doubling cube: the values that leave the detector.

`face_log_likelihood` is about the upper face of a die. `lies` is its likeliest lie, or a worse one that is not
improbable, and `lie_confidence` the probability of `lies`. Whether a throw counts is a matter of the rules, not of a
reading.
"""

from dataclasses import dataclass, replace
from enum import Enum
from math import exp, isfinite, isnan

from vision.errors import ImpossibleReadingError

FACES = 6
NO_FACE = (0.0,) * FACES  # likelihoods of an unread face
TOO_SMALL_PX = 12.0  # physical: pips are a sixth of an edge wide, and below two pixels they run into each other
ACCEPT_VALUE_P = 0.98  # knob: posterior from which a value is accepted; below it the die is unread


class DieState(Enum):
    """The lie of a die; the values are written by `read --json`."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"
    MOVING = "moving"


# The lies of a die at rest, in the order of `DieReading.lie_chances`.
STILL_LIES = (DieState.FLAT, DieState.COCKED, DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM, DieState.OFF_BOARD)
FLAT_LIE = STILL_LIES.index(DieState.FLAT)


class BoardHalf(Enum):
    """Left or right of the bar in the picture."""

    LEFT = "left"
    RIGHT = "right"


class Contact(Enum):
    """What a die touches besides the surface that it lies on."""

    NOTHING = "nothing"
    CHECKER = "checker"
    BAR = "bar"
    RIM = "rim"
    DIE = "die"  # only where it touches nothing else


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die. Millimetres are None without a board (`--dice-only`); so is `half`, and off the two halves."""

    face_log_likelihood: tuple[float, ...]  # six, of the upper face; only differences matter
    lies: DieState
    lie_confidence: float  # probability of `lies`
    centre_px: tuple[float, float]  # middle of its upper face in the picture
    size_px: float  # edge of its upper face in the picture
    base_mm: tuple[float, float] | None  # middle of its base on the board
    half: BoardHalf | None
    touches: Contact
    tilt_deg: float  # of the upper face against the board
    tilt_sigma_deg: float
    lie_chances: tuple[float, ...] = ()  # probabilities of STILL_LIES; () if only `lies` is known
    die_chance: float = 1.0  # probability that it is a die
    base_px: tuple[float, float] | None = None  # middle of its base in the picture
    edge_mm: float | None = None  # its measured edge

    def __post_init__(self) -> None:
        faces = self.face_log_likelihood
        if len(faces) != FACES or any(isnan(value) for value in faces) or not isfinite(max(faces)):
            raise ImpossibleReadingError("a die has six log-likelihoods, one of them finite at least")
        for confidence in (self.lie_confidence, self.die_chance):
            if not 0 <= confidence <= 1:
                raise ImpossibleReadingError(f"a confidence lies between 0 and 1, not at {confidence}")
        if self.lie_chances and len(self.lie_chances) != len(STILL_LIES):
            raise ImpossibleReadingError(f"a die at rest has {len(STILL_LIES)} possible lies")

    @property
    def likeliest_lie_p(self) -> float:
        """Probability of the likeliest lie, which is not always `lies`."""
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
        """`value` if the die shows one and its confidence passes the threshold."""
        return self.value if self.shows_a_value and self.value_confidence >= ACCEPT_VALUE_P else None

    @property
    def is_too_small(self) -> bool:
        """Whether its value is not accepted and its pips are too small in the picture to be distinguished."""
        return self.accepted_value is None and self.shows_a_value and self.size_px < TOO_SMALL_PX

    @property
    def has_no_face(self) -> bool:
        """Whether the face is unread, as `without_face` leaves it."""
        return self.face_log_likelihood == NO_FACE

    def without_face(self) -> "DieReading":
        """The same die with an unread face."""
        return replace(self, face_log_likelihood=NO_FACE)

    @property
    def shows_a_value(self) -> bool:
        """Whether its lie shows a value, read or not."""
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
    """The doubling cube; `value` is the number on its upper face, None if unread."""

    value: int | None
    place: CubePlace
    centre_px: tuple[float, float]
    confidence: float  # probability that it is the cube
