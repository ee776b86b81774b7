"""What the network saw, corrected by what is known of the board: its appearance and the colours of its sides."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers.appearance import apply_appearance, scale_confidence
from vision.checkers.colour_classes import (
    FaceColours,
    SideColours,
    classify_sides,
    fuse_face_counts,
    measure_face_colours,
)
from vision.checkers.network import ViewReading
from vision.geometry.calibration import Calibration


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedReading:
    """The corrected likelihoods, and the upper faces with their colours."""

    seen: ViewReading
    faces: FaceColours


def correct_reading(view: NDArray[np.uint8], of_network: ViewReading, known: Calibration) -> CorrectedReading:
    """Corrects what the network read in `view`, the straight-down view of `known`.

    `of_network` says nothing about a bar that the board does not have.
    """
    seen = apply_appearance(of_network, known.appearance)
    faces = measure_face_colours(view, seen.tops)
    seen = fuse_face_counts(classify_sides(faces, seen, get_side_colours(known)))
    return CorrectedReading(scale_confidence(seen, known.appearance), faces)


def get_side_colours(known: Calibration) -> SideColours | None:
    """The colours of the two sides, if the calibration measured both."""
    checkers = known.checkers
    if checkers is None or checkers.light is None or checkers.dark is None:
        return None
    return SideColours(checkers.light.lab_mean, checkers.dark.lab_mean)
