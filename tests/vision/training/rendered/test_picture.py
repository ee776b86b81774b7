from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.rendered.command_line import main


@pytest.mark.slow
def test_tiny_pictures_agree_with_themselves(tmp_path: Path) -> None:
    """Two boards 320 px wide, the second under a moving hand, come out twice with the same labels.

    The pictures are the same up to noise: Mitsuba orders the lamps of a scene anew each time it loads one.
    """
    pytest.importorskip("mitsuba", reason="the renderer has an environment of its own; see vision/training/README.md")
    for folder in ("first", "second"):
        where = str(tmp_path / folder)
        assert main(["--out", where, "--n", "2", "--seed", "7", "--width", "320"]) == 0
    for name in ("0000", "0001"):
        first, second = (cv2.imread(str(tmp_path / folder / f"{name}.jpg")) for folder in ("first", "second"))
        assert first is not None
        assert second is not None
        assert first.shape == (240, 320, 3)
        assert first.mean() > 20
        assert np.abs(first.astype(int) - second.astype(int)).mean() < 4
        labels = [(tmp_path / folder / f"{name}.json").read_text() for folder in ("first", "second")]
        assert labels[0] == labels[1]
