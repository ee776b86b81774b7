"""Detection of trays beside the field, and their contents.

A tray is a box: behind a low wall its floor, and around it the same rim as around the field. A strip beside the field
is examined at both ends and along its outer side. With a tray, floor and rim differ there, and the rim looks like the
rim behind the field's corner. Without one, rim and table are where they are and no edge lies where a tray would end.
Logistic regression over these differences gives the probability of a tray. A doubtful tray is not reported: the
referee knows the total of fifteen a side, so no reading is better than a wrong one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.checkers.colour_classes import BAR, FACE_PX, LIGHTNESS_WEIGHT, SideColours, find_place
from vision.checkers.network import COUNTS, ViewReading
from vision.checkers.tray_contents import CountLikelihoods, HeightParallax, SideAppearance, add_counts, read_tray_line
from vision.geometry.calibration import Calibration
from vision.geometry.projection import FieldShape, Projection
from vision.geometry.top_view import FIELD_ROWS_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, ViewMap, make_grid_map, rows_mm

STRIP_WIDTH_PX = 96
INSIDE_PX = 16  # columns of the field at the strip's inner side
# Probability of a tray from which it is reported, and from which it adds to the other's sum. Knobs.
SURE_TRAY_P, DOUBTFUL_TRAY_P = 0.9, 0.03
IN_PICTURE = 0.97  # least share of the strip inside the picture
COVERED_BELOW = 0.5
# Places next to the left and the right tray: an arm over them may reach into it.
ADJACENT_PLACES = ((0, 12), (11, 23))
DIAMETER_SHARE = 0.91  # of a point's width
LEAST_LIKELIHOOD = 3e-5  # floor of any count: one of two trays may have been missed
# Columns of the strip. Physical: walls are 0.1 to 0.35 of a point wide, trays 1 to 1.2, rims 0.3 to 0.9.
BEHIND_CORNER, BEYOND, FLOOR, LINE, OUTER = slice(0, 22), slice(41, 56), slice(43, 53), slice(36, 49), slice(56, 81)
OUTER_WIDTH_PX, OUTER_STEP_PX = 9, 2  # width and step of the rim's windows within OUTER
# Rows inward from a line of the field: on the rim, and on the floor before it.
RIM_FROM_PX, RIM_TO_PX, FLOOR_FROM_PX, FLOOR_TO_PX = -13, -7, 6, 16
# Logistic regression over the logarithms of: least and median step from floor to rim, least and median difference of
# that rim from the board's own. Statistical.
CHANCE_WEIGHTS, CHANCE_OFFSET = (2.08, 0.92, -0.80, -1.47), -1.86

WEIGHTS = np.array((LIGHTNESS_WEIGHT, 1, 1), np.float32)
FACE_VALUES = 3 * (2 * FACE_PX + 1) ** 2

Strip = NDArray[np.float32]  # (VIEW_HEIGHT_PX, STRIP_WIDTH_PX, 3): weighted CIELAB, the field at the left


@dataclass(frozen=True, slots=True, eq=False)
class TrayReading:
    """The trays in view together."""

    log_likelihood: NDArray[np.float32]  # (16, 16): light checkers x dark checkers
    visible: float  # 0 or 1


@dataclass(frozen=True, slots=True, eq=False)
class StripMap:
    """Map from a strip beside the field into the picture, and the share of it that lies inside."""

    view_map: ViewMap
    in_picture: float


def read_trays(
    pixels: NDArray[np.uint8],
    known: Calibration,
    *,
    view: NDArray[np.uint8],
    reading: ViewReading,
    colours: SideColours | None,
) -> TrayReading | None:
    """Reads the trays; None where none is surely in view.

    `view` is the straight-down view of the same picture, `reading` its reading, `colours` those of the calibration.
    """
    strips = [_crop_strip(pixels, known, at_right=at_right) for at_right in (False, True)]
    chances = [0.0 if strip is None else estimate_tray_chance(strip) for strip in strips]
    if max(chances) < SURE_TRAY_P:
        return None
    sides, height = measure_side_appearance(view, reading, colours), _make_parallax(known.projection, known.field)
    total = _make_empty_counts()
    for strip, chance, beside in zip(strips, chances, ADJACENT_PLACES, strict=True):
        if strip is None or chance < DOUBTFUL_TRAY_P:
            continue
        covered = min(reading.visible[list(beside)]) < COVERED_BELOW
        table = None if covered else read_tray_line(np.median(strip[:, LINE], axis=1), sides, height)
        if table is None and chance > 0.5:
            return TrayReading(np.zeros((COUNTS, COUNTS), np.float32), 0.0)
        inside = np.ones((COUNTS, COUNTS)) if table is None else table
        total = add_counts(total, chance * inside / inside.sum() + (1 - chance) * _make_empty_counts())
    likelihood = np.maximum(total / total.max(), LEAST_LIKELIHOOD)
    return TrayReading(np.log(likelihood).astype(np.float32), 1.0)


def _make_empty_counts() -> CountLikelihoods:
    table: CountLikelihoods = np.zeros((COUNTS, COUNTS))
    table[0, 0] = 1
    return table


def estimate_tray_chance(strip: Strip) -> float:
    """Probability of a tray in this strip."""
    steps, unlike = np.log1p(np.array(list(_iter_rim_steps(strip)))).T
    known = (steps.min(), np.median(steps), unlike.min(), np.median(unlike))
    return float(1 / (1 + np.exp(-(np.dot(known, CHANCE_WEIGHTS) + CHANCE_OFFSET))))


def _iter_rim_steps(strip: Strip) -> Iterator[tuple[float, float]]:
    """At the upper end, the lower end and the outer side: floor against rim, and that rim against the board's."""
    rims = []
    for end in (strip[MARGIN_PX + RIM_FROM_PX :], strip[::-1][MARGIN_PX + RIM_FROM_PX :]):
        rim, floor = end[: RIM_TO_PX - RIM_FROM_PX], end[FLOOR_FROM_PX - RIM_FROM_PX : FLOOR_TO_PX - RIM_FROM_PX]
        rims.append(_median_colour(rim[:, BEHIND_CORNER]))
        beyond = _median_colour(rim[:, BEYOND])
        yield _colour_distance(_median_colour(floor[:, FLOOR]), beyond), _colour_distance(rims[-1], beyond)
    along = slice(MARGIN_PX + 20, VIEW_HEIGHT_PX - MARGIN_PX - 20, 6)
    floor = _median_colour(strip[along, FLOOR])
    outer = np.median(strip[along, OUTER], axis=0)
    windows = np.median(sliding_window_view(outer, OUTER_WIDTH_PX, axis=0)[::OUTER_STEP_PX], axis=-1)
    yield max(
        ((_colour_distance(floor, beyond), min(_colour_distance(rim, beyond) for rim in rims)) for beyond in windows),
        key=lambda side: side[0] - side[1],
    )


