"""The completion of bash, asked as bash asks it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from controller.subcommands.completion import completion_script

_ASK = """
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_zarbiter zarbiter "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("d",), {"demo", "doctor"}),
        (("--v",), {"--version"}),
        (("log", "s"), {"show", "salvage", "schema", "sign", "score.mat"}),
        (("play", "--game", "ta"), {"tavla"}),
        (("play", "--on-turn", ""), {"white", "black"}),
        (("play", "--mode", "t"), {"teach", "tournament"}),
        (("rules", "show", "gul"), {"gulbar", "gul_bara"}),
        (("demo", "--mish"), {"--mishaps"}),
        (("import", "sc"), {"score.mat"}),
    ],
)
def test_what_is_offered(typed: tuple[str, ...], offered: set[str], tmp_path: Path) -> None:
    """Commands, options, names of games; and files where a file may stand."""
    (tmp_path / "score.mat").touch()
    script = completion_script("bash") + _ASK
    done = subprocess.run(
        ["bash", "-c", script, "bash", "zarbiter", *typed], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == offered
    assert done.stderr == ""
