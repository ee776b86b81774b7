"""From a crop around dice to what the glance sees of a spot, and what it should say of it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.proposals import make_check_window
from vision.dice.windows import place_window
from vision.pixels.normalise import normalise_planes
from vision.training.drawn_boards.photo_augmentation import augment_photo
from vision.training.samples.dice_samples import jitter_localisation, label_kind, label_shape
from vision.training.samples.die_truth import DiceCrop

DEGRADE_SHARE = 0.4  # share of samples
JITTER_EDGES, JITTER_LOG_SIZE = (0.08, 0.2, 0.35), (0.05, 0.15, 0.3)  # the search points between two dice that touch


@dataclass(frozen=True, slots=True, eq=False)
class ProposalFilterSample:
    """NOT_ASKED or nan where there is no answer."""

    window: NDArray[np.float32]  # (3, GLANCE_PX, GLANCE_PX)
    kind: int
    shape: NDArray[np.float32]  # (3,): top x, y and log size, in edges of the spot


def make_proposal_filter_sample(crop: DiceCrop, rng: np.random.Generator) -> ProposalFilterSample:
    crop, spot, die = jitter_localisation(crop, rng, jitter_edges=JITTER_EDGES, jitter_log_size=JITTER_LOG_SIZE)
    place = place_window(spot, None)
    colours = augment_photo(make_check_window(crop.pixels, spot).astype(np.float32), rng, degrade_share=DEGRADE_SHARE)
    window = normalise_planes(colours)
    return ProposalFilterSample(window, label_kind(crop, die, place), label_shape(crop, die, place)[[2, 3, 6]])


def augment_filter_orientation(sample: ProposalFilterSample, rng: np.random.Generator) -> ProposalFilterSample:
    """Mirrored and turned by quarters: a die may lie any way round."""
    window, shape = sample.window, sample.shape.copy()
    for axis, along in ((2, 0), (1, 1)):  # columns are x
        if rng.random() < 0.5:
            window = np.flip(window, axis)
            shape[along] *= -1
    if rng.random() < 0.5:
        window, shape = window.transpose(0, 2, 1), shape[[1, 0, 2]]
    return replace(sample, window=np.ascontiguousarray(window), shape=shape)
