"""The label of a scene's windows: the label of the whole picture, and the part of it that each window shows.

Pixels are those of the whole picture: subtract a window's `x` and `y` for its own. Each die has these fields beside
those of whole pictures: `normal` (unit vector out of its upper face, in the board frame: x right, y down, then up),
`base_mm` and `base_height_mm` (the middle of the lower face), `touches` (kinds of things) and `touched` (by index in
the lists of this label), `edge_px` (an edge seen at right angles, at its distance) and `look` (lengths as shares of the
edge). `visible` counts only the upper face; `die` of a window is the one it was cut for, `dice` all in it. `light`
names the lamps, from a larger set than in `tags`. The label of a whole picture is the same without `windows`.
"""

import re
from typing import cast

import numpy as np

from vision.training.rendered.dice_windows.scene import DiceScene, DiceWindow, RestingDie, die_edge_px
from vision.training.rendered.dice_windows.styles import DieMaterials
from vision.training.rendered.difficulty import Glare
from vision.training.rendered.labels import IsVisible, Json, make_label
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.dice_state import FACE_AXES, PlacedDie
from vision.training.rendered.layout.rotations import about_z
from vision.training.rendered.scene import RenderedCube
from vision.training.rendered.tracing.arrays import Floats, Vector

# fields that only the label of a whole picture has
_WHOLE_ONLY = ("image", "roll", "still", "occluded", "occluded_points")


def make_windows_label(
    dice_scene: DiceScene, windows: tuple[DiceWindow, ...], is_visible: IsVisible, glare: Glare, name: str
) -> Json:
    """The whole label of `name`; window k is the picture `name`_k.jpg."""
    whole = make_whole_label(dice_scene, is_visible, glare, name)
    return {
        **{key: value for key, value in whole.items() if key not in _WHOLE_ONLY},
        "windows": [_label_window(window, order, dice_scene, name) for order, window in enumerate(windows)],
    }


def make_whole_label(dice_scene: DiceScene, is_visible: IsVisible, glare: Glare, name: str) -> Json:
    """The label of the picture `name`.jpg, without windows."""
    scene = dice_scene.scene
    whole = make_label(scene, dice_scene.camera, is_visible, glare, f"{name}.jpg")
    dice = zip(cast("list[Json]", whole["dice"]), dice_scene.resting, dice_scene.die_materials, strict=True)
    return {
        **whole,
        "dice": [{**die, **_label_die(one, dice_scene), "look": _label_look(look)} for die, one, look in dice],
        "cube": _label_cube(scene.table.cube, dice_scene),
        "light": dice_scene.light,
        "styles": dice_scene.styles.value,
    }


def _label_look(materials: DieMaterials) -> Json:
    return {
        "body": [round(value, 4) for value in materials.body.colour],
        "pips": [round(value, 4) for value in materials.pips],
        "pip_radius": round(materials.pip_radius, 4),
        "pip_gap": round(materials.pip_gap, 4),
        "six_rows": round(materials.six_rows, 3),
        "rounding": round(materials.rounding, 4),
        "roughness": round(materials.roughness, 3),
    }


def upper_normal(die: PlacedDie) -> Vector:
    """Unit vector out of the upper face, in the board frame."""
    x, y, z = (die.rotation @ np.array(FACE_AXES[die.up_face])).tolist()
    return x, -y, z


def _label_die(one: RestingDie, dice_scene: DiceScene) -> Json:
    size = dice_scene.scene.table.size
    normal = upper_normal(one.die)
    x, y, z = one.die.centre_mm
    nx, ny, nz = (value * size.die_mm / 2 for value in normal)
    numbers = {
        kind: sorted(int(name.removeprefix(kind)) for name in one.touched if _obstacle_kind(name) == kind)
        for kind in ("checker", "die")
    }
    return {
        "normal": [round(value, 5) for value in normal],
        "base_mm": [round(x + size.field_width_mm / 2 - nx, 2), round(size.field_height_mm / 2 - y - ny, 2)],
        "base_height_mm": round(z - nz, 2),
        "edge_px": round(die_edge_px(dice_scene.camera, np.array(one.die.centre_mm), size.die_mm), 1),
        "touches": sorted({_obstacle_kind(name) for name in one.touched}),
        "touched": {kind: found for kind, found in numbers.items() if found},
    }


def _obstacle_kind(name: str) -> str:
    """checker4 -> checker, bar_left -> bar."""
    return re.split(r"[_\d]", name)[0]


def _label_cube(cube: RenderedCube | None, dice_scene: DiceScene) -> Json | None:
    if cube is None:
        return None
    camera, size = dice_scene.camera, dice_scene.scene.table.size
    half, (x, y, z) = size.cube_mm / 2, cube.centre_mm
    top = np.array([(-half, half, half), (half, half, half), (half, -half, half), (-half, -half, half)])
    corners = top @ about_z(cube.yaw_rad).T + cube.centre_mm
    return {
        "value": cube.value,
        "spot": cube.spot,
        "size_mm": round(size.cube_mm, 1),
        "centre_px": _px(camera.project(cube.centre_mm)[0]),
        "top_centre_px": _px(camera.project((x, y, z + half))[0]),
        "quad_px": [_px(corner) for corner in camera.project(corners)],
        "centre_mm": [round(x + size.field_width_mm / 2, 2), round(size.field_height_mm / 2 - y, 2)],
        "height_mm": round(z, 2),
        "yaw_deg": round(float(np.degrees(cube.yaw_rad)), 1),
        "quarter_turns": cube.quarter_turns,
    }


def _px(pixel: Floats) -> list[float]:
    return [round(float(value), 2) for value in pixel]


def _label_window(window: DiceWindow, order: int, dice_scene: DiceScene, name: str) -> Json:
    scene, camera = dice_scene.scene, dice_scene.camera
    size = scene.table.size
    cube = scene.table.cube
    has_cube = cube is not None and _meets_window(
        window, _box_px(camera, cube.centre_mm, about_z(cube.yaw_rad), size.cube_mm)
    )
    boxes = [_box_px(camera, die.centre_mm, die.rotation, size.die_mm) for die in scene.dice]
    bases = [camera.project(checker.base_mm) for checker in scene.table.checkers]
    return {
        "image": f"{name}_{order}.jpg",
        "about": window.about,
        "die": window.order,
        "x": window.x_px,
        "y": window.y_px,
        "width": window.side_px,
        "height": window.side_px,
        "dice": [number for number, box in enumerate(boxes) if _meets_window(window, box)],
        "cube": has_cube,
        "checkers": [number for number, base in enumerate(bases) if _meets_window(window, base, 20.0)],
    }


def _box_px(camera: TracedCamera, centre_mm: Vector, rotation: Floats, edge_mm: float) -> Floats:
    """(8, 2) corners of a cube in the picture."""
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * edge_mm / 2
    return camera.project(corners @ rotation.T + centre_mm)


def _meets_window(window: DiceWindow, pixels: Floats, margin_px: float = 0.0) -> bool:
    """Whether the upright rectangle around the pixels meets the window."""
    low, high = np.array([window.x_px, window.y_px]) - margin_px, np.array([window.x_px, window.y_px]) + margin_px
    return bool((pixels.max(axis=0) >= low).all() and (pixels.min(axis=0) < high + window.side_px).all())
