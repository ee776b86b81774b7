"""Evidence pictures: what the camera saw of an event, as JPEG."""

import hashlib
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.match_log.chain import PictureDigest
from controller.match_log.errors import BadPictureError

# At 85 the pips of a die of 20 px stay separate; a crop of a whole board at 640x480 takes about 35 kB.
JPEG_QUALITY = 85
LONGEST_SIDE_PX = 16_000  # the limit of JPEG is 65,535


class PictureKind(Enum):
    """What a picture shows: the board before the throw, the settled dice, or the board after the play."""

    BEFORE = "before"
    DICE = "dice"
    AFTER = "after"


@dataclass(frozen=True, slots=True, eq=False)
class EvidencePicture:
    """Evidence for one event of a batch.

    `pixels` is (height_px, width_px, 3) uint8, BGR. `of_event` is the index of the event in the batch, by default the
    last one.
    """

    kind: PictureKind
    pixels: NDArray[np.uint8]
    of_event: int = -1


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A picture as it is stored."""

    digest: PictureDigest
    content: bytes


def encode_jpeg(picture: EvidencePicture) -> Jpeg:
    """Raises BadPictureError for an array that is no picture."""
    pixels = picture.pixels
    is_picture = pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3
    if not is_picture or not all(1 <= side <= LONGEST_SIDE_PX for side in pixels.shape[:2]):
        raise BadPictureError(
            f"an array of shape {pixels.shape} and type {pixels.dtype} is no picture; give (height, width, 3) of uint8"
        )
    is_done, content = cv2.imencode(".jpg", np.ascontiguousarray(pixels), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_done:
        raise BadPictureError("OpenCV could not write a picture as JPEG; see that its JPEG library is installed")
    jpeg = content.tobytes()
    height_px, width_px = pixels.shape[:2]
    digest = PictureDigest(picture.kind.value, width_px, height_px, len(jpeg), hashlib.sha256(jpeg).digest())
    return Jpeg(digest, jpeg)
