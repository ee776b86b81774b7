"""Which spots are dice, which are the cube or of another size, and what leaves room for one more die."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.observing.throw_evidence import DEFAULT_DICE_TRUST
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    EDGE_PX,
    LEFT_HALF,
    ON_THE_BAR,
    PICTURE,
    RIGHT_HALF,
    SURELY_A_DIE,
    answer,
    find_spots,
    one_found_too_small,
    tell_finished_looks,
    tell_looks,
)
from vision.dice import classification_cascade, detect
from vision.dice.candidates import DiceLimits, PreviousFrame
from vision.dice.classifier import CLASS, FACE, ObjectClass, decode_output
from vision.dice.detect import read_dice
from vision.dice.pip_template import PipEvidence
from vision.dice.proposals import ProposalCheck
from vision.dice.readings import BoardHalf
from vision.dice.windows import SIGHT, DieSpot, place_window


def two_things(monkeypatch: pytest.MonkeyPatch, times: float, kinds: list[float]) -> None:
    """A plain die to the left, and to the right something so many times as large that is so of each kind."""

    def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
        numbers, exact = answer(), SURELY_A_DIE
        if spot.centre_px == RIGHT_HALF:
            if spot.size_px != pytest.approx(times * EDGE_PX, rel=0.01):
                return None
            numbers[CLASS] = exact = np.log(kinds)
        return classification_cascade.Classification(
            place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, exact
        )

    spots = [DieSpot(LEFT_HALF, EDGE_PX, 0.9), DieSpot(RIGHT_HALF, times * EDGE_PX, 0.4)]
    find_spots(monkeypatch, spots)
    tell_finished_looks(monkeypatch, says)


class TestDieOrCube:
    """An ace has one mark in its middle too."""

    @pytest.mark.parametrize(("times", "is_sure"), [(0.8, True), (1.0, True), (1.2, False)])
    def test_no_cube_is_as_small_as_a_plain_die(
        self, monkeypatch: pytest.MonkeyPatch, times: float, is_sure: bool
    ) -> None:
        """What is larger may be one."""
        two_things(monkeypatch, times, [0.001, 0.95, 0.049])
        _, doubtful = read_dice(PICTURE, STRAIGHT_DOWN).dice
        assert (sum(doubtful.lie_chances) > 0.99) is is_sure

    def test_its_size_alone_makes_no_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However surely it is no cube."""
        two_things(monkeypatch, 0.8, [0.9, 0.0001, 0.0999])
        assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == 1


