"""A simulated scene as values. `drawing.draw.draw` renders it and `truth.compute_truth` labels it.

Lengths are millimetres in the board frame: origin in the top-left corner of the playing field, x right, y down, heights
up from the playing surface. Colours are sRGB, red first, 0..1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

Colour = tuple[float, float, float]
PointMm = tuple[float, float]
# Paints on a sheet in place: (uint8 BGR pixels, px per mm, where the origin of the board lies on it in mm).
SheetPainter = Callable[[Any, float, PointMm], None]

PLACES = tuple(f"{row}{column}" for row in "TB" for column in range(1, 13))


class CheckerSide(Enum):
    """The side whose tops have the higher mean luma is the light one, whatever its hue."""

    LIGHT = "light"
    DARK = "dark"


class SurfacePattern(Enum):
    """The pattern of a surface."""

    PLAIN = "plain"
    WOOD = "wood"
    FELT = "felt"
    LEATHER = "leather"
    CORK = "cork"
    MARBLE = "marble"
    WEAVE = "weave"
    CARPET = "carpet"
    SPECKLE = "speckle"
    PAPER = "paper"
    PLANKS = "planks"
    TILES = "tiles"
    STRIPES = "stripes"
    CHEQUER = "chequer"
    FLOWERS = "flowers"
    BURL = "burl"
    TWILL = "twill"
    TERRAZZO = "terrazzo"
    SWIRL = "swirl"


class PointShape(Enum):
    """The outline of a point, from the rim to its tip."""

    STRAIGHT = "straight"
    LANCET = "lancet"
    CURVED = "curved"
    ROUNDED = "rounded"
    TRUNCATED = "truncated"
    STRIPED = "striped"
    BOTTLE = "bottle"
    STEPPED = "stepped"


class CheckerProfile(Enum):
    """The turned profile of a checker's top."""

    FLAT = "flat"
    BEVEL = "bevel"
    DISH = "dish"
    DOME = "dome"
    GROOVE = "groove"
    RINGS = "rings"
    RIM = "rim"


class Print(Enum):
    """What is stamped on a checker's top."""

    NONE = "none"
    STAR = "star"
    LETTER = "letter"
    CIRCLE = "circle"
    SPOKES = "spokes"
    DOT = "dot"


class ThingKind(Enum):
    """Objects beside and on the board."""

    COIN = "coin"
    RING = "ring"
    PEN = "pen"
    PAPER = "paper"
    PHONE = "phone"
    CUP = "cup"
    GLASS = "glass"
    BOX = "box"
    CABLE = "cable"
    BOARD = "board"
    CHESSBOARD = "chessboard"
    KEYBOARD = "keyboard"
    CLOTH = "cloth"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class Finish:
    """A surface: the pattern blends `colour` with `second` by up to `contrast`; `gloss` is its reflectance.

    With `picture`, the path of an image file, its pixels replace the pattern: their mean becomes `colour`, their
    deviations from it are scaled by `contrast`.
    """

    material: SurfacePattern = SurfacePattern.PLAIN
    colour: Colour = (0.5, 0.5, 0.5)
    second: Colour = (0.4, 0.4, 0.4)
    contrast: float = 0.5
    scale: float = 1.0
    angle_deg: float = 0.0
    gloss: float = 0.2
    seed: int = 0
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Camera:
    """Maps board (x, y, height) by `rotation` @ (x, y, -height) + `translation_mm`, z forward; then OpenCV's k1, k2.

    Pixel coordinates count from the centre of the top-left pixel.
    """

    size_px: tuple[int, int]
    focal_px: float
    centre_px: tuple[float, float]
    rotation: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    translation_mm: tuple[float, float, float]
    k1: float = 0.0
    k2: float = 0.0


@dataclass(frozen=True, slots=True)
class PointStyle:
    """`base` is the width as a share of the pitch, `length` as a share of the field's height."""

    shape: PointShape
    base: float
    length: float
    first: Finish
    second: Finish
    alternate: bool = True
    start: int = 0
    outline: Colour | None = None
    outline_mm: float = 0.0
    filled: bool = True
    gap_mm: float = 0.0
    tip_dot: Colour | None = None


@dataclass(frozen=True, slots=True)
class Ornament:
    """Painted or screwed onto the field or the bar."""

    kind: str  # star, text, circle, lines, screw, hinge, frame; or outline, whose text gives its length in y
    centre_mm: PointMm
    size_mm: float
    angle_deg: float
    colour: Colour
    text: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """`bar_mm` is the span of the bar, empty without one; `margin_mm` lies left and right in each half.

    `uneven` scales the brightness waves and stains of the ground, `crease_mm` holds the x of a sheet's folds. `corner`
    is the colour of metal caps on the box's corners. A bar of height 0 is only painted. Without a rim (`rim_width_mm`
    0) the printed sheet extends by `sheet_mm`. `decorate` paints on the field below the bar,
    `decorate_rim` on the rim.
    """

    field_mm: tuple[float, float]
    bar_mm: tuple[float, float]
    field: Finish
    points: PointStyle
    bar: Finish
    rim: Finish
    inner: Finish
    margin_mm: float = 0.0
    bar_height_mm: float = 0.0
    bar_seam: bool = False
    rim_width_mm: float = 20.0
    rim_height_mm: float = 15.0
    sheet_mm: float = 0.0
    depth_mm: float = 25.0
    trays_mm: tuple[float, float] = (0.0, 0.0)
    tray: Finish | None = None
    tray_cells: int = 1
    corner: Colour | None = None
    border: Colour | None = None
    border_mm: float = 0.0
    ornaments: tuple[Ornament, ...] = ()
    uneven: float = 0.0
    crease_mm: tuple[float, ...] = ()
    decorate: SheetPainter | None = None
    decorate_rim: SheetPainter | None = None

    @property
    def pitch_mm(self) -> float:
        return (self.bar_mm[0] - 2 * self.margin_mm) / 6

    def point_x_mm(self, column: int) -> float:
        """The middle of column 0..11."""
        start = self.margin_mm if column < 6 else self.bar_mm[1] + self.margin_mm
        return start + (column % 6 + 0.5) * self.pitch_mm


