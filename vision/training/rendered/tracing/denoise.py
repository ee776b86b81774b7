"""Open Image Denoise: with it six samples a pixel suffice."""

import numpy as np
import pyoidn

from vision.training.rendered.tracing.arrays import Floats


def denoise_light(light: Floats, albedo: Floats, normals: Floats) -> Floats:
    """All (h, w, 3); albedo and normals separate edges from noise."""
    return np.asarray(
        pyoidn.denoise(
            _plain(light),
            albedo=_plain(np.clip(np.nan_to_num(albedo), 0, 1)),
            normal=_plain(np.nan_to_num(normals)),
            hdr=True,
            quality="balanced",
        )
    )


def denoise_detail(light: Floats) -> Floats:
    """A small window with many samples, which needs no guides."""
    return np.asarray(pyoidn.denoise(_plain(light), hdr=True, quality="high"))


def _plain(values: Floats) -> Floats:
    return np.ascontiguousarray(values, np.float32)
