import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.doctor.findings import (
    Check,
    Finding,
    Severity,
    fault,
    finding_line,
    finding_record,
    has_fault,
    ok,
    run_checks,
    summarise,
    warning,
)
from controller.doctor.lights import light_findings
from controller.doctor.machine import (
    Machine,
    clock_findings,
    disk_findings,
    group_findings,
    memory_findings,
    pin_findings,
    power_findings,
    version_findings,
)
from firmware_bridge.boards.adalight import AdalightBoard
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.errors import NotALightBoardError, PortForbiddenError
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import FakeClock, FakePlug
from firmware_bridge.pins.gpio_probe import GpioProbe, ImportCheck

OK, WARNING, FAULT = Severity.OK, Severity.WARNING, Severity.FAULT


def nothing_runs(_call: tuple[str, ...]) -> str | None:
    return None


def nothing_installed(_name: str) -> str | None:
    return None


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Linux that tells nothing."""
    return Machine(
        root=tmp_path,
        python=(3, 11, 2),
        run=nothing_runs,
        version_of=nothing_installed,
        groups=("users",),
        every_group=("users", "dialout"),
        is_root=False,
        now=datetime(2026, 5, 4, 20, 0, tzinfo=UTC),
    )


def as_pi(machine: Machine) -> Machine:
    model = machine.root / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    return machine


def printing(machine: Machine, text: str) -> Machine:
    return replace(machine, run=lambda _call: text)


class TestFindings:
    def test_a_check_that_falls_over_is_told_and_the_others_go_on(self) -> None:
        """No traceback, whatever fails; and what nobody has seen is not called well."""

        def falls_over() -> Iterator[Finding]:
            yield ok("camera", "it opens.")
            raise RuntimeError("driver\nsays  no")

        found = list(run_checks([Check("camera", falls_over), Check("disk", lambda: [ok("disk", "fine.")])]))
        assert [(each.check, each.severity) for each in found] == [("camera", OK), ("camera", WARNING), ("disk", OK)]
        assert found[1].sentence == "this could not be checked: RuntimeError: driver says no"

    def test_a_row_and_a_record(self) -> None:
        """The table for people, one JSON object a line for programs."""
        found = fault("light board", "it is gone; plug it in.")
        assert finding_line(found) == "fault   light board       it is gone; plug it in."
        record = {"check": "light board", "verdict": "fault", "sentence": "it is gone; plug it in."}
        assert json.loads(json.dumps(finding_record(found))) == record

    def test_the_summary_counts(self) -> None:
        """And only a fault is a failure."""
        well, doubtful, broken = ok("a", "."), warning("b", "."), fault("c", ".")
        assert summarise([well]) == "All is well."
        assert summarise([well, doubtful, doubtful]) == "2 warnings found."
        assert summarise([broken, doubtful]) == "1 fault and 1 warning found."
        assert has_fault([doubtful, broken])
        assert not has_fault([well, doubtful])


class TestVersions:
    def test_what_is_installed_is_told(self, machine: Machine) -> None:
        """Python, OpenCV and numpy."""
        versions = {"opencv-python-headless": "4.11.0", "numpy": "2.1.0"}
        (found,) = version_findings(replace(machine, version_of=versions.get))
        assert (found.severity, found.sentence) == (
            OK,
            "Python 3.11.2, opencv-python-headless 4.11.0, numpy 2.1.0.",
        )

    def test_two_opencvs_overwrite_each_other(self, machine: Machine) -> None:
        """A usual reason for strange crashes."""
        versions = {"opencv-python-headless": "4.11.0", "opencv-python": "4.10.0"}
        found = list(version_findings(replace(machine, version_of=versions.get)))
        assert found[0].severity is WARNING
        assert "opencv-python-headless and opencv-python are both installed" in found[0].sentence

    def test_an_old_python_is_a_fault(self, machine: Machine) -> None:
        """3.11 is the least."""
        found = list(version_findings(replace(machine, python=(3, 10, 9))))
        assert found[0].severity is FAULT

    def test_an_opencv_of_another_kind_is_not_called_well(self, machine: Machine) -> None:
        """Apt's, for example, tells no version by this way."""
        assert [each.severity for each in version_findings(machine)] == [WARNING, OK]


