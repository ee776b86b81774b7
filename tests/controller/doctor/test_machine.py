import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.doctor.findings import Finding, Severity
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
from firmware_bridge.pins.gpio_probe import GpioProbe, ImportCheck

OK, WARNING, FAULT = Severity.OK, Severity.WARNING, Severity.FAULT


def returns_none(_: object) -> None:
    """Stands for a program that is missing, and for a distribution that is not installed."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Linux without any of the files and programs that the checks read."""
    now, groups = datetime(2026, 5, 4, 20, 0, tzinfo=UTC), ("users", "dialout")
    return Machine(tmp_path, (3, 11, 2), returns_none, returns_none, groups[:1], groups, is_root=False, now=now)


def as_pi(machine: Machine) -> Machine:
    model = machine.root / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    return machine


def printing(machine: Machine, text: str) -> Machine:
    return replace(machine, run=lambda _call: text)


class TestVersions:
    def test_installed_versions_are_listed(self, machine: Machine) -> None:
        """Python, OpenCV and numpy, in one sentence."""
        versions = {"opencv-python-headless": "4.11.0", "numpy": "2.1.0"}
        sentence = "Python 3.11.2, opencv-python-headless 4.11.0, numpy 2.1.0."
        assert list(version_findings(replace(machine, version_of=versions.get))) == [Finding("versions", OK, sentence)]

    def test_two_distributions_of_opencv_are_a_warning(self, machine: Machine) -> None:
        """They overwrite each other's files."""
        versions = {"opencv-python-headless": "4.11.0", "opencv-python": "4.10.0"}
        found = next(version_findings(replace(machine, version_of=versions.get)))
        assert found.severity is WARNING
        assert "opencv-python-headless and opencv-python are both installed" in found.sentence

    def test_an_old_python_is_a_fault(self, machine: Machine) -> None:
        """3.11 is the oldest supported version."""
        assert next(version_findings(replace(machine, python=(3, 10, 9)))).severity is FAULT

    def test_an_opencv_without_a_version_is_not_ok(self, machine: Machine) -> None:
        """A package of the system, for example, has no version here."""
        assert [each.severity for each in version_findings(machine)] == [WARNING, OK]


class TestGroup:
    def test_a_user_outside_the_group_gets_the_command_that_helps(self, machine: Machine) -> None:
        """Without the group no light board can be opened."""
        (found,) = group_findings(machine)
        assert found.severity is WARNING
        assert "sudo usermod -aG dialout $USER" in found.sentence

    def test_the_port_that_is_plugged_in_names_its_group(self, machine: Machine) -> None:
        """Systems differ in the group, and udev rules may change it."""
        (found,) = group_findings(replace(machine, groups=("dialout",), port_groups=("plugdev",)))
        assert (found.severity, "sudo usermod -aG plugdev $USER" in found.sentence) == (WARNING, True)

    def test_without_a_port_the_usual_group_of_the_system_is_named(self, machine: Machine) -> None:
        (found,) = group_findings(replace(machine, every_group=("users", "uucp")))
        assert (found.severity, "sudo usermod -aG uucp $USER" in found.sentence) == (WARNING, True)

    @pytest.mark.parametrize(
        "changed", [{"groups": ("dialout",)}, {"is_root": True}, {"every_group": ("users",)}, {"groups": None}]
    )
    def test_members_root_and_systems_without_the_group_are_ok(
        self, machine: Machine, changed: dict[str, object]
    ) -> None:
        """macOS and containers have no such group."""
        (found,) = group_findings(replace(machine, **changed))  # type: ignore[arg-type]
        assert found.severity is OK


class TestPins:
    def test_another_machine_needs_no_pins(self, machine: Machine) -> None:
        """The libraries are not probed there."""

        def must_not_run() -> GpioProbe:
            raise AssertionError("probed")

        (found,) = pin_findings(machine, must_not_run)
        assert found.severity is OK
        assert "not a Raspberry Pi" in found.sentence

    def test_a_pi_without_a_usable_library_gets_the_remedies(self, machine: Machine) -> None:
        """Here two rival libraries are installed, and none can be imported."""
        probe = GpioProbe((ImportCheck("lgpio", "is not installed"),), (("RPi.GPIO", "0.7.1"), ("rpi-lgpio", "0.6")))
        found = list(pin_findings(as_pi(machine), lambda: probe))
        assert [each.severity for each in found] == [WARNING] * len(probe.remedies)
        assert "both installed" in found[0].sentence

    def test_a_pi_with_a_usable_library_is_ok(self, machine: Machine) -> None:
        """One library and gpiozero suffice."""
        probe = GpioProbe((ImportCheck("lgpio"),), (("lgpio", "0.2.2.0"), ("gpiozero", "2.0.1")))
        assert list(pin_findings(as_pi(machine), lambda: probe)) == [Finding("pins", OK, "lgpio answers.")]


