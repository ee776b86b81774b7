"""Labels of rendered pictures and photographs of boards, and variations of a picture with its label.

Places are named T1..T12, B1..B12 and `bar`. A place that a label leaves open is missing and is not scored.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Lens, Projection, compute_homography, transform

Picture = NDArray[np.uint8]
Answer = tuple[str, int]  # a point: none, light or dark, and how many

SEEN_MOST, HIDDEN_LEAST = 0.2, 0.7  # share of a place that is covered
UPPER, LOWER = ([f"{row}{column}" for column in range(1, 13)] for row in "TB")
POINT_NAMES = (*UPPER, *LOWER)


@dataclass(frozen=True, slots=True)
class PlaceLabel:
    """What stands on a point, how much of it is covered, and whether all of it lies on the surface."""

    answer: Answer
    covered: float = 0.0
    is_single_layer: bool = True

    @property
    def is_seen(self) -> bool:
        return self.covered <= SEEN_MOST

    @property
    def is_hidden(self) -> bool:
        return self.covered >= HIDDEN_LEAST


@dataclass(frozen=True, slots=True, eq=False)
class BoardLabel:
    """The true board of one picture. `groups` name the rows of the tables that count the picture."""

    image: Path
    corners_px: NDArray[np.float64]  # (4, 2)
    points: Mapping[str, PlaceLabel]
    bar: tuple[int, int] | None  # light, dark; None where it is not to be scored
    groups: tuple[str, ...]
    has_tags: bool = False
    projection: Projection | None = None
    field: FieldShape | None = None

    @property
    def width_px(self) -> float:
        """The field's width in the picture: the mean of its upper and lower edge."""
        left_upper, right_upper, right_lower, left_lower = self.corners_px
        return float(np.linalg.norm(right_upper - left_upper) + np.linalg.norm(right_lower - left_lower)) / 2


