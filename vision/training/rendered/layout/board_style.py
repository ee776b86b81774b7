"""Random styles of a board and its pieces."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.layout.board_size import FLAT_MM, BoardSize
from vision.training.rendered.layout.palette import (
    Material,
    Surface,
    draw_any_wood,
    draw_checkers,
    draw_colour,
    draw_die,
    draw_point_colours,
    draw_six_rows,
    draw_table,
    draw_wood,
)
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_log_uniform, draw_uniform
from vision.training.rendered.tracing.arrays import Colour, vector


class TurnedProfile(Enum):
    """The turned profile of a checker's upper face; the values stand in the labels."""

    PLAIN = "plain"
    GROOVE = "groove"
    DISH = "dish"
    RINGS = "rings"
    DOME = "dome"


@dataclass(frozen=True, slots=True)
class FieldStyle:
    """The playing surface. Shares are of the pitch; roughness runs from 0 (mirror) to 1 (chalk)."""

    ground: Material
    is_grain_upright: bool
    points: tuple[Material, Material]  # alternating; T1 has the second
    is_point_curved: bool
    point_base: float
    point_tip: float
    line_mm: float  # 0: no outline around the points
    line_colour: Colour
    ornament_leaves: int
    wear: float  # 0..1: scratches and dull spots
    roughness: float


@dataclass(frozen=True, slots=True)
class FrameStyle:
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
class PieceStyle:
    """Checkers (light, dark), dice and cube."""

    checkers: tuple[Material, Material]
    profile: TurnedProfile
    checker_roughness: float
    dice: tuple[Material, ...]  # two; windows around dice have more
    pips: tuple[Colour, ...]
    die_rounding_mm: float
    pip_radius_mm: float
    pip_gap_mm: float
    six_rows: float  # distance between the two rows of a six, as a share of the grid's
    die_roughness: float
    cube: Colour
    is_odd_dice: bool


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """Board, pieces and the table below."""

    field: FieldStyle
    frame: FrameStyle
    pieces: PieceStyle
    table: Material


def draw_board_style(rng: np.random.Generator, size: BoardSize) -> BoardStyle:
    rim = draw_any_wood(rng) if draw_bool(rng, 0.88) else Material(Surface.PLAIN, draw_colour(rng, 0.01, 0.75))
    return BoardStyle(_draw_field(rng, size), _draw_frame(rng, size, rim), _draw_pieces(rng, size), draw_table(rng))


def _draw_field(rng: np.random.Generator, size: BoardSize) -> FieldStyle:
    if size.rim_height_mm < FLAT_MM:
        surface = draw_choice(rng, (Surface.PLAIN, Surface.LEATHER, Surface.CLOTH), (7, 2, 1))
    else:
        kinds = (Surface.WOOD, Surface.FELT, Surface.CLOTH, Surface.LEATHER, Surface.CORK, Surface.PLAIN)
        surface = draw_choice(rng, kinds, (45, 17, 9, 10, 6, 13))
    ground, points = _draw_ground_and_points(rng, surface)
    dark_line = vector([draw_log_uniform(rng, 0.006, 0.05) for _ in range(3)])
    return FieldStyle(
        ground=ground,
        is_grain_upright=draw_bool(rng, 0.5),
        points=points,
        is_point_curved=draw_bool(rng, 0.33),
        point_base=draw_uniform(rng, 0.60, 1.0),
        point_tip=draw_uniform(rng, 0, 0.10),
        line_mm=draw_choice(rng, (0.0, 0.6, 1.0, 1.6)),
        line_colour=dark_line if draw_bool(rng, 0.4) else draw_colour(rng, 0.1, 0.7),
        ornament_leaves=draw_choice(rng, (0, 0, 6, 8, 12)),
        wear=draw_uniform(rng, 0, 1),
        roughness=draw_uniform(rng, *((0.18, 0.55) if surface in (Surface.WOOD, Surface.PLAIN) else (0.55, 0.9))),
    )


def _draw_ground_and_points(rng: np.random.Generator, surface: Surface) -> tuple[Material, tuple[Material, Material]]:
    """Inlaid points on wood; elsewhere sewn, glued or printed points that match the ground."""
    if surface is Surface.WOOD:
        ground = draw_any_wood(rng)
        is_light = draw_bool(rng, 0.5)
        points = draw_wood(rng, is_light=is_light), draw_wood(rng, is_light=draw_bool(rng, 0.15) ^ (not is_light))
        if draw_bool(rng, 0.2):  # painted on the wood
            points = _draw_coloured(rng, Surface.PLAIN)
        return ground, points
    sewn = Surface.PLAIN if surface is Surface.CORK else surface
    if surface is Surface.FELT and draw_bool(rng, 0.4):
        sewn = Surface.LEATHER
    return Material(surface, draw_colour(rng, 0.012, 0.75)), _draw_coloured(rng, sewn)


def _draw_coloured(rng: np.random.Generator, surface: Surface) -> tuple[Material, Material]:
    first, second = draw_point_colours(rng)
    return Material(surface, first), Material(surface, second)


def _draw_frame(rng: np.random.Generator, size: BoardSize, rim: Material) -> FrameStyle:
    is_flat = size.rim_height_mm < FLAT_MM
    turns = rng.normal(0, 0.02, 4)
    return FrameStyle(
        rim=rim,
        bar=rim if draw_bool(rng, 0.8) else draw_any_wood(rng),
        roughness=draw_uniform(rng, 0.15, 0.5),
        tray_lining=Material(Surface.FELT, draw_colour(rng, 0.02, 0.3)),
        has_leds=not is_flat and draw_bool(rng, 0.45),
        is_led_strip_dark=draw_bool(rng, 0.5),
        has_markers=not is_flat and draw_bool(rng, 0.4),
        marker_card_mm=draw_uniform(rng, 27, 43),
        marker_turns_rad=(float(turns[0]), float(turns[1]), float(turns[2]), float(turns[3])),
    )


def _draw_pieces(rng: np.random.Generator, size: BoardSize) -> PieceStyle:
    first, pips = draw_die(rng)
    is_odd_dice = draw_bool(rng, 0.25)
    second, other_pips = draw_die(rng) if is_odd_dice else (first, pips)
    die_mm = size.die_mm
    return PieceStyle(
        checkers=draw_checkers(rng),
        profile=draw_choice(rng, tuple(TurnedProfile), (30, 25, 20, 15, 10)),
        checker_roughness=draw_uniform(rng, 0.08, 0.25) if draw_bool(rng, 0.5) else draw_uniform(rng, 0.3, 0.6),
        dice=(first, second),
        pips=(pips, other_pips),
        die_rounding_mm=die_mm * draw_uniform(rng, 0.05, 0.2),
        pip_radius_mm=die_mm * draw_uniform(rng, 0.075, 0.11),
        pip_gap_mm=die_mm * draw_uniform(rng, 0.23, 0.28),
        die_roughness=draw_uniform(rng, 0.08, 0.4),
        cube=draw_colour(rng, 0.35, 0.75),
        is_odd_dice=is_odd_dice,
        six_rows=draw_six_rows(rng),
    )
