"""Chooses and loads the calibration of a match."""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from controller.settings import data_folder
from controller.subcommands.options import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from controller.match import RefereeEvent
    from vision import Calibration

_LOG = logging.getLogger("zarbiter.calibration")

_CALIBRATION = "calibration.json"
_ANEW = "set up the start position and calibrate anew: zarbiter calibrate SRC --game GAME -o FILE"


def calibration_path(file: Path | None, data: Path | None) -> Path:
    """The named file, or the usual one in the data folder."""
    return file or data_folder(data, os.environ) / _CALIBRATION


def is_missing(file: Path | None, data: Path | None) -> bool:
    return not calibration_path(file, data).exists()


def resolve_calibration(file: Path | None, data: Path | None, *, source: str) -> "Calibration":
    """The calibration of the named file or of the data folder; UsageError with a remedy where there is none."""
    from vision.camera.sources import public_name

    usual = calibration_path(None, data)
    if file is None and not usual.is_file():
        raise UsageError(
            "the camera is not calibrated yet; set up the start position and call "
            f"zarbiter calibrate {public_name(source)} --game GAME -o {usual}"
        )
    return read_calibration(file or usual)


def read_calibration(file: Path) -> "Calibration":
    """Raises UsageError for a file that is no calibration; warns of one whose knowledge of the board is not used."""
    from vision import CalibrationFileError, load_calibration

    try:
        calibration = load_calibration(file)
    except CalibrationFileError as error:
        raise UsageError(f"--calibration: {error}") from None
    unused = describe_unused_appearance(calibration)
    if unused:
        _LOG.warning("%s: %s", file, unused)
    return calibration


def describe_unused_appearance(calibration: "Calibration") -> str:
    """A sentence where the calibration learned the board with another network than the one that reads now, or ""."""
    from vision.checkers import is_of_this_network

    if calibration.appearance is None or is_of_this_network(calibration.appearance):
        return ""
    return f"What it learned of the board belongs to another version of the reader and is not used; {_ANEW}."


def describe_unused_lessons(calibration: "Calibration", logged: "Iterable[RefereeEvent]") -> str:
    """A sentence where a resumed match learned the board under another calibration, or ""."""
    from controller.session import has_unused_lessons

    if not has_unused_lessons(calibration.appearance, logged):
        return ""
    return f"What this match learned of the board belongs to another calibration and is not used; {_ANEW}."
