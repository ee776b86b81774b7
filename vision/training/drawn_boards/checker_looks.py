"""Tops of checkers as on real boards: rings, carvings, inlay, logos, marbled resin, metal, clear plastic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing.textures import bgr, read_picture
from vision.simulated.scene import CheckerProfile, CheckerStyle, Colour
from vision.training.drawn_boards.finishes import draw_bool, draw_choice, random_colour, vary_colour
from vision.training.drawn_boards.texture_library import TextureLibrary

Pixels = NDArray[Any]


class Carving(Enum):
    """What is turned, carved or printed on a top."""

    RINGS = "rings"
    PETALS = "petals"
    SPOKES = "spokes"
    SPIRAL = "spiral"
    NOTCHES = "notches"
    ART = "art"
    INLAY = "inlay"
    CRYSTAL = "crystal"
    METAL = "metal"


@dataclass(frozen=True, slots=True)
class TopDecoration:
    """Paints a top, (side, side, 3) uint8, in place: `strength` is the change of tone of a carving."""

    carving: Carving
    strength: float
    number: int
    inner: float  # radius of the carved part, 0..1
    ink: Colour
    picture: str = ""

    def __call__(self, top: Pixels) -> None:
        side = top.shape[0]
        axis = ((np.arange(side, dtype=np.float32) + 0.5) / side * 2 - 1)[None, :]
        radius, turn = np.sqrt(axis**2 + axis.T**2), np.arctan2(axis.T, axis)
        if self.carving in (Carving.ART, Carving.INLAY):
            self._print(top, radius)
            return
        tone = self._tone(radius, turn.astype(np.float32))
        top[:] = np.clip(top.astype(np.float32) * tone[..., None], 0, 255).astype(np.uint8)

    def _tone(self, radius: Pixels, turn: Pixels) -> Pixels:
        deep, inside = self.strength, (radius < self.inner).astype(np.float32)
        tone: Pixels
        match self.carving:
            case Carving.RINGS:
                tone = 1 - deep * 0.5 * (1 + np.cos(radius / self.inner * np.pi * 2 * (1 + self.number % 4))) * inside
            case Carving.PETALS:
                petal = self.inner * (0.65 + 0.35 * np.cos(self.number * turn))
                edge = np.exp(-(((radius - petal) / 0.07) ** 2))
                tone = 1 - deep * edge + 0.3 * deep * (radius < petal)
            case Carving.SPOKES:
                tone = 1 - deep * (np.cos(self.number * turn) > 0.6) * inside * (radius > 0.15)
            case Carving.SPIRAL:
                tone = 1 - deep * (np.cos(turn + 9 * radius) > 0.5) * inside
            case Carving.NOTCHES:
                tone = 1 - deep * (np.cos((8 + self.number) * turn) > 0.3) * (radius > 0.8)
            case Carving.CRYSTAL:
                # Clear plastic: bright caustics on the far side, a dark line around, a pale middle.
                ring = np.exp(-(((radius - 0.9) / 0.08) ** 2))
                caustic = np.exp(-(((radius - 0.7) / 0.16) ** 2)) * np.clip(np.cos(turn - self.number), 0, 1)
                tone = 1 - 0.6 * deep * ring + 1.6 * deep * caustic + 0.25 * deep * (radius < 0.55)
            case _:
                # Spun metal: light and dark sectors, as a lamp shows on turned grooves.
                tone = 1 + deep * (np.cos(2 * (turn - self.number)) + 0.4 * np.cos(4 * turn)) * (radius > 0.08)
        return tone

    def _print(self, top: Pixels, radius: Pixels) -> None:
        side = top.shape[0]
        shown = cv2.resize(read_picture(self.picture), (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
        inside = np.clip((self.inner - radius) * side / 2 + 0.5, 0, 1)[..., None]
        if self.carving is Carving.ART:
            share = inside * (255 - shown.mean(axis=2, keepdims=True)) / 255 * min(2 * self.strength, 1)
            shown = np.broadcast_to(bgr(self.ink), top.shape)
        else:
            share = inside
        top[:] = np.clip(top + (shown - top) * share, 0, 255).astype(np.uint8)


def random_decorations(
    rng: np.random.Generator, styles: Sequence[CheckerStyle], library: TextureLibrary | None
) -> tuple[CheckerStyle, ...]:
    """The styles with a common carving, sometimes of another kind for each side; or unchanged."""
    if draw_bool(rng, 0.45):
        return tuple(styles)
    carving = draw_choice(rng, list(Carving), (5, 2, 1, 1, 2, 2 if library else 0, 1 if library else 0, 2, 2))
    strength, inner = float(rng.uniform(0.08, 0.4)), float(rng.uniform(0.45, 0.92))
    made = []
    for style in styles:
        ink = vary_colour(rng, style.finish.colour, 0.4) if draw_bool(rng, 0.6) else random_colour(rng)
        picture = ""
        if library is not None:
            picture = draw_choice(rng, library.art if carving is Carving.ART else library.medallions)
        decoration = TopDecoration(carving, strength, int(rng.integers(4, 13)), inner, ink, picture)
        finish, opacity, profile = style.finish, 1.0, style.profile
        if carving is Carving.METAL:
            finish = replace(finish, gloss=float(rng.uniform(0.6, 1)))
        if carving is Carving.CRYSTAL:
            opacity, profile = float(rng.uniform(0.55, 0.95)), CheckerProfile.FLAT
            finish = replace(finish, gloss=1.0)
        made.append(replace(style, finish=finish, decorate=decoration, opacity=opacity, profile=profile))
    return tuple(made)
