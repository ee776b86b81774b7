"""A calibration whose knowledge of the board cannot be used says so, with the remedy."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.match import BoardLearned
from controller.session.board_lessons import take_lesson
from controller.subcommands.match.calibration_choice import (
    describe_unused_appearance,
    describe_unused_lessons,
    read_calibration,
)
from tests.controller.subcommands.called import Program
from tests.vision.checkers.test_appearance import CONTENTS, reading
from tests.vision.drawn_boards import calibration_for
from vision.checkers import KnownPlaces, learn_appearance
from vision.field.calibration_file import save_calibration
from vision.geometry.calibration import Calibration

LESSON = KnownPlaces(reading(CONTENTS, wrong={3: 1}), CONTENTS)
LEARNED = replace(calibration_for(), appearance=learn_appearance(LESSON))
FOREIGN = replace(LEARNED, appearance=replace(learn_appearance(LESSON), network="0" * 12))
OTHER = replace(LEARNED, appearance=learn_appearance(KnownPlaces(reading(CONTENTS, seed=9), CONTENTS)))
REMEDY = "calibrate anew: zarbiter calibrate SRC --game GAME -o FILE"


def lesson_under(known: Calibration) -> BoardLearned:
    taken = take_lesson(known.appearance, LESSON, 7)
    assert taken is not None
    return taken[1]


def test_another_network(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The file is used all the same; reading it warns once, and not at all of one that is of this network."""
    for number, known in enumerate((FOREIGN, LEARNED, calibration_for())):
        file = tmp_path / f"{number}.json"
        save_calibration(known, file)
        assert read_calibration(file) == known
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path / '0.json'}: {describe_unused_appearance(FOREIGN)}"
    ]
    assert REMEDY in describe_unused_appearance(FOREIGN)
    assert describe_unused_appearance(LEARNED) == ""


def test_lessons_of_another_calibration() -> None:
    """Only the newest one counts: a match goes on learning under a calibration that was made between its games."""
    here, elsewhere = lesson_under(LEARNED), lesson_under(OTHER)
    assert describe_unused_lessons(LEARNED, []) == ""
    assert describe_unused_lessons(LEARNED, [elsewhere, here]) == ""
    assert REMEDY in describe_unused_lessons(LEARNED, [here, elsewhere])
    assert REMEDY in describe_unused_lessons(calibration_for(), [here])


def test_lessons_of_another_network() -> None:
    """They continue the calibration, which is not used either."""
    assert describe_unused_lessons(FOREIGN, [replace(lesson_under(LEARNED), network="0" * 12)])


def test_reading_warns(picture: str, tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "c.json"
    save_calibration(FOREIGN, file)
    assert REMEDY in zarbiter("read", picture, "--calibration", file).err
