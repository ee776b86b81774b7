"""What the doctor asks of the machine: ports, pins, disk, clock, power, versions, memory.

The machine is handed in (`Machine`), so that one which is broken in any way can be made up.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic

from controller.doctor.findings import Finding, fault, inconclusive, ok, one_line, warning
from firmware_bridge.pins.gpio_probe import GpioProbe

MB = 1_000_000
LEAST_FREE_MB = 50  # a match without pictures is smaller than 5 MB
USUAL_FREE_MB = 500  # two evenings with pictures
SLOW_WRITE_S = 0.5
LEAST_MEMORY_MB = 300  # what `play` takes at most
LEAST_PYTHON = (3, 11)
FIRST_YEAR, LAST_YEAR = 2025, 2100  # before the first, this program did not exist
SERIAL_GROUP = "dialout"

RunProgram = Callable[[tuple[str, ...]], str | None]
"""Runs a program and gives what it prints; None when it is not there or failed."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where this program runs. `root` is `/`, or a folder that looks like it."""

    root: Path
    python: tuple[int, int, int]
    run: RunProgram
    version_of: Callable[[str], str | None]  # of an installed distribution; None when it is not installed
    groups: tuple[str, ...] | None  # names of those that the user is in; None where there is no such thing
    every_group: tuple[str, ...]
    is_root: bool
    now: datetime

    def read_text(self, path: str) -> str | None:
        """Of a small file below the root; None when it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return None

    @property
    def is_pi(self) -> bool:
        return "Raspberry Pi" in (self.read_text("proc/device-tree/model") or "")


def version_findings(machine: Machine) -> Iterator[Finding]:
    """Python, OpenCV and numpy."""
    check, text = "versions", ".".join(map(str, machine.python))
    if machine.python[:2] < LEAST_PYTHON:
        yield fault(check, f"Python {text} is too old; install Python 3.11 or newer.")
    names = ("opencv-python-headless", "opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless")
    found = [(name, version) for name in names if (version := machine.version_of(name)) is not None]
    if len(found) > 1:
        both = " and ".join(name for name, _ in found)
        yield warning(
            check,
            f"{both} are both installed and overwrite each other's files; uninstall them and install "
            "opencv-python-headless again.",
        )
    elif not found:
        yield inconclusive(check, "OpenCV is installed in a way that tells no version.")
    told = [f"Python {text}", *(f"{name} {version}" for name, version in found)]
    numpy = machine.version_of("numpy")
    yield ok(check, f"{', '.join([*told, *([f'numpy {numpy}'] if numpy else [])])}.")


def group_findings(machine: Machine) -> Iterator[Finding]:
    """Whether the user may open serial ports."""
    check = "serial group"
    if machine.groups is None or SERIAL_GROUP not in machine.every_group:
        yield ok(check, f"there is no group {SERIAL_GROUP} on this system.")
    elif machine.is_root or SERIAL_GROUP in machine.groups:
        yield ok(check, f"you may open serial ports{' as root' if machine.is_root else f' (group {SERIAL_GROUP})'}.")
    else:
        yield warning(
            check,
            f"you are not in the group {SERIAL_GROUP}, so a light board cannot be opened; run sudo usermod -aG "
            f"{SERIAL_GROUP} $USER and log in again.",
        )


def pin_findings(machine: Machine, probe: Callable[[], GpioProbe]) -> Iterator[Finding]:
    """The libraries for buttons and buzzer; they are asked for on a Raspberry Pi only."""
    check = "pins"
    if not machine.is_pi:
        yield ok(
            check, "this is not a Raspberry Pi, so there are no pins to use; buttons are on the page and the keys."
        )
        return
    found = probe()
    for remedy in found.remedies:
        yield warning(check, remedy)
    if found.usable is not None and not found.remedies:
        yield ok(check, f"{found.usable} answers.")


def disk_findings(
    folder: Path, *, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage
) -> Iterator[Finding]:
    """Room in the folder of matches, and whether a file can be written and kept there."""
    check = "disk"
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), None)
    if there is None:
        yield fault(check, f"there is no folder that {folder} could be made in; name another one by --data.")
        return
    free_mb = usage(there)[2] // MB
    if free_mb < LEAST_FREE_MB:
        yield fault(
            check, f"{free_mb} MB are free for {folder}; delete old matches (zarbiter log delete) or other files."
        )
    elif free_mb < USUAL_FREE_MB:
        yield warning(check, f"only {free_mb} MB are free for {folder}; delete old matches by zarbiter log delete.")
    else:
        yield ok(check, f"{free_mb} MB are free for {folder}.")
    yield _check_writing(there)


def _check_writing(folder: Path) -> Finding:
    """One small file, as durable as a move in the log has to be."""
    check, start_s = "writing", monotonic()
    try:
        with NamedTemporaryFile(dir=folder, prefix=".zarbiter-doctor-") as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = error.strerror or one_line(str(error))
        return fault(check, f"nothing can be written to {folder} ({why}); name a folder of yours by --data.")
    took_s = monotonic() - start_s
    if took_s > SLOW_WRITE_S:
        return warning(check, f"saving a move took {took_s:.1f} s in {folder}; use a faster card or disk.")
    return ok(check, f"a move is saved in {1000 * took_s:.0f} ms in {folder}.")


def clock_findings(machine: Machine) -> Iterator[Finding]:
    """The date of matches; what the referee measures goes by another clock, which nobody sets."""
    check, today = "clock", machine.now.date().isoformat()
    if not FIRST_YEAR <= machine.now.year < LAST_YEAR:
        yield fault(check, f"the date is {today}, which cannot be; set it by sudo date -s, or connect to a network.")
        return
    answer = machine.run(("timedatectl", "show", "-p", "NTPSynchronized", "--value"))
    if (answer or "").strip() == "yes" or (machine.root / "run/systemd/timesync/synchronized").exists():
        yield ok(check, f"{today}, kept by the network.")
    elif (answer or "").strip() == "no":
        yield warning(
            check,
            f"nobody keeps the clock right, and a Pi without a battery forgets it; see that {today} is the date of "
            "today, or run sudo timedatectl set-ntp true.",
        )
    else:
        yield inconclusive(
            check, f"this system does not say who keeps its clock; see that {today} is the date of today."
        )


# Bits of `vcgencmd get_throttled`, as the Raspberry Pi documentation gives them.
_NOW = ((0, "the voltage is too low"), (1, "the processor is slowed"), (2, "it is throttled"), (3, "it is too hot"))
_SINCE_START = 16  # the same four, at any time since the start, lie so many bits higher
_POWER_REMEDY = "use the official power supply with its own cable, and cool the Pi"


def power_findings(machine: Machine) -> Iterator[Finding]:
    """Undervoltage and heat of a Raspberry Pi."""
    check = "power"
    if not machine.is_pi:
        yield ok(check, "this is not a Raspberry Pi, so there is nothing to ask.")
        return
    told = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)\s*", machine.run(("vcgencmd", "get_throttled")) or "")
    if told is None:
        yield _check_voltage_alarm(machine)
        return
    flags = int(told[1], 16)
    now = [words for bit, words in _NOW if flags >> bit & 1]
    before = [words for bit, words in _NOW if flags >> bit + _SINCE_START & 1 and words not in now]
    if now:
        yield fault(check, f"{' and '.join(now)}; {_POWER_REMEDY}.")
    if before:
        yield warning(check, f"since the start there was a time when {' and when '.join(before)}; {_POWER_REMEDY}.")
    if not now and not before:
        yield ok(check, "neither undervoltage nor throttling since the start.")


def _check_voltage_alarm(machine: Machine) -> Finding:
    """The kernel's own sensor, where the program is missing."""
    check = "power"
    for sensor in sorted((machine.root / "sys/class/hwmon").glob("hwmon*")):
        name = sensor / "name"
        alarm = sensor / "in0_lcrit_alarm"
        with suppress(OSError):
            if name.read_text().strip() == "rpi_volt":
                if alarm.read_text().strip() == "0":
                    return ok(check, "no undervoltage now.")
                return fault(check, f"the voltage is too low; {_POWER_REMEDY}.")
    return inconclusive(check, "neither vcgencmd nor the kernel tells the voltage.")


def memory_findings(machine: Machine) -> Iterator[Finding]:
    """What is free for the referee."""
    check = "memory"
    told = re.search(r"^MemAvailable:\s+(\d+) kB", machine.read_text("proc/meminfo") or "", re.MULTILINE)
    if told is None:
        yield inconclusive(check, "this system does not say how much memory is free.")
        return
    free_mb = int(told[1]) * 1024 // MB
    if free_mb < LEAST_MEMORY_MB:
        yield warning(check, f"{free_mb} MB are free and a match takes up to {LEAST_MEMORY_MB}; close other programs.")
    else:
        yield ok(check, f"{free_mb} MB are free.")
