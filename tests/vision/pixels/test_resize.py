import numpy as np
import pytest

from vision.pixels.resize import resize_picture

NOISE = np.random.default_rng(3).integers(0, 256, (96, 128, 3), dtype=np.uint8)


@pytest.mark.parametrize("times", [2, 4, 8])
def test_halving_takes_the_mean_of_each_block(times: int) -> None:
    """Up to one step of rounding at each halving."""
    blocks = NOISE.reshape(96 // times, times, 128 // times, times, 3).astype(np.float64)
    small = resize_picture(NOISE, (128 // times, 96 // times))
    assert small == pytest.approx(blocks.mean(axis=(1, 3)), abs=np.log2(times) / 2)


@pytest.mark.parametrize("size", [(128, 96), (50, 37), (20, 90), (16, 16), (200, 150)])
def test_positions_are_kept(size: tuple[int, int]) -> None:
    """A gradient stays the same gradient at any size, since pixels count from their centres."""
    slope = np.repeat(np.linspace(20, 220, 128)[None, :, None], 96, axis=0).repeat(3, axis=2)
    width, height = size
    small = resize_picture(np.rint(slope).astype(np.uint8), size)
    expected = np.interp((np.arange(width) + 0.5) * 128 / width - 0.5, np.arange(128), slope[0, :, 0])
    assert small.shape == (height, width, 3)
    assert small[height // 2, :, 0] == pytest.approx(expected, abs=1.6)
