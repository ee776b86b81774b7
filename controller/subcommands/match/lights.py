"""The lights of a match: the strip that the settings name, as a sink; a match is played without when there is none."""

import argparse
import logging
from contextlib import ExitStack
from dataclasses import dataclass

from controller.lights.strip_picture import StripPicture
from controller.refereeing.table import Table
from controller.session.light_sink import LightSink
from controller.settings.settings import LedSettings
from controller.subcommands.match.light_boards import layout_asked_for, layout_for, opened_strip
from controller.subcommands.options.light_board_options import AUTO
from firmware_bridge.errors import NotALightBoardError

_LOG = logging.getLogger("zarbiter.play")

NO_LIGHTS = "none"


@dataclass(frozen=True, slots=True)
class MatchLights:
    """The strip as a sink, and what is shown on it."""

    sink: LightSink
    picture: StripPicture
    led_count: int


def lights_of(leds: LedSettings, table: Table, opened: ExitStack) -> MatchLights | None:
    """None without a strip. BridgeError when the one that was named cannot be used; UsageError for its layout."""
    if leds.port == NO_LIGHTS:
        return None
    options = as_options(leds)
    given = layout_asked_for(options)
    try:
        strip = opened.enter_context(opened_strip(options, given))
    except NotALightBoardError as error:
        if leds.port != AUTO:
            raise
        _LOG.warning("%s", error)
        return None
    for warning in strip.board.health().warnings:
        _LOG.warning(warning)
    layout, picture = layout_for(strip, given), StripPicture(table)
    sink = LightSink(strip.board, strip.identity.port, layout, picture, brightness=leds.brightness)
    return MatchLights(sink, picture, layout.led_count)


def as_options(leds: LedSettings) -> argparse.Namespace:
    """As `zarbiter leds` has them."""
    return argparse.Namespace(
        port=leds.port, driver=leds.driver.value, layout=leds.layout, leds=leds.count, cap_ma=leds.cap_ma
    )
