"""Adds field, rims, bar, trays, hinges, LEDs, markers and the table to the description."""

import cv2
import numpy as np

from vision.training.rendered.layout.board_shape import Box
from vision.training.rendered.layout.board_size import Bar
from vision.training.rendered.layout.field_texture import paint_field_texture
from vision.training.rendered.layout.rim_marks import LED_HEIGHT_MM, led_strip_mm
from vision.training.rendered.layout.rotations import about_z
from vision.training.rendered.layout.textures import make_swatch
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Floats
from vision.training.rendered.tracing.meshes import Mesh, flat_disc, merge_meshes, rectangle, rounded_box
from vision.training.rendered.tracing.scene_description import (
    SOFT,
    SceneDescription,
    make_coloured_material,
    make_emitter,
    make_image,
    make_textured_material,
)

_PIECE_MM = 300.0  # of wood before it repeats
_TABLE_MM = 1700.0  # half the edge of the table
_TABLE_PX_PER_MM = 0.5
_BRASS = (0.62, 0.42, 0.14)
_LED_RADIANCE = 55.0  # of a lit LED, relative to the light on the field: clips in most exposures, as on real boards


def add_board(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    size, style = scene.table.size, scene.style.field
    x, y = size.field_width_mm / 2, size.field_height_mm / 2
    field = rectangle((0, 0, 0), (x, 0, 0), (0, y, 0)).with_image_rows()
    piece = paint_field_texture(rng, size, style, stage.px_per_mm)
    stage.add(field, make_textured_material(piece, style.roughness, style.ground.surface, wrap="clamp"))
    _add_walls(stage, scene, rng)
    for low, high in scene.table.shape.trays_mm:
        lining = rectangle(((low + high) / 2, 0, 0.2), ((high - low) / 2, 0, 0), (0, y, 0))
        finish = stage.make_material(rng, scene.style.frame.tray_lining, 0.9, piece_mm=80)
        stage.add(lining.scale_texture((1, 2 * y / (high - low))), finish)
    if size.bar is Bar.HINGED:
        stage.add(_build_hinges(y, size.bar_height_mm), make_coloured_material(_BRASS, 0.32, metallic=1.0))


def _add_walls(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    frame = scene.style.frame
    rim: list[Mesh] = []
    bar: list[Mesh] = []
    for box in scene.table.shape.boxes:
        (bar if box.name.startswith("bar") else rim).append(_build_wall(box, rng))
    finish = stage.make_material(rng, frame.rim, frame.roughness, piece_mm=_PIECE_MM)
    stage.add(merge_meshes(rim), finish)
    if bar:
        if frame.bar is not frame.rim:
            finish = stage.make_material(rng, frame.bar, frame.roughness, piece_mm=_PIECE_MM)
        stage.add(merge_meshes(bar), finish)


def _build_wall(box: Box, rng: np.random.Generator) -> Mesh:
    """A box with rounded edges; the floor lies a hair below the field."""
    low, high = np.array(box.low), np.array(box.high)
    edges, centre = high - low, (low + high) / 2
    if box.name == "floor":
        mesh = rounded_box(edges - (0, 0, 0.4), 0.2, steps=1, centre=centre - (0, 0, 0.2))
    else:
        mesh = rounded_box(edges, min(3.0, 0.22 * float(edges.min())), centre=centre)
    return mesh.move(texture_shift=rng.uniform(0, 3, 2))


def _build_hinges(reach_mm: float, height_mm: float) -> Mesh:
    parts = []
    for y in (-reach_mm * 0.64, reach_mm * 0.64):
        parts += [rounded_box((8, 34, 0.8), 0.3, steps=1, centre=(x, y, height_mm + 0.2)) for x in (-5.2, 5.2)]
        parts.append(rounded_box((3.4, 34, 3.0), 1.4, centre=(0, y, height_mm + 0.3)))
    return merge_meshes(parts)


def add_table(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    surface = scene.style.table.surface
    piece = make_swatch(rng, scene.style.table, width_mm=_TABLE_MM, height_mm=_TABLE_MM, px_per_mm=_TABLE_PX_PER_MM)
    top = rectangle((0, 0, scene.table.shape.table_z_mm), (_TABLE_MM, 0, 0), (0, _TABLE_MM, 0))
    is_square = surface not in SOFT  # wooden tables stand along the board, cloths lie at any angle
    turn = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.05) if is_square else rng.uniform(0, 2 * np.pi)
    texture = top.corners[:, :2] @ about_z(turn)[:2, :2].T / _TABLE_MM + 0.5
    roughness = rng.uniform(0.3, 0.5) if is_square else 0.95
    stage.add(Mesh(top.corners, top.normals, texture, top.faces), make_textured_material(piece, roughness, surface))


def add_leds(stage: SceneDescription, scene: RenderedScene, field_light: float) -> None:
    """A strip at the far and near rim; `field_light` is the radiance of a white sheet on the field."""
    if not scene.leds:
        return
    size = scene.table.size
    width, away = led_strip_mm(size)
    edges, z = (size.field_width_mm - 4, width, 0.8), size.rim_height_mm
    strips = [rounded_box(edges, 0.3, steps=1, centre=(0, y, z + 0.4)) for y in (away, -away)]
    strip = (0.02, 0.02, 0.02) if scene.style.frame.is_led_strip_dark else (0.7, 0.7, 0.68)
    stage.add(merge_meshes(strips), make_coloured_material(strip, 0.5))
    housings, dark = [], []
    for led in scene.leds:
        x, y, top = led.centre_mm
        housings.append(rounded_box((5, 5, 1.6), 0.3, steps=1, centre=(x, y, top - LED_HEIGHT_MM + 1.4)))
        window = flat_disc((x, y, top + 0.05), 2.0)
        if led.light is None:
            dark.append(window)
        else:
            radiance = np.array(led.light) * _LED_RADIANCE * scene.led_gain * field_light
            grey, glow = make_coloured_material((0.5, 0.5, 0.5), 0.5), make_emitter(radiance, sampling_weight=0.12)
            stage.add(window, grey, glow)
    stage.add(merge_meshes(housings), make_coloured_material((0.75, 0.75, 0.73), 0.4))
    if dark:
        stage.add(merge_meshes(dark), make_coloured_material((0.55, 0.50, 0.25), 0.3))


def add_markers(stage: SceneDescription, scene: RenderedScene) -> None:
    """Printed cards, DICT_4X4_50."""
    for marker in scene.markers:
        half = marker.card_mm / 2
        sheet = rectangle((0, 0, 0.02), (half, 0, 0), (0, half, 0)).with_image_rows()
        paper = make_coloured_material(make_image(make_marker_print(marker.number), "clamp"), 0.7, 0.2)
        stage.add(sheet.move(marker.rotation, marker.centre_mm), paper)
        card = rounded_box((marker.card_mm, marker.card_mm, 0.9), 0.2, steps=1, centre=(0, 0, -0.45))
        stage.add(card.move(marker.rotation, marker.centre_mm), make_coloured_material((0.72, 0.72, 0.70), 0.7, 0.2))


def make_marker_print(number: int, *, cell_px: int = 24) -> Floats:
    """(8 cells, 8 cells, 3): the marker within a white border of one cell."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    card = np.full((cell_px * 8, cell_px * 8), 255, np.uint8)
    card[cell_px:-cell_px, cell_px:-cell_px] = cv2.aruco.generateImageMarker(dictionary, number, cell_px * 6)
    ink = np.where(card > 127, 0.74, 0.02).astype(np.float32)
    return np.repeat(ink[..., None], 3, axis=2)
