"""`zarbiter play`."""

import argparse
import logging
import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.calibration_used import calibration_asked_for
from controller.subcommands.call import EXIT_FAILED, EXIT_OK, CallParser
from controller.subcommands.match_options import add_match_options, settings_asked_for, table_agreed
from controller.subcommands.match_page import ANOTHER_PLACE, address_of_call, opened_page

if TYPE_CHECKING:
    from controller.settings import Settings
    from controller.subcommands.call import SubParsers
    from controller.subcommands.match_played import Playing
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
            is_well = playing.play(table, opened, _page(address, playing, opened))
    except (VisionError, BridgeError, MatchLogError) as error:
        _LOG.error(str(error))
        return EXIT_FAILED
    except PageError as error:
        _LOG.error(ANOTHER_PLACE, error)
        return EXIT_FAILED
    finally:
        signal.signal(signal.SIGTERM, before)
    return EXIT_OK if is_well else EXIT_FAILED


def _address(options: argparse.Namespace, settings: "Settings") -> "Address | None":
    """Of --web, else of the settings; None: the usual port of this machine, or any."""
    from controller.web.address import Address, is_loopback

    asked = address_of_call(options)
    if asked is None and not is_loopback(settings.web.host):
        return Address(settings.web.host, settings.web.port)
    return asked


def _page(address: "Address | None", playing: "Playing", opened: ExitStack) -> "MatchPage | None":
    """Open, and its links told. PageError when it cannot be served."""
    from controller.data_folder import data_folder

    options, web = playing.options, playing.settings.web
    folder, in_browser = data_folder(options.data, os.environ), web.browser and not options.headless
    page = opened_page(address, web.port, folder, opened, in_browser=in_browser)
    for line in page.lines if page else ():
        _LOG.warning("%s", line)
    return page
