"""What is fixed on the rim: an LED for each point, and a marker at each corner."""

from dataclasses import dataclass

import numpy as np

from vision.simulated.scene import PLACES
from vision.training.rendered.layout.board_shape import BoardShape
from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.layout.board_style import FrameStyle
from vision.training.rendered.layout.rotations import about_z
from vision.training.rendered.random_draws import draw_bool, draw_choice
from vision.training.rendered.tracing.arrays import Colour, Floats, Vector

# Green, blue, red, orange, white: colours of RGB LEDs, the most frequent first.
_LED_LIGHT: tuple[Colour, ...] = (
    (0.05, 1.0, 0.12),
    (0.08, 0.2, 1.0),
    (1.0, 0.05, 0.03),
    (1.0, 0.45, 0.03),
    (0.9, 0.9, 1.0),
)
LED_HEIGHT_MM = 2.2  # of its window over the rim
_CARD_HEIGHT_MM = 0.5
MARKER_SHARE = 6 / 8  # of the card; the rest is its white border


@dataclass(frozen=True, slots=True)
class LedSpot:
    """The LED of a point, in the world frame; `light` is None when it is off."""

    place: str
    centre_mm: Vector
    light: Colour | None


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """A card with an ArUco marker of DICT_4X4_50."""

    number: int
    centre_mm: Vector
    rotation: Floats
    card_mm: float

    @property
    def size_mm(self) -> float:
        return self.card_mm * MARKER_SHARE

    @property
    def corners_mm(self) -> Floats:
        """(4, 3) of the marker itself: top-left, top-right, bottom-right, bottom-left."""
        half = self.size_mm / 2
        corners = np.array([(-half, half, 0), (half, half, 0), (half, -half, 0), (-half, -half, 0)])
        return corners @ self.rotation.T + self.centre_mm


def led_strip_mm(size: BoardSize) -> tuple[float, float]:
    """(width of the strip, distance of its middle line from the middle of the field)."""
    width = min(10.0, size.rim_width_mm * 0.6)
    return width, size.field_height_mm / 2 + width / 2 + size.rim_width_mm * 0.12


def draw_leds(rng: np.random.Generator, size: BoardSize, style: FrameStyle) -> tuple[LedSpot, ...]:
    """One for each point, some of them lit; none on a board without strips."""
    if not style.has_leds:
        return ()
    lit: set[str] = set()
    if draw_bool(rng, 0.8):
        lit = set(rng.choice(PLACES, int(rng.integers(1, 8)), replace=False).tolist())
    _, away = led_strip_mm(size)
    found = []
    for place in PLACES:
        x, y = size.centres_mm[int(place[1:]) - 1] - size.field_width_mm / 2, away if place[0] == "T" else -away
        light = draw_choice(rng, _LED_LIGHT, (40, 20, 15, 15, 10)) if place in lit else None
        found.append(LedSpot(place, (x, y, size.rim_height_mm + LED_HEIGHT_MM), light))
    return tuple(found)


def make_markers(size: BoardSize, shape: BoardShape, style: FrameStyle) -> tuple[Marker, ...]:
    """At the corners of the rim, top-left first, clockwise; a card wider than the rim sticks out, never in."""
    if not style.has_markers:
        return ()
    inset = size.rim_width_mm - max(style.marker_card_mm, size.rim_width_mm) / 2
    found = []
    corners = shape.corners(size.rim_height_mm + _CARD_HEIGHT_MM)
    for number, ((x, y, z), turn) in enumerate(zip(corners, style.marker_turns_rad, strict=True)):
        centre = (x - inset * (1 if x > 0 else -1), y - inset * (1 if y > 0 else -1), z)
        found.append(Marker(number, centre, about_z(turn), style.marker_card_mm))
    return tuple(found)
