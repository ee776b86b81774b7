"""Folders of crops around dice: each NNNNNN.png has its label beside it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.readings import DieState
from vision.geometry.projection import FieldShape, KnownBoard, Lens, Projection
from vision.training.samples.die_truth import DiceCrop, DieTruth


def read_pixels(picture: Path) -> NDArray[np.uint8]:
    """(h, w, 3) BGR. Raises OSError when OpenCV cannot read the picture."""
    pixels = cv2.imread(str(picture), cv2.IMREAD_COLOR)
    if pixels is None:
        raise OSError(f"{picture} is no picture that OpenCV can read; remove it and its label.")
    return pixels.astype(np.uint8, copy=False)


def write_crops(folder: Path, crops: Iterable[DiceCrop], *, first: int) -> int:
    """Writes crops from number `first` on and returns how many. The label comes last, so a crop with one is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    number = first
    for number, crop in enumerate(crops, first):
        cv2.imwrite(str(folder / f"{number:06d}.png"), crop.pixels)
        (folder / f"{number:06d}.json").write_text(json.dumps(_crop_to_label(crop), separators=(",", ":")), "utf-8")
        number += 1
    return number - first


def list_crops(folders: Sequence[Path]) -> list[Path]:
    """Labels of all crops, in the order of folders and names."""
    return [label for folder in folders for label in sorted(folder.glob("*.json"))]


def read_crop(label: Path) -> DiceCrop:
    """The crop of a label. Raises OSError when its picture cannot be read."""
    pixels = read_pixels(label.with_suffix(".png"))
    content = json.loads(label.read_text("utf-8"))
    lens = Lens(content["lens"]["focal_px"], tuple(content["lens"]["centre_px"]), content["lens"]["k1"])
    board = KnownBoard(Projection.of(np.array(content["homography"]), lens), FieldShape(**content["field"]))
    return DiceCrop(pixels, board, tuple(die_from_label(die) for die in content["dice"]))


def _crop_to_label(crop: DiceCrop) -> dict[str, Any]:
    projection = crop.board.projection
    return {
        "lens": asdict(projection.lens),
        "homography": list(projection.homography),
        "field": asdict(crop.board.field),
        "dice": [die_to_label(die) for die in crop.dice],
    }


def die_to_label(die: DieTruth) -> dict[str, Any]:
    return asdict(die) | {"state": die.state.value}


def die_from_label(label: Mapping[str, Any]) -> DieTruth:
    """Raises KeyError or ValueError when it is no label of a die."""
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in label.items()}
    values["quad_px"] = tuple(tuple(corner) for corner in values["quad_px"])
    return DieTruth(**values | {"state": DieState(label["state"])})
