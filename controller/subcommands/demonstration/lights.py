"""The lights of the demo: a light board in memory behind a pseudo-terminal, as a real one behind its serial port."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from controller.lights.state_lights import render_state
from controller.refereeing.match_config import MatchConfig
from controller.session import LightSink
from controller.subcommands.demonstration.report import LinePrinter
from firmware_bridge import BridgeError, LedLayout, usual_plan
from firmware_bridge.boards import BglpBoard, SteadyBoard, keep_beating
from firmware_bridge.fakes import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.serial_port import SerialPlug, monotonic_ms

_LOG = logging.getLogger("zarbiter.demo")

_LED_COUNT = 72


def open_demo_lights(table: MatchConfig, opened: ExitStack, say: LinePrinter) -> Iterator[LightSink]:
    """A board in memory behind a pseudo-terminal; none, with a warning, where the system has no such ports."""
    try:
        line = opened.enter_context(PtyLine(FakeBoard(FakeBoardSpec(n_led=_LED_COUNT)), monotonic_ms))
        board = SteadyBoard(BglpBoard(SerialPlug(line.name), monotonic_ms), monotonic_ms)
        identity = board.open()
    except (OSError, BridgeError) as error:
        _LOG.warning("the demo goes on without lights: %s", error)
        return
    opened.callback(board.close)
    opened.enter_context(keep_beating(board))
    say(f"Lights: {identity.name} on {identity.port}, {_LED_COUNT} LEDs (simulated).")
    yield LightSink(board, line.name, LedLayout.from_plan(usual_plan(_LED_COUNT)), partial(render_state, table=table))
