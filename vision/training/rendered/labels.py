"""The label of a picture, computed from the scene, in the fields of the published boards.

A label is JSON (dictionaries of numbers, words and lists) for other programs, hence plain dictionaries in this file.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from vision.simulated.scene import PLACES
from vision.training.rendered.difficulty import Glare, find_difficulties
from vision.training.rendered.layout.board_shape import field_corners
from vision.training.rendered.layout.board_size import BoardSize
from vision.training.rendered.layout.camera import TracedCamera
from vision.training.rendered.layout.checkers_layout import PlacedChecker
from vision.training.rendered.layout.dice_state import PlacedDie, ThrowOutcome, judge_throw, upper_quad
from vision.training.rendered.layout.positions import SIDES
from vision.training.rendered.scene import RenderedScene
from vision.training.rendered.tracing.arrays import Flags, Floats, vector

Json = dict[str, object]
IsVisible = Callable[[Floats], Flags]  # (n, 3) world points -> (n,) whether the camera sees them

_OCCLUDED = 0.2  # a point with a larger hidden share is called occluded
_CLEAR_MM = 0.9  # distance from a surface at which the surface does not hide the point


def make_label(
    scene: RenderedScene, camera: TracedCamera, is_visible: IsVisible, glare: Glare, image_name: str
) -> Json:
    """The whole label of the picture that `camera` took; `camera` is the scene's own or a resized copy."""
    size, pieces = scene.table.size, scene.style.pieces
    points, occluded = _label_points(scene, camera, is_visible)
    return {
        "image": image_name,
        "width": camera.width_px,
        "height": camera.height_px,
        "seed": scene.seed,
        "game": scene.position.game.value,
        "phase": scene.position.phase,
        "camera": _label_camera(camera),
        "homography": _round(field_homography(camera, size), 9),
        "field_corners_px": _round(camera.project(field_corners(size))),
        "outer_corners_px": _round(camera.project(scene.table.shape.corners(size.rim_height_mm))),
        "board": _label_board(size),
        "points": points,
        "bar": _count_checkers(scene, "bar"),
        "off": {**_count_checkers(scene, "off"), "place": _label_off(scene)},
        "checkers": _label_checkers(scene, camera, is_visible),
        "dice": [
            _label_die(die, order, scene, camera, is_visible=is_visible, burnt=glare.dice[order])
            for order, die in enumerate(scene.dice)
        ],
        "roll": _label_roll(scene.dice),
        "cube": _label_cube(scene, camera),
        "still": scene.hand is None,
        "occluded": bool(occluded),
        "occluded_points": occluded,
        "leds": [
            {"point": led.place, "px": _round(camera.project_one(led.centre_mm)), "rgb": led.light}
            for led in scene.leds
        ],
        "aruco": _label_markers(scene, camera),
        "tags": {
            "light": scene.lighting.setup.value,
            "field": scene.table.ground.value,
            "rim_wood": scene.style.frame.rim.surface.value,
            "checkers": "_".join(material.surface.value for material in pieces.checkers),
            "checker_profile": pieces.profile.value,
            "die": pieces.dice[0].surface.value,
            "table": scene.style.table.surface.value,
            "phase": scene.position.phase,
        },
        "difficulty": find_difficulties(scene, camera, glare),
    }


def field_homography(camera: TracedCamera, size: BoardSize) -> Floats:
    """(3, 3) homography with the same K: board mm on the field (x right, y down) to undistorted pixels."""
    x, y = size.field_width_mm / 2, size.field_height_mm / 2
    board_to_world = np.array([[1, 0, -x], [0, -1, y], [0, 0, 0], [0, 0, 1.0]])
    matrix: Floats = camera.matrix @ np.column_stack([camera.rotation, camera.shift_mm]) @ board_to_world
    return np.asarray(matrix / matrix[2, 2])


def _round(values: ArrayLike, digits: int = 2) -> object:
    rounded: object = np.round(np.asarray(values, float), digits).tolist()
    return rounded


def _on_board(size: BoardSize, point_mm: ArrayLike) -> tuple[float, float]:
    x, y, _ = vector(point_mm)
    return x + size.field_width_mm / 2, size.field_height_mm / 2 - y


