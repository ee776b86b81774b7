"""The library face of `vision`, and the example in its README."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import vision

ROOT = Path(__file__).parents[2]
README = (ROOT / "vision" / "README.md").read_text(encoding="utf-8")


@pytest.mark.broad
def test_its_example_prints_what_stands_below_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one Python block, run in the project's folder, has the output of the one text block."""
    (example,) = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (output,) = re.findall(r"^```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(example, "vision/README.md", "exec"), {})  # noqa: S102 - our own text
    assert capsys.readouterr().out == output


def test_every_public_name_is_there() -> None:
    """Each is found in the module that defines it; others are no attributes."""
    for name in vision.__all__:
        if name != "POINTS":
            assert getattr(vision, name).__module__.startswith("vision.")
    assert len(vision.POINTS) == 24
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = vision.nothing  # type: ignore[attr-defined]


def test_a_frame_costs_no_network() -> None:
    """The import of `vision.frame` loads neither OpenCV nor a room above it."""
    program = "import sys, vision.frame; print(sorted({'cv2', 'vision.board', 'vision.pixels'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_the_readme_names_the_modules_that_exist() -> None:
    """Every `name.py` in the READMEs of seeing is a file of its room."""
    rooms = ("", "board", "camera", "field", "geometry", "pixels")
    for folder in (ROOT / "vision" / room for room in rooms):
        named = re.findall(r"^\| `(\w+\.py)`", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
        there = {file.name for file in folder.glob("*.py") if file.name != "__init__.py"}
        assert there == set(named), folder
