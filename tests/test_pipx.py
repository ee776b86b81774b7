"""The documented way without a checkout: a folder of wheels, a real pipx, and no network."""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Timer

import pytest

from tests.test_wheel import RULED, lines_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # 90 MB are fetched and unpacked twice

ROOT = Path(__file__).parents[1]
BUNDLE = (sys.executable, "-m", "hardware.offline_bundle")


def run(*words: object, env: Mapping[str, str], where: Path) -> str:
    call = [str(word) for word in words]
    done = subprocess.run(call, env=dict(env), cwd=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of wheels for this processor and Python; the script asks the package index for them."""
    folder, python = tmp_path_factory.mktemp("club") / "wheels", f"{sys.version_info.major}.{sys.version_info.minor}"
    call = [*BUNDLE, str(folder), "--python", python, "--processor", platform.machine()]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode and "zarbiter-" in " ".join(file.name for file in folder.glob("*.whl")):
        pytest.skip(f"the package index is not reached: {done.stderr.splitlines()[-1:]}")
    assert done.returncode == 0, done.stderr
    return folder


def test_from_nothing_to_a_ruling_and_a_later_version(bundle: Path, tmp_path: Path) -> None:
    """pipx comes from the folder too; the installed program referees, refuses an update during a match, and is updated."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    env = {**kept, "HOME": str(home), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PYTHONUNBUFFERED": "1"}
    run(sys.executable, "-m", "venv", home / "pipx", env=env, where=home)
    offline = ("--no-index", "--find-links", str(bundle))
    run(home / "pipx/bin/pip", "install", "-q", *offline, "pipx", env=env, where=home)
    env["PATH"] = f"{home / 'pipx/bin'}:{home / '.local/bin'}:{env['PATH']}"
    pip_args = ("--pip-args", " ".join(offline))
    run("pipx", "install", "--python", sys.executable, *pip_args, "zarbiter", env=env, where=home)
    zarbiter = shutil.which("zarbiter", path=env["PATH"])
    assert zarbiter == str(home / ".local/bin/zarbiter")
    version = run(zarbiter, "--version", env=env, where=home)

    demo = (zarbiter, "demo", "--headless", "--web", "none", "--game", "hypergammon", "--data", tmp_path / "data")
    with subprocess.Popen(
        [str(word) for word in demo], cwd=home, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        deadline = Timer(100, process.kill)
        deadline.start()
        said = list(lines_until(process, RULED))
        update = (zarbiter, "update", str(bundle), "--data", str(tmp_path / "data"))
        refused = subprocess.run(update, env=env, cwd=home, capture_output=True, text=True, check=False)
        deadline.cancel()
        process.terminate()
    assert any(RULED in line for line in said), "".join(said)
    assert refused.returncode == 1
    assert "is being played or transcribed; end it, then call this again" in refused.stderr
    assert version in run(*update, env=env, where=home)
    listed = json.loads(run("pipx", "list", "--json", env=env, where=home))
    assert list(listed["venvs"]) == ["zarbiter"]