def _label_camera(camera: TracedCamera) -> Json:
    return {
        "K": _round(camera.matrix, 4),
        "dist": _round(camera.lens, 6),
        "R": _round(camera.rotation, 7),
        "t": _round(camera.shift_mm, 4),
        "height_mm": round(camera.above_mm, 1),
        "tilt_deg": round(camera.tilt_deg, 2),
        "roll_deg": round(camera.roll_deg, 2),
        "fov_deg": round(camera.fov_deg, 2),
    }


def _label_board(size: BoardSize) -> Json:
    return {
        "width_mm": round(size.field_width_mm, 2),
        "height_mm": round(size.field_height_mm, 2),
        "half_width_mm": round(size.half_width_mm, 2),
        "bar_width_mm": round(size.bar_width_mm, 2),
        "bar": size.bar.value,
        "bar_height_mm": round(size.bar_height_mm, 1),
        "rim_width_mm": round(size.rim_width_mm, 1),
        "rim_height_mm": round(size.rim_height_mm, 1),
        "point_pitch_mm": round(size.pitch_mm, 2),
        "point_centres_mm": _round(size.centres_mm),
        "point_length_mm": round(size.point_length_mm, 1),
        "checker_diameter_mm": round(size.checker_mm, 2),
        "checker_thickness_mm": round(size.checker_thick_mm, 2),
        "die_mm": round(size.die_mm, 2),
        "trays": size.trays.value,
    }


def _count_checkers(scene: RenderedScene, place: str) -> Json:
    here = [checker.side for checker in scene.table.checkers if checker.place == place]
    return {side.value: here.count(side) for side in SIDES}


def _label_off(scene: RenderedScene) -> str:
    if not any(scene.position.off):
        return "none"
    return "tray" if scene.table.shape.trays_mm else "table"


def _label_points(scene: RenderedScene, camera: TracedCamera, is_visible: IsVisible) -> tuple[Json, list[str]]:
    """The 24 points by name, and the names of the points that the hand covers."""
    size = scene.table.size
    covered = _compute_hidden_shares(scene, is_visible)
    points: Json = {}
    for place, share in zip(PLACES, covered.tolist(), strict=True):
        side, count = scene.position.points.get(place, (None, 0))
        x, up = _column(size, place)
        rim = up * size.field_height_mm / 2
        tip = rim - up * size.point_length_mm
        points[place] = {
            "color": side.value if side else None,
            "count": count,
            "base_px": _round(camera.project_one((x, rim, 0))),
            "tip_px": _round(camera.project_one((x, tip, 0))),
            "occluded": round(share, 2),
        }
    return points, [place for place, share in zip(PLACES, covered, strict=True) if share > _OCCLUDED]


def _column(size: BoardSize, place: str) -> tuple[float, int]:
    """(x of the middle line of a point, 1 for the top row or -1)."""
    return size.centres_mm[int(place[1:]) - 1] - size.field_width_mm / 2, 1 if place[0] == "T" else -1


def _compute_hidden_shares(scene: RenderedScene, is_visible: IsVisible) -> Floats:
    """(24,) share of each point that the hand hides, just above checkers or above dice: the greater one."""
    if scene.hand is None:
        return np.zeros(len(PLACES))
    size = scene.table.size
    spots = []
    for place in PLACES:
        x, up = _column(size, place)
        for share in (0.12, 0.35, 0.6, 0.85):
            y = up * (size.field_height_mm / 2 - size.point_length_mm * share)
            spots += [(x + aside * size.pitch_mm, y) for aside in (-0.3, 0, 0.3)]
    hidden = [
        1 - is_visible(np.column_stack([spots, np.full(len(spots), z)])).reshape(len(PLACES), -1).mean(axis=1)
        for z in (size.checker_thick_mm + 4, size.checker_thick_mm + size.die_mm * 1.9 + 2)
    ]
    return np.asarray(np.maximum(hidden[0], hidden[1]))


def _label_checkers(scene: RenderedScene, camera: TracedCamera, is_visible: IsVisible) -> list[Json]:
    checkers = scene.table.checkers
    samples = [_upper_face(checker, scene.table.size, share=0.36, above_mm=_CLEAR_MM) for checker in checkers]
    visible = is_visible(np.concatenate(samples)).reshape(len(checkers), -1).mean(axis=1)
    return [
        _label_checker(checker, scene.table.size, camera, visible=share)
        for checker, share in zip(checkers, visible.tolist(), strict=True)
    ]


