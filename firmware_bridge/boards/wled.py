"""The driver for WLED boards: it reads every picture back, because WLED neither checks nor acknowledges pictures.

Reading back relies on the order of the line. Before each picture a ping must be answered: all answers to earlier
commands have then arrived and are discarded, so the next answer belongs to the picture just sent. After any fault the
driver waits until the line is quiet, and sends zeros to complete a picture that WLED may still be waiting for.

WLED limits the current itself, by its automatic brightness limiter; with `cap_ma` pictures are also limited before they
are sent. WLED's brightness must be 255 and gamma correction off for realtime light, or the read-back differs. Without
pictures WLED returns to its own light.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, unique

from firmware_bridge.boards import wled_bytes
from firmware_bridge.boards.adalight import RESEND_EVERY_MS, adalight_bytes, limit_frame
from firmware_bridge.boards.light_board import Health, Identity, ShowReport, Verification
from firmware_bridge.errors import BoardLostError, NotALightBoardError, PortError, PortGoneError
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.port import REOPEN_EVERY_MS, Clock, Plug, Port
from firmware_bridge.power import estimate_ma
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import digest_of, wire_ms

TRIES = 8
CALL_BACK_AFTER = 4
"""Failures after which WLED is assumed to listen at another baud rate."""
RESEND_TRIES = 2
RESTART_AFTER_MS = 4_000
"""Silence after which the port is closed and reopened, which restarts most boards."""
ANSWER_MS = 150
"""Time limit of an answer. WLED serves its serial line once per frame of its effects: 10 to 40 ms."""
QUIET_MS = 400
"""Silence after which no late answer can be under way."""
MAX_HEARD_BYTES = 4_096
REMEDY = "set its brightness to 255 and switch off gamma correction for realtime light in WLED's LED preferences"


@unique
class PictureFormat(Enum):
    """The encoding of pictures."""

    ADALIGHT = "adalight"
    TPM2 = "tpm2"  # up to MAX_TPM2_LEDS; longer pictures go as Adalight


@dataclass(frozen=True, slots=True)
class _WledStatus:
    """What is known of the board."""

    version: str = ""
    n_led: int = 0
    is_answering: bool = False
    differs: bool = False  # the last read-back was whole and of another picture


class WledBoard:
    """A WLED board. `port` may be open already if a WLED has answered on it."""

    verified = Verification.READBACK

    def __init__(
        self,
        plug: Plug,
        clock: Clock,
        *,
        port: Port | None = None,
        picture_format: PictureFormat = PictureFormat.ADALIGHT,
        cap_ma: int | None = None,
    ) -> None:
        self._plug = plug
        self._clock = clock
        self._port = port
        self._picture_format = picture_format
        self._cap_ma = cap_ma
        self._status = _WledStatus()
        self._last: LedFrame | None = None
        self._asked_ms = 0  # when the last picture, question or attempt to open began
        self._lost_ms = 0
        self._heard = b""

    def open(self) -> Identity:
        if self._port is None:
            self._port = self._plug.open(wire.BAUD)
        try:
            version = self._query_version(self._port)
            n_led = self._count_leds(self._port) if version is not None else None
        except PortGoneError:
            self.close()
            raise
        if version is None or n_led is None:
            self.close()
            problem = "no WLED answers" if version is None else "WLED answers, but does not tell its LEDs"
            raise NotALightBoardError(
                self._plug.name, problem, "check that serial input is on and GPIO 1 and 3 are free"
            )
        self._status = _WledStatus(version, n_led, is_answering=True)
        return Identity(f"WLED {version}", self._plug.name, self.verified, n_led, cap_ma=self._cap_ma)

    def show(self, frame: LedFrame) -> ShowReport:
        lit = limit_frame(frame, self._status.n_led, self._cap_ma)
        self._last = wled_bytes.without_baud_commands(lit.frame)
        if not self._status.is_answering or not self._show_with_retries(TRIES):
            raise BoardLostError(
                self._plug.name, f"shows something else ({REMEDY})" if self._status.differs else "does not answer"
            )
        return ShowReport(digest_of(self._last), lit.is_limited, estimate_ma(self._last))

    def health(self) -> Health:
        is_due = self._clock() - self._asked_ms >= RESEND_EVERY_MS
        if not self._status.is_answering:
            self._try_reconnect()
        elif is_due and self._last is not None:
            self._show_with_retries(RESEND_TRIES)
        warnings = (f"The strip shows something else than it was sent; {REMEDY}.",) if self._status.differs else ()
        return Health(self._status.is_answering, warnings)

    def close(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None

    def _query_version(self, port: Port) -> str | None:
        until_ms = self._clock() + wire.HELLO_FOR_MS
        heard = b""
        while self._clock() < until_ms:
            heard += self._exchange(port, wled_bytes.ASK_VERSION, wled_bytes.version_in, wire.HELLO_EVERY_MS)
            version = wled_bytes.version_in(heard)
            if version is not None:
                return version
        return None

    def _count_leds(self, port: Port) -> int | None:
        """The LED count, once two successive answers agree."""
        counts: list[int] = []
        for _ in range(TRIES):
            self._wait_for_quiet(port)
            answer = wled_bytes.read_back(self._exchange(port, wled_bytes.ASK_LEDS, wled_bytes.read_back, QUIET_MS))
            if answer is not None:
                counts.append(len(answer.leds))
            if len(counts) > 1 and counts[-1] == counts[-2]:
                return counts[-1]
        return None

    def _show_with_retries(self, tries: int) -> bool:
        """Whether the last picture is shown. If not, the board counts as lost."""
        port, frame = self._port, self._last
        if port is None or frame is None:
            return False
        try:
            for attempt in range(tries):
                if attempt == CALL_BACK_AFTER:
                    self._call_back(port)
                if attempt:
                    port.write(wled_bytes.flush_bytes(self._status.n_led))
                    self._wait_for_quiet(port)
                if self._try_show(port, frame):
                    return True
        except PortGoneError:
            self.close()
        self._status = replace(self._status, is_answering=False)
        self._lost_ms = self._clock()
        return False

    def _try_show(self, port: Port, frame: LedFrame) -> bool:
        """One attempt: ping, picture, read back."""
        self._asked_ms = self._clock()
        port.read(0)
        if not self._exchange(port, wled_bytes.PING, _ends_with_pong, ANSWER_MS).endswith(wled_bytes.PONG):
            return False
        said = self._encode(frame) + wled_bytes.ASK_LEDS
        answer_bytes = wled_bytes.read_back_bytes(self._status.n_led)
        wait_ms = ANSWER_MS + round(2 * wire_ms(len(said) + answer_bytes, wire.BAUD))
        answer = wled_bytes.read_back(self._exchange(port, said, wled_bytes.read_back, wait_ms))
        self._status = replace(self._status, differs=answer not in (None, frame))
        return answer == frame

    def _encode(self, frame: LedFrame) -> bytes:
        is_short = len(frame.leds) <= wled_bytes.MAX_TPM2_LEDS
        return (
            wled_bytes.tpm2_bytes(frame)
            if self._picture_format is PictureFormat.TPM2 and is_short
            else adalight_bytes(frame)
        )

    def _exchange(self, port: Port, request: bytes, is_answer: Callable[[bytes], object], wait_ms: int) -> bytes:
        """The bytes received until `is_answer` accepts them or the time is over."""
        until_ms = self._clock() + wait_ms
        port.write(request)
        heard = b""
        while not is_answer(heard) and (left_ms := until_ms - self._clock()) > 0:
            heard = (heard + port.read(left_ms))[-MAX_HEARD_BYTES:]
        return heard

    def _wait_for_quiet(self, port: Port) -> None:
        """Waits for QUIET_MS of silence, but gives up in the end, since a WLED may be set to send continuously."""
        for _ in range(TRIES):
            if not port.read(QUIET_MS):
                return

    def _call_back(self, port: Port) -> None:
        """Recalls a WLED that damaged bytes have switched to another baud rate: tries each rate until it answers.

        Sends one byte per rate, because at a wrong rate it arrives as another byte, which may be a command too.
        """
        for baud in wled_bytes.BAUDS[1:]:
            port.set_baud(baud)
            port.write(wled_bytes.TO_FIRST_BAUD)
            port.set_baud(wire.BAUD)
            if self._exchange(port, wled_bytes.PING, _ends_with_pong, ANSWER_MS).endswith(wled_bytes.PONG):
                return

    def _try_reconnect(self) -> None:
        """One step of reconnecting, without waiting; shows the picture when the board answers."""
        now_ms = self._clock()
        try:
            if self._port is None and now_ms - self._asked_ms >= REOPEN_EVERY_MS:
                self._asked_ms, self._heard = now_ms, b""
                self._port = self._plug.open(wire.BAUD)
                self._lost_ms = now_ms
            if self._port is None:
                return
            self._heard = (self._heard + self._port.read(0))[-MAX_HEARD_BYTES:]
            if wled_bytes.version_in(self._heard) is not None:
                self._heard = b""
                self._status = replace(self._status, is_answering=True, differs=False)
                self._show_with_retries(RESEND_TRIES)
            elif now_ms - self._lost_ms >= RESTART_AFTER_MS:
                self._lost_ms = now_ms
                self.close()
            elif now_ms - self._asked_ms >= wire.HELLO_EVERY_MS:
                self._asked_ms = now_ms
                self._port.write(wled_bytes.ASK_VERSION)
        except PortGoneError:
            self.close()
        except PortError:
            self._port = None


def _ends_with_pong(heard: bytes) -> bool:
    return heard.endswith(wled_bytes.PONG)
