import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.training.rendered.scenes import drawn
from vision.training.rendered.dice_windows.__main__ import main, parse
from vision.training.rendered.dice_windows.styles import StyleSet
from vision.training.samples.picture_store import load_dice


def test_training_styles_are_the_default() -> None:
    assert parse(["--out", "somewhere"]).styles is StyleSet.TRAINING
    assert parse(["--out", "somewhere", "--styles", "held_apart"]).styles is StyleSet.HELD_APART
    with pytest.raises(SystemExit):
        parse(["--out", "somewhere", "--styles", "unknown"])


@pytest.mark.slow
def test_dice_lean_and_touch() -> None:
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
    """Two runs give the same label and the same pictures up to noise."""
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
