"""Where the places of the board lie in a picture: inside the JPEG, which stays a picture for every reader."""

import cv2
import numpy as np
import pytest

from controller.match_log.picture import EvidencePicture, PictureKind, Places, encode_jpeg, read_places, with_places

PLACES: Places = {"T1": (0.1, 0.2, 0.1, 0.4), "bar": (0.5, 0.5, 0.5, 0.5)}


def jpeg(places: Places | None = None) -> bytes:
    pixels = np.full((40, 60, 3), 90, np.uint8)
    return encode_jpeg(EvidencePicture(PictureKind.AFTER, pixels, places=places)).content


def test_places_are_read_back_and_the_picture_is_the_same() -> None:
    marked = jpeg(PLACES)
    assert read_places(marked) == PLACES
    first, second = (cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR) for one in (marked, jpeg()))
    assert first is not None
    assert second is not None
    assert np.array_equal(first, second)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xd8", jpeg(), b"\xff\xd8\xff\xfe\x00\x09zarbiter", jpeg(PLACES)[:40], with_places(jpeg(), {"T1": ()})],
)
def test_other_content_has_no_usable_places(content: bytes) -> None:
    assert not any(read_places(content).values())
