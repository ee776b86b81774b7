"""Candidates: cached classifications, their lie priors, and what is confirmed off the field."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import NOTHING_STANDS, STRAIGHT_DOWN
from tests.vision.drawn_boards import calibration_for, drawn_board
from vision.board.read_board import read_frame
from vision.dice import candidates
from vision.dice.classification_cascade import ACCEPT_P, Classification
from vision.dice.classifier import CLASS, ObjectClass
from vision.dice.ensemble import CAREFUL_NETWORK, FAST_NETWORK, SECOND_NETWORK, THIRD_NETWORK
from vision.dice.lie_prior import BESIDE_DIE_FLAT_FACTOR, CLEAR_FLAT_FACTOR, PRIOR_SHIFT_FLAT
from vision.dice.readings import STILL_LIES, DieState
from vision.dice.windows import DieSpot, project_spot
from vision.frame import Frame

OFF_FIELD, ON_THE_RIM = (60.0, 150.0), (95.0, 240.0)  # 40 and 5 mm from the field
NETWORKS = [FAST_NETWORK, CAREFUL_NETWORK, SECOND_NETWORK, THIRD_NETWORK]


def spot(x_px: float, y_px: float = 150.0, times: float = 1.0) -> DieSpot:
    return DieSpot((x_px, y_px), times * fakes.EDGE_PX, 0.9)


def classify(spots: list[DieSpot], cached: list[candidates.DieCandidate]) -> list[candidates.DieCandidate]:
    return candidates.classify_candidates(spots, fakes.PICTURE, STRAIGHT_DOWN, min_objectness=0.1, cached=cached)


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


def test_around_each_spot_all_others_may_be_dice() -> None:
    """A die is clear only where the search found nothing near it."""
    spots = [spot(160), spot(182), spot(260)]
    cocked = STILL_LIES.index(DieState.COCKED)
    leans = [
        lie_prior(project_spot(one, STRAIGHT_DOWN)[0], fakes.EDGE_PX)[cocked]
        for one, lie_prior in zip(
            spots, candidates.make_lie_priors(spots, STRAIGHT_DOWN, NOTHING_STANDS, None), strict=True
        )
    ]
    assert leans[0] == leans[1] == pytest.approx(1 / BESIDE_DIE_FLAT_FACTOR / PRIOR_SHIFT_FLAT)
    assert leans[2] == pytest.approx(1 / CLEAR_FLAT_FACTOR / PRIOR_SHIFT_FLAT)


class TestOffField:
    """A die there needs every network, and has the size of the others; a cube needs a number."""

    def checked(self, at_px: tuple[float, float], numbers: NDArray[np.float32]) -> Classification:
        result = candidates.check_off_field(
            fakes.PICTURE, fakes.classified(DieSpot(at_px, fakes.EDGE_PX, 1.0), numbers)
        )
        assert result is not None
        return result

    @pytest.mark.parametrize("who", [*NETWORKS, None])
    @pytest.mark.parametrize(
        "other", [fakes.output(die_p=candidates.CONFIRM_P - 0.01), fakes.output(face=2)], ids=["doubt", "another face"]
    )
    def test_one_network_is_enough_to_reject(
        self, monkeypatch: pytest.MonkeyPatch, who: str | None, other: NDArray[np.float32]
    ) -> None:
        """The rejected object may still be a die."""
        fakes.fake_by_name(monkeypatch, fakes.output(), {} if who is None else {who: other})
        die_p = self.checked(OFF_FIELD, fakes.output()).output.class_p(ObjectClass.DIE)
        assert (die_p >= ACCEPT_P) is (who is None)
        assert die_p >= candidates.AMBIGUOUS_P

    @pytest.mark.parametrize(
        ("at_px", "numbers"),
        [
            (fakes.LEFT_HALF, fakes.output()),
            (ON_THE_RIM, fakes.output()),
            (OFF_FIELD, fakes.output(die_p=ACCEPT_P - 0.01)),
        ],
        ids=["in the field", "on its rim", "not accepted anyway"],
    )
    def test_nothing_else_is_checked(
        self, monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], numbers: NDArray[np.float32]
    ) -> None:
        fakes.fake_by_name(monkeypatch, fakes.output(ObjectClass.NOTHING), {})
        result = fakes.classified(DieSpot(at_px, fakes.EDGE_PX, 1.0), numbers)
        assert candidates.check_off_field(fakes.PICTURE, result) is result

    @pytest.mark.parametrize("is_alike", [True, False])
    def test_a_rejected_die_leaves_room_for_one(self, monkeypatch: pytest.MonkeyPatch, *, is_alike: bool) -> None:
        fakes.fake_dice(monkeypatch, lambda _: fakes.output(), OFF_FIELD)
        other = fakes.classified(spot(0), fakes.output(face=5 if is_alike else 6)).output
        monkeypatch.setattr(candidates, "iter_all_outputs", lambda *_: iter([other]))
        found = fakes.detected()
        assert (len(found.dice), found.may_hold_more) == (int(is_alike), not is_alike)

    @pytest.mark.parametrize(
        ("at_px", "times", "found"),
        [(OFF_FIELD, 0.74, 1), (OFF_FIELD, 0.78, 2), (OFF_FIELD, 1.34, 1), (ON_THE_RIM, 0.7, 2)],
    )
    def test_its_size_is_that_of_the_die_in_the_field(
        self, monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], times: float, found: int
    ) -> None:
        edges = {fakes.LEFT_HALF: fakes.EDGE_PX, at_px: times * fakes.EDGE_PX}
        fakes.fake_places(monkeypatch, *edges)
        fakes.fake_classifications(
            monkeypatch, lambda one: fakes.classified(DieSpot(one.centre_px, fakes.EDGE_PX, 1.0))
        )
        monkeypatch.setattr(
            Classification, "edge", property(lambda result: edges.get(result.spot.centre_px, fakes.EDGE_PX))
        )
        monkeypatch.setattr(candidates, "check_off_field", lambda _, result: result)
        assert len(fakes.detected().dice) == found

    @pytest.mark.parametrize("at_px", [OFF_FIELD, ON_THE_RIM])
    @pytest.mark.parametrize("has_number", [True, False])
    def test_a_cube_shows_its_number(
        self, monkeypatch: pytest.MonkeyPatch, at_px: tuple[float, float], *, has_number: bool
    ) -> None:
        """Without one it is none, and no die for that; on the rim, where it belongs, it is one all the same."""
        monkeypatch.setattr(candidates, "shows_a_number", lambda *_: has_number)
        numbers = fakes.output()
        numbers[CLASS] = np.log([1e-9, 0.01, 0.99])
        class_p = np.exp(self.checked(at_px, numbers).output.class_log_p)
        assert (class_p[ObjectClass.CUBE.value] >= ACCEPT_P) == (has_number or at_px == ON_THE_RIM)
        assert class_p[ObjectClass.DIE.value] == pytest.approx(0.01, rel=1e-6)
        assert class_p.sum() == pytest.approx(1)
