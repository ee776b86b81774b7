"""The vocabulary of the lights, and how far two meanings differ for people with a colour vision deficiency.

The three matrices are from Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
Vision Deficiency", IEEE TVCG 15 (6), 2009, table 1, severity 1.0. They apply to linear RGB, as the bytes of an LED are.
The primaries of the LED are assumed to be those of sRGB.
"""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.lights.vocabulary import (
    BOTH_RIMS,
    CORNERS,
    LEFT_HALF,
    LIGHT_STYLES,
    RIGHT_HALF,
    LightSign,
    LightStyle,
    Meaning,
    render_signs,
)
from firmware_bridge.layout import LedLayout, LedPlace, StripPlan
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb
from firmware_bridge.patterns import Rhythm

Matrix = tuple[tuple[float, float, float], ...]

EYES: dict[str, Matrix] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# CIE L*: one whole step of Munsell's scale of greys. Neighbours on it are distinguished without comparing.
CLEARLY_LIGHTER = 10.0

LAYOUT = LedLayout.from_plan(StripPlan(2))
MEANINGS, PLACES = st.sampled_from(Meaning), st.sampled_from(LedPlace)
SIGNS = st.lists(
    st.builds(LightSign, MEANINGS, st.lists(PLACES, max_size=6).map(tuple), st.integers(0, 10**6)), max_size=6
)


def lightness(rgb: Rgb, eye: Matrix) -> float:
    """CIE L* (0..100) for such an eye, relative to a fully white LED."""
    light = [channel / 255 for channel in (rgb.r, rgb.g, rgb.b)]
    seen = [max(0.0, min(1.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in eye]
    luminance = 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]
    return float(116 * luminance ** (1 / 3) - 16) if luminance > 216 / 24389 else luminance * 24389 / 27


def differ(one: LightStyle, other: LightStyle, eye: Matrix) -> bool:
    """Whether rhythm or lightness differs clearly; hue and the phase of a blink do not count."""
    step = abs(lightness(one.rgb, eye) - lightness(other.rgb, eye))
    return one.rhythm is not other.rhythm or step >= CLEARLY_LIGHTER


@pytest.mark.parametrize("eye", EYES)
def test_any_two_meanings_differ_without_hue(eye: str) -> None:
    alike = [
        (one.name, other.name)
        for one, other in combinations(Meaning, 2)
        if not differ(LIGHT_STYLES[one], LIGHT_STYLES[other], EYES[eye])
    ]
    assert alike == []


@pytest.mark.parametrize("eye", EYES)
def test_a_grey_stays_a_grey(eye: str) -> None:
    """The rows of each published matrix add up to one."""
    assert [sum(row) for row in EYES[eye]] == pytest.approx([1, 1, 1], abs=2e-6)


def test_the_measure_can_fail() -> None:
    """A red and a green of equal lightness for a protanope are found to be alike."""
    red, green = LightStyle("red", Rgb(255, 0, 0), Rhythm.STEADY), LightStyle("green", Rgb(0, 38, 0), Rhythm.STEADY)
    assert differ(red, green, EYES["all cones"])
    assert not differ(red, green, EYES["protanopia"])


def test_every_meaning_has_a_style() -> None:
    assert set(LIGHT_STYLES) == set(Meaning)


class TestPicture:
    def test_only_the_places_of_the_sign_are_lit(self) -> None:
        """With two LEDs at each point."""
        frame = render_signs([LightSign(Meaning.LEGAL_SOURCE, (LedPlace.T1, LedPlace.B12))], LAYOUT, 0)
        assert {led for led, rgb in enumerate(frame.leds) if rgb != BLACK} == {0, 1, 24, 25}
        assert frame.leds[0] == Rgb(0, 190, 130)

    def test_no_sign_is_dark(self) -> None:
        assert render_signs([], LAYOUT, 12_345) == LedFrame.dark(48)

    def test_the_last_sign_at_a_place_is_shown(self) -> None:
        signs = [LightSign(Meaning.LEGAL_SOURCE, (LedPlace.T1,)), LightSign(Meaning.LEGAL_DESTINATION, (LedPlace.T1,))]
        assert render_signs(signs, LAYOUT, 0).leds[0] == Rgb(255, 255, 255)

    def test_take_back_and_belongs_here_take_turns(self) -> None:
        """Never both lit, whenever each sign began."""
        signs = [
            LightSign(Meaning.TAKE_BACK, (LedPlace.T1,), 130),
            LightSign(Meaning.BELONGS_HERE, (LedPlace.T2,), 777),
        ]
        for now_ms in range(1_000, 3_000, 50):
            frame = render_signs(signs, LAYOUT, now_ms)
            assert (frame.leds[0] == BLACK) is not (frame.leds[2] == BLACK)

    def test_a_lost_camera_is_shown_for_ten_seconds(self) -> None:

        sign = LightSign(Meaning.CAMERA_LOST, CORNERS, since_ms=5_000)
        assert render_signs([sign], LAYOUT, 14_999) != LedFrame.dark(48)
        assert render_signs([sign], LAYOUT, 15_000) == LedFrame.dark(48)

    def test_a_sweep_begins_with_its_sign_at_the_left_of_both_rims(self) -> None:
        sign = LightSign(Meaning.NO_PLAY, BOTH_RIMS, since_ms=1_234)
        frame = render_signs([sign], LAYOUT, 1_234)
        lit = {LAYOUT.place_of[led] for led, rgb in enumerate(frame.leds) if rgb != BLACK}
        assert lit == {LedPlace.T1, LedPlace.B1}

    def test_dimming_puts_no_lit_led_out(self) -> None:
        signs = [LightSign(meaning, (place,)) for meaning, place in zip(Meaning, LedPlace, strict=False)]
        for now_ms in range(0, 2_000, 70):
            full, dim = (render_signs(signs, LAYOUT, now_ms, factor=factor) for factor in (255, 1))
            assert [led == BLACK for led in full.leds] == [led == BLACK for led in dim.leds]

    @given(SIGNS, st.integers(0, 10**7), st.integers(0, 255))
    def test_it_is_always_a_whole_picture(self, signs: list[LightSign], now_ms: int, factor: int) -> None:
        """As long as the strip, and dark at places without a sign."""
        frame = render_signs(signs, LAYOUT, now_ms, factor=factor)
        signed = {place for sign in signs for place in sign.places}
        assert len(frame.leds) == LAYOUT.led_count
        assert all(rgb == BLACK for rgb, place in zip(frame.leds, LAYOUT.place_of, strict=True) if place not in signed)


def test_halves_and_corners() -> None:
    """A half is what lies on one side of the bar."""
    assert set(LEFT_HALF) | set(RIGHT_HALF) == set(BOTH_RIMS)
    assert [place.value for place in LEFT_HALF] == [f"{row}{column}" for row in "TB" for column in range(1, 7)]
    assert [place.value for place in CORNERS] == ["T1", "T12", "B12", "B1"]
