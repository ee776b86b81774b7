"""How well photographs of boards are read that the reader never saw: `python -m tests.benchmarks.frames PICTURES`.

PICTURES holds the pictures that `more.jsonl` of ../shared/real_boards labels, as its `extract.py` writes them. All
figures are means over boards, so that a board with many pictures counts once. An unknown place counts as not right.

Found corners are compared with `frame_corners.jsonl`: two measurements by eye in enlarged cuts, made without each other
and without a detector. Of a photograph's worst corner, in widths of the field: the two differ by 0.5 % at the median
(4.9 % on the nardy board, else 1.8 % at most), and the corners of `more.jsonl` are off from their mean by 1.8 % at the
median and by 9.8 % at most. The eight frames of the printed board were measured once, since its camera hardly moved.
Scalloped seats and painted edges leave open by 1 % where a field ends.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.pictures.find_board import BoardLocation, KnownPosition, find_board_at_corners, locate_board
from controller.pictures.picture_options import Corners
from tests.benchmarks.board_labels import BoardLabel, Picture, photograph_label
from tests.benchmarks.board_scores import (
    FOUND_SHARE,
    SURE,
    CornerScore,
    PictureScore,
    picture_score,
    ratio,
    table,
    unread,
)
from tests.benchmarks.boards import DEFAULT_REAL, read_alone, read_at_corners, report
from tests.benchmarks.frame_dice import DICE_COLUMNS, dice_cells, dice_sentences, score_dice
from vision.board.read_board import read_board
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal
from vision.pixels.picture_file import load_picture
from vision.places import POINTS, Colour, Place

# Boards that no figure counts: a hand-held film from three metres away, and a rendering that is sold as a photograph.
LEFT_OUT = ("street nardy", "image023")
CLOSE_SHARE = 0.01  # of the width: corners within it leave the places right
RIM_SHARE = 0.01  # of the width: a board of which less is seen beyond the field counts as cut by the picture
MEASURED_CORNERS = Path(__file__).with_name("frame_corners.jsonl")


@dataclass(frozen=True, slots=True)
class Photograph:
    """A labelled photograph and the board that it shows."""

    board: str
    label: BoardLabel
    measured: BoardLabel  # with the corners as they were measured again

    def has_rim(self, picture: Picture) -> bool:
        """Whether the picture reaches beyond the field by RIM_SHARE on every side."""
        corners = self.measured.corners_px
        from_sides = np.hstack([corners, (picture.shape[1] - 1, picture.shape[0] - 1) - corners])
        return bool((from_sides >= RIM_SHARE * self.measured.width_px).all())


def _load_measured() -> dict[tuple[str, str], NDArray[np.float64]]:
    """By repository and path: corners (4, 2) in px, the mean of both measurements."""
    lines = map(json.loads, MEASURED_CORNERS.read_text(encoding="utf-8").splitlines())
    return {(line["repo"], line["path"]): np.mean(line["measured"], axis=0) for line in lines}


def load_photographs(labels: Path, pictures: Path) -> list[Photograph]:
    """The labelled photographs of `more.jsonl` that are there; others are reported."""
    found, corners = [], _load_measured()
    for line in labels.read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        if content["board"].startswith(LEFT_OUT):
            continue
        file = pictures / content["repo"].replace("/", "+") / content["path"]
        if file.is_file():
            label = photograph_label(file, content, content["board"])
            measured = replace(label, corners_px=corners[content["repo"], content["path"]])
            found.append(Photograph(content["board"], label, measured))
        else:
            report(f"{file}: not here")
    return found


def load_first_photographs(folder: Path) -> list[Photograph]:
    """The photographs of `labels.jsonl`, which are all read rightly and serve learning only."""
    found = []
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        label = photograph_label(folder / content["image"], content, content["board"])
        found.append(Photograph(content["board"], label, label))
    return found


@dataclass(frozen=True, slots=True)
class FrameScore:
    """The readings of one photograph."""

    board: str
    given: PictureScore  # with the corners of the label
    measured: PictureScore  # with the corners as they were measured again
    alone: PictureScore  # with the corners that were found
    corners: CornerScore
    has_rim: bool


def score_photographs(photographs: Iterable[Photograph]) -> list[FrameScore]:
    scores = []
    for photograph in photographs:
        try:
            picture = load_picture(photograph.label.image)
        except VisionError as error:
            report(f"{photograph.label.image}: {error}")
            continue
        corners, alone = read_alone(picture, photograph.measured)
        given, measured = (read_at_corners(picture, label) for label in (photograph.label, photograph.measured))
        scores.append(FrameScore(photograph.board, given, measured, alone, corners, photograph.has_rim(picture)))
    return scores


@dataclass(frozen=True, slots=True)
class Learned:
    """Boards with several photographs: each one read as it is, and with what another one of its board taught."""

    plain: list[tuple[str, PictureScore]]
    learned: list[tuple[str, PictureScore]]
    refused: list[str]  # photographs whose known position did not prove the calibration

    @property
    def worse(self) -> int:
        """Readings with more wrong places than without learning."""
        pairs = zip(self.plain, self.learned, strict=True)
        return sum(_count_wrong(after) > _count_wrong(before) for (_, before), (_, after) in pairs)


def _count_wrong(score: PictureScore) -> int:
    return sum(not place.is_right for place in score.places)


def score_learning(photographs: Sequence[Photograph]) -> Learned:
    """Leave-one-out: each photograph of a board teaches, and all others of the board are read, corners given."""
    result = Learned([], [], [])
    for board in sorted({photograph.board for photograph in photographs}):
        own = [photograph.label for photograph in photographs if photograph.board == board]
        if len(own) < 2:
            continue
        pictures = [load_picture(label.image) for label in own]
        plain = [read_at_corners(*pair) for pair in zip(pictures, own, strict=True)]
        for teacher, (picture, label) in enumerate(zip(pictures, own, strict=True)):
            known = _learn(picture, label)
            if known is None:
                result.refused.append(f"{board}, {label.image.name}")
                continue
            for other in (other for other in range(len(own)) if other != teacher):
                result.plain.append((board, plain[other]))
                result.learned.append((board, _read_learned(pictures[other], own[other], known)))
    return result


def _learn(picture: Picture, label: BoardLabel) -> Calibration | None:
    """The calibration that this photograph teaches; None if its position is not known whole, or is refused."""
    if len(label.points) < len(POINTS):
        return None
    start = KnownPosition(occupancy_of(label), is_certain=True, is_upright=True)
    known = find_board_at_corners(picture, corners_of(label), start=start)
    return known if isinstance(known, Calibration) else None


def occupancy_of(label: BoardLabel) -> dict[Place, tuple[Colour, int]]:
    """What the label says that stands on the points; an empty one is missing."""
    return {
        Place(name): (Colour(place.answer[0]), place.answer[1])
        for name, place in label.points.items()
        if place.answer[1]
    }


def _read_learned(picture: Picture, label: BoardLabel, known: Calibration) -> PictureScore:
    found = locate_board(picture, BoardLocation(known, corners_of(label)))
    if isinstance(found, Refusal):
        return unread(label, found.reason)
    return picture_score(label, read_board(Frame(picture, 0), found))


def corners_of(label: BoardLabel) -> Corners:
    one, two, three, four = ((float(x_px), float(y_px)) for x_px, y_px in label.corners_px)
    return one, two, three, four


def mean_over_boards(values: Iterable[tuple[str, float]]) -> float:
    """The mean of the boards' means; NaN without a value."""
    boards: dict[str, list[float]] = {}
    for board, value in values:
        boards.setdefault(board, []).append(value)
    return float(np.mean([np.mean(own) for own in boards.values()])) if boards else float("nan")


