"""The live page: a sink of the loop, a web server in a thread of its own, and the orders that come back (`README.md`).

Each name loads its module at its first use (`lazy_names.py`).
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
    from controller.web.connections import PageError
    from controller.web.match.live_match import OrderQueue
    from controller.web.match_page import NO_PAGE, MatchPage, open_in_browser, open_page, parse_web_option
    from controller.web.phone.door import PhoneDoor
    from controller.web.qr_code import GLYPHS, qr_lines, width_of
    from controller.web.set_up.led_map_store import LedMapStore
    from controller.web.set_up.program_control import (
        EndMatch,
        JobFailedError,
        PendingJob,
        PointAt,
        ProgramControl,
        ProgramStage,
        ResumeMatch,
        StartAgain,
        StartMatch,
        UnfinishedMatch,
    )
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
