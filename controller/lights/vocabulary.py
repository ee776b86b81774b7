"""The vocabulary of the lights: `LIGHT_STYLES` gives each `Meaning` its colour and rhythm, `render_signs` its pixels.

No meaning depends on hue alone. Any two meanings differ in rhythm or clearly in lightness, also for people with
protanopia, deuteranopia or tritanopia; `tests/controller/lights/test_vocabulary.py` computes it. The red is therefore
bright and the blue dark.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from firmware_bridge.layout import LOWER_ROW, UPPER_ROW, LedLayout, LedPlace
from firmware_bridge.led_frame import BLACK, FULL, LedFrame, Rgb
from firmware_bridge.patterns import SWEEP_MS, Rhythm, brightness_at

CORNERS = (UPPER_ROW[0], UPPER_ROW[-1], LOWER_ROW[-1], LOWER_ROW[0])
LEFT_HALF = UPPER_ROW[:6] + LOWER_ROW[:6]
RIGHT_HALF = UPPER_ROW[6:] + LOWER_ROW[6:]
BOTH_RIMS = UPPER_ROW + LOWER_ROW

# As long as the light board itself marks a lost host. After that the referee knows nothing, and the strip is dark.
CAMERA_LOST_SHOWN_MS = 10_000
# One wave along the player's rim acknowledges a legal play.
PLAY_LEGAL_SHOWN_MS = SWEEP_MS
# Two waves show a pass that is over at once because there are no dice to lift.
PASS_SHOWN_MS = 2 * SWEEP_MS


class Meaning(Enum):
    """What a light says about its places. The values are the texts of `zarbiter leds test`."""

    THROW_LIGHT = "your turn to throw, light side"
    THROW_DARK = "your turn to throw, dark side"
    LEGAL_SOURCE = "a checker that may move"
    LEGAL_DESTINATION = "where the lifted checker may go"
    ONLY_SOURCE = "the checker of the only play"
    ONLY_DESTINATION = "where the only play goes"
    NO_PLAY = "no play is possible"
    PLAY_LEGAL = "the play was legal"
    THROW_VOID = "the throw does not count"
    TAKE_BACK = "a checker to take back"
    BELONGS_HERE = "where it belongs"
    EXTRA = "a checker too many"
    MISSING = "a checker is missing"
    UNSURE = "not sure, please look at the page"
    CAMERA_LOST = "the camera is lost"


@dataclass(frozen=True, slots=True)
class LightStyle:
    """How a meaning is shown. `rgb` is the colour at full brightness."""

    colour: str
    rgb: Rgb
    rhythm: Rhythm
    is_second: bool = False  # lit in the second half of an opposite blink
    shown_ms: int | None = None  # dark after this time; None: as long as the sign is set


@dataclass(frozen=True, slots=True)
class LightSign:
    """A meaning at some places. `since_ms` is on the same clock as the `now_ms` of `render_signs`."""

    meaning: Meaning
    places: tuple[LedPlace, ...]
    since_ms: int = 0


_WHITE, _GREEN_BLUE = Rgb(255, 255, 255), Rgb(0, 190, 130)
_RED, _BLUE = Rgb(255, 24, 0), Rgb(0, 8, 150)
_AMBER, _VIOLET = Rgb(255, 100, 0), Rgb(150, 0, 255)
_WARM_WHITE, _DEEP_BLUE = Rgb(255, 200, 130), Rgb(0, 50, 120)
_DIM_AMBER = Rgb(12, 4, 0)

LIGHT_STYLES: Mapping[Meaning, LightStyle] = MappingProxyType(
    {
        Meaning.THROW_LIGHT: LightStyle("warm white", _WARM_WHITE, Rhythm.SLOW_PULSE),
        Meaning.THROW_DARK: LightStyle("deep blue", _DEEP_BLUE, Rhythm.SLOW_PULSE),
        Meaning.LEGAL_SOURCE: LightStyle("green-blue", _GREEN_BLUE, Rhythm.STEADY),
        Meaning.LEGAL_DESTINATION: LightStyle("white", _WHITE, Rhythm.STEADY),
        Meaning.ONLY_SOURCE: LightStyle("green-blue", _GREEN_BLUE, Rhythm.DOUBLE_BLINK),
        Meaning.ONLY_DESTINATION: LightStyle("white", _WHITE, Rhythm.DOUBLE_BLINK),
        Meaning.NO_PLAY: LightStyle("amber", _AMBER, Rhythm.SWEEP),
        Meaning.PLAY_LEGAL: LightStyle("white", _WHITE, Rhythm.SWEEP, shown_ms=PLAY_LEGAL_SHOWN_MS),
        Meaning.THROW_VOID: LightStyle("amber", _AMBER, Rhythm.FAST_BLINK),
        Meaning.TAKE_BACK: LightStyle("red", _RED, Rhythm.OPPOSITE_BLINK),
        Meaning.BELONGS_HERE: LightStyle("blue", _BLUE, Rhythm.OPPOSITE_BLINK, is_second=True),
        Meaning.EXTRA: LightStyle("red", _RED, Rhythm.STEADY),
        Meaning.MISSING: LightStyle("blue", _BLUE, Rhythm.STEADY),
        Meaning.UNSURE: LightStyle("violet", _VIOLET, Rhythm.SLOW_BLINK),
        Meaning.CAMERA_LOST: LightStyle("dim amber", _DIM_AMBER, Rhythm.STEADY, shown_ms=CAMERA_LOST_SHOWN_MS),
    }
)


def render_signs(signs: Iterable[LightSign], layout: LedLayout, now_ms: int, *, factor: int = FULL) -> LedFrame:
    """The whole strip at `now_ms`. Where several signs share a place, the last one is shown.

    `factor` (0..255) dims every LED. The light board limits the current, and the link checks it.
    """
    shown: dict[LedPlace, Rgb] = {}
    for sign in signs:
        for place in sign.places:
            shown[place] = _compute_colour(sign, place, now_ms, factor)
    return LedFrame(tuple(BLACK if place is None else shown.get(place, BLACK) for place in layout.place_of))


def _compute_colour(sign: LightSign, place: LedPlace, now_ms: int, factor: int) -> Rgb:
    style = LIGHT_STYLES[sign.meaning]
    since_ms = now_ms - sign.since_ms
    if style.shown_ms is not None and since_ms >= style.shown_ms:
        return BLACK
    # A sweep starts with its sign. Blinks and pulses share one clock and stay in phase.
    clock_ms = since_ms if style.rhythm is Rhythm.SWEEP else now_ms
    along_permille = _compute_sweep_permille(place)
    level = brightness_at(style.rhythm, clock_ms, is_second=style.is_second, along_permille=along_permille)
    return style.rgb.dim(-(-level * factor // FULL))


def _compute_sweep_permille(place: LedPlace) -> int:
    """The place's position from left (0) to right (1000); both rows run in parallel."""
    for row in (UPPER_ROW, LOWER_ROW):
        if place in row:
            return row.index(place) * 1000 // (len(row) - 1)
    return 500 if place is LedPlace.BAR else 1000
