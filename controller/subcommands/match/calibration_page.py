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
from controller.pictures.calibrate import Calibrated, calibration_lines, calibration_record
from controller.pictures.find_board import SizeMm
from controller.rules.names import NAMES
from controller.settings.atomic_file import data_folder
from controller.subcommands.match.calibration_used import usual_file
from controller.subcommands.match.page import ANOTHER_PLACE, address_of_call
from controller.subcommands.match.page_told import code_for
from controller.subcommands.options.call import EXIT_FAILED, EXIT_OK, UsageError
from controller.subcommands.options.shared_options import house_rules
from controller.web.address import Address
from controller.web.calibration.camera import CalibrationCamera, SourceKind, SourceOffered
from controller.web.calibration.desk import CalibrationDesk, Purpose, Saved, StartPosition
from controller.web.calibration.server import CalibrationServer
from controller.web.operator_token import kept_token
from controller.web.page_of_match import NO_PAGE, open_in_browser
from controller.web.server import PageError
from controller.wording.rules_pages import known_games
from vision.camera.sources import cameras_by_any_name, open_source, shown_name
from vision.geometry.calibration import Calibration

if TYPE_CHECKING:
    from controller.settings.settings import Settings

_LOG = logging.getLogger("zarbiter.calibrate")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the wizard begins with. `given` is a source that somebody named; `address` None is any of this machine."""

    settings: "Settings"
    file: Path
    purpose: Purpose
    data: Path
    address: Address | None
    given: str | None = None
    field_mm: SizeMm | None = None
    in_browser: bool = True


def calibrate_on_page(options: argparse.Namespace, settings: "Settings", file: Path) -> int:
    """`zarbiter calibrate --page`: until the operator is done, or Ctrl-C. Its exit status."""
    address = address_of_call(options)
    if address is NO_PAGE:
        raise UsageError("--page shows a page, and --web none is without one; leave one of them out")
    asked = Asked(
        settings,
        file,
        Purpose.COMMAND,
        data_folder(options.data, os.environ),
        address,
        given=options.source,
        field_mm=options.field_mm,
        in_browser=not options.headless,
    )
    try:
        saved, _ = saved_on_page(asked, start_positions(options))
    except PageError as error:
        _LOG.error(ANOTHER_PLACE, error)
        return EXIT_FAILED
    for line in _told(saved.found, file, as_json=options.json):
        print(line)
    return EXIT_OK


def calibrated_first(
    options: argparse.Namespace, settings: "Settings", address: Address | None
) -> tuple[str, Calibration, Address]:
    """Before a match that has none: the source and its calibration, and where the page was. As `saved_on_page`."""
    asked = Asked(
        settings,
        usual_file(settings.camera.calibration, options.data),
        Purpose.BEGIN,
        data_folder(options.data, os.environ),
        address,
        in_browser=settings.web.browser and not options.headless,
    )
    saved, at = saved_on_page(asked, start_positions(options))
    if saved.source != settings.camera.source:
        _LOG.warning("the match is watched by %s; name it as source in the settings", shown_name(saved.source))
    return saved.source, saved.calibration, at


def saved_on_page(asked: Asked, games: dict[str, StartPosition]) -> tuple[Saved, Address]:
    """What the operator has saved, and where the page was. KeyboardInterrupt when he did not; PageError."""
    sources = tuple(sources_offered(asked.given, asked.settings.camera.source))
    if not sources:
        raise UsageError("no camera is connected; plug one in, or name a source")
    with closing(_camera(sources, asked.settings)) as eyes:
        desk = CalibrationDesk(eyes, asked.file, asked.purpose, games, asked.settings.game, asked.field_mm)
        if sources[0].kind in (SourceKind.GIVEN, SourceKind.SETTINGS) or len(sources) == 1:
            desk.choose(0)
        with _served(asked, desk) as server:
            _tell(server, in_browser=asked.in_browser)
            try:
                desk.is_done.wait()
            except KeyboardInterrupt:
                if desk.saved is None:
                    raise
    if desk.saved is None:
        raise KeyboardInterrupt
    return desk.saved, server.address


def desk_while_waiting(
    options: argparse.Namespace, settings: "Settings", source: str, opened: ExitStack
) -> CalibrationDesk:
    """For the page on which a match is set up: as long as `opened`, then the camera is free for the match."""
    eyes = _camera(tuple(sources_offered(None, settings.camera.source or source)), settings)
    opened.callback(eyes.close)
    file = usual_file(settings.camera.calibration, options.data)
    return CalibrationDesk(eyes, file, Purpose.WAITING, start_positions(options), settings.game)


def _camera(sources: tuple[SourceOffered, ...], settings: "Settings") -> CalibrationCamera:
    """That will open what is chosen as a match opens it."""
    camera = settings.camera
    opener = partial(open_source, size_px=(camera.width_px, camera.height_px), fps=camera.fps)
    return CalibrationCamera(sources, opener)


def sources_offered(given: str | None, of_settings: str | None) -> Iterator[SourceOffered]:
    """Each once: what was named first, then the cameras that are there."""
    known: set[str] = set()
    cameras = cameras_by_any_name()
    offered = [(given, SourceKind.GIVEN), (of_settings, SourceKind.SETTINGS)]
    offered += [(name, SourceKind.PI_CAMERA if name == "picamera" else SourceKind.CAMERA) for name in cameras]
    for name, kind in offered:
        if name is not None and name not in known:
            known.add(name)
            yield SourceOffered(name, kind, shown_name(name))


def start_positions(options: argparse.Namespace) -> dict[str, StartPosition]:
    """Of the games that begin with checkers on the board."""
    found = {}
    for name, rules in known_games(house_rules(options)).items():
        occupancy = None if rules is None else start_occupancy(rules)
        if occupancy:
            found[name] = StartPosition(NAMES[name].display if name in NAMES else name, occupancy)
    return found


def _served(asked: Asked, desk: CalibrationDesk) -> CalibrationServer:
    """At the address asked for, else at the usual port of this machine, else at any. PageError."""
    token = kept_token(asked.data)
    if asked.address is not None:
        return CalibrationServer(asked.address, token, desk)
    try:
        return CalibrationServer(Address(port=asked.settings.web.port), token, desk)
    except PageError:
        return CalibrationServer(Address(port=0), token, desk)


def _tell(server: CalibrationServer, *, in_browser: bool) -> None:
    """On standard error: what was found is the answer, and that comes later."""
    lines = [f"Calibration page: {server.link}"]
    if not server.address.is_loopback:
        lines += code_for(server.link, sys.stderr, os.environ)
    for line in lines:
        print(line, file=sys.stderr, flush=True)
    if in_browser:
        open_in_browser(server.link)


def _told(found: Calibrated, file: Path, *, as_json: bool) -> Iterator[str]:
    import json

    if as_json:
        yield json.dumps(calibration_record(found, str(file)))
    else:
        yield from calibration_lines(found, str(file))
