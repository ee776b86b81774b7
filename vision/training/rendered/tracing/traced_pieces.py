"""Adds checkers, dice, cube, surrounding objects and the camera's stand to the description."""

import cv2
import numpy as np

from vision.training.rendered.layout.clutter import ClutterKind
from vision.training.rendered.layout.palette import Material, Surface, luma
from vision.training.rendered.layout.positions import SIDES
from vision.training.rendered.layout.rotations import about_z, from_upright
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Floats, vector
from vision.training.rendered.tracing.meshes import Mesh, flat_disc, merge_meshes, rectangle, revolve, rounded_box
from vision.training.rendered.tracing.piece_meshes import build_checker_mesh, build_die_body, build_die_pips
from vision.training.rendered.tracing.scene_description import (
    Node,
    SceneDescription,
    make_clear_material,
    make_coloured_material,
    make_image,
)

_CHECKER_PIECE_MM = 240.0
_GAP_MM = 0.12  # gap between touching checkers, so that no two surfaces coincide
_SMOOTHEST_WOOD = 0.2


def add_checkers(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    """One mesh a colour; the grain of each checker is cut from another place."""
    size, pieces = scene.table.size, scene.style.pieces
    model = build_checker_mesh(size.checker_mm - _GAP_MM, size.checker_thick_mm - _GAP_MM / 2, pieces.profile)
    for side, material in zip(SIDES, pieces.checkers, strict=True):
        placed = []
        for checker in scene.table.checkers:
            spin = rng.uniform(0, 2 * np.pi)
            if checker.side is side:
                rotation = from_upright(checker.axis) @ about_z(spin)
                placed.append(model.move(rotation, checker.base_mm, texture_shift=rng.uniform(0, 5, 2)))
        if placed:
            is_wooden = material.surface in (Surface.WOOD, Surface.STAIN)
            piece_mm, smoothest = (_CHECKER_PIECE_MM, _SMOOTHEST_WOOD) if is_wooden else (_CHECKER_PIECE_MM / 2, 0.0)
            roughness = max(pieces.checker_roughness, smoothest)
            stage.add(merge_meshes(placed), stage.make_material(rng, material, roughness, piece_mm=piece_mm))


def add_dice(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    pieces, edge = scene.style.pieces, scene.table.size.die_mm
    body = build_die_body(edge, pieces.die_rounding_mm)
    pips = build_die_pips(edge, pieces.pip_radius_mm, pieces.pip_gap_mm, pieces.six_rows)
    for die, material, pip in zip(scene.dice, pieces.dice, pieces.pips, strict=False):  # there may be none
        stage.add(body.move(die.rotation, die.centre_mm), make_die_material(stage, material, pieces.die_roughness, rng))
        stage.add(pips.move(die.rotation, die.centre_mm), make_coloured_material(pip, 0.45, 0.4))


def make_die_material(stage: SceneDescription, material: Material, roughness: float, rng: np.random.Generator) -> Node:
    match material.surface:
        case Surface.CLEAR:
            return make_clear_material(material.colour)
        case Surface.WOOD | Surface.MARBLE:
            smoothest = 0.25 if material.surface is Surface.WOOD else 0.0
            return stage.make_material(rng, material, max(roughness, smoothest), piece_mm=60)
        case _:
            return make_coloured_material(material.colour, roughness, coat=0.5 if roughness < 0.2 else 0.0)


def add_cube(stage: SceneDescription, scene: RenderedScene) -> None:
    cube = scene.table.cube
    if cube is None:
        return
    edge, colour = scene.table.size.cube_mm, scene.style.pieces.cube
    rotation = about_z(cube.yaw_rad)
    body = rounded_box((edge, edge, edge), edge * 0.1, steps=4)
    stage.add(body.move(rotation, cube.centre_mm), make_coloured_material(colour, 0.3))
    top = rectangle((0, 0, edge / 2 + 0.03), (edge * 0.38, 0, 0), (0, edge * 0.38, 0)).with_image_rows()
    rotation = rotation @ about_z(cube.quarter_turns * np.pi / 2)
    number = draw_cube_number(cube.value, np.array(colour, np.float32))
    stage.add(top.move(rotation, cube.centre_mm), make_coloured_material(make_image(number, "clamp"), 0.3))


def draw_cube_number(value: int, ground: Floats, *, side_px: int = 160) -> Floats:
    """(side, side, 3): the value in black, or in white on a dark cube."""
    text = str(value)
    ink = (0.015, 0.015, 0.02) if luma(vector(ground)) > 0.4 else (0.7, 0.7, 0.7)
    scale = 3.6 if len(text) == 1 else 2.6
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 8)
    mask = np.zeros((side_px, side_px), np.uint8)
    corner = ((side_px - width) // 2, (side_px + height) // 2)
    cv2.putText(mask, text, corner, cv2.FONT_HERSHEY_DUPLEX, scale, 255, 8, cv2.LINE_AA)
    share = (mask.astype(np.float32) / 255)[..., None]
    return ground * (1 - share) + np.array(ink, np.float32) * share


def add_clutter(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    for clutter in scene.clutter:
        shift = (clutter.x_mm, clutter.y_mm, scene.table.shape.table_z_mm)
        match clutter.thing:
            case ClutterKind.CUP:
                leather = Material(Surface.LEATHER, clutter.colour)
                finish = stage.make_material(rng, leather, 0.55, piece_mm=120)
                radius, height = 36 + 6 * clutter.size, 85 + 20 * clutter.size
                mesh = _build_vessel(radius, radius + 3, height, wall_mm=4)
            case ClutterKind.MUG:
                finish = make_coloured_material(clutter.colour, 0.12, coat=0.5)
                radius, height = 38 + 5 * clutter.size, 92
                mesh = _build_vessel(radius, radius, height, wall_mm=3.5)
                coffee = flat_disc((0, 0, height * 0.8), radius - 3.8, segments=40).move(shift=shift)
                stage.add(coffee, make_coloured_material((0.030, 0.012, 0.005), 0.05))
            case ClutterKind.PHONE:
                finish = make_coloured_material((0.008, 0.008, 0.010), 0.08, 0.6, coat=1.0)
                mesh = rounded_box((74, 152, 8), 3.5, steps=4, centre=(0, 0, 4))
            case ClutterKind.NOTEPAD:
                paper = vector([0.45 + 0.35 * value for value in clutter.colour])  # paler than the drawn colour
                finish = make_coloured_material(paper, 0.8, 0.2)
                mesh = rounded_box((105, 148, 7), 0.5, steps=1, centre=(0, 0, 3.5))
        stage.add(mesh.move(about_z(clutter.yaw_rad), shift), finish)


def _build_vessel(foot_mm: float, lip_mm: float, height_mm: float, *, wall_mm: float) -> Mesh:
    """Open at the top, with a floor of twice its wall."""
    inside = lip_mm - wall_mm
    outline = [(0.0, 0.0), (foot_mm, 0.0), (foot_mm, 0.0), (lip_mm, height_mm), (lip_mm, height_mm)]
    outline += [(inside, height_mm), (inside, height_mm), (foot_mm - wall_mm, 2 * wall_mm)]
    outline += [(foot_mm - wall_mm, 2 * wall_mm), (0.0, 2 * wall_mm)]
    return revolve(outline, texture_mm=120.0)


def add_stand(stage: SceneDescription, scene: RenderedScene) -> None:
    """Post and boom of the camera, behind it, so that the post cannot stand before the board."""
    if not scene.has_stand:
        return
    shape, eye = scene.table.shape, scene.camera.eye_mm
    foot = eye[:2].copy()
    axis = int(abs(eye[1]) > abs(eye[0]))
    low, high = ((shape.left_mm, shape.right_mm), (shape.near_mm, shape.far_mm))[axis]
    foot[axis] = max(high + 90, eye[axis] + 80) if eye[axis] >= 0 else min(low - 90, eye[axis] - 80)
    paint = make_coloured_material((0.02, 0.02, 0.022), 0.4)
    bottom, top = shape.table_z_mm, float(eye[2]) + 45
    post = rounded_box((24, 24, top - bottom), 4, steps=2, centre=(*foot, (top + bottom) / 2))
    stage.add(post, paint)
    to_camera = eye[:2] - foot
    length = float(np.linalg.norm(to_camera))
    boom = rounded_box((length + 30, 22, 22), 3, steps=2, centre=(length / 2, 0, 0))
    stage.add(boom.move(about_z(float(np.arctan2(to_camera[1], to_camera[0]))), (*foot, top)), paint)
