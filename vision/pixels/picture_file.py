"""Pictures in files: JPEG, PNG, WebP and the other formats of OpenCV.

Python reads and writes the bytes, and OpenCV only decodes them: the file functions of OpenCV accept no file name
outside UTF-8 and give no reason for a failure.
"""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureFileError

# In a smaller picture a point has too few pixels to show a checker; OpenCV's remap ends at 32,767.
SMALLEST_SIDE_PX, LARGEST_SIDE_PX = 64, 30_000


def load_picture(file: Path) -> NDArray[np.uint8]:
    """(height, width, 3), BGR, 8 bits, without alpha and upright according to its EXIF data.

    Raises PictureFileError.
    """
    try:
        if file.is_dir():
            raise PictureFileError("this is a folder; name the pictures in it")
        if file.exists() and not file.is_file():  # a pipe or a device might never end
            raise PictureFileError("this is no plain file; name a picture")
        content = np.fromfile(file, np.uint8)
    except PictureFileError:
        raise
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PictureFileError(f"the file cannot be read ({why}); name a picture that is there") from error
    picture = _decode(content)
    if picture is None:
        raise PictureFileError("this is no picture, or a damaged one; give a JPEG, PNG or WebP file")
    height_px, width_px = picture.shape[:2]
    if min(height_px, width_px) < SMALLEST_SIDE_PX:
        least = f"{SMALLEST_SIDE_PX} pixels a side"
        raise PictureFileError(f"{width_px}x{height_px} pixels are too few to read; give a picture of at least {least}")
    if max(height_px, width_px) > LARGEST_SIDE_PX:
        raise PictureFileError(f"{width_px}x{height_px} pixels are too many; make the picture smaller")
    return picture


def save_picture(file: Path, pixels: NDArray[np.uint8]) -> None:
    """Writes in the format of the file name's suffix; raises PictureFileError."""
    try:
        is_encoded, content = cv2.imencode(file.suffix, pixels)
        if not is_encoded:
            raise PictureFileError(f"cannot write {file}; its suffix names no kind of picture")
        file.write_bytes(content.tobytes())
    except cv2.error as error:
        raise PictureFileError(f"cannot write {file} ({error.err}); its suffix names no kind of picture") from error
    except OSError as error:
        raise PictureFileError(f"cannot write {file} ({error.strerror or error}); choose another folder") from error


def _decode(content: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    if content.size == 0:
        return None
    try:
        picture = cv2.imdecode(content, cv2.IMREAD_COLOR)
    except cv2.error:  # too large for OpenCV, or damaged in a way that it does not report by None
        return None
    return None if picture is None else picture.astype(np.uint8, copy=False)
