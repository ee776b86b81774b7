"""The lights as a sink: the picture of the strip for a state and a time, sent when it differs from the one that is lit.

Nothing runs in the background. `publish` is called after every input, sends no more than 25 pictures a second, and is
the heartbeat of the board as well. A board that is away is asked again and again in the same calls, without waiting
for it, and gets the picture of that moment when it is back.
"""

from collections.abc import Callable
from contextlib import suppress

from controller.lights.light_show import HEARTBEAT_MS, STEP_MS
from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.refereeing.state import RefereeState
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.errors import BoardLostError, BridgeError
from firmware_bridge.layout import LedLayout
from firmware_bridge.led_frame import LedFrame

PictureSource = Callable[[RefereeState, LedLayout, int], LedFrame]
"""What the strip shows in a state at a time in ms."""


class LightSink:
    """`board` is open. `brightness` (0..255) dims everything."""

    link = Peripheral.LIGHTS

    def __init__(
        self, board: LightBoard, name: str, layout: LedLayout, picture: PictureSource, *, brightness: int = 255
    ) -> None:
        self.brightness = brightness
        self._board = board
        self._name = name
        self._layout = layout
        self._picture = picture
        self._lit: LedFrame | None = None
        self._asked_ms: int | None = None  # when a picture was made last
        self._heard_ms = 0
        self._is_lost = False

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """BoardLostError while it is away."""
        if not events and self._asked_ms is not None and now_ms - self._asked_ms < STEP_MS:
            self._check(is_answering=not self._is_lost)
            return
        self._asked_ms = now_ms
        if self._is_lost:
            self._check(is_answering=self._board.health().is_answering)
        frame = self._dim(self._picture(state, self._layout, now_ms))
        try:
            self._show(frame, now_ms)
        except BoardLostError:
            self._is_lost, self._lit = True, None
            raise
        self._is_lost = False

    def close(self) -> None:
        """Dark at once; the port is closed by whoever opened it."""
        with suppress(BridgeError):  # a board without its host goes dark by itself
            self._board.show(LedFrame.dark(len(self._layout.place_of)))

    def _show(self, frame: LedFrame, now_ms: int) -> None:
        if frame != self._lit:
            self._board.show(frame)
            self._lit, self._heard_ms = frame, now_ms
        elif now_ms - self._heard_ms >= HEARTBEAT_MS:
            self._heard_ms = now_ms
            self._check(is_answering=self._board.health().is_answering)

    def _check(self, *, is_answering: bool) -> None:
        if not is_answering:
            raise BoardLostError(self._name, "does not answer")

    def _dim(self, frame: LedFrame) -> LedFrame:
        return LedFrame(tuple(led.dim(self.brightness) for led in frame.leds))
