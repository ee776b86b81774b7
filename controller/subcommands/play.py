"""`zarbiter play`: referees matches, begun on the command line, resumed, or set up on the page."""

import argparse
import logging
import os
import signal
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.match.calibration_choice import is_missing, resolve_calibration
from controller.subcommands.match.page import (
    ADDRESS_REMEDY,
    open_match_page,
    page_lines,
    resolve_address,
    stay_until_shown,
)
from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    add_match_options,
    check_folders,
    collect_given,
    resolve_settings,
    resolve_table,
)

if TYPE_CHECKING:
    from controller.settings import Settings, SettingsStore
    from controller.web import Address, MatchPage
    from controller.web.set_up.program_control import ReceiverFault

_LOG = logging.getLogger("zarbiter.play")

DEFAULT_CAMERA = "0"
_SETTINGS_FILE = "settings.toml"


def add(commands: SubParsers, summary: str) -> None:
    play = add_command(
        commands,
        "play",
        _play,
        summary,
        "Watches the board, prints every ruling and shows the match on a page of this machine, until the match "
        "is over or Ctrl-C; type help for the commands. Without a game, matches are set up on the page, one after the other.",
    )
    add_match_options(play)
    play.add_argument("--camera", metavar="SRC", help=f"as for calibrate (default: {DEFAULT_CAMERA}, the first camera)")
    play.add_argument("--leds", metavar="PORT", help="the light board's port, auto (default), none or fake")
    play.add_argument("--layout", metavar="FILE", type=Path, help="the place of each LED, made by leds map or by hand")
    play.add_argument("--resume", metavar="MATCH", help="resume a match that was broken off")
    play.add_argument("--json", action="store_true", help="print each event as one JSON object on one line")
    play.add_argument(
        "--web",
        metavar="HOST:PORT",
        help="where the page listens (default: this machine only, 0.0.0.0:8080 for the room); none: no page",
    )
    play.add_argument("--table", metavar="NAME", help="the name of the table, shown in the head of the page")
    play.add_argument(
        "--spectator-delay",
        metavar="TIME",
        help="spectators and streams see everything later by this time, as 60s or 2m; the operator does not (default: 0s)",
    )
    play.add_argument(
        "--keep-frames",
        metavar="MINUTES",
        type=int,
        help="keep the board's frames of the last minutes, one a second, for zarbiter report (default: 0, at most 10)",
    )
    play.add_argument("--set-up", action="store_true", help="set up each match on the page, even if a game is given")
    play.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    play.add_argument(
        "--go-on",
        action="store_true",
        help="go on with the match that a power cut broke off, else set up on the page; as a service does",
    )
    play.add_argument("--stay", action="store_true", help="after the match, set up the next one on the page")


def _play(options: argparse.Namespace) -> bool:
    from controller.subcommands.match.going_on import play_as_service

    return play_as_service(options, _play_matches)


