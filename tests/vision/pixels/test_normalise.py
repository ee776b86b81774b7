"""Pixels as the networks get them."""

import numpy as np
import pytest

from vision.pixels import inference
from vision.pixels.normalise import LEAST_SPREAD, SAMPLE_STEP, TABLE_MIN_SIZE, mean_and_spread, normalise_planes

PICTURE = np.random.default_rng(5).integers(0, 256, (63, 49, 3), dtype=np.uint8)


def test_mean_and_spread_are_those_of_all_values() -> None:
    """Of a seventh of the pixels, all three channels taken together for the spread."""
    some = PICTURE.reshape(-1, 3)[::SAMPLE_STEP].astype(np.float64)
    mean, spread = mean_and_spread(PICTURE)
    assert mean == pytest.approx(some.mean(axis=0))
    assert spread == pytest.approx(some.std())


def test_planes_are_the_colours_less_their_mean() -> None:
    """Divided by the spread of all three, so that hues keep their distances; blue first, as OpenCV has them."""
    mean, spread = mean_and_spread(PICTURE)
    expected = (PICTURE.astype(np.float64) - mean) / spread
    assert normalise_planes(PICTURE) == pytest.approx(expected.transpose(2, 0, 1), abs=1e-5)


def test_large_pictures_have_the_same_planes() -> None:
    """They are made by another way, from bytes alone."""
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


def test_whole_pictures_are_normalised_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a network is shown of a picture is what `normalised_planes` makes of it."""
    shown: list[np.ndarray] = []

    class Network:
        def setInput(self, planes: np.ndarray) -> None:  # noqa: N802
            shown.append(planes)

        def forward(self, outputs: list[str]) -> list[np.ndarray]:
            return [np.zeros((1, 2)) for _ in outputs]

    monkeypatch.setattr(inference, "_load_network", lambda _: Network())
    inference.run_network("checkers", PICTURE, ["points"])
    assert shown[0][0] == pytest.approx(normalise_planes(PICTURE), abs=1e-5)
