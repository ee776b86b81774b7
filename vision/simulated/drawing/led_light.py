"""The light of the LEDs on a rim, added up in one map for all lit LEDs."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.simulated.drawing.optics import View
from vision.simulated.drawing.painting import PixelWindow, coverage, find_window, rectangle_mm
from vision.simulated.drawing.textures import Pixels, linear
from vision.simulated.scene import Colour, Led

GLOW_MM = 14.0
REACH_PX = 130  # px; beyond this distance a lit LED adds nothing
HALF_MM = 2.5  # half the edge of an LED's square face
PALE = np.array([0.275, 0.3, 0.3], np.float32)  # a dark LED, as a share of the brightest tone


@dataclass(frozen=True, slots=True, eq=False)
class LedLight:
    """`glow` (height, width, 3) is the light that lit LEDs add, None while all are dark; `faces` are the LEDs."""

    glow: Pixels | None
    faces: tuple[tuple[tuple[float, float], PixelWindow, Pixels, Pixels], ...]  # middle px, window, coverage, colour


def project_face(led: Led, view: View) -> Pixels:
    """(4, 2) corners of the LED's face in the view."""
    x, y, up = led.at_mm
    return view.project(rectangle_mm((x - HALF_MM, y - HALF_MM), (x + HALF_MM, y + HALF_MM), up))


def make_glow(led: Led, view: View) -> tuple[PixelWindow, Pixels]:
    """A window of the canvas, and the light that the lit LED adds there, float32."""
    corners = project_face(led, view)
    window = find_window(corners, view.size_px, REACH_PX)
    if window is None:
        return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), np.float32)
    rows, columns = window
    middle = corners.mean(0)
    across = np.arange(columns.start, columns.stop)[None, :] - middle[0]
    down = np.arange(rows.start, rows.stop)[:, None] - middle[1]
    square = (across**2 + down**2) / (view.px_per_mm(*led.at_mm) * GLOW_MM) ** 2
    edge = np.clip(1 - np.maximum(np.abs(across), np.abs(down)) / REACH_PX, 0, 1)
    glow = (np.exp(-square * 2) * 1.2 + 0.25 / (1 + 4 * square) ** 2) * edge
    return window, glow.astype(np.float32)


class LedGlowMaps:
    """The glow of each LED before one camera, computed when the LED is first lit."""

    def __init__(self, leds: tuple[Led, ...], view: View) -> None:
        self._view, self._corners = view, [project_face(led, view) for led in leds]
        self._glow = cache(lambda number: make_glow(leds[number], view))

    def compute_light(self, colours: tuple[Colour | None, ...]) -> LedLight:
        """The light of LEDs in these colours; 1 is the brightest tone at exposure 1."""
        whole: Pixels | None = None
        faces = []
        for number, colour in enumerate(colours):
            face = find_window(self._corners[number], self._view.size_px)
            if face is None:
                continue
            mask = coverage([self._corners[number]], face)
            middle = self._corners[number].mean(0)
            own = PALE if colour is None else linear(colour) * 3 + np.float32(0.6)
            faces.append(((float(middle[0]), float(middle[1])), face, mask, own.astype(np.float32)))
            if colour is None:
                continue
            if whole is None:
                whole = np.zeros((self._view.size_px[1], self._view.size_px[0], 3), np.float32)
            window, glow = self._glow(number)
            whole[window] += glow[..., None] * linear(colour)
        return LedLight(whole, tuple(faces))
