import numpy as np
import pytest

from vision.pixels.normalise import LEAST_SPREAD, SAMPLE_STEP, TABLE_MIN_SIZE, mean_and_spread, normalise_planes

PICTURE = np.random.default_rng(5).integers(0, 256, (63, 49, 3), dtype=np.uint8)


def test_mean_and_spread_come_from_a_seventh_of_the_pixels() -> None:
    """The spread is common to all three channels."""
    some = PICTURE.reshape(-1, 3)[::SAMPLE_STEP].astype(np.float64)
    mean, spread = mean_and_spread(PICTURE)
    assert mean == pytest.approx(some.mean(axis=0))
    assert spread == pytest.approx(some.std())


def test_planes_are_the_colours_less_their_mean() -> None:
    """Divided by the common spread, which preserves hues; blue first, as in OpenCV."""
    mean, spread = mean_and_spread(PICTURE)
    expected = (PICTURE.astype(np.float64) - mean) / spread
    assert normalise_planes(PICTURE) == pytest.approx(expected.transpose(2, 0, 1), abs=1e-5)


def test_large_pictures_have_the_same_planes() -> None:
    """Another method computes them, from bytes alone."""
    large = np.random.default_rng(6).integers(0, 256, (160, 151, 3), dtype=np.uint8)
    assert large.size > TABLE_MIN_SIZE
    expected = normalise_planes(large.astype(np.float32))
    assert normalise_planes(large) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_brightness_and_contrast_make_no_difference(kind: type) -> None:
    """Half as bright and twenty more."""
    dimmer = (PICTURE.astype(np.float32) / 2 + 20).astype(np.float32)
    expected = normalise_planes(PICTURE.astype(np.float32))
    assert normalise_planes(dimmer) == pytest.approx(expected, abs=1e-4)
    assert normalise_planes(PICTURE.astype(kind)) == pytest.approx(expected, abs=1e-6)


def test_a_plain_picture_stays_quiet() -> None:
    """Noise of one step is not blown up to a spread of 1."""
    plain = np.full((30, 30, 3), 90, np.uint8)
    plain[::2] += 1
    assert mean_and_spread(plain)[1] == LEAST_SPREAD
    assert np.abs(normalise_planes(plain)).max() < 0.3
