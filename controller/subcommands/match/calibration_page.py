"""The calibration wizard on a page: what it is given, where it is served, and what comes of it."""

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.adjudication.board_view import start_occupancy
from controller.pictures.calibrate import CalibrationResult, calibration_lines, calibration_record
from controller.pictures.find_board import SizeMm
from controller.rules import NAMES
from controller.settings.atomic_file import data_folder
from controller.subcommands.match.calibration_choice import calibration_path
from controller.subcommands.match.page import ADDRESS_REMEDY, resolve_address
from controller.subcommands.match.page_links import qr_code_lines
from controller.subcommands.options.call import EXIT_FAILED, EXIT_OK, UsageError
from controller.subcommands.options.shared_options import load_house_rules
from controller.web.address import Address
from controller.web.calibration.camera import CalibrationCamera, SourceKind, SourceOption
from controller.web.calibration.server import CalibrationServer
from controller.web.calibration.session import CalibrationSession, Purpose, SavedCalibration, StartPosition
from controller.web.match_page import NO_PAGE, open_in_browser
from controller.web.operator_token import load_or_create_token
from controller.web.server import PageError
from controller.wording.rules_pages import list_games
from vision.camera.sources import list_available_cameras, open_source, public_name
from vision.geometry.calibration import Calibration

if TYPE_CHECKING:
    from controller.settings.settings import Settings

_LOG = logging.getLogger("zarbiter.calibrate")


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """What the wizard begins with. `given` is a source that somebody named; `address` None is any of this machine."""

    settings: "Settings"
    file: Path
    purpose: Purpose
    data: Path
    address: Address | None
    named_source: str | None = None
    field_mm: SizeMm | None = None
    in_browser: bool = True


def calibrate_on_page(options: argparse.Namespace, settings: "Settings", file: Path) -> int:
    """`zarbiter calibrate --page`: until the operator is done, or Ctrl-C. Its exit status."""
    address = resolve_address(options)
    if address is NO_PAGE:
        raise UsageError("--page shows a page, and --web none is without one; leave one of them out")
    asked = CalibrationRequest(
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
        saved, _ = run_wizard(asked, start_positions(options))
    except PageError as error:
        _LOG.error(ADDRESS_REMEDY, error)
        return EXIT_FAILED
    for line in _describe_result(saved.result, file, as_json=options.json):
        print(line)
    return EXIT_OK


def calibrate_first(
    options: argparse.Namespace, settings: "Settings", address: Address | None
) -> tuple[str, Calibration, Address]:
    """Before a match that has none: the source and its calibration, and where the page was. As `saved_on_page`."""
    asked = CalibrationRequest(
        settings,
        calibration_path(settings.camera.calibration, options.data),
        Purpose.BEGIN,
        data_folder(options.data, os.environ),
        address,
        in_browser=settings.web.browser and not options.headless,
    )
    saved, at = run_wizard(asked, start_positions(options))
    if saved.source != settings.camera.source:
        _LOG.warning("the match is watched by %s; name it as source in the settings", public_name(saved.source))
    return saved.source, saved.calibration, at


def run_wizard(request: CalibrationRequest, games: dict[str, StartPosition]) -> tuple[SavedCalibration, Address]:
    """What the operator has saved, and where the page was. KeyboardInterrupt when he did not; PageError."""
    sources = tuple(list_sources(request.named_source, request.settings.camera.source))
    if not sources:
        raise UsageError("no camera is connected; plug one in, or name a source")
    with closing(_make_camera(sources, request.settings)) as eyes:
        desk = CalibrationSession(eyes, request.file, request.purpose, games, request.settings.game, request.field_mm)
        if sources[0].kind in (SourceKind.GIVEN, SourceKind.SETTINGS) or len(sources) == 1:
            desk.choose(0)
        with _start_server(request, desk) as server:
            _announce_page(server, in_browser=request.in_browser)
            try:
                desk.is_done.wait()
            except KeyboardInterrupt:
                if desk.saved is None:
                    raise
    if desk.saved is None:
        raise KeyboardInterrupt
    return desk.saved, server.address


def open_idle_calibration(
    options: argparse.Namespace, settings: "Settings", source: str, opened: ExitStack
) -> CalibrationSession:
    """For the page on which a match is set up: as long as `opened`, then the camera is free for the match."""
    eyes = _make_camera(tuple(list_sources(None, settings.camera.source or source)), settings)
    opened.callback(eyes.close)
    file = calibration_path(settings.camera.calibration, options.data)
    return CalibrationSession(eyes, file, Purpose.WAITING, start_positions(options), settings.game)


def _make_camera(sources: tuple[SourceOption, ...], settings: "Settings") -> CalibrationCamera:
    """That will open what is chosen as a match opens it."""
    camera = settings.camera
    opener = partial(open_source, size_px=(camera.width_px, camera.height_px), fps=camera.fps)
    return CalibrationCamera(sources, opener)


def list_sources(given: str | None, of_settings: str | None) -> Iterator[SourceOption]:
    """Each once: what was named first, then the cameras that are there."""
    known: set[str] = set()
    cameras = list_available_cameras()
    offered = [(given, SourceKind.GIVEN), (of_settings, SourceKind.SETTINGS)]
    offered += [(name, SourceKind.PI_CAMERA if name == "picamera" else SourceKind.CAMERA) for name in cameras]
    for name, kind in offered:
        if name is not None and name not in known:
            known.add(name)
            yield SourceOption(name, kind, public_name(name))


def start_positions(options: argparse.Namespace) -> dict[str, StartPosition]:
    """Of the games that begin with checkers on the board."""
    found = {}
    for name, rules in list_games(load_house_rules(options)).items():
        occupancy = None if rules is None else start_occupancy(rules)
        if occupancy:
            found[name] = StartPosition(NAMES[name].display if name in NAMES else name, occupancy)
    return found


def _start_server(request: CalibrationRequest, desk: CalibrationSession) -> CalibrationServer:
    """At the address asked for, else at the usual port of this machine, else at any. PageError."""
    token = load_or_create_token(request.data)
    if request.address is not None:
        return CalibrationServer(request.address, token, desk)
    try:
        return CalibrationServer(Address(port=request.settings.web.port), token, desk)
    except PageError:
        return CalibrationServer(Address(port=0), token, desk)


def _announce_page(server: CalibrationServer, *, in_browser: bool) -> None:
    """On standard error: what was found is the answer, and that comes later."""
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
