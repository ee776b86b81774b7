"""Samples for the checker network: the top view of a labelled picture and its labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers.network import CELL_PX
from vision.geometry.projection import FieldShape, Lens, Points, Projection
from vision.geometry.top_view import (
    MARGIN_PX,
    VIEW_HEIGHT_PX,
    VIEW_WIDTH_PX,
    columns_mm,
    make_grid_map,
    rows_mm,
    to_view,
)
from vision.pixels.normalise import normalise_planes
from vision.simulated.scene import PLACES
from vision.simulated.truth import TableTruth
from vision.training.drawn_boards.photo_augmentation import add_watermark, augment_lighting, degrade_camera, rotate_hue

IGNORED = -1
MOST_CHECKERS = 15
# Errors of a calibration, as shares of the field's width: standard deviations with their shares of samples.
CORNER_SIGMAS, CORNER_SHARES, MOST_OFF = (0.002, 0.005, 0.01, 0.018), (0.35, 0.3, 0.25, 0.1), 0.03
BAR_SIGMAS, BAR_SHARES = (0.004, 0.01), (0.8, 0.2)
# Pictures whose frame cuts through the first checkers of a row: by how many points at most, and in how many of them a side.
CUT_SHARE, MOST_CUT, CUT_SIDES = 0.22, 0.85, 0.6
HIDDEN_BY_RIM_SHARE = 0.5  # of these, a near rim hides what the frame cuts in the others
SEEN_EDGE_SHARE = 0.6  # calibrations by what is seen of the field, where a near rim hides its edge
USUAL_BAR, UNSEEN_BAR_SHARE = 0.055, 0.12
WATERMARK_SHARE = 0.06
DEGRADED_SHARE = 0.65  # of the samples; drawn pictures have a camera's faults already
TIGHT_SHARE, TIGHT_MARGIN = 0.25, (-0.015, 0.05)  # pictures cut close around the field, or a little inside
BARELY_COVERED, WELL_COVERED = 0.2, 0.7  # between them a place counts as neither visible nor hidden
BARELY_SEEN = 0.04  # share of an upper face; less of it tells nothing about what stands behind a near rim


@dataclass(frozen=True, slots=True, eq=False)
class CheckerSample:
    """One view with its labels; IGNORED where a label is missing."""

    view: NDArray[np.float32]  # (3, VIEW_HEIGHT_PX, VIEW_WIDTH_PX), as the network gets it
    classes: NDArray[np.int64]  # (2, 12): rows T and B; 0 none, 1 to 15 light, 16 to 30 dark
    visible: NDArray[np.float32]  # (2, 12): share of the place that is not covered
    bar: NDArray[np.int64]  # (2,): light and dark
    tops: NDArray[np.float32]  # (4, rows / 8, columns / 8): face here, x and y in the cell, weight


def truth_projection(truth: TableTruth) -> Projection:
    return Projection.of(truth.homography, Lens(truth.focal_px, truth.centre_px, truth.k1))


def truth_field(truth: TableTruth) -> FieldShape:
    return FieldShape(*truth.field_mm, *truth.bar_span_mm)


def make_checker_sample(pixels: NDArray[np.uint8], truth: TableTruth, rng: np.random.Generator | None) -> CheckerSample:
    """Without `rng` the exactly calibrated sample; with it jittered, augmented, mirrored or turned."""
    field, projection, is_cut = truth_field(truth), truth_projection(truth), False
    if rng is not None:
        is_cut = rng.random() < CUT_SHARE
        field, projection = _jitter_calibration(truth, field, projection, rng, is_cut=is_cut)
        if rng.random() < TIGHT_SHARE:
            pixels = _cut_around(pixels, truth, rng)
        if rng.random() < WATERMARK_SHARE:
            pixels = add_watermark(pixels, rng)
    view = make_grid_map(projection, columns_mm(field), rows_mm(field)).warp(pixels)
    tops_px = _tops_in_view(truth, projection, field)
    if rng is not None and is_cut:
        whole = make_grid_map(truth_projection(truth), columns_mm(truth_field(truth)), rows_mm(truth_field(truth)))
        view, tops_px = _cut_margins(view, tops_px, whole.warp(pixels) if rng.random() < HIDDEN_BY_RIM_SHARE else None)
    classes, visible = _classes(truth)
    picture = view.astype(np.float32)
    if rng is not None:
        if rng.random() < 0.1:
            picture = rotate_hue(picture, rng)
        picture = augment_lighting(picture, rng)
        if rng.random() < DEGRADED_SHARE:
            picture = degrade_camera(picture, rng)
        for axis in (0, 1):
            if rng.random() < 0.5:
                picture, classes, visible = np.flip(picture, axis), np.flip(classes, axis), np.flip(visible, axis)
                along = (VIEW_HEIGHT_PX, VIEW_WIDTH_PX)[axis]
                tops_px[:, 1 - axis] = along - 1 - tops_px[:, 1 - axis]
    bar = np.array([min(truth.bar_light, MOST_CHECKERS), min(truth.bar_dark, MOST_CHECKERS)], np.int64)
    if _is_bar_covered(truth):
        bar[:] = IGNORED
    labelled = np.where(visible >= 1 - BARELY_COVERED, classes, IGNORED)
    tensor = normalise_planes(picture)
    return CheckerSample(tensor, labelled, np.ascontiguousarray(visible), bar, _make_top_map(tops_px))


def _cut_around(pixels: NDArray[np.uint8], truth: TableTruth, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture as if its frame ended beside the field: its last pixels are repeated beyond."""
    corners = np.array(truth.field_corners_px)
    margin = rng.uniform(*TIGHT_MARGIN, 4) * (corners[:, 0].max() - corners[:, 0].min())
    size = (pixels.shape[1], pixels.shape[0])
    left, top = (int(np.clip(low, 0, most - 2)) for low, most in zip(corners.min(0) - margin[:2], size, strict=True))
    right, bottom = (
        int(np.clip(high + 1, low + 1, most))
        for high, low, most in zip(corners.max(0) + margin[2:], (left, top), size, strict=True)
    )
    around = ((top, pixels.shape[0] - bottom), (left, pixels.shape[1] - right), (0, 0))
    return np.pad(pixels[top:bottom, left:right], around, mode="edge")


