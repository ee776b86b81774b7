"""Samples for the two networks of the field detector."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.network_inputs import (
    BAR,
    BAR_LEFT,
    BAR_RIGHT,
    BOTTOM,
    CELL_PX,
    CORNERS_A,
    CORNERS_B,
    EDGE_HEIGHT_PX,
    EDGE_WIDTH_PX,
    FIELD,
    LEFT,
    RIGHT,
    SMALL_HEIGHT_PX,
    SMALL_WIDTH_PX,
    TOP,
    edge_columns_mm,
    edge_rows_mm,
    mm_to_cells,
)
from vision.geometry.projection import Lens, Points, Projection
from vision.geometry.top_view import make_grid_map
from vision.pixels.normalise import normalise_planes
from vision.simulated.truth import TableTruth
from vision.training.drawn_boards.photo_augmentation import Picture, augment_lighting, degrade_camera, rotate_hue
from vision.training.samples.checker_samples import truth_field, truth_projection

Maps = NDArray[np.float32]
SIDE_STEPS = 60  # points along a line of the board at which its course in the picture is computed
CORNER_SIGMA_CELLS = 1.1
# Share of the width; the largest imitates a tray or a wide rim taken for part of the field.
CORNER_JITTER = (0.004, 0.012, 0.022, 0.045)


class SmallSample(NamedTuple):
    """The whole picture reduced, and the maps of `field.network_inputs`: corners, field, bar."""

    picture: NDArray[np.float32]  # (3, SMALL_HEIGHT_PX, SMALL_WIDTH_PX)
    maps: Maps  # (4, SMALL_HEIGHT_PX / 4, SMALL_WIDTH_PX / 4), 0 to 1


class EdgeSample(NamedTuple):
    """The roughly rectified field, and the positions of its lines in cells; nan where a line is not visible."""

    view: NDArray[np.float32]  # (3, EDGE_HEIGHT_PX, EDGE_WIDTH_PX)
    across_columns: Maps  # (2, EDGE_WIDTH_PX / 4): row of TOP and of BOTTOM
    across_rows: Maps  # (4, EDGE_HEIGHT_PX / 4): column of LEFT, RIGHT, BAR_LEFT, BAR_RIGHT


def board_lines_px(truth: TableTruth) -> list[Points]:
    """Outline (closed, clockwise) and bar of the field in picture pixels, with the lens distortion."""
    field, projection = truth_field(truth), truth_projection(truth)
    (left, right), (width, height) = truth.bar_span_mm, truth.field_mm
    if right - left < 0.02 * width:
        left, right = (left + right) / 2 - 0.01 * width, (left + right) / 2 + 0.01 * width
    bar = np.array([(left, 0), (right, 0), (right, height), (left, height)])
    lines = []
    for corners in (field.corners_mm, bar):
        steps = np.linspace(0, 1, SIDE_STEPS, endpoint=False)[:, None]
        sides = [a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        lines.append(projection.to_picture(np.concatenate(sides)))
    return lines


def make_small_sample(pixels: NDArray[np.uint8], truth: TableTruth | None, rng: np.random.Generator) -> SmallSample:
    """The picture at random rotation, scale and offset, in another light. Without `truth` it has no board."""
    matrix = _random_transform(pixels.shape[1], pixels.shape[0], truth, rng)
    size = (SMALL_WIDTH_PX, SMALL_HEIGHT_PX)
    fill = (rng.uniform(0, 255, 3) if rng.random() < 0.3 else pixels.reshape(-1, 3).mean(0)).tolist()
    shrink = max(1, int(1 / np.sqrt(abs(np.linalg.det(matrix[:, :2])))))
    before = cv2.resize(pixels, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    enlarged = matrix @ np.array([[shrink, 0, (shrink - 1) / 2], [0, shrink, (shrink - 1) / 2], [0, 0, 1]])
    border = cv2.BORDER_CONSTANT if rng.random() < 0.7 else cv2.BORDER_REPLICATE
    picture = cv2.warpAffine(before, enlarged, size, flags=cv2.INTER_LINEAR, borderMode=border, borderValue=fill)
    changed = _augment_small(picture.astype(np.float32), rng)
    maps = np.zeros((4, SMALL_HEIGHT_PX // CELL_PX, SMALL_WIDTH_PX // CELL_PX), np.float32)
    if truth is not None:
        outline, bar = (line @ matrix[:, :2].T + matrix[:, 2] for line in board_lines_px(truth))
        corners = outline[::SIDE_STEPS]
        if np.linalg.det(matrix[:, :2]) < 0:  # mirrored: another corner, of the other kind, is the upper left one
            corners = np.roll(corners, 1, axis=0)
        _draw_corners(maps, corners)
        maps[FIELD], maps[BAR] = _fill_gaps(outline), _fill_gaps(bar)
    return SmallSample(normalise_planes(changed), maps)


def _augment_small(picture: Picture, rng: np.random.Generator) -> Picture:
    if rng.random() < 0.15:
        picture = rotate_hue(picture, rng)
    return degrade_camera(augment_lighting(picture, rng), rng)


def _random_transform(
    width_px: int, height_px: int, truth: TableTruth | None, rng: np.random.Generator
) -> NDArray[np.float64]:
    """(2, 3) from the picture to the reduced one: mostly the whole picture fits, sometimes it is turned and cut."""
    fit = min(SMALL_WIDTH_PX / width_px, SMALL_HEIGHT_PX / height_px)
    turn = float(rng.choice([0, 90, 180, 270], p=[0.55, 0.1, 0.25, 0.1]))
    scale, move = fit, np.zeros(2)
    middle = np.array([width_px / 2, height_px / 2])
    if rng.random() < 0.6:
        turn += float(rng.normal(0, 12))
        scale = fit * float(np.exp(rng.normal(-0.05, 0.25)))
        move = rng.normal(0, 12, 2)
        if truth is not None:  # centred on the board, which mostly stays whole
            middle = 0.5 * middle + 0.5 * np.mean(truth.field_corners_px, axis=0)
    angle = np.radians(turn)
    rotation = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < 0.5:
        rotation = rotation @ np.diag([-1, 1])
    rotation = rotation @ np.diag(np.exp(rng.normal(0, 0.06, 2)))
    at = np.array([SMALL_WIDTH_PX / 2, SMALL_HEIGHT_PX / 2]) + move
    return np.column_stack([rotation, at - rotation @ middle])


def _draw_corners(maps: Maps, corners_px: Points) -> None:
    y, x = np.mgrid[: maps.shape[1], : maps.shape[2]]
    for index, corner in enumerate((corners_px + 0.5) / CELL_PX - 0.5):
        bump = np.exp(-((x - corner[0]) ** 2 + (y - corner[1]) ** 2) / (2 * CORNER_SIGMA_CELLS**2))
        kind = CORNERS_A if index % 2 == 0 else CORNERS_B
        maps[kind] = np.maximum(maps[kind], bump)


def _fill_gaps(line_px: Points) -> Maps:
    mask = np.zeros((SMALL_HEIGHT_PX, SMALL_WIDTH_PX), np.float32)
    cv2.fillPoly(mask, [np.round(line_px * 16).astype(np.int32)], 1.0, shift=4)
    size = (SMALL_WIDTH_PX // CELL_PX, SMALL_HEIGHT_PX // CELL_PX)
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def make_edge_sample(pixels: NDArray[np.uint8], truth: TableTruth, rng: np.random.Generator) -> EdgeSample:
    """The field rectified by corners with an error of up to a few percent, in another light, randomly mirrored."""
    field, exact = truth_field(truth), truth_projection(truth)
    sigma = field.width_mm * float(rng.choice(CORNER_JITTER, p=(0.3, 0.25, 0.25, 0.2)))
    lens = exact.lens if rng.random() < 0.5 else Lens(exact.lens.focal_px, exact.lens.centre_px)
    corners_mm = field.corners_mm + np.clip(rng.normal(0, sigma, (4, 2)), -2.2 * sigma, 2.2 * sigma)
    guess = Projection.of_corners(exact.to_picture(corners_mm), field, lens)
    view = make_grid_map(guess, edge_columns_mm(field), edge_rows_mm(field)).warp(pixels)
    picture = _augment_small(view.astype(np.float32), rng)
    columns, rows = _find_crossings(truth, guess, pixels.shape[1], pixels.shape[0])
    if rng.random() < 0.5:
        picture, columns = np.flip(picture, 1), np.flip(columns, 1)
        rows = EDGE_WIDTH_PX / CELL_PX - 1 - rows[[RIGHT - LEFT, 0, BAR_RIGHT - LEFT, BAR_LEFT - LEFT]]
    if rng.random() < 0.5:
        picture, rows = np.flip(picture, 0), np.flip(rows, 1)
        columns = EDGE_HEIGHT_PX / CELL_PX - 1 - columns[[BOTTOM, TOP]]
    tensor = normalise_planes(picture)
    return EdgeSample(tensor, np.ascontiguousarray(columns, np.float32), np.ascontiguousarray(rows, np.float32))


def _find_crossings(truth: TableTruth, guess: Projection, width_px: int, height_px: int) -> tuple[Maps, Maps]:
    field, exact = truth_field(truth), truth_projection(truth)
    along = np.linspace(0, 1, SIDE_STEPS)
    (width, height), (bar_left, bar_right) = truth.field_mm, truth.bar_span_mm
    stations = (np.arange(EDGE_WIDTH_PX // CELL_PX), np.arange(EDGE_HEIGHT_PX // CELL_PX))
    columns = np.full((2, len(stations[0])), np.nan)
    rows = np.full((4, len(stations[1])), np.nan)
    upright = ((LEFT, 0.0), (RIGHT, width), (BAR_LEFT, bar_left), (BAR_RIGHT, bar_right))
    for target, index, axis, place in (
        *((columns, line, 0, at) for line, at in ((TOP, 0.0), (BOTTOM, height))),
        *((rows, line - LEFT, 1, at) for line, at in upright),
    ):
        line_mm = np.empty((SIDE_STEPS, 2))
        line_mm[:, axis] = along * (width if axis == 0 else height)
        line_mm[:, 1 - axis] = place
        px = exact.to_picture(line_mm)
        inside = ((px > 1) & (px < (width_px - 2, height_px - 2))).all(axis=1)
        cells = mm_to_cells(guess.to_board(px), field)[inside]
        if len(cells) > SIDE_STEPS // 3:
            limit = (EDGE_HEIGHT_PX, EDGE_WIDTH_PX)[axis] // CELL_PX
            crossing = np.interp(stations[axis], cells[:, axis], cells[:, 1 - axis], left=np.nan, right=np.nan)
            target[index] = np.where((crossing >= 0) & (crossing <= limit - 1), crossing, np.nan)
    return columns.astype(np.float32), rows.astype(np.float32)
