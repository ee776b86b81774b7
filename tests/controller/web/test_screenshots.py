"""The screenshots of the documentation, taken by `python -m tests.controller.web.screenshots`."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.controller.web.browsing import DESKTOP, PHONE
from tests.controller.web.screenshots import FOLDER, MOST_BYTES, NAMES
from tests.controller.web.small_png import small_png


def test_all_of_them_are_there() -> None:
    """No outdated screenshot is left."""
    assert {file.stem for file in FOLDER.iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_has_few_bytes_and_the_size_of_its_screen(name: str) -> None:
    """The overlay is a part of the screen."""
    content = (FOLDER / f"{name}.png").read_bytes()
    assert len(content) < MOST_BYTES
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    size = {"phone": PHONE, "desktop": DESKTOP}.get(name.rpartition("-")[2])
    assert size in (None, picture.shape[1::-1])


def drawn() -> NDArray[np.uint8]:
    """Letters with soft edges, and a field of many colours."""
    picture = np.full((120, 200, 3), 240, np.uint8)
    picture[:, 100:] = np.random.default_rng(3).integers(0, 255, (120, 100, 3))
    cv2.putText(picture, "6-4", (5, 70), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (40, 30, 20), 3, cv2.LINE_AA)
    return picture


def test_a_packed_picture_is_the_picture() -> None:
    """The ground is exact, letters nearly so; a picture of few colours loses none."""
    picture = drawn()
    packed = cv2.imdecode(np.frombuffer(small_png(encoded(picture)), np.uint8), cv2.IMREAD_COLOR)
    assert packed is not None
    assert (packed[:20, :90] == 240).all()
    apart = np.abs(packed.astype(int) - picture)
    assert apart.mean() < 12
    plain = np.where(picture[..., :1] > 128, picture * 0 + 250, picture * 0 + 7)
    unpacked = cv2.imdecode(np.frombuffer(small_png(encoded(plain)), np.uint8), cv2.IMREAD_COLOR)
    assert unpacked is not None
    assert np.array_equal(unpacked, plain)


def encoded(picture: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()
