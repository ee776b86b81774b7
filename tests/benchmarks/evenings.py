"""How the room changes while a match is filmed: light that drifts, lamps that are switched, a camera that sags, glare.

An `Evening` gives the room at each moment of a film; the same seed gives the same evening. Light and camera move in steps
of STEP_MS, too small to be seen, so that the painter can keep its layers between two steps.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from math import cos, pi, radians, sin

import numpy as np

from vision.simulated.checker_spots import require_board
from vision.simulated.drawing.optics import pinhole_view
from vision.simulated.scene import CheckerStyle, Colour, Finish, Lamp, PointMm
from vision.simulated.tabletop import Arrangement, Bump, Daylight, TableStyle

STEP_MS = 2000
EVENING_MS = 540_000  # about 60 turns of quick players; a shorter film shows the first part of an evening
SWITCHED_EVERY_MS = 14_000  # mean
SAG_MM = 22.0  # of the camera over an evening, which is corrected step by step
SLIP_SHARE, SLIP_MM = 0.6, 20.0  # when the camera slips as well: more than the 13 mm that are corrected at once
GLOSS = 0.55  # of varnished boards and checkers


class Change(Enum):
    """What changes during an evening."""

    DAYLIGHT = "daylight"  # brightness, colour and direction of the light
    LAMPS = "lamps"  # lamps are switched on and off
    SAG = "sag"  # the camera sinks and tilts, and slips once
    GLARE = "glare"  # the reflection of a lamp wanders over varnish


@dataclass(frozen=True, slots=True)
class Room:
    """Light and camera at a moment, relative to the table's style."""

    lamps: tuple[Lamp, ...]
    daylight: Daylight
    bump: Bump

    def show(self, arrangement: Arrangement) -> Arrangement:
        """The arrangement in this light, before this camera."""
        return replace(arrangement, lamps=self.lamps, daylight=self.daylight, bump=self.bump)


@dataclass(frozen=True, slots=True)
class Evening:
    """The evening of one film of `lasts_ms`: lamp, window and reading lamp over this table, and what changes."""

    style: TableStyle
    lamps: tuple[Lamp, Lamp, Lamp]
    changes: frozenset[Change]
    switched_ms: tuple[tuple[int, int], ...]  # when, and the number of the lamp
    phase: float  # of what wanders, in turns
    lasts_ms: int

    def room_at(self, at_ms: int, mounted_ms: int = 0) -> Room:
        """The room at `at_ms`; the camera has sagged since `mounted_ms`."""
        share = at_ms // STEP_MS * STEP_MS / self.lasts_ms
        lamps, light = list(self.lamps), Daylight()
        if Change.DAYLIGHT in self.changes:
            lamps[1] = _set_sun(lamps[1], share, self.style)
            light = _drift(share, self.phase)
        if Change.LAMPS in self.changes:
            dark = [sum(number == lamp for at, lamp in self.switched_ms if at <= at_ms) % 2 for number in range(3)]
            lamps = [replace(lamp, strength=0.0) if off else lamp for lamp, off in zip(lamps, dark, strict=True)]
        if Change.GLARE in self.changes:
            lamps.append(_lamp_mirrored_at(self.style, _wander(self.style, share, self.phase)))
        bump = Bump()
        if Change.SAG in self.changes:
            hangs_ms = max(at_ms - mounted_ms, 0) // STEP_MS * STEP_MS
            has_slipped = mounted_ms <= SLIP_SHARE * self.lasts_ms <= at_ms
            bump = _sag(SAG_MM * hangs_ms / self.lasts_ms + SLIP_MM * has_slipped)
        return Room(tuple(lamps), light, bump)


def plan_evening(
    style: TableStyle, changes: Collection[Change], seed: int, lasts_ms: int
) -> tuple[TableStyle, Evening]:
    """The table as it is when the evening begins, varnished if glare wanders over it, and its evening."""
    rng = np.random.default_rng([seed, 54])
    if Change.GLARE in changes:
        style = varnish(style)
    lamps = _furnish(style, rng)
    switched, at_ms = [], 0
    while at_ms < 2 * lasts_ms:
        at_ms += 3000 + int(rng.exponential(SWITCHED_EVERY_MS - 3000))
        switched.append((at_ms, int(rng.integers(3))))
    evening = Evening(style, lamps, frozenset(changes), tuple(switched), float(rng.uniform()), lasts_ms)
    return replace(style, scene=replace(style.scene, lamps=evening.room_at(0).lamps)), evening


