"""`make flash`, with a program in avrdude's place: it says what it does, and what is missing in one sentence."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.firmware_bridge.simulated_chip import HARDWARE, require_toolchain

pytestmark = pytest.mark.broad

ASKS_WHAT_IT_WAS_TOLD = """#!/bin/sh
echo "avrdude $*"
exit ${AVRDUDE_EXIT:-0}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With `bin/avrdude`, and a file for a port."""
    require_toolchain()
    program = tmp_path / "bin" / "avrdude"
    program.parent.mkdir()
    program.write_text(ASKS_WHAT_IT_WAS_TOLD)
    program.chmod(0o755)
    (tmp_path / "port").touch()
    return tmp_path


def make(
    folder: Path, *arguments: str, path: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", "-s", "-C", str(HARDWARE / "firmware"), f"BUILD={folder}/build", *arguments],
        env={**os.environ, "PATH": path or f"{folder}/bin:{os.environ['PATH']}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_names_strip_line_board_port_and_rate(folder: Path) -> None:
    port = folder / "port"
    done = make(folder, "flash", f"PORT={port}", "N_LED=72", "PROGRAMMER_BAUD=57600")
    assert done.returncode == 0, done.stderr
    reported, written = done.stdout.splitlines()[-2:]
    assert reported == (
        f"72 LEDs, 1500 mA at most, line of 115200 baud: to the Nano or Uno (ATmega328P) at {port}, by its bootloader at 57600 baud"
    )
    assert written == (f"avrdude -c arduino -p m328p -P {port} -b 57600 -D -U flash:w:{folder}/build/light_board.hex:i")


def test_other_options_make_another_program(folder: Path) -> None:
    hexes = []
    for n_led in (72, 24, 24):
        assert make(folder, f"N_LED={n_led}").returncode == 0
        program = folder / "build" / "light_board.hex"
        hexes.append((program.read_bytes(), program.stat().st_mtime_ns))
    assert hexes[0][0] != hexes[1][0]
    assert hexes[1] == hexes[2]


def test_what_is_missing_is_said_in_a_sentence(folder: Path) -> None:
    """No port named, none there, no avrdude, no compiler, and an avrdude that fails; nothing was built in vain."""
    port = f"PORT={folder / 'port'}"
    for arguments, sentence in (
        (("flash",), "say where: make flash PORT=/dev/serial/by-id/..."),
        (("flash", "PORT=/none"), "/none is not there; plug the board in, and see ls /dev/serial/by-id"),
    ):
        done = make(folder, *arguments)
        assert (done.returncode, done.stderr.splitlines()[0]) == (2, sentence)
    few = folder / "few"
    few.mkdir()
    for tool in ("sh", "make", "cat", "sha256sum", "cut", "mkdir", "cmp", "test", "echo"):
        (few / tool).symlink_to(next(p for p in map(Path, ("/bin", "/usr/bin")) if (p / tool).exists()) / tool)
    done = make(folder, "flash", port, path=str(few))
    assert done.stderr.splitlines()[0] == "avrdude is missing; sudo apt-get install avrdude"
    assert not (folder / "build").exists()
    done = make(folder, path=str(few))
    assert done.stderr.splitlines()[0] == "avr-gcc is missing; sudo apt-get install gcc-avr avr-libc"
    done = make(folder, "flash", port, AVRDUDE_EXIT="1")
    assert done.returncode != 0
    assert done.stderr.splitlines()[0].startswith("it was not written; close what has the port")
