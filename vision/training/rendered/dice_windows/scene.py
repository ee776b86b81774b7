"""A scene with many dice, drawn from one number, and the windows that are cut from its picture."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.training.rendered.chance import between, gauss, happens, one_of
from vision.training.rendered.dice_windows.styles import (
    DieLook,
    Styles,
    draw_die_look,
    draw_glints,
    draw_named_light,
    draw_style,
    glinting,
)
from vision.training.rendered.exposure import draw_photo
from vision.training.rendered.layout.board_shape import BoardShape, board_shape
from vision.training.rendered.layout.board_size import Bar, BoardSize, draw_board_size
from vision.training.rendered.layout.camera import Camera, draw_camera
from vision.training.rendered.layout.checkers_layout import PlacedChecker
from vision.training.rendered.layout.clutter import draw_clutter
from vision.training.rendered.layout.dice_state import PlacedDie
from vision.training.rendered.layout.positions import draw_position, with_long_row
from vision.training.rendered.layout.rim_marks import LedSpot, draw_leds, markers
from vision.training.rendered.scene import Cube, Scene, Table, lay_out_checkers
from vision.training.rendered.tracing.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class RestingDie:
    """A die at rest and the names of the things it touches, such as checker4, bar_left, die2."""

    die: PlacedDie
    touched: frozenset[str]


ThrowMany = Callable[[np.random.Generator, Table, Floats, int], tuple[RestingDie, ...]]

_CUBE_SHARE = 0.5
# Dice on checkers that lean look much like dice that lie level on one, and hardly any checker leans as positions are drawn:
# many rows are as long as those that lean.
_LONG_ROW_SHARE, _LONG_ROW, _LEANING = 0.6, (7, 10), 0.8
# Lamps in the grooves of a glossy checker look like pips, and one drawn scene in a hundred has such: in so many they are wanted, and
# more windows show only that.
_GLINTS_SHARE, _WINDOWS_OF_GLINTS = 0.2, 4
_CHECKERS, _GLINTING_CHECKERS = 3, 9  # how often one is shown for each of the other things
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
_FIRST_STREAM = 20  # whole pictures use the streams before


@dataclass(frozen=True, slots=True, eq=False)
class DiceScene:
    """`looks` and `resting` go with the dice of `scene`; `light` is the word for its lamps."""

    scene: Scene
    camera: Camera
    resting: tuple[RestingDie, ...]
    looks: tuple[DieLook, ...]
    styles: Styles
    light: str
    has_glints: bool = False


def draw_dice_scene(seed: int, throw: ThrowMany, styles: Styles) -> DiceScene:
    """Raises NoCameraFoundError."""
    board, pieces, view, rest, dice = (np.random.default_rng([seed, _FIRST_STREAM + order]) for order in range(5))
    large = draw_board_size(board)
    size = _reduced(board, large)
    style, shape = draw_style(board, size, styles), board_shape(size)
    untidiness = one_of(pieces, (0.1, 0.4, 0.9, 1.6), (30, 35, 25, 10))
    position = draw_position(pieces, has_bar=size.bar_holds_checkers)
    if happens(pieces, _LONG_ROW_SHARE):
        position = with_long_row(pieces, position, int(pieces.integers(*_LONG_ROW)))
    camera = draw_camera(view, large, board_shape(large))
    camera = _resized(view, _nearer(camera, size.checker_mm / large.checker_mm), size)
    cube = _draw_cube(pieces, size, shape, camera) if happens(pieces, _CUBE_SHARE) else None
    checkers = lay_out_checkers(pieces, size, shape, position, cube=cube, untidiness=untidiness, leaning=_LEANING)
    if cube is not None and cube.spot == "field":
        checkers = _clear_of(cube, checkers, size)
        standing = {checker.place for checker in checkers}
        position = replace(
            position, points={place: what for place, what in position.points.items() if place in standing}
        )
    table = Table(size, shape, style.field.ground.surface, checkers, cube)
    resting = throw(dice, table, camera.eye_mm, int(dice.integers(5, 9)))
    looks = _draw_looks(dice, len(resting), styles)
    style = replace(
        style,
        pieces=replace(style.pieces, dice=tuple(look.body for look in looks), pips=tuple(look.pips for look in looks)),
    )
    has_glints = styles is Styles.TRAINING and happens(view, _GLINTS_SHARE)
    if has_glints:
        style = replace(style, pieces=glinting(view, style.pieces))
    light = draw_glints(view) if has_glints else draw_named_light(view, styles)
    scene = Scene(
        seed=seed,
        table=table,
        style=style,
        position=position,
        untidiness=untidiness,
        dice=tuple(one.die for one in resting),
        camera=camera,
        lighting=light.lighting,
        hand=None,
        leds=_one_lit(draw_leds(rest, size, style.frame)),
        led_gain=between(rest, 0.6, 3.0),
        markers=markers(size, shape, style.frame),
        clutter=draw_clutter(rest, shape, checkers),
        has_stand=happens(rest, 0.6),
        photo=draw_photo(view),
    )
    return DiceScene(scene, camera, resting, looks, styles, light.name, has_glints)


def die_edge_px(camera: Camera, centre_mm: Floats, die_mm: float) -> float:
    return die_mm * camera.focal_px / float(np.linalg.norm(centre_mm - camera.eye_mm))


def _reduced(rng: np.random.Generator, large: BoardSize) -> BoardSize:
    """The same board in the proportion of its dice, which are drawn: down to that of a travelling set."""
    die_mm = between(rng, 9, 16)
    factor = min(1.0, die_mm / between(rng, 0.30, 0.47) / large.checker_mm)
    lengths = {name: getattr(large, name) * factor for name in _LENGTHS}
    cube_mm = max(large.cube_mm * factor, die_mm * between(rng, 1.25, 1.9))
    return replace(large, **lengths, die_mm=die_mm, cube_mm=cube_mm)


def _nearer(camera: Camera, factor: float) -> Camera:
    """The view of a board of that size as it was of the large one."""
    return replace(camera, shift_mm=camera.shift_mm * factor, above_mm=camera.above_mm * factor)


def _resized(rng: np.random.Generator, camera: Camera, size: BoardSize) -> Camera:
    """960 to 1600 wide, if possible with dice neither too small nor too large; a fifth shows a part of the board."""
    if happens(rng, 0.2):
        camera = replace(camera, focal_px=camera.focal_px * between(rng, 1.1, 1.6))
    widths = [one_of(rng, _WIDTHS_PX), *_WIDTHS_PX]
    views = [camera.resized(width, width * 3 // 4) for width in widths]
    low, high = _DIE_EDGES_PX
    fitting = [view for view in views if low <= die_edge_px(view, np.zeros(3), size.die_mm) <= high]
    return (fitting or views)[0]


def _draw_cube(rng: np.random.Generator, size: BoardSize, shape: BoardShape, camera: Camera) -> Cube:
    """On the bar, in the middle of a half, or on the table where the camera sees it."""
    spots = ("bar", "field", "table") if size.bar_holds_cube else ("field", "table")
    spot, half = one_of(rng, spots), size.cube_mm / 2
    if spot == "bar":
        centre = (gauss(rng, 1), between(rng, -0.3, 0.3) * size.field_height_mm, size.bar_height_mm + half)
    elif spot == "table":
        centre = (shape.left_mm - half - between(rng, 5, 40), gauss(rng, 40), shape.table_z_mm + half)
    if spot == "field" or not camera.sees(camera.project(centre))[0]:
        spot = "field"
        middle = one_of(rng, (-1, 1)) * (size.bar_width_mm + size.half_width_mm) / 2
        centre = (middle + gauss(rng, size.half_width_mm * 0.2), gauss(rng, 12), half)
    value = one_of(rng, (64, 2, 4, 8, 16, 32))
    yaw = gauss(rng, 0.25) if spot == "bar" else between(rng, 0, 2 * np.pi)
    return Cube(spot, centre, yaw, int(rng.integers(4)), value)


def _clear_of(cube: Cube, checkers: tuple[PlacedChecker, ...], size: BoardSize) -> tuple[PlacedChecker, ...]:
    """Whole points without the rows that the cube would stand in."""
    x, y, _ = cube.centre_mm
    reach = size.checker_mm / 2 + size.cube_mm * 0.75
    struck = {checker.place for checker in checkers if np.hypot(checker.base_mm[0] - x, checker.base_mm[1] - y) < reach}
    return tuple(checker for checker in checkers if checker.place not in struck)


def _draw_looks(rng: np.random.Generator, count: int, styles: Styles) -> tuple[DieLook, ...]:
    """Half of the dice look like the one before."""
    looks: list[DieLook] = []
    for _ in range(count):
        looks.append(looks[-1] if looks and happens(rng, 0.45) else draw_die_look(rng, styles))
    return tuple(looks)


def _one_lit(leds: tuple[LedSpot, ...]) -> tuple[LedSpot, ...]:
    """All dark but the first lit one: the tracer takes one lit LED at most."""
    lit = [led for led in leds if led.light is not None]
    return tuple(led if lit and led is lit[0] else replace(led, light=None) for led in leds)


@dataclass(frozen=True, slots=True)
class Window:
    """A square part of the picture; `about` is die, cube or none, `order` the die it was cut for."""

    about: str
    order: int | None
    x_px: int
    y_px: int
    side_px: int


_BLOCK_PX = 16  # of JPEG: windows on its grid are coded as the whole picture would be
_EDGES = 4.5
_LEAST_PX = 96


def draw_windows(rng: np.random.Generator, dice_scene: DiceScene) -> tuple[Window, ...]:
    """One for each die and cube in view, and one or two without either, or several of checkers that glint."""
    scene, camera = dice_scene.scene, dice_scene.camera
    found = []
    for order, die in enumerate(scene.dice):
        if camera.sees(camera.project(die.centre_mm))[0]:
            found.append(_window(rng, dice_scene, np.array(die.centre_mm), about="die", order=order))
    if (cube := scene.table.cube) is not None and camera.sees(camera.project(cube.centre_mm))[0]:
        found.append(_window(rng, dice_scene, np.array(cube.centre_mm), about="cube"))
    empty = _WINDOWS_OF_GLINTS if dice_scene.has_glints else one_of(rng, (1, 2))
    return (*found, *_empty_windows(rng, dice_scene, empty))


def _window(
    rng: np.random.Generator, dice_scene: DiceScene, centre_mm: Floats, *, about: str, order: int | None = None
) -> Window:
    camera, die_mm = dice_scene.camera, dice_scene.scene.table.size.die_mm
    edge = die_edge_px(camera, centre_mm, die_mm)
    side = max(_LEAST_PX, round(_EDGES * edge / _BLOCK_PX) * _BLOCK_PX)
    corner = camera.project(centre_mm)[0] - side / 2 + rng.uniform(-0.5, 0.5, 2) * edge
    highest = (np.array([camera.width_px, camera.height_px]) - side) // _BLOCK_PX
    x, y = (np.clip(np.round(corner / _BLOCK_PX), 0, highest) * _BLOCK_PX).astype(int).tolist()
    return Window(about, order, x, y, side)


def _empty_windows(rng: np.random.Generator, dice_scene: DiceScene, count: int) -> list[Window]:
    found: list[Window] = []
    for _ in range(12):
        if len(found) == count:
            break
        window = _window(rng, dice_scene, _draw_distractor(rng, dice_scene), about="none")
        if not _holds_any(window, dice_scene):
            found.append(window)
    return found


def _holds_any(window: Window, dice_scene: DiceScene) -> bool:
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
    scene = dice_scene.scene
    size = scene.table.size
    y = size.field_height_mm / 2
    spots = [np.array(checker.base_mm) for checker in scene.table.checkers if checker.place != "off"]
    kinds: list[Floats] = [np.array([between(rng, -1, 1) * size.field_width_mm / 2, between(rng, -y, y), 0.0])]
    kinds += [one_of(rng, spots)] * (_GLINTING_CHECKERS if dice_scene.has_glints else _CHECKERS) if spots else []
    kinds += (
        [np.array([0.0, one_of(rng, (-0.64, 0.64, between(rng, -1, 1))) * y, 0.0])] if size.bar is not Bar.NONE else []
    )
    kinds += [np.array(one_of(rng, scene.leds).centre_mm)] if scene.leds else []
    kinds += [np.array(one_of(rng, scene.markers).centre_mm)] if scene.markers else []
    return one_of(rng, kinds)
