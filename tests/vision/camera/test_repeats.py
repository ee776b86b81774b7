"""A picture that repeats is no live picture, unless nothing in it could show noise."""

from collections.abc import Callable

import numpy as np
import pytest

from vision.camera.repeats import FROZEN_AFTER_MS, RepeatWatch, update_repeat_watch
from vision.frame import Frame, Pixels

FRAME_MS = 100
BOARD = np.random.default_rng(1).integers(30, 220, (240, 320, 3), np.uint8)


def watched(pictures: list[Pixels]) -> list[bool]:
    """Whether the camera counts as frozen after each picture."""
    watch, found = RepeatWatch(), []
    for number, pixels in enumerate(pictures):
        watch = update_repeat_watch(watch, Frame(pixels, number * FRAME_MS))
        found.append(watch.is_frozen)
    return found


def with_noise(number: int, levels: int = 1) -> Pixels:
    noise = np.random.default_rng(number).integers(-levels, levels + 1, BOARD.shape)
    return np.clip(BOARD + noise, 0, 255).astype(np.uint8)


def with_clock(number: int) -> Pixels:
    picture = BOARD.copy()
    picture[4:20, 4:36] = 13 * number % 256
    return picture


@pytest.mark.parametrize("picture", [lambda _: BOARD, with_clock], ids=["bytes", "blocks"])
def test_one_picture_for_ever_is_frozen(picture: Callable[[int], Pixels]) -> None:
    """Also when the camera draws a running clock into it; less than two seconds after the first."""
    found = watched([picture(number) for number in range(30)])
    first = found.index(True)
    assert first * FRAME_MS == FROZEN_AFTER_MS
    assert all(found[first:])


@pytest.mark.parametrize(
    "picture",
    [with_noise, lambda _: np.zeros_like(BOARD), lambda _: np.full_like(BOARD, 255), lambda _: BOARD[:8, :8]],
    ids=["noise", "lens cap", "burnt out", "tiny"],
)
def test_noise_and_pictures_that_cannot_show_any_are_live(picture: Callable[[int], Pixels]) -> None:
    """What is wrong with a black picture is its light."""
    assert not any(watched([picture(number) for number in range(40)]))


def test_another_picture_ends_it() -> None:
    found = watched([BOARD] * 20 + [with_noise(1), with_noise(2)])
    assert found[-3:] == [True, False, False]


def test_a_slow_stream_needs_several_repeats() -> None:
    """Two equal pictures 1.5 s apart may be chance of a compression."""
    watch = RepeatWatch()
    for number in range(4):
        assert not watch.is_frozen
        watch = update_repeat_watch(watch, Frame(BOARD, number * 1500))
    assert watch.is_frozen
