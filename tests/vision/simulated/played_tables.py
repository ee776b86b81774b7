"""Tables in the start position of backgammon, with their perfect calibration."""

from functools import cache

import numpy as np

from tests.vision.drawn_boards import exact_calibration
from vision.geometry.calibration import Calibration
from vision.geometry.projection import FieldShape, Lens, Projection
from vision.simulated.drawing.die_body import FACES, face_value, rotation_of
from vision.simulated.scene import CheckerSide, Die
from vision.simulated.scene_building import project_field
from vision.simulated.table_styles import table_style
from vision.simulated.tabletop import Arrangement, TableStyle

LIGHT, DARK = CheckerSide.LIGHT, CheckerSide.DARK
START = {
    "T1": (LIGHT,) * 5,
    "T5": (DARK,) * 3,
    "T7": (DARK,) * 5,
    "T12": (LIGHT,) * 2,
    "B1": (DARK,) * 5,
    "B5": (LIGHT,) * 3,
    "B7": (LIGHT,) * 5,
    "B12": (DARK,) * 2,
}

style = cache(table_style)


def start() -> Arrangement:
    found = Arrangement()
    for place, stack in START.items():
        found = found.with_stack(place, stack)
    return found


def calibration_of(table: TableStyle) -> Calibration:
    known = project_field(table)
    projection = Projection.of(known.homography, Lens(known.focal_px, known.centre_px, known.k1))
    return exact_calibration(known.size_px, projection, FieldShape(*known.field_mm, *known.bar_mm))


def upper_value(die: Die) -> int:
    """The value of the face nearest to upward."""
    axis = rotation_of(die)[2]
    return face_value(die, int(np.argmax([axis[way] * sign for way, sign, _, _ in FACES])))
