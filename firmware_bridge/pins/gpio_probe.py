"""Probes the pin libraries for `zarbiter doctor`: which one works, and whether two of them conflict.

RPi.GPIO and rpi-lgpio both install a module named RPi.GPIO. pip installs both without a warning; each overwrites the
other's files, and removing one breaks the other. The probe therefore reads the names of installed distributions, and
imports each library to see whether it works.
"""

import importlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

CLASSIC, REBUILT = "RPi.GPIO", "rpi-lgpio"
RIVALS = (CLASSIC, REBUILT)
MODULES = ("lgpio", "RPi.GPIO")
"""In gpiozero's order of preference."""
EMPTY_LGPIO = "0.0.0.2"
"""The version of lgpio that pip installs where there is no wheel: an empty package."""


def redirect_lgpio_files() -> None:
    """Makes lgpio put its pipe `.lgd-nfy…` into the temporary folder instead of the working directory."""
    os.environ.setdefault("LG_WD", tempfile.gettempdir())


@dataclass(frozen=True, slots=True)
class ImportCheck:
    """The result of importing a pin library; `problem` is empty if it works."""

    module: str
    problem: str = ""

    @property
    def is_usable(self) -> bool:
        return not self.problem


@dataclass(frozen=True, slots=True)
class GpioProbe:
    """The installed pin libraries and whether they work."""

    checks: tuple[ImportCheck, ...]
    versions: tuple[tuple[str, str], ...]  # (distribution, version) of installed ones

    @property
    def usable(self) -> str | None:
        """The library that gpiozero will use; None if none works."""
        return next((answer.module for answer in self.checks if answer.is_usable), None)

    @property
    def has_both_rivals(self) -> bool:
        installed = dict(self.versions)
        return all(name in installed for name in RIVALS)

    @property
    def remedies(self) -> tuple[str, ...]:
        """One sentence per fault, in the order of repair; empty if there is none."""
        installed = dict(self.versions)
        found = []
        if self.has_both_rivals:
            found.append(
                f"{CLASSIC} and {REBUILT} are both installed and overwrite each other's files; run "
                f"pip uninstall {CLASSIC} {REBUILT} and then pip install 'zarbiter[pi]' (Pi 5: only this one works) or "
                "'zarbiter[pi-legacy]'."
            )
        if installed.get("lgpio") == EMPTY_LGPIO:
            found.append(
                f"lgpio {EMPTY_LGPIO} is an empty package; run pip uninstall lgpio, install python3-lgpio with apt and "
                "make the environment with --system-site-packages."
            )
        if "gpiozero" not in installed:
            found.append("gpiozero is not installed; on a Raspberry Pi run pip install 'zarbiter[pi]'.")
        if self.usable is None and not found:
            found.append(
                "no pin library answers; on a Raspberry Pi install python3-lgpio with apt and make the environment with "
                "--system-site-packages, elsewhere there are no pins to use."
            )
        return tuple(found)


def probe_gpio(
    *,
    importer: Callable[[str], object] = importlib.import_module,
    version_of: Callable[[str], str] = metadata.version,
) -> GpioProbe:
    """Probes without changing anything. It checks that libraries import, not that pins are wired."""
    redirect_lgpio_files()
    names = (*RIVALS, "lgpio", "gpiozero")
    versions = tuple((name, version) for name in names if (version := _find_version(name, version_of)) is not None)
    return GpioProbe(tuple(_check_import(module, importer) for module in MODULES), versions)


def _find_version(name: str, version_of: Callable[[str], str]) -> str | None:
    try:
        return version_of(name)
    except metadata.PackageNotFoundError:
        return None


def _check_import(module: str, importer: Callable[[str], object]) -> ImportCheck:
    """Off a Pi both packages raise RuntimeError; a half-overwritten one may raise anything caught here."""
    try:
        importer(module)
    except ModuleNotFoundError:
        return ImportCheck(module, "is not installed")
    except (ImportError, RuntimeError, OSError, AttributeError) as error:
        return ImportCheck(module, str(error) or type(error).__name__)
    return ImportCheck(module)
