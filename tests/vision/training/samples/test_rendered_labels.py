"""Labels on disk become `TableTruth`; the two labels in `labels/` were written by hand."""

from pathlib import Path

import numpy as np
import pytest

from vision.simulated import CheckerTruth, PlaceTruth
from vision.training.samples.rendered_labels import read_truth

LABELS = Path(__file__).parents[1] / "labels"


def test_a_level_view_is_read() -> None:
    truth = read_truth(LABELS / "level.json")
    assert truth.image_size_px == (640, 480)
    assert truth.field_corners_px == ((70.0, 40.0), (570.0, 40.0), (570.0, 440.0), (70.0, 440.0))
    assert (truth.focal_px, truth.centre_px, truth.k1) == (700.0, (320.0, 240.0), -0.05)
    assert (truth.field_mm, truth.bar_span_mm, truth.point_pitch_mm) == ((500.0, 400.0), (230.0, 270.0), 38.0)
    assert (truth.bar_light, truth.bar_dark) == (0, 1)


def test_places_keep_their_order() -> None:
    places = read_truth(LABELS / "level.json").places
    assert len(places) == 24
    assert places[0] == PlaceTruth("light", 2, 0.0)
    assert places[11] == PlaceTruth("dark", 5, 0.25)
    assert places[12] == PlaceTruth("none", 0, 1.0)


def test_checkers_are_read() -> None:
    first, second = read_truth(LABELS / "level.json").checkers
    assert first == CheckerTruth("light", "T1", 0, False, (89.5, 60.25), 17.5, 1.0)
    assert second == CheckerTruth("dark", "bar", 1, True, (320.0, 210.0), 18.0, 0.4)


def test_a_missing_homography_is_made_from_the_pose() -> None:
    """From 700 mm straight above with a focal length of 700 px a millimetre is a pixel."""
    expected = [[1, 0, 70], [0, 1, 40], [0, 0, 1]]
    assert np.allclose(read_truth(LABELS / "from_pose.json").homography, expected)


def test_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"frames": []}')
    with pytest.raises(KeyError):
        read_truth(tmp_path / "other.json")