def _cut_margins(
    view: NDArray[np.uint8], tops_px: Points, whole: NDArray[np.uint8] | None
) -> tuple[NDArray[np.uint8], Points]:
    """The view of a picture that ends with the field's first and last row, which are repeated beyond. With the view of the
    whole field its rims lie there instead, as near rims that hide the feet of rows.
    """
    rows = slice(MARGIN_PX, VIEW_HEIGHT_PX - MARGIN_PX)
    is_inside = (tops_px[:, 1] >= rows.start) & (tops_px[:, 1] < rows.stop)
    if whole is None:
        return np.pad(view[rows], ((MARGIN_PX, MARGIN_PX), (0, 0), (0, 0)), mode="edge"), tops_px[is_inside]
    half = MARGIN_PX // 2  # the faces of checkers reach into the inner half of the margin
    upper, lower = whole[:half], whole[-half:]
    return np.vstack([upper, upper[::-1], view[rows], lower[::-1], lower]), tops_px[is_inside]


def _jitter_calibration(
    truth: TableTruth, field: FieldShape, projection: Projection, rng: np.random.Generator, *, is_cut: bool = False
) -> tuple[FieldShape, Projection]:
    """Calibration error: corners off by some pixels, the bar displaced, sometimes a lens without distortion."""
    width_px = float(np.linalg.norm(np.subtract(truth.field_corners_px[1], truth.field_corners_px[0])))
    sigma_px = width_px * rng.choice(CORNER_SIGMAS, p=CORNER_SHARES)
    lens = projection.lens
    if rng.random() < 0.4:
        lens = Lens(lens.focal_px, lens.centre_px, 0.0)
    most_px = MOST_OFF * width_px
    corners_mm = field.corners_mm
    if rng.random() < SEEN_EDGE_SHARE:
        corners_mm, field = _find_seen_field(truth, field, projection)
    if is_cut:
        ends = rng.uniform(0, MOST_CUT, 2) * truth.point_pitch_mm * (rng.random(2) < CUT_SIDES)
        corners_mm = corners_mm + np.array([[0, ends[0]], [0, ends[0]], [0, -ends[1]], [0, -ends[1]]])
    corners = projection.to_picture(corners_mm) + np.clip(rng.normal(0, sigma_px, (4, 2)), -most_px, most_px)
    left, right = _jitter_bar(field, rng)
    field = FieldShape(field.width_mm, field.height_mm, left, right)
    return field, Projection.of_corners(corners, field, lens)


