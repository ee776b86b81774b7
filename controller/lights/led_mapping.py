"""`zarbiter leds map`: which LED lies at which place, found by lighting one after the other before a camera.

A `Look` shows a picture on the strip and gives what the camera saw of it after that; what follows from the pictures is
computed without knowing where they came from.
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

MAPPING_LIGHT = Rgb(200, 200, 200)
"""White is seen on every rim; a little less than full, so that the camera does not bloom."""
FAINT_SHARE = 0.25
"""An LED with less than this share of the usual light is hidden, and what was seen its glow or a reflection."""
OUT_OF_LINE_PITCHES = 0.75
"""An LED so many points away from the middle between its neighbours on the chain is not where it was seen."""
NEIGHBOUR_PITCHES = 2.5
"""Only neighbours as close as this tell where the LED between them must lie."""
BESIDE_PITCHES = 0.3
"""How far beyond its outermost point an LED still belongs to it."""
SETTLE_MS = 150
"""From the LEDs to a picture that shows them whole: exposure, and what the camera's own buffers hold."""
POLL_MS = 200
PICTURE_TIMEOUT_MS = 10_000
OFF_RIM_MM = 60.0
"""An LED farther than this from both rims lies beside the board."""


@dataclass(frozen=True, slots=True)
class LedMap:
    """Where each LED was seen, and the layout that follows. `layout` is None when no LED lies at any point."""

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
        """Every LED was seen, and every point has one."""
        return not self.missing_leds and not self.unlit_points


def map_leds(
    photograph: StripPhotographer,
    led_count: int,
    calibration: Calibration,
    *,
    report: Callable[[int], None],
    limits: LedLimits = USUAL_LIMITS,
) -> LedMap:
    """Lights every LED in turn, with the strip dark between; `tell` gets the number of each that is done.

    The strip is dark at the end. WrongPictureSizeError when the calibration is for another camera; what `look` raises
    goes through.
    """
    seen = []
    for number, pictures in enumerate(_photograph_each(photograph, led_count)):
        height_px, width_px = pictures.lit.shape[:2]
        seen.append(find_led(pictures, scale_to_picture(calibration, width_px, height_px), limits))
        report(number + 1)
    return build_led_map(seen, calibration.field)


def build_led_map(seen: Sequence[LedDetection | None], field: FieldShape) -> LedMap:
    """From where each LED of the chain was seen; doubtful ones become not seen."""
    kept = _drop_outliers(_drop_faint(seen), field.pitch_mm)
    places = tuple(None if spot is None else find_place(spot.at_mm, field) for spot in kept)
    try:
        return LedMap(kept, LedLayout(places))
    except LayoutError:
        return LedMap(kept, None)


def find_place(at_mm: tuple[float, float], field: FieldShape) -> LedPlace | None:
    """The place on the rim that is nearest to board mm; None beside the board, at its corners and short sides.

    What lies before a bar that is wide enough for LEDs of its own is the bar's.
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
    """A bar narrower than half a point is a seam; an LED there was meant for the point next to it."""
    return field.bar_right_mm - field.bar_left_mm >= field.pitch_mm / 2


def make_single_led_frame(led: int, led_count: int) -> LedFrame:
    """This LED lit, the others dark."""
    return LedFrame.from_runs(led_count, [Run(led, 1, MAPPING_LIGHT)])


def map_lines(found: LedMap) -> list[str]:
    """For people: a place a line, then what is missing."""
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
    """For programs. A spot is where the LED was seen, in board mm; None where it was not."""
    places = [None] * len(found.spots) if found.layout is None else found.layout.place_of
    return {
        "places": [None if place is None else place.value for place in places],
        "spots_mm": [None if spot is None else [round(value, 1) for value in spot.at_mm] for spot in found.spots],
        "not_seen": list(found.missing_leds),
        "points_without": [place.value for place in found.unlit_points],
    }


def _photograph_each(photograph: StripPhotographer, led_count: int) -> Iterator[LedPictures]:
    """Dark, lit, dark, lit, …: each dark picture serves the LED before and the one after it."""
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
    """Without those that jump out of the row of their neighbours and back: reflections of hidden LEDs do."""
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
    """A Look: the strip on its board, and a camera over it."""

    def __init__(self, board: LightBoard, source: FrameSource, pace: StripClock) -> None:
        self._board = board
        self._source = source
        self._clock = pace

    def __call__(self, frame: LedFrame) -> Pixels:
        """A picture taken when the strip had shown this for a moment. BoardLostError; NoPictureError when none comes."""
        self._board.show(frame)
        shown_ms = self._clock.now_ms()
        for _ in range(PICTURE_TIMEOUT_MS // POLL_MS):
            seen = self._source.latest(POLL_MS)
            if seen is not None and seen.taken_ms >= shown_ms + SETTLE_MS:
                return seen.pixels
            if self._source.state.condition.is_final:
                break
            self._board.health()  # its heartbeat
        raise NoPictureError(self._source.describe(), self._source.state.sentence)
