"""Scenes for tests: drawn ones without dice, and one made by hand."""

from dataclasses import replace
from functools import cache

import numpy as np

from vision.simulated.scene import CheckerSide
from vision.training.rendered.layout.board_shape import build_board_shape
from vision.training.rendered.layout.board_size import Bar, BoardSize, Trays
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.checkers_layout import UPRIGHT, PlacedChecker
from vision.training.rendered.layout.dice_state import PlacedDie, ThrowOutcome, judge_die
from vision.training.rendered.layout.positions import CheckerPosition, GameKind
from vision.training.rendered.scene import RenderedScene, RenderedTable, draw_scene

# A board of 400 x 300 mm with a bar of 40 mm; points 30 mm apart; checkers of 28 mm.
SIZE = BoardSize(
    checker_mm=28,
    checker_thick_mm=8,
    pitch_mm=30,
    margin_mm=0,
    field_height_mm=300,
    bar=Bar.SOLID,
    bar_width_mm=40,
    bar_height_mm=10,
    rim_width_mm=20,
    rim_height_mm=12,
    base_mm=10,
    trays=Trays.NONE,
    tray_width_mm=32,
    tray_wall_mm=8,
    point_length_mm=120,
    die_mm=14,
    cube_mm=26,
)
# 800 mm straight above the middle of the field: one pixel a millimetre on the field.
CAMERA = TracedCamera(
    rotation=np.diag([1.0, -1.0, -1.0]),
    shift_mm=np.array([0.0, 0.0, 800.0]),
    focal_px=800.0,
    centre_px=(319.5, 239.5),
    width_px=640,
    height_px=480,
    lens=(0.0, 0.0, 0.0, 0.0, 0.0),
    above_mm=800.0,
    tilt_deg=0.0,
    roll_deg=0.0,
    fov_deg=43.6,
)


def no_dice(_rng: np.random.Generator, _table: RenderedTable, _wanted: ThrowOutcome) -> tuple[PlacedDie, ...]:
    return ()


@cache
def drawn(count: int) -> tuple[RenderedScene, ...]:
    """The first scenes, without dice."""
    return tuple(draw_scene(seed, no_dice) for seed in range(count))


def flat_die(x: float, y: float) -> PlacedDie:
    """Lies on the field of SIZE and shows 1."""
    centre = np.array([x, y, SIZE.die_mm / 2])
    return judge_die(centre, np.eye(3), frozenset({"floor"}), size=SIZE, shape=build_board_shape(SIZE))


def made_by_hand() -> RenderedScene:
    """A light checker on T1, a dark one on B12, a die on the right; the rest as drawn."""
    checkers = (
        PlacedChecker(CheckerSide.LIGHT, "T1", 0, is_leaning=False, base_mm=(-185.0, 130.0, 0.0), axis=UPRIGHT),
        PlacedChecker(CheckerSide.DARK, "B12", 0, is_leaning=False, base_mm=(185.0, -130.0, 0.0), axis=UPRIGHT),
    )
    position = CheckerPosition(
        GameKind.NARDY, "mid", {"T1": (CheckerSide.LIGHT, 1), "B12": (CheckerSide.DARK, 1)}, bar=(0, 0), off=(0, 0)
    )
    scene = drawn(1)[0]
    table = RenderedTable(SIZE, build_board_shape(SIZE), scene.table.ground, checkers, cube=None)
    return replace(
        scene,
        table=table,
        position=position,
        camera=CAMERA,
        dice=(flat_die(100.0, 0.0),),
        hand=None,
        leds=(),
        markers=(),
    )
