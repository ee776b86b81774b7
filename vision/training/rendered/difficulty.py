"""What makes a picture hard, as words in its label, and the burnt-out shares of the field and of each die."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.rendered.layout.board_shape import field_corners
from vision.training.rendered.layout.board_size import FLAT_MM, Bar
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.dice_state import upper_quad
from vision.training.rendered.layout.lamps import LightingSetup
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Bytes, Floats

_ALIKE = 0.12  # difference of log luma below which checkers hardly differ from their ground
FIELD_BURNT, DIE_BURNT = 245, 250  # a pixel is burnt when its darkest channel is above this


@dataclass(frozen=True, slots=True)
class Glare:
    """Shares 0..1 of the field and of the upper face of each die."""

    field: float
    dice: tuple[float, ...]


def measure_glare(image: Bytes, scene: RenderedScene, camera: TracedCamera) -> Glare:
    """`image` is (h, w, 3)."""
    size = scene.table.size
    faces = [upper_quad(die, size.die_mm)[0] for die in scene.dice]
    return Glare(
        burnt_share(image, camera.project(field_corners(size)), FIELD_BURNT),
        tuple(burnt_share(image, np.round(camera.project(face)), DIE_BURNT) for face in faces),
    )


def burnt_share(image: Bytes, outline_px: Floats, limit: int) -> float:
    """Share of burnt pixels within a convex outline; 0 when none lies in the picture."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline_px.astype(np.int32), 1)
    inside = image.min(axis=2)[mask > 0]
    return float((inside > limit).mean()) if inside.size else 0.0


def find_difficulties(scene: RenderedScene, camera: TracedCamera, glare: Glare) -> list[str]:
    """The words that apply, in a fixed order."""
    photo, hand, checkers = scene.photo, scene.hand, scene.table.checkers
    size, field = scene.table.size, scene.style.field
    outer_px = camera.project(scene.table.shape.corners(size.rim_height_mm))
    light, dark = (material.luma() for material in scene.style.pieces.checkers)
    grounds = [material.luma() for material in (field.ground, *field.points)]
    holds = {
        "steep_view": camera.tilt_deg > 18,
        "rolled": abs(camera.roll_deg) > 7,
        "strong_shadows": scene.lighting.setup in (LightingSetup.WINDOW_SIDE, LightingSetup.TWO_LAMPS),
        "dark": photo.ev < -0.55,
        "bright": photo.ev > 0.5,
        "noisy": photo.noise > 0.018,
        "blurred": photo.blur_px > 0.95,
        "stacked": any(checker.layer > 0 and checker.is_on_point for checker in checkers),
        "leaning": any(checker.is_leaning for checker in checkers),
        "bar_checkers": any(checker.place == "bar" for checker in checkers),
        "untidy": scene.untidiness > 0.8,
        "hand": hand is not None,
        "motion": hand is not None and hand.motion_px > 0,
        "odd_dice": len(scene.dice) == 2 and scene.style.pieces.is_odd_dice,
        "leds_lit": any(led.light is not None for led in scene.leds),
        "clutter": bool(scene.clutter),
        "glare": glare.field > 0.006,
        "rim_cropped": not camera.sees(outer_px).all(),
        "checker_like_field": any(abs(np.log(luma / ground)) < _ALIKE for luma in (light, dark) for ground in grounds),
        "no_bar": size.bar is Bar.NONE,
        "flat_board": size.rim_height_mm < FLAT_MM,
        "checkers_alike": light < 1.3 * dark,
    }
    return [word for word, it_holds in holds.items() if it_holds]
