"""Pictures in files: JPEG, PNG, WebP, BMP, TIFF, GIF and PNM.

Python reads and writes the bytes, and OpenCV only decodes them: the file functions of OpenCV accept no file name
outside UTF-8 and give no reason for a failure.
"""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureFileError
from vision.pixels.picture_header import MOST_PIXELS, foreign_kind, read_picture_header, without_remarks

# In a smaller picture a point has too few pixels to show a checker; OpenCV's remap ends at 32,767.
SMALLEST_SIDE_PX, LARGEST_SIDE_PX = 64, 30_000
_MOST_BYTES = 400_000_000  # of the largest picture with 16 bits a channel and without compression
_NO_PICTURE = "this is no picture, or a damaged one; give a JPEG, PNG or WebP file"
_HOW_TO_CONVERT = {
    "HEIC": "convert it to JPEG, or set the iPhone to Settings, Camera, Formats, Most Compatible",
    "AVIF": "convert it to JPEG or PNG",
}


def load_picture(file: Path) -> NDArray[np.uint8]:
    """(height, width, 3), BGR, 8 bits, without alpha and upright according to its EXIF data.

    Raises PictureFileError.
    """
    try:
        if file.is_dir():
            raise PictureFileError("this is a folder; name the pictures in it")
        if file.exists() and not file.is_file():  # a pipe or a device might never end
            raise PictureFileError("this is no plain file; name a picture")
        if file.stat().st_size > _MOST_BYTES:
            raise PictureFileError(f"it has more than {_MOST_BYTES // 1_000_000} MB; make the picture smaller")
        content = file.read_bytes()
    except PictureFileError:
        raise
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PictureFileError(f"the file cannot be read ({why}); name a picture that is there") from error
    _check_header(content)
    picture = decode_picture(content, cv2.IMREAD_COLOR)
    if picture is None:
        raise PictureFileError(_NO_PICTURE)
    height_px, width_px = picture.shape[:2]
    if min(height_px, width_px) < SMALLEST_SIDE_PX:
        least = f"{SMALLEST_SIDE_PX} pixels a side"
        raise PictureFileError(f"{width_px}x{height_px} pixels are too few to read; give a picture of at least {least}")
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


def decode_picture(content: bytes, flag: int) -> NDArray[np.uint8] | None:
    """Decodes a picture file with a flag of `cv2.imread`. None for what is no picture, and for one of more than MOST_PIXELS."""
    header = read_picture_header(content)
    if header is None or header.width_px * header.height_px > MOST_PIXELS:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(without_remarks(content), np.uint8), flag)
    except cv2.error:  # damaged in a way that it does not report by None
        return None
    return None if picture is None else picture.astype(np.uint8, copy=False)


def _check_header(content: bytes) -> None:
    """Raises PictureFileError for a kind that is not decoded, and for a size that is too large to be."""
    foreign = foreign_kind(content)
    if foreign is not None:
        raise PictureFileError(
            f"this is a picture in the format {foreign}, which cannot be read; {_HOW_TO_CONVERT[foreign]}"
        )
    header = read_picture_header(content)
    if header is None:
        raise PictureFileError(_NO_PICTURE)
    width_px, height_px = header.width_px, header.height_px
    if width_px * height_px > MOST_PIXELS or max(width_px, height_px) > LARGEST_SIDE_PX:
        most = f"at most {MOST_PIXELS // 1_000_000} million, and {LARGEST_SIDE_PX:,} a side"
        raise PictureFileError(f"{width_px}x{height_px} pixels are too many; make the picture smaller: {most}")