class TestDisk:
    @pytest.mark.parametrize(("free_mb", "verdict"), [(20, FAULT), (200, WARNING), (9_000, OK)])
    def test_free_space(self, tmp_path: Path, free_mb: int, verdict: Severity) -> None:
        """500 MB suffice for two evenings with pictures; less than 50 MB is a fault."""
        found = next(disk_findings(tmp_path, usage=lambda _folder: (10**12, 0, free_mb * 10**6)))
        assert found.severity is verdict
        assert f"{free_mb} MB" in found.sentence

    def test_a_missing_folder_is_checked_in_its_nearest_parent(self, tmp_path: Path) -> None:
        """No file or folder is left behind."""
        disk, writing = disk_findings(tmp_path / "share/zarbiter")
        assert (disk.check, writing.check, writing.severity) == ("disk", "writing", OK)
        assert str(tmp_path) in writing.sentence
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_read_only_folder_is_a_fault(self, tmp_path: Path) -> None:
        """A memory card may have become read-only."""
        tmp_path.chmod(0o500)
        found = list(disk_findings(tmp_path))
        tmp_path.chmod(0o700)
        assert found[-1].severity is FAULT

    def test_a_file_system_that_refuses_files_is_a_fault(self) -> None:
        """/proc accepts no file from any user."""
        found = list(disk_findings(Path("/proc/self")))
        assert found[-1].severity is FAULT
        assert "nothing can be written to /proc/self" in found[-1].sentence


class TestClock:
    @pytest.mark.parametrize(("answer", "verdict"), [("yes\n", OK), ("no\n", WARNING), ("", WARNING)])
    def test_synchronisation(self, machine: Machine, answer: str, verdict: Severity) -> None:
        """`timedatectl` says yes, no, or nothing."""
        (found,) = clock_findings(printing(machine, answer))
        assert found.severity is verdict
        assert "2026-05-04" in found.sentence

    def test_the_file_of_timesyncd_counts_too(self, machine: Machine) -> None:
        """It counts where timedatectl is missing."""
        kept = machine.root / "run/systemd/timesync/synchronized"
        kept.parent.mkdir(parents=True)
        kept.touch()
        assert next(clock_findings(machine)).severity is OK

    @pytest.mark.parametrize("year", [1970, 2000, 2024, 2106])
    def test_an_impossible_date_is_a_fault(self, machine: Machine, year: int) -> None:
        """A Raspberry Pi without a network begins in 1970."""
        (found,) = clock_findings(replace(machine, now=datetime(year, 1, 1, tzinfo=UTC)))
        assert found.severity is FAULT


class TestPower:
    def test_another_machine_is_ok(self, machine: Machine) -> None:
        """Only a Raspberry Pi reports undervoltage."""
        (found,) = power_findings(machine)
        assert found.severity is OK

    @pytest.mark.parametrize(
        ("output", "verdicts", "words"),
        [
            ("throttled=0x0\n", [OK], "neither undervoltage nor throttling"),
            ("throttled=0x50005\n", [FAULT], "the voltage is too low and it is throttled"),
            ("throttled=0x50000\n", [WARNING], "a time when the voltage is too low and when it is throttled"),
            ("throttled=0x80001\n", [FAULT, WARNING], "the voltage is too low"),
            ("throttled=maybe", [WARNING], "could not be checked"),
        ],
    )
    def test_the_flags_of_the_firmware(
        self, machine: Machine, output: str, verdicts: list[Severity], words: str
    ) -> None:
        """A present problem is a fault, a past one a warning; unreadable output is not taken for zero."""
        found = list(power_findings(printing(as_pi(machine), output)))
        assert [each.severity for each in found] == verdicts
        assert words in found[0].sentence

    @pytest.mark.parametrize(("alarm", "verdict"), [("0\n", OK), ("1\n", FAULT), (None, WARNING)])
    def test_without_vcgencmd_the_kernel_is_read(self, machine: Machine, alarm: str | None, verdict: Severity) -> None:
        """Without an alarm file the check is inconclusive."""
        sensor = machine.root / "sys/class/hwmon/hwmon1"
        sensor.mkdir(parents=True)
        (sensor / "name").write_text("rpi_volt\n")
        if alarm is not None:
            (sensor / "in0_lcrit_alarm").write_text(alarm)
        (found,) = power_findings(as_pi(machine))
        assert found.severity is verdict


@pytest.mark.parametrize(
    ("line", "verdict"),
    [("MemAvailable:    3812345 kB", OK), ("MemAvailable:     120000 kB", WARNING), ("MemFree: 7 kB", WARNING)],
)
def test_memory(machine: Machine, line: str, verdict: Severity) -> None:
    """MemAvailable counts, not MemFree."""
    (machine.root / "proc").mkdir()
    (machine.root / "proc/meminfo").write_text(f"MemTotal:  4000000 kB\n{line}\n")
    (found,) = memory_findings(machine)
    assert found.severity is verdict