def place_cells(scores: Sequence[tuple[str, PictureScore]]) -> list[str]:
    """The cells under PLACE_COLUMNS, from (board, score)."""
    right = mean_over_boards((board, float(np.mean([p.is_right for p in own.places]))) for board, own in scores)
    whole = mean_over_boards((board, float(all(p.is_right for p in own.places))) for board, own in scores)
    seen = [place for _, own in scores for place in own.places]
    sure = [place for place in seen if place.confidence >= SURE]
    sure_right = sum(place.is_right for place in sure)
    return [
        str(len(scores)),
        str(len({board for board, _ in scores})),
        f"{100 * right:.1f} %",
        f"{100 * whole:.1f} %",
        f"{sum(not place.is_right for place in seen)} of {len(seen)}",
        ratio(len(sure), len(seen), 1),
        f"{ratio(sure_right, len(sure))} ({len(sure) - sure_right} wrong)",
    ]


PLACE_COLUMNS = ("pictures", "boards", "places", "whole", "wrong", "sure >= 0.99", "of these right")


def corner_cells(scores: Sequence[FrameScore]) -> list[str]:
    """The cells under CORNER_COLUMNS."""
    accepted = [score for score in scores if score.corners.mean_share is not None]
    found = [score for score in accepted if score.corners.is_found]
    close = [score for score in found if (score.corners.worst_share or 0.0) <= CLOSE_SHARE]
    off = [score for score in accepted if (score.corners.worst_share or 0.0) > FOUND_SHARE]
    return [str(len(scores)), ratio(len(found), len(scores), 1), ratio(len(close), len(found), 1), str(len(off))]


