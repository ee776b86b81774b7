"""Which spots are looked at: clear proposals, places of the previous frame's dice, fainter proposals, other sizes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import NOTHING_STANDS, STRAIGHT_DOWN
from vision.checkers.occupancy import CheckerPositions
from vision.dice.candidates import PreviousFrame
from vision.dice.classification import Classification
from vision.dice.classifier import ObjectClass
from vision.dice.detect import DiceInView, read_dice
from vision.dice.proposals import ProposalLimits
from vision.dice.readings import BoardHalf
from vision.dice.windows import DieSpot

Given = Callable[..., None]
HURRIED = PreviousFrame(is_hurried=True)
CLEAR, FAINT = 0.35, 0.25


def spot_at(at_px: tuple[float, float], score: float = CLEAR, times: float = 1.0) -> DieSpot:
    return DieSpot(at_px, times * fakes.EDGE_PX, score)


def seen_after(previous: PreviousFrame | None, positions: CheckerPositions | None = None) -> DiceInView:
    return read_dice(fakes.PICTURE, STRAIGHT_DOWN, positions=positions, previous=previous)


class TestFaintProposals:
    @pytest.mark.parametrize(
        ("clear", "previous", "found"),
        [
            ([], None, 1),
            ([fakes.LEFT_HALF], None, 2),
            ([fakes.LEFT_HALF, fakes.ON_THE_BAR], None, 3),
            ([], HURRIED, 0),
            ([fakes.LEFT_HALF], HURRIED, 1),
        ],
        ids=["alone", "beside one", "beside a throw", "where something moves", "beside one where something moves"],
    )
    def test_they_count_once_nothing_moves(
        self,
        given: Given,
        monkeypatch: pytest.MonkeyPatch,
        *,
        clear: list[tuple[float, float]],
        previous: PreviousFrame | None,
        found: int,
    ) -> None:
        given(lambda _: fakes.output())
        fakes.fake_spots(monkeypatch, [*map(spot_at, clear), spot_at(fakes.RIGHT_HALF, FAINT)])
        assert len(seen_after(previous).dice) == found

    @pytest.mark.parametrize(("times", "found"), [(0.5, 2), (0.8, 3), (1.1, 3), (1.6, 2)])
    def test_beside_a_throw_only_one_as_large_as_its_dice(
        self, given: Given, monkeypatch: pytest.MonkeyPatch, times: float, found: int
    ) -> None:
        """It may be a third die, with which the throw does not count."""
        given(lambda _: fakes.output())
        third = replace(spot_at(fakes.RIGHT_HALF, FAINT), size_px=times * fakes.EDGE_PX)
        fakes.fake_spots(monkeypatch, [spot_at(fakes.LEFT_HALF), spot_at(fakes.ON_THE_BAR), third])
        assert len(fakes.detected().dice) == found

    def test_a_faint_cube_is_read(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        given(lambda _: fakes.output(ObjectClass.CUBE))
        fakes.fake_spots(monkeypatch, [spot_at(fakes.ON_THE_BAR, FAINT)])
        assert fakes.detected().cube is not None

    def test_a_third_clear_die_is_found(self, given: Given) -> None:
        """A throw with it does not count."""
        given(lambda _: fakes.output(), fakes.LEFT_HALF, fakes.ON_THE_BAR, fakes.RIGHT_HALF)
        assert len(fakes.detected().dice) == 3

    @pytest.mark.parametrize("positions", [None, NOTHING_STANDS])
    def test_a_side_is_no_second_die(self, monkeypatch: pytest.MonkeyPatch, positions: CheckerPositions | None) -> None:
        """The throw is incomplete with it, so fainter proposals count; free space makes no face of a side."""
        side = tuple((fakes.FAR_PX + 0.7 * fakes.EDGE_PX * fakes.INWARD).tolist())
        fakes.fake_classifications(
            monkeypatch,
            lambda spot: fakes.classified(spot, fakes.output(flat_p=0.75) if spot.centre_px == side else None),
        )
        fakes.fake_spots(monkeypatch, [spot_at(fakes.FAR_PX), spot_at(side), spot_at(fakes.RIGHT_HALF, FAINT)])
        assert {die.centre_px for die in seen_after(None, positions).dice} == {fakes.FAR_PX, fakes.RIGHT_HALF}


class TestPreviousDice:
    """A search that found a die in one picture may miss it in the next."""

    @pytest.mark.parametrize("is_hurried", [False, True])
    def test_their_places_are_classified(self, given: Given, *, is_hurried: bool) -> None:
        """Each die is detected once."""
        given(lambda _: fakes.output(), fakes.LEFT_HALF)
        previous = PreviousFrame(die_spots=(spot_at(fakes.LEFT_HALF), spot_at(fakes.RIGHT_HALF)), is_hurried=is_hurried)
        found = seen_after(previous)
        assert [die.half for die in found.dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]
        assert len(found.candidates) == 2

    @pytest.mark.parametrize(("die_p", "found", "may_hold_more"), [(0.99, 1, False), (0.7, 0, True), (1e-6, 0, False)])
    def test_a_gap_is_not_helped_to_stay(self, given: Given, die_p: float, found: int, *, may_hold_more: bool) -> None:
        """Between four checkers, as large as a die that a hand has just lifted."""
        given(lambda _: fakes.output(die_p=die_p))
        seen = seen_after(PreviousFrame(die_spots=(spot_at(fakes.LEFT_HALF),)))
        assert (len(seen.dice), seen.may_hold_more) == (found, may_hold_more)


@pytest.mark.parametrize(("kind", "is_found"), [(ObjectClass.DIE, False), (ObjectClass.CUBE, True)])
def test_a_mark_of_the_board_is_no_die(given: Given, kind: ObjectClass, *, is_found: bool) -> None:
    """It looked the same before the first throw; so may the cube, which lies still for a whole match."""
    given(lambda _: fakes.output(kind), fakes.LEFT_HALF)
    found = seen_after(PreviousFrame(is_as_before_play=lambda spot: spot.centre_px == fakes.LEFT_HALF))
    assert (len(found.dice), found.cube is not None, found.may_hold_more) == (0, is_found, False)


class TestWithoutABoard:
    """The size of dice is unknown there, until one is confident."""

    FIRST = spot_at(fakes.LEFT_HALF)

    def places(
        self, monkeypatch: pytest.MonkeyPatch, *again: DieSpot, first: DieSpot = FIRST, numbers: object = None
    ) -> list[tuple[float, float]]:
        """The places of the dice: the search proposes `first`, and the others when it is asked for all."""

        def search(_: object, __: object, limits: ProposalLimits | None = None) -> list[DieSpot]:
            return [first] if limits is None else [first, *again]

        def classify(spot: DieSpot) -> Classification | None:
            if spot.size_px != pytest.approx(fakes.EDGE_PX, rel=0.05):
                return None
            is_first = spot.centre_px == first.centre_px
            return fakes.classified(spot, numbers if is_first else None, board=None)  # type: ignore[arg-type]

        fakes.fake_search(monkeypatch, search)
        fakes.fake_classifications(monkeypatch, classify)
        return [die.centre_px for die in fakes.detected(None).dice]

    @pytest.mark.parametrize("times", [0.4, 2.5])
    def test_others_are_classified_at_the_size_of_a_confident_one(
        self, monkeypatch: pytest.MonkeyPatch, times: float
    ) -> None:
        """Two that touch look like one large die to the search, and a pip like a small one."""
        other = spot_at(fakes.RIGHT_HALF, 0.3, times)
        assert self.places(monkeypatch, other) == [fakes.LEFT_HALF, fakes.RIGHT_HALF]

    def test_the_nearest_die_gives_the_size(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Near and far dice differ in size."""
        dice = {(100.0, 200.0): 20.0, (600.0, 200.0): 40.0, (200.0, 200.0): 20.0, (500.0, 200.0): 40.0}
        fakes.fake_spots(
            monkeypatch,
            [DieSpot(at_px, size_px if at_px[0] in (100, 600) else 30.0, 0.9) for at_px, size_px in dice.items()],
        )
        fakes.fake_classifications(
            monkeypatch,
            lambda spot: fakes.classified(spot, board=None) if spot.size_px == dice[spot.centre_px] else None,
        )
        assert {die.centre_px: die.size_px for die in fakes.detected(None).dice} == dice

    def test_without_a_confident_one_no_size_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        other = spot_at(fakes.RIGHT_HALF, 0.3, 0.4)
        assert self.places(monkeypatch, other, first=replace(self.FIRST, size_px=0.5 * fakes.EDGE_PX)) == []
        doubtful: NDArray[np.float32] = fakes.output(face_p=0.95)
        assert self.places(monkeypatch, other, numbers=doubtful) == [fakes.LEFT_HALF]

    def test_each_die_is_detected_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        near = (fakes.RIGHT_HALF[0] + 0.4 * fakes.EDGE_PX, fakes.RIGHT_HALF[1])
        others = [spot_at(at_px, 0.3) for at_px in (fakes.RIGHT_HALF, near, fakes.LEFT_HALF)]
        assert self.places(monkeypatch, *others) == [fakes.LEFT_HALF, fakes.RIGHT_HALF]
