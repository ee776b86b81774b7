"""Checks of the machine: versions, serial group, pins, disk, clock, power, memory.

The machine is an argument (`Machine`), so that tests can describe a machine with any defect.
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
# Knobs. A match without pictures takes less than 5 MB; two evenings with pictures take 500 MB.
LEAST_FREE_MB = 50
USUAL_FREE_MB = 500
SLOW_WRITE_S = 0.5
LEAST_MEMORY_MB = 300  # the most that `play` takes
LEAST_PYTHON = (3, 11)
FIRST_YEAR, LAST_YEAR = 2025, 2100  # the program did not exist before the first year
USUAL_SERIAL_GROUPS = ("dialout", "uucp")  # of Debian and Fedora, and of Arch; a port that is plugged in tells its own

RunProgram = Callable[[tuple[str, ...]], str | None]
"""Runs a program and returns its output; None when it is missing or failed."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine on which this program runs. `root` is `/`, or a folder with the same structure.

    `version_of` returns the version of an installed distribution, or None. `groups` are the groups of the user, None on a
    system without groups; `every_group` are those of the system, and `port_groups` those of the serial ports there.
    """

    root: Path
    python: tuple[int, int, int]
    run: RunProgram
    version_of: Callable[[str], str | None]
    groups: tuple[str, ...] | None
    every_group: tuple[str, ...]
    is_root: bool
    now: datetime
    port_groups: tuple[str, ...] = ()

    def read_text(self, path: str) -> str | None:
        """The text of a small file below the root; None where it cannot be read."""
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
    if numpy := machine.version_of("numpy"):
        found.append(("numpy", numpy))
    yield ok(check, f"{', '.join([f'Python {text}', *(f'{name} {version}' for name, version in found)])}.")


def group_findings(machine: Machine) -> Iterator[Finding]:
    """Whether the user may open serial ports."""
    check = "serial group"
    usual = tuple(group for group in USUAL_SERIAL_GROUPS if group in machine.every_group)[:1]
    needed = machine.port_groups or usual
    missing = [group for group in needed if group not in (machine.groups or ())]
    if machine.groups is None or not needed:
        yield ok(check, f"there is no group {' or '.join(USUAL_SERIAL_GROUPS)} on this system.")
    elif machine.is_root or not missing:
        yield ok(check, f"you may open serial ports{' as root' if machine.is_root else f' (group {needed[0]})'}.")
    for group in () if machine.groups is None or machine.is_root else missing:
        yield warning(
            check,
            f"you are not in the group {group}, so a light board cannot be opened; run sudo usermod -aG "
            f"{group} $USER and log in again.",
        )


def pin_findings(machine: Machine, probe: Callable[[], GpioProbe]) -> Iterator[Finding]:
    """The libraries for buttons and buzzer, which only a Raspberry Pi needs."""
    check = "pins"
    if not machine.is_pi:
        instead = "buttons are on the page and the keys"
        yield ok(check, f"this is not a Raspberry Pi, so there are no pins to use; {instead}.")
        return
    found = probe()
    for remedy in found.remedies:
        yield warning(check, remedy)
    if found.usable is not None and not found.remedies:
        yield ok(check, f"{found.usable} answers.")


def disk_findings(
    folder: Path, *, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage
) -> Iterator[Finding]:
    """Free space in the folder of matches, and whether a file can be written there."""
    check = "disk"
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), None)
    if there is None:
        yield fault(check, f"there is no folder that {folder} could be made in; name another one by --data.")
        return
    free_mb = usage(there)[2] // MB
    if free_mb < LEAST_FREE_MB:
        remedy = "delete old matches (zarbiter log delete) or other files"
        yield fault(check, f"{free_mb} MB are free for {folder}; {remedy}.")
    elif free_mb < USUAL_FREE_MB:
        yield warning(check, f"only {free_mb} MB are free for {folder}; delete old matches by zarbiter log delete.")
    else:
        yield ok(check, f"{free_mb} MB are free for {folder}.")
    yield _check_writing(there)


def _check_writing(folder: Path) -> Finding:
    """Writes one small file as durably as the log writes a move."""
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
    """The clock for the dates of matches. The referee measures time with a monotonic clock, which needs no check."""
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


# Bits of `vcgencmd get_throttled` (Raspberry Pi documentation, "vcgencmd").
_NOW = ((0, "the voltage is too low"), (1, "the processor is slowed"), (2, "it is throttled"), (3, "it is too hot"))
_SINCE_START = 16  # offset of the bits for the same conditions at any time since the start
_POWER_REMEDY = "use the official power supply with its own cable, and cool the Pi"


def power_findings(machine: Machine) -> Iterator[Finding]:
    """Undervoltage and heat of a Raspberry Pi."""
    check = "power"
    if not machine.is_pi:
        yield ok(check, "this is not a Raspberry Pi, so there is nothing to ask.")
        return
    output = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)\s*", machine.run(("vcgencmd", "get_throttled")) or "")
    if output is None:
        yield _check_voltage_alarm(machine)
        return
    flags = int(output[1], 16)
    now = [words for bit, words in _NOW if flags >> bit & 1]
    before = [words for bit, words in _NOW if flags >> bit + _SINCE_START & 1 and words not in now]
    if now:
        yield fault(check, f"{' and '.join(now)}; {_POWER_REMEDY}.")
    if before:
        yield warning(check, f"since the start there was a time when {' and when '.join(before)}; {_POWER_REMEDY}.")
    if not now and not before:
        yield ok(check, "neither undervoltage nor throttling since the start.")


def _check_voltage_alarm(machine: Machine) -> Finding:
    """Reads the kernel's voltage sensor, where vcgencmd is missing."""
    check = "power"
    for sensor in sorted((machine.root / "sys/class/hwmon").glob("hwmon*")):
        with suppress(OSError):
            if (sensor / "name").read_text().strip() == "rpi_volt":
                if (sensor / "in0_lcrit_alarm").read_text().strip() == "0":
                    return ok(check, "no undervoltage now.")
                return fault(check, f"the voltage is too low; {_POWER_REMEDY}.")
    return inconclusive(check, "neither vcgencmd nor the kernel tells the voltage.")


def memory_findings(machine: Machine) -> Iterator[Finding]:
    """Free memory for the referee."""
    check = "memory"
    available = re.search(r"^MemAvailable:\s+(\d+) kB", machine.read_text("proc/meminfo") or "", re.MULTILINE)
    if available is None:
        yield inconclusive(check, "this system does not say how much memory is free.")
        return
    free_mb = int(available[1]) * 1024 // MB
    if free_mb < LEAST_MEMORY_MB:
        yield warning(check, f"{free_mb} MB are free and a match takes up to {LEAST_MEMORY_MB}; close other programs.")
    else:
        yield ok(check, f"{free_mb} MB are free.")
