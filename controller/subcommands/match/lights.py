"""The lights of a match: the strip of the settings as a sink. A match without a strip is played without lights."""

import argparse
import logging
from contextlib import ExitStack
from dataclasses import dataclass

from controller.lights.strip_picture import StripRenderer
from controller.refereeing.match_config import MatchConfig
from controller.session import LightSink
from controller.settings import LedSettings
from controller.subcommands.match.light_boards import WallPace, choose_layout, open_strip, resolve_layout
from controller.subcommands.options import AUTO
from firmware_bridge import NotALightBoardError
from firmware_bridge.boards import SteadyBoard, keep_beating

_LOG = logging.getLogger("zarbiter.play")

NO_LIGHTS = "none"


@dataclass(frozen=True, slots=True)
class MatchLights:
    """The strip as a sink, with the renderer that draws its picture."""

    sink: LightSink
    picture: StripRenderer
    led_count: int


def open_match_lights(leds: LedSettings, table: MatchConfig, opened: ExitStack) -> MatchLights | None:
    """None without a strip. BridgeError if a named port has no usable board; UsageError for a bad layout."""
    if leds.port == NO_LIGHTS:
        return None
    options = to_options(leds)
    given = resolve_layout(options)
    try:
        strip = opened.enter_context(open_strip(options, given))
    except NotALightBoardError as error:
        if leds.port != AUTO:
            raise
        _LOG.warning("%s", error)
        return None
    for warning in strip.board.health().warnings:
        _LOG.warning(warning)
    board = SteadyBoard(strip.board, strip.pace.now_ms)
    if isinstance(strip.pace, WallPace):  # a board in memory has a clock that stands still meanwhile
        opened.enter_context(keep_beating(board))
    layout, picture = choose_layout(strip, given), StripRenderer(table)
    sink = LightSink(board, strip.identity.port, layout, picture, brightness=leds.brightness)
    return MatchLights(sink, picture, layout.led_count)


def to_options(leds: LedSettings) -> argparse.Namespace:
    """The settings as the options of `zarbiter leds`."""
    return argparse.Namespace(
        port=leds.port, driver=leds.driver.value, layout=leds.layout, leds=leds.count, cap_ma=leds.cap_ma
    )
