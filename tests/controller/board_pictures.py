"""One drawn board with a dark checker on T1, as pixels and as files."""

from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.drawn_boards import calibration_for, drawn_board

_DARK = (40, 40, 45)


@cache
def board() -> NDArray[np.uint8]:
    """(480, 640, 3), where `calibration_for()` says."""
    return drawn_board(calibration_for(), {"T1": [_DARK]})


def written(file: Path, pixels: NDArray[Any] | None = None) -> str:
    """The name of `file`, which holds `pixels`, or the board, in the format of its suffix."""
    _, content = cv2.imencode(file.suffix, board() if pixels is None else pixels)
    file.write_bytes(content.tobytes())
    return str(file)
