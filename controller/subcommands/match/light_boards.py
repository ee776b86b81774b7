"""Opens the light board that the options name, together with the layout and the clock of its strip."""

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Timer
from time import sleep

from controller.lights.light_show import StripClock
from controller.subcommands.options import AUTO, FAKE, UsageError
from firmware_bridge import (
    IDLE_MA,
    BridgeError,
    Clock,
    Identity,
    LayoutError,
    LayoutFileError,
    LedFrame,
    LedLayout,
    LightBoard,
    Plug,
    load_layout,
    usual_plan,
)
from firmware_bridge.boards import (
    AdalightBoard,
    BglpBoard,
    NullBoard,
    WledBoard,
    detect_first_light_board,
    detect_light_board,
)
from firmware_bridge.fakes import FakeBoard, FakeBoardSpec, FakeClock, FakePlug, FakeWled
from firmware_bridge.protocol.link_state import LinkSettings
from firmware_bridge.protocol.wire_constants import CURRENT_CAP_MAX_MA, MAX_LEDS
from firmware_bridge.serial_port import SerialPlug, lasting_path, monotonic_ms, serial_paths

FAKE_LEDS = 72
_SLOW_S = 2.0
_LOG = logging.getLogger("zarbiter.leds")


@dataclass(frozen=True, slots=True)
class Strip:
    """An open light board. `led_count` LEDs are used, from LED 0 on."""

    board: LightBoard
    identity: Identity
    led_count: int
    pace: StripClock


class WallPace:
    """Real time."""

    def now_ms(self) -> int:
        return monotonic_ms()

    def wait(self, for_ms: int) -> None:
        sleep(for_ms / 1000)


class FakePace:
    """The time of a board in memory: waiting moves its clock on at once."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock

    def now_ms(self) -> int:
        return self._clock.now_ms

    def wait(self, for_ms: int) -> None:
        self._clock.now_ms += for_ms


def resolve_layout(options: argparse.Namespace) -> LedLayout | None:
    """The layout of --layout; UsageError if it cannot be read or disagrees with --leds."""
    if options.leds is not None and options.leds < 1:
        raise UsageError(f"--leds: {options.leds} LEDs are no strip; give 1 or more")
    if options.layout is None:
        return None
    try:
        layout = load_layout(options.layout)
    except LayoutFileError as error:
        raise UsageError(f"--layout: {error}") from None
    if options.leds not in (None, layout.led_count):
        raise UsageError(f"--layout has {layout.led_count} LEDs and --leds {options.leds}; leave --leds out")
    return layout


def choose_layout(strip: Strip, given: LedLayout | None) -> LedLayout:
    """The given layout, or the usual one for a strip of this length."""
    if given is not None:
        return given
    try:
        return LedLayout.from_plan(usual_plan(strip.led_count))
    except LayoutError as error:
        raise UsageError(f"{error}; give --layout FILE") from None


@contextmanager
def open_strip(options: argparse.Namespace, layout: LedLayout | None) -> Iterator[Strip]:
    """The open strip. On an error it is made dark before it is closed. Raises BridgeError when there is no board."""
    requested_leds = options.leds if layout is None else layout.led_count
    clock = FakeClock() if options.port == FAKE else monotonic_ms
    with _warn_when_slow():
        board = _make_board(options, clock, requested_leds)
    try:
        with _warn_when_slow():
            identity = board.open()
        pace = FakePace(clock) if isinstance(clock, FakeClock) else WallPace()
        strip = Strip(board, identity, _resolve_led_count(identity, requested_leds), pace)
        _check_current(options.cap_ma, identity.n_led or strip.led_count)
        try:
            yield strip
        except BaseException:
            with suppress(BridgeError):
                board.show(LedFrame.dark(strip.led_count))
            raise
    finally:
        board.close()


@contextmanager
def _warn_when_slow() -> Iterator[None]:
    """Logs a message after 2 s: a board answers sooner, or after its bootloader, but a port without one takes 8 s."""
    timer = Timer(_SLOW_S, _LOG.warning, ("still asking for a light board; up to 8 s a port",))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _resolve_led_count(identity: Identity, requested_leds: int | None) -> int:
    if requested_leds is None and identity.n_led is None:
        raise UsageError("this board does not say how many LEDs it has; give --leds N or --layout FILE")
    if requested_leds is not None and identity.n_led is not None and requested_leds > identity.n_led:
        raise UsageError(
            f"the strip asked for has {requested_leds} LEDs and the board drives {identity.n_led}; give fewer"
        )
    return requested_leds or identity.n_led or 0


def _check_current(cap_ma: int | None, n_led: int) -> None:
    if cap_ma is not None and cap_ma <= n_led * IDLE_MA:
        raise UsageError(
            f"{n_led} LEDs draw {n_led * IDLE_MA} mA when they are dark, so {cap_ma} mA light none; allow more (--max-ma)"
        )


def _make_board(options: argparse.Namespace, clock: Clock, requested_leds: int | None) -> LightBoard:
    """The board's driver, not yet opened."""
    driver = options.driver
    cap_ma: int | None = options.cap_ma
    settings = None if cap_ma is None else LinkSettings(cap_ma=cap_ma)
    if driver == "null":
        return NullBoard()
    if driver == "adalight" and requested_leds is None:
        raise UsageError("Adalight does not say how many LEDs there are; give --leds N or --layout FILE")
    if driver == AUTO and options.port == AUTO:
        return detect_first_light_board(map(SerialPlug, serial_paths()), clock, settings=settings)
    plug = _make_fake_plug(driver, clock, requested_leds) if isinstance(clock, FakeClock) else _make_plug(options.port)
    match driver:
        case "bglp":
            return BglpBoard(plug, clock, settings=settings)
        case "wled":
            return WledBoard(plug, clock, cap_ma=cap_ma)
        case "adalight":
            return AdalightBoard(plug, clock, requested_leds or 0, cap_ma=cap_ma or CURRENT_CAP_MAX_MA)
        case _:
            return detect_light_board(plug, clock, settings=settings)


def _make_plug(port: str) -> SerialPlug:
    if port != AUTO:
        return SerialPlug(lasting_path(port))  # a re-plugged board may come back as another ttyUSB
    paths = serial_paths()
    if len(paths) != 1:
        there = f"one of {', '.join(paths)}" if paths else "none is there now"
        raise UsageError(f"this driver does not find its board; name the port by --port ({there})")
    return SerialPlug(paths[0])


def _make_fake_plug(driver: str, clock: FakeClock, requested_leds: int | None) -> Plug:
    leds = FAKE_LEDS if requested_leds is None else requested_leds
    if driver in ("wled", "adalight"):
        return FakePlug(FakeWled(n_led=leds), clock)
    if leds > MAX_LEDS:
        raise UsageError(f"the light board drives at most {MAX_LEDS} LEDs, not {leds}; give fewer")
    return FakePlug(FakeBoard(FakeBoardSpec(n_led=leds)), clock)