def _median_colour(patch: Strip) -> NDArray[np.float32]:
    return np.asarray(np.median(patch.reshape(-1, 3), axis=0), np.float32)


def _colour_distance(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(first - second))


def _crop_strip(pixels: NDArray[np.uint8], known: Calibration, *, at_right: bool) -> Strip | None:
    """None if out of view."""
    height_px, width_px = pixels.shape[:2]
    strip = make_strip_map(known.projection, known.field, (width_px, height_px), at_right=at_right)
    return None if strip.in_picture < IN_PICTURE else _to_weighted_lab(strip.view_map.warp(pixels))


def _to_weighted_lab(bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    lab = cv2.cvtColor(bgr.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)
    return np.asarray(lab * WEIGHTS, np.float32)


@lru_cache(maxsize=4)
def make_strip_map(projection: Projection, field: FieldShape, size_px: tuple[int, int], *, at_right: bool) -> StripMap:
    """Columns run outward from the field, so the left strip is mirrored."""
    outward_mm = (np.arange(STRIP_WIDTH_PX) + 0.5 - INSIDE_PX) / PITCH_PX * field.pitch_mm
    where = make_grid_map(projection, field.width_mm + outward_mm if at_right else -outward_mm, rows_mm(field))
    width_px, height_px = (length / where.shrink for length in size_px)
    inside = (where.x_px >= 0) & (where.x_px < width_px) & (where.y_px >= 0) & (where.y_px < height_px)
    return StripMap(where, float(inside.mean()))


def measure_side_appearance(
    view: NDArray[np.uint8], reading: ViewReading, colours: SideColours | None
) -> SideAppearance:
    """From the faces on the field, which lie in the same light; without any, from the calibration."""
    patches: tuple[list[NDArray[np.uint8]], list[NDArray[np.uint8]]] = ([], [])
    best = reading.points.argmax(axis=1)
    for top in reading.tops:
        place = find_place(top.x_px, top.y_px)
        x, y = max(0, round(top.x_px) - FACE_PX), max(0, round(top.y_px) - FACE_PX)
        patch = view[y : y + 2 * FACE_PX + 1, x : x + 2 * FACE_PX + 1]
        if place is not None and place != BAR and best[place] and patch.size == FACE_VALUES:
            patches[0 if best[place] < COUNTS else 1].append(patch)
    faces = [
        _to_weighted_lab(np.median(np.array(side).reshape(1, len(side), -1, 3), axis=2).astype(np.uint8))[0]
        if side
        else None
        for side in patches
    ]
    if colours is not None and not any(patches):
        return SideAppearance(np.array(colours.light) * WEIGHTS, np.array(colours.dark) * WEIGHTS)
    light, dark = (None if side is None else np.asarray(np.median(side, axis=0), np.float64) for side in faces)
    return SideAppearance(light, dark)


def _make_parallax(projection: Projection, field: FieldShape) -> HeightParallax:
    """For an object as high as a checker is wide."""
    _, y_mm, above_mm = projection.camera_mm
    share = 1 - DIAMETER_SHARE * field.pitch_mm / above_mm
    return HeightParallax(MARGIN_PX + y_mm / field.height_mm * FIELD_ROWS_PX, share)
