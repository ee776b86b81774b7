"""How honest a calibration with a known position is: `python -m tests.benchmarks.known_positions PICTURES`.

Each photograph whose label gives all 24 points is told its position: as a start position of a game where it is one, and as
places of the picture, found by itself and at the corners of the label. Then single places are told wrongly, which must be
refused. PICTURES is the folder that `tests.benchmarks.frames` reads.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from controller.adjudication import start_occupancy
from controller.pictures.find_board import KnownPosition, find_board, find_board_at_corners
from controller.rules import RULESETS
from tests.benchmarks.board_labels import BoardLabel, Picture
from tests.benchmarks.board_scores import corner_score, picture_score, ratio, table
from tests.benchmarks.boards import DEFAULT_REAL
from tests.benchmarks.frames import (
    corners_of,
    load_first_photographs,
    load_photographs,
    occupancy_of,
)
from vision.board.read_board import read_board
from vision.field.position_calibration import LEAST_CHECKERS, orient_occupancy
from vision.frame import Frame
from vision.geometry.calibration import Calibration, CalibrationMethod, Placement, Refusal
from vision.pixels.picture_file import load_picture
from vision.places import POINTS, Colour, Place

OFF_SHARE = 0.015  # of the width: a corner further off is wrong
SEED = 5
Occupancy = Mapping[Place, tuple[Colour, int]]


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of one photograph and what came of it."""

    board: str
    name: str
    way: str
    answer: Calibration | Refusal
    worst_share: float = 0.0  # of the corners
    wrong: tuple[str, ...] = ()  # places that are read otherwise than labelled

    @property
    def is_accepted(self) -> bool:
        """Whether the position was used; a start position that is not used leaves the board alone."""
        return isinstance(self.answer, Calibration) and self.answer.way is CalibrationMethod.POSITION


def find_start(occupancy: Occupancy) -> Occupancy | None:
    """The start position of a game that stands there in some placement."""
    for rules in RULESETS.values():
        start = start_occupancy(rules)
        if start and any(orient_occupancy(start, placement) == occupancy for placement in Placement):
            return start
    return None


def falsify(occupancy: Occupancy, rng: random.Random) -> dict[Place, tuple[Colour, int]]:
    """One stack with a checker too few or too many, without any, or a checker on an empty point."""
    told = dict(occupancy)
    place = rng.choice(sorted(told, key=POINTS.index))
    colour, count = told[place]
    match rng.randrange(4):
        case 0 if count > 1:
            told[place] = (colour, count - 1)
        case 1 if count < 5:
            told[place] = (colour, count + 1)
        case 2:
            told[rng.choice([other for other in POINTS if other not in told])] = (colour, 1)
        case _:
            del told[place]
    return told


def tell_all(board: str, picture: Picture, label: BoardLabel, rng: random.Random, n_false: int) -> Iterator[Told]:
    """Every way to tell the position of one photograph, then `n_false` wrong positions at the label's corners."""
    occupancy, corners = occupancy_of(label), corners_of(label)
    if sum(count for _, count in occupancy.values()) < LEAST_CHECKERS:
        return
    start = find_start(occupancy)
    answers: list[tuple[str, Calibration | Refusal]] = []
    if start is not None:
        answers.append(("start position of the game", find_board(picture, start=KnownPosition(start))))
    there = KnownPosition(occupancy, is_certain=True, is_upright=True)
    answers.append(("places of the picture", find_board(picture, start=there)))
    answers.append(("places, corners given", find_board_at_corners(picture, corners, start=there)))
    for _ in range(n_false):
        false = KnownPosition(falsify(occupancy, rng), is_certain=True, is_upright=True)
        answers.append(("one place told wrongly", find_board_at_corners(picture, corners, start=false)))
    for way, answer in answers:
        yield _judge(board, picture, label, way, answer)


def _judge(board: str, picture: Picture, label: BoardLabel, way: str, answer: Calibration | Refusal) -> Told:
    if isinstance(answer, Refusal):
        return Told(board, label.image.name, way, answer)
    found = answer.projection.to_picture(answer.field.corners_mm)
    corners = corner_score(label, found, answer.way.value)
    read = picture_score(label, read_board(Frame(picture, 0), answer), half_turned=corners.half_turned)
    return Told(board, label.image.name, way, answer, corners.worst_share or 0.0, tuple(read.wrong))


COLUMNS = ("told", "accepted", "of these, a place read wrong", "a corner off by > 1.5 %")


def cells(told: Sequence[Told]) -> list[str]:
    """The cells under COLUMNS."""
    accepted = [one for one in told if one.is_accepted]
    off = sum(one.worst_share > OFF_SHARE for one in accepted)
    wrong = sum(bool(one.wrong) for one in accepted)
    return [str(len(told)), ratio(len(accepted), len(told), 1), str(wrong), str(off)]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.known_positions", description=__doc__)
    parser.add_argument("pictures", metavar="PICTURES", type=Path, help="the folder that extract.py wrote")
    parser.add_argument("--false", metavar="N", type=int, default=3, help="wrong positions for each photograph")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    rng = random.Random(SEED)
    results: list[Told] = []
    photographs = [
        *load_photographs(DEFAULT_REAL / "more.jsonl", options.pictures),
        *load_first_photographs(DEFAULT_REAL),
    ]
    for photograph in photographs:
        if len(photograph.label.points) < len(POINTS):
            continue
        for told in tell_all(
            photograph.board, load_picture(photograph.label.image), photograph.label, rng, options.false
        ):
            results.append(told)
            reason = told.answer.reason if isinstance(told.answer, Refusal) else "" if told.is_accepted else "not used"
            words = reason or f"accepted, corners {told.worst_share:.1%} off; {', '.join(told.wrong) or 'all right'}"
            print(f"  {told.board}, {told.name}, {told.way}: {words}", flush=True)
    rows = {way: cells([one for one in results if one.way == way]) for way in dict.fromkeys(one.way for one in results)}
    for line in table("known positions", COLUMNS, rows):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
