"""Empty points with something foreign on them that reaches in from the rim are doubted, and nothing else is."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_boards import said
from vision.board.board_reading import VISIBLE_FROM
from vision.board.covered_places import doubt_covered_places
from vision.checkers import reduce_view
from vision.field.drift import make_reference
from vision.frame import Pixels
from vision.geometry.calibration import Calibration, Reference
from vision.geometry.top_view import view_map
from vision.places import POINTS, Place

STANDING = {"T1": 20, "T5": 3, "T7": 5, "T12": 17, "B1": 5, "B5": 18, "B7": 20, "B12": 2}  # classes of the network
SKIN, SLEEVE, CARD = (120, 155, 205), (70, 50, 40), (240, 240, 235)
DOUBTED, SURE = 0.9, 0.9999  # what the network says of a place that it does not see well, and of one in full view


def covered(pixels: Pixels, known: Calibration, colour: tuple[int, int, int], *, from_mm: float = -60.0) -> Pixels:
    """Something over T3 and T4 that reaches from `from_mm` beside the field to three checkers from the rim."""
    left, right, depth = (known.field.pitch_mm * points for points in (2.0, 4.0, 3.0))
    outline = known.projection.to_picture([(left, from_mm), (right, from_mm), (right, depth), (left, depth)])
    shown = pixels.copy()
    cv2.fillConvexPoly(shown, np.rint(outline).astype(np.int32), colour)
    return shown


def find_doubted(pixels: Pixels, known: Calibration, visible: float, reference: Reference | None = None) -> list[Place]:
    view: NDArray[np.uint8] = view_map(known.projection, known.field).warp(pixels)
    stands = {POINTS.index(Place(name)): (content, 0.99) for name, content in STANDING.items()}
    seen = said(stands, visible=dict.fromkeys(range(25), visible))
    after = doubt_covered_places(seen, reduce_view(view), reference, known.field).visible
    return [place for place, share in zip(POINTS, after, strict=False) if share < VISIBLE_FROM]


@pytest.mark.parametrize("colour", [SKIN, SLEEVE, CARD], ids=["hand", "sleeve", "card"])
def test_what_reaches_in_covers_the_points_below(
    pixels: Pixels, known: Calibration, colour: tuple[int, int, int]
) -> None:
    shown = covered(pixels, known, colour)
    assert find_doubted(shown, known, DOUBTED) == [Place.T3, Place.T4]
    assert find_doubted(shown, known, SURE) == []


def test_an_open_board_is_not_doubted(pixels: Pixels, known: Calibration) -> None:
    """In full light, in a third of it, and with something that lies on the board and not on its points."""
    for shown in (pixels, pixels // 3, covered(pixels, known, CARD, from_mm=2.0 * known.field.pitch_mm)):
        assert find_doubted(np.asarray(shown, np.uint8), known, DOUBTED) == []


def test_what_was_there_at_the_calibration_belongs_to_the_board(pixels: Pixels, known: Calibration) -> None:
    """Inlay or a stain; a hand over other points is seen all the same."""
    stained = covered(pixels, known, SLEEVE)
    reference = make_reference(stained, known.projection)
    assert find_doubted(np.asarray(stained // 2, np.uint8), known, DOUBTED, reference) == []
    assert find_doubted(covered(pixels, known, CARD), known, DOUBTED, reference) == [Place.T3, Place.T4]
