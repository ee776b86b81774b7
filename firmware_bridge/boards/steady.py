"""A light board whose heartbeat does not depend on the program that shows pictures: a thread of its own keeps the session.

A slow frame or a busy machine then loses no board. A picture is never stale for long either: when nobody has shown or
confirmed one for STALE_MS, the strip goes dark, and it is lit again with the next call.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

from firmware_bridge.boards.light_board import Health, Identity, LightBoard, ShowReport, Verification
from firmware_bridge.errors import BoardLostError, BridgeError, ComputerBusyError
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.port import Clock
from firmware_bridge.protocol.link_events import LossReason

BEAT_MS = 200  # well below PING_EVERY_MS, so that a late beat is in time for the board
STALE_MS = (
    1_600  # with a beat and the time of a picture on the line less than the 2 s after which a picture may be wrong
)
LATE_MS = 300  # a beat that is later than this shows that the computer is busy; a board's answer is awaited 100 ms
BUSY_FOR_MS = 3_000  # how long this explains a lost board
_OF_A_BUSY_COMPUTER = (LossReason.SILENT.value, LossReason.GAVE_UP.value)


class SteadyBoard:
    """Any other board, for calls from several threads. `beat` is called by `keep_beating`."""

    def __init__(self, board: LightBoard, clock: Clock) -> None:
        self._board = board
        self._clock = clock
        self._lock = Lock()
        self._lit: LedFrame | None = None
        self._is_dark = False
        self._asked_ms = self._beat_ms = clock()
        self._late_ms: int | None = None

    @property
    def verified(self) -> Verification:
        return self._board.verified

    def open(self) -> Identity:
        with self._lock:
            return self._board.open()

    def show(self, frame: LedFrame) -> ShowReport:
        """Raises ComputerBusyError, a BoardLostError, when the machine may be the reason."""
        with self._lock:
            self._asked_ms, self._lit, self._is_dark = self._clock(), frame, False
            return self._show(frame)

    def health(self) -> Health:
        with self._lock:
            self._asked_ms = self._clock()
            if self._is_dark and self._lit is not None:
                self._is_dark = False
                with suppress(BoardLostError):  # the health tells
                    self._show(self._lit)
            health = self._board.health()
            return Health(
                health.is_answering,
                health.warnings,
                health.rail_mv,
                health.current_ma,
                health.uptime_ms,
                is_computer_busy=self._is_busy(),
            )

    def close(self) -> None:
        with self._lock:
            self._lit = None
            self._board.close()

    def beat(self) -> None:
        """Keeps the session, and makes the strip dark when its picture is stale. Call it every BEAT_MS."""
        with self._lock:
            now_ms = self._clock()
            if now_ms - self._beat_ms > BEAT_MS + LATE_MS:
                self._late_ms = now_ms
            self._beat_ms = now_ms
            if self._lit is None:
                return
            if not self._is_dark and now_ms - self._asked_ms >= STALE_MS:
                self._is_dark = True
                with suppress(BridgeError):  # without a host the strip goes dark by itself
                    self._board.show(LedFrame.dark(len(self._lit.leds)))
            else:
                self._board.health()

    def _show(self, frame: LedFrame) -> ShowReport:
        try:
            return self._board.show(frame)
        except BoardLostError as lost:
            if lost.why in _OF_A_BUSY_COMPUTER and self._is_busy():
                raise ComputerBusyError(lost.port) from lost
            raise

    def _is_busy(self) -> bool:
        now_ms = self._clock()
        is_overdue = now_ms - self._beat_ms > BEAT_MS + LATE_MS
        return is_overdue or (self._late_ms is not None and now_ms - self._late_ms < BUSY_FOR_MS)


@contextmanager
def keep_beating(board: SteadyBoard) -> Iterator[None]:
    """Beats in a thread until the context ends."""
    is_over = Event()

    def beat() -> None:
        while not is_over.wait(BEAT_MS / 1000):
            board.beat()

    thread = Thread(target=beat, name="lights heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