class TestGroup:
    def test_outside_the_group_no_board_can_be_opened(self, machine: Machine) -> None:
        """The remedy is the command."""
        (found,) = group_findings(machine)
        assert found.severity is WARNING
        assert "sudo usermod -aG dialout $USER" in found.sentence

    @pytest.mark.parametrize(
        "changed", [{"groups": ("dialout",)}, {"is_root": True}, {"every_group": ("users",)}, {"groups": None}]
    )
    def test_members_root_and_systems_without_it_are_well(self, machine: Machine, changed: dict[str, object]) -> None:
        """macOS and containers know no dialout."""
        (found,) = group_findings(replace(machine, **changed))  # type: ignore[arg-type]
        assert found.severity is OK


class TestPins:
    def test_elsewhere_no_pins_are_no_fault(self, machine: Machine) -> None:
        """And no library is asked for."""

        def not_to_be_asked() -> GpioProbe:
            raise AssertionError("asked")

        (found,) = pin_findings(machine, not_to_be_asked)
        assert found.severity is OK
        assert "not a Raspberry Pi" in found.sentence

    def test_on_a_pi_the_remedies_are_told(self, machine: Machine) -> None:
        """Both rivals installed, nothing answers."""
        probe = GpioProbe((ImportCheck("lgpio", "is not installed"),), (("RPi.GPIO", "0.7.1"), ("rpi-lgpio", "0.6")))
        found = list(pin_findings(as_pi(machine), lambda: probe))
        assert [each.severity for each in found] == [WARNING] * len(probe.remedies)
        assert "both installed" in found[0].sentence

    def test_on_a_pi_what_answers_is_told(self, machine: Machine) -> None:
        """One library and gpiozero."""
        probe = GpioProbe((ImportCheck("lgpio"),), (("lgpio", "0.2.2.0"), ("gpiozero", "2.0.1")))
        assert list(pin_findings(as_pi(machine), lambda: probe)) == [Finding("pins", OK, "lgpio answers.")]


class TestDisk:
    @pytest.mark.parametrize(("free_mb", "verdict"), [(20, FAULT), (200, WARNING), (9_000, OK)])
    def test_room(self, tmp_path: Path, free_mb: int, verdict: Severity) -> None:
        """For two evenings with pictures; below 50 MB no match is begun."""
        found = list(disk_findings(tmp_path, usage=lambda _folder: (10**12, 0, free_mb * 10**6)))
        assert found[0].severity is verdict
        assert f"{free_mb} MB" in found[0].sentence

    def test_a_folder_to_be_made_is_tried_where_it_would_be_made(self, tmp_path: Path) -> None:
        """Nothing is made or left behind."""
        found = list(disk_findings(tmp_path / "share/zarbiter"))
        assert [each.check for each in found] == ["disk", "writing"]
        assert found[1].severity is OK
        assert str(tmp_path) in found[1].sentence
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_folder_that_cannot_be_written_is_a_fault(self, tmp_path: Path) -> None:
        """As on a card that has gone read-only."""
        tmp_path.chmod(0o500)
        found = list(disk_findings(tmp_path))
        tmp_path.chmod(0o700)
        assert found[-1].severity is FAULT

    def test_a_file_system_that_refuses_is_a_fault(self) -> None:
        """/proc takes no file, whoever asks."""
        found = list(disk_findings(Path("/proc/self")))
        assert found[-1].severity is FAULT
        assert "nothing can be written to /proc/self" in found[-1].sentence


class TestClock:
    @pytest.mark.parametrize(("answer", "verdict"), [("yes\n", OK), ("no\n", WARNING), ("", WARNING)])
    def test_who_keeps_it(self, machine: Machine, answer: str, verdict: Severity) -> None:
        """The network, nobody, or nobody knows."""
        (found,) = clock_findings(printing(machine, answer))
        assert found.severity is verdict
        assert "2026-05-04" in found.sentence

    def test_timesyncd_says_it_by_a_file_too(self, machine: Machine) -> None:
        """Where timedatectl is missing."""
        kept = machine.root / "run/systemd/timesync/synchronized"
        kept.parent.mkdir(parents=True)
        kept.touch()
        assert next(clock_findings(machine)).severity is OK

    @pytest.mark.parametrize("year", [1970, 2000, 2024, 2106])
    def test_a_date_that_cannot_be_is_a_fault(self, machine: Machine, year: int) -> None:
        """A Pi without a network begins in 1970."""
        (found,) = clock_findings(replace(machine, now=datetime(year, 1, 1, tzinfo=UTC)))
        assert found.severity is FAULT


