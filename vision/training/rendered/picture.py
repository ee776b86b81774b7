"""From a scene to the finished picture and its label."""

from pathlib import Path

import numpy as np

from vision.training.rendered.difficulty import measure_glare
from vision.training.rendered.exposure import develop, distort, metering_window
from vision.training.rendered.labels import Json, make_label
from vision.training.rendered.layout.board_shape import field_corners
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Bytes
from vision.training.rendered.tracing.path_tracer import PathTracer, TraceQuality
from vision.training.rendered.tracing.scene_description import make_mesh_folder


def take_picture(
    scene: RenderedScene, camera: TracedCamera, quality: TraceQuality, image_name: str
) -> tuple[Bytes, Json]:
    """(h, w, 3) BGR, and the label; `camera` is the scene's own or a resized copy."""
    field_px = camera.project(field_corners(scene.table.size))
    with make_mesh_folder() as folder:
        tracer = PathTracer(scene, quality, Path(folder))
        light = distort(tracer.trace(camera), camera)
        image = develop(
            light,
            scene.photo,
            np.random.default_rng([scene.seed, 5]),
            metered=metering_window(field_px, (camera.width_px, camera.height_px)),
            lamp_colour=scene.lighting.mean_colour,
        )
        glare = measure_glare(image, scene, camera)
        return image, make_label(scene, camera, tracer.is_visible, glare, image_name)
