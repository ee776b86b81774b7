"""Shading of dice: body, pips, highlights, transmitted light.

All arrays are per sample: (3, n) float32 linear light, blue first. Positions are in the board's frame unless noted.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.drawn_dice.appearances import DrawnAppearance, Grain
from vision.training.drawn_dice.faces import Pips, Values, compute_pip_share, locate_on_faces, numeral_share
from vision.training.drawn_dice.light import Body, Light, compute_sky_light, compute_transmission
from vision.training.drawn_dice.shape import Array, Hits

BANK_PX = 256
FULL_PIP, NO_PIP = 0.94, 1.06  # soft edge of a pip, in shares of its radius


@dataclass(frozen=True, slots=True, eq=False)
class FaceMarks:
    """The marks on the faces: pips, or with `font` >= 0 the numbers of a doubling cube."""

    values: Values
    pips: Pips
    font: int = -1
    turns: Values = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The light and surfaces around a die."""

    light: Light
    ground: Array  # (3,) albedo of the surface below
    ground_mm: float  # height of the surface below
    others: tuple[Body, ...]


@lru_cache(maxsize=2)
def _make_noise_bank(is_fine: bool) -> Array:
    """(BANK_PX, BANK_PX) seamless noise with mean 0 and deviation 1."""
    noise = np.random.default_rng(11 + is_fine).standard_normal((BANK_PX, BANK_PX)).astype(np.float32)
    total = np.zeros_like(noise)
    for sigma, weight in ((1.0, 1.0),) if is_fine else ((3.0, 0.5), (8.0, 1.0)):
        wide = cv2.GaussianBlur(np.tile(noise, (3, 3)), (0, 0), sigma)[BANK_PX : 2 * BANK_PX, BANK_PX : 2 * BANK_PX]
        total += np.float32(weight) * (wide / wide.std()).astype(np.float32)
    return np.asarray(total / total.std(), np.float32)


def grain_share(appearance: DrawnAppearance, own: Array, offset: float) -> Array:
    """(n,) 0..1 share of the second colour at points of the body (own frame, mm)."""
    if appearance.grain is Grain.PLAIN:
        return np.zeros(own.shape[1], np.float32)
    scale = np.float32(appearance.grain_per_mm * (8 if appearance.grain is not Grain.SPECKLE else 3))
    column = (own[0] + np.float32(0.7) * own[2] + np.float32(offset)) * scale
    row = (own[1] - np.float32(0.6) * own[2]) * scale * np.float32(0.2 if appearance.grain is Grain.WOOD else 1)
    bank = _make_noise_bank(appearance.grain is Grain.SPECKLE)
    noise = bank[row.astype(np.intp) % BANK_PX, column.astype(np.intp) % BANK_PX]
    if appearance.grain is Grain.MARBLE:
        return np.asarray(np.exp(-3 * np.abs(noise)), np.float32)
    return np.asarray(np.clip(0.5 + 0.4 * noise - (0.5 if appearance.grain is Grain.SPECKLE else 0), 0, 1), np.float32)


def _apply_marks(
    appearance: DrawnAppearance, marks: FaceMarks, body: Body, hits: Hits
) -> tuple[Array, Array, NDArray[np.intp], Array]:
    """Albedo (3, n), normals in the own frame bent by pip dishes, face numbers, and each sample's pip share."""
    own, normals = hits.places, hits.normals
    face, place = locate_on_faces(own)
    grain = grain_share(appearance, own, marks.pips.spread * 977)
    albedo = appearance.body[:, None] * (1 - grain) + appearance.second[:, None] * grain
    ink = np.zeros(own.shape[1], np.float32)
    if not appearance.has_pips:
        return albedo.astype(np.float32), normals, face, ink
    share = place / np.float32(body.shape.half_mm)
    if marks.font >= 0:
        ink = numeral_share(marks.values, marks.font, marks.turns, face, share)
        pip = np.repeat(appearance.pip[:, None], len(face), axis=1)
    else:
        value = np.array(marks.values)[face]
        away, way = compute_pip_share(marks.pips, value, share)
        ink = np.clip((NO_PIP - away) / (NO_PIP - FULL_PIP), 0, 1).astype(np.float32)
        pip = np.where(value == appearance.special_value, appearance.special_pip[:, None], appearance.pip[:, None])
        normals = _bend_normals(normals, face, way, np.where(ink > 0.5, marks.pips.depth, 0).astype(np.float32))
        hollow = 1 - 0.35 * max(marks.pips.depth, 0.0)
        pip = pip * np.float32(hollow)
    mixed = albedo * (1 - ink) + pip * ink
    return mixed.astype(np.float32), normals, face, ink


