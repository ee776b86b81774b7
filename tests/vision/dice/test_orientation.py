"""How a die is turned, by the outline of its upper face."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_boards import FIELD
from vision.dice.orientation import compute_footprint_mm, estimate_rotation
from vision.dice.windows import DIE_PX, WINDOW_PX, DieSpot
from vision.geometry.projection import KnownBoard, Lens, Points, Projection, distances

CLOTH, SIDE, FACE, PIP = (70, 110, 60), (90, 90, 100), (200, 210, 215), (20, 20, 20)
QUARTER = np.pi / 2
EDGE_MM = 15.0
ASLANT = KnownBoard(
    Projection.of_corners(((150, 130), (1080, 90), (1180, 860), (90, 830)), FIELD, Lens.usual(1280, 960)), FIELD
)
UNIT = np.array([(0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)])
PIPS = np.array([(-0.25, -0.25), (0.25, 0.25), (0.0, 0.0)])


def turned(points: Points, turn: float) -> Points:
    across, along = np.cos(turn), np.sin(turn)
    return np.asarray(points @ np.array([(across, along), (-along, across)]))


def face(turn: float, edge_px: float = DIE_PX) -> NDArray[np.uint8]:
    """A three from straight above, in the middle of its window."""
    picture = np.full((WINDOW_PX * 4, WINDOW_PX * 4, 3), CLOTH, np.uint8)
    middle = np.array([(WINDOW_PX - 1) / 2] * 2)
    fill(picture, 4 * (turned(UNIT, turn) * edge_px + middle) + 1.5, FACE)
    for x, y in 4 * (turned(PIPS, turn) * edge_px + middle) + 1.5:
        cv2.circle(picture, (round(x), round(y)), round(0.09 * edge_px * 4), PIP, -1)
    return cv2.resize(picture, (WINDOW_PX, WINDOW_PX), interpolation=cv2.INTER_AREA).astype(np.uint8)


def fill(picture: NDArray[np.uint8], corners_px: Points, colour: tuple[int, int, int]) -> None:
    cv2.fillConvexPoly(picture, np.round(corners_px * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def off_by(found: float | None, turn: float) -> float:
    """In degrees, of the nearest of the four turns that are alike."""
    assert found is not None
    off = (found - turn) % QUARTER
    return float(np.degrees(min(off, QUARTER - off)))


@pytest.mark.parametrize("turn_deg", [0.0, 10.0, 31.0, 45.0, 64.0, 88.0])
@pytest.mark.parametrize("times", [0.92, 1.0, 1.07])
def test_the_turn_of_a_square(turn_deg: float, times: float) -> None:
    """Its size may be a little wrong."""
    turn = np.radians(turn_deg)
    assert off_by(estimate_rotation(face(turn, times * DIE_PX)), turn) < 4


def test_what_is_no_square_has_no_turn() -> None:
    """Nothing, a checker, six sides."""
    picture = np.full((WINDOW_PX, WINDOW_PX, 3), CLOTH, np.uint8)
    assert estimate_rotation(picture) is None
    checker = picture.copy()
    cv2.circle(checker, (WINDOW_PX // 2, WINDOW_PX // 2), DIE_PX // 2, FACE, -1, cv2.LINE_AA)
    assert estimate_rotation(checker) is None
    corners = 0.7 * DIE_PX * np.exp(1j * (0.2 + np.arange(6) * np.pi / 3)) + (1 + 1j) * (WINDOW_PX - 1) / 2
    fill(picture, np.stack([corners.real, corners.imag], axis=1), FACE)
    assert estimate_rotation(picture) is None


@pytest.mark.parametrize("turn_deg", [5.0, 40.0, 75.0])
@pytest.mark.parametrize("base_mm", [(80.0, 90.0), (420.0, 300.0), (240.0, 200.0)])
def test_where_a_die_stands_that_is_seen_aslant(base_mm: tuple[float, float], turn_deg: float) -> None:
    """Its upper face shows away from there, larger, and beside one of its sides."""
    picture = np.full((960, 1280, 3), CLOTH, np.uint8)
    corners_mm = turned(UNIT, np.radians(turn_deg)) * EDGE_MM + base_mm
    below_px, above_px = (ASLANT.projection.to_picture(corners_mm, height_mm) for height_mm in (0.0, EDGE_MM))
    hull = cv2.convexHull(np.concatenate([below_px, above_px]).astype(np.float32)).reshape(-1, 2)
    fill(picture, hull.astype(np.float64), SIDE)
    fill(picture, above_px, FACE)
    top_px = above_px.mean(axis=0)
    size_px = float(np.sqrt(cv2.contourArea(above_px.astype(np.float32))))
    spot = DieSpot((float(top_px[0]), float(top_px[1])), size_px, 1.0)
    found_mm = compute_footprint_mm(picture, spot, EDGE_MM, ASLANT)
    assert found_mm is not None
    away_mm = distances(found_mm, corners_mm)
    assert away_mm.min(axis=1).max() < 0.1 * EDGE_MM
    assert sorted(away_mm.argmin(axis=1).tolist()) == [0, 1, 2, 3]


def test_without_a_board_nobody_knows() -> None:
    assert compute_footprint_mm(face(0.3), DieSpot((36.0, 36.0), float(DIE_PX), 1.0), EDGE_MM, None) is None
