import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.led_frame import LedFrame, Rgb
from firmware_bridge.power import MAX_CAP_MA, estimate_ma, limit_current

BYTES = st.integers(0, 255)
FRAMES = st.lists(st.builds(Rgb, BYTES, BYTES, BYTES), min_size=1, max_size=120).map(lambda leds: LedFrame(tuple(leds)))


def same(count: int, rgb: Rgb) -> LedFrame:
    return LedFrame((rgb,) * count)


@pytest.mark.parametrize(
    ("frame", "expected_ma"),
    [
        (LedFrame.dark(120), 120),
        (same(120, Rgb(255, 255, 255)), 7320),
        (same(24, Rgb(255, 255, 255)), 1464),
        (same(120, Rgb(40, 40, 40)), 1249),
        (LedFrame((*[Rgb(255, 80, 0)] * 30, *[Rgb(0, 0, 0)] * 90)), 908),
    ],
)
def test_the_current_of_known_pictures(frame: LedFrame, expected_ma: int) -> None:
    """20 mA for each colour at 255 and 1 mA for each LED, as the power table of the hardware says."""
    assert estimate_ma(frame) == expected_ma


def test_all_white_under_the_cap() -> None:
    frame, is_limited = limit_current(same(120, Rgb(255, 255, 255)), 1500)
    assert (frame, is_limited) == (same(120, Rgb(48, 48, 48)), True)
    assert estimate_ma(frame) == 1475


def test_a_picture_within_the_cap_is_left_as_it_is() -> None:
    frame = same(10, Rgb(100, 50, 7))
    assert limit_current(frame, estimate_ma(frame)) == (frame, False)
    assert limit_current(frame, estimate_ma(frame) - 1).is_limited


@pytest.mark.parametrize("cap_ma", [0, 59, 60])
def test_a_cap_that_idle_leds_reach_is_dark(cap_ma: int) -> None:
    assert limit_current(same(60, Rgb(9, 9, 9)), cap_ma) == (LedFrame.dark(60), True)


@pytest.mark.parametrize("cap_ma", [-1, 65536])
def test_a_cap_has_16_bits(cap_ma: int) -> None:
    with pytest.raises(ValueError, match="0 to 65535 mA"):
        limit_current(LedFrame.dark(1), cap_ma)


@given(FRAMES, st.integers(0, MAX_CAP_MA))
def test_the_cap_is_never_exceeded(frame: LedFrame, cap_ma: int) -> None:
    result, _ = limit_current(frame, cap_ma)
    assert estimate_ma(result) <= max(cap_ma, len(frame.leds))


@given(FRAMES, st.integers(0, MAX_CAP_MA))
def test_nothing_grows_and_all_shrink_alike(frame: LedFrame, cap_ma: int) -> None:
    """Every byte is the old one times one scale of 0..256, so hues stay as they can."""
    result, is_limited = limit_current(frame, cap_ma)
    old, new = frame.to_bytes(), result.to_bytes()
    scales = [scale for scale in range(257) if bytes((byte * scale) >> 8 for byte in old) == new]
    assert scales
    assert is_limited or new == old


@given(FRAMES, st.integers(0, MAX_CAP_MA))
def test_32_bits_are_enough(frame: LedFrame, cap_ma: int) -> None:
    """The chip computes in unsigned 32 bits; so does this, on paper, with every step cut to 32 bits."""
    mask = 0xFFFFFFFF
    count, total = len(frame.leds), sum(frame.to_bytes())
    estimate = (count + ((total * 20) & mask) // 255) & mask
    scale = 256
    if estimate > cap_ma:
        left = (cap_ma - count) & mask
        scale = 0 if cap_ma <= count else ((left * 65280) & mask) // ((total * 20) & mask)
    assert limit_current(frame, cap_ma).frame.to_bytes() == bytes((byte * scale) >> 8 for byte in frame.to_bytes())
