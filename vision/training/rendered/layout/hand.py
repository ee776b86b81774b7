"""A hand over the board: its skin, its pose and its target."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.layout.palette import draw_colour, draw_skin
from vision.training.rendered.random_draws import draw_bool, draw_choice, draw_normal, draw_uniform
from vision.training.rendered.tracing.arrays import Colour, Vector


class HandGesture(Enum):
    """The pose of the fingers."""

    PINCH = "pinch"
    FLAT = "flat"
    POINT = "point"


@dataclass(frozen=True, slots=True)
class RenderedHand:
    """Fingers along +x before the turn; the fingertips meet at the target."""

    pose: HandGesture
    target_mm: Vector
    angle_rad: float
    pitch_rad: float
    lift_mm: float
    scale: float
    is_left: bool
    skin: Colour
    sleeve: Colour
    motion_px: float  # displacement during the exposure
    seed: int  # of its fingers and folds


def draw_hand(rng: np.random.Generator, size: BoardSize, touched_mm: tuple[Vector, ...]) -> RenderedHand:
    """Reaches for one of the things at `touched_mm` in six of seven draws, else anywhere on the field."""
    if touched_mm and draw_bool(rng, 0.85):
        target = draw_choice(rng, touched_mm)
    else:
        x, y = size.field_width_mm / 2, size.field_height_mm / 2
        target = (draw_uniform(rng, -x, x), draw_uniform(rng, -y, y), 10.0)
    side = draw_choice(rng, (np.pi / 2, -np.pi / 2, np.pi, 0.0), (40, 25, 20, 15))  # from near, far, right, left
    return RenderedHand(
        pose=draw_choice(rng, (HandGesture.PINCH, HandGesture.FLAT, HandGesture.POINT), (2, 1, 1)),
        target_mm=target,
        angle_rad=side + draw_normal(rng, 0.3),
        pitch_rad=draw_uniform(rng, 0.02, 0.2),
        lift_mm=draw_uniform(rng, 0, 22),
        scale=draw_uniform(rng, 0.86, 1.08),
        is_left=draw_bool(rng, 0.5),
        skin=draw_skin(rng),
        sleeve=draw_colour(rng, 0.01, 0.7),
        motion_px=draw_uniform(rng, 3, 14) if draw_bool(rng, 0.33) else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
