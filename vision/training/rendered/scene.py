"""A whole scene, drawn from one number: all inputs of light, lens and label.

Each part has its own random stream, so that a change to one part leaves the others of a number unchanged. Dice come
from a function that is passed in: the real one needs the dynamics library, tests bring their own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.training.rendered.exposure import SensorSettings, draw_sensor_settings
from vision.training.rendered.layout import (
    LEANING,
    Bar,
    BoardShape,
    BoardSize,
    BoardStyle,
    CheckerPosition,
    Clutter,
    GameKind,
    LedSpot,
    Lighting,
    Marker,
    PlacedChecker,
    PlacedDie,
    RenderedHand,
    ThrowOutcome,
    TracedCamera,
    build_board_shape,
    draw_board_size,
    draw_board_style,
    draw_camera,
    draw_clutter,
    draw_hand,
    draw_leds,
    draw_lighting,
    draw_position,
    lay_out_bar,
    lay_out_off,
    lay_out_points,
    make_markers,
)
from vision.training.rendered.layout.palette import Surface
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Vector

_WANTED = {
    ThrowOutcome.OK: 50,
    ThrowOutcome.COCKED: 14,
    ThrowOutcome.ON_CHECKER: 8,
    ThrowOutcome.ON_BAR: 5,
    ThrowOutcome.ON_RIM: 3,
    ThrowOutcome.SPLIT_HALVES: 9,
    ThrowOutcome.OFF_BOARD: 5,
    ThrowOutcome.NO_ROLL: 6,
}


@dataclass(frozen=True, slots=True)
class RenderedCube:
    """The doubling cube; `spot` is bar or table."""

    spot: str
    centre_mm: Vector
    yaw_rad: float
    quarter_turns: int  # rotation of the number on top
    value: int


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """What dice can hit."""

    size: BoardSize
    shape: BoardShape
    ground: Surface
    checkers: tuple[PlacedChecker, ...]
    cube: RenderedCube | None


Throw = Callable[[np.random.Generator, RenderedTable, ThrowOutcome], tuple[PlacedDie, ...]]


@dataclass(frozen=True, slots=True)
class RenderedScene:
    """One settled scene and the camera's settings."""

    seed: int
    table: RenderedTable
    style: BoardStyle
    position: CheckerPosition
    untidiness: float  # about 0.1 (neat) to 1.6
    dice: tuple[PlacedDie, ...]
    camera: TracedCamera
    lighting: Lighting
    hand: RenderedHand | None
    leds: tuple[LedSpot, ...]
    led_gain: float
    markers: tuple[Marker, ...]
    clutter: tuple[Clutter, ...]
    has_stand: bool
    photo: SensorSettings


def draw_scene(seed: int, throw: Throw, wanted: ThrowOutcome | None = None) -> RenderedScene:
    """The scene of a number; the outcome of the dice is drawn too unless one is wanted. Raises NoCameraFoundError."""
    board, pieces, view, rest = (np.random.default_rng([seed, stream]) for stream in range(4))
    size = draw_board_size(board)
    style, shape = draw_board_style(board, size), build_board_shape(size)
    untidiness = draw_choice(pieces, (0.1, 0.4, 0.9, 1.6), (30, 35, 25, 10))
    position = draw_position(pieces, has_bar=size.bar_holds_checkers)
    cube = _draw_cube(pieces, size, shape) if position.game is GameKind.BACKGAMMON and draw_bool(pieces, 0.5) else None
    checkers = lay_out_checkers(pieces, size, shape, position, cube=cube, untidiness=untidiness)
    table = RenderedTable(size, shape, style.field.ground.surface, checkers, cube)
    camera = draw_camera(view, size, shape)
    wanted = wanted or _draw_wanted(rest, size)
    dice = () if wanted is ThrowOutcome.NO_ROLL else throw(rest, table, wanted)
    leds = draw_leds(rest, size, style.frame)
    return RenderedScene(
        seed=seed,
        table=table,
        style=style,
        position=position,
        untidiness=untidiness,
        dice=dice,
        camera=camera,
        lighting=draw_lighting(view),
        hand=_draw_hand(rest, table, dice),
        leds=leds,
        led_gain=draw_uniform(rest, 0.6, 3.0),
        markers=make_markers(size, shape, style.frame),
        clutter=draw_clutter(rest, shape, checkers),
        has_stand=draw_bool(rest, 0.6),
        photo=draw_sensor_settings(view),
    )


def _draw_wanted(rng: np.random.Generator, size: BoardSize) -> ThrowOutcome:
    wanted = draw_choice(rng, tuple(_WANTED), tuple(_WANTED.values()))
    return ThrowOutcome.OK if wanted is ThrowOutcome.ON_BAR and size.bar is Bar.NONE else wanted


def _draw_cube(rng: np.random.Generator, size: BoardSize, shape: BoardShape) -> RenderedCube:
    spot = draw_choice(rng, ("bar", "table")) if size.bar_holds_cube else "table"
    half = size.cube_mm / 2
    if spot == "bar":
        centre = (draw_normal(rng, 1), draw_normal(rng, 3), size.bar_height_mm + half)
    else:
        x = shape.left_mm - size.cube_mm - draw_uniform(rng, 5, 40)
        centre = (x, draw_normal(rng, 40), shape.table_z_mm + half)
    value = draw_choice(rng, (64, 2, 4, 8, 16, 32), (45, 22, 14, 10, 5, 4))
    return RenderedCube(spot, centre, draw_normal(rng, 0.25), int(rng.integers(4)), value)


def lay_out_checkers(
    rng: np.random.Generator,
    size: BoardSize,
    shape: BoardShape,
    position: CheckerPosition,
    *,
    cube: RenderedCube | None,
    untidiness: float,
    leaning: float = LEANING,
) -> tuple[PlacedChecker, ...]:
    cube_room_mm = size.cube_mm * 0.6 if cube is not None and cube.spot == "bar" else 0.0
    return (
        *lay_out_points(rng, size, position, untidiness, leaning=leaning),
        *lay_out_bar(rng, size, position, cube_room_mm=cube_room_mm, untidiness=untidiness),
        *lay_out_off(rng, size, shape, position),
    )


def _draw_hand(rng: np.random.Generator, table: RenderedTable, dice: tuple[PlacedDie, ...]) -> RenderedHand | None:
    """In a sixth of the pictures with dice and half of those without; reaches for a die or for a checker."""
    if not draw_bool(rng, 0.16 if dice else 0.5):
        return None
    if dice and draw_bool(rng, 0.47):
        touched = tuple((x, y, max(z, 4.0)) for x, y, z in (die.centre_mm for die in dice))
    else:
        thick = table.size.checker_thick_mm
        touched = tuple((x, y, z + thick) for x, y, z in (checker.base_mm for checker in table.checkers))
    return draw_hand(rng, table.size, touched)
