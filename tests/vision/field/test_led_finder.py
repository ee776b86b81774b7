from math import dist

import pytest

from tests.vision.drawn_boards import FIELD, calibration_for
from tests.vision.lit_rims import KNOWN, Light, Patch, on_rim, picture
from vision.field.led_finder import LedDetection, LedLimits, LedPictures, find_led, rim_mask
from vision.geometry.calibration import Calibration

TILTED = calibration_for(320, 240, corners_px=((55, 35), (270, 30), (300, 205), (20, 215)))


def found(
    lights: list[Light],
    *,
    hand: Patch | None = None,
    hand_before: Patch | None = None,
    hand_after: Patch | None = None,
    known: Calibration = KNOWN,
    **about: float,
) -> LedDetection | None:
    """The detection when these lights are on in the lit picture."""
    hands = [[] if one is None else [one] for one in (hand_before, hand, hand_after)]
    noise = about.get("noise", 1.5)
    before, after = (picture(patches=hands[i], seed=i + 1, noise=noise, known=known) for i in (0, 2))
    lit = picture(lights, hands[1], seed=2, known=known, noise=noise, brighter=about.get("brighter", 0.0))
    return find_led(LedPictures(before, lit, after), known)


LED = Light(on_rim(5))


def assert_found(seen: LedDetection | None, at_mm: tuple[float, float] = LED.at_mm, *, within_mm: float = 2.0) -> None:
    assert seen is not None
    assert dist(seen.at_mm, at_mm) < within_mm


@pytest.mark.parametrize("known", [KNOWN, TILTED], ids=["from above", "tilted"])
@pytest.mark.parametrize(("column", "upper"), [(1, True), (6, True), (7, True), (12, True), (1, False), (12, False)])
def test_it_is_found_where_it_is(column: int, upper: bool, known: Calibration) -> None:
    """To a millimetre, at the corners and beside the bar."""
    at_mm = on_rim(column, upper=upper)
    assert_found(found([Light(at_mm)], known=known), at_mm, within_mm=1.0)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_one_of_five_at_a_point(share: float) -> None:
    """Neighbours are 7 mm apart and stay apart."""
    at_mm = on_rim(9, share=share)
    assert_found(found([Light(at_mm)]), at_mm, within_mm=1.0)


@pytest.mark.parametrize("noise", [0.0, 1.5, 5.0, 12.0])
def test_noise_does_not_move_it(noise: float) -> None:
    """Up to that of a webcam in the dark; without light there is still no LED."""
    assert_found(found([LED], noise=noise))
    assert found([], noise=noise) is None


def test_an_led_under_a_hand_is_not_found() -> None:
    hand = Patch(120, -60, 230, 60)
    assert found([], hand=hand, hand_before=hand, hand_after=hand) is None


@pytest.mark.parametrize("moment", ["hand", "hand_before", "hand_after"])
def test_a_hand_in_one_picture_is_no_led(moment: str) -> None:
    """It is far too large; the LED elsewhere is found all the same."""
    hand = Patch(300, -60, 400, 60)
    assert_found(found([LED], **{moment: hand}))  # type: ignore[arg-type]
    assert found([], **{moment: hand}) is None  # type: ignore[arg-type]


def test_a_reflection_on_the_field_does_not_count() -> None:
    """It may be as bright as the LED, but LEDs lie on the rims."""
    assert_found(found([LED, Light((180.0, 60.0), height_mm=0.0)]))
    assert found([Light((180.0, 60.0), height_mm=0.0)]) is None


def test_a_second_spot_on_the_rim_must_be_weaker() -> None:
    """Varnish reflects a part of the light; of two equal spots none is chosen, because a wrong place is worse."""
    assert_found(found([LED, Light(on_rim(8), strength=60.0)]))
    assert found([LED, Light(on_rim(8))]) is None


def test_a_lamp_that_flickers_is_no_led() -> None:
    """The whole picture is brighter, and the LED stands out all the same."""
    assert found([], brighter=30.0) is None
    assert_found(found([Light(LED.at_mm, strength=60.0)], brighter=60.0))


def test_an_object_that_stays_is_no_led() -> None:
    """A small bright thing that was not there before and is there after."""
    thing = Patch(280, -20, 295, -5, grey=255)
    assert_found(found([LED], hand=thing, hand_after=thing))
    assert found([], hand=thing, hand_after=thing) is None


def test_a_stronger_light_has_the_larger_value() -> None:
    """LEDs can be compared by it."""
    strong, weak = found([LED]), found([Light(LED.at_mm, strength=60.0)])
    assert strong is not None
    assert weak is not None
    assert strong.light > 2 * weak.light


def test_the_mask_is_the_rims() -> None:
    """Inside the field and far outside it is False."""
    limits = LedLimits(rim_height_mm=0.0)
    mask = rim_mask(KNOWN.image_size_px, KNOWN.projection, FIELD, limits)
    for at_mm, expected in [((220, -10), True), ((-30, 200), True), ((220, 200), False), ((220, -80), False)]:
        x_px, y_px = KNOWN.projection.to_picture([at_mm])[0]
        if 0 <= y_px < 240:
            assert mask[round(y_px), round(x_px)] == expected
