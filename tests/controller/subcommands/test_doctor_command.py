import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from controller.cli import main
from tests.controller.subcommands.called import Program
from tests.vision.tagged_boards import FIELD, PROJECTION, SIZE_PX, photograph
from vision.field.calibration_file import save_calibration
from vision.field.drift import make_reference
from vision.geometry.calibration import Calibration, CalibrationMethod

ALWAYS = ["versions", "memory", "disk", "writing", "clock", "power", "pins", "serial group", "voice", "light board"]


@cache
def board() -> NDArray[np.uint8]:
    return photograph(checkers={"T1": 5, "B5": 3, "B8": 2})


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A camera's frames as a folder: a second and a half of the same board."""
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(12):
        cv2.imwrite(str(folder / f"{number:02}.png"), board())
    (folder / "timestamps.csv").write_text("".join(f"{number:02}.png,{number * 125}\n" for number in range(12)))
    return folder


def records(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {record["check"]: record for record in found}


def test_all_checks_are_reported_one_a_line(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    status = main(["doctor", "--json", "--leds", "none", "--camera", str(pictures), "--data", str(data)])
    found = records(capsys)
    assert list(found) == [
        *ALWAYS,
        "camera",
        "frames",
        "picture size",
        "exposure lock",
        "light",
        "glare",
        "focus",
        "calibration",
    ]
    faults = [check for check, record in found.items() if record["verdict"] == "fault"]
    assert (status, faults) == (0, []) or faults == ["disk"]  # this machine's own disk may be full
    assert not data.exists()
    assert all(record["sentence"].endswith(".") for record in found.values())


def test_a_camera_that_is_not_there_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1, with the source's own sentence, and the other checks were made all the same."""
    status = main(["doctor", "--json", "--leds", "none", "--camera", str(tmp_path / "no.mp4"), "--data", str(tmp_path)])
    found = records(capsys)
    assert status == 1
    assert found["camera"]["verdict"] == "fault"
    assert "no.mp4" in found["camera"]["sentence"]
    assert list(found)[:-1] == ALWAYS


def test_a_calibration_of_this_board_still_fits(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Compared with the frames by the recheck; a file that is none is a fault."""
    file = tmp_path / "board.json"
    reference = make_reference(board(), PROJECTION)
    known = Calibration(
        SIZE_PX,
        PROJECTION,
        FIELD,
        False,
        CalibrationMethod.ITSELF,
        0.3,
        "2026-01-01T12:00:00+00:00",
        reference=reference,
    )
    save_calibration(known, file)
    call = ["doctor", "--json", "--leds", "none", "--data", str(tmp_path), "--camera", str(pictures)]
    main([*call, "--calibration", str(file)])
    assert records(capsys)["calibration"]["sentence"] == "camera and board stand as they were calibrated."
    save_calibration(known, tmp_path / "calibration.json")  # where a match readings for it
    main(call)
    assert records(capsys)["calibration"]["sentence"] == "camera and board stand as they were calibrated."
    file.write_text("{}")
    assert main([*call, "--calibration", str(file)]) == 1
    broken = records(capsys)
    assert broken["calibration"]["verdict"] == "fault"
    assert broken["light"]["verdict"] == "ok"


def test_a_port_that_is_not_there_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(tmp_path / "ttyACM7")
    assert main(["doctor", "--json", "--leds", port, "--camera", "no.png", "--data", str(tmp_path)]) == 1
    assert records(capsys)["light board"] == {
        "check": "light board",
        "verdict": "fault",
        "sentence": f"{port} is not there; plug it in.",
    }


def test_the_table_ends_with_a_count(tmp_path: Path, zarbiter: Program) -> None:
    *rows, last = zarbiter("doctor --leds none --camera no.png --data", tmp_path, status=1).out.splitlines()
    assert [row[8:26].rstrip() for row in rows] == [*ALWAYS, "camera"]
    assert {row[:8].rstrip() for row in rows} <= {"ok", "warning", "fault"}
    assert last.endswith(" found.")


def test_settings_that_cannot_be_used_are_a_usage_error(tmp_path: Path, zarbiter: Program) -> None:
    config = tmp_path / "club.toml"
    config.write_text("[camera]\nfps = 0\n")
    zarbiter("doctor --config", config, status=2)
