"""Hard negative mining: crops around places that proposals and filter take for dice wrongly."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from vision.dice.proposals import (
    OTHER_PX_PER_MM,
    PX_PER_MM,
    ProposalLimits,
    check_proposal,
    objectness,
    propose_dice,
    suppress_spots,
)
from vision.dice.windows import DieSpot
from vision.training.samples.die_truth import DiceCrop, DieTruth
from vision.training.samples.picture_store import load_dice, load_labelled
from vision.training.samples.rendered_crops import cut_crop_around, make_known_board

LEAST_DISTANCE_EDGES = 0.9  # edges; a nearer place may belong to the die
STRONG_PROPOSALS = ProposalLimits(least_score=0.1, most_spots=10)
# Faint proposals are checked at all scales, as the detector does when it has found a single die.
FAINT_PROPOSALS = ProposalLimits(least_score=0.1, most_spots=40)
LEAST_OBJECTNESS = 0.1


def mine_hard_negatives(pictures: Sequence[Path]) -> Iterator[DiceCrop]:
    """For pictures with labelled dice: a crop around each false proposal.

    Faint proposals count only when the proposal filter sees an object there.
    """
    for picture in pictures:
        pixels, truth = load_labelled(picture)
        if truth is None:
            continue
        board, dice = make_known_board(truth), load_dice(picture)
        plain = _drop_near_dice(dice, propose_dice(pixels, board, STRONG_PROPOSALS))
        fainter = [
            spot
            for scale in (PX_PER_MM, *OTHER_PX_PER_MM)
            for spot in propose_dice(pixels, board, FAINT_PROPOSALS, px_per_mm=scale)
        ]
        seen = [
            spot
            for spot in _drop_near_dice(dice, fainter)
            if objectness(check_proposal(pixels, spot).class_log_p) >= LEAST_OBJECTNESS
        ]
        for spot in suppress_spots([*plain, *seen], FAINT_PROPOSALS):
            crop = cut_crop_around(pixels, spot.centre_px, spot.size_px, board=board, dice=dice)
            if crop is not None:
                yield crop


def _drop_near_dice(dice: Sequence[DieTruth], spots: Sequence[DieSpot]) -> list[DieSpot]:
    return [
        spot for spot in spots if not any(spot.is_near(die.top_px, die.size_px, LEAST_DISTANCE_EDGES) for die in dice)
    ]