def rendered_labels(folder: Path) -> Iterator[BoardLabel]:
    """The labels in the JSON files of a folder, in order of name; other JSON files are passed over."""
    for file in sorted(folder.glob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(content, dict) and "field_corners_px" in content:
            yield _rendered(file, content)


def _rendered(file: Path, content: Mapping[str, Any]) -> BoardLabel:
    checkers = content["checkers"]
    points = {}
    for name, point in content["points"].items():
        own = [checker for checker in checkers if checker["point"] == name]
        x_px, y_px = point["base_px"]
        if not all(checker["in_image"] for checker in own):
            continue
        if not (0 <= x_px < content["width"] and 0 <= y_px < content["height"]):
            continue
        answer = (point["color"] or "none", point["count"])
        is_flat = all(checker["layer"] == 0 for checker in own)
        points[name] = PlaceLabel(answer, point["occluded"], is_flat)
    on_bar = [checker for checker in checkers if checker["point"] == "bar"]
    is_bar_seen = content["still"] and all(c["visible"] >= 1 - SEEN_MOST and c["in_image"] for c in on_bar)
    board, tags = content["board"], content.get("tags", {})
    field = FieldShape(
        board["width_mm"], board["height_mm"], board["half_width_mm"], board["width_mm"] - board["half_width_mm"]
    )
    camera = content["camera"]
    matrix = camera["K"]
    lens = Lens(matrix[0][0], (matrix[0][2], matrix[1][2]), camera["dist"][0])
    named = ("light", "field", "checkers", "checker_profile", "rim_wood", "table", "phase")
    return BoardLabel(
        image=file.with_name(content["image"]),
        corners_px=np.array(content["field_corners_px"], np.float64),
        points=points,
        bar=(content["bar"]["light"], content["bar"]["dark"]) if is_bar_seen else None,
        groups=(
            *(f"{name}: {tags[name]}" for name in named if name in tags),
            *(f"difficulty: {name}" for name in content.get("difficulty", []) or ["none"]),
            "tags: yes" if content["aruco"] else "tags: no",
        ),
        has_tags=len(content["aruco"]) == 4,
        projection=Projection.of(content["homography"], lens),
        field=field,
    )


def real_labels(folder: Path) -> Iterator[BoardLabel]:
    """The labels in the `labels.jsonl` of a folder of photographs; what is null there is not scored."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        yield photograph_label(folder / content["image"], content, content["source"].split()[0])


def photograph_label(image: Path, content: Mapping[str, Any], board: str) -> BoardLabel:
    """The label of one photograph; `board` names the board or its source."""
    bar = content["bar"]
    return BoardLabel(
        image=image,
        corners_px=np.array(content["corners"], np.float64),
        points={name: PlaceLabel((a[0], a[1])) for name, a in content["points"].items() if a is not None},
        bar=(bar["light"], bar["dark"]) if bar and None not in bar.values() else None,
        groups=(f"view: {content['view']}", f"board: {board}"),
    )


def turned_names(names: Mapping[str, PlaceLabel]) -> dict[str, PlaceLabel]:
    """The labels of the points after the board was turned by half a turn."""
    swap = dict(zip((*UPPER, *LOWER), (*LOWER[::-1], *UPPER[::-1]), strict=True))
    return {swap[name]: place for name, place in names.items()}


# --- variations of a picture and its label -------------------------------------------------------------------------------


def upside_down(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    last = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
    return _copy(picture[::-1, ::-1]), replace(label, corners_px=last - label.corners_px)


def quarter_turn(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    """Turns the picture clockwise. The corners keep their order, so the bar is upright again in the top view."""
    corners = np.column_stack([picture.shape[0] - 1 - label.corners_px[:, 1], label.corners_px[:, 0]])
    return _copy(np.rot90(picture, -1)), replace(label, corners_px=corners)


def mirrored(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    """Mirrors the picture: the columns of the board then run from right to left."""
    corners = np.column_stack([picture.shape[1] - 1 - label.corners_px[:, 0], label.corners_px[:, 1]])
    swap = dict(zip((*UPPER, *LOWER), (*UPPER[::-1], *LOWER[::-1]), strict=True))
    points = {swap[name]: place for name, place in label.points.items()}
    return _copy(picture[:, ::-1]), replace(label, corners_px=corners[[1, 0, 3, 2]], points=points)


def as_poor_jpeg(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    """Encodes the picture as JPEG of quality 40 and decodes it."""
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 40])
    decoded = cv2.imdecode(content, cv2.IMREAD_COLOR)
    assert decoded is not None
    return _copy(decoded), label


def half_size(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    return _resized(picture, label, 0.5, cv2.INTER_AREA)


def double_size(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    return _resized(picture, label, 2.0, cv2.INTER_CUBIC)


def _resized(picture: Picture, label: BoardLabel, factor: float, method: int) -> tuple[Picture, BoardLabel]:
    size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
    corners = (label.corners_px + 0.5) * factor - 0.5
    return _copy(cv2.resize(picture, size, interpolation=method)), replace(label, corners_px=corners)


def shifted_out(picture: Picture, label: BoardLabel) -> tuple[Picture, BoardLabel]:
    """Cuts the rightmost points off; a point that is not wholly in the picture any more is not scored."""
    cut = max(64, int(label.corners_px[1:3, 0].mean() - 0.05 * label.width_px))
    share = compute_homography([(0, 0), (1, 0), (1, 1), (0, 1)], label.corners_px)
    points = {}
    for name, place in label.points.items():
        top = 0.0 if name.startswith("T") else 0.5
        sides = [(int(name[1:]) - 1.3) / 12, (int(name[1:]) + 0.3) / 12]
        outline = transform(share, [(side, top + y) for side in sides for y in (0, 0.5)])
        if outline[:, 0].max() < cut:
            points[name] = place
    return _copy(picture[:, :cut]), replace(label, points=points)


def _copy(picture: NDArray[Any]) -> Picture:
    return np.ascontiguousarray(picture, np.uint8)


VARIATIONS = {
    "upside down": upside_down,
    "turned by 90 degrees": quarter_turn,
    "mirrored": mirrored,
    "JPEG quality 40": as_poor_jpeg,
    "half resolution": half_size,
    "double resolution": double_size,
    "right edge out of the picture": shifted_out,
}


def pictures_without_board(seed: int = 3) -> dict[str, Picture]:
    """Pictures in which no board may be found."""
    rng = np.random.default_rng(seed)
    shape = (960, 1280, 3)
    noise = rng.normal(128, 40, shape)
    grain = cv2.GaussianBlur(rng.normal(0, 1, shape[:2]), (0, 0), sigmaX=40, sigmaY=1.5)
    planks = (
        np.array([70, 110, 160]) * (1 + 0.9 * grain[..., None]) * (1 - 0.4 * (np.arange(1280) % 213 < 4))[None, :, None]
    )
    light = np.clip(np.linspace(60, 220, 1280)[None, :, None] + rng.normal(0, 2, shape), 0, 255)
    drawn = {
        "black frame": np.zeros(shape),
        "white frame": np.full(shape, 255),
        "noise": noise,
        "wooden table": planks,
        "empty table": light,
        "chessboard": _chessboard(rng),
    }
    return {name: np.clip(picture, 0, 255).astype(np.uint8) for name, picture in drawn.items()}


def _chessboard(rng: np.random.Generator) -> NDArray[np.float64]:
    """A chessboard with a rim and some pieces, a little oblique, on a grey table."""
    flat = np.full((800, 800, 3), (40.0, 70.0, 120.0))
    for row in range(8):
        for column in range(8):
            colour = (190, 215, 235) if (row + column) % 2 else (50, 80, 110)
            flat[40 + row * 90 : 130 + row * 90, 40 + column * 90 : 130 + column * 90] = colour
    for _ in range(14):
        x, y, shade = 85 + 90 * int(rng.integers(8)), 85 + 90 * int(rng.integers(8)), 20 + 190 * int(rng.integers(2))
        cv2.circle(flat, (x, y), 30, (shade, shade, shade), cv2.FILLED, cv2.LINE_AA)
    onto = np.array([(270, 90), (1010, 110), (1060, 870), (230, 850)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array([(0, 0), (800, 0), (800, 800), (0, 800)], np.float32), onto)
    table = np.full((960, 1280, 3), 120.0)
    chess = cv2.warpPerspective(flat, matrix, (1280, 960))
    mask = cv2.warpPerspective(np.ones((800, 800)), matrix, (1280, 960))[..., None]
    return np.asarray(chess * mask + table * (1 - mask) + rng.normal(0, 2, table.shape), np.float64)
