"""The checks of `zarbiter doctor` on this machine: they ask its programs, camera and light board.

What an answer means, and its remedy, stands in `controller/doctor`.
"""

import logging
import os
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from controller.doctor import CameraSample, Check, Finding, Machine
    from controller.settings import Settings
    from firmware_bridge import LightBoard
    from vision import Calibration

_LOG = logging.getLogger("zarbiter.doctor")
_PROGRAM_TIMEOUT_S = 5.0


def machine_checks(settings: "Settings", data: Path) -> "Iterator[Check]":
    """The checks of machine, light board and camera, quick ones first."""
    from controller.doctor import (
        Check,
        clock_findings,
        disk_findings,
        group_findings,
        memory_findings,
        pin_findings,
        power_findings,
        version_findings,
        voice_findings,
    )
    from controller.speech.espeak import has_espeak
    from firmware_bridge.pins.gpio_probe import probe_gpio

    machine = _describe_machine()
    yield Check("versions", partial(version_findings, machine))
    yield Check("memory", partial(memory_findings, machine))
    yield Check("disk", partial(disk_findings, data))
    yield Check("clock", partial(clock_findings, machine))
    yield Check("power", partial(power_findings, machine))
    yield Check("pins", partial(pin_findings, machine, probe_gpio))
    yield Check("serial group", partial(group_findings, machine))
    yield Check("voice", partial(voice_findings, is_wanted=settings.speech.aloud, is_there=has_espeak()))
    yield Check("light board", partial(_check_lights, settings.leds.port))
    yield Check("camera", partial(_check_camera, settings, data))


def _check_lights(port: str) -> "Iterator[Finding]":
    from controller.doctor import light_findings, ok
    from controller.subcommands.options import AUTO, FAKE
    from firmware_bridge.serial_port import serial_paths

    if port in ("none", FAKE):
        yield ok("light board", "none was asked for." if port == "none" else "it is one in memory.")
        return
    ports = serial_paths() if port == AUTO else (port,)
    for each in ports:
        _LOG.warning("asking what is on %s, which takes up to 8 s", each)
    yield from light_findings(ports, _board_at, is_named=port != AUTO)


def _board_at(port: str) -> "LightBoard":
    from firmware_bridge.boards import detect_light_board
    from firmware_bridge.serial_port import SerialPlug, lasting_path, monotonic_ms

    return detect_light_board(SerialPlug(lasting_path(port)), monotonic_ms)


def _check_camera(settings: "Settings", data: Path) -> "Iterator[Finding]":
    """All findings from one sample of some seconds."""
    from controller.doctor import calibration_findings, camera_findings, fault, picture_findings
    from controller.subcommands.match.calibration_choice import calibration_path
    from vision import VisionError, load_calibration
    from vision.camera.sources import list_usb_cameras

    source = settings.camera.source
    if source is None:
        there = list_usb_cameras()
        if len(there) != 1:
            choice = f"one of {', '.join(there)}" if there else "plug one in, or on a Raspberry Pi give picamera"
            which = "several cameras are plugged in" if there else "no camera is plugged in"
            yield fault("camera", f"{which}; name it by --camera ({choice}).")
            return
        source = there[0]
    calibration: Calibration | None = None
    trouble: list[Finding] = []
    file = calibration_path(settings.camera.calibration, data)  # the file that a match would use
    if settings.camera.calibration is not None or file.exists():
        try:
            calibration = load_calibration(file)
        except VisionError as error:
            trouble.append(fault("calibration", str(error)))
    try:
        seen = _watch_camera(source, settings)
    except VisionError as error:
        yield fault("camera", str(error))
        yield from trouble
        return
    yield from camera_findings(seen)
    yield from picture_findings(seen, calibration)
    yield from trouble or calibration_findings(seen, calibration)


def _watch_camera(source: str, settings: "Settings") -> "CameraSample":
    from controller.doctor import sample_camera
    from vision.camera.sources import open_source
    from vision.frame import monotonic_ms

    size_px = (settings.camera.width_px, settings.camera.height_px)
    _LOG.warning("watching %s for some seconds", source)
    with open_source(source, size_px=size_px, fps=settings.camera.fps) as opened:
        return sample_camera(opened, monotonic_ms)


def _describe_machine() -> "Machine":
    from controller.doctor import Machine

    return Machine(
        root=Path("/"),
        python=sys.version_info[:3],
        run=_run_program,
        version_of=_version_of,
        groups=_groups(),
        every_group=_every_group(),
        port_groups=_port_groups(),
        is_root=hasattr(os, "geteuid") and os.geteuid() == 0,
        now=datetime.now(UTC),
    )


def _run_program(call: tuple[str, ...]) -> str | None:
    import shutil
    import subprocess

    program = shutil.which(call[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - one of the two programs that the checks name
            (program, *call[1:]), capture_output=True, text=True, timeout=_PROGRAM_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _version_of(distribution: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _groups() -> tuple[str, ...] | None:
    try:
        import grp
    except ImportError:
        return None  # no Unix
    names = []
    for number in os.getgroups():
        try:
            names.append(grp.getgrgid(number).gr_name)
        except KeyError:
            continue  # a group without a name, as in containers
    return tuple(names)


def _port_groups() -> tuple[str, ...]:
    from firmware_bridge.serial_port import find_port_group, serial_paths

    found = dict.fromkeys(map(find_port_group, serial_paths()))
    return tuple(group for group in found if group is not None)


def _every_group() -> tuple[str, ...]:
    try:
        import grp
    except ImportError:
        return ()
    return tuple(group.gr_name for group in grp.getgrall())
