"""`zarbiter leds map`: finds which LED lies at which place by lighting one LED at a time in front of a camera.

A `StripPhotographer` shows a frame on the strip and returns the camera's picture of it. Everything else is computed
from pictures alone. Two checks reject false detections: an LED that is much fainter than the median is hidden (only its
glow was visible), and one that lies off the line between its neighbours on the chain is a reflection.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from controller.lights.light_show import StripClock
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.errors import LayoutError
from firmware_bridge.layout import LOWER_ROW, POINTS, POINTS_PER_ROW, UPPER_ROW, LedLayout, LedPlace
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from vision.errors import NoPictureError
from vision.field.led_finder import USUAL_LIMITS, LedDetection, LedLimits, LedPictures, find_led
from vision.frame import FrameSource, Pixels
from vision.geometry.calibration import Calibration, scale_to_picture
from vision.geometry.projection import FieldShape

StripPhotographer = Callable[[LedFrame], Pixels]

# White is visible on a rim of any colour; below full brightness, so that the picture does not bloom.
MAPPING_LIGHT = Rgb(200, 200, 200)
# Share of the median light; an LED below it is rejected as hidden. Higher rejects more.
FAINT_SHARE = 0.25
# Distance, in point widths, from the middle between the chain neighbours; an LED beyond it is rejected as a reflection.
OUT_OF_LINE_PITCHES = 0.75
# Neighbours farther apart than this many point widths (a corner of the chain) do not constrain the LED between them.
NEIGHBOUR_PITCHES = 2.5
# How far beyond the outermost point, in point widths, an LED still belongs to that point.
BESIDE_PITCHES = 0.3
# From lighting the LEDs to a picture that shows them completely: exposure time and the camera's buffers.
SETTLE_MS = 150
POLL_MS = 200
PICTURE_TIMEOUT_MS = 10_000
# An LED farther than this from both rims lies beside the board.
OFF_RIM_MM = 60.0


@dataclass(frozen=True, slots=True)
class LedMap:
    """`spots` has the detection of each LED in the order of the chain. `layout` is None when no LED lies at any point."""

    spots: tuple[LedDetection | None, ...]
    layout: LedLayout | None

    @property
    def missing_leds(self) -> tuple[int, ...]:
        return tuple(led for led, spot in enumerate(self.spots) if spot is None)

    @property
    def unlit_points(self) -> tuple[LedPlace, ...]:
        return POINTS if self.layout is None else self.layout.unlit_points()

    @property
    def is_complete(self) -> bool:
        """Whether every LED was detected and every point has one."""
        return not self.missing_leds and not self.unlit_points


def map_leds(
    photograph: StripPhotographer,
    led_count: int,
    calibration: Calibration,
    *,
    report: Callable[[int], None],
    limits: LedLimits = USUAL_LIMITS,
) -> LedMap:
    """Lights every LED in turn, with the strip dark in between and at the end; `report` gets the number of LEDs done.

    Raises WrongPictureSizeError when the calibration belongs to another camera, and whatever `photograph` raises.
    """
    seen = []
    for number, pictures in enumerate(_photograph_each(photograph, led_count)):
        height_px, width_px = pictures.lit.shape[:2]
        seen.append(find_led(pictures, scale_to_picture(calibration, width_px, height_px), limits))
        report(number + 1)
    return build_led_map(seen, calibration.field)


def build_led_map(seen: Sequence[LedDetection | None], field: FieldShape) -> LedMap:
    """The layout from the detections in the order of the chain; doubtful detections are dropped."""
    kept = _drop_outliers(_drop_faint(seen), field.pitch_mm)
    places = tuple(None if spot is None else find_place(spot.at_mm, field) for spot in kept)
    try:
        return LedMap(kept, LedLayout(places))
    except LayoutError:
        return LedMap(kept, None)


def find_place(at_mm: tuple[float, float], field: FieldShape) -> LedPlace | None:
    """The place on the rim nearest to `at_mm` (board frame); None beside the board, at its corners and short sides.

    An LED in front of a bar belongs to the bar, if the bar is wide enough for LEDs of its own.
    """
    x_mm, y_mm = at_mm
    row = UPPER_ROW if y_mm < field.height_mm / 2 else LOWER_ROW
    from_rim_mm = -y_mm if row is UPPER_ROW else y_mm - field.height_mm
    beside_mm = max(-x_mm, x_mm - field.width_mm)
    if abs(from_rim_mm) > OFF_RIM_MM or beside_mm > BESIDE_PITCHES * field.pitch_mm:
        return None
    if field.bar_left_mm < x_mm < field.bar_right_mm and _has_led_bar(field):
        return LedPlace.BAR
    middles_mm = [field.point_middle_mm(column) for column in range(1, POINTS_PER_ROW + 1)]
    return row[int(np.argmin([abs(middle_mm - x_mm) for middle_mm in middles_mm]))]


def _has_led_bar(field: FieldShape) -> bool:
    """A bar narrower than half a point is only a seam; an LED in front of it belongs to the neighbouring point."""
    return field.bar_right_mm - field.bar_left_mm >= field.pitch_mm / 2


def make_single_led_frame(led: int, led_count: int) -> LedFrame:
    return LedFrame.from_runs(led_count, [Run(led, 1, MAPPING_LIGHT)])


def map_lines(found: LedMap) -> list[str]:
    """Lines for people: one for each place, then the LEDs and points that are missing."""
    lines = []
    if found.layout is not None:
        leds_at = ((place, found.layout.leds_of(place)) for place in LedPlace)
        lines += [f"{place.value:4} LED {', '.join(map(str, leds))}" for place, leds in leds_at if leds]
        beside = [led for led, spot in enumerate(found.spots) if spot and found.layout.place_of[led] is None]
        if beside:
            lines.append(f"LEDs beside the points, which stay dark: {', '.join(map(str, beside))}.")
    if found.missing_leds:
        lines.append(f"LEDs not seen: {', '.join(map(str, found.missing_leds))}.")
    if found.unlit_points:
        lines.append(f"Points without an LED: {', '.join(place.value for place in found.unlit_points)}.")
    return lines


def map_record(found: LedMap) -> dict[str, object]:
    """The object of `leds map --json`. A spot is in board mm; None where the LED was not detected."""
    places = [None] * len(found.spots) if found.layout is None else found.layout.place_of
    return {
        "places": [None if place is None else place.value for place in places],
        "spots_mm": [None if spot is None else [round(value, 1) for value in spot.at_mm] for spot in found.spots],
        "not_seen": list(found.missing_leds),
        "points_without": [place.value for place in found.unlit_points],
    }


def _photograph_each(photograph: StripPhotographer, led_count: int) -> Iterator[LedPictures]:
    """Photographs dark, lit, dark, lit, …; each dark picture serves the LED before it and the LED after it."""
    dark = LedFrame.dark(led_count)
    before = photograph(dark)
    for led in range(led_count):
        lit = photograph(make_single_led_frame(led, led_count))
        after = photograph(dark)
        yield LedPictures(before, lit, after)
        before = after


def _drop_faint(seen: Sequence[LedDetection | None]) -> tuple[LedDetection | None, ...]:
    lights = [spot.light for spot in seen if spot is not None]
    least = FAINT_SHARE * median(lights) if lights else 0.0
    return tuple(None if spot is None or spot.light < least else spot for spot in seen)


def _drop_outliers(seen: Sequence[LedDetection | None], pitch_mm: float) -> tuple[LedDetection | None, ...]:
    """Drops detections out of line with both chain neighbours, which are reflections of hidden LEDs."""
    return tuple(
        None if spot is not None and _is_outlier(spot, seen[:led], seen[led + 1 :], pitch_mm) else spot
        for led, spot in enumerate(seen)
    )


def _is_outlier(
    spot: LedDetection, before: Sequence[LedDetection | None], after: Sequence[LedDetection | None], pitch_mm: float
) -> bool:
    if not before or not after or before[-1] is None or after[0] is None:
        return False
    here, left, right = (np.array(one.at_mm) for one in (spot, before[-1], after[0]))
    if np.linalg.norm(right - left) > NEIGHBOUR_PITCHES * pitch_mm:
        return False  # the chain goes around a corner here
    return bool(np.linalg.norm(here - (left + right) / 2) > OUT_OF_LINE_PITCHES * pitch_mm)


class CameraPhotographer:
    """A `StripPhotographer` with a real strip and a camera above it."""

    def __init__(self, board: LightBoard, source: FrameSource, clock: StripClock) -> None:
        self._board, self._source, self._clock = board, source, clock

    def __call__(self, frame: LedFrame) -> Pixels:
        """A picture taken at least `SETTLE_MS` after the strip showed `frame`. Raises BoardLostError, NoPictureError."""
        self._board.show(frame)
        shown_ms = self._clock.now_ms()
        for _ in range(PICTURE_TIMEOUT_MS // POLL_MS):
            seen = self._source.latest(POLL_MS)
            if seen is not None and seen.taken_ms >= shown_ms + SETTLE_MS:
                return seen.pixels
            if self._source.state.condition.is_final:
                break
            self._board.health()  # keeps the board's watchdog quiet
        raise NoPictureError(self._source.describe(), self._source.state.sentence)