def _find_seen_field(truth: TableTruth, field: FieldShape, projection: Projection) -> tuple[Points, FieldShape]:
    """What the near rims leave to see of the field, as people mark it: (4, 2) its corners in mm of the whole field; and
    its shape, stretched to the size of the whole.
    """
    ends = np.array([[0.0, 0.0], [field.width_mm, field.height_mm]])
    over_rim = projection.to_board(projection.to_picture(ends, truth.rim_height_mm))
    (left, top), (right, bottom) = np.maximum(over_rim[0], ends[0]), np.minimum(over_rim[1], ends[1])
    stretch = field.width_mm / (right - left)
    bar = ((edge - left) * stretch for edge in (field.bar_left_mm, field.bar_right_mm))
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    return corners, FieldShape(field.width_mm, field.height_mm, *bar)


def _jitter_bar(field: FieldShape, rng: np.random.Generator) -> tuple[float, float]:
    """The bar's edges displaced; sometimes a bar of the usual width where the true one was not seen."""
    if rng.random() < UNSEEN_BAR_SHARE:
        middle = (0.5 + rng.normal(0, 0.1) * USUAL_BAR) * field.width_mm
        half = 0.5 * USUAL_BAR * field.width_mm
        return float(middle - half), float(middle + half)
    off = rng.normal(0, rng.choice(BAR_SIGMAS, p=BAR_SHARES) * field.width_mm, 2)
    left, right = sorted((field.bar_left_mm + off[0], field.bar_right_mm + off[1]))
    return float(left), float(right)


def _tops_in_view(truth: TableTruth, projection: Projection, field: FieldShape) -> Points:
    """(n, 2) view pixels of the middles of visible upper faces."""
    px = np.array([c.top_px for c in truth.checkers if c.visible > 0.5], np.float64).reshape(-1, 2)
    return to_view(projection.to_board(px), field) if len(px) else px


def _classes(truth: TableTruth) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    classes = np.zeros(24, np.int64)
    seen = {checker.place for checker in truth.checkers if checker.visible >= BARELY_SEEN}
    for index, place in enumerate(truth.places):
        count = min(place.count, MOST_CHECKERS)
        if count and place.colour != "none":
            classes[index] = count + (MOST_CHECKERS if place.colour == "dark" else 0)
            if PLACES[index] not in seen:
                classes[index] = IGNORED
    visible = np.array([1 - place.occluded for place in truth.places], np.float32)
    return classes.reshape(2, 12), visible.reshape(2, 12)


def _is_bar_covered(truth: TableTruth) -> bool:
    """Labels do not say whether the bar is hidden: it counts as visible only while its neighbours are."""
    beside = [5, 6, 17, 18]
    return any(truth.places[index].occluded > BARELY_COVERED for index in beside)


def _make_top_map(tops_px: Points) -> NDArray[np.float32]:
    rows, columns = VIEW_HEIGHT_PX // CELL_PX, VIEW_WIDTH_PX // CELL_PX
    cells = np.zeros((4, rows, columns), np.float32)
    cells[3] = 1
    at = (tops_px + 0.5) / CELL_PX
    for x, y in at[((at >= 0) & (at < (columns, rows))).all(axis=1)]:
        column, row = int(x), int(y)
        near = cells[3, max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        near[cells[0, max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] == 0] = 0.2
        cells[:, row, column] = (1, x - column, y - row, 1)
    return cells
