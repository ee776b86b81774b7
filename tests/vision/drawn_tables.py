"""One simulated table for tests with frames over time: a wooden board under a lamp, with LEDs along its rims."""

from dataclasses import replace

import numpy as np

from tests.vision.drawn_boards import exact_calibration
from vision.geometry.calibration import Calibration
from vision.geometry.projection import FieldShape, Lens, Projection
from vision.simulated.scene import (
    Board,
    Camera,
    Checker,
    CheckerSide,
    CheckerStyle,
    Colour,
    Die,
    Finish,
    Lamp,
    Led,
    Photo,
    PointShape,
    PointStyle,
    Scene,
    SurfacePattern,
)

FIELD = FieldShape(480.0, 400.0, 225.0, 255.0)
_DARK_WOOD, _LIGHT_WOOD = (0.25, 0.14, 0.08), (0.75, 0.6, 0.4)
_CAMERA_MM = (250.0, 210.0, 700.0)
_FOCAL_PX = 620.0


def wood(colour: Colour) -> Finish:
    darker = (colour[0] * 0.8, colour[1] * 0.8, colour[2] * 0.8)
    return Finish(SurfacePattern.WOOD, colour, darker, contrast=0.6)


def table(size_px: tuple[int, int] = (640, 480)) -> Scene:
    """The camera looks straight down; two dice lie in the right half, some checkers on their points."""
    x_mm, y_mm, z_mm = _CAMERA_MM
    scale = size_px[0] / 640
    centre_px = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    upright = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    camera = Camera(size_px, _FOCAL_PX * scale, centre_px, upright, (-x_mm, -y_mm, z_mm))
    board = Board(
        field_mm=(FIELD.width_mm, FIELD.height_mm),
        bar_mm=(FIELD.bar_left_mm, FIELD.bar_right_mm),
        field=wood((0.45, 0.3, 0.18)),
        points=PointStyle(PointShape.STRAIGHT, 0.9, 0.42, wood(_LIGHT_WOOD), wood(_DARK_WOOD)),
        bar=wood(_DARK_WOOD),
        rim=wood(_DARK_WOOD),
        inner=wood(_DARK_WOOD),
    )
    columns = (
        (0, CheckerSide.DARK, 18.0),
        (0, CheckerSide.DARK, 54.0),
        (5, CheckerSide.LIGHT, 382.0),
        (11, CheckerSide.LIGHT, 18.0),
    )
    return Scene(
        camera,
        board,
        light=CheckerStyle(wood((0.85, 0.8, 0.65))),
        dark=CheckerStyle(wood((0.2, 0.1, 0.07))),
        table=wood((0.5, 0.45, 0.4)),
        photo=Photo(jpeg=90),
        checkers=tuple(Checker(side, "T1", 0, (board.point_x_mm(column), y_mm)) for column, side, y_mm in columns),
        dice=(ivory_die((330.0, 200.0)), ivory_die((400.0, 230.0))),
        lamps=(Lamp((100.0, -200.0, 900.0), (1.0, 0.95, 0.85), 0.8),),
        leds=leds(None),
    )


def ivory_die(centre_mm: tuple[float, float], *, yaw_deg: float = 20.0, up: int = 5) -> Die:
    return Die(centre_mm, 13.0, yaw_deg, (up, 1, 3), (0.9, 0.88, 0.8), (0.1, 0.1, 0.1))


def leds(colour: Colour | None, *, every: int = 1) -> tuple[Led, ...]:
    """One in the middle of the rim at each point; only each `every`-th has the colour, the others are dark."""
    pitch_mm = FIELD.pitch_mm
    places = [
        (pitch_mm * (column + 0.5) + (30.0 if column > 5 else 0.0), y_mm)
        for y_mm in (-10.0, 410.0)
        for column in range(12)
    ]
    return tuple(
        Led((x_mm, y_mm, 15.0), colour if number % every == 0 else None) for number, (x_mm, y_mm) in enumerate(places)
    )


def calibration_of(scene: Scene) -> Calibration:
    """What a perfect calibration of the table's camera would say."""
    camera = scene.camera
    lens = Lens(camera.focal_px, camera.centre_px)
    rotation, place = np.array(camera.rotation), np.array(camera.translation_mm)
    homography = np.linalg.inv(lens.to_ray) @ np.column_stack([rotation[:, 0], rotation[:, 1], place])
    return exact_calibration(camera.size_px, Projection.of(homography, lens), FIELD)


def with_die_at(scene: Scene, x_mm: float, y_mm: float, *, yaw_deg: float = 20.0) -> Scene:
    """The first die elsewhere."""
    return replace(scene, dice=(ivory_die((x_mm, y_mm), yaw_deg=yaw_deg), *scene.dice[1:]))
