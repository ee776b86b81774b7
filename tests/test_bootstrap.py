"""`./zarbiter` as a newcomer meets it: the real script, with stand-ins for the Pythons and the package tools.

The machine's own Pythons are out of sight; `test_bootstrap_for_real.py` uses them.
"""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.fake_machine import (
    PATIENCE_S,
    PI_MODEL,
    PYTHON,
    UV,
    VIRTUALENV,
    Machine,
    machine_without_python,
    next_lines,
    write_program,
)

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[1]


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    """A machine without any Python."""
    return machine_without_python(ROOT / "zarbiter", tmp_path)


@pytest.fixture
def machine(bare: Machine) -> Machine:
    """A machine with one suitable Python."""
    bare.has_python("python3", 11)
    return bare


@pytest.fixture
def without_pip(machine: Machine) -> Machine:
    """A machine whose Python has neither ensurepip nor pip."""
    machine.remark("no-ensurepip")
    machine.remark("no-pip")
    return machine


FIRST_START = "zarbiter: first start: making an environment in .venv, about a minute\n"
INSTALLING = "zarbiter: installing Zarbiter and what it needs\n"
INSTALL = "python: -m pip install --disable-pip-version-check --no-input"


def test_the_first_call_sets_up_and_the_second_does_not(machine: Machine) -> None:
    """The environment is made once; from then on the command line is called at once, silently."""
    first = machine.call("demo")
    assert (first.returncode, first.stdout) == (0, "<demo>\n")
    assert first.stderr == FIRST_START + INSTALLING + "zarbiter: ready\n"
    second = machine.call("demo")
    assert (second.returncode, second.stdout, second.stderr) == (0, "<demo>\n", "")
    assert machine.record() == ["python3: -m venv PROJECT/.venv", f"{INSTALL} -e ."]


def test_arguments_arrive_as_they_were_given(machine: Machine) -> None:
    """Spaces, quotes, stars, empty words and line ends reach the command line unchanged."""
    done = machine.call("read", "a b", "", "it's", '"q"', "*", "$HOME", "two\nlines", "-n")
    assert done.stdout == '<read>\n<a b>\n<>\n<it\'s>\n<"q">\n<*>\n<$HOME>\n<two\nlines>\n<-n>\n'


@pytest.mark.parametrize("code", [0, 1, 2, 77])
def test_the_exit_code_is_passed_on(machine: Machine, code: int) -> None:
    """The script ends as the command line and as the tests end."""
    assert machine.call("demo", END_WITH=str(code)).returncode == code
    assert machine.call("test", END_WITH=str(code)).returncode == code


def test_it_can_be_called_from_anywhere(machine: Machine, tmp_path: Path) -> None:
    """From another folder and through a chain of symbolic links the environment still lies beside the script."""
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    (elsewhere / "one").symlink_to("../the project/zarbiter")
    (elsewhere / "two").symlink_to(elsewhere / "one")
    done = subprocess.run(
        ["./two", "demo"], env=machine.environ(), cwd=elsewhere, capture_output=True, text=True, check=False
    )
    assert done.stdout == "<demo>\n"
    assert machine.record()[0] == "python3: -m venv PROJECT/.venv"
    assert sorted(path.name for path in elsewhere.iterdir()) == ["one", "two"]


@pytest.mark.parametrize(
    ("there", "taken"),
    [
        ([11, 12, 13, 14], "python3.13"),
        ([11, 12, 14], "python3.12"),
        ([11, 14], "python3.11"),
        ([14], "python3.14"),
        ([10, 14], "python3.14"),
        ([15], "python3"),  # an unknown newer version, when there is nothing else
    ],
)
def test_the_order_of_pythons(bare: Machine, there: list[int], taken: str) -> None:
    """3.13, 3.12 and 3.11 are tried before 3.14, for which fewer packages have wheels."""
    for minor in there:
        bare.has_python("python3" if minor == 15 else f"python3.{minor}", minor)
    assert bare.call("demo").returncode == 0
    assert bare.record()[0].startswith(f"{taken}: -m venv")


