"""The live page: a sink of the loop, a web server in a thread of its own, and the orders that come back (`README.md`).

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.web.access import load_or_create_token
    from controller.web.address import Address, is_loopback
    from controller.web.calibration.camera import CalibrationCamera, SourceKind, SourceOption
    from controller.web.calibration.in_match import InMatchCalibration, may_calibrate
    from controller.web.calibration.server import CalibrationServer
    from controller.web.calibration.session import CalibrationSession, Purpose, SavedCalibration, StartPosition
    from controller.web.camera_view import ViewableProcessor
    from controller.web.match.live_match import OrderQueue
    from controller.web.match_page import NO_PAGE, MatchPage, open_in_browser, open_page, parse_web_option
    from controller.web.qr_code import GLYPHS, qr_lines, width_of
    from controller.web.server import PageError
    from controller.web.set_up.led_map_store import LedMapStore
    from controller.web.set_up.program_control import (
        EndMatch,
        JobFailedError,
        PendingJob,
        PointAt,
        ProgramControl,
        ProgramStage,
        ResumeMatch,
        StartMatch,
    )

__all__ = [
    "GLYPHS",
    "NO_PAGE",
    "Address",
    "CalibrationCamera",
    "CalibrationServer",
    "CalibrationSession",
    "EndMatch",
    "InMatchCalibration",
    "JobFailedError",
    "LedMapStore",
    "MatchPage",
    "OrderQueue",
    "PageError",
    "PendingJob",
    "PointAt",
    "ProgramControl",
    "ProgramStage",
    "Purpose",
    "ResumeMatch",
    "SavedCalibration",
    "SourceKind",
    "SourceOption",
    "StartMatch",
    "StartPosition",
    "ViewableProcessor",
    "is_loopback",
    "load_or_create_token",
    "may_calibrate",
    "open_in_browser",
    "open_page",
    "parse_web_option",
    "qr_lines",
    "width_of",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "access": ("load_or_create_token",),
    "address": ("Address", "is_loopback"),
    "calibration.camera": ("CalibrationCamera", "SourceKind", "SourceOption"),
    "calibration.in_match": ("InMatchCalibration", "may_calibrate"),
    "calibration.server": ("CalibrationServer",),
    "calibration.session": ("CalibrationSession", "Purpose", "SavedCalibration", "StartPosition"),
    "camera_view": ("ViewableProcessor",),
    "match.live_match": ("OrderQueue",),
    "match_page": ("MatchPage", "NO_PAGE", "open_in_browser", "open_page", "parse_web_option"),
    "qr_code": ("GLYPHS", "qr_lines", "width_of"),
    "server": ("PageError",),
    "set_up.led_map_store": ("LedMapStore",),
    "set_up.program_control": (
        "EndMatch",
        "JobFailedError",
        "PendingJob",
        "PointAt",
        "ProgramControl",
        "ProgramStage",
        "ResumeMatch",
        "StartMatch",
    ),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
