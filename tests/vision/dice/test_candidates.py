"""Candidates: cached classifications."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.drawn_boards import calibration_for, drawn_board
from vision.board.read_board import read_frame
from vision.dice import candidates
from vision.dice.windows import DieSpot
from vision.frame import Frame


def spot(x_px: float, y_px: float = 150.0, times: float = 1.0) -> DieSpot:
    return DieSpot((x_px, y_px), times * fakes.EDGE_PX, 0.9)


def classify(spots: list[DieSpot], cached: list[candidates.DieCandidate]) -> list[candidates.DieCandidate]:
    return candidates.classify_candidates(spots, fakes.PICTURE, STRAIGHT_DOWN, cached)


class TestCache:
    @pytest.fixture(autouse=True)
    def networks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every new classification is a die; the cached ones are none."""
        fakes.fake_classifications(monkeypatch, fakes.classified)

    def test_without_cache_every_spot_is_classified(self) -> None:
        found = classify([spot(100), spot(300)], [])
        assert [(one.spot, one.classification is not None) for one in found] == [(spot(100), True), (spot(300), True)]

    def test_a_cached_candidate_is_reused(self) -> None:
        """A spot a fifth of an edge away is the same; half an edge away it is another one."""
        cached = [candidates.DieCandidate(spot(100), None), candidates.DieCandidate(spot(300), None)]
        found = classify([spot(104), spot(310)], cached)
        assert found[0] is cached[0]
        assert found[1].classification is not None

    def test_the_cache_makes_nothing_up(self) -> None:
        assert classify([], [candidates.DieCandidate(spot(100), None)]) == []

    def test_the_nearest_of_the_same_size_counts(self) -> None:
        """A coarse and a finer search may put two spots on one die."""
        cached = [candidates.DieCandidate(spot(100), None), candidates.DieCandidate(spot(103), None)]
        assert classify([spot(102)], cached) == cached[1:]
        assert classify([spot(100, times=1.3)], cached)[0] not in cached

    def test_a_whole_reading_takes_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fakes.fake_spots(monkeypatch, [spot(200), spot(400)])
        frame, known = Frame(drawn_board(calibration_for(), {}), 0), calibration_for()
        first = read_frame(frame, known, candidates.PreviousFrame()).candidates
        again = read_frame(frame, known, candidates.PreviousFrame(first[1:])).candidates
        assert again[1] is first[1]
        assert again[0] is not first[0]


@pytest.mark.parametrize(
    ("at", "left", "top", "right", "bottom"), [((200, 150), 32, 20, 68, 56), ((4, 474), 0, 101, 19, 120)]
)
def test_the_part_that_a_classification_sees(
    *, at: tuple[float, float], left: int, top: int, right: int, bottom: int
) -> None:
    """Three and a half edges each way, in a picture of a quarter of the size, within the picture."""
    rows, columns = np.mgrid[:120, :160]
    reduced: NDArray[np.uint8] = np.stack([rows, columns, rows], axis=2).astype(np.uint8)
    shown = candidates.DieCandidate(spot(*at), None).crop(reduced, 4)
    assert shown[0, 0].tolist() == [top, left, top]
    assert shown[-1, -1].tolist() == [bottom - 1, right - 1, bottom - 1]
