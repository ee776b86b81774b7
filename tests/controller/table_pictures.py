"""Folders of pictures as a camera over a simulated table takes them, and the calibration of that camera."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.simulated.played_tables import calibration_of, start, style
from vision.field.calibration_file import save_calibration
from vision.simulated.painter import Painter

SEED, SIZE_PX = 3, (640, 480)
FRAME_MS = 100


def start_pictures(count: int) -> list[NDArray[np.uint8]]:
    """The start position of backgammon at rest; each picture has its own noise."""
    painter = Painter(style(SEED, SIZE_PX))
    return [painter.paint_frame(start(), number) for number in range(count)]


def camera_folder(folder: Path, pictures: list[NDArray[np.uint8]]) -> Path:
    """The pictures ten a second, with their timestamps."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, pixels in enumerate(pictures):
        name = f"{number:04}.png"
        (folder / name).write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
        lines.append(f"{name},{number * FRAME_MS}\n")
    (folder / "timestamps.csv").write_text("".join(lines), encoding="utf-8")
    return folder


def calibration_file(folder: Path) -> Path:
    file = folder / "calibration.json"
    save_calibration(calibration_of(style(SEED, SIZE_PX)), file)
    return file