class TestPower:
    def test_elsewhere_there_is_nothing_to_ask(self, machine: Machine) -> None:
        """No fault."""
        (found,) = power_findings(machine)
        assert found.severity is OK

    @pytest.mark.parametrize(
        ("told", "verdicts", "words"),
        [
            ("throttled=0x0\n", [OK], "neither undervoltage nor throttling"),
            ("throttled=0x50005\n", [FAULT], "the voltage is too low and it is throttled"),
            ("throttled=0x50000\n", [WARNING], "a time when the voltage is too low and when it is throttled"),
            ("throttled=0x80001\n", [FAULT, WARNING], "the voltage is too low"),
        ],
    )
    def test_the_flags_of_the_firmware(self, machine: Machine, told: str, verdicts: list[Severity], words: str) -> None:
        """Now is a fault, earlier a warning."""
        found = list(power_findings(printing(as_pi(machine), told)))
        assert [each.severity for each in found] == verdicts
        assert words in found[0].sentence

    @pytest.mark.parametrize(("alarm", "verdict"), [("0\n", OK), ("1\n", FAULT), (None, WARNING)])
    def test_without_the_program_the_kernel_is_asked(
        self, machine: Machine, alarm: str | None, verdict: Severity
    ) -> None:
        """And where it tells nothing either, nobody knows."""
        sensor = machine.root / "sys/class/hwmon/hwmon1"
        sensor.mkdir(parents=True)
        (sensor / "name").write_text("rpi_volt\n")
        if alarm is not None:
            (sensor / "in0_lcrit_alarm").write_text(alarm)
        (found,) = power_findings(as_pi(machine))
        assert found.severity is verdict

    def test_garbage_from_the_program_is_no_answer(self, machine: Machine) -> None:
        """It is not taken for zero."""
        (found,) = power_findings(printing(as_pi(machine), "throttled=maybe"))
        assert found.severity is WARNING


@pytest.mark.parametrize(
    ("line", "verdict"),
    [("MemAvailable:    3812345 kB", OK), ("MemAvailable:     120000 kB", WARNING), ("MemFree: 7 kB", WARNING)],
)
def test_memory(machine: Machine, line: str, verdict: Severity) -> None:
    """What is free, not what is unused."""
    (machine.root / "proc").mkdir()
    (machine.root / "proc/meminfo").write_text(f"MemTotal:  4000000 kB\n{line}\n")
    (found,) = memory_findings(machine)
    assert found.severity is verdict


class TestLights:
    def board(self, _port: str) -> LightBoard:
        clock = FakeClock()
        return BglpBoard(FakePlug(FakeBoard(FakeBoardSpec(n_led=48)), clock), clock)

    def test_a_board_that_answers_is_told(self) -> None:
        """With how it confirms what it shows."""
        found = list(light_findings(["/dev/serial/by-id/x"], self.board))
        assert found[0].severity is OK
        assert "48 LEDs" in found[0].sentence
        assert "by a digest" in found[0].sentence

    def test_a_board_that_tells_nothing_is_not_said_to(self) -> None:
        """Plain Adalight."""
        clock = FakeClock()
        found = list(light_findings(["p"], lambda _: AdalightBoard(FakePlug(FakeBoard(), clock), clock, 48)))
        assert "cannot say what it shows" in found[0].sentence

    def test_no_port_is_a_warning(self) -> None:
        """One can play without lights."""
        (found,) = light_findings([], self.board)
        assert found.severity is WARNING

    def test_beside_a_light_board_other_devices_are_well(self) -> None:
        """A GPS on the same machine is no trouble, unless it was named."""

        def board_at(port: str) -> LightBoard:
            if port == "gps":
                raise NotALightBoardError(port, "something else speaks there", "choose another port")
            return self.board(port)

        both = [each for each in light_findings(["gps", "board"], board_at) if "gps" in each.sentence]
        assert [each.severity for each in both] == [OK]
        assert [each.severity for each in light_findings(["gps"], board_at)] == [WARNING]
        assert [each.severity for each in light_findings(["gps"], board_at, is_named=True)] == [FAULT]

    def test_a_forbidden_port_tells_its_remedy(self) -> None:
        """In the port's own sentence."""

        def forbidden(port: str) -> LightBoard:
            raise PortForbiddenError(port, "may not be opened by you", "join its group")

        (found,) = light_findings(["/dev/ttyACM0"], forbidden, is_named=True)
        assert found == Finding("light board", FAULT, "/dev/ttyACM0 may not be opened by you; join its group.")
