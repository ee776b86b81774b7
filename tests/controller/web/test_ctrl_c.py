"""Ctrl-C ends the process, its children and its port, with the right exit code and without a traceback."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Timer
from urllib.parse import urlsplit

import pytest

from controller.match_log import IntactChain, matches_folder, verify
from tests.controller.formats.match_samples import SAMPLES
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures
from tests.controller.web.test_server import handshake

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
ENDS_WITHIN_S = 10.0
STOPPED = 130  # the exit status of a program that Ctrl-C ended
WEB = ("--headless", "--web", "0")
PICTURES, FRAMES = 3, 1500
LONGEST_S = 240
# The command line, with demos of two turns.
PROGRAM = """
import sys, controller.simulation.demo, controller.cli
controller.simulation.demo.LAST_TURNS = 2
sys.exit(controller.cli.main(sys.argv[1:]))
"""


@contextmanager
def begun(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program in a process group of its own, as a shell starts it, with all output on one pipe."""
    command = [sys.executable, "-c", PROGRAM, *arguments, *WEB]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        too_late = Timer(LONGEST_S, kill, (process,))
        too_late.start()
        try:
            yield process
        finally:
            too_late.cancel()
            kill(process)


def kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def line_with(process: subprocess.Popen[str], words: str) -> str:
    """The first line with these words; earlier lines are discarded."""
    assert process.stdout is not None
    read = []
    for line in process.stdout:
        read.append(line)
        if words in line:
            return line.strip()
    raise AssertionError("".join(read))


def address_of(line: str) -> tuple[str, int]:
    link = urlsplit(line.partition(": ")[2])
    assert link.hostname is not None
    assert link.port is not None
    return link.hostname, link.port


def ends(process: subprocess.Popen[str], address: tuple[str, int]) -> tuple[int, str]:
    """Sends SIGINT to the process group, as a terminal does; returns the exit code and the rest of the output."""
    began_s = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=3 * ENDS_WITHIN_S)
    assert time.monotonic() - began_s < ENDS_WITHIN_S
    assert "Traceback" not in output
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    with socket.create_server(address):
        pass
    return process.returncode, output


@contextmanager
def watched(address: tuple[str, int]) -> Iterator[None]:
    """One viewer has a socket open, another the camera stream."""
    with ExitStack() as opened:
        browser = opened.enter_context(closing(socket.create_connection(address, timeout=20)))
        browser.sendall(handshake(address[1]))
        assert browser.recv(12) == b"HTTP/1.1 101"
        camera = opened.enter_context(closing(HTTPConnection(*address, timeout=20)))
        camera.request("GET", "/api/camera")
        yield


def test_a_replay_ends() -> None:
    """The exit status is 0."""
    with begun("replay", str(SAMPLES / "g2_std_5pt.mat"), "--page", "--at", "3") as process:
        line = line_with(process, "Page: ")
        assert "/?turn=3#operator=" in line
        line_with(process, "The page stays until Ctrl-C.")
        address = address_of(line)
        with watched(address):
            assert ends(process, address)[0] == 0


@pytest.mark.slow
def test_a_demo_that_stays_ends() -> None:
    """The exit status is that of the finished game."""
    with begun("demo", "--game", "hypergammon", "--stay") as process:
        address = address_of(line_with(process, "Page: "))
        line_with(process, "The demo is over; the page can start it again.")
        with watched(address):
            assert ends(process, address)[0] == 0


@pytest.mark.slow
def test_a_running_demo_ends() -> None:
    """The exit status says that the demo was interrupted."""
    with begun("demo", "--game", "hypergammon") as process:
        address = address_of(line_with(process, "Page: "))
        line_with(process, "Legal.")
        with watched(address):
            assert ends(process, address)[0] == STOPPED


def recording(folder: Path) -> Path:
    """A recording that outlasts the test."""
    camera_folder(folder, start_pictures(PICTURES))
    for number in range(PICTURES, FRAMES):
        (folder / f"{number:04}.png").hardlink_to(folder / f"{number % PICTURES:04}.png")
    (folder / "timestamps.csv").write_text("".join(f"{number:04}.png,{100 * number}\n" for number in range(FRAMES)))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("is_over", [False, True], ids=["playing", "staying"])
def test_a_match_ends(is_over: bool, tmp_path: Path) -> None:
    """The log is intact, both during the match and while the page stays."""
    camera = recording(tmp_path / "camera") if not is_over else camera_folder(tmp_path / "camera", start_pictures(20))
    calibration = str(calibration_file(tmp_path))
    source = ("--camera", str(camera), "--calibration", calibration, "--data", str(tmp_path), "--leds", "none")
    with begun("play", *source, "--stay") as process:
        address = address_of(line_with(process, "Page: "))
        line_with(process, "waiting for a match to be set up on the page" if is_over else "Game 1 begins.")
        with watched(address):
            code, output = ends(process, address)
    assert code == 0
    assert is_over or "goes on with the match" in output
    (log,) = matches_folder(tmp_path).glob("*.zmatch")
    assert isinstance(verify(log), IntactChain)
