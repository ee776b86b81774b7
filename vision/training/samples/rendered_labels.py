"""Reads the labels of rendered pictures as `TableTruth`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import PLACES, PointMm
from vision.simulated.truth import CheckerTruth, PlaceTruth, TableTruth

Json = Mapping[str, Any]


def pair(values: Any) -> PointMm:
    x, y = values
    return float(x), float(y)


def _read_checkers(checkers: list[Json]) -> tuple[CheckerTruth, ...]:
    return tuple(
        CheckerTruth(
            colour=str(checker["color"]),
            place=str(checker["point"]),
            layer=int(checker["layer"]),
            leaning=bool(checker["leaning"]),
            top_px=pair(checker["top_px"]),
            radius_px=float(checker["radius_px"]),
            visible=float(checker["visible"]),
        )
        for checker in checkers
    )


def _read_homography(label: Json) -> NDArray[np.float64]:
    """Surface mm to undistorted px; from the camera's pose where the label lacks it."""
    if "homography" in label:
        return np.array(label["homography"], np.float64)
    camera, board = label["camera"], label["board"]
    rotation = np.array(camera["R"], np.float64)
    # The world frame has its origin in the middle of the field and y upward.
    to_world = np.array([[1, 0, -board["width_mm"] / 2], [0, -1, board["height_mm"] / 2], [0, 0, 1]])
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], np.array(camera["t"], np.float64)])
    mapped = np.array(camera["K"], np.float64) @ plane @ to_world
    return np.asarray(mapped / mapped[2, 2])


def read_truth(path: Path) -> TableTruth:
    """Reads one JSON label. Raises KeyError or ValueError when it is not one."""
    label: Json = json.loads(Path(path).read_text(encoding="utf-8"))
    camera, board = label["camera"], label["board"]
    matrix = camera["K"]
    a, b, c, d = (pair(corner) for corner in label["field_corners_px"])
    rows = [(float(row[0]), float(row[1]), float(row[2])) for row in _read_homography(label)]
    half, bar = float(board["half_width_mm"]), float(board["bar_width_mm"])
    return TableTruth(
        image_size_px=(int(label["width"]), int(label["height"])),
        field_corners_px=(a, b, c, d),
        focal_px=float(matrix[0][0]),
        centre_px=(float(matrix[0][2]), float(matrix[1][2])),
        k1=float(camera["dist"][0]),
        homography=(rows[0], rows[1], rows[2]),
        field_mm=(float(board["width_mm"]), float(board["height_mm"])),
        bar_span_mm=(half, half + bar),
        point_pitch_mm=float(board["point_pitch_mm"]),
        places=tuple(
            PlaceTruth(point["color"] or "none", int(point["count"]), float(point["occluded"]))
            for point in (label["points"][name] for name in PLACES)
        ),
        bar_light=int(label["bar"]["light"]),
        bar_dark=int(label["bar"]["dark"]),
        checkers=_read_checkers(label["checkers"]),
        rim_height_mm=float(board.get("rim_height_mm", 0.0)),
    )
