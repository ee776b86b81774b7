"""What the doctor asks about pins: which library answers, and whether two rivals lie in each other's files.

RPi.GPIO and rpi-lgpio both bring a module called RPi.GPIO. pip installs them side by side without a word, each
overwrites the other's files, and when one is taken away the other is broken. So what counts is the names of the
installed distributions, and what really answers is found by importing it.
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
"""In the order in which gpiozero tries them."""
EMPTY_LGPIO = "0.0.0.2"
"""The version that pip takes for lgpio where it has no wheel: a name with nothing in it that works."""


def redirect_lgpio_files() -> None:
    """lgpio leaves a pipe `.lgd-nfy…` in the folder that the program was started in, unless told of another one."""
    os.environ.setdefault("LG_WD", tempfile.gettempdir())


@dataclass(frozen=True, slots=True)
class ImportCheck:
    """What importing a pin library gave; `problem` is empty when it answers."""

    module: str
    problem: str = ""

    @property
    def is_usable(self) -> bool:
        return not self.problem


@dataclass(frozen=True, slots=True)
class GpioProbe:
    """What is installed and what answers."""

    checks: tuple[ImportCheck, ...]
    versions: tuple[tuple[str, str], ...]  # distribution and version, of those that are installed

    @property
    def usable(self) -> str | None:
        """The library that gpiozero will take; None when none answers."""
        return next((answer.module for answer in self.checks if answer.is_usable), None)

    @property
    def has_both_rivals(self) -> bool:
        installed = dict(self.versions)
        return all(name in installed for name in RIVALS)

    @property
    def remedies(self) -> tuple[str, ...]:
        """One sentence for each thing to mend, the first first; empty when all is well."""
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
    """Looks, and changes nothing. A library that answers can be imported; whether a wire leads anywhere it cannot tell."""
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
    """Off a Pi both classic and rebuilt RPi.GPIO raise RuntimeError, and a half-overwritten one whatever it stumbles on."""
    try:
        importer(module)
    except ModuleNotFoundError:
        return ImportCheck(module, "is not installed")
    except (ImportError, RuntimeError, OSError, AttributeError) as error:
        return ImportCheck(module, str(error) or type(error).__name__)
    return ImportCheck(module)
