"""A folder of small textures of every use, as the drawn boards read it."""

import json
from pathlib import Path

import cv2
import numpy as np

from vision.training.drawn_boards.texture_library import TextureLibrary, read_library

FILES = (
    *(("wood/oak.png", "wood", False), ("leather_fabric/felt.png", "leather_fabric", False)),
    *(("stone/marble.png", "stone", False), ("ornament/wallpaper.png", "ornament", False)),
    *(("ornament/inlay_khatam.png", "ornament", False), ("ornament/inlay_rosette.png", "ornament", False)),
    *(("ornament/art_star.png", "ornament", True), ("surroundings/room.png", "surroundings", False)),
)


def write_textures(folder: Path) -> TextureLibrary:
    """Pictures of 32 px of noise about a colour each, with their index; the last one is of tier B."""
    rows = []
    for number, (file, kind, is_art) in enumerate(FILES):
        rng = np.random.default_rng(number)
        picture = rng.integers(40, 90, (32, 32, 3)) + rng.integers(0, 120, 3)
        (folder / file).parent.mkdir(exist_ok=True, parents=True)
        cv2.imwrite(str(folder / file), picture.astype(np.uint8))
        row = {"file": file, "kind": kind, "tier": "B" if kind == "surroundings" else "A"}
        rows.append(json.dumps(row | ({"mask": True} if is_art else {})))
    (folder / "index.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    return read_library(folder)