def _upper_face(checker: PlacedChecker, size: BoardSize, *, share: float, above_mm: float = 0.0) -> Floats:
    """(9, 3): the middle of the upper face and a ring of eight at `share` of the diameter."""
    axis = np.array(checker.axis)
    middle = np.array(checker.base_mm) + axis * (size.checker_thick_mm + above_mm)
    first = np.cross(axis, (0.31, 0.95, 0.0))
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    angles = np.arange(8)[:, None] * np.pi / 4
    ring = middle + size.checker_mm * share * (np.cos(angles) * first + np.sin(angles) * second)
    return np.vstack([middle, ring])


def _label_checker(checker: PlacedChecker, size: BoardSize, camera: TracedCamera, *, visible: float) -> Json:
    base, axis = np.array(checker.base_mm), np.array(checker.axis)
    top, *edge = camera.project(_upper_face(checker, size, share=0.5))
    return {
        "color": checker.side.value,
        "point": checker.place,
        "layer": checker.layer,
        "leaning": checker.is_leaning,
        "centre_mm": _round(_on_board(size, base + axis * size.checker_thick_mm / 2)),
        "height_mm": round(checker.base_mm[2], 1),
        "top_px": _round(top),
        "radius_px": round(float(np.linalg.norm(np.array(edge) - top, axis=1).mean()), 2),
        "in_image": bool(camera.sees(top)[0]),
        "visible": round(visible, 2),
    }


def _label_die(
    die: PlacedDie, order: int, scene: RenderedScene, camera: TracedCamera, *, is_visible: IsVisible, burnt: float
) -> Json:
    quad, middle = upper_quad(die, scene.table.size.die_mm)
    normal = np.cross(quad[1] - quad[0], quad[2] - quad[0])
    normal *= (1 if normal[2] > 0 else -1) * _CLEAR_MM / np.linalg.norm(normal)
    shares, across, along = (0.2, 0.5, 0.8), quad[1] - quad[0], quad[3] - quad[0]
    samples = [quad[0] + across * a + along * b + normal for a in shares for b in shares]
    centre_px = camera.project_one(die.centre_mm)
    return {
        "value": die.value,
        "state": die.state.value,
        "half": die.half,
        "centre_px": _round(centre_px),
        "top_centre_px": _round(camera.project_one(middle)),
        "tilt_deg": round(die.tilt_deg, 2),
        "quad_px": _round(camera.project(quad)),
        "up_face": die.up_face,
        "place": die.place,
        "centre_mm": _round(_on_board(scene.table.size, die.centre_mm)),
        "height_mm": round(die.centre_mm[2], 2),
        "style": scene.style.pieces.dice[order].surface.value,
        "visible": round(float(is_visible(np.array(samples)).mean()), 2),
        "in_image": bool(camera.sees(centre_px)[0]),
        "burnt": round(burnt, 2),
    }


def _label_roll(dice: Sequence[PlacedDie]) -> Json:
    reason = judge_throw(dice)
    values = sorted((die.up_face for die in dice), reverse=True) if reason is ThrowOutcome.OK else None
    return {"valid": reason is ThrowOutcome.OK, "reason": reason.value, "values": values}


def _label_cube(scene: RenderedScene, camera: TracedCamera) -> Json | None:
    cube = scene.table.cube
    if cube is None:
        return None
    return {
        "value": cube.value,
        "spot": cube.spot,
        "size_mm": round(scene.table.size.cube_mm, 1),
        "centre_px": _round(camera.project_one(cube.centre_mm)),
    }


def _label_markers(scene: RenderedScene, camera: TracedCamera) -> list[Json]:
    return [
        {
            "id": marker.number,
            "size_mm": round(marker.size_mm, 2),
            "corners_px": _round(camera.project(marker.corners_mm)),
            "corners_mm": _round([(*_on_board(scene.table.size, corner), corner[2]) for corner in marker.corners_mm]),
        }
        for marker in scene.markers
    ]
