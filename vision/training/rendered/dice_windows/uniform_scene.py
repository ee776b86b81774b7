"""Descriptions of dice scenes in one uniform structure, so that one compiled program traces every scene.

Mitsuba compiles a program for each combination of materials, lamps and counts, which takes longer than tracing the
windows. So everything that it compiles in is made equal: every material has the same parts (a texture for its colour, a
height map of one size, a coat), the number of shapes and lamps is constant, and so is the size of the scene.
"""

from pathlib import Path
from typing import Any

import cv2
import mitsuba as mi
import numpy as np

from vision.training.rendered.dice_windows.scene import DiceScene
from vision.training.rendered.errors import SceneError
from vision.training.rendered.layout.board_size import Bar
from vision.training.rendered.layout.rotations import about, about_z
from vision.training.rendered.scene import RenderedCube
from vision.training.rendered.tracing.meshes import Mesh, flat_disc, merge_meshes, rectangle, rounded_box
from vision.training.rendered.tracing.path_tracer import describe_scene
from vision.training.rendered.tracing.piece_meshes import build_die_body, build_die_pips
from vision.training.rendered.tracing.scene_description import (
    Node,
    SceneDescription,
    make_clear_material,
    make_coloured_material,
    make_emitter,
    make_image,
)
from vision.training.rendered.tracing.traced_pieces import add_cube, draw_cube_number, make_die_material

Tree = dict[str, Any]  # a `Node` whose content is read

_PX_PER_MM = 1.5  # lower limit for boards
_DIE_PX_PER_MM = 5.0
_RELIEF_PX = 512
_SHAPES, _LAMPS = 72, 4
_REACH_MM = 4000.0  # no lamp is farther
_UNLIT = 1e-4
_SCREW_MM = (1.3, 2.1)


def build_scene_description(dice_scene: DiceScene, folder: Path) -> Node:
    """Raises SceneError for more shapes or lamps than there is room for."""
    scene = dice_scene.scene
    stage = SceneDescription(folder, px_per_mm(dice_scene))

    def add_pieces(stage: SceneDescription, dice: np.random.Generator, clutter: np.random.Generator) -> None:
        _add_dice(stage, dice_scene, dice)
        add_cube(stage, scene)
        if scene.table.cube is not None:
            _add_cube_sides(stage, dice_scene, scene.table.cube, dice)
        _add_screws(stage, dice_scene, clutter)

    describe_scene(stage, scene, 992, add_pieces)
    stage.add(_make_speck(0), make_clear_material((0.5, 0.5, 0.5)))
    return _make_uniform(stage)


def px_per_mm(dice_scene: DiceScene) -> float:
    """Resolution of textures: somewhat coarser than the picture, which noise and blur hide."""
    camera = dice_scene.camera
    of_picture = camera.focal_px / float(np.linalg.norm(camera.eye_mm))
    return float(np.clip(0.75 * of_picture, _PX_PER_MM, 2.5))


def _add_dice(stage: SceneDescription, dice_scene: DiceScene, rng: np.random.Generator) -> None:
    """Each die with its own materials."""
    edge = dice_scene.scene.table.size.die_mm
    fine = stage.copy()
    fine.px_per_mm = _DIE_PX_PER_MM
    for one, materials in zip(dice_scene.resting, dice_scene.die_materials, strict=True):
        turn, centre = one.die.rotation, one.die.centre_mm
        finish = make_die_material(fine, materials.body, materials.roughness, rng)
        texture_shift = rng.uniform(0, 3, 2)
        stage.add(build_die_body(edge, edge * materials.rounding).move(turn, centre, texture_shift), finish)
        pips = build_die_pips(edge, edge * materials.pip_radius, edge * materials.pip_gap, materials.six_rows)
        stage.add(pips.move(turn, centre), make_coloured_material(materials.pips, 0.45, 0.4))


def _add_cube_sides(
    stage: SceneDescription, dice_scene: DiceScene, cube: RenderedCube, rng: np.random.Generator
) -> None:
    """The other values on the four visible sides, as on a real cube."""
    edge, colour = dice_scene.scene.table.size.cube_mm, np.array(dice_scene.scene.style.pieces.cube, np.float32)
    values = rng.permutation([value for value in (2, 4, 8, 16, 32, 64) if value != cube.value])[:4]
    sheet = rectangle((0, 0, edge / 2 + 0.03), (edge * 0.38, 0, 0), (0, edge * 0.38, 0)).with_image_rows()
    for order, value in enumerate(values.tolist()):
        tilt = about_z(cube.yaw_rad + order * np.pi / 2) @ about((0, 1, 0), np.pi / 2)
        turned = tilt @ about_z(int(rng.integers(4)) * np.pi / 2)
        number = make_image(draw_cube_number(value, colour), "clamp")
        stage.add(sheet.move(turned, cube.centre_mm), make_coloured_material(number, 0.3))


