"""Whether the points of both rows are equally long, as they are on every board.

An arm along a rim, or a tray, may look like a side of the field, straight and clear. What lies between is then cut short,
and so are the points of one row. Seen in the straight-down view, where each point has its place.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import POINTS_A_HALF
from vision.geometry.top_view import FIELD_ROWS_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_WIDTH_PX

NORMAL_SPREAD = 1.48  # from a median deviation to a standard one


@dataclass(frozen=True, slots=True)
class TipSearch:
    """Where a point's tip is looked for, and when two rows differ. Depths are counted from the row's own side."""

    least_depth_px: int = 70  # a fifth of the field
    most_depth_px: int = round(0.48 * FIELD_ROWS_PX)  # points are shorter; behind lie those of the other row
    window_px: int = 12  # before and behind the tip, whose colours are compared
    strip_px: int = 3  # to either side of a point's middle
    smoothing_px: float = 1.2
    most_difference: float = 0.12  # of the points' length; a side that is off by 3 % of the width changes it by 10 %
    least_spreads: float = 4.0  # that the rows' medians must be apart to be different


def rows_differ(view: NDArray[np.uint8], search: TipSearch | None = None) -> bool:
    """Whether the points of one row are clearly longer than those of the other. `view` as vision.geometry.top_view makes it."""
    search = search or TipSearch()
    smooth = cv2.GaussianBlur(view, (0, 0), search.smoothing_px).astype(np.float64)
    upper, lower = tip_depths_px(smooth, search), tip_depths_px(smooth[::-1], search)
    apart = abs(float(np.median(upper) - np.median(lower)))
    length = float(np.median(upper) + np.median(lower)) / 2
    spread = float(np.hypot(_spread_of_median(upper), _spread_of_median(lower)))
    return apart > search.most_difference * length and apart > search.least_spreads * spread


def tip_depths_px(smooth: NDArray[np.float64], search: TipSearch) -> NDArray[np.float64]:
    """(12,): how far from the view's upper side each point of that row ends: where the colour changes most."""
    rows = smooth[MARGIN_PX:]
    depths = np.arange(search.least_depth_px, search.most_depth_px)
    tips = []
    for left in (MARGIN_PX, VIEW_WIDTH_PX - MARGIN_PX - HALF_PX):
        for point in range(POINTS_A_HALF):
            middle = left + point * PITCH_PX + PITCH_PX // 2
            strip = np.median(rows[:, middle - search.strip_px : middle + search.strip_px], axis=1)
            sums = np.vstack([np.zeros(3), np.cumsum(strip, axis=0)])
            before = sums[depths] - sums[depths - search.window_px]
            behind = sums[depths + search.window_px] - sums[depths]
            tips.append(depths[np.linalg.norm(behind - before, axis=1).argmax()])
    return np.array(tips, np.float64)


def _spread_of_median(values: NDArray[np.float64]) -> float:
    deviation = NORMAL_SPREAD * float(np.median(np.abs(values - np.median(values))))
    return max(deviation, 1.0) / float(np.sqrt(len(values)))
