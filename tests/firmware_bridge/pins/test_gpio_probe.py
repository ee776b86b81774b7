import os
import tempfile
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

import pytest

from firmware_bridge.pins.gpio_probe import GpioProbe, ImportCheck, probe_gpio


def probed(installed: dict[str, str], failures: Mapping[str, Exception] | None = None) -> GpioProbe:
    """On a machine with these distributions, where importing some modules fails."""
    return probe_gpio(importer=_importer(failures or {}), version_of=_versions(installed))


def _importer(failures: Mapping[str, Exception]) -> Callable[[str], object]:
    def importer(module: str) -> object:
        if module in failures:
            raise failures[module]
        return object()

    return importer


def _versions(installed: dict[str, str]) -> Callable[[str], str]:
    def version_of(name: str) -> str:
        if name not in installed:
            raise metadata.PackageNotFoundError(name)
        return installed[name]

    return version_of


PI_5 = {"gpiozero": "2.0.1", "lgpio": "0.2.2.0", "rpi-lgpio": "0.6"}
NOT_A_PI = RuntimeError("This module can only be run on a Raspberry Pi!")


def test_a_pi_with_all_it_needs() -> None:
    """lgpio answers first, as it does for gpiozero, and nothing is to be mended."""
    probe = probed(PI_5)
    assert (probe.usable, probe.has_both_rivals, probe.remedies) == ("lgpio", False, ())


def test_an_old_pi() -> None:
    probe = probed({"gpiozero": "2.0.1", "RPi.GPIO": "0.7.1"}, {"lgpio": ModuleNotFoundError("lgpio")})
    assert (probe.usable, probe.remedies) == ("RPi.GPIO", ())


def test_both_rivals_are_reported_with_the_way_out() -> None:
    probe = probed({**PI_5, "RPi.GPIO": "0.7.1"})
    assert probe.has_both_rivals
    (remedy,) = probe.remedies
    assert remedy.startswith("RPi.GPIO and rpi-lgpio are both installed")
    assert "pip uninstall RPi.GPIO rpi-lgpio" in remedy


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (NOT_A_PI, "This module can only be run on a Raspberry Pi!"),
        (ModuleNotFoundError("No module named 'RPi'"), "is not installed"),
        (ImportError("undefined symbol"), "undefined symbol"),
        (AttributeError(), "AttributeError"),
        (OSError(19, "No such device"), "[Errno 19] No such device"),
    ],
)
def test_a_library_that_does_not_answer_says_why(error: Exception, problem: str) -> None:
    """Off a Pi RPi.GPIO raises RuntimeError when it is imported; that is an answer too."""
    assert probed(PI_5, {"RPi.GPIO": error}).checks[1] == ImportCheck("RPi.GPIO", problem)


def test_nothing_is_installed() -> None:
    """The first thing that is missing is reported, not all that follows from it."""
    missing = {name: ModuleNotFoundError(name) for name in ("lgpio", "RPi.GPIO")}
    probe = probed({}, missing)
    assert probe.usable is None
    assert probe.remedies == ("gpiozero is not installed; on a Raspberry Pi run pip install 'zarbiter[pi]'.",)


def test_libraries_that_are_there_and_do_not_answer() -> None:
    probe = probed(PI_5, {"lgpio": ImportError("bad"), "RPi.GPIO": NOT_A_PI})
    (remedy,) = probe.remedies
    assert remedy.startswith("no pin library answers; ")


def test_the_empty_lgpio() -> None:
    """pip takes it for Python 3.13, where there is no wheel of the real one."""
    probe = probed({"gpiozero": "2.0.1", "lgpio": "0.0.0.2"}, {"RPi.GPIO": ModuleNotFoundError("RPi")})
    (remedy,) = probe.remedies
    assert remedy.startswith("lgpio 0.0.0.2 is an empty package; ")


def test_this_machine() -> None:
    assert [answer.module for answer in probe_gpio().checks] == ["lgpio", "RPi.GPIO"]


def test_lgpio_leaves_nothing_where_the_program_was_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    probed({})
    assert os.environ["LG_WD"] == str(tmp_path)
    monkeypatch.setenv("LG_WD", "elsewhere")
    probed({})
    assert os.environ["LG_WD"] == "elsewhere"
