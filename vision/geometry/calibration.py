"""The value that describes one camera over one board. It is measured once, saved, and used for every later frame.

Four methods produce a calibration (see `CalibrationMethod`). Each returns a `Calibration`, or a `Refusal` with reason
and remedy.
"""

from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from vision.errors import WrongPictureSizeError
from vision.geometry.projection import FieldShape, Projection

# Assumed width of the field when nobody gives it: the surfaces of "18-inch" boards are 430 to 450 mm wide.
ASSUMED_WIDTH_MM = 440.0
# A picture of another size shows the same view when its aspect ratio is equal up to this rounding.
ROUNDING_PX = 1.0
MOST_SCALING = 8.0


class CalibrationMethod(Enum):
    """The method that produced a calibration."""

    TAGS = "tags"  # ArUco tags on the rim
    POSITION = "position"  # a known position, whose checkers serve as target
    ITSELF = "itself"  # the board alone
    CORNERS = "corners"  # four corners given by hand


class Placement(Enum):
    """The orientation on the board of a position that is given with T1 at the upper left."""

    UPRIGHT = "upright"
    TURNED = "turned"  # by half a turn: T1 becomes B12
    MIRRORED = "mirrored"  # left and right exchanged: T1 becomes T12
    TURNED_AND_MIRRORED = "turned_and_mirrored"  # top and bottom exchanged: T1 becomes B1


OPPOSITE_PLACEMENT = MappingProxyType(
    {
        Placement.UPRIGHT: Placement.TURNED,
        Placement.TURNED: Placement.UPRIGHT,
        Placement.MIRRORED: Placement.TURNED_AND_MIRRORED,
        Placement.TURNED_AND_MIRRORED: Placement.MIRRORED,
    }
)


@dataclass(frozen=True, slots=True)
class CheckerColour:
    """Mean and standard deviation of the upper faces of one side in CIELAB (L 0..100, a and b about -128..127)."""

    lab_mean: tuple[float, float, float]
    lab_spread: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class CheckerProperties:
    """The checkers of this board; a property that one picture does not reveal is None."""

    diameter_mm: float
    thickness_mm: float | None = None
    light: CheckerColour | None = None
    dark: CheckerColour | None = None


@dataclass(frozen=True, slots=True)
class Appearance:
    """What this board looks like: a change of the last layer of the network that reads checkers.

    `vision.checkers.appearance` learns and applies it. The numbers are little-endian float16.
    """

    network: str  # the weights that it changes, by `identify_network`
    change: bytes
    first: bytes  # the first fit, which bounds the drift of later ones
    pictures: int  # from how many pictures it was learned


@dataclass(frozen=True, slots=True)
class Reference:
    """The picture that the drift check compares later frames with, and the projection at that time.

    A correction of the calibration changes neither, so that errors do not accumulate.
    """

    picture_png: bytes  # grey, `shrink` times smaller than the calibrated picture
    shrink: int
    projection: Projection


@dataclass(frozen=True, slots=True)
class Calibration:
    """Camera, lens and board. A correction is a new value."""

    image_size_px: tuple[int, int]  # width, height
    projection: Projection
    field: FieldShape
    scale_is_assumed: bool  # True when nobody gave the width in mm
    way: CalibrationMethod
    error_mm: float | None  # rms distance between measurement and model; None without a measurement
    taken_at: str  # ISO 8601 with time zone
    checkers: CheckerProperties | None = None
    placement: Placement | None = None  # only with CalibrationMethod.POSITION
    reference: Reference | None = None
    appearance: Appearance | None = None
    notes: tuple[str, ...] = ()  # sentences for the user

    @property
    def error_share(self) -> float | None:
        """`error_mm` as a share of the field's width."""
        return None if self.error_mm is None else self.error_mm / self.field.width_mm


@dataclass(frozen=True, slots=True)
class Refusal:
    """No calibration was possible; `reason` is one sentence with the remedy."""

    reason: str


def scale_to_picture(calibration: Calibration, width_px: int, height_px: int) -> Calibration:
    """Scales a calibration to a larger or smaller picture of the same view.

    Raises WrongPictureSizeError when the aspect ratio differs, which means that the camera crops the view.
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
