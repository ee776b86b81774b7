"""Random tables by seed for the demo and for tests. No network is trained on them.

Training's generators (`vision/training/drawn_boards`, `vision/training/drawn_dice`) never draw points in the shape of
bottles and steps, checkers of burl, terrazzo or stirred resin, fields of burl, twill or terrazzo, or dice with the pip
spread used here. A test keeps the two sets disjoint.
"""

from dataclasses import replace

import numpy as np

from vision.simulated.drawing.optics import axis_rotations, distort, pinhole_view, to_rows
from vision.simulated.drawing.painting import rectangle_mm
from vision.simulated.drawing.walls import outer_mm
from vision.simulated.scene import (
    Board,
    Camera,
    CheckerProfile,
    CheckerStyle,
    Colour,
    Finish,
    Lamp,
    Led,
    Photo,
    PipMarks,
    PointShape,
    PointStyle,
    Scene,
    SurfacePattern,
)
from vision.simulated.tabletop import Arm, DieStyle, TableStyle

SHAPES = (PointShape.BOTTLE, PointShape.STEPPED)
FIELDS = (SurfacePattern.BURL, SurfacePattern.TWILL, SurfacePattern.TERRAZZO)
CHECKERS = (SurfacePattern.BURL, SurfacePattern.TERRAZZO, SurfacePattern.SWIRL)
PIP_SPREAD = (0.615, 0.66)  # training ends at 0.6
BESIDE_MM = 34.0  # width of the visible table left and right of the box
LEAST_DIE_PX = 16.6  # least edge of a die in a picture 640 px wide; below 16 px no reader can read its face

# (field, first points, second points, rim, light checkers, dark checkers): sRGB 0..255.
SCHEMES = (
    ((196, 152, 108), (116, 58, 44), (232, 214, 176), (92, 52, 36), (240, 224, 190), (62, 34, 30)),
    ((54, 92, 84), (206, 186, 142), (24, 50, 50), (74, 50, 38), (236, 228, 206), (148, 44, 40)),
    ((176, 168, 150), (98, 62, 88), (112, 128, 96), (66, 58, 62), (238, 232, 222), (44, 40, 58)),
    ((140, 96, 66), (222, 192, 140), (66, 40, 34), (58, 36, 28), (244, 226, 186), (38, 30, 34)),
    ((92, 102, 122), (212, 204, 192), (44, 46, 66), (60, 62, 70), (240, 236, 226), (36, 52, 96)),
    ((118, 62, 58), (214, 188, 148), (58, 26, 30), (80, 46, 36), (236, 218, 184), (30, 30, 34)),
    ((204, 184, 152), (128, 96, 62), (70, 86, 92), (104, 80, 58), (242, 236, 220), (96, 40, 46)),
    ((84, 74, 62), (196, 158, 98), (146, 148, 132), (46, 40, 36), (238, 214, 164), (26, 28, 26)),
)
# (body, pips).
DICE = (
    ((206, 238, 226), (14, 54, 52)),
    ((28, 74, 78), (240, 244, 232)),
    ((248, 226, 206), (92, 30, 34)),
    ((58, 28, 66), (246, 232, 246)),
    ((226, 232, 248), (24, 34, 92)),
    ((112, 38, 22), (250, 238, 214)),
    ((240, 240, 222), (28, 60, 24)),
)
SKINS = ((204, 156, 130), (178, 130, 100), (140, 98, 72), (98, 66, 48), (214, 172, 150))
SLEEVES = ((44, 56, 92), (96, 98, 100), (120, 34, 42), (58, 78, 60), (212, 206, 196), (30, 30, 34))


def table_style(seed: int, size_px: tuple[int, int] = (640, 480), *, has_bar: bool = True) -> TableStyle:
    """The same seed gives the same table at every size of the picture, with a bar or without."""
    rng = np.random.default_rng([seed, 62])
    scheme = tuple(_vary_colour(rng, colour, 0.02) for colour in SCHEMES[int(rng.integers(len(SCHEMES)))])
    field, first, second, rim, light, dark = scheme
    pitch = float(rng.uniform(32.0, 35.5))
    diameter = float(pitch * rng.uniform(0.9, 0.95))
    board = _board(rng, (field, first, second, rim), pitch, diameter)
    board = board if has_bar else _without_bar(board)
    camera = _camera(rng, size_px, board)
    body, profile = (
        CHECKERS[int(rng.integers(3))],
        (CheckerProfile.BEVEL, CheckerProfile.DISH, CheckerProfile.GROOVE, CheckerProfile.RIM),
    )
    turned = profile[int(rng.integers(4))]
    scene = Scene(
        camera,
        board,
        light=_checkers(rng, light, body, turned),
        dark=_checkers(rng, dark, body, turned),
        table=_finish(rng, SurfacePattern.TWILL, _vary_colour(rng, SLEEVES[int(rng.integers(6))], 0.03), 0.3, 1.4),
        photo=_photo(rng, size_px),
        checker_diameter_mm=diameter,
        checker_thickness_mm=float(rng.uniform(7.0, 9.0)),
        lamps=_lamps(rng, board),
        ambient=_draw_pale_light(rng, float(rng.uniform(0.4, 0.6))),
        leds=_leds(board),
        seed=int(rng.integers(1 << 30)),
    )
    dice, cube = _dice(rng, scene)
    return TableStyle(
        scene=scene,
        dice=dice,
        cube=cube,
        bottom=_arm(rng),
        top=_arm(rng),
        untidy_mm=float(rng.uniform(0.1, 0.6)),
        per_layer=5,
        light_at_bottom=bool(rng.random() < 0.5),
        seed=int(rng.integers(1 << 30)),
    )


