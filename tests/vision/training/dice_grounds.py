"""A plain board before a camera, to put dice on."""

import numpy as np

from vision.geometry.projection import FieldShape, Lens, Projection
from vision.training.drawn_dice.ground import Ground, Heights, scale_at

SIZE_PX = (640, 480)
HEIGHTS = Heights(checker_mm=8.0, bar_mm=10.0, rim_mm=12.0, rim_width_mm=20.0, table_mm=-10.0)
FIELD = FieldShape(480.0, 400.0, 220.0, 260.0)
PX_PER_MM = 1.0


def plain_ground(
    *, checkers_mm: tuple[tuple[float, float], ...] = (), things_mm: tuple[tuple[float, float, float], ...] = ()
) -> Ground:
    """The camera 700 mm above the middle, one pixel a millimetre; checkers of 40 mm stand at these places."""
    lens = Lens(700.0 * PX_PER_MM, (319.5, 239.5))
    homography = np.array([(PX_PER_MM, 0, 79.5), (0, PX_PER_MM, 39.5), (0, 0, 1)])
    projection = Projection.of(homography, lens)
    centres = np.array(checkers_mm, np.float64).reshape(-1, 2)
    tops = np.full(len(centres), HEIGHTS.checker_mm)
    things = np.array(things_mm, np.float64).reshape(-1, 3)
    return Ground(
        projection, FIELD, SIZE_PX, HEIGHTS, centres, np.full(len(centres), 20.0), tops,
        projection.to_picture(centres, tops) if len(centres) else centres,
        20.0 * scale_at(projection, centres, tops) if len(centres) else tops,
        np.ones(len(centres), np.bool_), things, things,
    )  # fmt: skip


def plain_picture(level: int = 128) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((SIZE_PX[1], SIZE_PX[0], 3), level, np.uint8)
