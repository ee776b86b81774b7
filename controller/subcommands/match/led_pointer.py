"""Points at single LEDs while no match uses the strip: opens it on demand, and closes it dark after a while."""

from contextlib import ExitStack, suppress

from controller.lights.led_mapping import make_single_led_frame
from controller.lights.strip_picture import POINT_AT_MS
from controller.settings import LedSettings
from controller.subcommands.match.light_boards import Strip, open_strip
from controller.subcommands.match.lights import NO_LIGHTS, to_options
from controller.web import JobFailedError
from firmware_bridge import BridgeError, LedFrame
from firmware_bridge.protocol.wire_constants import PING_EVERY_MS
from firmware_bridge.serial_port import monotonic_ms

_CLOSE_AFTER_MS = 15_000
"""Idle time after which the port is released for other programs."""


class LedPointer:
    """For one thread only. `keep_alive` must be called several times a second."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._strip: Strip | None = None
        self._leds: LedSettings | None = None
        self._pointed_ms = 0
        self._heartbeat_ms = 0
        self._is_lit = False

    def point_at(self, led: int | None, leds: LedSettings) -> int:
        """Lights LED `led` alone, or none; returns the number of LEDs of the strip.

        Raises JobFailedError; BridgeError and UsageError when the strip cannot be opened.
        """
        if leds.port == NO_LIGHTS:
            raise JobFailedError("The settings say that there is no light board (leds.port).")
        strip = self._open_strip(leds)
        if led is not None and led >= strip.led_count:
            raise JobFailedError(f"This strip has the LEDs 0 to {strip.led_count - 1}.")
        dark = LedFrame.dark(strip.led_count)
        self._show(strip, dark if led is None else make_single_led_frame(led, strip.led_count))
        self._is_lit = led is not None
        return strip.led_count

    def keep_alive(self) -> None:
        """Sends the heartbeat, and makes the LED dark after POINT_AT_MS."""
        strip, now_ms = self._strip, monotonic_ms()
        if strip is None:
            return
        try:
            if self._is_lit and now_ms - self._pointed_ms >= POINT_AT_MS:
                self._is_lit = False
                strip.board.show(LedFrame.dark(strip.led_count))
            elif now_ms - self._heartbeat_ms >= PING_EVERY_MS:
                self._heartbeat_ms = now_ms
                strip.board.health()
        except BridgeError:
            self.close()
        if now_ms - self._pointed_ms >= _CLOSE_AFTER_MS:
            self.close()

    def close(self) -> None:
        """Makes the strip dark and releases it for a match."""
        strip, self._strip = self._strip, None
        if strip is not None:
            with suppress(BridgeError):
                strip.board.show(LedFrame.dark(strip.led_count))
        self._opened.close()

    def _open_strip(self, leds: LedSettings) -> Strip:
        if self._strip is None or leds != self._leds:
            self.close()
            self._strip = self._opened.enter_context(open_strip(to_options(leds), None))
            self._leds = leds
        return self._strip

    def _show(self, strip: Strip, frame: LedFrame) -> None:
        self._pointed_ms = self._heartbeat_ms = monotonic_ms()
        try:
            strip.board.show(frame)
        except BridgeError:
            self.close()
            raise
