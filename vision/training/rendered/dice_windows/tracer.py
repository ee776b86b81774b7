"""Light through the windows of one scene, and through its whole picture at an eighth of the size.

All rays of a scene go in one call, each distorted by the lens, so that nothing is resampled.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np

from vision.training.rendered.dice_windows.scene import DiceScene
from vision.training.rendered.dice_windows.uniform_scene import build_scene_description
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.tracing.arrays import Flags, Floats
from vision.training.rendered.tracing.denoise import denoise_light
from vision.training.rendered.tracing.path_tracer import is_in_free_sight
from vision.training.rendered.tracing.scene_description import make_mesh_folder

_BOUNCES = 3
_GUIDE_SAMPLES = 4
_BRIGHTEST = 40.0  # cap of one sample relative to the picture's mean: keeps single bright samples from spreading


@dataclass(frozen=True, slots=True)
class Patch:
    """Cells of `step_px` pixels; its top-left one begins at the top-left edge of pixel (x, y)."""

    x_px: int
    y_px: int
    columns: int
    rows: int
    samples: int  # for each cell
    step_px: int = 1

    def cells(self) -> Floats:
        """(rows, columns, 2) pixels of the middles."""
        y, x = np.mgrid[0 : self.rows, 0 : self.columns]
        corner = np.array([self.x_px, self.y_px]) - 0.5
        return np.asarray(np.stack([x + 0.5, y + 0.5], axis=-1) * self.step_px + corner)


class WindowTracer:
    """One scene, ready for tracing."""

    def __init__(self, dice_scene: DiceScene) -> None:
        self._camera, self._seed = dice_scene.camera, dice_scene.scene.seed % 65521
        with make_mesh_folder() as folder:
            self._loaded = mi.load_dict(build_scene_description(dice_scene, Path(folder)), parallel=False)

    def trace(self, patches: list[Patch]) -> list[Floats]:
        """(rows, columns, 3) linear RGB of each patch, denoised."""
        samples = [patch.samples for patch in patches]
        light = _average_samples(self._trace_light(_make_rays(self._camera, patches, samples)), patches, samples)
        few = [min(patch.samples, _GUIDE_SAMPLES) for patch in patches]
        guides = _average_samples(self._trace_guides(_make_rays(self._camera, patches, few)), patches, few)
        return [denoise_light(part, guide[..., :3], guide[..., 3:]) for part, guide in zip(light, guides, strict=True)]

    def _trace_light(self, rays: "_Rays") -> Floats:
        """(n, 3)."""
        integrator = mi.load_dict({"type": "path", "max_depth": _BOUNCES, "rr_depth": 10})
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(self._seed, rays.count)
        light, _, _ = integrator.sample(self._loaded, sampler, rays.ray, None, mi.Bool(True))
        found = np.nan_to_num(_stack(light), nan=0, posinf=0)
        return np.asarray(np.minimum(found, found.mean() * _BRIGHTEST))

    def _trace_guides(self, rays: "_Rays") -> Floats:
        """(n, 6): albedo and normal at the first hit."""
        met = self._loaded.ray_intersect(rays.ray)
        albedo = met.bsdf(rays.ray).eval_diffuse_reflectance(met, met.is_valid())
        normal = dr.select(met.is_valid(), met.sh_frame.n, mi.Normal3f(0))
        return _stack(albedo, normal)

    def is_visible(self, points_mm: Floats) -> Flags:
        """(n,) of (n, 3): whether the line from each point to the camera is free."""
        return is_in_free_sight(self._loaded, self._camera.eye_mm, points_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    count: int
    ray: object


def _make_rays(camera: TracedCamera, patches: list[Patch], samples: list[int]) -> _Rays:
    """Rays through all cells, those of a cell side by side and spread evenly over it."""
    ways = [_ray_directions(camera, patch, each) for patch, each in zip(patches, samples, strict=True)]
    x, y = (_copy(np.concatenate([way[axis] for way in ways])) for axis in range(2))
    right, down, ahead = (mi.Vector3f(*row) for row in camera.rotation.tolist())
    eye = mi.Point3f(*camera.eye_mm.tolist())
    dr.make_opaque(right, down, ahead, eye)
    return _Rays(dr.width(x), mi.RayDifferential3f(eye, dr.normalize(right * x + down * y + ahead)))


def _stack(*vectors: Any) -> Floats:
    """(n, 3 for each), read part by part, because a joining program would be compiled for each length."""
    dr.eval(*vectors)
    return np.stack([np.array(part, np.float32) for vector in vectors for part in vector], axis=1)


def _copy(values: Floats) -> object:
    """In the tracer's own memory: numpy's may be aligned otherwise, for which another program would be compiled."""
    target = dr.zeros(mi.Float, len(values))
    dr.scatter(target, mi.Float(np.ascontiguousarray(values, np.float32)), dr.arange(mi.UInt32, len(values)))
    dr.eval(target)
    return target


def _ray_directions(camera: TracedCamera, patch: Patch, samples: int) -> Floats:
    """(2, cells times samples) float32: x/z and y/z before the lens."""
    cells = patch.cells()
    middle = camera.undistort(cells)
    right = (camera.undistort(cells[:, -1] + (patch.step_px, 0)) - middle[:, -1])[:, None]
    below = (camera.undistort(cells[-1] + (0, patch.step_px)) - middle[-1])[None]
    across = np.concatenate([np.diff(middle, axis=1), right], axis=1)
    along = np.concatenate([np.diff(middle, axis=0), below], axis=0)
    steps = np.arange(1, samples + 1)[:, None] * (0.7548776662466927, 0.5698402909980532)  # evenly: Roberts' sequence
    first, second = ((0.5 + steps) % 1 - 0.5).astype(np.float32).T
    at, x, y = (part.reshape(-1, 2).T[..., None].astype(np.float32) for part in (middle, across, along))
    ways: Floats = (at + x * first + y * second).reshape(2, -1)
    return ways


def _average_samples(values: Floats, patches: list[Patch], samples: list[int]) -> list[Floats]:
    """(rows, columns, channels) of each patch, from (n, channels) for all samples."""
    found, start = [], 0
    for patch, each in zip(patches, samples, strict=True):
        count = patch.rows * patch.columns * each
        part = values[start : start + count].reshape(patch.rows, patch.columns, each, -1)
        found.append(np.ascontiguousarray(part.mean(axis=2), np.float32))
        start += count
    return found
