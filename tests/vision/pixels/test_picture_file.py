from pathlib import Path

import numpy as np
import pytest

from vision.errors import PictureFileError
from vision.pixels.picture_file import load_picture, save_picture

PICTURE = np.random.default_rng(1).integers(0, 256, (70, 90, 3), np.uint8)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """PNG loses nothing."""
    save_picture(tmp_path / "a.png", PICTURE)
    loaded = load_picture(tmp_path / "a.png")
    assert loaded.dtype == np.uint8
    assert (loaded == PICTURE).all()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/a.png", "No such file or directory"),
        ("a.unknown", "its suffix names no kind of picture"),
        ("a", "its suffix names no kind of picture"),
    ],
)
def test_what_cannot_be_saved(tmp_path: Path, name: str, reason: str) -> None:
    """One sentence with the file and the reason."""
    with pytest.raises(PictureFileError, match=reason):
        save_picture(tmp_path / name, PICTURE)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody might ever write to it."""
    import os

    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(PictureFileError, match="no plain file"):
        load_picture(tmp_path / "pipe.png")


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    """Longer than any system accepts: refused like a missing file, so that the other pictures can be read."""
    with pytest.raises(PictureFileError, match="the file cannot be read"):
        load_picture(tmp_path / f"{'a' * 300}.png")


def test_a_strip(tmp_path: Path) -> None:
    """More than 30,000 pixels on a side are refused, because OpenCV's remap would fail."""
    save_picture(tmp_path / "strip.png", np.zeros((64, 30_001, 3), np.uint8))
    with pytest.raises(PictureFileError, match="30001x64 pixels are too many"):
        load_picture(tmp_path / "strip.png")
