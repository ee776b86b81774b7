"""Path tracing of a scene (linear RGB, denoised), and visibility of points from the camera."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import mitsuba as mi
import numpy as np

from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.dice_state import PlacedDie
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Flags, Floats
from vision.training.rendered.tracing.denoise import denoise_detail, denoise_light
from vision.training.rendered.tracing.scene_description import Node, SceneDescription
from vision.training.rendered.tracing.traced_board import add_board, add_leds, add_markers, add_table
from vision.training.rendered.tracing.traced_hand import make_hand, travel_direction
from vision.training.rendered.tracing.traced_light import add_lighting
from vision.training.rendered.tracing.traced_pieces import add_checkers, add_clutter, add_cube, add_dice, add_stand

_CLEAR_MM = 0.8  # a line of sight may end this far before its point
_HAND_MOMENTS = 5  # of a moving hand within one exposure
_WINDOW_FADE_PX = 5.0


@dataclass(frozen=True, slots=True)
class TraceQuality:
    """The cost of a picture: time is proportional to samples times scale squared."""

    samples: int = 6  # for each pixel
    bounces: int = 3
    scale: float = 0.75  # traced size over picture size
    die_samples: int = 64  # for each pixel, in windows around the dice traced again at full size; 0: none
    texture_px_per_mm: float = 2.0


class PathTracer:
    """One scene, ready for tracing. `folder` holds its meshes."""

    def __init__(self, scene: RenderedScene, quality: TraceQuality, folder: Path) -> None:
        self._scene, self._quality = scene, quality

        def add_pieces(stage: SceneDescription, dice: np.random.Generator, _: np.random.Generator) -> None:
            add_dice(stage, scene, dice)
            add_cube(stage, scene)

        self._stage = SceneDescription(folder, quality.texture_px_per_mm)
        describe_scene(self._stage, scene, 991, add_pieces)
        self._hand = [] if scene.hand is None else make_hand(self._stage, scene.hand)
        self._loaded = self._load(np.zeros(3))

    def _load(self, hand_shift_mm: Floats) -> object:
        stage = self._stage.copy()
        for mesh, material in self._hand:
            stage.add(mesh.move(shift=hand_shift_mm), material)
        loaded: object = mi.load_dict(stage.nodes)
        return loaded

    def trace(self, camera: TracedCamera) -> Floats:
        """(h, w, 3) float32 linear RGB without lens distortion, of `camera.traced_size_px`."""
        width, height = camera.traced_size_px
        small = tuple(int(2 * round(length * self._quality.scale / 2)) for length in (width, height))
        sensor = mi.load_dict(_make_sensor(camera, (width, height), small))
        light = denoise_light(self._expose(camera, sensor), *self._trace_guides(sensor))
        light = _enlarge(light, width, height)
        if self._quality.die_samples:
            for order, die in enumerate(self._scene.dice):
                self._retrace(light, camera, die, order)
        return np.maximum(light, 0)

    def _expose(self, camera: TracedCamera, sensor: object) -> Floats:
        """The mean over the moments of the exposure; one moment unless a hand moves."""
        hand, seed, samples = self._scene.hand, self._scene.seed % 65521, self._quality.samples
        integrator = self._make_integrator()
        if hand is None or not hand.motion_px:
            return _render(self._loaded, sensor, integrator, samples=samples, seed=seed)
        travel = travel_direction(hand) * hand.motion_px / camera.focal_px * float(camera.eye_mm[2])
        travel *= camera.width_px / 1280  # the displacement refers to a picture that wide
        moments = []
        for moment in range(_HAND_MOMENTS):
            self._loaded = self._load(travel * (moment / _HAND_MOMENTS - 0.5))
            each = max(1, round(samples / _HAND_MOMENTS))
            moments.append(_render(self._loaded, sensor, integrator, samples=each, seed=seed + 17 * moment))
        return np.asarray(np.mean(moments, axis=0))

    def _make_integrator(self) -> object:
        integrator: object = mi.load_dict({"type": "path", "max_depth": self._quality.bounces, "rr_depth": 10})
        return integrator

    def _trace_guides(self, sensor: object) -> tuple[Floats, Floats]:
        """Albedo and normals for the denoiser, in a separate pass: inside the path tracer they cost twice as much."""
        guides = mi.load_dict({"type": "aov", "aovs": "albedo:albedo,normal:sh_normal"})
        seed = self._scene.seed % 65521 + 5
        image = np.array(mi.render(self._loaded, sensor=sensor, integrator=guides, spp=3, seed=seed), np.float32)
        return image[..., :3], image[..., 3:6]

    def _retrace(self, light: Floats, camera: TracedCamera, die: PlacedDie, order: int) -> None:
        """Blends a window around a die, traced at full size with many samples, into `light`: pips have few pixels."""
        height, width = light.shape[:2]
        corner, extent = _die_window(camera, die, self._scene.table.size.die_mm, width=width, height=height)
        if min(extent) < 12:
            return
        node = _make_sensor(camera, (width, height), (width, height), window=(corner, extent))
        seed = self._scene.seed % 65521 + 77 + order
        detail = _render(
            self._loaded, mi.load_dict(node), self._make_integrator(), samples=self._quality.die_samples, seed=seed
        )
        detail = denoise_detail(_remove_fireflies(detail))
        edges = [np.minimum(np.arange(n), np.arange(n)[::-1]) for n in extent]
        share = np.clip((np.minimum(edges[0][None], edges[1][:, None]) + 0.5) / _WINDOW_FADE_PX, 0, 1)[..., None]
        target = light[corner[1] : corner[1] + extent[1], corner[0] : corner[0] + extent[0]]
        target += (detail - target) * share

    def is_visible(self, points_mm: Floats) -> Flags:
        """(n,) of (n, 3): whether the line from each point to the camera is free."""
        return is_in_free_sight(self._loaded, self._scene.camera.eye_mm, points_mm)


def is_in_free_sight(loaded: object, eye_mm: Floats, points_mm: Floats) -> Flags:
    """(n,) of (n, 3): whether the line from the eye to each point meets nothing before the point."""
    away = points_mm - eye_mm
    length = np.linalg.norm(away, axis=1)
    way = away / length[:, None]
    start = mi.Point3f(*(mi.Float(np.full(len(points_mm), value, np.float32)) for value in eye_mm))
    ray = mi.Ray3f(start, mi.Vector3f(*(mi.Float(np.ascontiguousarray(part, np.float32)) for part in way.T)))
    ray.maxt = mi.Float((length - _CLEAR_MM).astype(np.float32))
    return ~np.asarray(loaded.ray_test(ray)).astype(bool)  # type: ignore[attr-defined]


AddDice = Callable[[SceneDescription, np.random.Generator, np.random.Generator], None]


def describe_scene(stage: SceneDescription, scene: RenderedScene, stream: int, add_dice_and_cube: AddDice) -> None:
    """Adds everything but the hand; each part has its own random stream, dice and clutter share theirs with their
    function.
    """
    parts = (np.random.default_rng([scene.seed, stream, part]) for part in range(6))
    light, board, table, checkers, dice, clutter = parts
    add_lighting(stage, scene, light)
    add_board(stage, scene, board)
    add_table(stage, scene, table)
    add_checkers(stage, scene, checkers)
    add_dice_and_cube(stage, dice, clutter)
    add_leds(stage, scene, (scene.lighting.lamp_power + scene.lighting.room_power) / np.pi)
    add_markers(stage, scene)
    add_clutter(stage, scene, clutter)
    add_stand(stage, scene)


def _render(loaded: object, sensor: object, integrator: object, *, samples: int, seed: int) -> Floats:
    image = mi.render(loaded, sensor=sensor, integrator=integrator, spp=samples, seed=seed)
    return np.nan_to_num(np.array(image, np.float32)[..., :3], nan=0, posinf=0)


def _enlarge(light: Floats, width: int, height: int) -> Floats:
    """The same factor in both directions about the middle, although the traced size was rounded: labels rely on it."""
    rows, columns = light.shape[:2]
    share = columns / width
    x, y = ((small - 1) / 2 - share * (large - 1) / 2 for small, large in ((columns, width), (rows, height)))
    to_small = np.array([[share, 0, x], [0, share, y]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    enlarged = cv2.warpAffine(light, to_small, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(enlarged)


def _make_sensor(
    camera: TracedCamera,
    full_px: tuple[int, int],
    film_px: tuple[int, ...],
    *,
    window: tuple[tuple[int, int], tuple[int, int]] | None = None,
) -> Node:
    """The camera without its lens: `full_px` wide at its focal length, stored as `film_px`, or a window of it."""
    eye, (_, down, ahead) = camera.eye_mm, camera.rotation
    film: Node = {
        "type": "hdrfilm",
        "width": film_px[0],
        "height": film_px[1],
        "pixel_format": "rgb",
        "component_format": "float32",
        "rfilter": {"type": "box"},
    }
    if window is not None:
        (x, y), (width, height) = window
        film |= {"crop_offset_x": x, "crop_offset_y": y, "crop_width": width, "crop_height": height}
    return {
        "type": "perspective",
        "fov_axis": "x",
        "fov": float(np.degrees(2 * np.arctan(full_px[0] / 2 / camera.focal_px))),
        "near_clip": 5.0,
        "far_clip": 30000.0,
        "to_world": mi.ScalarTransform4f().look_at(
            origin=eye.tolist(), target=(eye + ahead * 100).tolist(), up=(-down).tolist()
        ),
        "film": film,
        "sampler": {"type": "independent"},
    }


def _die_window(
    camera: TracedCamera, die: PlacedDie, die_mm: float, *, width: int, height: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """(corner, extent) in the traced picture; an extent may be negative when the die is outside."""
    seen = camera.rotation @ np.array(die.centre_mm) + camera.shift_mm
    x, y = seen[:2] / seen[2] * camera.focal_px + np.array([width - 1, height - 1]) / 2
    reach = die_mm * 1.25 / float(np.linalg.norm(seen)) * camera.focal_px
    left, top = max(0, int(np.floor(x - reach))), max(0, int(np.floor(y - reach)))
    right, bottom = min(width, int(np.ceil(x + reach))), min(height, int(np.ceil(y + reach)))
    return (left, top), (right - left, bottom - top)


def _remove_fireflies(light: Floats) -> Floats:
    """Clips single bright pixels, from light focused by shiny or clear dice, which the denoiser would smear."""
    light = np.minimum(light, np.percentile(light, 99.5) * 3 + 1e-6).astype(np.float32)
    median = np.stack(
        [np.asarray(cv2.medianBlur(np.ascontiguousarray(part), 3)) for part in light.transpose(2, 0, 1)], -1
    )
    is_sparkle = light.max(-1, keepdims=True) > 1.8 * median.max(-1, keepdims=True) + 1e-4
    return np.where(is_sparkle, median, light)
