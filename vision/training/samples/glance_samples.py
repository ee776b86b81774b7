"""From a crop around dice to what the glance sees of a spot, and what it should say of it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.proposals import glance_window
from vision.dice.windows import place_window
from vision.pixels.normalise import normalised_planes
from vision.training.drawn_boards.photo_effects import seen_otherwise
from vision.training.samples.dice_samples import found_roughly, kind_in_window, shape_in_window
from vision.training.samples.die_truth import DiceCrop

WORSE_CAMERA = 0.4  # share of samples
OFF_EDGES, OFF_LOG_SIZE = (0.08, 0.2, 0.35), (0.05, 0.15, 0.3)  # the search points between two dice that touch


@dataclass(frozen=True, slots=True, eq=False)
class GlanceSample:
    """NOT_ASKED or nan where there is no answer."""

    window: NDArray[np.float32]  # (3, GLANCE_PX, GLANCE_PX)
    kind: int
    shape: NDArray[np.float32]  # (3,): top x, y and log size, in edges of the spot


def glance_sample(crop: DiceCrop, rng: np.random.Generator) -> GlanceSample:
    crop, spot, die = found_roughly(crop, rng, off_edges=OFF_EDGES, off_log_size=OFF_LOG_SIZE)
    place = place_window(spot, None)
    colours = seen_otherwise(glance_window(crop.pixels, spot).astype(np.float32), rng, worse_camera=WORSE_CAMERA)
    window = normalised_planes(colours)
    return GlanceSample(window, kind_in_window(crop, die, place), shape_in_window(crop, die, place)[[2, 3, 6]])


def turned_glance(sample: GlanceSample, rng: np.random.Generator) -> GlanceSample:
    """Mirrored and turned by quarters: a die may lie any way round."""
    window, shape = sample.window, sample.shape.copy()
    for axis, along in ((2, 0), (1, 1)):  # columns are x
        if rng.random() < 0.5:
            window = np.flip(window, axis)
            shape[along] *= -1
    if rng.random() < 0.5:
        window, shape = window.transpose(0, 2, 1), shape[[1, 0, 2]]
    return replace(sample, window=np.ascontiguousarray(window), shape=shape)
