"""Labels of dice in photographs of whole boards, with the four corners of the field and nothing else given.

The labels do not give the size of the dice: an edge is estimated from the width of a point.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.pictures.find_board import find_board_at_corners
from tests.benchmarks.boards import report
from tests.benchmarks.dice_labels import DiceLabel, DieLabel, labels_of_lines, throw_of
from vision.dice.readings import BoardHalf, DieState
from vision.errors import VisionError
from vision.geometry.calibration import Calibration, Refusal
from vision.geometry.projection import KnownBoard
from vision.pixels.picture_file import load_picture

DIE_POINTS = 0.35  # an edge in widths of a point: 14 of 40 mm


def photographed_boards(folder: Path) -> Iterator[DiceLabel]:
    """The labels of `labels.jsonl` whose board is found at its corners; others are reported. A die without a value is not scored."""
    yield from labels_of_lines(folder, _of_photograph)


def _of_photograph(folder: Path, content: Mapping[str, Any]) -> DiceLabel | None:
    found = _board(folder / content["image"], content)
    if found is None:
        return None
    board = KnownBoard(found.projection, found.field)
    dice = tuple(_die(die, board) for die in content["dice"])
    groups = (f"view: {content['view']}", f"board: {content['source'].split()[0]}")
    return DiceLabel(folder / content["image"], board, dice, throw=throw_of(dice), groups=groups)


def _board(image: Path, content: Mapping[str, Any]) -> Calibration | None:
    one, two, three, four = ((float(x_px), float(y_px)) for x_px, y_px in content["corners"])
    try:
        found = find_board_at_corners(load_picture(image), (one, two, three, four))
    except VisionError as error:
        report(f"{image}: {error}")
        return None
    if isinstance(found, Refusal):
        report(f"{image}: {found.reason}")
        return None
    return found


def _die(entry: Mapping[str, Any], board: KnownBoard) -> DieLabel:
    x_mm, _ = board.projection.to_board([(entry["x"], entry["y"])])[0]
    return DieLabel(
        face=entry["value"],
        state=DieState(entry["state"]),
        places_px=((float(entry["x"]), float(entry["y"])),),
        size_px=DIE_POINTS * board.field.pitch_mm * board.px_per_mm,
        half=BoardHalf.LEFT if 2 * x_mm < board.field.width_mm else BoardHalf.RIGHT,
        is_asked=entry["value"] is not None,
    )
