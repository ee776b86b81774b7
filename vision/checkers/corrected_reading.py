"""What the network saw, corrected by what is known of the board: its appearance and the colours of its sides."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.appearance import apply_appearance, scale_confidence
from vision.checkers.colour_classes import (
    FaceColours,
    SideColours,
    classify_sides,
    find_place,
    fuse_face_counts,
    measure_face_colours,
)
from vision.checkers.network import PLACES, TOP_SCORE, CheckerTop, ViewReading
from vision.geometry.calibration import Calibration

LEAST_FILLED = 1e-6  # probability; a point that was surely empty before can hardly become emptier


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
    if known.appearance is not None:
        before = fuse_face_counts(of_network)
        seen = replace(seen, tops=weigh_faces(seen.tops, before.points[:, 0], seen.points[:, 0]))
    return CorrectedReading(scale_confidence(seen, known.appearance), faces)


def weigh_faces(
    tops: tuple[CheckerTop, ...], empty_before: NDArray[np.float32], empty_after: NDArray[np.float32]
) -> tuple[CheckerTop, ...]:
    """The faces, each less likely by as much as any checker on its point became.

    A carved seat that was learned to be empty is then no checker where something is compared with the places of checkers,
    as a die that lies on it. The arrays (24,) are log-probabilities of an empty point.
    """
    filled_before, filled_after = (-np.expm1(np.minimum(empty, 0.0)) for empty in (empty_before, empty_after))
    shares = np.minimum(filled_after / np.maximum(filled_before, LEAST_FILLED), 1.0).tolist()
    kept = []
    for top in tops:
        place = find_place(top.x_px, top.y_px)
        share = shares[place] if place is not None and place < PLACES else 1.0
        if share == 1.0:
            kept.append(top)
        elif top.score * share >= TOP_SCORE:
            kept.append(replace(top, score=top.score * share))
    return tuple(kept)


def get_side_colours(known: Calibration) -> SideColours | None:
    """The colours of the two sides, if the calibration measured both."""
    checkers = known.checkers
    if checkers is None or checkers.light is None or checkers.dark is None:
        return None
    return SideColours(checkers.light.lab_mean, checkers.dark.lab_mean)