def test_the_interpreter_can_be_named(machine: Machine) -> None:
    """ZARBITER_PYTHON goes first."""
    machine.has_python("my python", 12)
    assert machine.call("demo", ZARBITER_PYTHON=str(machine.programs / "my python")).returncode == 0
    assert machine.record()[0].startswith("my python: -m venv")


@pytest.mark.parametrize(("minor", "found"), [(9, "the python3 here is 3.9"), (None, "there is no python3 here")])
def test_without_a_suitable_python_nothing_is_made(bare: Machine, minor: int | None, found: str) -> None:
    if minor is not None:
        bare.has_python("python3", minor)
    done = bare.call("demo")
    assert done.returncode == 1
    assert done.stderr.startswith(f"zarbiter: Python 3.11 or newer is needed and {found}; please install")
    assert not (bare.project / ".venv").exists()


def test_a_failed_installation_is_reported_and_never_reused(machine: Machine) -> None:
    """pip's last words are shown, the exit code is 1, and the next call starts from nothing."""
    machine.remark("pip-fails")
    failed = machine.call("demo")
    assert failed.returncode == 1
    assert "no route to the packages\nzarbiter: the set-up did not succeed" in failed.stderr
    (machine.project / ".venv" / "half-made").touch()
    (machine.programs / "pip-fails").unlink()
    assert machine.call("demo").stdout == "<demo>\n"
    assert not (machine.project / ".venv" / "half-made").exists()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".venv/zarbiter-ready", None),
        ("pyproject.toml", "[project]\nname = 'zarbiter'\nversion = '2'\n"),
        (".venv/bin/python", "#!/bin/sh\necho 'no such library' >&2\nexit 1\n"),
    ],
    ids=["no stamp, as after a pulled plug", "another project, as after a git pull", "a Python broken by an upgrade"],
)
def test_an_unfit_environment_is_made_anew(machine: Machine, path: str, text: str | None) -> None:
    assert machine.call("demo").returncode == 0
    if text is None:
        (machine.project / path).unlink()
    else:
        write_program(machine.project / path, text)
    done = machine.call("demo")
    assert (done.returncode, done.stdout) == (0, "<demo>\n")
    assert "the environment is unfinished or out of date; making it anew" in done.stderr
    assert "no such library" not in done.stderr
    assert machine.call("demo").stderr == ""


def test_a_moved_project_makes_it_anew(machine: Machine, tmp_path: Path) -> None:
    """An environment points at the folder it was made in, so a moved one is not used."""
    assert machine.call("demo").returncode == 0
    moved = Machine(machine.project.rename(tmp_path / "moved"), machine.programs).call("demo")
    assert "making it anew" in moved.stderr


def test_two_calls_at_once_make_one_environment(machine: Machine) -> None:
    os.mkfifo(machine.programs / "gate")  # the first call's pip waits until somebody writes here
    with machine.started("demo") as first:
        assert next_lines(first, 2) == [FIRST_START, INSTALLING]
        with machine.started("demo") as second:
            assert next_lines(second, 1) == ["zarbiter: another call is at the set-up; waiting for it\n"]
            (machine.programs / "gate").write_text("go on")
            assert first.communicate(timeout=PATIENCE_S)[0] == "<demo>\n"
            assert second.communicate(timeout=PATIENCE_S)[0] == "<demo>\n"
    assert len([line for line in machine.record() if "-m venv" in line]) == 1


STOPPED = "zarbiter: stopped; the next call begins the set-up anew\n"


@pytest.mark.parametrize(("stop", "said"), [(signal.SIGINT, STOPPED), (signal.SIGTERM, STOPPED), (signal.SIGKILL, "")])
def test_a_stopped_set_up_is_begun_anew(machine: Machine, stop: signal.Signals, said: str) -> None:
    """Whatever ends the set-up, no stamp and no lock is left, and the next call starts from nothing."""
    os.mkfifo(machine.programs / "gate")
    with machine.started("demo") as stopped:
        assert next_lines(stopped, 2) == [FIRST_START, INSTALLING]
        os.killpg(stopped.pid, stop)  # as Ctrl-C does: the script and its pip
        assert stopped.communicate(timeout=PATIENCE_S) == ("", said)
        assert stopped.returncode != 0
    (machine.programs / "gate").unlink()
    done = machine.call("demo")
    assert done.stdout == "<demo>\n"
    assert done.stderr.startswith("zarbiter: the environment is unfinished or out of date")