def varnish(style: TableStyle) -> TableStyle:
    """The table with glossy wood and checkers."""
    scene, board = style.scene, require_board(style)
    points = replace(board.points, first=_polish(board.points.first), second=_polish(board.points.second))
    shiny = replace(board, field=_polish(board.field), points=points, bar=_polish(board.bar), rim=_polish(board.rim))
    light, dark = (_polish_checkers(one) for one in (scene.light, scene.dark))
    return replace(style, scene=replace(scene, board=shiny, light=light, dark=dark))


def _polish(finish: Finish) -> Finish:
    return replace(finish, gloss=GLOSS)


def _polish_checkers(checkers: CheckerStyle) -> CheckerStyle:
    return replace(checkers, finish=_polish(checkers.finish))


def _furnish(style: TableStyle, rng: np.random.Generator) -> tuple[Lamp, Lamp, Lamp]:
    """The table's own lamp, a window, and a reading lamp close beside the board."""
    own, *others = style.scene.lamps
    x, y = middle_of(style)
    around = float(rng.uniform(0, 2 * pi))
    window = Lamp((x + 1100 * cos(around), y + 1100 * sin(around), 1300.0), (0.95, 0.98, 1.0), 0.45, 0.25, 0.3)
    aside = float(rng.choice([-1.0, 1.0]))
    reading = Lamp((x + aside * 420, y + float(rng.uniform(-200, 200)), 620.0), (1.0, 0.88, 0.7), 0.4, 0.08, 0.3)
    return own, others[0] if others else window, reading


def middle_of(style: TableStyle) -> PointMm:
    width, height = require_board(style).field_mm
    return width / 2, height / 2


def _set_sun(window: Lamp, share: float, style: TableStyle) -> Lamp:
    """The light of the window moves round by 120 degrees, reddens and fades to a tenth."""
    x, y = middle_of(style)
    turn = radians(120 * share)
    dx, dy = window.at_mm[0] - x, window.at_mm[1] - y
    at_mm = (x + dx * cos(turn) - dy * sin(turn), y + dx * sin(turn) + dy * cos(turn), window.at_mm[2])
    late = min(share, 1.0)
    red, green, blue = window.colour
    colour: Colour = (red, green * (1 - 0.15 * late), blue * (1 - 0.35 * late))
    return replace(window, at_mm=at_mm, colour=colour, strength=window.strength * (1 - 0.9 * late))


def _drift(share: float, phase: float) -> Daylight:
    """Clouds change the level by 15 % in either direction, and the light becomes warmer."""
    cloud = 0.15 * (sin(2 * pi * (2.5 * share + phase)) - sin(2 * pi * phase))
    return Daylight(1 + cloud - 0.2 * min(share, 1.0), 0.25 * min(share, 1.0))


def _wander(style: TableStyle, share: float, phase: float) -> PointMm:
    """Where the reflection is: it crosses most of the field, by 3 mm at most in a step."""
    width, height = require_board(style).field_mm
    across, down = sin(2 * pi * (0.6 * share + phase)), sin(2 * pi * (0.9 * share + 2 * phase))
    return width * (0.5 + 0.45 * across), height * (0.5 + 0.45 * down)


def _lamp_mirrored_at(style: TableStyle, spot_mm: PointMm) -> Lamp:
    """A small bright lamp whose mirror image the camera sees at that spot of the field."""
    x, y, eye_mm = pinhole_view(style.scene.camera).position_mm
    up_mm = 1500.0
    far = (eye_mm + up_mm) / eye_mm
    at_mm = (x + (spot_mm[0] - x) * far, y + (spot_mm[1] - y) * far, up_mm)
    return Lamp(at_mm, (1.0, 0.96, 0.9), 0.3, 0.05, 1.0)


def _sag(moved_mm: float) -> Bump:
    """The camera sinks, shifts and tilts, so that the corner that moves most moves by about `moved_mm`."""
    return Bump(
        (0.35 * moved_mm, 0.25 * moved_mm, -0.3 * moved_mm),
        0.03 * moved_mm,
        (0.03 * moved_mm, -0.02 * moved_mm),
    )
