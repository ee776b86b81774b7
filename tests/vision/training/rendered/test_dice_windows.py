import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.training.rendered.scenes import drawn
from vision.training.rendered import command_line
from vision.training.rendered.dice_windows import __main__
from vision.training.rendered.dice_windows.__main__ import main, parse
from vision.training.rendered.dice_windows.styles import StyleSet
from vision.training.samples.picture_store import load_dice

ROOT = Path(__file__).parents[4]


def test_training_looks_are_the_default() -> None:
    """Held-apart ones are drawn when asked for, other words are refused."""
    assert parse(["--out", "somewhere"]).styles is StyleSet.TRAINING
    assert parse(["--out", "somewhere", "--styles", "held_apart"]).styles is StyleSet.HELD_APART
    with pytest.raises(SystemExit):
        parse(["--out", "somewhere", "--styles", "unknown"])


def test_finished_scenes_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of numbers 0 to 2 only those without a label are made."""
    made: list[str] = []

    def render(_args: object, _number: int, name: str) -> str:
        made.append(name)
        return "made"

    monkeypatch.setattr(__main__, "render", render)
    monkeypatch.setattr(command_line, "start", lambda _threads: None)
    monkeypatch.setattr(command_line, "free_memory", lambda: None)
    (tmp_path / "0001.json").write_text("{}")
    assert main(["--out", str(tmp_path), "--n", "3", "--skip-existing"]) == 0
    assert made == ["0000", "0002"]


def test_the_command_line_loads_without_the_tracer() -> None:
    """Nor without the dynamics: both load with the first scene."""
    ask = "import sys, vision.training.rendered.dice_windows.__main__; print({'mitsuba', 'mujoco'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"


@pytest.mark.slow
def test_dice_lean_and_touch() -> None:
    """Among the dice of eight boards some lean, and each touches something."""
    pytest.importorskip("mujoco", reason="the renderer has an environment of its own; see vision/training/README.md")
    from vision.training.rendered.dice_windows.throws import throw_many

    found = [
        die
        for scene in drawn(8)
        for die in throw_many(np.random.default_rng(scene.seed), scene.table, scene.camera.eye_mm, 6)
    ]
    assert len(found) > 30
    assert all(one.touched for one in found)
    assert sum(one.die.state.value == "cocked" for one in found) >= 5
    assert sum(one.die.state.value == "flat" for one in found) >= 10


@pytest.mark.slow
def test_windows_agree_with_their_label(tmp_path: Path) -> None:
    """One scene, twice: the same label, pictures alike up to noise, as large as it says and not black."""
    pytest.importorskip("mitsuba", reason="the renderer has an environment of its own; see vision/training/README.md")
    for folder in ("first", "second"):
        assert main(["--out", str(tmp_path / folder), "--n", "1", "--seed", "7", "--samples", "8"]) == 0
    first, second = ((tmp_path / folder / "0000.json").read_text() for folder in ("first", "second"))
    assert first == second
    windows = json.loads(first)["windows"]
    assert len(windows) >= 4
    for window in windows:
        image, again = (cv2.imread(str(tmp_path / folder / window["image"])) for folder in ("first", "second"))
        assert image is not None
        assert again is not None
        assert image.shape == (window["height"], window["width"], 3)
        assert image.mean() > 8
        assert np.abs(image.astype(int) - again.astype(int)).mean() < 5


@pytest.mark.slow
def test_whole_pictures_agree_with_their_label(tmp_path: Path) -> None:
    """One picture of each scene, as wide as asked for, in which the search's samples find the dice of the label."""
    pytest.importorskip("mitsuba", reason="the renderer has an environment of its own; see vision/training/README.md")
    assert main(["--out", str(tmp_path), "--n", "1", "--seed", "7", "--samples", "8", "--whole", "320"]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0000.jpg", "0000.json"]
    image, label = cv2.imread(str(tmp_path / "0000.jpg")), json.loads((tmp_path / "0000.json").read_text())
    assert image is not None
    assert image.shape == (240, 320, 3) == (label["height"], label["width"], 3)
    assert label["image"] == "0000.jpg"
    assert "windows" not in label
    assert image.mean() > 8
    dice = load_dice(tmp_path / "0000.jpg")
    assert len(dice) >= 5
    for die in (die for die in dice if die.cube_value is None and die.visible == 1):
        x, y = np.round(die.top_px).astype(int)
        assert 0 <= x < 320
        assert 0 <= y < 240
