from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run

RED, BLUE = Rgb(255, 0, 0), Rgb(0, 0, 9)
# Few colours, so that neighbours often have the same one.
FRAMES = st.lists(st.sampled_from((BLACK, RED, BLUE)), max_size=120).map(lambda leds: LedFrame(tuple(leds)))


class TestRgb:
    @pytest.mark.parametrize("channels", [(256, 0, 0), (0, -1, 0), (0, 0, 1000)])
    def test_a_channel_is_a_byte(self, channels: tuple[int, int, int]) -> None:
        with pytest.raises(ValueError, match="0 to 255"):
            Rgb(*channels)

    def test_dimming_keeps_what_is_lit_alight(self) -> None:
        """Half of 200 is 100, and the least light rounds up; only brightness 0 is dark."""
        assert Rgb(200, 1, 0).dim(128) == Rgb(101, 1, 0)
        assert Rgb(255, 12, 4).dim(1) == Rgb(1, 1, 1)
        assert Rgb(255, 12, 4).dim(255) == Rgb(255, 12, 4)
        assert Rgb(255, 12, 4).dim(0) == BLACK


class TestRuns:
    def test_of_a_small_picture(self) -> None:
        """Neighbours of one colour are one run, and black is left out."""
        frame = LedFrame((BLACK, RED, RED, BLUE, BLACK, RED))
        assert frame.runs() == (Run(1, 2, RED), Run(3, 1, BLUE), Run(5, 1, RED))

    @given(FRAMES)
    def test_rebuild_the_frame(self, frame: LedFrame) -> None:
        assert LedFrame.from_runs(len(frame.leds), frame.runs()) == frame

    @given(FRAMES)
    def test_are_as_few_as_possible(self, frame: LedFrame) -> None:
        runs = frame.runs()
        assert all(run.rgb != BLACK for run in runs)
        assert not any(a.start + a.length == b.start and a.rgb == b.rgb for a, b in pairwise(runs))

    @pytest.mark.parametrize("run", [Run(-1, 2, RED), Run(0, 0, RED), Run(3, 2, RED)])
    def test_must_fit_the_strip(self, run: Run) -> None:
        with pytest.raises(ValueError, match="does not fit a strip of 4"):
            LedFrame.from_runs(4, [run])


class TestBytes:
    def test_red_comes_first(self) -> None:
        """The digest is taken of these bytes; the order of the wire to the LEDs is the board's matter."""
        assert LedFrame((Rgb(1, 2, 3), Rgb(4, 5, 6))).to_bytes() == bytes([1, 2, 3, 4, 5, 6])

    @given(FRAMES)
    def test_there_and_back(self, frame: LedFrame) -> None:
        assert LedFrame.from_bytes(frame.to_bytes()) == frame

    def test_a_part_of_an_led_is_none(self) -> None:
        with pytest.raises(ValueError, match="multiple of three"):
            LedFrame.from_bytes(b"1234")
