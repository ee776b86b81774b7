"""A phone as camera: its browser sends pictures to a page of this program, and the newest one waits here for the source.

`PhoneInbox` stands between the page's server, which puts pictures in, and `LiveSource`, which takes them out: at most one picture
waits. The sender learns when its picture was taken, so that it sends no more than are needed.
"""

from collections.abc import Callable
from threading import Condition, RLock

import cv2

from vision.camera.capture import CaptureEnded
from vision.camera.capture_process import CaptureEvent
from vision.camera.live import LiveSource
from vision.camera.watchdog import WatchdogTimeouts
from vision.errors import CaptureLibraryError, VisionError
from vision.frame import Clock, Frame, Pixels, monotonic_ms
from vision.pixels.picture_file import decode_picture

SOURCE = "phone"
NAME = "The phone"
USUAL_FPS = 15.0
"""A knob: throws and plays are followed well from 10 pictures a second on, and a phone's radio and battery are spared."""
OTHER_PHONE_AFTER_MS = 3_000
"""A phone that sent nothing for so long gives its place to another one; longer than `stall_ms` of its source."""
_REMEDY = "unlock it, open its camera page again, and see that it is in the same network"
# A phone that was locked is waited for, not started: no pause may grow meanwhile, for pictures are not taken in a pause.
_TIMEOUTS = WatchdogTimeouts(first_pause_ms=200, longest_pause_ms=200)


class PhoneInbox:
    """The newest picture of one phone. `on_wanted` opens the way for pictures; it may raise CaptureError.

    `sent` and `taken` count pictures since the inbox was made; the difference was replaced by newer ones.
    """

    def __init__(self, clock_ms: Clock = monotonic_ms) -> None:
        self.on_wanted: Callable[[], None] = _do_nothing
        self.sent = 0
        self.taken = 0
        self._clock_ms = clock_ms
        self._changed = Condition(RLock())
        self._frame: Frame | None = None
        self._is_wanted = False
        self._sender = ""
        self._heard_ms = -OTHER_PHONE_AFTER_MS

    @property
    def is_wanted(self) -> bool:
        """Whether a source takes pictures now."""
        with self._changed:
            return self._is_wanted

    def may_send(self, sender: str) -> bool:
        """Whether this phone is the one that sends, or may become it."""
        with self._changed:
            return sender == self._sender or self._clock_ms() - self._heard_ms >= OTHER_PHONE_AFTER_MS

    def put(self, frame: Frame, sender: str) -> bool:
        """Replaces the waiting picture; False while another phone sends. Without a source the picture is dropped."""
        with self._changed:
            if not self.may_send(sender):
                return False
            self._sender, self._heard_ms = sender, self._clock_ms()
            if self._is_wanted:
                self.sent += 1
                self._frame = frame
                self._changed.notify_all()
            return True

    def holds(self, frame: Frame) -> bool:
        """Whether this picture still waits."""
        with self._changed:
            return self._frame is frame

    def begin(self) -> None:
        """A source takes pictures from now on; older ones are forgotten."""
        with self._changed:
            self._is_wanted, self._frame = True, None

    def end(self) -> None:
        with self._changed:
            self._is_wanted, self._frame = False, None

    def take(self) -> Frame | None:
        with self._changed:
            frame, self._frame = self._frame, None
            self.taken += frame is not None
            return frame

    def wait(self, timeout_ms: int) -> None:
        """Returns when a picture waits, or after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None, max(0, timeout_ms) / 1000)


class PhoneBackend:
    """The inbox as a `CaptureBackend`. Nothing has to be killed: a phone that hangs sends nothing."""

    def __init__(self, inbox: PhoneInbox) -> None:
        self._inbox = inbox
        self._ended: CaptureEnded | None = None

    def start(self) -> None:
        try:
            self._inbox.on_wanted()
        except VisionError as error:
            self._ended = CaptureEnded(str(error), is_curable=not isinstance(error, CaptureLibraryError))
            return
        self._inbox.begin()

    def take_events(self) -> list[CaptureEvent]:
        if self._ended is not None:
            ended, self._ended = self._ended, None
            return [ended]
        frame = self._inbox.take()
        return [] if frame is None else [frame]

    def wait(self, timeout_ms: int) -> None:
        self._inbox.wait(timeout_ms)

    def kill(self) -> None:
        self._inbox.end()

    def has_ended(self) -> bool:
        return True

    def close(self) -> None:
        self._inbox.end()


def decode_phone_picture(content: bytes) -> Pixels | None:
    """(height, width, 3) BGR; None for what is no picture, or one whose header claims too many pixels."""
    return decode_picture(content, cv2.IMREAD_COLOR)


def open_phone(
    inbox: PhoneInbox, timeouts: WatchdogTimeouts | None = None, clock_ms: Clock = monotonic_ms
) -> LiveSource:
    """The source of the pictures that a phone sends."""
    backend = PhoneBackend(inbox)
    return LiveSource(backend, NAME, timeouts=timeouts or _TIMEOUTS, clock_ms=clock_ms, remedy=_REMEDY)


def _do_nothing() -> None:
    pass
