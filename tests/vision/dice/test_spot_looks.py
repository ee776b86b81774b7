"""Which close looks are taken again; what they find is told by hand."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import NOTHING_STANDS, STRAIGHT_DOWN
from tests.vision.dice.told_dice import find_spots
from tests.vision.drawn_boards import calibration_for, drawn_board
from vision.board.read_board import read_frame
from vision.dice import candidates as module
from vision.dice.candidates import DieCandidate, PreviousFrame, classify_candidates, make_lie_priors
from vision.dice.lie_prior import BESIDE_DIE_FLAT_FACTOR, CLEAR_FLAT_FACTOR, PRIOR_SHIFT_FLAT
from vision.dice.readings import STILL_LIES, DieState
from vision.dice.windows import DieSpot, project_spot
from vision.frame import Frame

PICTURE = np.zeros((480, 640, 3), np.uint8)
EDGE_PX = 20.0


def spot(x_px: float, y_px: float = 150.0) -> DieSpot:
    return DieSpot((x_px, y_px), EDGE_PX, 0.9)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Where close looks were taken, by x; nothing is found anywhere."""
    places: list[float] = []
    monkeypatch.setattr(module, "classify_spot", lambda _, at, **__: places.append(at.centre_px[0]))
    return places


def taken(spots: list[DieSpot], known: list[DieCandidate]) -> list[DieCandidate]:
    return classify_candidates(spots, PICTURE, STRAIGHT_DOWN, min_objectness=0.1, cached=known)


def test_without_knowledge_all_are_looked_at(looked: list[float]) -> None:
    """And told with the spots they were taken at."""
    found = taken([spot(100), spot(300)], [])
    assert looked == [100, 300]
    assert [one.spot for one in found] == [spot(100), spot(300)]


def test_what_is_known_is_not_looked_at(looked: list[float]) -> None:
    """A spot that the search put a fifth of an edge beside is the same; half an edge beside another one."""
    known = [DieCandidate(spot(100), None), DieCandidate(spot(300), None)]
    found = taken([spot(104), spot(310)], known)
    assert looked == [310]
    assert found[0] is known[0]


def test_what_the_search_does_not_find_any_more_is_gone(looked: list[float]) -> None:
    """What is known makes nothing up."""
    assert taken([], [DieCandidate(spot(100), None)]) == []
    assert looked == []


@pytest.mark.parametrize(
    ("at", "left", "top", "right", "bottom"), [((200, 150), 32, 20, 68, 56), ((4, 474), 0, 101, 19, 120)]
)
def test_what_a_look_shows(at: tuple[float, float], left: int, top: int, right: int, bottom: int) -> None:
    """Three and a half edges each way, in a picture of a quarter of the size, and no further than it goes."""
    rows, columns = np.mgrid[:120, :160]
    reduced: NDArray[np.uint8] = np.stack([rows, columns, rows], axis=2).astype(np.uint8)
    shown = DieCandidate(spot(*at), None).crop(reduced, 4)
    assert shown[0, 0].tolist() == [top, left, top]
    assert shown[-1, -1].tolist() == [bottom - 1, right - 1, bottom - 1]


def test_of_two_that_are_known_the_nearer_of_the_same_size_counts(looked: list[float]) -> None:
    """A coarse and a finer search may put two spots on one die, and only one of them saw it."""
    known = [DieCandidate(spot(100), None), DieCandidate(spot(103), None)]
    assert taken([spot(102)], known) == known[1:]
    larger = DieSpot((100.0, 150.0), 1.3 * EDGE_PX, 0.9)
    assert taken([larger], known)[0] not in known


def test_around_each_all_others_may_be_dice() -> None:
    """So a die lies clear only where the search found nothing near it; itself is no other one."""
    spots = [spot(160), spot(182), spot(260)]
    cocked = STILL_LIES.index(DieState.COCKED)
    leans = [
        likelier(project_spot(one, STRAIGHT_DOWN)[0], EDGE_PX)[cocked]
        for one, likelier in zip(spots, make_lie_priors(spots, STRAIGHT_DOWN, NOTHING_STANDS, None), strict=True)
    ]
    assert leans[0] == leans[1] == pytest.approx(1 / BESIDE_DIE_FLAT_FACTOR / PRIOR_SHIFT_FLAT)
    assert leans[2] == pytest.approx(1 / CLEAR_FLAT_FACTOR / PRIOR_SHIFT_FLAT)


def test_a_whole_reading_takes_them(looked: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """From the frame to the close look: what is known is handed all the way through."""
    find_spots(monkeypatch, [spot(200), spot(400)])
    frame, known = Frame(drawn_board(calibration_for(), {}), 0), calibration_for()
    spots = read_frame(frame, known, PreviousFrame()).candidates
    assert looked == [200, 400]
    again = read_frame(frame, known, PreviousFrame(spots[1:])).candidates
    assert looked == [200, 400, 200]
    assert again[1] is spots[1]
