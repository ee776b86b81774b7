"""A simulated table as values: `TableStyle` never changes, `Arrangement` is what lies on the table now.

Nothing here knows players or rules: checkers are light or dark, places are T1..T12 (upper row, from left to right),
B1..B12, bar and off. Lengths are millimetres in the board frame of `scene.py`.
"""

from dataclasses import dataclass, replace
from enum import Enum

from vision.simulated.scene import PLACES, CheckerSide, Colour, Finish, Lamp, PipMarks, PointMm, Scene

BAR, OFF = "bar", "off"
EMPTY_POINTS: tuple[tuple[CheckerSide, ...], ...] = ((),) * 24
DARK_LEDS: tuple[Colour | None, ...] = (None,) * 24


class TableEdge(Enum):
    """The edge from which an arm reaches in."""

    BOTTOM = "bottom"
    TOP = "top"


@dataclass(frozen=True, slots=True)
class DieStyle:
    """One die of the table."""

    size_mm: float
    body: Colour
    pip: Colour
    marks: PipMarks
    is_western: bool = True


@dataclass(frozen=True, slots=True)
class Arm:
    """The hand and sleeve of the player at one edge."""

    skin: Colour
    sleeve: Finish
    sleeve_from_mm: float
    size: float
    left: bool
    seed: int


@dataclass(frozen=True, slots=True)
class TableStyle:
    """`scene` is the bare table: camera, board, light and photo, with dark LEDs and no pieces.

    Dice 0 and 1 are the pair usually thrown, the others are spare. `untidy_mm` is the spread of checkers around their
    spots.
    """

    scene: Scene
    dice: tuple[DieStyle, ...]
    cube: DieStyle
    bottom: Arm
    top: Arm
    untidy_mm: float
    per_layer: int
    light_at_bottom: bool
    seed: int

    def arm(self, edge: TableEdge) -> Arm:
        return self.bottom if edge is TableEdge.BOTTOM else self.top


@dataclass(frozen=True, slots=True)
class LooseChecker:
    """A checker that stands on no place: in a hand, or between points. `height_mm` is that of its underside.

    `grain` selects the texture and stays with the checker while it moves.
    """

    side: CheckerSide
    centre_mm: PointMm
    height_mm: float = 0.0
    turn_deg: float = 0.0
    grain: int = 0


@dataclass(frozen=True, slots=True)
class DiePose:
    """Die `number` of the style with the face `up` on top before it is tilted (see `scene.Die`)."""

    number: int
    up: int
    centre_mm: PointMm
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0
    way_deg: float = 0.0
    height_mm: float = 0.0
    smear_mm: PointMm = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class CubePose:
    """The doubling cube with `value` on top."""

    value: int
    centre_mm: PointMm
    yaw_deg: float = 0.0
    height_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand of the player at `edge`, its finger tips over `tip_mm`, the lowest `height_mm` above the field."""

    edge: TableEdge
    tip_mm: PointMm
    height_mm: float = 10.0
    from_deg: float | None = None  # direction of the arm (0: from the right, 90: from below); None: straight in


@dataclass(frozen=True, slots=True)
class Bump:
    """Displacement of the camera by a knock: shift over the table and up, turn, tilt."""

    shift_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn_deg: float = 0.0
    tilt_deg: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Daylight:
    """Change of the room's light since the exposure was locked: `level` 1 is unchanged; `warmth` lowers blue."""

    level: float = 1.0
    warmth: float = 0.0


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What lies on the table now. Stacks are listed from the lowest checker to the uppermost.

    `points` and `leds` go T1..T12, B1..B12. `off` holds checkers that are borne off or have not entered. In games
    without a bar `bar` holds the checkers that wait to enter. `lamps` are the lamps now; None: those of the style.
    """

    points: tuple[tuple[CheckerSide, ...], ...] = EMPTY_POINTS
    bar: tuple[CheckerSide, ...] = ()
    off: tuple[CheckerSide, ...] = ()
    loose: tuple[LooseChecker, ...] = ()
    dice: tuple[DiePose, ...] = ()
    cube: CubePose | None = None
    hands: tuple[HandPose, ...] = ()
    leds: tuple[Colour | None, ...] = DARK_LEDS
    bump: Bump = Bump()
    daylight: Daylight = Daylight()
    lamps: tuple[Lamp, ...] | None = None

    def stack(self, place: str) -> tuple[CheckerSide, ...]:
        """The stack of T1..B12, bar or off. Raises KeyError for another name."""
        if place == BAR:
            return self.bar
        return self.off if place == OFF else self.points[point_index(place)]

    def with_stack(self, place: str, stack: tuple[CheckerSide, ...]) -> "Arrangement":
        if place == BAR:
            return replace(self, bar=stack)
        if place == OFF:
            return replace(self, off=stack)
        number = point_index(place)
        return replace(self, points=(*self.points[:number], stack, *self.points[number + 1 :]))


def point_index(place: str) -> int:
    """0..23 of T1..B12. Raises KeyError for another name."""
    try:
        return PLACES.index(place)
    except ValueError:
        raise KeyError(place) from None