def _vary_colour(rng: np.random.Generator, colour: tuple[int, int, int], spread: float) -> Colour:
    shade = rng.normal(1, spread)
    red, green, blue = (float(np.clip(value / 255 * shade + rng.normal(0, spread / 3), 0.02, 0.98)) for value in colour)
    return red, green, blue


def _draw_pale_light(rng: np.random.Generator, level: float) -> Colour:
    """Nearly white light."""
    warm = float(rng.uniform(-0.06, 0.1))
    return level, level * (1 - 0.4 * warm), level * (1 - warm)


def _finish(
    rng: np.random.Generator, material: SurfacePattern, colour: Colour, contrast: float, scale: float
) -> Finish:
    shade = float(rng.uniform(0.72, 0.86))
    second = (colour[0] * shade, colour[1] * shade * 0.97, colour[2] * shade * 0.95)
    angle = float(rng.choice([0, 90]) + rng.normal(0, 2))
    gloss = float(rng.uniform(0.0, 0.25)) if material is not SurfacePattern.TWILL else 0.0
    return Finish(material, colour, second, contrast, scale, angle, gloss, int(rng.integers(1 << 30)))


def _checkers(
    rng: np.random.Generator, colour: Colour, material: SurfacePattern, profile: CheckerProfile
) -> CheckerStyle:
    finish = _finish(rng, material, colour, float(rng.uniform(0.35, 0.8)), float(rng.uniform(0.3, 0.6)))
    return CheckerStyle(finish, profile, wear=0.02)


def _board(
    rng: np.random.Generator, colours: tuple[Colour, Colour, Colour, Colour], pitch: float, diameter: float
) -> Board:
    """Rows of five from both sides leave room for dice in the middle. A tray, if any, is on the right."""
    half, bar = 6 * pitch, float(rng.uniform(24, 32))
    height = float(10.4 * diameter + rng.uniform(34, 44))
    field, first, second, rim = colours
    ground = FIELDS[int(rng.integers(3))]
    fine = float(rng.uniform(0.4, 0.9))
    points = PointStyle(
        SHAPES[int(rng.integers(2))],
        base=float(rng.uniform(0.82, 0.95)),
        length=float(rng.uniform(0.38, 0.44)),
        first=_finish(rng, ground, first, 0.4, fine),
        second=_finish(rng, ground, second, 0.4, fine),
        start=int(rng.integers(2)),
    )
    wood = _finish(rng, SurfacePattern.BURL, rim, 0.6, 0.8)
    return Board(
        field_mm=(2 * half + bar, height),
        bar_mm=(half, half + bar),
        field=_finish(rng, ground, field, 0.4, fine),
        points=points,
        bar=replace(wood, seed=wood.seed + 1),
        rim=wood,
        inner=wood,
        bar_height_mm=float(rng.uniform(4, 9)),
        bar_seam=bool(rng.random() < 0.6),
        rim_width_mm=float(rng.uniform(12, 15)),
        rim_height_mm=float(rng.uniform(11, 15)),
        depth_mm=float(rng.uniform(4, 8)),
        trays_mm=(0.0, 1.08 * diameter) if rng.random() < 0.3 else (0.0, 0.0),
        tray=_finish(rng, SurfacePattern.TWILL, field, 0.3, 0.7),
    )


def _without_bar(board: Board) -> Board:
    half, (width, height) = board.bar_mm[0], board.field_mm
    width -= board.bar_mm[1] - half
    return replace(board, field_mm=(width, height), bar_mm=(half, half), bar_height_mm=0.0, bar_seam=False)


