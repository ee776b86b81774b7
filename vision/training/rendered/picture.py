"""From a scene to the finished picture and its label."""

import numpy as np

from vision.training.rendered.arrays import Bytes, Floats
from vision.training.rendered.board_shape import field_corners
from vision.training.rendered.camera import Camera
from vision.training.rendered.exposure import developed, distorted
from vision.training.rendered.glare import measure_glare
from vision.training.rendered.labels import Json, label
from vision.training.rendered.path_tracer import PathTracer, Quality
from vision.training.rendered.scene import Scene

_METER_MARGIN_PX = 20


def take_picture(scene: Scene, camera: Camera, quality: Quality, image_name: str) -> tuple[Bytes, Json]:
    """(h, w, 3) BGR, and the label; `camera` is the scene's own or a resized copy."""
    field_px = camera.project(field_corners(scene.table.size))
    with PathTracer(scene, quality) as tracer:
        light = distorted(tracer.trace(camera), camera)
        image = developed(
            light,
            scene.photo,
            np.random.default_rng([scene.seed, 5]),
            metered=_metered(field_px, camera),
            lamp_colour=scene.lighting.mean_colour,
        )
        glare = measure_glare(image, scene, camera)
        return image, label(scene, camera, tracer.is_visible, glare, image_name)


def _metered(field_px: Floats, camera: Camera) -> tuple[slice, slice]:
    """The upright rectangle around the field, a little larger."""
    left, top = np.maximum(field_px.min(axis=0).astype(int) - _METER_MARGIN_PX, 0).tolist()
    right, bottom = (field_px.max(axis=0).astype(int) + _METER_MARGIN_PX).tolist()
    return slice(top, min(bottom, camera.height_px)), slice(left, min(right, camera.width_px))
