"""Dice on photographs of boards: which readable ones are read; a table of `frames`.

A die is readable if its label gives a value. It is read if a reading at its place has an accepted value.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.pictures.find_board import find_board_at_corners
from tests.benchmarks.board_photographs import DIE_POINTS
from tests.benchmarks.board_scores import ratio
from tests.benchmarks.boards import report
from tests.benchmarks.dice_scores import paired
from vision.board.read_board import read_board
from vision.dice.readings import DieReading
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.calibration import Refusal
from vision.geometry.projection import KnownBoard
from vision.pixels.picture_file import load_picture

# Labels mark dice somewhere on what shows of them, readings the upper face; their size is estimated too.
LABEL_EDGES = 1.5


@dataclass(frozen=True, slots=True)
class FrameDie:
    """A readable die of a photograph and what was read at its place."""

    name: str
    face: int
    size_px: float  # estimated from the width of a point
    read: DieReading | None

    @property
    def value(self) -> int | None:
        return None if self.read is None else self.read.accepted_value

    @property
    def sentence(self) -> str:
        seen = "not found" if self.read is None else f"read {self.read.value} ({self.read.value_confidence:.3f})"
        return f"{self.name}: {self.face}, {self.size_px:.0f} px: {seen}"


@dataclass(frozen=True, slots=True)
class FrameDice:
    """The readable dice of photographs, and the values read where no die is labelled, as sentences."""

    dice: tuple[FrameDie, ...]
    strays: tuple[str, ...]


def score_dice(labels: Path, pictures: Path, left_out: tuple[str, ...]) -> FrameDice:
    """Reads the photographs of `more.jsonl` with the corners of their labels."""
    dice: list[FrameDie] = []
    strays: list[str] = []
    for line in labels.read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        file = pictures / content["repo"].replace("/", "+") / content["path"]
        if content["board"].startswith(left_out) or not file.is_file():
            continue
        corners = [(float(x_px), float(y_px)) for x_px, y_px in content["corners"]]
        try:
            picture = load_picture(file)
            found = find_board_at_corners(picture, (corners[0], corners[1], corners[2], corners[3]))
        except VisionError as error:
            report(f"{file}: {error}")
            continue
        if isinstance(found, Refusal):
            report(f"{file}: {found.reason}")
            continue
        read = read_board(Frame(picture, 0), found).dice
        edge_px = DIE_POINTS * found.field.pitch_mm * KnownBoard(found.projection, found.field).px_per_mm
        labelled = content["dice"]
        places = [((float(die["x"]), float(die["y"])),) for die in labelled]
        pairs = paired(places, [LABEL_EDGES * edge_px] * len(places), read)
        for order, die in enumerate(labelled):
            if die["value"] is not None:
                own = read[pairs[order]] if order in pairs else None
                dice.append(FrameDie(f"{content['board']}, {file.name}", die["value"], edge_px, own))
        strays += [
            f"{content['board']}, {file.name}: {die.accepted_value} read at {die.centre_px[0]:.0f}, {die.centre_px[1]:.0f}"
            for order, die in enumerate(read)
            if order not in set(pairs.values()) and die.accepted_value is not None
        ]
    return FrameDice(tuple(dice), tuple(strays))


DICE_COLUMNS = ("dice", "read right", "read wrong", "not read", "not found")


def dice_cells(dice: Sequence[FrameDie]) -> list[str]:
    """The cells under DICE_COLUMNS."""
    right = sum(die.value == die.face for die in dice)
    answered = sum(die.value is not None for die in dice)
    missing = sum(die.read is None for die in dice)
    return [
        str(len(dice)),
        f"{right} ({ratio(right, len(dice), 1)})",
        *map(str, (answered - right, len(dice) - answered, missing)),
    ]


def dice_sentences(found: FrameDice) -> list[str]:
    """The dice that are not read rightly, and values read where no die is."""
    return [*(die.sentence for die in found.dice if die.value != die.face), *found.strays]
