"""Open Image Denoise: with it six samples a pixel suffice."""

import numpy as np
import pyoidn

from vision.training.rendered.tracing.arrays import Floats


def denoise_light(light: Floats, albedo: Floats, normals: Floats) -> Floats:
    """All (h, w, 3); albedo and normals separate edges from noise."""
    guides = {"albedo": np.clip(np.nan_to_num(albedo), 0, 1), "normal": np.nan_to_num(normals)}
    plain = {name: np.ascontiguousarray(guide, np.float32) for name, guide in guides.items()}
    return np.asarray(pyoidn.denoise(np.ascontiguousarray(light, np.float32), **plain, hdr=True, quality="balanced"))


def denoise_detail(light: Floats) -> Floats:
    """A small window with many samples, which needs no guides."""
    return np.asarray(pyoidn.denoise(np.ascontiguousarray(light, np.float32), hdr=True, quality="high"))
