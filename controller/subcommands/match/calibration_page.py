"""The calibration wizard on a page: its request, its server and its result."""

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.pictures.calibrate import CalibrationResult, calibration_lines, calibration_record
from controller.settings import data_folder
from controller.subcommands.match.calibration_choice import calibration_path
from controller.subcommands.match.page import ADDRESS_REMEDY, make_phone_door, qr_code_lines, resolve_address
from controller.subcommands.match.page_calibration import list_sources, make_camera, start_positions
from controller.subcommands.options import CommandFailedError, UsageError
from controller.web import (
    NO_PAGE,
    Address,
    CalibrationServer,
    CalibrationSession,
    PageError,
    PhoneDoor,
    Purpose,
    SavedCalibration,
    SourceKind,
    StartPosition,
    load_or_create_token,
    open_in_browser,
)
from vision.camera.sources import public_name

if TYPE_CHECKING:
    from controller.pictures.find_board import SizeMm
    from controller.settings import Settings
    from vision import Calibration

_LOG = logging.getLogger("zarbiter.calibrate")


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """The wizard's input. `named_source` is the source of the command line; `address` None: any of this machine."""

    settings: "Settings"
    file: Path
    purpose: Purpose
    data: Path
    address: Address | None
    named_source: str | None = None
    field_mm: "SizeMm | None" = None
    in_browser: bool = True


def calibrate_on_page(options: argparse.Namespace, settings: "Settings", file: Path) -> bool:
    """Runs `zarbiter calibrate --page` until the operator saves or presses Ctrl-C."""
    address = resolve_address(options)
    if address is NO_PAGE:
        raise UsageError("--page shows a page, and --web none is without one; leave one of them out")
    request = CalibrationRequest(
        settings,
        file,
        Purpose.COMMAND,
        data_folder(options.data, os.environ),
        address,
        named_source=options.source,
        field_mm=options.field_mm,
        in_browser=not options.headless,
    )
    try:
        saved, _ = run_wizard(request, start_positions(options))
    except PageError as error:
        raise CommandFailedError(ADDRESS_REMEDY.format(error)) from None
    for line in _describe_result(saved.result, file, as_json=options.json):
        print(line)
    return True


def calibrate_first(
    options: argparse.Namespace, settings: "Settings", address: Address | None
) -> "tuple[str, Calibration, Address]":
    """Runs the wizard before a match without a calibration: (source, calibration, address of the page)."""
    request = CalibrationRequest(
        settings,
        calibration_path(settings.camera.calibration, options.data),
        Purpose.BEGIN,
        data_folder(options.data, os.environ),
        address,
        in_browser=settings.web.browser and not options.headless,
    )
    saved, at = run_wizard(request, start_positions(options))
    if saved.source != settings.camera.source:
        _LOG.warning("the match is watched by %s; name it as source in the settings", public_name(saved.source))
    return saved.source, saved.calibration, at


def run_wizard(request: CalibrationRequest, games: dict[str, StartPosition]) -> tuple[SavedCalibration, Address]:
    """The saved calibration and the page's address. KeyboardInterrupt if nothing was saved; PageError."""
    door = make_phone_door(request.data, request.settings)
    has_phone = request.address is not None and not request.address.is_loopback
    sources = tuple(list_sources(request.named_source, request.settings.camera.source, has_phone=has_phone))
    if not sources:
        raise UsageError("no camera is connected; plug one in, or name a source")
    with closing(make_camera(sources, request.settings, door)) as camera:
        session = CalibrationSession(
            camera, request.file, request.purpose, games, request.settings.game, request.field_mm
        )
        with _start_server(request, session, door) as server:
            if sources[0].kind in (SourceKind.GIVEN, SourceKind.SETTINGS) or len(sources) == 1:
                session.choose(0)
            _announce_page(server, in_browser=request.in_browser)
            try:
                session.is_done.wait()
            except KeyboardInterrupt:
                if session.saved is None:
                    raise
    if session.saved is None:
        raise KeyboardInterrupt
    return session.saved, server.address


def _start_server(request: CalibrationRequest, session: CalibrationSession, door: PhoneDoor) -> CalibrationServer:
    """Serves at the requested address, or else at this machine's usual port, or any free one. PageError."""
    token = partial(load_or_create_token, request.data)
    if request.address is not None:
        return CalibrationServer(request.address, token, session, door)
    try:
        return CalibrationServer(Address(port=request.settings.web.port), token, session, door)
    except PageError:
        return CalibrationServer(Address(port=0), token, session, door)


def _announce_page(server: CalibrationServer, *, in_browser: bool) -> None:
    """Writes the link to standard error, because standard output is for the result."""
    lines = [f"Calibration page: {server.link}"]
    if not server.address.is_loopback:
        lines += qr_code_lines(server.link, sys.stderr, os.environ)
    for line in lines:
        print(line, file=sys.stderr, flush=True)
    if in_browser:
        open_in_browser(server.link)


def _describe_result(found: CalibrationResult, file: Path, *, as_json: bool) -> Iterator[str]:
    import json

    if as_json:
        yield json.dumps(calibration_record(found, str(file)))
    else:
        yield from calibration_lines(found, str(file))
