"""Calibration on the page: its cameras and start positions, while no match is played and between the games of one."""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial

from controller.adjudication import start_occupancy
from controller.rules import NAMES
from controller.session import FrameProcessor
from controller.settings import Settings
from controller.subcommands.match.calibration_choice import calibration_path
from controller.subcommands.match.match_inputs import MatchSource
from controller.subcommands.options import load_house_rules
from controller.web import (
    CalibrationCamera,
    CalibrationSession,
    InMatchCalibration,
    MatchPage,
    PhoneDoor,
    Purpose,
    SourceKind,
    SourceOption,
    StartPosition,
    ViewableProcessor,
)
from controller.wording.rules_pages import list_games
from vision.camera.phone import SOURCE as PHONE
from vision.camera.sources import list_available_cameras, open_source, public_name


def open_idle_calibration(
    options: argparse.Namespace, settings: Settings, source: str, opened: ExitStack, door: PhoneDoor | None
) -> CalibrationSession:
    """Calibration while no match is played; when `opened` closes, the camera is free for a match."""
    has_phone = door is not None and door.is_reachable
    provider = make_camera(
        tuple(list_sources(None, settings.camera.source or source, has_phone=has_phone)), settings, door
    )
    opened.callback(provider.close)
    file = calibration_path(settings.camera.calibration, options.data)
    return CalibrationSession(provider, file, Purpose.WAITING, start_positions(options), settings.game)


def make_page_processor(
    page: MatchPage,
    source: MatchSource,
    games: Mapping[str, StartPosition],
    settings: Settings,
    options: argparse.Namespace,
    *,
    warning: str = "",
) -> FrameProcessor:
    """The processor of a match with a page: the page may show its frames, and calibrate a live camera between games.

    `warning` is a sentence about the calibration, which the page shows until it is made anew.
    """
    viewable = ViewableProcessor(source.make_processor(), page.camera)
    if source.is_recording:
        return viewable
    beside = InMatchCalibration(
        source.frames.describe(), calibration_path(settings.camera.calibration, options.data), games, settings.game
    )
    beside.session.warning = warning
    page.set_calibration_session(beside.session)
    return beside.wrap_processor(viewable)


def make_camera(sources: tuple[SourceOption, ...], settings: Settings, door: PhoneDoor | None) -> CalibrationCamera:
    """Opens the chosen source with the picture size and rate that a match uses."""
    chosen = settings.camera
    size_px, phone = (chosen.width_px, chosen.height_px), None if door is None else door.inbox
    opener = partial(open_source, size_px=size_px, fps=chosen.fps, phone=phone)
    return CalibrationCamera(sources, opener)


def list_sources(given: str | None, of_settings: str | None, *, has_phone: bool) -> Iterator[SourceOption]:
    """The named source, that of the settings, the connected cameras, then a phone if it can reach the page; each once."""
    known: set[str] = set()
    cameras = list_available_cameras()
    offered = [(given, SourceKind.GIVEN), (of_settings, SourceKind.SETTINGS)]
    offered += [(name, SourceKind.PI_CAMERA if name == "picamera" else SourceKind.CAMERA) for name in cameras]
    offered += [(PHONE, SourceKind.PHONE)] if has_phone else []
    for name, kind in offered:
        if name is not None and name not in known:
            known.add(name)
            yield SourceOption(name, kind, public_name(name))


def start_positions(options: argparse.Namespace) -> dict[str, StartPosition]:
    """By name, the start positions of the games that begin with checkers on the board."""
    found = {}
    for name, rules in list_games(load_house_rules(options)).items():
        occupancy = None if rules is None else start_occupancy(rules)
        if occupancy:
            found[name] = StartPosition(NAMES[name].display if name in NAMES else name, occupancy)
    return found
