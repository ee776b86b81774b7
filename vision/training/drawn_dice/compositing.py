"""Composites dice into a window of a picture: ray casting, shading, shadows, occlusion."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.drawn_dice.appearances import DrawnAppearance
from vision.training.drawn_dice.ground import Ground
from vision.training.drawn_dice.light import Body, Light, compute_openness, compute_transmission
from vision.training.drawn_dice.resting_poses import RestingBody
from vision.training.drawn_dice.shading import FaceMarks, Surroundings, shade
from vision.training.drawn_dice.shape import Array, trace
from vision.training.drawn_dice.truth import project_to_crop, upper_face
from vision.training.drawn_dice.window import PictureWindow

_CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64).T
FINE_PX = 30.0  # dice with larger edges get 3 x 3 samples a pixel, smaller ones 4 x 4


@dataclass(frozen=True, slots=True, eq=False)
class DrawnBody:
    """A body at rest with its appearance and marks."""

    rest: RestingBody
    appearance: DrawnAppearance
    marks: FaceMarks


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One rendered body; `colour` (h, w, 3) is premultiplied with `cover` (h, w)."""

    colour: Array
    cover: Array
    top_cover: Array  # of the upper face alone
    whole_px: float  # areas of body and upper face in pixels without occlusion
    whole_top_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """Everything that all bodies of a window share."""

    window: PictureWindow
    ground: Ground
    heights: Array
    light: Light
    exposure: Array


def painters_order(pieces: Sequence[DrawnBody], scenery: Scenery) -> list[int]:
    """Indices of the bodies, far ones first."""
    camera = np.array(scenery.window.projection.camera_mm)
    return sorted(range(len(pieces)), key=lambda i: -float(np.linalg.norm(pieces[i].rest.body.middle_mm - camera)))


def render_layer(piece: DrawnBody, others: Sequence[Body], scenery: Scenery) -> Layer:
    """The picture of one body, before lens and noise."""
    window, body = scenery.window, piece.rest.body
    corners = project_to_crop(window.projection, body.rotation @ (_CUBE * body.shape.half_mm) + body.middle_mm[:, None])
    low = np.floor(corners.min(axis=0) - 0.5).astype(int)
    size = np.ceil(corners.max(axis=0) + 1.5).astype(int) - low
    samples = 3 if size.max() > 1.3 * FINE_PX else 4
    ways = _ray_directions(scenery, low, size, samples)
    camera = np.array(window.projection.camera_mm)
    turn = body.rotation
    hits = trace(body.shape, turn.T @ (camera - body.middle_mm), (turn.T.astype(np.float32) @ ways))
    behind = _sample_background(window, low, size, samples)[:, hits.is_hit] / scenery.exposure[:, None]
    ground = np.clip(behind.mean(axis=1), 0.02, 0.9) if behind.size else np.full(3, 0.3)
    around = Surroundings(scenery.light, ground.astype(np.float32), piece.rest.ground_mm, tuple(others))
    colour, face = shade(
        piece.appearance, piece.marks, body, hits, ways=ways[:, hits.is_hit], around=around, behind=behind
    )  # fmt: skip
    # Highlights beyond white are clipped to the level at which they still bleed into neighbours.
    colour = np.minimum(colour * scenery.exposure[:, None], 2.5)
    places = turn.astype(np.float32) @ hits.places + body.middle_mm.astype(np.float32)[:, None]
    shown = ~_find_occluded(places, scenery.ground, camera)
    is_top = face == upper_face(body)
    planes = np.zeros((hits.is_hit.size, 5), np.float32)
    planes[hits.is_hit] = np.concatenate([colour * shown, shown[None], (shown & is_top)[None]]).T
    shape = (int(size[0]), int(size[1]))
    small = cv2.resize(planes.reshape(shape[1] * samples, shape[0] * samples, 5), shape, interpolation=cv2.INTER_AREA)
    laid = _embed_in_window(small.astype(np.float32, copy=False), low, window.size_px)
    area = samples**2
    return Layer(
        np.ascontiguousarray(laid[..., :3]), np.ascontiguousarray(laid[..., 3]), np.ascontiguousarray(laid[..., 4]),
        float(hits.is_hit.sum()) / area, float(is_top.sum()) / area,
    )  # fmt: skip


def _ray_directions(scenery: Scenery, low: NDArray[np.intp], size: NDArray[np.intp], samples: int) -> Array:
    """(3, n) unit vectors of the rays through the samples of a box of pixels, row by row."""
    projection = scenery.window.projection
    columns, rows = np.arange(-1, size[0] + 1) + low[0], np.arange(-1, size[1] + 1) + low[1]
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    places = projection.to_board(grid).reshape(len(rows), len(columns), 2).astype(np.float32)
    fine = cv2.resize(places, None, fx=samples, fy=samples, interpolation=cv2.INTER_LINEAR)
    fine = fine[samples:-samples, samples:-samples].reshape(-1, 2).T
    camera = np.array(projection.camera_mm, np.float32)
    ways = np.empty((3, fine.shape[1]), np.float32)
    ways[:2] = fine - camera[:2, None]
    ways[2] = -camera[2]
    ways /= np.sqrt(np.einsum("ij,ij->j", ways, ways))
    return ways


def _sample_background(window: PictureWindow, low: NDArray[np.intp], size: NDArray[np.intp], samples: int) -> Array:
    """(3, n) light of the picture at the samples."""
    width, height = window.size_px
    columns = np.clip(np.arange(size[0]) + low[0], 0, width - 1)
    rows = np.clip(np.arange(size[1]) + low[1], 0, height - 1)
    patch = window.light[np.ix_(rows, columns)]
    fine = cv2.resize(patch, None, fx=samples, fy=samples, interpolation=cv2.INTER_NEAREST)
    return np.ascontiguousarray(fine.reshape(-1, 3).T)


