"""What the search takes for dice and is none: pieces around such places teach the closer look to say so."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from vision.dice_finder import FinderLimits, find_dice
from vision.training.die_truth import DiceCrop
from vision.training.picture_store import load, load_dice
from vision.training.rendered_dice import crop_around, known_board

APART = 0.9  # edges; what is nearer to a die may well be it
EVERYTHING = FinderLimits(least_score=0.1, most_spots=10)


def mistaken_crops(pictures: Sequence[Path]) -> Iterator[DiceCrop]:
    """Of pictures whose dice are known: a piece around each place that the dice finder wrongly points at."""
    for picture in pictures:
        pixels, truth = load(picture)
        if truth is None:
            continue
        board, dice = known_board(truth), load_dice(picture)
        for spot in find_dice(pixels, board, EVERYTHING):
            if not any(spot.is_near(die.top_px, die.size_px, APART) for die in dice):
                crop = crop_around(pixels, spot.centre_px, spot.size_px, board=board, dice=dice)
                if crop is not None:
                    yield crop
