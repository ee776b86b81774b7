"""Chooses and loads the calibration of a match."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from controller.settings import data_folder
from controller.subcommands.options import UsageError

if TYPE_CHECKING:
    from vision import Calibration

_CALIBRATION = "calibration.json"


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
    """Raises UsageError for a file that is no calibration."""
    from vision import CalibrationFileError, load_calibration

    try:
        return load_calibration(file)
    except CalibrationFileError as error:
        raise UsageError(f"--calibration: {error}") from None