class TestPerhapsMore:
    """Whether a die is surely missing, or something else in view may be it."""

    @pytest.mark.parametrize(("die_chance", "perhaps_more"), [(0.02, False), (0.3, True), (0.7, True), (0.99, False)])
    def test_what_is_not_told_as_a_die_but_looks_a_little_like_one(
        self, told: Callable[..., None], die_chance: float, perhaps_more: bool
    ) -> None:
        """The thing to the right; one that is told as a die is none of these."""

        def says(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            numbers = answer()
            across, down = np.abs(planes[SIGHT, 0, 0])
            if across > 2 * down:
                numbers[CLASS] = np.log([1 - die_chance, die_chance, 1e-9])
            return numbers

        told(says, LEFT_HALF, RIGHT_HALF)
        assert read_dice(PICTURE, STRAIGHT_DOWN).may_hold_more is perhaps_more

    @pytest.mark.parametrize(("sureness", "perhaps_more"), [(0.9, True), (0.3, False), (0.99, False)])
    def test_what_looks_like_one_in_the_size_of_the_other_die(
        self, monkeypatch: pytest.MonkeyPatch, sureness: float, perhaps_more: bool
    ) -> None:
        """Not plain enough to be told, and too much like one to say that a die is missing."""
        one_found_too_small(monkeypatch, sureness)
        assert read_dice(PICTURE, STRAIGHT_DOWN).may_hold_more is perhaps_more

    @pytest.mark.parametrize(
        ("times", "die_chance", "perhaps_more"),
        [(0.5, 0.7, False), (0.7, 0.7, True), (0.7, 0.3, False), (0.9, 0.3, True), (2.0, 0.3, True)],
    )
    def test_lights_and_gaps_are_too_small(
        self, monkeypatch: pytest.MonkeyPatch, times: float, die_chance: float, perhaps_more: bool
    ) -> None:
        """In its own size it looks a little like a die, and in that of the plain one like nothing."""
        two_things(monkeypatch, times, [1 - die_chance, die_chance, 1e-9])
        seen = read_dice(PICTURE, STRAIGHT_DOWN)
        assert [die.half for die in seen.dice] == [BoardHalf.LEFT]
        assert seen.may_hold_more is perhaps_more

    def test_the_cube_is_no_die(self, told: Callable[..., None]) -> None:
        """It lies on the bar all the time."""
        told(lambda _: answer(ObjectClass.CUBE), ON_THE_BAR)
        assert not read_dice(PICTURE, STRAIGHT_DOWN).may_hold_more


class TestTwoOpinions:
    """The network's and that of the pips, which a test tells."""

    def seen(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch, sure: float, pips: dict[int, float]
    ) -> list[float]:
        """Probabilities of the faces where the network says a 5 with so much, and the pips these log-likelihoods."""
        numbers = answer(face=5)
        numbers[FACE] = np.log([(1 - sure) / 5] * 6)
        numbers[FACE.start + 4] = np.log(sure)
        told(lambda _: numbers, LEFT_HALF)
        evidence = PipEvidence(np.array([pips.get(face, -6.0) for face in range(1, 7)]))
        monkeypatch.setattr(classification_cascade, "compute_pip_evidence", lambda *_: evidence)
        (die,) = read_dice(PICTURE, STRAIGHT_DOWN).dice
        return [float(np.exp(one)) for one in die.face_log_likelihood]

    def test_where_they_agree_it_is_surer(self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
        """A five that the network took for a six with a tenth."""
        assert self.seen(told, monkeypatch, 0.9, {5: 0.0})[4] > 0.999

    def test_where_they_differ_it_has_to_be_surer(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Than what is believed anyhow, unless all networks are certain."""
        faces = self.seen(told, monkeypatch, 0.94, {5: 0.0, 3: -1.5})
        assert max(faces) == faces[4] > DEFAULT_DICE_TRUST.value
        faces = self.seen(told, monkeypatch, 0.94, {3: 0.0, 5: -1.5})
        assert max(faces) == faces[4] < DEFAULT_DICE_TRUST.value
        assert sum(faces) == pytest.approx(1)

    def test_where_no_pips_show_the_network_is_believed(
        self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing contradicts it."""
        nothing = dict.fromkeys(range(1, 7), 0.0)
        assert self.seen(told, monkeypatch, 0.985, nothing)[4] == pytest.approx(0.985, abs=0.001)


class TestSize:
    """A point is 34 pixels wide here, and a die 20."""

    def seen(self, monkeypatch: pytest.MonkeyPatch, edges_px: tuple[float, float], odds: float) -> list[float]:
        """The sizes of what is told of two things, the one to the right with these odds of its face against another."""

        def says(planes: NDArray[np.float32]) -> NDArray[np.float32]:
            numbers = answer(face=3)
            across, down = np.abs(planes[SIGHT, 0, 0])
            if across > 2 * down:  # the one to the right, mirrored or not
                numbers[FACE.start + 1] = numbers[FACE.start + 2] - np.log(odds)
            return numbers

        spots = [DieSpot(at_px, edge_px, 0.9) for at_px, edge_px in zip((LEFT_HALF, RIGHT_HALF), edges_px, strict=True)]
        find_spots(monkeypatch, spots)
        tell_looks(monkeypatch, says)
        return [die.size_px for die in read_dice(PICTURE, STRAIGHT_DOWN).dice]

    def test_a_doubtful_thing_of_another_size_beside_a_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A gap between checkers; one a quarter smaller may be a die that leans."""
        assert self.seen(monkeypatch, (20.0, 11.5), odds=3) == [20.0]
        assert self.seen(monkeypatch, (20.0, 15.0), odds=3) == [20.0, 15.0]

    def test_a_plain_face_makes_a_die_of_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each player has his own pair."""
        assert self.seen(monkeypatch, (20.0, 11.5), odds=1e6) == [20.0, 11.5]

    def test_nobody_tells_what_size_dice_have(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two dice in doubt say nothing of each other."""
        monkeypatch.setattr(detect, "DiceLimits", lambda: DiceLimits(confident_face_p=1.1))
        assert self.seen(monkeypatch, (20.0, 11.5), odds=3) == [20.0, 11.5]

    def test_what_is_too_small_for_a_die(self, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
        """Grain, or the head of a screw, whatever it looks like."""
        told(lambda _: answer())
        for edge_px, found in ((4.5, 0), (6.0, 1)):
            spots = [DieSpot(LEFT_HALF, edge_px, 0.9)]
            find_spots(monkeypatch, spots)
            assert len(read_dice(PICTURE, STRAIGHT_DOWN).dice) == found


class TestBesideSpots:
    """The search points beside dice that lean steeply: where a throw is not complete, glances from aside find them."""

    LEANS = (RIGHT_HALF[0] + 0.6 * EDGE_PX, RIGHT_HALF[1])

    def told(
        self,
        monkeypatch: pytest.MonkeyPatch,
        sureness: float = 0.99,
        *found: tuple[float, float],
        at_first: float = 0.05,
        earlier: PreviousFrame | None = None,
    ) -> list[float]:
        """Columns of the dice that are read where the search points beside a die, and at those that were `found`."""

        def glance(_: object, spot: DieSpot) -> ProposalCheck:
            there = 0.9 if spot.is_near(self.LEANS, EDGE_PX, 0.2) else at_first
            return ProposalCheck(np.log([1 - there, there, 1e-9]), DieSpot(self.LEANS, EDGE_PX, 0.3))

        def says(_: object, spot: DieSpot, *__: object, **___: object) -> classification_cascade.Classification | None:
            if spot.centre_px not in (self.LEANS, *found):
                return None
            numbers = answer()
            numbers[CLASS] = np.log([1 - sureness, sureness, 1e-9] if spot.centre_px == self.LEANS else [1e-9, 1, 1e-9])
            return classification_cascade.Classification(
                place_window(spot, STRAIGHT_DOWN), decode_output(numbers), spot, SURELY_A_DIE
            )

        beside = (RIGHT_HALF, (self.LEANS[0] + 0.6 * EDGE_PX, self.LEANS[1]))
        find_spots(monkeypatch, [DieSpot(at_px, 1.2 * EDGE_PX, 0.5) for at_px in (*beside, *found)])
        tell_finished_looks(monkeypatch, says)
        monkeypatch.setattr("vision.dice.proposals.check_proposal", glance)
        seen = read_dice(PICTURE, STRAIGHT_DOWN, previous=earlier)
        assert sum(one.spot.centre_px == self.LEANS for one in seen.candidates) <= 1  # both spots lead to it
        return [die.centre_px[0] for die in seen.dice]

    def test_one_alone_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Half a spot's edge beside both, as the search took it for larger; it is looked at once."""
        assert self.told(monkeypatch) == [self.LEANS[0]]

    def test_beside_another_die_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.told(monkeypatch, 0.99, LEFT_HALF) == [LEFT_HALF[0], self.LEANS[0]]

    def test_a_complete_throw_needs_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.told(monkeypatch, 0.99, LEFT_HALF, ON_THE_BAR) == [LEFT_HALF[0], ON_THE_BAR[0]]

    @pytest.mark.parametrize(("sureness", "dice"), [(0.94, 0), (0.96, 1)])
    def test_it_has_to_be_surer_than_what_the_search_found(
        self, monkeypatch: pytest.MonkeyPatch, sureness: float, dice: int
    ) -> None:
        assert len(self.told(monkeypatch, sureness)) == dice

    def test_where_hardly_anything_is_seen_at_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Most places are such, and glances from aside are spared there."""
        assert self.told(monkeypatch, at_first=0.02) == []

    def test_where_time_is_short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.told(monkeypatch, earlier=PreviousFrame(is_hurried=True)) == []
