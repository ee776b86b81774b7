"""The wheel holds what a match needs and nothing else, and plays from another folder."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[1]
SETUPTOOLS = 77  # the first that reads the licence in pyproject.toml
RULED = "Legal."  # what the demo says of a play
# Without an index and without a build environment pip asks no network.
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "-q"]
NEEDED = (
    *("vision/models/dice.onnx", "vision/models/checkers.onnx", "vision/models/README.md"),
    *("controller/web/static/index.html", "controller/web/static/main.js"),
    *("controller/py.typed", "vision/py.typed", "firmware_bridge/py.typed", "vision/simulated/drawing/draw.py"),
)


def pip_lacks() -> str:
    """What keeps this Python from building a wheel without a network; empty when nothing does."""
    try:
        importlib.metadata.version("pip")
        version = importlib.metadata.version("setuptools")
    except importlib.metadata.PackageNotFoundError as missing:
        return f"this Python has no {missing.name}"
    return "" if int(version.split(".")[0]) >= SETUPTOOLS else f"setuptools {version} is older than {SETUPTOOLS}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the tracked files, so that nothing is left in the project's folder."""
    if lack := pip_lacks():
        pytest.skip(f"{lack}; pip install 'setuptools>={SETUPTOOLS}'")
    project, out = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("wheel")
    unwanted = shutil.ignore_patterns("__pycache__", "node_modules")
    for name in ("controller", "vision", "firmware_bridge", "tests"):
        shutil.copytree(ROOT / name, project / name, ignore=unwanted)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    build = [*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(project)]
    done = subprocess.run(build, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("zarbiter-*.whl")
    return built


def test_what_the_wheel_holds(wheel: Path) -> None:
    """Networks, page, texts and type marker are in it; training and tests are not."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert set(NEEDED) <= names
    networks = {f"vision/models/{file.name}" for file in (ROOT / "vision/models").glob("*.onnx")}
    page = {file.relative_to(ROOT).as_posix() for file in (ROOT / "controller/web/static").rglob("*") if file.is_file()}
    assert networks | page <= names
    assert [name for name in names if name.startswith(("vision/training", "tests", "hardware"))] == []


def lines_until(process: subprocess.Popen[str], word: str) -> Iterator[str]:
    """The lines that the process prints, up to the first one that holds the word."""
    assert process.stdout is not None
    for line in process.stdout:
        yield line
        if word in line:
            return


def test_an_installed_wheel_referees(wheel: Path, tmp_path: Path) -> None:
    """In a folder without the project the demo's pictures are drawn and read, and a first play is ruled on."""
    target = tmp_path / "target"
    install = [*PIP, "install", "--no-index", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, timeout=60)
    demo = [sys.executable, "-P", "-m", "controller", "demo", "--headless", "--web", "none", "--game", "hypergammon"]
    env = {**os.environ, "PYTHONPATH": str(target), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*demo, "--data", str(tmp_path / "data")], cwd=tmp_path, env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        deadline = Timer(60, process.kill)
        deadline.start()
        said = list(lines_until(process, RULED))
        deadline.cancel()
        process.terminate()
    assert any(RULED in line for line in said), "".join(said)
