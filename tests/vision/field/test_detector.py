"""Detection of the field with the shipped networks, in sample pictures turned, scaled and compressed."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.board_labels import BoardLabel, real_labels
from tests.vision.simulated.played_tables import start, style
from vision.field.detector import FieldFit, FieldNotFound, find_field, refine_field
from vision.geometry.projection import FieldShape, Lens, Points, Projection
from vision.pixels.picture_file import load_picture
from vision.simulated.drawing.draw import draw
from vision.simulated.scene_building import build_scene
from vision.simulated.truth import compute_truth

pytestmark = pytest.mark.broad

LABELS = {label.image.stem: label for label in real_labels(Path(__file__).parents[1] / "pictures")}
Picture = NDArray[np.uint8]


@pytest.fixture(scope="module")
def label() -> BoardLabel:
    return LABELS["start"]


@pytest.fixture(scope="module")
def pixels(label: BoardLabel) -> Picture:
    return load_picture(label.image)


@pytest.fixture(scope="module")
def seen(pixels: Picture) -> FieldFit | FieldNotFound:
    """The detection in the unchanged picture, which takes a second."""
    return find_field(pixels)


def worst_share(found: FieldFit | FieldNotFound, corners_px: Points) -> float:
    """The largest error of a corner as a share of the field's width; either order with an upright bar is right."""
    assert isinstance(found, FieldFit)
    corners = found.projection.to_picture(found.field.corners_mm)
    width_px = np.linalg.norm(corners_px[1] - corners_px[0])
    turned = (corners_px, np.roll(corners_px, 2, axis=0))
    return float(min(np.linalg.norm(corners - order, axis=1).max() for order in turned) / width_px)


def test_it_is_found(seen: FieldFit | FieldNotFound, label: BoardLabel) -> None:
    """Upright, as it was taken."""
    assert worst_share(seen, np.asarray(label.corners_px, np.float64)) < 0.02


@pytest.mark.parametrize("quarter_turns", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_turned_picture_is_found_as_well(pixels: Picture, label: BoardLabel, quarter_turns: int) -> None:
    """On its side or on its head: the corners follow."""
    corners = np.asarray(label.corners_px, np.float64)
    turned = pixels
    for _ in range(quarter_turns):
        corners = np.column_stack([corners[:, 1], turned.shape[1] - 1 - corners[:, 0]])
        turned = np.ascontiguousarray(np.rot90(turned))
    assert worst_share(find_field(turned), corners) < 0.02


def test_a_mirrored_picture_is_found_as_well(pixels: Picture, label: BoardLabel) -> None:
    corners = np.asarray(label.corners_px, np.float64)
    corners = np.column_stack([pixels.shape[1] - 1 - corners[:, 0], corners[:, 1]])[[1, 0, 3, 2]]
    assert worst_share(find_field(np.ascontiguousarray(pixels[:, ::-1])), corners) < 0.02


@pytest.mark.parametrize("quality", [pytest.param(90, marks=pytest.mark.slow), 40])
def test_jpeg_does_not_hide_it(pixels: Picture, label: BoardLabel, quality: int) -> None:
    stored = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    spoilt = cv2.imdecode(stored, cv2.IMREAD_COLOR)
    assert spoilt is not None
    assert worst_share(find_field(spoilt.astype(np.uint8)), np.asarray(label.corners_px)) < 0.02


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_the_number_of_pixels_does_not_matter(pixels: Picture, label: BoardLabel, factor: float) -> None:
    other = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8)
    corners = (np.asarray(label.corners_px) + 0.5) * factor - 0.5
    assert worst_share(find_field(other), corners) < 0.02


def test_the_given_size_is_kept(pixels: Picture) -> None:
    """With the field's size known, height and width are those, in mm."""
    found = find_field(pixels, field_mm=(500.0, 410.0))
    assert isinstance(found, FieldFit)
    assert (found.field.width_mm, found.field.height_mm) == (500.0, 410.0)


def test_an_estimate_is_refined_to_the_edges(
    pixels: Picture, label: BoardLabel, seen: FieldFit | FieldNotFound
) -> None:
    """Corners that are two percent of the width off end within one and a half."""
    assert isinstance(seen, FieldFit)
    corners = np.asarray(label.corners_px, np.float64)
    off = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1)]) * 0.014 * np.linalg.norm(corners[1] - corners[0])
    guess = Projection.of_corners(corners + off, seen.field, seen.projection.lens)
    assert worst_share(refine_field(pixels, guess, seen.field), corners) < 0.015


@pytest.mark.parametrize("height_mm", [2.0, 5000.0])
def test_a_field_that_is_no_board_is_refused(pixels: Picture, label: BoardLabel, height_mm: float) -> None:
    """A fit to half a board may end in a strip; straightening it would shrink the picture to nothing."""
    strip = FieldShape(440.0, height_mm, 200.0, 240.0)
    guess = Projection.of_corners(np.asarray(label.corners_px), strip, Lens.usual(*pixels.shape[1::-1]))
    assert isinstance(refine_field(pixels, guess, strip, keep_size=False), FieldNotFound)


@pytest.mark.parametrize(("aside", "thick"), [(0.2, 0.2), pytest.param(-0.3, 0.2, marks=pytest.mark.slow), (0.2, 0.45)])
def test_checkers_beside_the_middles_of_their_points_do_not_hide_it(aside: float, thick: float) -> None:
    """Lengths are in points: people lay checkers down beside the middle, and thick ones lean outwards in the picture."""
    scene = build_scene(style(1), start())
    pitch_mm = 0.0 if scene.board is None else scene.board.pitch_mm
    moved = tuple(
        replace(checker, centre_mm=(checker.centre_mm[0] + aside * pitch_mm, checker.centre_mm[1]))
        for checker in scene.checkers
    )
    scene = replace(scene, checkers=moved, checker_thickness_mm=thick * pitch_mm)
    found = find_field(draw(scene))
    assert worst_share(found, np.asarray(compute_truth(scene).field_corners_px)) < 0.02
    assert isinstance(found, FieldFit)
    assert found.confidence > 0.9


def chessboard() -> Picture:
    squares = (np.add.outer(np.arange(8), np.arange(8)) % 2 * 200 + 30).astype(np.uint8)
    board = np.kron(squares, np.ones((45, 45), np.uint8))
    picture = np.full((480, 640), 90, np.uint8)
    picture[60:420, 140:500] = board
    return np.repeat(picture[..., None], 3, axis=2)


NO_BOARDS = {
    "black": np.zeros((480, 640, 3), np.uint8),
    "white": np.full((480, 640, 3), 255, np.uint8),
    "noise": np.random.default_rng(3).integers(0, 256, (480, 640, 3)).astype(np.uint8),
    "chessboard": chessboard(),
    "tiny": np.zeros((40, 40, 3), np.uint8),
}


@pytest.mark.parametrize("name", NO_BOARDS)
def test_without_a_board_none_is_found(name: str) -> None:
    """A refusal, or a fit with a low confidence."""
    found = find_field(NO_BOARDS[name])
    assert isinstance(found, FieldNotFound) or found.confidence < 0.3
    if isinstance(found, FieldNotFound):
        assert found.reason.endswith(".")
