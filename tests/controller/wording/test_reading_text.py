"""The trays and the bar in the output of `read`."""

import numpy as np
import pytest

from controller.wording.reading_text import PictureReading, reading_lines, reading_record
from tests.vision.drawn_boards import calibration_for, said
from vision.board.overlay import draw_reading
from vision.board.read_board import build_board_reading
from vision.checkers.trays import TrayReading


def read(trays: TrayReading | None) -> PictureReading:
    return PictureReading(
        "a.jpg", calibration_for(), build_board_reading(said(), np.ones(25, np.float32), 0, trays=trays)
    )


def seen(light: int, dark: int, *, visible: float = 1.0, second: float = -12.0) -> TrayReading:
    """This count; `second` is the log-likelihood of all other counts together."""
    table = np.full((16, 16), second - np.log(255), np.float32)
    table[light, dark] = 0
    return TrayReading(table, visible)


def test_a_count_with_its_confidence() -> None:
    assert reading_record(read(seen(3, 0)))["tray"] == {"light": 3, "dark": 0, "confidence": pytest.approx(1, abs=1e-4)}
    assert "  trays: L3 D0" in list(reading_lines(read(seen(3, 0))))


def test_a_doubtful_count() -> None:
    """All other counts together are as likely."""
    assert "  trays: L3 D2? (50%)" in list(reading_lines(read(seen(3, 2, second=0.0))))


def test_a_hidden_tray_is_not_an_empty_one() -> None:
    """It is null and reported as hidden; without trays in view nothing is reported."""
    assert reading_record(read(seen(0, 0, visible=0)))["tray"] is None
    assert "  trays: hidden" in list(reading_lines(read(seen(0, 0, visible=0))))
    assert reading_record(read(None))["tray"] is None
    assert not any("trays" in line for line in reading_lines(read(None)))


def test_the_overlay_shows_a_count_only_of_a_visible_tray() -> None:
    drawn = [
        draw_reading(
            np.zeros((480, 640, 3), np.uint8), made.reading, made.calibration.projection, made.calibration.field
        )
        for made in map(read, (None, seen(3, 0, visible=0), seen(3, 0)))
    ]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).any()


def test_a_board_without_a_bar() -> None:
    """The columns of the points stay in line."""
    reading = build_board_reading(said(bar=(2, 1)), np.ones(25, np.float32), 0, has_bar=False)
    made = PictureReading("a.jpg", calibration_for(), reading)
    assert reading_record(made)["bar"] is None
    _, header, upper, lower, *_ = reading_lines(made)
    assert "|no bar|" in header
    assert [line.index("|") for line in (header, upper, lower)] == [header.index("|")] * 3
    assert [line.rindex("|") for line in (header, upper, lower)] == [header.rindex("|")] * 3