def _embed_in_window(planes: Array, low: NDArray[np.intp], size_px: tuple[int, int]) -> Array:
    """Puts planes (rows, columns, k) of a box of pixels into the whole window."""
    width, height = size_px
    laid = np.zeros((height, width, planes.shape[2]), np.float32)
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(width, int(low[0]) + planes.shape[1]), min(height, int(low[1]) + planes.shape[0])
    if left < right and top < bottom:
        laid[top:bottom, left:right] = planes[top - low[1] : bottom - low[1], left - low[0] : right - low[0]]
    return laid


def _find_occluded(places: Array, ground: Ground, camera: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) whether a checker, the bar or the rim stands between the points (3, n) and the camera."""
    hidden = np.zeros(places.shape[1], np.bool_)
    if not places.size:
        return hidden
    middle = places[:2].mean(axis=1)
    lowest = float(places[2].min())
    away = np.hypot(*(ground.centres_mm - middle).T)
    for index in np.flatnonzero((away < ground.radii_mm + 40) & (ground.tops_mm > lowest + 0.3)):
        start, end = _sight_lines_below(places, camera, float(ground.tops_mm[index]))
        centre, radius = ground.centres_mm[index][:, None], float(ground.radii_mm[index])
        way, back = end - start, centre - start
        along = np.clip((way * back).sum(axis=0) / np.maximum((way * way).sum(axis=0), 1e-6), 0, 1)
        nearest = np.hypot(*(start + along * way - centre))
        hidden |= (nearest < radius) & (places[2] < ground.tops_mm[index] - 0.3)
    return np.asarray(hidden | _find_behind_walls(places, ground, camera), np.bool_)


def _sight_lines_below(places: Array, camera: NDArray[np.float64], height_mm: float) -> tuple[Array, Array]:
    """The vertical projection of the part of each line of sight below a height: starts and ends (2, n)."""
    share = np.maximum((height_mm - places[2]) / (camera[2] - places[2]), 0)
    end = places[:2] + share * (camera[:2, None] - places[:2])
    return places[:2], np.asarray(end, np.float32)


def _find_behind_walls(places: Array, ground: Ground, camera: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) whether the line of sight leaves the field, or enters the bar, below the top of the wall."""
    field, heights = ground.field, ground.heights
    size = np.array([[field.width_mm], [field.height_mm]])
    start, end = _sight_lines_below(places, camera, heights.rim_mm)
    inside = ((start > 0) & (start < size)).all(axis=0)
    hidden = np.asarray(inside & ~((end > 0) & (end < size)).all(axis=0), np.bool_)
    wide = heights.rim_width_mm
    is_out = ~((start > -wide) & (start < size + wide)).all(axis=0)
    hidden |= is_out & ((end > -wide) & (end < size + wide)).all(axis=0)
    if field.bar_right_mm - field.bar_left_mm > 4:
        start, end = _sight_lines_below(places, camera, heights.bar_mm)
        hidden |= (start[0] < field.bar_left_mm) & (end[0] > field.bar_left_mm)
        hidden |= (start[0] > field.bar_right_mm) & (end[0] < field.bar_right_mm)
    return hidden


def compute_shadow(pieces: Sequence[DrawnBody], scenery: Scenery) -> Array:
    """(h, w, 3) share of light that remains on the window's own surfaces."""
    window, light = scenery.window, scenery.light
    height, width = scenery.heights.shape
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    grid = np.stack([columns.ravel(), rows.ravel()], axis=-1)
    flat = scenery.heights.ravel().astype(np.float64)
    near = _find_shadow_pixels(pieces, window, grid)
    places = np.empty((3, int(near.sum())), np.float32)
    places[:2] = window.projection.to_board(grid[near], flat[near]).T
    places[2] = flat[near]
    bodies = [piece.rest.body for piece in pieces]
    left = light.sky[:, None] * compute_openness(bodies, places, light)
    for lamp in light.lamps:
        share = np.ones((3, places.shape[1]), np.float32)
        for piece, body in zip(pieces, bodies, strict=True):
            through = 0.7 * piece.appearance.clear * piece.appearance.body[:, None] ** 0.5
            share *= 1 - (1 - compute_transmission(body, places, lamp)) * (1 - through)
        left += lamp.power[:, None] * share
    total = light.sky + sum(lamp.power for lamp in light.lamps)
    whole = np.ones((height * width, 3), np.float32)
    whole[near] = (left / total[:, None]).T
    return whole.reshape(height, width, 3)


def _find_shadow_pixels(
    pieces: Sequence[DrawnBody], window: PictureWindow, grid: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """The pixels that a body's shadow can reach."""
    near = np.zeros(len(grid), np.bool_)
    for piece in pieces:
        body = piece.rest.body
        ends = body.middle_mm[:, None] + np.array([[0, 1], [0, 0], [0, 0]]) * body.shape.size_mm
        middle, beside = project_to_crop(window.projection, ends)
        reach = 2.6 * float(np.linalg.norm(beside - middle))
        near |= ((grid - middle) ** 2).sum(axis=1) < reach * reach
    return near


def compute_visible_shares(layers: Sequence[Layer], cover: Array) -> list[float]:
    """Of each upper face, far layers first; `cover` (h, w) covers all."""
    open_ = 1 - cover
    found = []
    for layer in reversed(layers):
        found.append(min(float((layer.top_cover * open_).sum()) / max(layer.whole_top_px, 1e-6), 1.0))
        open_ = open_ * (1 - layer.cover)
    return found[::-1]
