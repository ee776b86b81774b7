"""Evidence pictures: what the camera saw of an event, as JPEG.

A comment in the JPEG says where the places of the board lie in it. The picture then can be explained without a calibration,
for as long as it exists, and its hash covers the places too.
"""

import hashlib
import json
from collections.abc import Mapping
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

_START, _COMMENT = b"\xff\xd8", b"\xff\xfe"
_PREFIX = b"zarbiter places "
_DIGITS = 4  # of a share of a side: 0.1 px of a picture 1000 px wide

Places = Mapping[str, tuple[float, ...]]
"""Name of a place (T1..B12, bar) -> where its first and its fifth checker lie: x, y, x, y as shares of the picture's width and
height from the upper left corner.
"""


class PictureKind(Enum):
    """What a picture shows: the board before the throw, the settled dice, or the board after the play."""

    BEFORE = "before"
    DICE = "dice"
    AFTER = "after"


@dataclass(frozen=True, slots=True, eq=False)
class EvidencePicture:
    """Evidence for one event of a batch.

    `pixels` is (height_px, width_px, 3) uint8, BGR. `of_event` is the index of the event in the batch, by default the
    last one. `places`: where the places of the board lie in it, as shares of its sides.
    """

    kind: PictureKind
    pixels: NDArray[np.uint8]
    of_event: int = -1
    places: Places | None = None


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
    jpeg = with_places(content.tobytes(), picture.places or {})
    height_px, width_px = pixels.shape[:2]
    digest = PictureDigest(picture.kind.value, width_px, height_px, len(jpeg), hashlib.sha256(jpeg).digest())
    return Jpeg(digest, jpeg)


def decode_jpeg(kind: str, content: bytes) -> EvidencePicture | None:
    """The picture of a stored JPEG, for another log; None if its kind or its content is none that was written here."""
    pixels = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    if pixels is None or kind not in {one.value for one in PictureKind}:
        return None
    return EvidencePicture(PictureKind(kind), pixels.astype(np.uint8), places=read_places(content) or None)


def with_places(jpeg: bytes, places: Places) -> bytes:
    """The JPEG with the places as its comment; unchanged where there are none."""
    if not places:
        return jpeg
    rounded = {name: [round(share, _DIGITS) for share in at] for name, at in places.items()}
    content = _PREFIX + json.dumps(rounded, separators=(",", ":")).encode("ascii")
    return jpeg[:2] + _COMMENT + (len(content) + 2).to_bytes(2, "big") + content + jpeg[2:]


def read_places(jpeg: bytes) -> dict[str, tuple[float, ...]]:
    """The places of a JPEG that `with_places` wrote; empty for any other one."""
    if jpeg[:4] != _START + _COMMENT:
        return {}
    content = jpeg[6 : 4 + int.from_bytes(jpeg[4:6], "big")]
    if not content.startswith(_PREFIX):
        return {}
    try:
        record = json.loads(content.removeprefix(_PREFIX))
        return {str(name): tuple(map(float, at)) for name, at in record.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