def _bend_normals(normals: Array, face: NDArray[np.intp], way: Array, depth: Array) -> Array:
    """Normals tilted towards the middle of each pip, or away from it where the pip is raised."""
    axis = face // 2
    bent = normals.copy()
    rows = np.arange(len(face))
    bent[np.where(axis == 0, 1, 0), rows] -= depth * way[0]
    bent[np.where(axis == 2, 1, 2), rows] -= depth * way[1]
    return np.asarray(bent / np.sqrt(np.einsum("ij,ij->j", bent, bent)), np.float32)


def shade(
    appearance: DrawnAppearance,
    marks: FaceMarks,
    body: Body,
    hits: Hits,
    *,
    ways: Array,
    around: Surroundings,
    behind: Array,
) -> tuple[Array, NDArray[np.intp]]:
    """Light (3, n) along the rays that hit, and the face that each ray hits.

    `ways` (3, n) are the rays' unit vectors, `behind` (3, n) the light of the picture behind the die.
    """
    albedo, own_normals, face, ink = _apply_marks(appearance, marks, body, hits)
    turn = body.rotation.astype(np.float32)
    normals = turn @ own_normals
    places = turn @ hits.places + body.middle_mm.astype(np.float32)[:, None]
    light = around.light
    above = np.maximum(places[2] - np.float32(around.ground_mm), 0)
    low = 1 - light.occlusion * np.exp(above * np.float32(-4 / body.shape.size_mm)) * (1 - np.abs(normals[2]))
    given = compute_sky_light(light, normals) * low
    given += (0.5 - 0.5 * normals[2]) * (0.8 * around.ground)[:, None]
    mirrored = ways - 2 * np.einsum("ij,ij->j", ways, normals) * normals
    shine = np.zeros_like(albedo)
    glow = np.zeros_like(albedo)
    for lamp in light.lamps:
        facing = lamp.way @ normals
        power = lamp.power[:, None] / max(float(lamp.way[2]), 0.2)
        soft = np.float32(lamp.softness * 0.5)
        seen = np.clip((facing + soft) / (1 + soft), 0, 1)
        for other in around.others:
            seen = seen * compute_transmission(other, places, lamp)
        given += power * seen
        sharp = np.float32(1 / (1 / appearance.sharpness + lamp.softness**2))
        spot = np.exp(sharp * (lamp.way @ mirrored - 1)) * min(float(sharp), 60.0) * (0.06 * lamp.glare)
        shine += power * spot * (seen > 0)
        glow += power * np.clip(-facing, 0, 1)
    facing = np.clip(-np.einsum("ij,ij->j", ways, normals), 0, 1)
    fresnel = np.float32(appearance.gloss) * (0.04 + 0.6 * (1 - facing) ** 4)
    room = (
        compute_sky_light(light, np.asarray(mirrored, np.float32))
        + np.where(mirrored[2] < 0, 0.5, 0) * around.ground[:, None]
    )
    shine = shine * appearance.gloss + room * fresnel
    lit = albedo * given
    if appearance.clear > 0.1:
        through = _compute_translucency(appearance, facing, behind, glow)
        clear = np.float32(appearance.clear) * (1 - ink)
        lit = lit * (1 - clear) + through * clear
    return np.asarray(lit + shine, np.float32), face


def _compute_translucency(appearance: DrawnAppearance, facing: Array, behind: Array, glow: Array) -> Array:
    """Light through a translucent body: strong at its thin rim and on the side away from the lamp."""
    tint = (appearance.body / max(float(appearance.body.max()), 0.05))[:, None] * 0.93
    long = 0.35 + 0.9 * facing
    return np.asarray(behind * tint**long * (1.25 - 0.45 * facing) + 0.5 * glow * tint, np.float32)
