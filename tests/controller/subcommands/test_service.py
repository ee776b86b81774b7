"""The referee as a service: its unit, what it tells systemd, and the match it goes on with."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest

from controller.match_log import create_match
from controller.session.service_manager import ServiceManager
from controller.subcommands.appliance import service
from controller.subcommands.appliance.service import make_files
from controller.subcommands.match import going_on
from controller.subcommands.match.going_on import play_as_service
from controller.subcommands.match.match_resuming import find_broken_off
from controller.subcommands.options import CommandFailedError
from tests.controller.formats.test_disputed_match import disputed_events
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures

ROOT = Path(__file__).parents[3]
GROUPS = ["dialout", "video"]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket that systemd would listen on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)
        yield listening


class TestUnit:
    def test_systemd_finds_nothing_wrong(self, tmp_path: Path) -> None:
        if shutil.which("systemd-analyze") is None:
            pytest.skip("systemd-analyze is not installed")
        (path, unit), _ = make_files((sys.executable,), "127.0.0.1:8080", GROUPS)
        (tmp_path / path.name).write_text(unit, encoding="utf-8")
        done = subprocess.run(
            ["systemd-analyze", "verify", tmp_path / path.name], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout + done.stderr) == (0, "")

    def test_it_goes_on_after_a_power_cut_and_is_watched(self) -> None:
        (_, unit), (_, rules) = make_files(("/opt/a place/100%/zarbiter",), "0.0.0.0:8080", [])
        lines = unit.splitlines()
        assert 'ExecStart="/opt/a place/100%%/zarbiter" play --go-on' in unit
        assert {"Type=notify", "Restart=on-failure", "StateDirectoryMode=0700"} <= set(lines)
        assert any(line.startswith("WatchdogSec=") for line in lines)
        assert "SupplementaryGroups=" not in unit
        assert rules.count("ID_MM_DEVICE_IGNORE") == rules.count("idVendor") > 0

    def test_the_rules_for_those_without_the_service(self) -> None:
        """The file beside the light board's plans holds what the service writes, below a comment of its own."""
        written = make_files(("zarbiter",), "127.0.0.1:8080", [])[1][1].splitlines()
        lying = (ROOT / "hardware" / "60-light-board.rules").read_text(encoding="utf-8").splitlines()
        assert [line for line in lying if line[:1] != "#"] == [line for line in written if line[:1] != "#"]

    @pytest.mark.parametrize(
        ("call", "sentence"),
        [
            ("service start", "there is no action 'start'; give install, status or remove"),
            (
                "service install --print --web none",
                "--web: a service is ruled from its page; give HOST:PORT, as 0.0.0.0:8080",
            ),
            ("play --go-on --set-up", "--go-on finds its match, or sets one up; leave --set-up and --resume out"),
        ],
    )
    def test_wrong_calls(self, zarbiter: Program, call: str, sentence: str) -> None:
        assert sentence in zarbiter(call, status=2).err

    def test_only_root_installs(self, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        expected = "zarbiter: only root may install a service; call it with sudo\n"
        assert zarbiter("service install", status=1).err == expected

    def test_the_files_are_shown_without_a_change(self, zarbiter: Program) -> None:
        printed = zarbiter("service install --print")
        assert "# /etc/systemd/system/zarbiter.service\n[Unit]\n" in printed.out
        assert not Path("/etc/systemd/system/zarbiter.service").exists()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Root on a machine whose system commands only note that they were called."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("systemctl", "udevadm", "useradd"):
        (commands / name).write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/called\necho active\n', encoding="utf-8")
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(commands))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(service, "_UNITS", tmp_path / "units")
    monkeypatch.setattr(service, "_RULES", tmp_path / "rules")
    monkeypatch.setattr(service, "_AVAHI", tmp_path / "avahi")
    return tmp_path


