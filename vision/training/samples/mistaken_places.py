"""What the search takes for dice and is none, and what a glance does: pieces around such places teach the closer look to say so."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from vision.dice.proposals import (
    OTHER_PX_PER_MM,
    PX_PER_MM,
    FinderLimits,
    find_dice,
    glance_at,
    something,
    surest_apart,
)
from vision.dice.windows import DieSpot
from vision.training.samples.die_truth import DiceCrop, DieTruth
from vision.training.samples.picture_store import load, load_dice
from vision.training.samples.rendered_dice import crop_around, known_board

APART = 0.9  # edges; what is nearer to a die may well be it
EVERYTHING = FinderLimits(least_score=0.1, most_spots=10)
# Where one die is alone, fainter places are looked at in all sizes, some forty a picture: what a glance sees there counts.
FAINTER = FinderLimits(least_score=0.1, most_spots=40)
SEEN = 0.1


def mistaken_crops(pictures: Sequence[Path]) -> Iterator[DiceCrop]:
    """Of pictures whose dice are known: a piece around each place that the dice finder wrongly points at.

    Of the fainter ones around those that a glance takes for something too.
    """
    for picture in pictures:
        pixels, truth = load(picture)
        if truth is None:
            continue
        board, dice = known_board(truth), load_dice(picture)
        plain = _without(dice, find_dice(pixels, board, EVERYTHING))
        fainter = [
            spot
            for scale in (PX_PER_MM, *OTHER_PX_PER_MM)
            for spot in find_dice(pixels, board, FAINTER, px_per_mm=scale)
        ]
        seen = [spot for spot in _without(dice, fainter) if something(glance_at(pixels, spot).kinds) >= SEEN]
        for spot in surest_apart([*plain, *seen], FAINTER):
            crop = crop_around(pixels, spot.centre_px, spot.size_px, board=board, dice=dice)
            if crop is not None:
                yield crop


def _without(dice: Sequence[DieTruth], spots: Sequence[DieSpot]) -> list[DieSpot]:
    return [spot for spot in spots if not any(spot.is_near(die.top_px, die.size_px, APART) for die in dice)]
