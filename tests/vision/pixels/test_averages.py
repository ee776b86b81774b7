from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pixels.averages import average_channels, compute_median

RNG = np.random.default_rng(57)


@pytest.mark.parametrize(
    "values",
    [
        RNG.integers(-255, 256, (101, 3)).astype(np.int16),
        RNG.integers(-255, 256, (100, 3)).astype(np.int16),
        RNG.normal(0, 20, 1000).astype(np.float32),
        RNG.normal(0, 20, (121, 30, 3)).astype(np.float32),
        RNG.normal(0, 20, (2, 3)),
        np.ones((1, 3)),
    ],
)
def test_a_median_is_that_of_numpy_to_the_last_bit(values: NDArray[Any]) -> None:
    found, expected = compute_median(values), np.median(values, axis=0)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert np.array_equal(found, expected)


def test_a_median_leaves_its_values_as_they_are() -> None:
    values = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 3.0]])
    before = values.copy()
    compute_median(values)
    assert np.array_equal(values, before)


def test_a_mean_of_channels_is_that_of_numpy_to_the_last_bit() -> None:
    picture = np.square(RNG.normal(0, 20, (40, 60, 3))).astype(np.float32)
    assert np.array_equal(average_channels(picture), picture.mean(axis=2))
