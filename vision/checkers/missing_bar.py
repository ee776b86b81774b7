"""Readings of a board without a bar.

The straight-down view has a strip for the bar on every board. Without a bar it shows the inner halves of the four
points beside it once more, so whatever the network finds there stands on those points.
"""

from dataclasses import replace

import numpy as np

from vision.checkers.network import CELL_PX, COUNTS, NMS_CELLS, PLACES, CheckerTop, ViewReading
from vision.geometry.projection import FieldShape
from vision.geometry.top_view import BAR_PX, HALF_PX, MARGIN_PX, columns_mm, to_view

_STRIP_FROM_PX, _STRIP_TO_PX = MARGIN_PX + HALF_PX - 0.5, MARGIN_PX + HALF_PX + BAR_PX - 0.5


def remove_missing_bar(reading: ViewReading, field: FieldShape) -> ViewReading:
    """The reading without what the strip of the bar says, if the field has no bar.

    A face in the strip goes to the point it stands on, unless that point shows the same face itself.
    """
    if field.has_bar:
        return reading
    on_points = [top for top in reading.tops if not _is_in_strip(top)]
    for top in filter(_is_in_strip, reading.tops):
        moved = _move_to_point(top, field)
        if all(np.hypot(moved.x_px - other.x_px, moved.y_px - other.y_px) > NMS_CELLS * CELL_PX for other in on_points):
            on_points.append(moved)
    visible = reading.visible.copy()
    visible[PLACES] = 0.0
    flat = np.full(COUNTS, -np.log(COUNTS), np.float32)
    return replace(reading, bar_light=flat, bar_dark=flat, visible=visible, tops=tuple(on_points))


def _is_in_strip(top: CheckerTop) -> bool:
    return _STRIP_FROM_PX <= top.x_px < _STRIP_TO_PX


def _move_to_point(top: CheckerTop, field: FieldShape) -> CheckerTop:
    columns = columns_mm(field)
    x_mm = float(np.interp(top.x_px, np.arange(len(columns)), columns))
    return replace(top, x_px=float(to_view([(x_mm, 0.0)], field)[0, 0]))
