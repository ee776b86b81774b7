"""How a board and its pieces look, drawn from the seed."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.chance import between, happens, log_between, one_of
from vision.training.rendered.layout.board_size import FLAT_MM, BoardSize
from vision.training.rendered.layout.palette import (
    Material,
    Surface,
    draw_any_wood,
    draw_checkers,
    draw_colour,
    draw_die,
    draw_point_colours,
    draw_table,
    draw_wood,
)
from vision.training.rendered.tracing.arrays import Colour


class Profile(Enum):
    """How the upper face of a checker is turned; the word stands in the labels."""

    PLAIN = "plain"
    GROOVE = "groove"
    DISH = "dish"
    RINGS = "rings"
    DOME = "dome"


@dataclass(frozen=True, slots=True)
class FieldLook:
    """The playing surface. Shares are of the pitch; roughness runs from 0 (mirror) to 1 (chalk)."""

    ground: Material
    is_grain_upright: bool
    points: tuple[Material, Material]  # in turn, T1 has the second
    is_point_curved: bool
    point_base: float
    point_tip: float
    line_mm: float  # 0: no outline around the points
    line_colour: Colour
    ornament_leaves: int
    wear: float  # 0..1: scratches and dull spots
    roughness: float


@dataclass(frozen=True, slots=True)
class FrameLook:
    """Rims, bar, trays and what is fixed on them."""

    rim: Material
    bar: Material
    roughness: float
    tray_lining: Material
    has_leds: bool
    is_led_strip_dark: bool
    has_markers: bool
    marker_card_mm: float
    marker_turns_rad: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PieceLook:
    """Checkers (light, dark), dice and cube."""

    checkers: tuple[Material, Material]
    profile: Profile
    checker_roughness: float
    dice: tuple[Material, ...]  # two; windows around dice have more
    pips: tuple[Colour, ...]
    die_rounding_mm: float
    pip_radius_mm: float
    pip_gap_mm: float
    die_roughness: float
    cube: Colour
    is_odd_dice: bool


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """All of it, and the table below."""

    field: FieldLook
    frame: FrameLook
    pieces: PieceLook
    table: Material


def draw_board_style(rng: np.random.Generator, size: BoardSize) -> BoardStyle:
    rim = draw_any_wood(rng) if happens(rng, 0.88) else Material(Surface.PLAIN, draw_colour(rng, 0.01, 0.75))
    return BoardStyle(_draw_field(rng, size), _draw_frame(rng, size, rim), _draw_pieces(rng, size), draw_table(rng))


def _draw_field(rng: np.random.Generator, size: BoardSize) -> FieldLook:
    if size.rim_height_mm < FLAT_MM:
        surface = one_of(rng, (Surface.PLAIN, Surface.LEATHER, Surface.CLOTH), (7, 2, 1))
    else:
        surface = one_of(
            rng,
            (Surface.WOOD, Surface.FELT, Surface.CLOTH, Surface.LEATHER, Surface.CORK, Surface.PLAIN),
            (45, 17, 9, 10, 6, 13),
        )
    ground, points = _draw_ground_and_points(rng, surface)
    dark_line = tuple(log_between(rng, 0.006, 0.05) for _ in range(3))
    return FieldLook(
        ground=ground,
        is_grain_upright=happens(rng, 0.5),
        points=points,
        is_point_curved=happens(rng, 0.33),
        point_base=between(rng, 0.60, 1.0),
        point_tip=between(rng, 0, 0.10),
        line_mm=one_of(rng, (0.0, 0.6, 1.0, 1.6)),
        line_colour=(dark_line[0], dark_line[1], dark_line[2]) if happens(rng, 0.4) else draw_colour(rng, 0.1, 0.7),
        ornament_leaves=one_of(rng, (0, 0, 6, 8, 12)),
        wear=between(rng, 0, 1),
        roughness=between(rng, 0.18, 0.55) if surface in (Surface.WOOD, Surface.PLAIN) else between(rng, 0.55, 0.9),
    )


def _draw_ground_and_points(rng: np.random.Generator, surface: Surface) -> tuple[Material, tuple[Material, Material]]:
    """Inlaid points on wood; elsewhere sewn, glued or printed ones in the manner of the ground."""
    if surface is Surface.WOOD:
        ground = draw_any_wood(rng)
        is_light = happens(rng, 0.5)
        points = draw_wood(rng, is_light=is_light), draw_wood(rng, is_light=happens(rng, 0.15) ^ (not is_light))
        if happens(rng, 0.2):  # painted on the wood
            points = _in_colours(rng, Surface.PLAIN)
        return ground, points
    sewn = {Surface.CORK: Surface.PLAIN}.get(surface, surface)
    if surface is Surface.FELT and happens(rng, 0.4):
        sewn = Surface.LEATHER
    return Material(surface, draw_colour(rng, 0.012, 0.75)), _in_colours(rng, sewn)


def _in_colours(rng: np.random.Generator, surface: Surface) -> tuple[Material, Material]:
    first, second = draw_point_colours(rng)
    return Material(surface, first), Material(surface, second)


def _draw_frame(rng: np.random.Generator, size: BoardSize, rim: Material) -> FrameLook:
    is_flat = size.rim_height_mm < FLAT_MM
    turns = rng.normal(0, 0.02, 4)
    return FrameLook(
        rim=rim,
        bar=rim if happens(rng, 0.8) else draw_any_wood(rng),
        roughness=between(rng, 0.15, 0.5),
        tray_lining=Material(Surface.FELT, draw_colour(rng, 0.02, 0.3)),
        has_leds=not is_flat and happens(rng, 0.45),
        is_led_strip_dark=happens(rng, 0.5),
        has_markers=not is_flat and happens(rng, 0.4),
        marker_card_mm=between(rng, 27, 43),
        marker_turns_rad=(float(turns[0]), float(turns[1]), float(turns[2]), float(turns[3])),
    )


def _draw_pieces(rng: np.random.Generator, size: BoardSize) -> PieceLook:
    first, pips = draw_die(rng)
    is_odd_dice = happens(rng, 0.25)
    second, other_pips = draw_die(rng) if is_odd_dice else (first, pips)
    die_mm = size.die_mm
    return PieceLook(
        checkers=draw_checkers(rng),
        profile=one_of(rng, tuple(Profile), (30, 25, 20, 15, 10)),
        checker_roughness=between(rng, 0.08, 0.25) if happens(rng, 0.5) else between(rng, 0.3, 0.6),
        dice=(first, second),
        pips=(pips, other_pips),
        die_rounding_mm=die_mm * between(rng, 0.05, 0.2),
        pip_radius_mm=die_mm * between(rng, 0.075, 0.11),
        pip_gap_mm=die_mm * between(rng, 0.23, 0.28),
        die_roughness=between(rng, 0.08, 0.4),
        cube=draw_colour(rng, 0.35, 0.75),
        is_odd_dice=is_odd_dice,
    )