@dataclass(frozen=True, slots=True)
class CheckerStyle:
    """The style of one side's checkers: `wear` is their spread in tone, `edge` the colour of rim and side.

    `decorate` paints on the picture of a top after all else; `opacity` below 1 lets the ground shine through.
    """

    finish: Finish
    profile: CheckerProfile = CheckerProfile.BEVEL
    print: Print = Print.NONE
    print_colour: Colour = (0.8, 0.7, 0.2)
    print_size: float = 0.5
    edge: Colour | None = None
    text: str = ""
    wear: float = 0.0
    decorate: Callable[[Any], None] | None = None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Checker:
    """`height_mm` is the height of the underside; `lean` is the rise of the top per mm in x and in y.

    `grain` selects the texture; None: the place selects it.
    """

    side: CheckerSide
    place: str  # T1..B12, bar or off
    layer: int
    centre_mm: PointMm
    height_mm: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    grain: int | None = None


@dataclass(frozen=True, slots=True)
class PipMarks:
    """Lengths as shares of half the die's edge: distance of the outer pips from the middle, pip radius, edge rounding.

    `ace` is the factor on the radius of the one's pip.
    """

    spread: float
    radius: float
    rounding: float
    ace: float = 1.0


@dataclass(frozen=True, slots=True)
class Die:
    """A die, or with `text` instead of pips a doubling cube.

    `yaw_deg` turns the level die; then `tilt_deg` turns it about a level axis so that its upper face leans towards
    `way_deg`. Together they give every orientation. `centre_mm` is the position of the body's middle, `height_mm` the
    height of its lowest corner. A die without `marks` stays level, whatever its tilt.
    """

    centre_mm: PointMm
    size_mm: float
    yaw_deg: float
    faces: tuple[int, int, int]  # up, towards its own +x, towards its own +y
    body: Colour
    pip: Colour
    height_mm: float = 0.0
    text: str = ""
    tilt_deg: float = 0.0
    way_deg: float = 0.0
    marks: PipMarks | None = None
    smear_mm: PointMm = (0.0, 0.0)  # displacement during the exposure


@dataclass(frozen=True, slots=True)
class SmallThing:
    """Lies on the field or beside the board; `height_mm` is the height of the underside."""

    thing: ThingKind
    centre_mm: PointMm
    size_mm: tuple[float, float]
    angle_deg: float
    finish: Finish
    height_mm: float = 0.0
    tall_mm: float = 2.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """The finger tips are near `tip_mm`; the arm comes from `from_deg` (0: from the right, 90: from below)."""

    tip_mm: PointMm
    from_deg: float
    skin: Colour
    sleeve: Finish
    sleeve_from_mm: float
    height_mm: float = 25.0
    size: float = 1.0
    spread: float = 0.3
    curl: float = 0.3
    left: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lamp:
    """`spread` is its angular radius seen from the board, in radians; it sets the softness of shadows.

    `patches` are bands of light as from a window frame or a blind: direction (degrees), period (mm), lit share.
    """

    at_mm: tuple[float, float, float]
    colour: Colour
    strength: float
    spread: float = 0.05
    mirrored: float = 1.0
    patches: tuple[float, float, float] | None = None
    panes: tuple[int, int] = (1, 1)


@dataclass(frozen=True, slots=True)
class Led:
    """`colour` is None while the LED is dark."""

    at_mm: tuple[float, float, float]
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class Photo:
    """The camera's processing; levels are shares of full scale. A `jpeg` quality above 100 skips the coding."""

    exposure: float = 1.0
    white_balance: Colour = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    contrast: float = 0.3
    gamma: float = 2.2
    black: float = 0.0
    vignette: float = 0.1
    haze: float = 0.0
    clarity: float = 0.0
    defocus_px: float = 0.6
    motion_px: float = 0.0
    motion_deg: float = 0.0
    shot_noise: float = 0.01
    read_noise: float = 0.005
    chroma_noise: float = 0.5
    noise_grain_px: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 85
    resample: float = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """`board` is None in pictures without a board."""

    camera: Camera
    board: Board | None
    light: CheckerStyle
    dark: CheckerStyle
    table: Finish
    photo: Photo
    checker_diameter_mm: float = 30.0
    checker_thickness_mm: float = 8.0
    checkers: tuple[Checker, ...] = ()
    dice: tuple[Die, ...] = ()
    things: tuple[SmallThing, ...] = ()
    hands: tuple[Hand, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    ambient: Colour = (0.5, 0.5, 0.5)
    occlusion: float = 0.5
    leds: tuple[Led, ...] = ()
    seed: int = 0

    @property
    def table_height_mm(self) -> float:
        return 0.0 if self.board is None else -self.board.depth_mm

    def checker_style(self, side: CheckerSide) -> CheckerStyle:
        return self.light if side is CheckerSide.LIGHT else self.dark
