"""The exact labels of a picture of a board, for training and measuring."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.errors import NoBoardInSceneError
from vision.simulated.drawing import hand
from vision.simulated.drawing.draw import painting_order
from vision.simulated.drawing.optics import (
    Matrix,
    View,
    camera_matrix,
    canvas_origin,
    canvas_view,
    distort,
    pinhole_view,
    to_rows,
    undistort,
)
from vision.simulated.drawing.painting import circle_mm, hull, rectangle_mm
from vision.simulated.drawing.textures import Pixels
from vision.simulated.drawing.walls import build_walls, is_near
from vision.simulated.scene import PLACES, Board, Checker, CheckerSide, PointMm, Scene

SMALL = 0.5  # visibility is counted on a canvas of half the size
COVERED = 255


@dataclass(frozen=True, slots=True)
class PlaceTruth:
    """One point: `colour` is none, light or dark; `occluded` is its share hidden by hands or out of the picture."""

    colour: str
    count: int
    occluded: float


@dataclass(frozen=True, slots=True)
class CheckerTruth:
    """`top_px` and `radius_px` describe the upper face, lens included; `place` is T1..B12, bar or off."""

    colour: str
    place: str
    layer: int
    leaning: bool
    top_px: PointMm
    radius_px: float
    visible: float


@dataclass(frozen=True, slots=True)
class TableTruth:
    """`field_corners_px` run TL, TR, BR, BL, lens included; `homography` maps surface mm to undistorted pixels."""

    image_size_px: tuple[int, int]
    field_corners_px: tuple[PointMm, PointMm, PointMm, PointMm]
    focal_px: float
    centre_px: PointMm
    k1: float
    homography: Matrix
    field_mm: tuple[float, float]
    bar_span_mm: tuple[float, float]
    point_pitch_mm: float
    places: tuple[PlaceTruth, ...]  # T1..T12, B1..B12
    bar_light: int
    bar_dark: int
    checkers: tuple[CheckerTruth, ...]
    rim_height_mm: float = 0.0  # 0 for a sheet without a rim


def compute_truth(scene: Scene) -> TableTruth:
    """Raises NoBoardInSceneError for a scene without a board."""
    board = scene.board
    if board is None:
        raise NoBoardInSceneError
    camera = scene.camera
    width, height = board.field_mm
    plane = pinhole_view(camera).homography(0.0)
    plane = plane / plane[2, 2]
    corners = pinhole_view(camera).project(np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]]))
    a, b, c, d = (_pair(corner) for corner in distort(camera, corners))
    small = canvas_view(camera).scale(SMALL)
    visible, covered = _compute_visibility(scene, small)
    matrix = camera_matrix(camera)
    return TableTruth(
        image_size_px=camera.size_px,
        field_corners_px=(a, b, c, d),
        focal_px=float(matrix[0, 0]),
        centre_px=camera.centre_px,
        k1=camera.k1,
        homography=to_rows(plane),
        field_mm=board.field_mm,
        bar_span_mm=board.bar_mm,
        point_pitch_mm=board.pitch_mm,
        places=tuple(_place_truth(scene, board, number, covered, small) for number in range(24)),
        bar_light=_count_on_bar(scene, CheckerSide.LIGHT),
        bar_dark=_count_on_bar(scene, CheckerSide.DARK),
        checkers=tuple(
            _checker_truth(scene, checker, seen) for checker, seen in zip(scene.checkers, visible, strict=True)
        ),
        rim_height_mm=board.rim_height_mm if board.rim_width_mm > 0 else 0.0,
    )


def _pair(values: Pixels) -> PointMm:
    return float(values[0]), float(values[1])


def _count_on_bar(scene: Scene, side: CheckerSide) -> int:
    return sum(checker.place == "bar" and checker.side is side for checker in scene.checkers)


def _top_mm(scene: Scene, checker: Checker, count: int = 40) -> Pixels:
    high = checker.height_mm + scene.checker_thickness_mm
    ring = circle_mm(checker.centre_mm, scene.checker_diameter_mm / 2, high, count)
    ring[:, 2] += (ring[:, :2] - checker.centre_mm) @ np.array(checker.lean)
    return ring


def _checker_truth(scene: Scene, checker: Checker, visible: float) -> CheckerTruth:
    camera = scene.camera
    outline = distort(camera, pinhole_view(camera).project(_top_mm(scene, checker)))
    middle = np.array([[*checker.centre_mm, checker.height_mm + scene.checker_thickness_mm]])
    return CheckerTruth(
        colour=checker.side.value,
        place=checker.place,
        layer=checker.layer,
        leaning=checker.lean != (0.0, 0.0),
        top_px=_pair(distort(camera, pinhole_view(camera).project(middle))[0]),
        radius_px=float(np.sqrt(_area(outline) / np.pi)),
        visible=visible,
    )


def _area(outline_px: Pixels) -> float:
    x, y = outline_px[:, 0], outline_px[:, 1]
    return 0.5 * abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))


def _place_truth(scene: Scene, board: Board, number: int, covered: Pixels, view: View) -> PlaceTruth:
    standing = [checker for checker in scene.checkers if checker.place == PLACES[number]]
    colour = standing[0].side.value if standing else "none"
    _, height = board.field_mm
    x, half = board.point_x_mm(number % 12), board.pitch_mm / 2
    long = max(board.points.length * height + board.points.gap_mm, 0.3 * height)
    across, along = np.meshgrid(np.linspace(x - half, x + half, 7), np.linspace(0, long, 25))
    if number >= 12:
        along = height - along
    places = np.column_stack([across.ravel(), along.ravel(), np.zeros(across.size)])
    pixels = np.round(view.project(places)).astype(int)
    rows, columns = covered.shape
    inside = (pixels >= 0).all(1) & (pixels[:, 0] < columns) & (pixels[:, 1] < rows)
    hidden = np.ones(len(pixels), bool)
    hidden[inside] = covered[pixels[inside, 1], pixels[inside, 0]] > 0
    return PlaceTruth(colour, len(standing), float(hidden.mean()))


def _fill(mask: Pixels, outline_px: Pixels, value: int) -> None:
    if np.isfinite(outline_px).all() and np.abs(outline_px).max() < 20_000:
        cv2.fillPoly(mask, [np.round(outline_px * 16).astype(np.int32)], value, cv2.LINE_8, 4)


def _mask_out_of_picture(scene: Scene, view: View) -> Pixels:
    """uint8, 255 where the canvas is outside the picture."""
    camera = scene.camera
    left, top, _, _ = canvas_origin(camera)
    width, height = camera.size_px
    along = np.linspace(0, 1, 16, endpoint=False)
    still = np.zeros(16)
    edge = np.column_stack(
        [np.concatenate([along, still + 1, 1 - along, still]), np.concatenate([still, along, still + 1, 1 - along])]
    )
    border = undistort(camera, edge * (width, height) - 0.5) - (left, top)
    outside = np.full((view.size_px[1], view.size_px[0]), COVERED, np.uint8)
    _fill(outside, (border + 0.5) * SMALL - 0.5, 0)
    return outside


def _compute_visibility(scene: Scene, view: View) -> tuple[list[float], Pixels]:
    """(visible share of each checker's top, mask of everything hidden by hands or outside the picture)."""
    covered = _mask_out_of_picture(scene, view)
    for one in scene.hands:
        for outline in hand.outlines_px(one, view):
            _fill(covered, outline, COVERED)
    owner = np.zeros(covered.shape, np.uint8)
    order = sorted(range(len(scene.checkers)), key=lambda i: painting_order(scene.checkers[i], view))
    whole = [1.0] * len(scene.checkers)
    for i in order:
        top = _top_mm(scene, scene.checkers[i], 28)
        low = top - [0, 0, scene.checker_thickness_mm]
        _fill(owner, hull(view.project(np.concatenate([low, top]))), COVERED)
        face = view.project(top)
        whole[i] = max(1.0, _area(face))
        _fill(owner, face, i + 1)
    if scene.board is not None:
        for box in build_walls(scene.board):
            if is_near(box, scene.board, view) and not box.is_bar:
                _fill(owner, view.project(rectangle_mm(box.low_mm, box.high_mm, box.top_mm)), COVERED)
    owner[covered > 0] = 0
    counts = np.bincount(owner.ravel(), minlength=256)
    return [min(1.0, float(counts[i + 1]) / whole[i]) for i in range(len(scene.checkers))], covered
