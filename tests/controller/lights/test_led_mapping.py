import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.lights.led_mapping import build_led_map, find_place, map_leds, map_lines, map_record
from firmware_bridge.layout import POINTS, LedLayout, LedPlace, StartCorner, StripPlan, Wiring
from firmware_bridge.led_frame import BLACK, LedFrame
from tests.vision.drawn_boards import FIELD
from tests.vision.lit_rims import KNOWN, Light, on_rim, picture
from vision.errors import WrongPictureSizeError
from vision.field.led_finder import LedDetection
from vision.frame import Pixels

PLANS = st.builds(
    StripPlan,
    leds_per_point=st.integers(1, 5),
    start=st.sampled_from(StartCorner),
    wiring=st.sampled_from(Wiring),
    at_bar=st.integers(0, 3),
)


def spot(x_mm: float, y_mm: float, light: float = 1_000.0) -> LedDetection:
    return LedDetection((0.0, 0.0), (x_mm, y_mm), light)


def spots_of(plan: StripPlan, *, jitter_mm: float = 0.0, seed: int = 1) -> list[LedDetection | None]:
    """Where the LEDs of the plan lie: evenly over the width of their point or of the bar."""
    layout, random_ = LedLayout.from_plan(plan), random.Random(seed)
    rows = plan.led_count // 2
    spots: list[LedDetection | None] = []
    for led, place in enumerate(layout.place_of):
        assert place is not None
        leds = layout.leds_of(place)
        is_upper = place.value.startswith("T")
        if place is LedPlace.BAR:
            is_upper = (led < rows) is (plan.start in (StartCorner.TOP_LEFT, StartCorner.TOP_RIGHT))
            leds = tuple(one for one in leds if (one < rows) is (led < rows))
        share = (leds.index(led) + 0.5) / len(leds)
        if _runs_left(layout, led):
            share = 1 - share
        left_mm, width_mm = FIELD.bar_left_mm, FIELD.bar_right_mm - FIELD.bar_left_mm
        if place is not LedPlace.BAR:
            left_mm, width_mm = FIELD.point_middle_mm(int(place.value[1:])) - FIELD.pitch_mm / 2, FIELD.pitch_mm
        x_mm = left_mm + share * width_mm + random_.uniform(-jitter_mm, jitter_mm)
        spots.append(spot(x_mm, -10.0 if is_upper else FIELD.height_mm + 10.0))
    return spots


def _runs_left(layout: LedLayout, led: int) -> bool:
    """Whether the chain passes this LED from the right to the left."""
    half = layout.led_count // 2
    strip = layout.place_of[:half] if led < half else layout.place_of[half:]
    columns = [int(place.value[1:]) for place in strip if place in POINTS and place is not None]
    return columns[0] > columns[-1]


@pytest.mark.parametrize(
    ("at_mm", "expected"),
    [
        ((17, -10), LedPlace.T1),
        ((-9, -10), LedPlace.T1),
        ((-12, -10), None),
        ((34.0, -10), LedPlace.T1),
        ((34.4, -10), LedPlace.T2),
        ((204, -10), LedPlace.T6),
        ((206, -10), LedPlace.BAR),
        ((234, 410), LedPlace.BAR),
        ((236, 410), LedPlace.B7),
        ((423, 410), LedPlace.B12),
        ((455, 410), None),
        ((423, -61), None),
        ((-8, 200), None),
    ],
)
def test_the_place_of_a_spot(at_mm: tuple[float, float], expected: LedPlace | None) -> None:
    """The nearest point on the nearer rim, also a little beyond the last point, but not on the short sides."""
    assert find_place(at_mm, FIELD) is expected


@given(PLANS, st.integers(0, 99))
def test_every_plan_is_found_from_where_its_leds_lie(plan: StripPlan, seed: int) -> None:
    """With an error of 2 mm, 1 to 5 LEDs a point, along every chain."""
    found = build_led_map(spots_of(plan, jitter_mm=2.0, seed=seed), FIELD)
    assert found.layout == LedLayout.from_plan(plan)
    assert found.is_complete


class TestDoubt:
    def test_an_led_not_seen_belongs_nowhere(self) -> None:
        """The others keep their places, and the missing LED and point are named."""
        spots = spots_of(StripPlan(1))
        spots[3] = None
        found = build_led_map(spots, FIELD)
        assert found.missing_leds == (3,)
        assert found.unlit_points == (LedPlace.T4,)
        assert not found.is_complete
        assert found.layout is not None
        assert found.layout.place_of[4] is LedPlace.T5

    @pytest.mark.parametrize(
        "false_detection",
        [
            pytest.param(spot(100, FIELD.height_mm + 5), id="a reflection on the other rim"),
            pytest.param(spot(100, -10, light=100.0), id="a glow of a tenth of the usual light"),
        ],
    )
    def test_a_false_detection_of_a_hidden_led_is_rejected(self, false_detection: LedDetection) -> None:
        spots = spots_of(StripPlan(2))
        spots[5] = false_detection
        assert build_led_map(spots, FIELD).missing_leds == (5,)

    def test_the_corner_of_the_chain_is_no_jump(self) -> None:
        """Where a Z-shaped chain returns to the other side, neighbours lie far apart."""
        assert build_led_map(spots_of(StripPlan(1, wiring=Wiring.Z)), FIELD).missing_leds == ()

    def test_leds_beside_the_board_stay_dark(self) -> None:
        """LEDs around the short side are detected and belong to no place."""
        spots = [*spots_of(StripPlan(1)), spot(FIELD.width_mm + 20, 150), spot(FIELD.width_mm + 20, 250)]
        found = build_led_map(spots, FIELD)
        assert found.layout is not None
        assert found.layout.place_of[24:] == (None, None)
        assert "LEDs beside the points, which stay dark: 24, 25." in map_lines(found)

    def test_nothing_seen_is_no_layout(self) -> None:
        found = build_led_map([None] * 24, FIELD)
        assert (found.layout, found.unlit_points) == (None, POINTS)
        assert map_record(found)["places"] == [None] * 24


class DrawnStrip:
    """A photographer of a drawn board whose LEDs are lit where they lie; it records the frames it was shown."""

    def __init__(self, places_mm: list[tuple[float, float]]) -> None:
        self.places_mm = places_mm
        self.shown: list[LedFrame] = []

    def __call__(self, frame: LedFrame) -> Pixels:
        self.shown.append(frame)
        lit = [Light(at_mm) for at_mm, rgb in zip(self.places_mm, frame.leds, strict=True) if rgb != BLACK]
        return picture(lit, seed=len(self.shown))


class TestBeforeACamera:
    def test_three_leds_at_a_point(self) -> None:
        """Every LED is lit alone between dark pictures, and the strip is dark at the end."""
        strip = DrawnStrip([on_rim(column, share=share) for column in (6, 7) for share in (0.17, 0.5, 0.83)])
        done: list[int] = []
        found = map_leds(strip, 6, KNOWN, report=done.append)
        assert found.layout == LedLayout((LedPlace.T6,) * 3 + (LedPlace.T7,) * 3)
        assert done == [1, 2, 3, 4, 5, 6]
        assert [sum(rgb != BLACK for rgb in frame.leds) for frame in strip.shown] == [0, 1] * 6 + [0]

    def test_a_calibration_of_another_camera_is_refused(self) -> None:
        strip = DrawnStrip([on_rim(1)])
        with pytest.raises(WrongPictureSizeError):
            map_leds(lambda frame: strip(frame)[:, :200], 1, KNOWN, report=lambda _: None)
