"""Samples for the network that reads the doubling cube: windows and numbers."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.cube_number import CUBE_VALUES, make_number_window
from vision.dice.windows import WINDOW_PX, DieSpot
from vision.geometry.projection import KnownBoard
from vision.pixels.normalise import normalise_planes
from vision.training.drawn_boards.photo_augmentation import augment_photo
from vision.training.samples.dice_samples import UNCALIBRATED_SHARE, WELL_VISIBLE, downscale_crop
from vision.training.samples.die_truth import DiceCrop, DieTruth

# The localisation error of detected cubes: 0.05 to 0.4 edges, and 0.57 to 1.15 times the true size.
JITTER_EDGES = (0.04, 0.1, 0.2)  # standard deviations, one of each for every sample
SIZE_FACTOR, JITTER_LOG_SIZE = 0.8, 0.18
DOWNSCALE_SHARE, DEGRADE_SHARE = 0.4, 0.4  # shares of samples
ORIENTATIONS = 4  # samples from one window: drawing a window costs more than turning it


def make_cube_samples(crop: DiceCrop, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.float32], int]]:
    """Planes of `cube_number` and the index in CUBE_VALUES, at any rotation, never mirrored; none without a cube.

    Labels of whole rendered pictures do not say how much of the cube is visible.
    """
    if rng.random() < DOWNSCALE_SHARE:
        crop = downscale_crop(crop, rng)
    seen = (die for die in crop.dice if die.visible >= WELL_VISIBLE and crop.holds(die.top_px))
    cube = next((die for die in seen if die.cube_value is not None), None)
    if cube is None:
        return
    board: KnownBoard | None = None if rng.random() < UNCALIBRATED_SHARE else crop.board
    window = make_number_window(crop.pixels, _jitter_spot(cube, rng), board).astype(np.float32)
    window = augment_photo(window, rng, degrade_share=DEGRADE_SHARE)
    for _ in range(ORIENTATIONS):
        turned = _rotate(window, float(rng.uniform(0, 360)))
        yield normalise_planes(turned), CUBE_VALUES.index(int(cube.cube_value or 0))


def _jitter_spot(cube: DieTruth, rng: np.random.Generator) -> DieSpot:
    off = rng.normal(0, rng.choice(JITTER_EDGES) * cube.size_px, 2)
    size = SIZE_FACTOR * cube.size_px * float(np.exp(rng.normal(0, JITTER_LOG_SIZE)))
    return DieSpot((cube.top_px[0] + float(off[0]), cube.top_px[1] + float(off[1])), size, 1.0)


def _rotate(window: NDArray[np.float32], angle_deg: float) -> NDArray[np.float32]:
    middle = (WINDOW_PX - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), angle_deg, 1.0)
    return np.asarray(cv2.warpAffine(window, turn, (WINDOW_PX, WINDOW_PX), borderMode=cv2.BORDER_REPLICATE), np.float32)
