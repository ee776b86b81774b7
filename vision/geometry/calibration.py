"""What is known about one camera over one board: found once, kept in a file, used for every frame after that.

Four ways lead to a calibration: `tags` (ArUco tags on the rim), `known_position` (a set-up that somebody vouches for),
`self_calibration` (nothing but the board) and `corners` (four corners given by hand). Each answers with a Calibration
or with a Refusal that says why and what to do.
"""

from dataclasses import dataclass, replace
from enum import Enum

from vision.errors import WrongPictureSizeError
from vision.geometry.projection import FieldShape, Projection

# What a field is taken for when nobody gives its width: playing surfaces of "18-inch" boards are 430 to 450 mm wide.
ASSUMED_WIDTH_MM = 440.0
# Another size of picture is the same view when its sides keep their ratio up to this rounding.
ROUNDING_PX = 1.0
MOST_SCALING = 8.0


class CalibrationMethod(Enum):
    """How a calibration was made."""

    TAGS = "tags"
    POSITION = "position"
    ITSELF = "itself"
    CORNERS = "corners"


class Placement(Enum):
    """How a set-up that was handed in lies on the board: as written, or turned and mirrored."""

    UPRIGHT = "upright"
    TURNED = "turned"  # by half a turn: T1 is B12
    MIRRORED = "mirrored"  # left and right exchanged: T1 is T12
    TURNED_AND_MIRRORED = "turned_and_mirrored"  # top and bottom exchanged: T1 is B1


@dataclass(frozen=True, slots=True)
class CheckerColour:
    """CIELab (L 0..100, a and b about -128..127) of the upper faces of one side: mean and standard deviation."""

    lab_mean: tuple[float, float, float]
    lab_spread: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class CheckerProperties:
    """The checkers of this board; what one picture does not tell is None."""

    diameter_mm: float
    thickness_mm: float | None = None
    light: CheckerColour | None = None
    dark: CheckerColour | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A picture the recheck compares later ones with, and how the board lay in it. Corrections leave both as they are,
    so that errors do not add up.
    """

    picture_png: bytes  # grey, the calibration's picture made `shrink` times smaller
    shrink: int
    projection: Projection


@dataclass(frozen=True, slots=True)
class Calibration:
    """Frozen; a correction is a new one."""

    image_size_px: tuple[int, int]  # width, height
    projection: Projection
    field: FieldShape
    scale_is_assumed: bool  # nobody gave the width in mm
    way: CalibrationMethod
    error_mm: float | None  # rms distance of what was measured in the picture from what this says; None: nothing was
    taken_at: str  # ISO 8601, with its zone
    checkers: CheckerProperties | None = None
    placement: Placement | None = None  # of the set-up it was made from, if it was
    reference: Reference | None = None
    notes: tuple[str, ...] = ()  # sentences for the person with the board

    @property
    def error_share(self) -> float | None:
        """The same error as a share of the field's width."""
        return None if self.error_mm is None else self.error_mm / self.field.width_mm


@dataclass(frozen=True, slots=True)
class Refusal:
    """No calibration: one sentence with the reason and the remedy."""

    reason: str


def scale_to_picture(calibration: Calibration, width_px: int, height_px: int) -> Calibration:
    """The calibration as it holds in a picture of this size, which shows the same view larger or smaller.

    Raises WrongPictureSizeError when the ratio of the sides is another: then the camera cuts off something.
    """
    known_width_px, known_height_px = calibration.image_size_px
    if (width_px, height_px) == calibration.image_size_px:
        return calibration
    factor = width_px / known_width_px
    fits = abs(known_height_px * factor - height_px) <= ROUNDING_PX
    if not fits or not 1 / MOST_SCALING <= factor <= MOST_SCALING:
        raise WrongPictureSizeError((width_px, height_px), calibration.image_size_px)
    scaled = calibration.projection.scale(factor)
    return replace(calibration, image_size_px=(width_px, height_px), projection=scaled, reference=None)
