"""The state of a die at rest, and whether two dice make a roll. Without dynamics, which are in `dice_throw.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.dice.readings import DieState
from vision.training.rendered.layout.board_shape import BoardShape
from vision.training.rendered.layout.board_size import Bar, BoardSize
from vision.training.rendered.tracing.arrays import Floats, Vector, vector

FACE_AXES: dict[int, Vector] = {
    1: (0.0, 0.0, 1.0),
    6: (0.0, 0.0, -1.0),
    2: (1.0, 0.0, 0.0),
    5: (-1.0, 0.0, 0.0),
    3: (0.0, 1.0, 0.0),
    4: (0.0, -1.0, 0.0),
}
TILT_LIMIT_DEG = 3.0  # a die at rest with a larger tilt is cocked
_RAISED_MM = 2.0  # a die this much above its height on the field stands on something


class ThrowOutcome(Enum):
    """OK, or the first reason in this order why a throw does not count; the values stand in the labels."""

    OK = "ok"
    NO_ROLL = "no_roll"
    ONE_DIE = "one_die"
    OFF_BOARD = "off_board"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    SPLIT_HALVES = "split_halves"


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDie:
    """A die at rest. `value` only when flat; `half` is left, right or None; `place` is board, tray or table."""

    centre_mm: Vector
    rotation: Floats  # (3, 3), of the die's own axes
    state: DieState
    up_face: int
    tilt_deg: float
    half: str | None
    place: str

    @property
    def value(self) -> int | None:
        return self.up_face if self.state is DieState.FLAT else None


@dataclass(frozen=True, slots=True)
class _Contacts:
    """What the die touches and where it is, in the terms of the rules."""

    supports: frozenset[str]
    is_raised: bool
    is_in_field: bool
    is_over_bar: bool

    def touches(self, kind: str) -> bool:
        return any(name.startswith(kind) for name in self.supports)


def find_up_face(rotation: Floats) -> tuple[int, float]:
    """(value, tilt in degrees) of the face nearest to upward."""
    face, height = max(
        ((face, float((rotation @ np.array(axis))[2])) for face, axis in FACE_AXES.items()), key=lambda item: item[1]
    )
    return face, float(np.degrees(np.arccos(np.clip(height, -1, 1))))


def upper_quad(die: PlacedDie, die_mm: float) -> tuple[Floats, Floats]:
    """((4, 3) corners, (3,) middle) of the upper face, in the world frame; edges count as sharp."""
    up = np.array(FACE_AXES[die.up_face])
    across = np.roll(np.abs(up), 1)
    along = np.cross(up, across)
    corners = np.array([up + a * across + b * along for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    centre = np.array(die.centre_mm)
    return centre + corners @ die.rotation.T * die_mm / 2, centre + die.rotation @ up * die_mm / 2


def judge_die(
    centre_mm: Floats, rotation: Floats, supports: frozenset[str], *, size: BoardSize, shape: BoardShape
) -> PlacedDie:
    """The state of one die. `supports` are the names of the things it touches."""
    face, tilt_deg = find_up_face(rotation)
    x, y, z = vector(centre_mm)
    is_in_field = abs(x) < size.field_width_mm / 2 and abs(y) < size.field_height_mm / 2
    is_over_bar = size.bar is not Bar.NONE and abs(x) < size.bar_width_mm / 2
    is_in_tray = not is_in_field and shape.is_within(x, y) and any(low < x < high for low, high in shape.trays_mm)
    half = ("left" if x < 0 else "right") if is_in_field and not is_over_bar else None
    place = "board"
    if not is_in_field and (is_in_tray or not shape.is_within(x, y) or z < -1):
        state, half, place = DieState.OFF_BOARD, None, "tray" if is_in_tray else "table"
    else:
        rest = _Contacts(supports, z > size.die_mm / 2 + _RAISED_MM, is_in_field, is_over_bar)
        state = _state_on_board(rest, tilt_deg)
    return PlacedDie((x, y, z), rotation, state, face, tilt_deg, half, place)


def _state_on_board(rest: _Contacts, tilt_deg: float) -> DieState:
    if tilt_deg > TILT_LIMIT_DEG:
        return DieState.COCKED
    if not rest.is_raised:
        is_on_field = rest.is_in_field and not rest.is_over_bar
        return DieState.FLAT if is_on_field else (DieState.ON_BAR if rest.is_over_bar else DieState.ON_RIM)
    if rest.touches("checker"):
        return DieState.ON_CHECKER
    if rest.is_over_bar:
        return DieState.ON_BAR
    if rest.touches("cube"):
        return DieState.ON_CHECKER
    if rest.is_in_field and not rest.touches("rim"):
        return DieState.COCKED  # level by chance, but leaning on something
    return DieState.ON_RIM


def judge_throw(dice: Sequence[PlacedDie]) -> ThrowOutcome:
    """A roll counts when both dice lie flat on the field in the same half."""
    if len(dice) < 2:
        return ThrowOutcome.ONE_DIE if dice else ThrowOutcome.NO_ROLL
    states = {die.state for die in dice}
    for reason in (
        ThrowOutcome.OFF_BOARD,
        ThrowOutcome.COCKED,
        ThrowOutcome.ON_CHECKER,
        ThrowOutcome.ON_BAR,
        ThrowOutcome.ON_RIM,
    ):
        if DieState(reason.value) in states:
            return reason
    return ThrowOutcome.OK if dice[0].half == dice[1].half else ThrowOutcome.SPLIT_HALVES
