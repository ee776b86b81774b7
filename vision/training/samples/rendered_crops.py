"""The dice of rendered pictures, from their labels, and the crops around them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import DieState
from vision.geometry.projection import KnownBoard
from vision.simulated.truth import TableTruth
from vision.training.samples.checker_samples import truth_field, truth_projection
from vision.training.samples.crop_store import read_pixels
from vision.training.samples.die_truth import DiceCrop, DieTruth
from vision.training.samples.rendered_labels import pair, read_truth

CROP_EDGES = 7.0  # edges of a die along a side of a crop
EMPTY_CROPS = 3  # crops without a die from each picture
BARELY_VISIBLE = 0.05
USUAL_CUBE_MM = 27.0
LEAST_CROP_SHARE = 0.25  # how much of a window must lie in the picture


def make_known_board(truth: TableTruth) -> KnownBoard:
    return KnownBoard(truth_projection(truth), truth_field(truth))


def read_labelled_dice(label: Path) -> tuple[KnownBoard, tuple[DieTruth, ...]]:
    """Board, dice and cube of a label. Raises KeyError or ValueError when it is not one."""
    truth = read_truth(label)
    board = make_known_board(truth)
    content = json.loads(label.read_text("utf-8"))
    dice = [_read_die(die, float(content["board"]["die_mm"]), board) for die in content["dice"] if die["in_image"]]
    cube = content.get("cube")
    if cube:
        dice.append(_read_cube(cube, board))
    return board, tuple(dice)


def _read_die(die: Mapping[str, Any], size_mm: float, board: KnownBoard) -> DieTruth:
    centre = np.array([*die["centre_mm"], die["height_mm"]], np.float64)
    up = float(np.cos(np.radians(die["tilt_deg"])))
    top = board.projection.to_board([die["top_centre_px"]], centre[2] + up * size_mm / 2)[0]
    normal = (top - centre[:2]) / (size_mm / 2)
    length, sine = float(np.linalg.norm(normal)), float(np.sqrt(max(1 - up**2, 0)))
    normal = normal * (sine / length) if length > 1e-9 else normal  # the label's rounding matters for nearly flat dice
    base = centre - np.array([*normal, up]) * size_mm / 2
    first, second, third, fourth = (pair(corner) for corner in die["quad_px"])
    return DieTruth(
        face=int(die["up_face"]),
        state=DieState(die["state"]),
        tilt_deg=float(die["tilt_deg"]),
        normal=(float(normal[0]), float(normal[1])),
        base_mm=(float(base[0]), float(base[1])),
        base_height_mm=float(base[2]),
        size_mm=size_mm,
        top_px=pair(die["top_centre_px"]),
        quad_px=(first, second, third, fourth),
        visible=float(die["visible"]),
        touches_checker=_read_touches_checker(die),
    )


def _read_touches_checker(die: Mapping[str, Any]) -> bool | None:
    """Windows label it; in whole pictures it is known only for a die on a checker."""
    if "touches" in die:
        return "checker" in die["touches"]
    return True if die["state"] == DieState.ON_CHECKER.value else None


def _read_cube(cube: Mapping[str, Any], board: KnownBoard) -> DieTruth:
    """Whole pictures label only the cube's middle and number; the other fields hold usual values and are ignored."""
    size_mm = float(cube.get("size_mm", USUAL_CUBE_MM))
    x, y = pair(cube.get("top_centre_px", cube["centre_px"]))
    here, beside, below = board.projection.to_board([(x, y), (x + 1, y), (x, y + 1)])
    px_per_mm = float(1 / np.sqrt(max(abs(float(np.linalg.det([beside - here, below - here]))), 1e-9)))
    half = size_mm / 2 * px_per_mm
    base = board.projection.to_board([(x, y)])[0]
    return DieTruth(
        face=None,
        state=DieState.FLAT,
        tilt_deg=0.0,
        normal=(0.0, 0.0),
        base_mm=(float(base[0]), float(base[1])),
        base_height_mm=0.0,
        size_mm=size_mm,
        top_px=(x, y),
        quad_px=((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)),
        visible=1.0,
        cube_value=int(cube["value"]),
    )


def cut_crops(label: Path, rng: np.random.Generator) -> Iterator[DiceCrop]:
    """A crop around each die and the cube, and EMPTY_CROPS around random places."""
    pixels = read_pixels(label.with_suffix(".jpg"))
    board, dice = read_labelled_dice(label)
    size_px = float(np.median([die.size_px for die in dice if die.cube_value is None] or [13 * 1.4]))
    around = [die.top_px for die in dice if die.visible > BARELY_VISIBLE]
    corners = board.projection.to_picture(board.field.corners_mm)
    for _ in range(EMPTY_CROPS):
        around.append(pair(rng.uniform(corners.min(axis=0) - 20, corners.max(axis=0) + 20)))
    for at_px in around:
        crop = cut_crop_around(pixels, at_px, size_px, board=board, dice=dice)
        if crop is not None:
            yield crop


def cut_crop_around(
    pixels: NDArray[np.uint8],
    at_px: tuple[float, float],
    size_px: float,
    *,
    board: KnownBoard,
    dice: tuple[DieTruth, ...],
) -> DiceCrop | None:
    """CROP_EDGES edges of `size_px` along each side; None where too little of it lies in the picture."""
    half = round(CROP_EDGES * size_px / 2)
    x, y = (round(along) for along in at_px)
    height, width = pixels.shape[:2]
    left, top = int(np.clip(x - half, 0, width - 2)), int(np.clip(y - half, 0, height - 2))
    piece = pixels[top : y + half, left : x + half]
    if min(piece.shape[:2]) <= LEAST_CROP_SHARE * 2 * half:
        return None
    return DiceCrop(piece, shift_board(board, left, top), tuple(_shift_die(die, left, top) for die in dice))


def read_window_crops(label: Path) -> Iterator[DiceCrop]:
    """The windows of a scene of `rendered.dice_windows`."""
    board, dice = read_labelled_dice(label)
    for window in json.loads(label.read_text("utf-8"))["windows"]:
        pixels = read_pixels(label.parent / window["image"])
        left, top = int(window["x"]), int(window["y"])
        yield DiceCrop(pixels, shift_board(board, left, top), tuple(_shift_die(die, left, top) for die in dice))


def shift_board(board: KnownBoard, left: int, top: int) -> KnownBoard:
    """The same board in the pixels of a crop."""
    return KnownBoard(board.projection.crop(left, top), board.field)


def _shift_die(die: DieTruth, left: int, top: int) -> DieTruth:
    x, y = die.top_px
    first, second, third, fourth = (pair(corner) for corner in np.array(die.quad_px) - (left, top))
    return replace(die, top_px=(x - left, y - top), quad_px=(first, second, third, fourth))
