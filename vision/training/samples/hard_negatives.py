"""Hard negative mining: crops around places that the search or the dice network takes for dice wrongly."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.dice.classification import classify_spot, objectness
from vision.dice.proposals import ProposalLimits, propose_dice
from vision.dice.windows import DieSpot
from vision.geometry.projection import KnownBoard
from vision.training.samples.die_truth import DiceCrop, DieTruth
from vision.training.samples.picture_store import load_dice, load_labelled
from vision.training.samples.rendered_crops import cut_crop_around, make_known_board

LEAST_DISTANCE_EDGES = 0.9  # edges; a nearer place may belong to the die
PROPOSALS = ProposalLimits(least_score=0.1, most_spots=40)
STRONG_PROPOSALS = 10  # number of the surest of a picture, which count in any case
LEAST_OBJECTNESS = 0.1


def mine_hard_negatives(pictures: Sequence[Path]) -> Iterator[DiceCrop]:
    """For pictures with labelled dice: a crop around each false proposal.

    Fainter proposals count only where the published dice network sees an object.
    """
    for picture in pictures:
        pixels, truth = load_labelled(picture)
        if truth is None:
            continue
        board, dice = make_known_board(truth), load_dice(picture)
        for rank, spot in enumerate(propose_dice(pixels, board, PROPOSALS)):
            if _is_near_a_die(spot, dice) or (rank >= STRONG_PROPOSALS and not _shows_an_object(pixels, spot, board)):
                continue
            crop = cut_crop_around(pixels, spot.centre_px, spot.size_px, board=board, dice=dice)
            if crop is not None:
                yield crop


def _is_near_a_die(spot: DieSpot, dice: Sequence[DieTruth]) -> bool:
    return any(spot.is_near(die.top_px, die.size_px, LEAST_DISTANCE_EDGES) for die in dice)


def _shows_an_object(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard) -> bool:
    found = classify_spot(pixels, spot, board)
    return found is not None and objectness(found.output) >= LEAST_OBJECTNESS