def test_without_ensurepip_the_user_reads_one_command(without_pip: Machine) -> None:
    """An ordinary user of Debian learns what to ask for, and nothing is left behind that looks finished."""
    write_program(without_pip.programs / "apt-get", '#!/bin/sh\necho "apt-get: $*" >>"$FAKES/record"\n')
    done = without_pip.call("demo")
    assert done.returncode == 1
    assert done.stderr.endswith(
        "zarbiter: this Python cannot make environments; please run: sudo apt-get install python3-venv"
        "   and call this again.\n"
    )
    assert without_pip.record() == []


def test_without_ensurepip_root_gets_it(without_pip: Machine) -> None:
    """The package is installed and the set-up goes on."""
    write_program(without_pip.programs / "id", "#!/bin/sh\necho 0\n")
    apt = '#!/bin/sh\necho "apt-get: $*" >>"$FAKES/record"\ncase "$1" in install) rm "$FAKES/no-ensurepip" ;; esac\n'
    write_program(without_pip.programs / "apt-get", apt)
    assert without_pip.call("demo").stdout == "<demo>\n"
    assert without_pip.record()[:3] == [
        "apt-get: update",
        "apt-get: install -y python3-venv",
        "python3: -m venv PROJECT/.venv",
    ]


def test_where_root_cannot_get_it_either_it_reads_the_command(without_pip: Machine) -> None:
    """Without a network apt fails for root as well."""
    write_program(without_pip.programs / "id", "#!/bin/sh\necho 0\n")
    write_program(without_pip.programs / "apt-get", "#!/bin/sh\nexit 100\n")
    done = without_pip.call("demo")
    assert done.returncode == 1
    assert "please run: sudo apt-get install python3-venv" in done.stderr


@pytest.mark.parametrize(
    ("remarks", "programs", "record"),
    [
        ({"no-ensurepip": ""}, {"virtualenv": VIRTUALENV}, ["virtualenv: --python python3", f"{INSTALL} -e ."]),
        (
            {"no-ensurepip": ""},
            {},
            [
                "python3: -m venv --without-pip PROJECT/.venv",
                "python3: -m pip --python PROJECT/.venv/bin/python install pip",
                f"{INSTALL} -e .",
            ],
        ),
        (
            {},
            {"uv": UV},
            [
                "uv: venv --python python3 PROJECT/.venv",
                "uv: pip install --python PROJECT/.venv/bin/python --compile-bytecode -e .",
            ],
        ),
        ({"model": "Orange Pi Zero 3\0"}, {}, ["python3: -m venv PROJECT/.venv", f"{INSTALL} -e ."]),
    ],
    ids=["virtualenv for ensurepip", "the system's pip for ensurepip", "uv before pip", "another board is no Pi"],
)
def test_what_makes_the_environment(
    machine: Machine, remarks: dict[str, str], programs: dict[str, str], record: list[str]
) -> None:
    for name, text in remarks.items():
        machine.remark(name, text)
    for name, text in programs.items():
        write_program(machine.programs / name, text)
    assert machine.call("demo").stdout == "<demo>\n"
    assert machine.record() == record


@pytest.mark.parametrize(("is_numpy_1", "numpy"), [(False, ""), (True, "numpy<2 ")])
def test_a_pi_sees_the_systems_packages(machine: Machine, is_numpy_1: bool, numpy: str) -> None:
    """The environment sees apt's picamera2, which needs the numpy 1 it was built against; the GPIO parts come too."""
    machine.remark("model", PI_MODEL)
    if is_numpy_1:
        machine.remark("numpy-1")
    assert machine.call("demo", ZARBITER_PYTHON="python3").returncode == 0
    assert machine.record() == [
        "python3: -m venv --system-site-packages PROJECT/.venv",
        f"{INSTALL} {numpy}-e .",
        f"{INSTALL} {numpy}-e .[pi]",
    ]


