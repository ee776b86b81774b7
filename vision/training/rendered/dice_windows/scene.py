"""A scene with many dice, drawn from one number, and the windows that are cut from its picture."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.training.rendered.dice_windows.styles import (
    DieMaterials,
    StyleSet,
    draw_die_materials,
    draw_glints,
    draw_named_light,
    draw_style,
    make_glossy,
)
from vision.training.rendered.exposure import draw_sensor_settings
from vision.training.rendered.layout import (
    Bar,
    BoardShape,
    BoardSize,
    LedSpot,
    PlacedChecker,
    PlacedDie,
    TracedCamera,
    build_board_shape,
    draw_board_size,
    draw_camera,
    draw_clutter,
    draw_leds,
    draw_position,
    make_markers,
    with_long_row,
)
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_normal, draw_uniform
from vision.training.rendered.scene import RenderedCube, RenderedScene, RenderedTable, lay_out_checkers
from vision.training.rendered.tracing.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class RestingDie:
    """A die at rest and the names of the things it touches, such as checker4, bar_left, die2."""

    die: PlacedDie
    touched: frozenset[str]


ThrowMany = Callable[[np.random.Generator, RenderedTable, Floats, int], tuple[RestingDie, ...]]

_CUBE_SHARE = 0.5
# Dice on leaning checkers resemble level dice on a checker, and leaning checkers are rare in drawn positions: many rows
# get the length at which rows lean.
_LONG_ROW_SHARE, _LONG_ROW, _LEANING = 0.6, (7, 10), 0.8
# Reflections in the grooves of a glossy checker resemble pips and are rare in drawn scenes: this share of scenes has
# them, and more of their windows show only them.
_GLINTS_SHARE, _WINDOWS_OF_GLINTS = 0.2, 4
_CHECKERS, _GLINTING_CHECKERS = 3, 9  # weight of a checker among the distractors
_WIDTHS_PX = (960, 1280, 1600)
_DIE_EDGES_PX = (13.0, 40.0)
_LENGTHS = (
    "checker_mm",
    "checker_thick_mm",
    "pitch_mm",
    "margin_mm",
    "field_height_mm",
    "bar_width_mm",
    "bar_height_mm",
    "rim_width_mm",
    "rim_height_mm",
    "base_mm",
    "tray_width_mm",
    "tray_wall_mm",
    "point_length_mm",
)
_FIRST_STREAM = 20  # whole pictures use the streams before it


@dataclass(frozen=True, slots=True, eq=False)
class DiceScene:
    """`die_materials` and `resting` belong to the dice of `scene`; `light` names its lamps."""

    scene: RenderedScene
    camera: TracedCamera
    resting: tuple[RestingDie, ...]
    die_materials: tuple[DieMaterials, ...]
    styles: StyleSet
    light: str
    has_glints: bool = False


def draw_dice_scene(seed: int, throw: ThrowMany, styles: StyleSet) -> DiceScene:
    """Raises NoCameraFoundError."""
    board, pieces, view, rest, dice = (np.random.default_rng([seed, _FIRST_STREAM + order]) for order in range(5))
    large = draw_board_size(board)
    size = _scale_board(board, large)
    style, shape = draw_style(board, size, styles), build_board_shape(size)
    untidiness = draw_choice(pieces, (0.1, 0.4, 0.9, 1.6), (30, 35, 25, 10))
    position = draw_position(pieces, has_bar=size.bar_holds_checkers)
    if draw_bool(pieces, _LONG_ROW_SHARE):
        position = with_long_row(pieces, position, int(pieces.integers(*_LONG_ROW)))
    camera = draw_camera(view, large, build_board_shape(large))
    closer = size.checker_mm / large.checker_mm  # the camera sees the scaled board as it saw the large one
    camera = replace(camera, shift_mm=camera.shift_mm * closer, above_mm=camera.above_mm * closer)
    camera = _resize_camera(view, camera, size)
    cube = _draw_cube(pieces, size, shape, camera) if draw_bool(pieces, _CUBE_SHARE) else None
    checkers = lay_out_checkers(pieces, size, shape, position, cube=cube, untidiness=untidiness, leaning=_LEANING)
    if cube is not None and cube.spot == "field":
        checkers = _clear_points(cube, checkers, size)
        standing = {checker.place for checker in checkers}
        left = {place: what for place, what in position.points.items() if place in standing}
        position = replace(position, points=left)
    table = RenderedTable(size, shape, style.field.ground.surface, checkers, cube)
    resting = throw(dice, table, camera.eye_mm, int(dice.integers(5, 9)))
    die_materials = _draw_die_materials(dice, len(resting), styles)
    bodies, pips = tuple(one.body for one in die_materials), tuple(one.pips for one in die_materials)
    pieces_style = replace(style.pieces, dice=bodies, pips=pips)
    has_glints = styles is StyleSet.TRAINING and draw_bool(view, _GLINTS_SHARE)
    if has_glints:
        pieces_style = make_glossy(view, pieces_style)
    light_name, lighting = draw_glints(view) if has_glints else draw_named_light(view, styles)
    scene = RenderedScene(
        seed=seed,
        table=table,
        style=replace(style, pieces=pieces_style),
        position=position,
        untidiness=untidiness,
        dice=tuple(one.die for one in resting),
        camera=camera,
        lighting=lighting,
        hand=None,
        leds=_keep_one_lit(draw_leds(rest, size, style.frame)),
        led_gain=draw_uniform(rest, 0.6, 3.0),
        markers=make_markers(size, shape, style.frame),
        clutter=draw_clutter(rest, shape, checkers),
        has_stand=draw_bool(rest, 0.6),
        photo=draw_sensor_settings(view),
    )
    return DiceScene(scene, camera, resting, die_materials, styles, light_name, has_glints)


def die_edge_px(camera: TracedCamera, centre_mm: Floats, die_mm: float) -> float:
    return die_mm * camera.focal_px / float(np.linalg.norm(centre_mm - camera.eye_mm))


def _scale_board(rng: np.random.Generator, large: BoardSize) -> BoardSize:
    """The board scaled to its dice, whose size is drawn: down to a travelling set."""
    die_mm = draw_uniform(rng, 9, 16)
    factor = min(1.0, die_mm / draw_uniform(rng, 0.30, 0.47) / large.checker_mm)
    lengths = {name: getattr(large, name) * factor for name in _LENGTHS}
    cube_mm = max(large.cube_mm * factor, die_mm * draw_uniform(rng, 1.25, 1.9))
    return replace(large, **lengths, die_mm=die_mm, cube_mm=cube_mm)


def _resize_camera(rng: np.random.Generator, camera: TracedCamera, size: BoardSize) -> TracedCamera:
    """960 to 1600 wide, with dice neither too small nor too large if possible; a fifth shows a part of the board."""
    if draw_bool(rng, 0.2):
        camera = replace(camera, focal_px=camera.focal_px * draw_uniform(rng, 1.1, 1.6))
    widths = [draw_choice(rng, _WIDTHS_PX), *_WIDTHS_PX]
    views = [camera.resize(width, width * 3 // 4) for width in widths]
    low, high = _DIE_EDGES_PX
    fitting = [view for view in views if low <= die_edge_px(view, np.zeros(3), size.die_mm) <= high]
    return (fitting or views)[0]


def _draw_cube(rng: np.random.Generator, size: BoardSize, shape: BoardShape, camera: TracedCamera) -> RenderedCube:
    """On the bar, in the middle of a half, or on the table in view."""
    spots = ("bar", "field", "table") if size.bar_holds_cube else ("field", "table")
    spot, half = draw_choice(rng, spots), size.cube_mm / 2
    if spot == "bar":
        centre = (draw_normal(rng, 1), draw_uniform(rng, -0.3, 0.3) * size.field_height_mm, size.bar_height_mm + half)
    elif spot == "table":
        centre = (shape.left_mm - half - draw_uniform(rng, 5, 40), draw_normal(rng, 40), shape.table_z_mm + half)
    if spot == "field" or not camera.sees(camera.project(centre))[0]:
        spot = "field"
        middle = draw_choice(rng, (-1, 1)) * (size.bar_width_mm + size.half_width_mm) / 2
        centre = (middle + draw_normal(rng, size.half_width_mm * 0.2), draw_normal(rng, 12), half)
    value = draw_choice(rng, (64, 2, 4, 8, 16, 32))
    yaw = draw_normal(rng, 0.25) if spot == "bar" else draw_uniform(rng, 0, 2 * np.pi)
    return RenderedCube(spot, centre, yaw, int(rng.integers(4)), value)


def _clear_points(
    cube: RenderedCube, checkers: tuple[PlacedChecker, ...], size: BoardSize
) -> tuple[PlacedChecker, ...]:
    """Removes whole points whose rows overlap the cube."""
    x, y, _ = cube.centre_mm
    reach = size.checker_mm / 2 + size.cube_mm * 0.75
    struck = {checker.place for checker in checkers if np.hypot(checker.base_mm[0] - x, checker.base_mm[1] - y) < reach}
    return tuple(checker for checker in checkers if checker.place not in struck)


def _draw_die_materials(rng: np.random.Generator, count: int, styles: StyleSet) -> tuple[DieMaterials, ...]:
    """Half of the dice resemble their predecessor."""
    die_materials: list[DieMaterials] = []
    for _ in range(count):
        resembles = die_materials and draw_bool(rng, 0.45)
        die_materials.append(die_materials[-1] if resembles else draw_die_materials(rng, styles))
    return tuple(die_materials)


def _keep_one_lit(leds: tuple[LedSpot, ...]) -> tuple[LedSpot, ...]:
    """Darkens all lit LEDs but the first: the tracer takes at most one."""
    lit = [led for led in leds if led.light is not None]
    return tuple(led if lit and led is lit[0] else replace(led, light=None) for led in leds)


@dataclass(frozen=True, slots=True)
class DiceWindow:
    """A square part of the picture; `about` is die, cube or none, `order` the die it was cut for."""

    about: str
    order: int | None
    x_px: int
    y_px: int
    side_px: int


_BLOCK_PX = 16  # cell of JPEG: windows on its grid are coded as the whole picture would be
_EDGES = 4.5
_LEAST_PX = 96


def draw_windows(rng: np.random.Generator, dice_scene: DiceScene) -> tuple[DiceWindow, ...]:
    """One for each visible die and cube, and one or two without either, or several of glinting checkers."""
    scene, camera = dice_scene.scene, dice_scene.camera
    found = [
        _make_window(rng, dice_scene, np.array(die.centre_mm), about="die", order=order)
        for order, die in enumerate(scene.dice)
        if camera.sees(camera.project(die.centre_mm))[0]
    ]
    if (cube := scene.table.cube) is not None and camera.sees(camera.project(cube.centre_mm))[0]:
        found.append(_make_window(rng, dice_scene, np.array(cube.centre_mm), about="cube"))
    empty = _WINDOWS_OF_GLINTS if dice_scene.has_glints else draw_choice(rng, (1, 2))
    return (*found, *_draw_empty_windows(rng, dice_scene, empty))


def _make_window(
    rng: np.random.Generator, dice_scene: DiceScene, centre_mm: Floats, *, about: str, order: int | None = None
) -> DiceWindow:
    camera, die_mm = dice_scene.camera, dice_scene.scene.table.size.die_mm
    edge = die_edge_px(camera, centre_mm, die_mm)
    side = max(_LEAST_PX, round(_EDGES * edge / _BLOCK_PX) * _BLOCK_PX)
    corner = camera.project(centre_mm)[0] - side / 2 + rng.uniform(-0.5, 0.5, 2) * edge
    highest = (np.array([camera.width_px, camera.height_px]) - side) // _BLOCK_PX
    x, y = (np.clip(np.round(corner / _BLOCK_PX), 0, highest) * _BLOCK_PX).astype(int).tolist()
    return DiceWindow(about, order, x, y, side)


def _draw_empty_windows(rng: np.random.Generator, dice_scene: DiceScene, count: int) -> list[DiceWindow]:
    found: list[DiceWindow] = []
    for _ in range(12):
        if len(found) == count:
            break
        window = _make_window(rng, dice_scene, _draw_distractor(rng, dice_scene), about="none")
        if not _holds_any(window, dice_scene):
            found.append(window)
    return found


def _holds_any(window: DiceWindow, dice_scene: DiceScene) -> bool:
    scene, camera = dice_scene.scene, dice_scene.camera
    cube = () if scene.table.cube is None else (scene.table.cube.centre_mm,)
    things = np.array([*(die.centre_mm for die in scene.dice), *cube]).reshape(-1, 3)
    if not len(things):
        return False
    pixels = camera.project(things)
    reach = scene.table.size.die_mm * camera.focal_px / np.linalg.norm(things - camera.eye_mm, axis=1).min()
    beside = np.abs(pixels - (window.x_px, window.y_px) - window.side_px / 2).max(axis=1)
    return bool((beside < window.side_px / 2 + reach).any())


def _draw_distractor(rng: np.random.Generator, dice_scene: DiceScene) -> Floats:
    """(3,) the middle of a checker, of the bar, an LED, a marker or anywhere on the field."""
    scene, size = dice_scene.scene, dice_scene.scene.table.size
    y = size.field_height_mm / 2
    spots = [checker.base_mm for checker in scene.table.checkers if checker.place != "off"]
    kinds = [(draw_uniform(rng, -1, 1) * size.field_width_mm / 2, draw_uniform(rng, -y, y), 0.0)]
    if spots:
        kinds += [draw_choice(rng, spots)] * (_GLINTING_CHECKERS if dice_scene.has_glints else _CHECKERS)
    if size.bar is not Bar.NONE:
        kinds.append((0.0, draw_choice(rng, (-0.64, 0.64, draw_uniform(rng, -1, 1))) * y, 0.0))
    kinds += [draw_choice(rng, scene.leds).centre_mm] if scene.leds else []
    kinds += [draw_choice(rng, scene.markers).centre_mm] if scene.markers else []
    return np.array(draw_choice(rng, kinds))
