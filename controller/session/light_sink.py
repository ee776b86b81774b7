"""The lights as a sink: renders the strip for a state and a time, and sends it when it differs from what is lit.

`publish` is called after every input, sends at most 25 pictures a second and also asks for the health of the board; a
board that must not wait for slow inputs has a heartbeat of its own (`firmware_bridge.boards.SteadyBoard`). It polls a lost board without waiting, and sends the current picture as soon as the board is back.
"""

from collections.abc import Callable
from contextlib import suppress

from controller.lights.light_show import HEARTBEAT_MS, STEP_MS
from controller.match import Peripheral, RefereeEvent
from controller.refereeing.state import RefereeState
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.errors import BoardLostError, BridgeError, ComputerBusyError
from firmware_bridge.layout import LedLayout
from firmware_bridge.led_frame import FULL, LedFrame

_SILENT = "does not answer"
PictureSource = Callable[[RefereeState, LedLayout, int], LedFrame]
"""(state, layout, time in ms) -> the picture of the strip."""


class LightSink:
    """`board` must be open. `brightness`, 0..255, scales every LED."""

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
        self._rendered_ms: int | None = None
        self._heartbeat_ms = 0
        self._is_lost = False

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """Raises BoardLostError while the board does not answer."""
        if not events and self._rendered_ms is not None and now_ms - self._rendered_ms < STEP_MS:
            if self._is_lost:
                raise BoardLostError(self._name, _SILENT)
            return
        self._rendered_ms = now_ms
        if self._is_lost:
            self._check_health()
        frame = self._dim(self._picture(state, self._layout, now_ms))
        try:
            self._show(frame, now_ms)
        except BoardLostError:
            self._is_lost, self._lit = True, None
            raise
        self._is_lost = False

    def close(self) -> None:
        """Makes the strip dark; the port stays open for its owner to close."""
        with suppress(BridgeError):  # a board without a host goes dark by itself
            self._board.show(LedFrame.dark(len(self._layout.place_of)))

    def _show(self, frame: LedFrame, now_ms: int) -> None:
        if frame != self._lit:
            self._board.show(frame)
            self._lit, self._heartbeat_ms = frame, now_ms
        elif now_ms - self._heartbeat_ms >= HEARTBEAT_MS:
            self._heartbeat_ms = now_ms
            self._check_health()

    def _check_health(self) -> None:
        health = self._board.health()
        if not health.is_answering:
            raise ComputerBusyError(self._name) if health.is_computer_busy else BoardLostError(self._name, _SILENT)

    def _dim(self, frame: LedFrame) -> LedFrame:
        if self.brightness == FULL:
            return frame
        return LedFrame(tuple(led.dim(self.brightness) for led in frame.leds))
