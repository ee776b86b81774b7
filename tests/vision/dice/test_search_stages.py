"""Where else dice are searched: fainter proposals, places of the previous frame, around a die and at its size."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import NOTHING_STANDS, STRAIGHT_DOWN
from vision.checkers.occupancy import CheckerPositions
from vision.dice import search_stages
from vision.dice.candidates import PreviousFrame
from vision.dice.classification_cascade import Classification
from vision.dice.classifier import FACE, ObjectClass
from vision.dice.detect import DiceInView, read_dice
from vision.dice.proposals import OTHER_PX_PER_MM, PX_PER_MM, ProposalCheck, ProposalLimits
from vision.dice.readings import BoardHalf
from vision.dice.search_stages import BATCH_SIZE, MAX_FAINT_SPOTS
from vision.dice.windows import DieSpot

Given = Callable[..., None]
HURRIED = PreviousFrame(is_hurried=True)


def seen_after(previous: PreviousFrame | None, positions: CheckerPositions | None = None) -> DiceInView:
    return read_dice(fakes.PICTURE, STRAIGHT_DOWN, positions=positions, previous=previous)


class TestBehindOthers:
    """A die ranks behind a dozen proposals that show nothing, and behind other dice."""

    @pytest.fixture
    def put(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, NDArray[np.float32]], None]:
        def put_behind(before: int, numbers: NDArray[np.float32]) -> None:
            dice_before = [fakes.LEFT_HALF, fakes.ON_THE_BAR][:before]
            others = [(120.0 + 30 * number, 60.0) for number in range(ProposalLimits().most_spots - before)]
            places = [*dice_before, *others, fakes.RIGHT_HALF]

            def search(*_: object, limits: ProposalLimits, px_per_mm: float = PX_PER_MM) -> list[DieSpot]:
                found = places if px_per_mm == PX_PER_MM else dice_before
                return [DieSpot(at_px, fakes.EDGE_PX, 0.9) for at_px in found][: limits.most_spots]

            def classify(spot: DieSpot) -> Classification | None:
                if spot.centre_px in others:
                    return None
                return fakes.classified(spot, numbers if spot.centre_px == fakes.RIGHT_HALF else None)

            fakes.fake_search(monkeypatch, search)
            fakes.fake_classifications(monkeypatch, classify)

        return put_behind

    @pytest.mark.parametrize("before", [0, 1, 2])
    def test_it_is_detected(self, monkeypatch: pytest.MonkeyPatch, put: Given, before: int) -> None:
        """A third die is detected too: a throw with it does not count."""
        fakes.fake_later_checks(monkeypatch, lambda spot: fakes.check_of(spot, 1.0))
        put(before, fakes.output())
        assert len(fakes.detected().dice) == before + 1

    def test_without_a_confident_face_it_is_a_candidate(self, put: Given) -> None:
        unsure = fakes.output()
        unsure[FACE] = 0
        put(0, unsure)
        found = fakes.detected()
        assert (found.dice, found.may_hold_more) == ((), True)

    def test_where_something_moves_it_waits(self, put: Given) -> None:
        put(0, fakes.output())
        assert seen_after(HURRIED).dice == ()


class TestFaintProposals:
    @pytest.mark.parametrize(
        ("kind", "previous", "found"),
        [(ObjectClass.DIE, None, 1), (ObjectClass.DIE, HURRIED, 1), (ObjectClass.CUBE, None, 1)],
        ids=["die", "hurried", "cube"],
    )
    def test_they_are_classified(
        self, monkeypatch: pytest.MonkeyPatch, kind: ObjectClass, previous: PreviousFrame | None, found: int
    ) -> None:
        """While something moves at once, since nothing is searched later then."""
        fakes.fake_spots(monkeypatch, [DieSpot(fakes.RIGHT_HALF, fakes.EDGE_PX, 0.19)])
        fakes.fake_outputs(monkeypatch, lambda _: fakes.output(kind))
        fakes.fake_number(monkeypatch, 2)
        seen = seen_after(previous)
        assert len(seen.dice) + (seen.cube is not None) == found

    def test_beside_one_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fakes.fake_spots(
            monkeypatch, [DieSpot(fakes.LEFT_HALF, fakes.EDGE_PX, 0.9), DieSpot(fakes.RIGHT_HALF, fakes.EDGE_PX, 0.19)]
        )
        fakes.fake_outputs(monkeypatch, lambda _: fakes.output())
        assert len(fakes.detected().dice) == 2

    @pytest.mark.parametrize("positions", [None, NOTHING_STANDS])
    def test_a_side_is_no_second_die(self, monkeypatch: pytest.MonkeyPatch, positions: CheckerPositions | None) -> None:
        """The throw is incomplete with it, so fainter proposals count; free space makes no face of a side."""
        side = tuple((fakes.FAR_PX + 0.7 * fakes.EDGE_PX * fakes.INWARD).tolist())
        fakes.fake_classifications(
            monkeypatch,
            lambda spot: fakes.classified(spot, fakes.output(flat_p=0.75) if spot.centre_px == side else None),
        )
        found = ((fakes.FAR_PX, 0.9), (side, 0.8), (fakes.RIGHT_HALF, 0.19))
        fakes.fake_spots(monkeypatch, [DieSpot(at_px, fakes.EDGE_PX, score) for at_px, score in found])
        assert {die.centre_px for die in seen_after(None, positions).dice} == {fakes.FAR_PX, fakes.RIGHT_HALF}


@pytest.mark.parametrize(("die_p", "dice", "may_hold_more"), [(0.09, 1, False), (0.11, 1, True), (0.11, 2, False)])
def test_a_single_die_may_hide_another_one(
    monkeypatch: pytest.MonkeyPatch, die_p: float, dice: int, *, may_hold_more: bool
) -> None:
    """Where the filter sees a possible one from aside; a complete throw hides none."""
    places = [fakes.LEFT_HALF, fakes.ON_THE_BAR][:dice]
    fakes.fake_places(monkeypatch, *places, fakes.RIGHT_HALF)
    fakes.fake_classifications(monkeypatch, lambda spot: fakes.classified(spot) if spot.centre_px in places else None)
    monkeypatch.setattr(search_stages, "check_around", lambda _, spot: fakes.check_of(spot, die_p))
    monkeypatch.setattr(search_stages, "check_neighbours", lambda *_: [])
    found = fakes.detected()
    assert (len(found.dice), found.may_hold_more) == (dice, may_hold_more)


class TestTouching:
    """Two dice that touch, of which the search finds one."""

    def dice(
        self, monkeypatch: pytest.MonkeyPatch, angle_deg: float, *found: tuple[float, float]
    ) -> list[tuple[float, float]]:
        off = fakes.EDGE_PX * np.array([np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))])
        other = (float(fakes.LEFT_HALF[0] + off[0]), float(fakes.LEFT_HALF[1] + off[1]))
        fakes.fake_classifications(monkeypatch, fakes.classified)
        fakes.fake_checks_aside(
            monkeypatch,
            lambda spot: fakes.check_of(spot, 0.9 if spot.is_near(other, fakes.EDGE_PX, 0.5) else 0.01, other),
        )
        fakes.fake_places(monkeypatch, fakes.LEFT_HALF, *found)
        dice = [die.centre_px for die in fakes.detected().dice]
        assert set(dice) <= {fakes.LEFT_HALF, other, *found}
        return dice

    @pytest.mark.parametrize("angle_deg", range(0, 360, 20))
    def test_the_other_is_found_beside_it(self, monkeypatch: pytest.MonkeyPatch, angle_deg: float) -> None:
        assert len(self.dice(monkeypatch, angle_deg)) == 2

    def test_a_complete_throw_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.dice(monkeypatch, 0, fakes.RIGHT_HALF) == [fakes.LEFT_HALF, fakes.RIGHT_HALF]


class TestOneAlone:
    """The second die is searched again at other scales and at the size of the first."""

    @pytest.mark.parametrize("px_per_mm", [*OTHER_PX_PER_MM, None])
    def test_other_scales(self, given: Given, monkeypatch: pytest.MonkeyPatch, px_per_mm: float | None) -> None:
        """Each die is detected once, the second one only where a scale shows it."""
        given(lambda _: fakes.output())
        first, second = (DieSpot(at_px, fakes.EDGE_PX, 0.9) for at_px in (fakes.LEFT_HALF, fakes.RIGHT_HALF))

        def search(
            *_: object, limits: object, px_per_mm: float = PX_PER_MM, shown: float | None = px_per_mm
        ) -> list[DieSpot]:
            del limits
            return [first, second] if px_per_mm == shown else [first]

        fakes.fake_search(monkeypatch, search)
        halves = [BoardHalf.LEFT, BoardHalf.RIGHT] if px_per_mm else [BoardHalf.LEFT]
        assert [die.half for die in fakes.detected().dice] == halves

    def test_not_where_no_die_is_known(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        """The second scale would show one."""
        given(lambda _: fakes.output())
        second = DieSpot(fakes.RIGHT_HALF, fakes.EDGE_PX, 0.9)
        fakes.fake_search(monkeypatch, lambda *_, px_per_mm=PX_PER_MM, **__: [second] if px_per_mm != PX_PER_MM else [])
        assert fakes.detected().dice == ()

    @pytest.mark.parametrize(
        ("is_hurried", "die_p", "shows_face", "found"),
        [(False, 0.99, True, 2), (True, 0.99, True, 1), (False, 0.9, True, 1), (False, 0.99, False, 1)],
    )
    def test_among_the_faintest_only_a_confident_die_counts(
        self, monkeypatch: pytest.MonkeyPatch, *, is_hurried: bool, die_p: float, shows_face: bool, found: int
    ) -> None:
        def search(*_: object, limits: ProposalLimits, **__: object) -> list[DieSpot]:
            first = DieSpot(fakes.LEFT_HALF, fakes.EDGE_PX, 0.9)
            is_faint = limits.most_spots >= MAX_FAINT_SPOTS
            return [first, DieSpot(fakes.RIGHT_HALF, 0.8 * fakes.EDGE_PX, 0.15)] if is_faint else [first]

        doubtful = fakes.output(die_p=die_p)
        if not shows_face:
            doubtful[FACE] = np.log([0.9, 0.02, 0.02, 0.02, 0.02, 0.02])
        fakes.fake_search(monkeypatch, search)
        fakes.fake_classifications(
            monkeypatch, lambda spot: fakes.classified(spot, doubtful if spot.centre_px == fakes.RIGHT_HALF else None)
        )
        seen = seen_after(PreviousFrame(is_hurried=is_hurried))
        assert len(seen.dice) == found
        assert seen.may_hold_more is (found == 1 and not is_hurried)

    @pytest.mark.parametrize(
        ("die_p", "proposed_p", "found"), [(0.99, 0.0, 2), (0.9, 0.0, 1), (0.99, 0.2, 2), (0.99, 0.7, 2)]
    )
    def test_at_the_size_of_the_first(
        self, monkeypatch: pytest.MonkeyPatch, die_p: float, proposed_p: float, found: int
    ) -> None:
        """The search took its pips for a small die. It needs more confidence then, whatever it was at its own size."""
        fakes.fake_one_too_small(monkeypatch, die_p, proposed_p)
        seen = fakes.detected()
        assert len(seen.dice) == found
        assert seen.may_hold_more is (found == 1)


class TestPreviousDice:
    """A search that found a die in one picture may miss it in the next."""

    def test_their_places_are_classified(self, given: Given) -> None:
        given(lambda _: fakes.output(), fakes.LEFT_HALF)
        lay = tuple(DieSpot(at_px, fakes.EDGE_PX, 1.0) for at_px in (fakes.LEFT_HALF, fakes.RIGHT_HALF))
        assert [die.half for die in seen_after(PreviousFrame(die_spots=lay)).dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]

    @pytest.mark.parametrize(("die_p", "found", "may_hold_more"), [(0.99, 1, False), (0.9, 0, True), (1e-6, 0, False)])
    def test_a_gap_is_not_helped_to_stay(self, given: Given, die_p: float, found: int, *, may_hold_more: bool) -> None:
        """Between four checkers, as large as a die that a hand has just lifted."""
        given(lambda _: fakes.output(die_p=die_p))
        seen = seen_after(PreviousFrame(die_spots=(DieSpot(fakes.LEFT_HALF, fakes.EDGE_PX, 1.0),)))
        assert (len(seen.dice), seen.may_hold_more) == (found, may_hold_more)


class TestBesideProposals:
    """The search points beside dice that lean steeply: for an incomplete throw, the filter finds them from aside."""

    LEANS = (fakes.RIGHT_HALF[0] + 0.6 * fakes.EDGE_PX, fakes.RIGHT_HALF[1])

    def columns(
        self,
        monkeypatch: pytest.MonkeyPatch,
        *found: tuple[float, float],
        die_p: float = 0.99,
        proposed_p: float = 0.05,
        previous: PreviousFrame | None = None,
    ) -> list[float]:
        """The columns of the dice, where two proposals lie beside a die, and others at the `found` places."""

        def classify(spot: DieSpot) -> Classification | None:
            if spot.centre_px not in (self.LEANS, *found):
                return None
            return fakes.classified(spot, fakes.output(die_p=die_p) if spot.centre_px == self.LEANS else None)

        def check(spot: DieSpot) -> ProposalCheck:
            object_p = 0.9 if spot.is_near(self.LEANS, fakes.EDGE_PX, 0.2) else proposed_p
            return fakes.check_of(DieSpot(self.LEANS, fakes.EDGE_PX, 0.3), object_p)

        beside = (fakes.RIGHT_HALF, (self.LEANS[0] + 0.6 * fakes.EDGE_PX, self.LEANS[1]))
        fakes.fake_spots(monkeypatch, [DieSpot(at_px, 1.2 * fakes.EDGE_PX, 0.5) for at_px in (*beside, *found)])
        fakes.fake_classifications(monkeypatch, classify)
        fakes.fake_checks_aside(monkeypatch, check)
        seen = seen_after(previous)
        assert sum(one.spot.centre_px == self.LEANS for one in seen.candidates) <= 1  # both proposals lead to it
        return [die.centre_px[0] for die in seen.dice]

    @pytest.mark.parametrize("others", [(), (fakes.LEFT_HALF,)])
    def test_it_is_found(self, monkeypatch: pytest.MonkeyPatch, others: tuple[tuple[float, float], ...]) -> None:
        assert self.columns(monkeypatch, *others) == [*(other[0] for other in others), self.LEANS[0]]

    def test_a_complete_throw_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.columns(monkeypatch, fakes.LEFT_HALF, fakes.ON_THE_BAR) == [fakes.LEFT_HALF[0], fakes.ON_THE_BAR[0]]

    @pytest.mark.parametrize(("die_p", "dice"), [(0.94, 0), (0.96, 1)])
    def test_it_needs_more_confidence(self, monkeypatch: pytest.MonkeyPatch, die_p: float, dice: int) -> None:
        assert len(self.columns(monkeypatch, die_p=die_p)) == dice

    @pytest.mark.parametrize("how", [{"proposed_p": 0.02}, {"previous": HURRIED}])
    def test_negligible_proposals_and_hurried_pictures_are_spared(
        self, monkeypatch: pytest.MonkeyPatch, how: dict[str, object]
    ) -> None:
        assert self.columns(monkeypatch, **how) == []  # type: ignore[arg-type]


class TestWithoutABoard:
    """The size of dice is unknown there, until one is confident."""

    FIRST = DieSpot(fakes.LEFT_HALF, fakes.EDGE_PX, 0.9)

    def places(
        self, monkeypatch: pytest.MonkeyPatch, *again: DieSpot, first: DieSpot = FIRST, die_p: float = 1.0
    ) -> list[tuple[float, float]]:
        """The places of the dice: the search proposes `first`, and the others when it is asked for all."""

        def search(*_: object, limits: ProposalLimits, **__: object) -> list[DieSpot]:
            return [first] if limits == ProposalLimits() else [first, *again]

        def classify(spot: DieSpot) -> Classification | None:
            if spot.size_px != pytest.approx(fakes.EDGE_PX, rel=0.05):
                return None
            numbers = None if spot.centre_px == first.centre_px else fakes.output(die_p=0.999 * die_p)
            return fakes.classified(spot, numbers, board=None)

        fakes.fake_search(monkeypatch, search)
        fakes.fake_classifications(monkeypatch, classify)
        return [die.centre_px for die in fakes.detected(None).dice]

    @pytest.mark.parametrize(("times", "die_p", "found"), [(0.4, 1.0, 2), (2.5, 1.0, 2), (0.4, 0.9, 1)])
    def test_others_are_classified_at_the_size_of_a_confident_one(
        self, monkeypatch: pytest.MonkeyPatch, times: float, die_p: float, found: int
    ) -> None:
        """Two that touch look like one large die to the search, and a pip like a small one; they need confidence."""
        other = DieSpot(fakes.RIGHT_HALF, times * fakes.EDGE_PX, 0.3)
        assert self.places(monkeypatch, other, die_p=die_p) == [fakes.LEFT_HALF, fakes.RIGHT_HALF][:found]

    def test_without_a_confident_one_no_size_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        small = replace(self.FIRST, size_px=0.5 * fakes.EDGE_PX)
        assert self.places(monkeypatch, DieSpot(fakes.RIGHT_HALF, fakes.EDGE_PX, 0.3), first=small) == []

    def test_each_die_is_detected_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        near = (fakes.RIGHT_HALF[0] + 0.4 * fakes.EDGE_PX, fakes.RIGHT_HALF[1])
        others = [DieSpot(at_px, fakes.EDGE_PX, 0.3) for at_px in (fakes.RIGHT_HALF, near, fakes.LEFT_HALF)]
        assert self.places(monkeypatch, *others) == [fakes.LEFT_HALF, fakes.RIGHT_HALF]

    @pytest.mark.parametrize(("dice", "batches"), [(75, 4), (12, 1), (1, 1)])
    def test_as_many_as_there_are(self, monkeypatch: pytest.MonkeyPatch, dice: int, batches: int) -> None:
        """In batches, the surest first, as long as dice turn up."""
        spots = [
            DieSpot((40.0 + 40 * (number % 14), 40.0 + 40 * (number // 14)), fakes.EDGE_PX, 0.5)
            for number in range(140)
        ]
        places = {spot.centre_px for spot in spots[:dice]}
        fakes.fake_search(monkeypatch, lambda *_, limits, **__: spots[: limits.most_spots])
        fakes.fake_classifications(
            monkeypatch, lambda spot: fakes.classified(spot, board=None) if spot.centre_px in places else None
        )
        found = fakes.detected(None)
        assert {die.centre_px for die in found.dice} == places
        assert len(found.candidates) == ProposalLimits().most_spots + batches * BATCH_SIZE
