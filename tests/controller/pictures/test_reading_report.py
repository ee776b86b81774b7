"""What `calibrate` says of a board that it learned, from the sample photograph of a start position."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.pictures.reading_report import ReadingReport, report_lines, rotate_report
from tests.controller.subcommands.called import Program
from vision.board.weak_places import BoardAppraisal, Weakness, WeakPlace
from vision.pixels.picture_file import load_picture
from vision.places import Colour, Place

START = Path(__file__).parents[2] / "vision" / "pictures" / "start.jpg"
EMPTY, ONE_LIGHT = (Colour.NONE, 0), (Colour.LIGHT, 1)
GLARE = WeakPlace(Place.T8, EMPTY, 0.4, ONE_LIGHT, 0.5, Weakness.GLARE, 0.061)
FACES = WeakPlace(Place.B3, (Colour.DARK, 2), 0.8, (Colour.DARK, 1), 0.2, Weakness.FACES, 1.0)


def test_a_start_position_is_learned(tmp_path: Path, zarbiter: Program) -> None:
    """All points are right, dice are small in this picture, and the overlay shows it."""
    call = ["calibrate", START, "--game", "backgammon", "-o", tmp_path / "c.json", "--overlay", tmp_path / "seen"]
    printed = zarbiter(*call)
    assert "24 of 24 points of this picture are read as they stand" in printed.out
    (drawn,) = (tmp_path / "seen").iterdir()
    assert drawn.name == "calibration-reading.jpg"
    shown, picture = load_picture(drawn), load_picture(START)
    assert shown.shape[0] > picture.shape[0]  # by the strip with the sentences
    assert np.abs(shown[: picture.shape[0]].astype(int) - picture).max() > 100
    reading = json.loads(zarbiter(*call, "--json").out)["reading"]
    assert (reading["learned"]["right"], reading["covered"]) == (24, [])


def test_the_sentences() -> None:
    appraisal = BoardAppraisal((GLARE,), (FACES,), 23, 22)
    assert list(report_lines(ReadingReport(13.4, (Place.T1, Place.T2), appraisal))) == [
        "The board was learned from this position: 23 of 24 points of this picture are read as they stand, 22 without it.",
        "  weak: T8 (empty) is read as 1 light, 50% likely: glare on 6% of it",
        "  sure by learning: B3 (2 dark) resembled 1 dark, 20% likely: only 1 of its upper faces stand out",
        "Something covers T1, T2; take it away, or bring it into the picture, and calibrate again.",
        "A die is about 13 px wide; move the camera nearer or use a larger picture until it has 18.",
    ]


@pytest.mark.parametrize(
    ("die_px", "words"),
    [(13.9, ["move the camera nearer"]), (14.0, ["which is little"]), (17.9, ["which is little"]), (18.0, [])],
)
def test_the_size_of_a_die(die_px: float, words: list[str]) -> None:
    lines = list(report_lines(ReadingReport(die_px)))
    assert len(lines) == len(words)
    assert all(word in line for word, line in zip(words, lines, strict=True))


def test_only_the_worst_places_are_named() -> None:
    lines = list(report_lines(ReadingReport(20, (), BoardAppraisal(tuple([GLARE] * 9)))))
    assert (len(lines), lines[-1]) == (8, "  weak: 3 more")


def test_half_a_turn_renames_all_places() -> None:
    report = ReadingReport(20, (Place.T1,), BoardAppraisal((GLARE,), (FACES,)))
    turned = rotate_report(report)
    assert turned.covered == (Place.B12,)
    assert turned.learned == BoardAppraisal((replace(GLARE, place=Place.B5),), (replace(FACES, place=Place.T10),))