def _camera(rng: np.random.Generator, size_px: tuple[int, int], board: Board) -> Camera:
    """Over the board, slightly askew; the whole box fits the picture, with room for a die on both sides."""
    width, height = size_px
    focal = float(rng.uniform(0.95, 1.25)) * width
    off = rng.normal(0, 0.006, 2)
    centre = ((width - 1) / 2 + float(off[0]) * width, (height - 1) / 2 + float(off[1]) * height)
    k1 = float(rng.uniform(-0.09, 0.02))
    pitch, roll = np.radians(np.clip(rng.normal(0, 1.6, 2), -3.5, 3.5))
    yaw = np.radians(float(np.clip(rng.normal(0, 0.8), -1.8, 1.8)))
    about_x, about_y, about_z = axis_rotations(pitch, roll, yaw)
    rotation = about_x @ about_y @ about_z
    left, top, right, bottom = outer_mm(board)
    rim = rectangle_mm((left, top), (right, bottom), board.rim_height_mm)
    beside = rectangle_mm((left - BESIDE_MM, top), (right + BESIDE_MM, bottom), -board.depth_mm)
    shown = np.concatenate([rim, beside])
    target, distance = np.array([(left + right) / 2, (top + bottom) / 2]), 600.0
    for _ in range(12):
        shift = np.array([0, 0, distance]) - rotation @ np.array([*target, 0.0])
        move = (float(shift[0]), float(shift[1]), float(shift[2]))
        camera = Camera(size_px, focal, centre, to_rows(rotation), move, k1)
        seen = distort(camera, pinhole_view(camera).project(shown))
        low, high = seen.min(0), seen.max(0)
        share = float(((high - low) / np.array(size_px)).max())
        target = target + rotation[:2, :2].T @ ((low + high) / 2 - np.array(size_px) / 2) * (distance / focal)
        distance *= share / 0.985
    return camera


def _photo(rng: np.random.Generator, size_px: tuple[int, int]) -> Photo:
    scale = size_px[0] / 640
    return Photo(
        contrast=float(rng.uniform(0.2, 0.4)),
        saturation=float(rng.uniform(0.95, 1.1)),
        vignette=float(rng.uniform(0.05, 0.2)),
        defocus_px=float(rng.uniform(0.4, 0.55)) * max(1.0, scale**0.7),
        shot_noise=float(rng.uniform(0.006, 0.014)),
        read_noise=float(rng.uniform(0.003, 0.007)),
        jpeg=92,
    )


def _lamps(rng: np.random.Generator, board: Board) -> tuple[Lamp, ...]:
    """One lamp over or beside the table, often a window as well."""
    middle = np.array(board.field_mm) / 2
    found = []
    for strength, up, spread in ((0.75, (900, 1600), (0.03, 0.12)), (0.35, (1000, 1800), (0.15, 0.35))):
        around, far = rng.uniform(0, 2 * np.pi), rng.uniform(300, 1300)
        x, y = middle + far * np.array([np.cos(around), np.sin(around)])
        place = (float(x), float(y), float(rng.uniform(*up)))
        colour = _draw_pale_light(rng, 1.0)
        mirrored = float(rng.uniform(0, 0.6))
        found.append(
            Lamp(place, colour, strength * float(rng.uniform(0.7, 1.2)), float(rng.uniform(*spread)), mirrored)
        )
    return tuple(found) if rng.random() < 0.6 else (found[0],)


def _leds(board: Board) -> tuple[Led, ...]:
    """Dark LEDs on the rim, one at each point: T1..T12, B1..B12."""
    away = board.rim_width_mm / 2
    rows = (-away, board.field_mm[1] + away)
    return tuple(Led((board.point_x_mm(column), y, board.rim_height_mm), None) for y in rows for column in range(12))


def _dice(rng: np.random.Generator, scene: Scene) -> tuple[tuple[DieStyle, ...], DieStyle]:
    """Two pairs of dice and the cube, large enough for a camera 640 px wide."""
    body, pip = DICE[int(rng.integers(len(DICE)))]
    other = DICE[int(rng.integers(len(DICE)))]
    per_mm = pinhole_view(scene.camera).px_per_mm(0.0, 0.0) * 640 / scene.camera.size_px[0]
    least = float(np.clip(LEAST_DIE_PX / per_mm, 14.0, 17.5))
    # rounded, because the camera's fit differs in the last digits between sizes
    size = round(float(rng.uniform(least, 18.0)), 2)
    marks = PipMarks(
        float(rng.uniform(*PIP_SPREAD)),
        float(rng.uniform(0.16, 0.2)),
        float(rng.uniform(0.12, 0.3)),
        float(rng.choice([1.0, 1.0, 1.4])),
    )
    western = bool(rng.random() < 0.7)
    pairs = (
        (_vary_colour(rng, body, 0.01), _vary_colour(rng, pip, 0.01)),
        (_vary_colour(rng, other[0], 0.01), _vary_colour(rng, other[1], 0.01)),
    )
    dice = tuple(DieStyle(size, *colours, marks, western) for colours in pairs for _ in range(2))
    cube = DieStyle(
        float(rng.uniform(20, 24)), _vary_colour(rng, (236, 230, 214), 0.02), (0.1, 0.1, 0.14), PipMarks(0.5, 0.2, 0.14)
    )
    return dice, cube


def _arm(rng: np.random.Generator) -> Arm:
    return Arm(
        skin=_vary_colour(rng, SKINS[int(rng.integers(len(SKINS)))], 0.03),
        sleeve=_finish(
            rng, SurfacePattern.TWILL, _vary_colour(rng, SLEEVES[int(rng.integers(len(SLEEVES)))], 0.03), 0.5, 0.8
        ),
        sleeve_from_mm=float(rng.uniform(170, 300)),
        size=float(rng.uniform(0.85, 1.0)),
        left=bool(rng.random() < 0.2),
        seed=int(rng.integers(1 << 30)),
    )
