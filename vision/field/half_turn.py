"""Whether a known board lies before a moved camera as its corners say, or turned by half a turn.

The points of a board look alike after half a turn; its grain, stains and prints do not. Points that are empty in the
picture of the calibration and in the new one are compared, each with itself and with its counterpart. Checkers say nothing,
because they move.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers import read_view
from vision.field.drift import decode_reference
from vision.geometry.calibration import Reference
from vision.geometry.projection import FieldShape, Projection
from vision.geometry.top_view import BAR_PX, FIELD_ROWS_PX, MARGIN_PX, PITCH_PX, view_map
from vision.places import POINTS

Picture = NDArray[np.uint8]
# Statistical: standard deviations of the signed-rank sum, which chance exceeds in one of 1,000 comparisons. On 40 pairs of
# photographs of the development set (labels within 1 % of the width) 2 are decided, both rightly; the largest against is 2.1.
LEAST_Z = 3.3
EMPTY_FROM = 0.9  # least probability of an empty point; others are left out
IN_VIEW_FROM = 0.8
SMOOTHING_PX = 1.5  # the picture of the calibration is reduced, and its grain blurred
REACH_PX = 4  # largest shift between the two views, about an eighth of a point
LEAST_SPREAD = 1.0  # grey levels; a plain surface has no grain to compare


@dataclass(frozen=True, slots=True)
class TurnEvidence:
    """`z`, in standard deviations, is positive for a board that lies as its corners say, negative for one that is turned."""

    z: float

    @property
    def is_decided(self) -> bool:
        return abs(self.z) >= LEAST_Z

    @property
    def is_turned(self) -> bool:
        return self.z <= -LEAST_Z


def measure_half_turn(pixels: Picture, projection: Projection, reference: Reference, field: FieldShape) -> TurnEvidence:
    """Compares a picture (h, w, 3) whose field lies at `projection` with the picture of the calibration of the same field."""
    then = _view_reference(reference, field)
    now = view_map(projection, field).warp(pixels)
    empty_now = _find_empty(now)
    is_empty = _find_empty(then) & empty_now & empty_now[::-1]
    same, turned = _compare(then, now), _compare(then, np.ascontiguousarray(now[::-1, ::-1]))
    return TurnEvidence(_rank_signs((same - turned)[is_empty].ravel()))


def _rank_signs(gains: NDArray[np.float64]) -> float:
    """The sum of signed ranks in standard deviations (Wilcoxon, "Individual comparisons by ranking methods", 1945).

    Ranks keep a few points with much grain from outweighing all others.
    """
    gains = gains[gains != 0]
    count = len(gains)
    ranks = np.argsort(np.argsort(np.abs(gains))) + 1
    return float((np.sign(gains) * ranks).sum() / np.sqrt(max(1, count * (count + 1) * (2 * count + 1) / 6)))


def _view_reference(reference: Reference, field: FieldShape) -> Picture:
    reduced = cv2.cvtColor(decode_reference(reference), cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)
    return view_map(reference.projection.scale(1 / reference.shrink), field).warp(reduced)


def _find_empty(view: Picture) -> NDArray[np.bool_]:
    """(24,): the points that are surely empty and in full view."""
    reading = read_view(view)
    return (np.exp(reading.points[:, 0]) > EMPTY_FROM) & (reading.visible[: len(POINTS)] >= IN_VIEW_FROM)


def _compare(one: Picture, other: Picture) -> NDArray[np.float64]:
    """(24, 2): the correlation of both halves of each point of two views, at the best of small shifts."""
    first, second = (
        cv2.GaussianBlur(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), SMOOTHING_PX)
        for view in (one, other)
    )
    half_px = FIELD_ROWS_PX // 4
    alike = np.zeros((len(POINTS), 2))
    for point in range(len(POINTS)):
        column, row = point % 12, point // 12
        left = MARGIN_PX + column * PITCH_PX + (BAR_PX if column >= 6 else 0)
        for half in range(2):
            top = MARGIN_PX + (2 * row + half) * half_px
            patch = first[top + REACH_PX : top + half_px - REACH_PX, left + REACH_PX : left + PITCH_PX - REACH_PX]
            around = second[top : top + half_px, left : left + PITCH_PX]
            if min(patch.std(), around.std()) >= LEAST_SPREAD:
                alike[point, half] = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED).max()
    return alike