class TestInstallation:
    def test_from_nothing_to_nothing(self, machine: Path, zarbiter: Program) -> None:
        assert "there is no service; zarbiter service install makes one" in zarbiter("service status", status=1).out
        assert "http://127.0.0.1:8080" in zarbiter("service install").out
        called = (machine / "called").read_text(encoding="utf-8")
        assert "enable --now zarbiter.service" in called
        assert (machine / "units" / "zarbiter.service").is_file()
        assert "the service is active" in zarbiter("service status").out
        assert "matches and calibrations stay" in zarbiter("service remove").out
        assert list((machine / "units").iterdir()) == list((machine / "rules").iterdir()) == []
        expected = "zarbiter: there is no service here; zarbiter service install makes one\n"
        assert zarbiter("service remove", status=1).err == expected

    def test_a_page_for_the_network_is_announced(self, machine: Path, zarbiter: Program) -> None:
        """By mDNS where Avahi is installed, under the name that the page answers to."""
        (machine / "avahi").mkdir()
        zarbiter("service install")
        assert list((machine / "avahi").iterdir()) == []
        printed = zarbiter("service install --web 0.0.0.0:8081")
        assert f"http://{socket.gethostname().partition('.')[0]}.local:8081" in printed.out
        (announced,) = (machine / "avahi").iterdir()
        group = ElementTree.fromstring(announced.read_text(encoding="utf-8").split("\n", 2)[2])  # noqa: S314 - ours
        assert [one.text for one in group.iter() if one.tag in ("type", "port")] == ["_http._tcp", "8081"]
        zarbiter("service remove")
        assert list((machine / "avahi").iterdir()) == []

    def test_a_machine_without_systemd(self, machine: Path, zarbiter: Program) -> None:
        (machine / "bin" / "systemctl").unlink()
        expected = "zarbiter: there is no systemd here; start zarbiter play --go-on by other means\n"
        assert zarbiter("service install", status=1).err == expected

    def test_a_command_that_is_missing_or_fails(self, machine: Path, zarbiter: Program) -> None:
        (machine / "bin" / "udevadm").write_text("#!/bin/sh\necho no such bus >&2\nexit 3\n", encoding="utf-8")
        assert zarbiter("service install", status=1).err.endswith(
            "udevadm control --reload failed: no such bus; put that right and call this again\n"
        )
        (machine / "bin" / "udevadm").unlink()
        assert "cannot be called (" in (said := zarbiter("service install", status=1).err)
        assert said.endswith("); install it or call it by hand\n")

    def test_a_file_that_cannot_be_deleted(
        self, machine: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        zarbiter("service install")
        monkeypatch.setattr(Path, "unlink", Mock(side_effect=PermissionError(1, "Operation not permitted")))
        said = zarbiter("service remove", status=1).err
        assert said.endswith("zarbiter.service cannot be deleted (Operation not permitted); delete it by hand\n")


class TestManager:
    def test_a_program_that_waits_is_ready_and_alive(self, tmp_path: Path, manager: socket.socket) -> None:
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000", "PYTHONPATH": str(ROOT)}
        call = (sys.executable, "-m", "controller", "play", "--go-on", "--headless", "--web", "127.0.0.1:0")
        data = tmp_path / "data"
        data.mkdir()
        camera = camera_folder(tmp_path / "camera", start_pictures(1))
        more = ("--data", data, "--camera", camera, "--calibration", calibration_file(data), "--leds", "none")
        waiting = subprocess.Popen(
            [*call, *more],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert [manager.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
            waiting.send_signal(signal.SIGTERM)
            while (said := manager.recv(100)) == b"WATCHDOG=1":
                pass
            assert said == b"STOPPING=1"
            assert waiting.wait(30) == 0
        finally:
            waiting.kill()

    def test_a_loop_that_hangs_is_not_called_alive(
        self, tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now_s = [0.0]
        monkeypatch.setattr("controller.session.service_manager.monotonic", lambda: now_s[0])
        notified = ServiceManager.of_environment({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000"})
        with notified.running():
            notified.begin()
            notified.publish(None, (), 0)  # type: ignore[arg-type]
            assert (manager.recv(100), manager.recv(100)) == (b"READY=1", b"WATCHDOG=1")
            now_s[0] = 60.0
            time.sleep(0.1)
            manager.setblocking(False)
            while True:
                try:
                    manager.recv(100)
                except BlockingIOError:
                    break
            time.sleep(0.1)
            with pytest.raises(BlockingIOError):
                manager.recv(100)

    def test_a_match_that_cannot_go_on_does_not_end_the_service(
        self, tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The page is set up instead, and the watchdog is answered still."""
        (tmp_path / "matches").mkdir()
        monkeypatch.setattr(going_on, "find_broken_off", lambda _folder: "evening")
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "30000")
        said: list[bytes] = []

        def play(options: Namespace) -> bool:
            options.service.begin()
            said.extend(manager.recv(100) for _ in range(2))
            if options.resume is not None:
                raise CommandFailedError("no camera is plugged in")
            return True

        options = Namespace(go_on=True, set_up=False, resume=None, data=tmp_path)
        assert play_as_service(options, play)
        assert options.set_up
        assert said == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        while (last := manager.recv(100)) == b"WATCHDOG=1":
            pass
        assert last == b"STOPPING=1"

    def test_nobody_listens(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        """It is said once, and the match goes on."""
        notified = ServiceManager.of_environment({"NOTIFY_SOCKET": str(tmp_path / "none"), "WATCHDOG_USEC": "junk"})
        with notified.running():
            notified.begin()
        assert [record.message for record in caplog.records] == [
            "the service manager cannot be reached (No such file or directory)"
        ]
        with ServiceManager.of_environment({}).running() as unheard:
            unheard.begin()
        assert len(caplog.records) == 1


def test_the_match_of_a_power_cut_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that was closed properly is no reason to go on; the files of an open one are what a power cut leaves."""
    matches = tmp_path / "cut" / "matches"
    matches.mkdir(parents=True)
    with create_match(tmp_path / "20261129-120000.zmatch", "backgammon") as log:
        log.append(disputed_events())
        for file in tmp_path.glob("20261129-120000.zmatch*"):
            shutil.copy(file, matches / file.name)
    assert find_broken_off(matches) == "20261129-120000"
    closed = tmp_path / "closed" / "matches"
    closed.mkdir(parents=True)
    shutil.copy(tmp_path / "20261129-120000.zmatch", closed)
    assert find_broken_off(closed) is None