def test_a_python_that_can_make_environments_goes_first(bare: Machine) -> None:
    """A 3.13 without ensurepip is passed over when a 3.12 has it."""
    without = PYTHON.replace("@MINOR@", "13").replace('[ ! -e "$FAKES/no-ensurepip" ]', "false")
    write_program(bare.programs / "python3.13", without)
    bare.has_python("python3.12", 12)
    assert bare.call("demo").returncode == 0
    assert bare.record()[0] == "python3.12: -m venv PROJECT/.venv"


def test_where_uv_fails_pip_takes_over(machine: Machine) -> None:
    """uv does not read pip.conf, so where only that knows the way pip still arrives."""
    write_program(machine.programs / "uv", UV)
    machine.remark("uv-fails")
    done = machine.call("demo")
    assert done.stdout == "<demo>\n"
    assert "uv could not do it" in done.stderr
    assert machine.record()[2:] == ["python3: -m venv PROJECT/.venv", f"{INSTALL} -e ."]


def test_a_pi_without_gpio_parts_goes_on(machine: Machine) -> None:
    """When the GPIO parts do not install, one line says so and the rest works, also the next time."""
    machine.remark("model", PI_MODEL)
    machine.remark("pi-fails")
    done = machine.call("demo", ZARBITER_PYTHON="python3")
    assert (done.returncode, done.stdout) == (0, "<demo>\n")
    assert "the parts for GPIO buttons did not install" in done.stderr
    assert machine.call("demo").stderr == ""


def test_the_tests_get_their_tools_at_their_first_call(machine: Machine) -> None:
    """`test` adds the dev extra once and hands its arguments to pytest."""
    assert machine.call("demo").returncode == 0
    first = machine.call("test", "--slow", "-k", "a b")
    assert first.stdout == "<pytest>\n<-n>\n<auto>\n<--dist>\n<worksteal>\n<--slow>\n<-k>\n<a b>\n"
    assert first.stderr.splitlines() == ["zarbiter: installing the test tools", "zarbiter: ready"]
    assert machine.call("test").stderr == ""
    assert machine.record()[1:3] == [f"{INSTALL} -e .", f"{INSTALL} -e .[dev]"]


def test_a_fresh_clone_can_be_tested_in_one_step(machine: Machine) -> None:
    """`test` as the first call installs everything at once, and the command line is ready too."""
    assert machine.call("test").returncode == 0
    assert machine.record()[:2] == ["python3: -m venv PROJECT/.venv", f"{INSTALL} -e .[dev]"]
    assert machine.call("demo").stderr == ""


def test_failing_test_tools_leave_the_command_line_in_use(machine: Machine) -> None:
    """Without a network the tests cannot start, but the demo still does."""
    assert machine.call("demo").returncode == 0
    machine.remark("dev-fails")
    failed = machine.call("test")
    assert failed.returncode == 1
    assert "no dev today" in failed.stderr
    assert machine.call("demo").stderr == ""


def test_the_lock_is_used_when_asked_for(machine: Machine) -> None:
    """CI's versions count where ZARBITER_CONSTRAINTS names them, and a plain call afterwards is content with them."""
    (machine.project / "lock.txt").write_text("numpy==2.0\n")
    ci = {"ZARBITER_CONSTRAINTS": "lock.txt", "ZARBITER_TEST_EXTRAS": "dev,oracle"}
    assert machine.call("test", **ci).returncode == 0
    assert machine.record()[1] == f"{INSTALL} -c PROJECT/lock.txt -e .[dev,oracle]"
    assert machine.call("test", **ci).stderr == ""
    assert machine.call("test").stderr == ""
    (machine.project / "lock.txt").write_text("numpy==2.1\n")
    assert "making it anew" in machine.call("test", **ci).stderr


def test_a_missing_lock_is_named(machine: Machine) -> None:
    """A wrong ZARBITER_CONSTRAINTS is named and nothing is made."""
    done = machine.call("demo", ZARBITER_CONSTRAINTS="nowhere.txt")
    assert done.returncode == 1
    assert done.stderr == f"zarbiter: ZARBITER_CONSTRAINTS names {machine.project}/nowhere.txt, which cannot be read.\n"
