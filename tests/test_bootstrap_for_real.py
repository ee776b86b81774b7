"""`./zarbiter` with the Python and the pip of this machine, and without a network."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fake_machine import write_program

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[1]

# A build backend in a few lines, so that the real pip needs no network.
BACKEND = """
import zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    name, info = "zarbiter-1-py3-none-any.whl", "zarbiter-1.dist-info/"
    import os
    with zipfile.ZipFile(folder + "/" + name, "w") as wheel:
        wheel.writestr("zarbiter.pth", os.getcwd())
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: zarbiter\\nVersion: 1\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "entry_points.txt", "[console_scripts]\\nzarbiter = entry:main\\n")
        wheel.writestr(info + "RECORD", "")
    return name
"""
BACKEND_PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


@pytest.mark.skipif(importlib.util.find_spec("ensurepip") is None, reason="this Python has no ensurepip")
def test_with_the_real_python_and_the_real_pip(tmp_path: Path) -> None:
    """In a folder with a space in its name a real environment is made, and the arguments arrive."""
    project = tmp_path / "it's a project"
    project.mkdir()
    shutil.copy(ROOT / "zarbiter", project)
    (project / "pyproject.toml").write_text(BACKEND_PYPROJECT)
    (project / "backend.py").write_text(BACKEND)
    (project / "entry.py").write_text("import sys\ndef main():\n    print(sys.argv[1:])\n    return 3\n")
    write_program(tmp_path / "uv", "#!/bin/sh\nexit 1\n")  # pip is what is meant here
    write_program(tmp_path / "sync", "#!/bin/sh\n")
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PIP_NO_INDEX": "1", "ZARBITER_PYTHON": sys.executable}
    done = subprocess.run(
        [project / "zarbiter", "a b", ""], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (3, "['a b', '']\n"), done.stderr
    assert (project / ".venv" / "zarbiter-ready").exists()
