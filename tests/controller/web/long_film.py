"""A long recording: a few pictures of the start position, repeated."""

import os
from pathlib import Path

from tests.controller.table_pictures import FRAME_MS, camera_folder, start_pictures

_PICTURES = 10


def long_film(folder: Path, frames: int) -> Path:
    """A recording of `frames` frames at 10 frames a second."""
    camera_folder(folder, start_pictures(_PICTURES))
    lines = []
    for number in range(frames):
        name = f"again{number:05}.png"
        os.link(folder / f"{number % _PICTURES:04}.png", folder / name)
        lines.append(f"{name},{number * FRAME_MS}\n")
    (folder / "timestamps.csv").write_text("".join(lines), encoding="utf-8")
    return folder
