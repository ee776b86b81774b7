"""From a crop with the doubling cube to the window that its number is read from."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.cube_number import CUBE_VALUES, number_window
from vision.dice.windows import WINDOW_PX, DieSpot
from vision.geometry.projection import KnownBoard
from vision.pixels.normalise import normalised_planes
from vision.training.drawn_boards.photo_effects import seen_otherwise
from vision.training.samples.dice_samples import UNKNOWN_BOARD, WELL_SEEN, from_further_away
from vision.training.samples.die_truth import DiceCrop, DieTruth

# As the looks measured 97 cubes on rendered boards and in windows: 0.05 to 0.4 edges off, and 0.57 to 1.15 times as large.
OFF_EDGES = (0.04, 0.1, 0.2)  # standard deviations, one of each for every sample
MEASURED, LOG_SIZE = 0.8, 0.18
FURTHER_AWAY, WORSE_CAMERA = 0.4, 0.4  # shares of samples
TURNS = 4  # of one window: to draw and disturb it costs more than to turn it


def cube_samples(crop: DiceCrop, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.float32], int]]:
    """Planes of `cube_number` and which of CUBE_VALUES they show, turned by any angle, never mirrored; none without a cube.

    Of whole rendered pictures nobody knows how much of the cube is seen.
    """
    if rng.random() < FURTHER_AWAY:
        crop = from_further_away(crop, rng)
    cubes = [
        die for die in crop.dice if die.cube_value is not None and die.visible >= WELL_SEEN and crop.holds(die.top_px)
    ]
    if not cubes:
        return
    cube = cubes[0]
    board: KnownBoard | None = None if rng.random() < UNKNOWN_BOARD else crop.board
    window = number_window(crop.pixels, _measured(cube, rng), board).astype(np.float32)
    window = seen_otherwise(window, rng, worse_camera=WORSE_CAMERA)
    for _ in range(TURNS):
        yield (
            normalised_planes(_turned(window, float(rng.uniform(0, 360)))),
            CUBE_VALUES.index(int(cube.cube_value or 0)),
        )


def _measured(cube: DieTruth, rng: np.random.Generator) -> DieSpot:
    off = rng.normal(0, rng.choice(OFF_EDGES) * cube.size_px, 2)
    size = MEASURED * cube.size_px * float(np.exp(rng.normal(0, LOG_SIZE)))
    return DieSpot((cube.top_px[0] + float(off[0]), cube.top_px[1] + float(off[1])), size, 1.0)


def _turned(window: NDArray[np.float32], angle_deg: float) -> NDArray[np.float32]:
    middle = (WINDOW_PX - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), angle_deg, 1.0)
    return np.asarray(cv2.warpAffine(window, turn, (WINDOW_PX, WINDOW_PX), borderMode=cv2.BORDER_REPLICATE), np.float32)
