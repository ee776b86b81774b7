"""Maps each LED of the strip to a place of the board.

A layout has one entry per LED, so no LED can belong to two places. It is made from a plan (two strips along both rims,
described by a few numbers) or from a table of the LEDs of each place, written by hand or by `zarbiter leds map`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.errors import LayoutError

MAX_LEDS = 255
"""LED numbers and counts have one byte on the wire."""
MAX_LEDS_PER_POINT = 5
POINTS_PER_ROW = 12


class LedPlace(Enum):
    """The upper row from left to right, the lower row, the bar, the tray; as the camera sees the board."""

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
    T4 = "T4"
    T5 = "T5"
    T6 = "T6"
    T7 = "T7"
    T8 = "T8"
    T9 = "T9"
    T10 = "T10"
    T11 = "T11"
    T12 = "T12"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    B5 = "B5"
    B6 = "B6"
    B7 = "B7"
    B8 = "B8"
    B9 = "B9"
    B10 = "B10"
    B11 = "B11"
    B12 = "B12"
    BAR = "bar"
    TRAY = "tray"


UPPER_ROW = tuple(LedPlace)[:POINTS_PER_ROW]
LOWER_ROW = tuple(LedPlace)[POINTS_PER_ROW : 2 * POINTS_PER_ROW]
POINTS = UPPER_ROW + LOWER_ROW


class StartCorner(Enum):
    """The corner of the board where LED 0 lies."""

    TOP_LEFT = "top_left"
    TOP_RIGHT = "top_right"
    BOTTOM_LEFT = "bottom_left"
    BOTTOM_RIGHT = "bottom_right"


class Wiring(Enum):
    """How the strip continues on the other rim: back around the short side (U), or from the same side again (Z)."""

    U = "u"
    Z = "z"


class GapPlace(Enum):
    """The place of LEDs that lie at no point."""

    NOTHING = "nothing"
    BAR = "bar"
    TRAY = "tray"

    @property
    def place(self) -> LedPlace | None:
        return None if self is GapPlace.NOTHING else LedPlace(self.value)


@dataclass(frozen=True, slots=True)
class StripPlan:
    """Two strips of twelve points each as one chain. Numbers count LEDs; `..._lights` gives the place of a gap's LEDs."""

    leds_per_point: int
    start: StartCorner = StartCorner.TOP_LEFT
    wiring: Wiring = Wiring.U
    lead_in: int = 0  # before the first point
    between_points: int = 0  # between neighbours of one half; these stay dark
    at_bar: int = 0  # between the sixth and the seventh point of each strip
    at_turn: int = 0  # between the two strips
    tail: int = 0  # after the last point
    at_bar_lights: GapPlace = GapPlace.BAR
    at_turn_lights: GapPlace = GapPlace.NOTHING
    tail_lights: GapPlace = GapPlace.NOTHING

    def __post_init__(self) -> None:
        if not 1 <= self.leds_per_point <= MAX_LEDS_PER_POINT:
            raise LayoutError(f"leds_per_point is {self.leds_per_point}; give 1 to {MAX_LEDS_PER_POINT}")
        for name in ("lead_in", "between_points", "at_bar", "at_turn", "tail"):
            if not 0 <= getattr(self, name) <= MAX_LEDS:
                raise LayoutError(f"{name} is {getattr(self, name)}; give a number of LEDs from 0 to {MAX_LEDS}")
        if self.led_count > MAX_LEDS:
            raise LayoutError(f"this plan needs {self.led_count} LEDs; at most {MAX_LEDS} can be addressed")

    @property
    def led_count(self) -> int:
        strip = POINTS_PER_ROW * self.leds_per_point + (POINTS_PER_ROW - 2) * self.between_points + self.at_bar
        return self.lead_in + 2 * strip + self.at_turn + self.tail


@dataclass(frozen=True, slots=True)
class LedLayout:
    """`place_of[n]` is the place of LED n; None for an LED that stays dark."""

    place_of: tuple[LedPlace | None, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.place_of) <= MAX_LEDS:
            raise LayoutError(f"a layout has 1 to {MAX_LEDS} LEDs, not {len(self.place_of)}")
        if not any(place in POINTS for place in self.place_of):
            raise LayoutError("no LED lies at any point; name the LEDs of the points")

    @classmethod
    def from_plan(cls, plan: StripPlan) -> "LedLayout":
        return cls(tuple(_chain(plan)))

    @classmethod
    def from_table(cls, led_count: int, leds_of: Mapping[LedPlace, tuple[int, ...]]) -> "LedLayout":
        """From the LEDs of each place; other LEDs stay dark. Raises LayoutError with the first mistake."""
        if not 1 <= led_count <= MAX_LEDS:
            raise LayoutError(f"a layout has 1 to {MAX_LEDS} LEDs, not {led_count}")
        place_of: list[LedPlace | None] = [None] * led_count
        for place, leds in leds_of.items():
            for led in leds:
                if not 0 <= led < led_count:
                    raise LayoutError(f"{place.value} has LED {led}; the strip has LEDs 0 to {led_count - 1}")
                other = place_of[led]
                if other is not None:
                    both = f"{place.value} twice" if other is place else f"{other.value} and to {place.value}"
                    raise LayoutError(f"LED {led} belongs to {both}; name it once")
                place_of[led] = place
        return cls(tuple(place_of))

    @property
    def led_count(self) -> int:
        return len(self.place_of)

    def leds_of(self, place: LedPlace) -> tuple[int, ...]:
        """The LEDs of a place in the order of the chain."""
        return tuple(led for led, at in enumerate(self.place_of) if at is place)

    def unlit_points(self) -> tuple[LedPlace, ...]:
        """The points without an LED."""
        return tuple(point for point in POINTS if point not in self.place_of)


def usual_plan(led_count: int) -> StripPlan:
    """The likely plan of a strip: equally many LEDs at each point from the upper left on, the rest behind the last point.

    Raises LayoutError when there is not one LED for each point.
    """
    least = len(POINTS)
    if not least <= led_count <= MAX_LEDS:
        raise LayoutError(f"{led_count} LEDs are no strip along both rims; it has {least} to {MAX_LEDS}")
    each = min(led_count // least, MAX_LEDS_PER_POINT)
    return StripPlan(leds_per_point=each, tail=led_count - least * each)


def _chain(plan: StripPlan) -> Iterator[LedPlace | None]:
    first, second = _rows(plan)
    yield from (None,) * plan.lead_in
    yield from _strip(first, plan)
    yield from (plan.at_turn_lights.place,) * plan.at_turn
    yield from _strip(second, plan)
    yield from (plan.tail_lights.place,) * plan.tail


def _rows(plan: StripPlan) -> tuple[tuple[LedPlace, ...], tuple[LedPlace, ...]]:
    """The points of both strips in the order of the chain."""
    is_top = plan.start in (StartCorner.TOP_LEFT, StartCorner.TOP_RIGHT)
    is_left = plan.start in (StartCorner.TOP_LEFT, StartCorner.BOTTOM_LEFT)
    first, second = (UPPER_ROW, LOWER_ROW) if is_top else (LOWER_ROW, UPPER_ROW)
    first = first if is_left else first[::-1]
    second = second if is_left is (plan.wiring is Wiring.Z) else second[::-1]
    return first, second


def _strip(points: tuple[LedPlace, ...], plan: StripPlan) -> Iterator[LedPlace | None]:
    for number, point in enumerate(points):
        if number == POINTS_PER_ROW // 2:
            yield from (plan.at_bar_lights.place,) * plan.at_bar
        elif number:
            yield from (None,) * plan.between_points
        yield from (point,) * plan.leds_per_point
