"""A machine for the tests of `./zarbiter`: a folder of stand-ins for the Pythons and the package tools, which is all of PATH.

Each stand-in writes into `record` how it was called; what it cannot do is said by files beside it (`no-ensurepip`,
`pip-fails` and so on).
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

# The plain programs that the script and its stand-ins may use.
PROGRAMS = ("cat", "chmod", "dirname", "grep", "mkdir", "mv", "readlink", "rm", "sh", "tail")

# @MINOR@ is the version.
PYTHON = """#!/bin/sh
name=${0##*/}
case "$*" in
*flock* | *crc32*) exec "$REAL_PYTHON" "$@" ;;
*"version_info < (3, 11)"*) [ @MINOR@ -ge 11 ]; exit ;;
*version_info*) echo 3.@MINOR@; exit ;;
*"import ensurepip"*) [ ! -e "$FAKES/no-ensurepip" ]; exit ;;
*"import numpy"*) [ -e "$FAKES/numpy-1" ]; exit ;;
*"pip --version"*) [ ! -e "$FAKES/no-pip" ]; exit ;;
esac
printf '%s:' "$name" >>"$FAKES/record"; printf ' %s' "$@" >>"$FAKES/record"; echo >>"$FAKES/record"
case "$*" in
"-m venv"*)
    for folder do :; done
    mkdir -p "$folder/bin" && cat "$0" >"$folder/bin/python" && chmod +x "$folder/bin/python" ;;
"-m pip install"*)
    if [ -e "$FAKES/gate" ]; then cat "$FAKES/gate" >/dev/null; fi
    case "$*" in
    *'.[pi]') [ ! -e "$FAKES/pi-fails" ] || exit 1 ;;
    *'.[dev]') [ ! -e "$FAKES/dev-fails" ] || { echo "no dev today"; exit 1; } ;;
    *) [ ! -e "$FAKES/pip-fails" ] || { echo "no route to the packages"; exit 1; } ;;
    esac
    cat "$FAKES/command" >"${0%/*}/zarbiter" && chmod +x "${0%/*}/zarbiter" ;;
"-m pytest"*) shift 2; exec sh "$FAKES/command" pytest "$@" ;;
esac
"""
# What the real uv and virtualenv do here is to make an environment and to install.
UV = """#!/bin/sh
printf 'uv:' >>"$FAKES/record"; printf ' %s' "$@" >>"$FAKES/record"; echo >>"$FAKES/record"
for last do :; done
case "$1" in
venv) mkdir -p "$last/bin" && cat "$FAKES/python" >"$last/bin/python" && chmod +x "$last/bin/python" ;;
pip) [ ! -e "$FAKES/uv-fails" ] && cat "$FAKES/command" >"${4%/*}/zarbiter" && chmod +x "${4%/*}/zarbiter" ;;
esac
"""
VIRTUALENV = """#!/bin/sh
printf 'virtualenv: %s %s\\n' "$1" "$2" >>"$FAKES/record"
for last do :; done
mkdir -p "$last/bin" && cat "$FAKES/python" >"$last/bin/python" && chmod +x "$last/bin/python"
"""
# The installed command line: shows its arguments, one a line between brackets, and ends as it is told to.
COMMAND = """#!/bin/sh
for word do printf '<%s>\\n' "$word"; done
exit "${END_WITH:-0}"
"""

PATIENCE_S = 60  # a shell script on a busy machine; what hangs is ended then
PI_MODEL = "Raspberry Pi 4 Model B Rev 1.4\0"  # as the device tree has it, with its closing zero byte


@dataclass(frozen=True)
class Machine:
    """A folder with the project, and a folder with the programs that this machine has."""

    project: Path
    programs: Path

    def has_python(self, name: str, minor: int) -> None:
        write_program(self.programs / name, PYTHON.replace("@MINOR@", str(minor)))

    def remark(self, name: str, text: str = "") -> None:
        (self.programs / name).write_text(text)

    def environ(self, **more: str) -> dict[str, str]:
        model = str(self.programs / "model")
        fixed = {"PATH": str(self.programs), "FAKES": str(self.programs), "REAL_PYTHON": sys.executable}
        return {**fixed, "ZARBITER_DEVICE_MODEL_FILE": model, **more}

    def call(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.project / "zarbiter"), *words]
        env = self.environ(**more)
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE_S)

    @contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """The script at work in a process group of its own, of which nothing is left at the end."""
        command = [str(self.project / "zarbiter"), *words]
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background may have it ignored
        with subprocess.Popen(
            command,
            env=self.environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def record(self) -> list[str]:
        """The calls so far, with the project's folder written as PROJECT."""
        file = self.programs / "record"
        text = file.read_text() if file.exists() else ""
        return text.replace(str(self.project), "PROJECT").splitlines()


def write_program(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


def machine_without_python(script: Path, folder: Path) -> Machine:
    """A project with that script in a new machine; the user is not root, and `sync` costs no time."""
    machine = Machine(folder / "the project", folder / "programs")
    machine.project.mkdir()
    machine.programs.mkdir()
    shutil.copy(script, machine.project)
    (machine.project / "pyproject.toml").write_text("[project]\nname = 'zarbiter'\n")
    for name in PROGRAMS:
        found = shutil.which(name)
        assert found, f"{name} is missing"
        (machine.programs / name).symlink_to(found)
    write_program(machine.programs / "sync", "#!/bin/sh\n")
    write_program(machine.programs / "id", "#!/bin/sh\necho 1000\n")
    machine.remark("command", COMMAND)
    machine.remark("python", PYTHON.replace("@MINOR@", "11"))
    return machine


def next_lines(process: subprocess.Popen[str], number: int) -> list[str]:
    """The next lines of what the script says to the user."""
    assert process.stderr is not None
    return [process.stderr.readline() for _ in range(number)]
