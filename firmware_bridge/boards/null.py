"""The driver for a game without lights."""

from firmware_bridge.boards.light_board import Health, Identity, ShowReport, Verification
from firmware_bridge.led_frame import LedFrame


class NullBoard:
    """Accepts every picture and keeps the last one."""

    verified = Verification.NONE

    def __init__(self) -> None:
        self.last: LedFrame | None = None

    def open(self) -> Identity:
        return Identity("no light board", "none", self.verified, is_simulated=True)

    def show(self, frame: LedFrame) -> ShowReport:
        self.last = frame
        return ShowReport()

    def health(self) -> Health:
        return Health(is_answering=True)

    def close(self) -> None:
        """Does nothing."""
