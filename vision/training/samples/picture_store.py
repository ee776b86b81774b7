"""Folders of labelled pictures, drawn or rendered."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.drawing.draw import draw
from vision.simulated.truth import CheckerTruth, PlaceTruth, TableTruth, compute_truth
from vision.training.drawn_boards.scene_dice import label_dice
from vision.training.drawn_boards.scenes import random_negative, random_scene
from vision.training.drawn_boards.texture_library import read_library
from vision.training.samples.crop_store import die_from_label, die_to_label, read_pixels
from vision.training.samples.die_truth import DieTruth
from vision.training.samples.rendered_crops import read_labelled_dice
from vision.training.samples.rendered_labels import read_truth

DRAWN_SIZES_PX = ((800, 600), (640, 480), (960, 540), (800, 600))
NO_BOARD_SHARE = 0.06
STYLED_SHARE = 0.8
NO_BOARD_LABEL = "null"


def draw_pictures(folder: Path, *, first: int, count: int, seed: int, textures: Path | None = None) -> None:
    """Draws pictures `first` to `first + count - 1`, each from (seed, number) alone; existing ones stay.

    With a folder of textures, most boards are ornamented as real ones are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    library = None if textures is None else read_library(textures)
    for number in range(first, first + count):
        if (folder / f"{number:06d}.jpg").exists():
            continue
        rng = np.random.default_rng([seed, number])
        size_px = DRAWN_SIZES_PX[int(rng.integers(len(DRAWN_SIZES_PX)))]
        has_board = rng.random() >= NO_BOARD_SHARE
        is_styled = library is not None and rng.random() < STYLED_SHARE
        scene = (
            random_scene(rng, size_px=size_px, is_styled=is_styled, library=library if is_styled else None)
            if has_board
            else random_negative(rng, size_px=size_px)
        )
        pixels = draw(scene)
        label = json.dumps(asdict(compute_truth(scene)) if has_board else None, default=_to_plain_value)
        (folder / f"{number:06d}.drawn").write_text(label, "utf-8")
        (folder / f"{number:06d}.dice").write_text(
            json.dumps([die_to_label(die) for die in label_dice(scene)]), "utf-8"
        )
        partly = folder / f"{number:06d}.part.jpg"
        cv2.imwrite(str(partly), pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])
        partly.rename(folder / f"{number:06d}.jpg")


def _to_plain_value(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"a label holds {type(value).__name__}")


def list_labelled_pictures(folders: Sequence[Path]) -> list[Path]:
    """The pictures that have a label, in the order of folders and names."""
    return [
        picture
        for folder in folders
        for picture in sorted(folder.glob("*.jpg"))
        if not picture.name.endswith(".part.jpg")
        and (picture.with_suffix(".drawn").exists() or picture.with_suffix(".json").exists())
    ]


def load_labelled(picture: Path) -> tuple[NDArray[np.uint8], TableTruth | None]:
    """A picture (h, w, 3) BGR with its label; None when it shows no board."""
    pixels = read_pixels(picture)
    drawn = picture.with_suffix(".drawn")
    truth = _read_drawn_truth(drawn) if drawn.exists() else read_truth(picture.with_suffix(".json"))
    return pixels, truth


def load_labelled_board(picture: Path) -> tuple[NDArray[np.uint8], TableTruth]:
    """A picture with a board and its label. Raises ValueError when it shows no board."""
    pixels, truth = load_labelled(picture)
    if truth is None:
        raise ValueError(f"there is no board in {picture}")
    return pixels, truth


def has_dice_labels(picture: Path) -> bool:
    """Whether the labels contain the picture's dice."""
    return picture.with_suffix(".dice").exists() or picture.with_suffix(".json").exists()


def load_dice(picture: Path) -> tuple[DieTruth, ...]:
    """The dice of a picture with dice labels, the cube among them; none when it shows no board."""
    drawn = picture.with_suffix(".dice")
    if drawn.exists():
        return tuple(die_from_label(die) for die in json.loads(drawn.read_text("utf-8")))
    return read_labelled_dice(picture.with_suffix(".json"))[1]


def has_board(picture: Path) -> bool:
    drawn = picture.with_suffix(".drawn")
    return not drawn.exists() or drawn.stat().st_size > len(NO_BOARD_LABEL)


def _read_drawn_truth(path: Path) -> TableTruth | None:
    label = json.loads(path.read_text("utf-8"))
    if label is None:
        return None
    label["places"] = tuple(PlaceTruth(**place) for place in label["places"])
    label["checkers"] = tuple(CheckerTruth(**checker) for checker in label["checkers"])
    return TableTruth(**label)