CORNER_COLUMNS = ("pictures", "found", "of these within 1 %", "off by > 3 % and accepted")


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.frames", description=__doc__)
    parser.add_argument("pictures", metavar="PICTURES", type=Path, help="the folder that extract.py wrote")
    parser.add_argument(
        "--wrong", action="store_true", help="name the places and dice that are wrong with the corners given"
    )
    parser.add_argument("--learn", action="store_true", help="learn each board from one photograph, read its others")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    photographs = load_photographs(DEFAULT_REAL / "more.jsonl", options.pictures)
    if not photographs:
        report(f"{options.pictures}: no labelled photograph is here; fetch the repositories and run extract.py")
        return 1
    scores = score_photographs(photographs)
    rows = {
        "corners given": place_cells([(score.board, score.given) for score in scores]),
        "measured again": place_cells([(score.board, score.measured) for score in scores]),
        "corners found": place_cells([(score.board, score.alone) for score in scores if not score.alone.error]),
    }
    _show(table("photographs, mean over boards", PLACE_COLUMNS, rows))
    in_picture = [score for score in scores if score.has_rim]
    rows = {"all": corner_cells(scores), "rim in the picture": corner_cells(in_picture)}
    _show(table("corners found without help", CORNER_COLUMNS, rows))
    dice = score_dice(DEFAULT_REAL / "more.jsonl", options.pictures, LEFT_OUT)
    _show(table("readable dice, corners given", DICE_COLUMNS, {"all": dice_cells(dice.dice)}))
    print(f"  values read where no die is labelled: {len(dice.strays)}")
    if options.learn:
        learned = score_learning([*photographs, *load_first_photographs(DEFAULT_REAL)])
        rows = {"as they are": place_cells(learned.plain), "learned from another": place_cells(learned.learned)}
        _show(table("boards with several photographs, corners given", PLACE_COLUMNS, rows))
        print(f"  worse than without learning: {learned.worse}; refused as teachers: {len(learned.refused)}")
        for refused in learned.refused:
            print(f"    {refused}")
    if options.wrong:
        _show(f"  {sentence}" for sentence in dice_sentences(dice))
        for score in scores:
            if score.given.wrong:
                print(f"  {score.board}, {score.given.name}: {'; '.join(score.given.wrong)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
