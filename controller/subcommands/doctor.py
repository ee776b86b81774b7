"""`zarbiter doctor`: runs the checks of `controller.doctor` on this machine."""

import argparse
import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options import SubParsers, add_command, resolve_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from controller.doctor import Check, Finding
    from controller.settings import Settings


def add(commands: SubParsers, summary: str) -> None:
    doctor = add_command(
        commands,
        "doctor",
        _doctor,
        summary,
        "Checks camera, light, calibration, light board, pins, disk, clock, power, and whether broker, webhook and OBS answer. Changes"
        " nothing.",
    )
    doctor.add_argument(
        "--camera", metavar="SRC", help="the camera over the board (default: the one that is plugged in)"
    )
    doctor.add_argument(
        "--calibration", metavar="FILE", type=Path, help="the calibration of that camera, made by zarbiter calibrate"
    )
    doctor.add_argument("--leds", metavar="PORT", help="the light board's port, auto (default) or none")
    doctor.add_argument("--json", action="store_true", help="one JSON object a line for each finding")


def _doctor(options: argparse.Namespace) -> bool:
    from controller.doctor import finding_line, finding_record, has_fault, run_checks, summarise
    from controller.settings import data_folder

    settings = resolve_settings(options)
    found: list[Finding] = []
    for finding in run_checks(all_checks(settings, data_folder(options.data, os.environ))):
        found.append(finding)
        print(json.dumps(finding_record(finding)) if options.json else finding_line(finding), flush=True)
    if not options.json:
        print(summarise(found))
    return not has_fault(found)


def all_checks(settings: "Settings", data: Path) -> "Iterator[Check]":
    """Of this machine, then of the receivers that the settings name."""
    from controller.doctor import Check
    from controller.subcommands.doctor_checks import machine_checks

    yield from machine_checks(settings, data)
    for name in ("broker", "webhook", "obs"):
        yield Check(name, partial(_check_receiver, name, settings))


def _check_receiver(check: str, settings: "Settings") -> "Iterator[Finding]":
    """Nothing is found where the settings name none. A receiver that is away is no fault: `play` goes on without it."""
    from controller.doctor import ok, warning
    from controller.publishing import SendingError, check_broker, check_obs, check_webhook

    try:
        match check:
            case "broker":
                name = check_broker(settings.mqtt)
            case "webhook":
                name = check_webhook(settings.webhook)
            case _:
                name = check_obs(settings.obs)
    except SendingError as error:
        yield warning(check, f"{error}.")
        return
    if name is not None:
        yield ok(check, f"{name} takes a connection.")
