"""The picture of the strip: one colour for each LED, always the whole strip.

There are no deltas and no layers: sending a picture twice does no harm, and after a lost connection only the last
picture must be sent again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

FULL = 255


@dataclass(frozen=True, slots=True)
class Rgb:
    """The channels of one LED, 0..255, linear: twice the byte is twice the light."""

    r: int
    g: int
    b: int

    def __post_init__(self) -> None:
        for byte in (self.r, self.g, self.b):
            if not 0 <= byte <= FULL:
                raise ValueError(f"an LED's channel is 0 to {FULL}, not {byte}")

    def dim(self, brightness: int) -> "Rgb":
        """The same hue at brightness 0..255, rounded up, so that a lit LED stays lit at any brightness above 0."""
        return Rgb(*(-(-channel * brightness // FULL) for channel in (self.r, self.g, self.b)))


BLACK = Rgb(0, 0, 0)


class Run(NamedTuple):
    """`length` LEDs of one colour from LED `start` on."""

    start: int
    length: int
    rgb: Rgb


@dataclass(frozen=True, slots=True)
class LedFrame:
    """The whole strip, beginning with LED 0, the one next to the board."""

    leds: tuple[Rgb, ...]

    @classmethod
    def dark(cls, count: int) -> "LedFrame":
        return cls((BLACK,) * count)

    @classmethod
    def from_runs(cls, count: int, runs: Iterable[Run]) -> "LedFrame":
        """A strip of `count` LEDs with these runs on black; a later run overwrites an earlier one. ValueError."""
        leds = [BLACK] * count
        for start, length, rgb in runs:
            if start < 0 or length < 1 or start + length > count:
                raise ValueError(f"a run of {length} LEDs from LED {start} does not fit a strip of {count}")
            leds[start : start + length] = [rgb] * length
        return cls(tuple(leds))

    @classmethod
    def from_bytes(cls, content: bytes) -> "LedFrame":
        """The inverse of `to_bytes`. ValueError."""
        if len(content) % 3:
            raise ValueError(f"LEDs have three bytes each, and {len(content)} is no multiple of three")
        return cls(tuple(Rgb(*content[at : at + 3]) for at in range(0, len(content), 3)))

    def to_bytes(self) -> bytes:
        """Three bytes per LED, r g b: the input of the digest."""
        return bytes(channel for led in self.leds for channel in (led.r, led.g, led.b))

    def runs(self) -> tuple[Run, ...]:
        """The fewest runs that give this picture; black LEDs are in none."""
        runs = []
        start = 0
        for rgb, same in groupby(self.leds):
            length = len(tuple(same))
            if rgb != BLACK:
                runs.append(Run(start, length, rgb))
            start += length
        return tuple(runs)
