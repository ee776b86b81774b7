"""Crops with dice drawn into labelled pictures of boards."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.training.drawn_dice.candidates import DiceDrawOptions
from vision.training.drawn_dice.dice import draw_dice
from vision.training.drawn_dice.ground import make_ground
from vision.training.samples.die_truth import DiceCrop
from vision.training.samples.picture_store import load_labelled_board

CROP_OPTIONS = DiceDrawOptions(crop_px=(208, 208))  # room for the wider view of large dice
# Mostly the cube alone: numerals need many samples, and the other crops show the cube's neighbours.
CUBE_CROP_OPTIONS = replace(CROP_OPTIONS, counts=(0.6, 0.3, 0.1), cube_share=1.0)
CROPS_A_PICTURE = 6  # reading a picture costs more than drawing a die


def draw_crops(
    pictures: Sequence[Path], count: int, *, seed: int, first: int = 0, options: DiceDrawOptions = CROP_OPTIONS
) -> Iterator[DiceCrop]:
    """`count` crops with drawn dice. The pictures must have a board and labelled dice."""
    made = 0
    for turn in range(first, first + 4 * count):
        rng = np.random.default_rng([seed, turn])
        picture = pictures[int(rng.integers(len(pictures)))]
        pixels, truth = load_labelled_board(picture)
        ground = make_ground(picture, truth, rng)
        for _ in range(CROPS_A_PICTURE):
            crop = draw_dice(pixels, ground, rng, options)
            if crop is not None:
                yield crop
                made += 1
            if made == count:
                return
