"""The exact labels of drawn dice."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import Contact, DieState
from vision.geometry.projection import Points, Projection
from vision.training.drawn_dice.faces import Values
from vision.training.drawn_dice.light import Body
from vision.training.drawn_dice.resting_poses import RestingBody, tilt_deg

PointPx = tuple[float, float]
VectorMm = tuple[float, float, float]
_ROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))


class DrawnKind(Enum):
    """A doubling cube has numerals instead of pips."""

    DIE = "die"
    CUBE = "cube"


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """Pixels are those of the crop; board frame: x right, y down, z up from the field.

    `value` is on the face nearest to upward: 1 to 6, or a doubling cube's number. `quad_px` are that face's sharp
    corners, clockwise in the picture from the one with the least x + y. `visible` is the unhidden share of the body's
    outline inside the crop, `top_visible` that of the upper face alone.
    """

    kind: DrawnKind
    value: int
    state: DieState
    contact: Contact
    tilt_deg: float
    normal: VectorMm  # of the upper face, unit
    middle_mm: VectorMm  # of the body: x, y, height
    base_mm: tuple[float, float]  # middle of the face opposite to the upper one
    base_height_mm: float
    size_mm: float
    yaw_deg: float  # of the body's edges about the vertical, 0 to 90
    centre_px: PointPx  # of the body's middle
    top_px: PointPx  # of the upper face's middle
    quad_px: tuple[PointPx, PointPx, PointPx, PointPx]
    visible: float
    top_visible: float
    moving_px: float  # displacement during the exposure


@dataclass(frozen=True, slots=True, eq=False)
class DrawnDice:
    """A crop: its pixel (x, y) is (x + offset x, y + offset y) of the whole picture enlarged by `scale`."""

    pixels: NDArray[np.uint8]  # (h, w, 3) BGR
    offset_px: tuple[int, int]
    scale: float
    projection: Projection  # from the board to the crop's pixels
    dice: tuple[DrawnDie, ...]


def upper_face(body: Body) -> int:
    """Number of the face nearest to upward, as in `faces`."""
    axis = int(np.abs(body.rotation[2]).argmax())
    return 2 * axis + int(body.rotation[2, axis] < 0)


def project_to_crop(projection: Projection, points_mm: NDArray[np.float64]) -> Points:
    """(n, 2) pixels of (3, n) places on the board."""
    return projection.to_picture(points_mm[:2].T, points_mm[2])


def upper_corners_mm(body: Body) -> NDArray[np.float64]:
    """(3, 4) sharp corners of the upper face, in order round it."""
    axis, is_minus = divmod(upper_face(body), 2)
    half = body.shape.half_mm
    corners = np.empty((3, 4))
    others = [index for index in range(3) if index != axis]
    corners[others] = np.array(_ROUND, np.float64).T * half
    corners[axis] = -half if is_minus else half
    return np.asarray(body.rotation @ corners + body.middle_mm[:, None])


def label_die(
    rest: RestingBody,
    values: Values,
    kind: DrawnKind,
    projection: Projection,
    *,
    visible: tuple[float, float],
    moving_px: float,
) -> DrawnDie:
    body = rest.body
    face = upper_face(body)
    normal = body.rotation[:, face // 2] * (-1 if face % 2 else 1)
    half = body.shape.half_mm
    base = body.middle_mm - half * normal
    quad = project_to_crop(projection, upper_corners_mm(body))
    marked = project_to_crop(projection, np.column_stack([body.middle_mm, body.middle_mm + half * normal]))
    other = body.rotation[:, (face // 2 + 1) % 3]
    return DrawnDie(
        kind=kind,
        value=values[face],
        state=rest.state,
        contact=rest.contact,
        tilt_deg=tilt_deg(body),
        normal=(float(normal[0]), float(normal[1]), float(normal[2])),
        middle_mm=(float(body.middle_mm[0]), float(body.middle_mm[1]), float(body.middle_mm[2])),
        base_mm=(float(base[0]), float(base[1])),
        base_height_mm=float(base[2]),
        size_mm=body.shape.size_mm,
        yaw_deg=float(np.degrees(np.arctan2(other[1], other[0])) % 90),
        centre_px=_pair(marked[0]),
        top_px=_pair(marked[1]),
        quad_px=_order_clockwise(quad),
        visible=visible[0],
        top_visible=visible[1],
        moving_px=moving_px,
    )


def _pair(values: NDArray[np.float64]) -> PointPx:
    return float(values[0]), float(values[1])


def _order_clockwise(quad: Points) -> tuple[PointPx, PointPx, PointPx, PointPx]:
    x, y = quad.T
    if float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) < 0:  # y points down: a positive area is clockwise
        quad = quad[::-1]
    first = int(quad.sum(axis=1).argmin())
    a, b, c, d = (_pair(corner) for corner in np.roll(quad, -first, axis=0))
    return a, b, c, d
