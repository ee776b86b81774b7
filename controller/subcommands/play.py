"""`zarbiter play`."""

import argparse
import logging
import os
import signal
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.calibration_used import calibration_asked_for
from controller.subcommands.call import EXIT_FAILED, EXIT_OK, CallParser, UsageError
from controller.subcommands.match_options import add_match_options, settings_asked_for, table_agreed

if TYPE_CHECKING:
    from controller.settings import Settings
    from controller.subcommands.call import SubParsers
    from controller.subcommands.match_played import Playing
    from controller.table import Table
    from controller.web.address import Address
    from controller.web.page_of_match import MatchPage

_LOG = logging.getLogger("zarbiter.play")

_USUAL_CAMERA = "0"


def add(commands: "SubParsers", for_all: CallParser) -> None:
    play = commands.add_parser(
        "play",
        parents=[for_all],
        help="referee a match on a real board",
        description="Watches the board, tells every ruling and shows the match on a page of this machine, until the match "
        "is over or Ctrl-C; type help for orders.",
        allow_abbrev=False,
    )
    add_match_options(play)
    play.add_argument("--camera", metavar="SRC", help=f"as for calibrate (default: {_USUAL_CAMERA}, the first camera)")
    play.add_argument("--leds", metavar="PORT", help="the light board's port, auto (default), none or fake")
    play.add_argument("--layout", metavar="FILE", type=Path, help="which LED lies where, made by leds map or by hand")
    play.add_argument("--resume", metavar="MATCH", help="go on with a match that was broken off")
    play.add_argument("--json", action="store_true", help="each event as one JSON object on one line")
    play.add_argument(
        "--web",
        metavar="HOST:PORT",
        help="where the page listens (default: this machine only, 0.0.0.0:8080 for the room); none: no page",
    )
    play.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    play.add_argument("--stay", action="store_true", help="keep the page when the match is over, until Ctrl-C")
    play.set_defaults(command=_play)


def _play(options: argparse.Namespace) -> int:
    from controller.match_log import MatchLogError
    from controller.subcommands.match_played import Playing
    from controller.web.page_of_match import NO_PAGE
    from controller.web.server import PageError
    from firmware_bridge.errors import BridgeError
    from vision.errors import VisionError
    from vision.sources import open_source

    settings = settings_asked_for(options)
    address = _address(options, settings)
    camera = settings.camera
    name = camera.source or _USUAL_CAMERA
    calibration = calibration_asked_for(camera.calibration, options.data, source=name)
    table = table_agreed(settings, options)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # as a service is stopped
    try:
        with ExitStack() as opened:
            size_px = (camera.width_px, camera.height_px)
            source = opened.enter_context(open_source(name, size_px=size_px, fps=camera.fps))
            playing = Playing(options, settings, source, calibration)
            if address is NO_PAGE:
                is_well = playing.play(table, opened)
            else:
                is_well = _play_on_page(playing, table, _page(address, playing, opened), opened)
    except (VisionError, BridgeError, MatchLogError) as error:
        _LOG.error(str(error))
        return EXIT_FAILED
    except PageError as error:
        _LOG.error("%s; choose another with --web HOST:PORT, or --web none", error)
        return EXIT_FAILED
    finally:
        signal.signal(signal.SIGTERM, before)
    return EXIT_OK if is_well else EXIT_FAILED


def _address(options: argparse.Namespace, settings: "Settings") -> "Address | None":
    """Of --web, else of the settings; None: the usual port of this machine, or any."""
    from controller.web.address import Address, is_loopback
    from controller.web.page_of_match import NO_PAGE, address_asked_for

    try:
        asked = address_asked_for(options.web)
    except ValueError as error:
        raise UsageError(f"--web: {error}") from None
    if asked is NO_PAGE and options.stay:
        raise UsageError("--stay keeps the page, and --web none is without one; leave one of them out")
    if asked is None and not is_loopback(settings.web.host):
        return Address(settings.web.host, settings.web.port)
    return asked


def _page(address: "Address | None", playing: "Playing", opened: ExitStack) -> "MatchPage":
    """Open, its links told, and in a browser where somebody sits before one. PageError when it cannot be served."""
    from controller.data_folder import data_folder
    from controller.web.page_of_match import open_in_browser, open_page

    options, web = playing.options, playing.settings.web
    page = open_page(address, web.port, data_folder(options.data, os.environ))
    opened.callback(page.close)
    for line in page.lines:
        _LOG.warning("%s", line)
    if web.browser and not options.headless:
        open_in_browser(page.operators_link)
    return page


def _play_on_page(playing: "Playing", table: "Table", page: "MatchPage", opened: ExitStack) -> bool:
    """As `Playing.play`, and on the page; also what it returns."""
    from itertools import takewhile

    from controller.announcer import Announcer
    from controller.buzzer_sink import BuzzerSink
    from controller.film import Film, get_ready
    from controller.last_state import LastState
    from controller.loop import Sink, referee_match
    from controller.subcommands import match_played
    from controller.subcommands.match_lights import lights_of
    from controller.subcommands.match_opened import match_opened
    from controller.subcommands.table_buttons import buttons_of
    from controller.web.camera_view import WatchedFilm

    now_ms = playing._now_ms
    match = match_opened(playing.options, playing.settings, table, now_ms, opened)
    last = LastState(match.state)
    get_ready(playing.calibration)  # before the light board is greeted: it waits no longer than 2 s for a picture
    lights = lights_of(playing.settings.leds, match.table, opened)
    buttons = buttons_of(last, now_ms, opened)
    sinks: list[Sink] = [] if lights is None else [lights, playing._brightness(lights)]
    sinks += [] if buttons is None else [BuzzerSink(buttons.buzz, match.table)]
    announcer = Announcer(match_played._say, match.table, as_json=playing.options.json)
    announcer.publish(match.state, match.events, now_ms())
    history = match.log.read().events
    on_page = page.show(match.log.path.stem, match.table, match.state, history, path=match.log.path)
    sinks += [on_page, announcer, last]
    inputs = takewhile(lambda _: not last.is_over(), page.orders.between(playing._inputs(buttons)))
    film = WatchedFilm(Film(playing.calibration), page.camera)
    try:
        referee_match(inputs, match.table, match.log, sinks, watch=film, state=match.state)
        if playing.options.stay:
            _LOG.warning("the page stays until Ctrl-C")
            with suppress(KeyboardInterrupt):
                threading.Event().wait()
    except KeyboardInterrupt:
        _LOG.warning("stopped; zarbiter play --resume %s goes on with the match", match.log.path.stem)
    return playing._is_well()
