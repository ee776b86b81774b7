"""`zarbiter leds test`: every meaning of the lights once, each with a text that says what should be visible."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controller.lights.vocabulary import BOTH_RIMS, CORNERS, LEFT_HALF, LIGHT_STYLES, LightSign, Meaning, render_signs
from firmware_bridge.boards.light_board import LightBoard, ShowReport
from firmware_bridge.layout import LOWER_ROW, UPPER_ROW, LedLayout, LedPlace
from firmware_bridge.led_frame import LedFrame

# 25 pictures a second; the shortest blink lasts four of them.
STEP_MS = 40
# While the picture stays the same, the light board is polled at this interval.
HEARTBEAT_MS = 250


class StripClock(Protocol):
    """The clock of the strip: real time, or the simulated time of a light board in memory."""

    def now_ms(self) -> int:
        """Monotonic milliseconds."""
        ...

    def wait(self, for_ms: int) -> None: ...


@dataclass(frozen=True, slots=True)
class LightScene:
    """Signs that belong together."""

    signs: tuple[LightSign, ...]

    @property
    def expected(self) -> str:
        """What a person in front of the board should see."""
        return "; ".join(_describe_sign(sign) for sign in self.signs)


@dataclass(frozen=True, slots=True)
class ShowResult:
    """The number of pictures shown, and the light board's last report."""

    pictures: int
    limited: int  # pictures that the light board dimmed to stay below its current cap
    last: ShowReport


SCENES = (
    LightScene((LightSign(Meaning.THROW_LIGHT, LOWER_ROW[6:]),)),
    LightScene((LightSign(Meaning.THROW_DARK, UPPER_ROW[6:]),)),
    LightScene(
        (
            LightSign(Meaning.LEGAL_SOURCE, (LedPlace.T1, LedPlace.T12)),
            LightSign(Meaning.LEGAL_DESTINATION, (LedPlace.T3, LedPlace.T5)),
        )
    ),
    LightScene((LightSign(Meaning.ONLY_SOURCE, (LedPlace.B6,)), LightSign(Meaning.ONLY_DESTINATION, (LedPlace.B3,)))),
    LightScene((LightSign(Meaning.NO_PLAY, BOTH_RIMS),)),
    LightScene((LightSign(Meaning.PLAY_LEGAL, LOWER_ROW),)),
    LightScene((LightSign(Meaning.THROW_VOID, LEFT_HALF),)),
    LightScene((LightSign(Meaning.TAKE_BACK, (LedPlace.B8,)), LightSign(Meaning.BELONGS_HERE, (LedPlace.B5,)))),
    LightScene((LightSign(Meaning.EXTRA, (LedPlace.T7,)), LightSign(Meaning.MISSING, (LedPlace.T9,)))),
    LightScene((LightSign(Meaning.UNSURE, (LedPlace.T4, LedPlace.B10)),)),
    LightScene((LightSign(Meaning.CAMERA_LOST, CORNERS),)),
)


def _describe_sign(sign: LightSign) -> str:
    style = LIGHT_STYLES[sign.meaning]
    return f"{style.colour}, {style.rhythm.value}, at {format_places(sign.places)} ({sign.meaning.value})"


def format_places(places: tuple[LedPlace, ...]) -> str:
    """`T1, T3` or `T7 to T12`: three or more neighbours in a row become a range."""
    parts = []
    left = list(places)
    while left:
        length = next((n for n in range(len(left), 2, -1) if _is_run(tuple(left[:n]))), 1)
        part, left = left[:length], left[length:]
        parts.append(part[0].value if length == 1 else f"{part[0].value} to {part[-1].value}")
    return ", ".join(parts)


def _is_run(places: tuple[LedPlace, ...]) -> bool:
    rows = (UPPER_ROW, LOWER_ROW)
    return any(places == row[at : at + len(places)] for row in rows for at in range(len(row)))


def run_show(
    board: LightBoard, layout: LedLayout, clock: StripClock, *, scene_ms: int, announce: Callable[[str], None]
) -> ShowResult:
    """Shows every scene for `scene_ms`, then darkness. `announce` gets the text of each scene. Raises BoardLostError."""
    pictures = limited = 0
    for number, scene in enumerate(SCENES, 1):
        announce(f"{number:2} of {len(SCENES)}: {scene.expected}")
        start_ms = clock.now_ms()
        last: LedFrame | None = None
        heard_ms = start_ms
        while (now_ms := clock.now_ms()) < start_ms + scene_ms:
            frame = render_signs(scene.signs, layout, now_ms - start_ms)
            if frame != last:
                limited += board.show(frame).limited
                pictures += 1
                last, heard_ms = frame, now_ms
            elif now_ms - heard_ms >= HEARTBEAT_MS:
                board.health()
                heard_ms = now_ms
            clock.wait(STEP_MS)
    return ShowResult(pictures + 1, limited, board.show(LedFrame.dark(layout.led_count)))
