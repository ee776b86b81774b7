"""The exact labels of drawn dice."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import Contact
from vision.geometry.projection import Points, Projection
from vision.training.drawn_dice.faces import Values
from vision.training.drawn_dice.light import Body
from vision.training.drawn_dice.resting_poses import RestingBody, tilt_deg
from vision.training.samples.die_truth import DieTruth, PointPx

_ROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))


class DrawnKind(Enum):
    """A doubling cube has numerals instead of pips."""

    DIE = "die"
    CUBE = "cube"


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
    rest: RestingBody, values: Values, kind: DrawnKind, projection: Projection, *, visible: float
) -> DieTruth:
    """`visible` is the unhidden share of the upper face; `projection` leads to the crop's pixels."""
    body = rest.body
    face = upper_face(body)
    normal = body.rotation[:, face // 2] * (-1 if face % 2 else 1)
    half = body.shape.half_mm
    base = body.middle_mm - half * normal
    marked = project_to_crop(projection, np.column_stack([body.middle_mm, body.middle_mm + half * normal]))
    is_die = kind is DrawnKind.DIE
    return DieTruth(
        face=values[face] if is_die else None,
        state=rest.state,
        tilt_deg=tilt_deg(body),
        normal=_pair(normal),
        base_mm=_pair(base),
        base_height_mm=float(base[2]),
        size_mm=body.shape.size_mm,
        top_px=_pair(marked[1]),
        quad_px=_order_clockwise(project_to_crop(projection, upper_corners_mm(body))),
        visible=visible,
        touches_checker=rest.contact is Contact.CHECKER,
        cube_value=None if is_die else values[face],
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