def _play_matches(options: argparse.Namespace) -> bool:
    from controller.publishing import open_publisher
    from controller.settings import SettingsError, data_folder
    from controller.subcommands.match.match_run import MatchRun, match_file
    from controller.subcommands.match.page_matches import MATCH_ERRORS, PageMatchRunner, attach_settings
    from controller.subcommands.match.source_opening import open_when_there
    from controller.web import PageError

    has_config = options.config is not None
    keeper = _make_keeper(options)
    settings = resolve_settings(options)
    address = _resolve_address(options, settings)
    camera = settings.camera
    name = camera.source or DEFAULT_CAMERA
    is_named = has_config and (settings.game is not None or options.rules is not None)
    on_page = _is_set_up_on_page(
        options, camera.source, address, is_named=is_named or ("game",) in keeper.option_values
    )
    if options.resume is not None:
        match_file(options)
    needs_wizard = is_missing(camera.calibration, options.data) and _can_ask(address)
    if not needs_wizard and not on_page:
        calibration = resolve_calibration(camera.calibration, options.data, source=name)
    table = resolve_table(settings, options)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service manager stops with SIGTERM
    try:
        if needs_wizard:
            from controller.subcommands.match.calibration_page import calibrate_first

            name, calibration, address = calibrate_first(options, settings, address)
            options.headless = True  # the browser has the page open already
        with ExitStack() as opened:
            page = _open_page(address, options, settings, opened)
            tell = None if page is None else partial(_show_receiver_faults, page)
            options.publisher = open_publisher(settings, data_folder(options.data, os.environ), tell)
            opened.callback(options.publisher.close)
            options.service.begin()
            runner = None if page is None else PageMatchRunner(options, page, keeper, name, camera.source)
            if page is not None:
                attach_settings(page, keeper, options, can_begin=on_page or options.stay)
            if on_page and runner is not None:
                runner.run(table)
                return True
            phone = None if page is None else page.phone
            with open_when_there(name, (camera.width_px, camera.height_px), camera.fps, phone) as source:
                match_run = MatchRun(options, settings, source, calibration, keeper)
                with ExitStack() as in_match:
                    is_well = match_run.play(table, in_match, page)
            if options.stay and runner is not None and not match_run.is_stopped:
                runner.run()
            elif page is not None and not match_run.is_stopped:
                stay_until_shown(page)
    except (*MATCH_ERRORS, SettingsError) as error:
        raise CommandFailedError(str(error)) from None
    except PageError as error:
        raise CommandFailedError(ADDRESS_REMEDY.format(error)) from None
    finally:
        signal.signal(signal.SIGTERM, before)
    return is_well


def _show_receiver_faults(page: "MatchPage", faults: "tuple[ReceiverFault, ...]") -> None:
    """Tells the operator which receivers do not get everything; called by the threads of receivers."""
    page.control.receiver_faults = faults
    page.wake()


def _make_keeper(options: argparse.Namespace) -> "SettingsStore":
    """The settings of --config, else of settings.toml in the data folder, which is then treated as --config."""
    from controller.settings import SettingsStore, data_folder

    usual = data_folder(options.data, os.environ) / _SETTINGS_FILE
    if options.config is None and usual.is_file():
        options.config = usual
        check_folders(options)
    return SettingsStore(options.config or usual, collect_given(options).options)


def _is_set_up_on_page(
    options: argparse.Namespace, source: str | None, address: "Address | None", *, is_named: bool
) -> bool:
    """With --set-up; or, except for a recording, if no game or match is named and somebody can answer on a page."""
    from controller.web import NO_PAGE

    if options.set_up and address is NO_PAGE:
        raise UsageError("--set-up is done on the page, and --web none is without one; leave one of them out")
    if options.set_up and options.resume is not None:
        raise UsageError("--set-up begins on the page, and --resume goes on with a match; leave one of them out")
    if options.set_up or is_named or options.resume is not None or not _can_ask(address):
        return bool(options.set_up)
    file = Path(source or DEFAULT_CAMERA)
    return not (file.is_file() or file.is_dir())


def _can_ask(address: "Address | None") -> bool:
    """Whether somebody can answer on a page before the match: a page was requested, or the terminal is interactive."""
    from controller.web import NO_PAGE

    return address is not NO_PAGE and (address is not None or sys.stdin.isatty())


def _resolve_address(options: argparse.Namespace, settings: "Settings") -> "Address | None":
    """The address of --web, else of the settings; None: the usual port of this machine, or any free one."""
    from controller.web import Address, is_loopback

    requested = resolve_address(options)
    if requested is None and not is_loopback(settings.web.host):
        return Address(settings.web.host, settings.web.port)
    return requested


def _open_page(
    address: "Address | None", options: argparse.Namespace, settings: "Settings", opened: ExitStack
) -> "MatchPage | None":
    """Opens the page and prints its links. PageError when it cannot be served."""
    from controller.settings import data_folder

    web = settings.web
    folder, in_browser = data_folder(options.data, os.environ), web.browser and not options.headless
    page = open_match_page(address, web.port, folder, opened, in_browser=in_browser, settings=settings)
    if page is not None:
        page.control.table_name = web.table
    for line in page_lines(page, sys.stderr) if page else ():
        print(line, file=sys.stderr, flush=True)
    return page