def _add_screws(stage: SceneDescription, dice_scene: DiceScene, rng: np.random.Generator) -> None:
    """Heads of screws on hinges or along the bar: distractors, round and small like pips."""
    size = dice_scene.scene.table.size
    if size.bar is Bar.NONE or (size.bar is Bar.SOLID and rng.random() < 0.5):
        return
    reach, z = size.field_height_mm / 2, size.bar_height_mm
    if size.bar is Bar.HINGED:
        ends = (-reach * 0.64, reach * 0.64)
        spots = [(x, y + along, z + 0.65) for y in ends for x in (-6.0, 6.0) for along in (-11.0, 0.0, 11.0)]
    else:
        spots = [(0.0, y * reach, z + 0.1) for y in np.linspace(-0.85, 0.85, int(rng.integers(2, 6))).tolist()]
    radius = rng.uniform(*_SCREW_MM)
    heads = [flat_disc(spot, radius) for spot in spots]
    slot = rectangle((0, 0, 0.03), (radius * 0.85, 0, 0), (0, radius * 0.16, 0))
    slots = [slot.move(about_z(rng.uniform(0, np.pi)), spot) for spot in spots]
    metal = (0.62, 0.42, 0.14) if rng.random() < 0.6 else (0.5, 0.5, 0.5)
    stage.add(merge_meshes(heads), make_coloured_material(metal, 0.35, metallic=0.9))
    stage.add(merge_meshes(slots), make_coloured_material((0.02, 0.02, 0.02), 0.6))


def _make_uniform(stage: SceneDescription) -> Node:
    """The nodes with materials of one kind, filled up to the fixed counts by specks out of sight."""
    lit = sum(isinstance(node, dict) and "emitter" in node for node in stage.nodes.values())
    if lit > _LAMPS:
        raise SceneError(f"{lit} lamps, more than {_LAMPS}.")
    dull: Node = make_coloured_material((0.1, 0.1, 0.1), 0.9)
    for order in range(lit, _LAMPS):
        stage.add(_make_speck(order), dull, make_emitter((_UNLIT, _UNLIT, _UNLIT), sampling_weight=1e-3))
    for reach in (-_REACH_MM, _REACH_MM):
        stage.add(_make_speck(0).move(shift=(reach, reach, reach)), dull)
    room = _SHAPES - (len(stage.nodes) - 2)  # all but the type and the room
    if room < 0:
        raise SceneError(f"{-room} shapes more than {_SHAPES}.")
    for order in range(room):
        stage.add(_make_speck(order), dull)
    return _unify_nodes(stage.nodes, dull)


def _unify_nodes(nodes: Tree, dull: Tree) -> Node:
    """Nodes with materials of one kind, in a constant number, the room first."""
    flat = mi.load_dict(make_image(np.zeros((_RELIEF_PX, _RELIEF_PX, 1), np.float32), "mirror"))
    shapes = {name: dict(node) for name, node in nodes.items() if name not in ("type", "room")}
    clear_ones = sum("spec_trans" in shape["bsdf"] for shape in shapes.values())
    for shape in shapes.values():
        shape["bsdf"] = _uniform_material(shape["bsdf"], flat)
        if "emitter" in shape:
            shape["emitter"] = {"sampling_weight": 1.0, **shape["emitter"]}
    fillers = {  # clear materials have two parts fewer than others
        f"filler{order}": _uniform_material(dull, flat)["bsdf"] for order in range(clear_ones)
    }
    return {"type": "scene", "room": {**nodes["room"], "sampling_weight": 0.999}, **shapes, **fillers}


def _make_speck(order: int) -> Mesh:
    """Half a millimetre deep below the table."""
    return rounded_box((0.5, 0.5, 0.5), 0.1, steps=1, centre=(2.0 * order, 0, -900))


def _uniform_material(node: Tree, flat: object) -> Tree:
    """Two-sided, with relief, or clear."""
    inner = node["bsdf"] if node["type"] == "twosided" else node
    relief: object = flat
    if inner["type"] == "bumpmap":
        height = np.array(inner["bump"]["bitmap"], np.float32).squeeze()
        small = cv2.resize(height, (_RELIEF_PX, _RELIEF_PX), interpolation=cv2.INTER_AREA)
        relief, inner = make_image(small[..., None] * inner["scale"], "mirror"), inner["bsdf"]
    if "spec_trans" in inner:
        return {**inner, "base_color": _to_picture(inner["base_color"])}
    if inner["type"] == "diffuse":
        inner = {"base_color": inner["reflectance"], "roughness": 1.0, "specular": 0.0}
    plain = {
        "type": "principled",
        "base_color": _to_picture(inner["base_color"]),
        "roughness": inner["roughness"],
        "specular": max(inner["specular"], _UNLIT),
        "metallic": max(inner.get("metallic", 0.0), _UNLIT),
        "clearcoat": max(inner.get("clearcoat", 0.0), _UNLIT),
        "clearcoat_gloss": 0.92,
    }
    return {"type": "twosided", "bsdf": {"type": "bumpmap", "bump": relief, "scale": 1.0, "bsdf": plain}}


def _to_picture(colour: Tree) -> Node:
    if colour["type"] == "bitmap":
        return {**colour, "wrap_mode": "mirror"}
    return make_image(np.tile(np.array(colour["value"], np.float32), (2, 2, 1)), "mirror")
