"""Reads pictures of a backgammon board: what stands on it and how the dice lie, without players and without rules.

This module is the library face of the package; README.md has an example. Each name loads its module at its first use
(PEP 562), so that an import of `vision.frame` loads neither OpenCV nor a network.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.board.board_reading import BoardReading, PairGuess, PairReading, PlaceReading, PointGuess
    from vision.board.overlay import draw_reading
    from vision.board.read_board import read_board
    from vision.dice.readings import CubeReading, DieReading, DieState
    from vision.errors import (
        CalibrationFileError,
        FrameError,
        ImpossibleReadingError,
        ModelFileError,
        OpenCvShapeError,
        PictureFileError,
        VisionError,
        WrongPictureSizeError,
    )
    from vision.field.auto_calibration import calibrate_automatically, calibrate_from_corners, combine_calibrations
    from vision.field.calibration_file import load_calibration, save_calibration
    from vision.field.position_calibration import calibrate_from_position
    from vision.field.tag_calibration import calibrate_from_tags
    from vision.frame import Frame
    from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
    from vision.pixels.picture_file import load_picture, save_picture
    from vision.places import POINTS, Colour, Place

__all__ = [
    "POINTS",
    "BoardReading",
    "Calibration",
    "CalibrationFileError",
    "CalibrationMethod",
    "Colour",
    "CubeReading",
    "DieReading",
    "DieState",
    "Frame",
    "FrameError",
    "ImpossibleReadingError",
    "ModelFileError",
    "OpenCvShapeError",
    "PairGuess",
    "PairReading",
    "PictureFileError",
    "Place",
    "PlaceReading",
    "PointGuess",
    "Refusal",
    "VisionError",
    "WrongPictureSizeError",
    "calibrate_automatically",
    "calibrate_from_corners",
    "calibrate_from_position",
    "calibrate_from_tags",
    "combine_calibrations",
    "draw_reading",
    "load_calibration",
    "load_picture",
    "read_board",
    "save_calibration",
    "save_picture",
]

# Module of `vision` -> the names in `__all__` that it defines.
_MODULES = {
    "board.board_reading": ("BoardReading", "PairGuess", "PairReading", "PlaceReading", "PointGuess"),
    "board.overlay": ("draw_reading",),
    "board.read_board": ("read_board",),
    "dice.readings": ("CubeReading", "DieReading", "DieState"),
    "field.auto_calibration": ("calibrate_automatically", "calibrate_from_corners", "combine_calibrations"),
    "field.calibration_file": ("load_calibration", "save_calibration"),
    "field.position_calibration": ("calibrate_from_position",),
    "field.tag_calibration": ("calibrate_from_tags",),
    "frame": ("Frame",),
    "geometry.calibration": ("Calibration", "CalibrationMethod", "Refusal"),
    "pixels.picture_file": ("load_picture", "save_picture"),
    "places": ("POINTS", "Colour", "Place"),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = next((module for module, names in _MODULES.items() if name in names), "errors")
        return getattr(import_module(f"{__name__}.{module}"), name)
