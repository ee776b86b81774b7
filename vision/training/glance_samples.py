"""From a crop around dice to what the glance sees of a spot, and what it should say of it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice_glance import glance_window
from vision.die_windows import PLANES, WINDOW_PX, place_window
from vision.training.dice_samples import FURTHER_AWAY, aim, answers_to_window, from_further_away, roughly_at
from vision.training.die_truth import DiceCrop
from vision.training.photo_effects import seen_otherwise
from vision.view_pixels import normalised

WORSE_CAMERA = 0.4  # share of samples
_BLANK = np.zeros((PLANES, WINDOW_PX, WINDOW_PX), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class GlanceSample:
    """NOT_ASKED or nan where there is no answer."""

    window: NDArray[np.float32]  # (3, GLANCE_PX, GLANCE_PX)
    kind: int
    shape: NDArray[np.float32]  # (3,): top x, y and log size, in edges of the spot


def glance_sample(crop: DiceCrop, rng: np.random.Generator) -> GlanceSample:
    if rng.random() < FURTHER_AWAY:
        crop = from_further_away(crop, rng)
    die = aim(crop, rng)
    spot = roughly_at(crop, die, rng)
    in_picture = answers_to_window(crop, die, place_window(spot, None), _BLANK)
    colours = seen_otherwise(glance_window(crop.pixels, spot).astype(np.float32), rng, worse_camera=WORSE_CAMERA)
    window = np.ascontiguousarray(normalised(colours).transpose(2, 0, 1))
    return GlanceSample(window, in_picture.kind, in_picture.shape[[2, 3, 6]])


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
