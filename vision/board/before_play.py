"""What lay on the board before the first throw: painted stars, screws, inlay and letters that look like dice.

A thrown die hides what lies below it. A spot that looks as it did before the first throw therefore shows no thrown die,
whatever the networks say. The comparison is the correlation of grey levels, on which brightness and colour of the light
have no effect; it follows the board when the camera has moved.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.windows import DieSpot
from vision.field.drift import decode_reference
from vision.geometry.calibration import Calibration, Reference

# Statistical, on drawn boards in changing light: spots without a die correlate with 0.97 or more, those with a die on a
# painted mark with 0.89 or less. More takes a mark for a die in bad light, less hides a die that lands on a mark.
ALIKE = 0.9
REACH_EDGES = 0.6  # physical: half the side of the square that is compared, inside a die's outline in most directions
GRID = 11  # points along that side
LEAST_SPREAD = 2.0  # grey levels; a spot without contrast tells nothing

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class BoardBeforePlay:
    """Compares spots of one frame with the picture before the first throw. `shrink`: px of the frame a px of `now`."""

    reference: Reference
    calibration: Calibration  # of the frame
    now: Grey
    shrink: float

    def is_unchanged(self, spot: DieSpot) -> bool:
        """Whether the spot looks as it did before play."""
        steps = np.linspace(-REACH_EDGES, REACH_EDGES, GRID) * spot.size_px
        across, down = np.meshgrid(spot.centre_px[0] + steps, spot.centre_px[1] + steps)
        seen_px = np.column_stack([across.ravel(), down.ravel()])
        then_px = self.reference.projection.to_picture(self.calibration.projection.to_board(seen_px))
        then = _sample(_decode(self.reference), then_px, self.reference.shrink)
        return _correlate(then, _sample(self.now, seen_px, self.shrink)) >= ALIKE


def compare_with_before(
    pixels: NDArray[np.uint8], calibration: Calibration, reference: Reference
) -> Callable[[DieSpot], bool]:
    """The check of spots in a picture (h, w, 3) BGR, whose calibration is given; False for a spot that tells nothing."""
    height, width = _decode(reference).shape
    grey = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (width, height), interpolation=cv2.INTER_AREA)
    return BoardBeforePlay(reference, calibration, grey.astype(np.float32), pixels.shape[1] / width).is_unchanged


@lru_cache(maxsize=2)
def _decode(reference: Reference) -> Grey:
    """The picture before play; a single pixel when it is damaged, which resembles nothing."""
    return decode_reference(reference).astype(np.float32)


def _sample(grey: Grey, points_px: NDArray[np.float64], shrink: float) -> Grey:
    """(GRID**2,) levels at these points of the picture before its reduction."""
    x_px, y_px = ((points_px.T + 0.5) / shrink - 0.5).astype(np.float32)
    seen = cv2.remap(grey, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).ravel()


def _correlate(one: Grey, other: Grey) -> float:
    """-1..1; 0 where one of them has no contrast."""
    if min(one.std(), other.std()) < LEAST_SPREAD:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
