"""The surfaces in a labelled picture that dice lie on and lean against, and the objects already there."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Points, Projection
from vision.simulated.scene import Board, Scene
from vision.simulated.truth import TableTruth
from vision.training.drawn_boards.scenes import random_scene
from vision.training.samples.checker_samples import truth_field, truth_projection
from vision.training.samples.die_truth import DieTruth
from vision.training.samples.picture_store import has_dice_labels, load_dice

Mm = NDArray[np.float64]
BARELY_HIDDEN = 0.05  # hidden share of a point above which a hand may be there, so no die is put on it
CLEARLY_VISIBLE = 0.9


@dataclass(frozen=True, slots=True)
class Heights:
    """Millimetres above the field; the table is below it."""

    checker_mm: float
    bar_mm: float
    rim_mm: float
    rim_width_mm: float
    table_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Arrays hold one row a checker, (n, 2) or (n,): centre of the upper face on the board, radius and height."""

    projection: Projection
    field: FieldShape
    size_px: tuple[int, int]
    heights: Heights
    centres_mm: Points
    radii_mm: Mm
    tops_mm: Mm
    tops_px: Points
    radii_px: Mm
    is_visible: NDArray[np.bool_]  # the upper face is wholly visible and free
    things_mm: Mm  # (k, 3): x, y and radius of dice and similar objects in the picture
    blocked_mm: Mm  # (m, 3): `things_mm`, and circles that a hand may cover

    def height_at(self, place_mm: Mm) -> float:
        """Height of the surface under a place, without checkers."""
        x, y = float(place_mm[0]), float(place_mm[1])
        field, heights = self.field, self.heights
        if field.holds(x, y):
            return heights.bar_mm if field.bar_left_mm < x < field.bar_right_mm else 0.0
        beyond = field.outside_distance_mm(x, y)
        return heights.rim_mm if beyond <= heights.rim_width_mm else heights.table_mm


def make_ground(picture: Path, truth: TableTruth, rng: np.random.Generator, *, drawn_seed: int = 1) -> Ground:
    """The ground of a picture of `picture_store`; heights that nothing labels are drawn at random.

    Raises ValueError for a picture with unknown dice: some would stay unlabelled.
    """
    path = picture.with_suffix(".json")
    if path.exists():
        board = json.loads(path.read_text("utf-8"))["board"]
        names = ("checker_thickness_mm", "bar_height_mm", "rim_height_mm", "rim_width_mm")
        checker, bar, rim, wide = (float(board[name]) for name in names)
        heights = Heights(checker, bar, rim, wide, -float(rng.uniform(0, 25)))
        return _build_ground(truth, heights, _circles(load_dice(picture)))
    scene = _redraw_scene(int(picture.stem), truth, drawn_seed)
    if scene is not None and scene.board is not None:
        things = [(*die.centre_mm, 0.75 * die.size_mm) for die in scene.dice]
        things += [(*thing.centre_mm, 0.6 * max(thing.size_mm)) for thing in scene.things if max(thing.size_mm) < 120]
        return _build_ground(truth, _scene_heights(scene, scene.board), things)
    if not has_dice_labels(picture):
        raise ValueError(f"{picture.name} does not say where its dice are, and was not drawn from seed {drawn_seed}")
    heights = Heights(*rng.uniform((6, 0, 5, 10, -25), (10, 15, 20, 25, 0)).tolist())
    return _build_ground(truth, heights, _circles(load_dice(picture)))


def _circles(dice: tuple[DieTruth, ...]) -> list[tuple[float, float, float]]:
    return [(*die.base_mm, 0.75 * die.size_mm) for die in dice]


def _redraw_scene(number: int, truth: TableTruth, seed: int) -> Scene | None:
    """The scene of a drawn picture; None when the picture came from another seed or version of the generator."""
    # The same random draws as in `draw_pictures`; cheap, since nothing is rendered.
    rng = np.random.default_rng([seed, number])
    rng.integers(4)
    rng.random()
    scene = random_scene(rng, size_px=truth.image_size_px)
    is_same = scene.board is not None and np.allclose(scene.board.field_mm, truth.field_mm)
    return scene if is_same else None


def _scene_heights(scene: Scene, board: Board) -> Heights:
    has_rim = board.rim_width_mm > 0
    rim = (board.rim_height_mm, board.rim_width_mm, -board.depth_mm) if has_rim else (0.0, board.sheet_mm, 0.0)
    return Heights(scene.checker_thickness_mm, board.bar_height_mm, *rim)


def _build_ground(truth: TableTruth, heights: Heights, things: list[tuple[float, float, float]]) -> Ground:
    projection, field = truth_projection(truth), truth_field(truth)
    tops_px = np.array([checker.top_px for checker in truth.checkers], np.float64).reshape(-1, 2)
    radii_px = np.array([checker.radius_px for checker in truth.checkers], np.float64)
    layers = np.array([checker.layer for checker in truth.checkers], np.float64)
    tops_mm = (layers + 1) * heights.checker_mm
    centres = projection.to_board(tops_px, tops_mm) if len(tops_px) else tops_px
    per_mm = scale_at(projection, centres, tops_mm) if len(tops_px) else radii_px
    radii_mm = radii_px / per_mm if len(tops_px) else radii_px
    seen = np.array([c.visible > CLEARLY_VISIBLE and not c.leaning for c in truth.checkers], np.bool_)
    # Labels may count borne-off checkers in a tray as on the board; those are no ground.
    inside = ((centres > 0) & (centres < (field.width_mm, field.height_mm))).all(axis=1)
    things_mm = np.array(things, np.float64).reshape(-1, 3)
    taken = np.concatenate([things_mm, np.array(_find_hidden_places(truth, field), np.float64).reshape(-1, 3)])
    return Ground(
        projection, field, truth.image_size_px, heights, centres, radii_mm, tops_mm, tops_px, radii_px,
        seen & inside, things_mm, taken,
    )  # fmt: skip


def _find_hidden_places(truth: TableTruth, field: FieldShape) -> list[tuple[float, float, float]]:
    """Circles over the points that a hand may cover."""
    hidden = []
    for index, place in enumerate(truth.places):
        if place.occluded > BARELY_HIDDEN:
            x = field.point_middle_mm(index % 12 + 1)
            for share in (0.05, 0.2, 0.35, 0.45):
                y = share * field.height_mm
                hidden.append((x, y if index < 12 else field.height_mm - y, 0.7 * field.pitch_mm))
    return hidden


def scale_at(projection: Projection, places_mm: Points, heights_mm: Mm | float) -> Mm:
    """(n,) pixels per mm, the mean of both directions, at board places of these heights."""
    heights = np.broadcast_to(np.asarray(heights_mm, np.float64), (len(places_mm),))
    ends = [projection.to_picture(places_mm + step, heights) for step in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    across, down = (ends[1] - ends[0]) / 2, (ends[3] - ends[2]) / 2
    area: Mm = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    return area
