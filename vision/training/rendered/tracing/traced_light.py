"""Adds lamps and the surrounding room to the description."""

import mitsuba as mi
import numpy as np

from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.lamps import AreaLamp, LampShape, Lighting
from vision.training.rendered.layout.textures import noise
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Floats
from vision.training.rendered.tracing.meshes import Mesh, disc, grid_faces, rectangle
from vision.training.rendered.tracing.scene_description import SceneDescription, make_emitter, rgb

_RING_SEGMENTS = 32
_ROOM_PX = (48, 96)


def add_lighting(stage: SceneDescription, scene: RenderedScene, rng: np.random.Generator) -> None:
    for lamp in scene.lighting.lamps:
        radiance = np.array(lamp.colour) / lamp.light_per_radiance(scene.camera.eye_mm)
        mesh = _build_ring(lamp, scene.camera) if lamp.shape is LampShape.RING else _build_panel(lamp)
        stage.add(mesh, {"type": "diffuse", "reflectance": rgb((0.2, 0.2, 0.2))}, make_emitter(radiance))
    stage.nodes["room"] = {
        "type": "envmap",
        "bitmap": mi.Bitmap(_paint_room(scene.lighting, rng)),
        "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
    }


def _build_panel(lamp: AreaLamp) -> Mesh:
    """A disc or a rectangle that faces the middle of the field."""
    centre = np.array(lamp.centre_mm)
    normal = -centre / np.linalg.norm(centre)
    x = np.cross((0, 0, 1.0) if abs(normal[2]) < 0.95 else (0, 1.0, 0), normal)
    x /= np.linalg.norm(x)
    y = np.cross(normal, x)
    cos, sin = np.cos(lamp.spin_rad), np.sin(lamp.spin_rad)
    x, y = (cos * x + sin * y) * lamp.half_mm[0], (-sin * x + cos * y) * lamp.half_mm[1]
    if lamp.shape is LampShape.RECTANGLE:
        return rectangle(centre, x, y, normal)
    return disc(centre, x, y, normal, segments=24)


def _build_ring(lamp: AreaLamp, camera: TracedCamera) -> Mesh:
    """Around the lens, 4 mm before it."""
    right, down, ahead = camera.rotation
    radius, width = lamp.half_mm
    angles = np.linspace(0, 2 * np.pi, _RING_SEGMENTS + 1)[:, None]
    out = np.cos(angles) * right + np.sin(angles) * down
    corners = camera.eye_mm + 4 * ahead + np.vstack([out * (radius - width / 2), out * (radius + width / 2)])
    normals = np.tile(ahead, (len(corners), 1))
    return Mesh(corners, normals, corners[:, :2], grid_faces(2, _RING_SEGMENTS + 1)).face_towards(ahead)


def _paint_room(lighting: Lighting, rng: np.random.Generator) -> Floats:
    """(48, 96, 3) float32: brighter above than below, with blotches."""
    rows, _ = _ROOM_PX
    blotches = noise(rng, _ROOM_PX, (14, 20), octaves=2)
    light = np.clip(0.55 + 0.45 * np.linspace(1, -1, rows)[:, None] + 0.35 * blotches, 0.08, 2.0)
    tint = 1 + 0.15 * noise(rng, _ROOM_PX, (20, 30), octaves=1)[..., None] * (1, 0, -1)
    room = light[..., None] * tint * np.array(lighting.ambient_colour) * lighting.room_power / np.pi
    return np.ascontiguousarray(np.maximum(room, 1e-4), np.float32)
