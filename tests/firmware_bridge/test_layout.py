from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import LayoutError
from firmware_bridge.layout import POINTS, GapPlace, LedLayout, LedPlace, StartCorner, StripPlan, Wiring, usual_plan
from vision.places import Place

GAPS = st.integers(0, 4)
PLANS = st.builds(
    StripPlan,
    leds_per_point=st.integers(1, 5),
    start=st.sampled_from(StartCorner),
    wiring=st.sampled_from(Wiring),
    lead_in=GAPS,
    between_points=GAPS,
    at_bar=GAPS,
    at_turn=GAPS,
    tail=GAPS,
    at_bar_lights=st.sampled_from(GapPlace),
    at_turn_lights=st.sampled_from(GapPlace),
    tail_lights=st.sampled_from(GapPlace),
)


def points_along(plan: StripPlan) -> str:
    """The chain's points in order, each once."""
    places = [place.value for place in LedLayout.from_plan(plan).place_of if place in POINTS]
    return " ".join(dict.fromkeys(places))


UPPER = "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12"
LOWER = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12"


def turned(row: str) -> str:
    return " ".join(reversed(row.split()))


def test_the_places_are_those_of_the_camera() -> None:
    """Two packages that do not know each other call the places alike."""
    assert [place.value for place in LedPlace] == [place.value for place in Place]


@pytest.mark.parametrize(
    ("start", "wiring", "expected"),
    [
        (StartCorner.TOP_LEFT, Wiring.U, f"{UPPER} {turned(LOWER)}"),
        (StartCorner.TOP_LEFT, Wiring.Z, f"{UPPER} {LOWER}"),
        (StartCorner.TOP_RIGHT, Wiring.U, f"{turned(UPPER)} {LOWER}"),
        (StartCorner.TOP_RIGHT, Wiring.Z, f"{turned(UPPER)} {turned(LOWER)}"),
        (StartCorner.BOTTOM_LEFT, Wiring.U, f"{LOWER} {turned(UPPER)}"),
        (StartCorner.BOTTOM_LEFT, Wiring.Z, f"{LOWER} {UPPER}"),
        (StartCorner.BOTTOM_RIGHT, Wiring.U, f"{turned(LOWER)} {UPPER}"),
        (StartCorner.BOTTOM_RIGHT, Wiring.Z, f"{turned(LOWER)} {turned(UPPER)}"),
    ],
)
def test_the_way_of_the_chain(start: StartCorner, wiring: Wiring, expected: str) -> None:
    assert points_along(StripPlan(1, start, wiring)) == expected


def test_gaps_lie_where_the_plan_says() -> None:
    """Written out up to the eighth point: lead-in, point, gap, …, and the bar's own LEDs between the halves."""
    layout = LedLayout.from_plan(StripPlan(2, lead_in=1, between_points=1, at_bar=2))
    names = [place.value if place else "-" for place in layout.place_of[:26]]
    assert " ".join(names) == "- T1 T1 - T2 T2 - T3 T3 - T4 T4 - T5 T5 - T6 T6 bar bar T7 T7 - T8 T8 -"
    assert layout.led_count == 1 + 2 * (24 + 10 + 2)


def test_turn_and_tail_may_be_the_trays() -> None:
    """The LEDs between the strips and behind them light what the plan says."""
    plan = StripPlan(1, at_turn=2, at_turn_lights=GapPlace.TRAY, tail=1, tail_lights=GapPlace.TRAY)
    assert LedLayout.from_plan(plan).leds_of(LedPlace.TRAY) == (12, 13, 26)


@given(PLANS)
def test_no_led_has_two_places(plan: StripPlan) -> None:
    layout = LedLayout.from_plan(plan)
    every = [led for place in LedPlace for led in layout.leds_of(place)]
    assert len(every) == len(set(every))
    assert set(every) <= set(range(plan.led_count))
    assert layout.led_count == plan.led_count


@given(PLANS)
def test_every_point_has_its_leds(plan: StripPlan) -> None:
    layout = LedLayout.from_plan(plan)
    assert layout.unlit_points() == ()
    for point in POINTS:
        leds = layout.leds_of(point)
        assert leds == tuple(range(leds[0], leds[0] + plan.leds_per_point))


@given(PLANS)
def test_a_table_tells_the_same(plan: StripPlan) -> None:
    layout = LedLayout.from_plan(plan)
    table = {place: layout.leds_of(place) for place in LedPlace}
    assert LedLayout.from_table(layout.led_count, table) == layout


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ({"leds_per_point": 0}, "leds_per_point is 0; give 1 to 5"),
        ({"leds_per_point": 6}, "leds_per_point is 6; give 1 to 5"),
        ({"leds_per_point": 1, "tail": -1}, "tail is -1; give a number of LEDs from 0 to 255"),
        ({"leds_per_point": 5, "between_points": 7}, "this plan needs 260 LEDs; at most 255 can be addressed"),
    ],
)
def test_an_impossible_plan_is_refused(plan: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LayoutError) as refused:
        StripPlan(**plan)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("count", "table", "sentence"),
    [
        (0, {LedPlace.T1: (0,)}, "a layout has 1 to 255 LEDs, not 0"),
        (256, {LedPlace.T1: (0,)}, "a layout has 1 to 255 LEDs, not 256"),
        (4, {LedPlace.T1: (4,)}, "T1 has LED 4; the strip has LEDs 0 to 3"),
        (4, {LedPlace.T1: (-1,)}, "T1 has LED -1; the strip has LEDs 0 to 3"),
        (4, {LedPlace.T1: (1,), LedPlace.BAR: (1,)}, "LED 1 belongs to T1 and to bar; name it once"),
        (4, {LedPlace.T1: (1, 1)}, "LED 1 belongs to T1 twice; name it once"),
        (4, {LedPlace.BAR: (1,)}, "no LED lies at any point; name the LEDs of the points"),
    ],
)
def test_an_impossible_table_is_refused(count: int, table: dict[LedPlace, tuple[int, ...]], sentence: str) -> None:
    with pytest.raises(LayoutError) as refused:
        LedLayout.from_table(count, table)
    assert str(refused.value) == sentence


def test_points_without_an_led_are_reported() -> None:
    """A layout may miss some points; whoever shows something can say so."""
    layout = LedLayout.from_table(2, dict.fromkeys(POINTS[2:], ()) | {LedPlace.T1: (0,), LedPlace.T2: (1,)})
    assert layout.unlit_points() == POINTS[2:]


class TestUsualPlan:
    @pytest.mark.parametrize(
        ("count", "each", "tail"), [(24, 1, 0), (60, 2, 12), (72, 3, 0), (120, 5, 0), (150, 5, 30)]
    )
    def test_of_known_strips(self, count: int, each: int, tail: int) -> None:
        assert usual_plan(count) == StripPlan(each, tail=tail)

    @pytest.mark.parametrize("count", [0, 23, 256])
    def test_too_few_are_no_strip(self, count: int) -> None:
        with pytest.raises(LayoutError, match="24 to 255"):
            usual_plan(count)
