import cv2
import numpy as np
import pytest

from tests.vision.pixels.test_picture_header import claiming, encoded
from vision.pixels.picture_header import read_picture_header
from vision.pixels.small_jpeg import is_jpeg_within, shrink_jpeg


def noisy(width_px: int, height_px: int) -> bytes:
    """Noise makes the largest files."""
    pixels = np.random.default_rng(1).integers(0, 256, (height_px, width_px, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", pixels)[1])


@pytest.mark.parametrize(("size", "expected"), [((1280, 960), (480, 360)), ((960, 1280), (360, 480))])
def test_a_picture_becomes_small(size: tuple[int, int], expected: tuple[int, int]) -> None:
    pixels = np.full((size[1], size[0], 3), 90, np.uint8)
    small = shrink_jpeg(bytes(cv2.imencode(".jpg", pixels)[1]), 480, 20_000)
    header = read_picture_header(small or b"")
    assert header is not None
    assert (header.width_px, header.height_px) == expected


def test_what_is_not_small_enough_loses_quality_then_size() -> None:
    small = shrink_jpeg(noisy(480, 360), 480, 20_000)
    assert small is not None
    assert 5_000 < len(small) <= 20_000
    assert shrink_jpeg(noisy(480, 360), 480, 500) is None


def test_a_small_one_keeps_its_size_and_nothing_else() -> None:
    """What somebody hid behind the picture is gone."""
    small = shrink_jpeg(encoded(".jpg") + b"<script>", 480, 20_000)
    assert small is not None
    assert b"<script>" not in small
    assert is_jpeg_within(small, 150)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff\xd8\xff", encoded(".png"), encoded(".jpg")[:60], claiming(".jpg", 60_000, 60_000), b"GIF89a"),
        pytest.param(encoded(".jpg")[:3] + b"\x00" * 500, id="zeros"),
    ],
)
def test_what_is_no_jpeg(content: bytes) -> None:
    assert shrink_jpeg(content, 480, 20_000) is None
    assert not is_jpeg_within(content, 480)


def test_a_claim_of_many_pixels_is_seen_without_decoding() -> None:
    assert not is_jpeg_within(claiming(".jpg", 481, 10), 480)
    assert is_jpeg_within(claiming(".jpg", 480, 10), 480)
