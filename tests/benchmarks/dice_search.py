"""How well the proposals point at dice, before anything classifies them: `python -m tests.benchmarks.dice_search [FOLDER…]`.

FOLDER holds rendered pictures of whole boards with their labels, by default ../shared/boards. Reported are the dice
plainly in view that lie near one of the first proposals, near a sure one, and near any; and how many of the first
proposals show neither die nor cube.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.board_scores import table
from tests.benchmarks.boards import loaded, report, show
from tests.benchmarks.dice import DEFAULT_FOLDER
from tests.benchmarks.dice_labels import CubeLabel, DiceLabel, DieLabel, rendered_labels
from tests.benchmarks.dice_scores import edges_away
from tests.benchmarks.dice_tables import READABLE_PX
from vision.dice.candidates import DiceLimits
from vision.dice.proposals import propose_dice
from vision.dice.windows import DieSpot

NEAR, WELL_PLACED = 0.6, 0.35  # edges, from the middle of the upper face or of the die
SURE = 0.5  # score
OF_A_DIE = 1.2  # edges; a proposal nearer to a die or cube belongs to it
LIMITS = DiceLimits()
COLUMNS = ("dice", "among the first", "well placed", "surely", "at all")


@dataclass(frozen=True, slots=True)
class ProposedDie:
    """Which proposals point at a die."""

    die: DieLabel
    first: bool
    well_placed: bool
    surely: bool
    at_all: bool


@dataclass(frozen=True, slots=True)
class SearchScore:
    """One picture: its dice, and how many of the first proposals show neither die nor cube, sure ones and all."""

    dice: tuple[ProposedDie, ...]
    false_sure: int
    false_first: int


def search_score(label: DiceLabel, spots: Sequence[DieSpot]) -> SearchScore:
    """Scores the proposals `spots`, the likeliest first, which are more than would be classified."""
    first = [spot for spot in spots[: LIMITS.proposals.most_spots] if spot.score >= LIMITS.min_first_score]
    things: list[DieLabel | CubeLabel] = [*label.dice]
    if label.cube is not None:
        things.append(label.cube)
    false = [spot for spot in first if not any(_away(spot, thing) < OF_A_DIE for thing in things)]
    return SearchScore(
        tuple(_proposed(die, spots, first) for die in label.dice if die.is_asked),
        sum(spot.score >= SURE for spot in false),
        len(false),
    )


def _proposed(die: DieLabel, spots: Sequence[DieSpot], first: Sequence[DieSpot]) -> ProposedDie:
    near = [spot for spot in first if _away(spot, die) < NEAR]
    return ProposedDie(
        die,
        first=bool(near),
        well_placed=any(_away(spot, die) < WELL_PLACED for spot in near),
        surely=any(spot.score >= SURE for spot in near),
        at_all=any(_away(spot, die) < NEAR for spot in spots),
    )


def _away(spot: DieSpot, thing: DieLabel | CubeLabel) -> float:
    return edges_away(spot.centre_px, thing.places_px, thing.size_px)


def score_rows(scores: Sequence[SearchScore]) -> Iterator[list[str]]:
    """One row for each kind of dice in the pictures."""
    dice = [die for score in scores for die in score.dice]
    kinds: dict[str, Callable[[DieLabel], bool]] = {
        "all": lambda _: True,
        "flat": lambda die: die.is_flat,
        "tilt > 10 degrees": lambda die: die.tilt_deg > 10,
        "neither": lambda die: not die.is_flat and die.tilt_deg <= 10,
        f"below {READABLE_PX:g} px": lambda die: die.size_px < READABLE_PX,
    }
    for name, belongs in kinds.items():
        here = [one for one in dice if belongs(one.die)]
        if here:
            shares = ([one.first, one.well_placed, one.surely, one.at_all] for one in here)
            yield [name, str(len(here)), *(f"{100 * share:.1f} %" for share in np.mean(list(shares), axis=0))]


def search_all(labels: Sequence[DiceLabel]) -> Iterator[SearchScore]:
    """Scores each picture; unreadable pictures are reported and left out."""
    more = replace(LIMITS.proposals, most_spots=LIMITS.proposals.most_spots + LIMITS.extra_spots)
    for label, pixels in loaded(labels):
        yield search_score(label, propose_dice(pixels, label.board, more))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.dice_search", description=__doc__)
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path, default=[DEFAULT_FOLDER])
    folders = parser.parse_args(argv).folders
    cv2.setNumThreads(1)
    for folder in folders:
        scores = list(search_all([label for label in rendered_labels(folder) if not label.border_px]))
        if not scores:
            report(f"{folder}: no labelled pictures of whole boards here; name a folder that has some")
            return 1
        show(table(f"{folder.name}: dice that the proposals point at", ["", *COLUMNS], score_rows(scores)))
        first, sure = np.mean([(score.false_first, score.false_sure) for score in scores], axis=0)
        show([f"  first proposals that show no die: {first:.2f} a picture, {sure:.2f} of them sure"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
