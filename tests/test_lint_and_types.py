"""Lint, format and types are tests like any other; their settings stand in `pyproject.toml`."""

import importlib.util
import platform
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[1]
SHELL_SCRIPTS = ("zarbiter", ".ci/run")


def must_be_content(*command: str) -> None:
    """Fails with all that the tool has to say."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command[1:])} is not content:\n{done.stdout}{done.stderr}", pytrace=False)


def test_ruff_finds_no_fault() -> None:
    """`ruff check` is content; many faults go away with `.venv/bin/ruff check --fix`."""
    must_be_content(sys.executable, "-m", "ruff", "check", "--output-format", "concise")


def test_the_format_is_ruffs() -> None:
    """`ruff format` would change nothing; `.venv/bin/ruff format` makes it so."""
    must_be_content(sys.executable, "-m", "ruff", "format", "--check")


@pytest.mark.timeout(400)  # without a cache a whole core for a minute, beside the other tests longer
def test_the_types_are_sound() -> None:
    """`mypy` in its strict mode is content with the three packages and the tests."""
    must_be_content(sys.executable, "-m", "mypy")


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="shellcheck comes as a package for x86-64 Linux only",
)
def test_shellcheck_finds_no_fault() -> None:
    """The shell scripts hold to plain sh, quote their variables, and have no other fault that shellcheck knows."""
    shellcheck = Path(sysconfig.get_path("scripts")) / "shellcheck"
    assert shellcheck.exists(), "shellcheck is missing: call ./zarbiter test, which installs it"
    must_be_content(str(shellcheck), *SHELL_SCRIPTS)


def test_the_tools_are_there() -> None:
    """Each tool is a module of this environment, so that no other version from the machine is asked."""
    assert [name for name in ("ruff", "mypy") if importlib.util.find_spec(name) is None] == []
