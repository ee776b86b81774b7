"""What the cascade makes of one proposal when its networks agree, differ or doubt."""

from itertools import chain, repeat

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice import classification_cascade
from vision.dice.classifier import FACE, OUTPUT_SIZE, ObjectClass
from vision.dice.detect import DiceInView, read_dice
from vision.dice.ensemble import FAST_NETWORK, VERIFIER_NETWORK, verify_face
from vision.dice.pip_template import PipEvidence
from vision.dice.proposals import SIDE_OFFSET_EDGES
from vision.dice.readings import ACCEPT_VALUE_P, DieReading, DieState
from vision.dice.windows import NMS_EDGES, DieSpot
from vision.geometry.projection import KnownBoard


def pips_of(*log_likelihoods: float) -> PipEvidence:
    return PipEvidence(np.array(log_likelihoods))


@pytest.mark.parametrize("off_edges", [(0.08,), (0.2, 0.08), (0.25, 0.12, 0.11)])
def test_a_window_is_moved_until_its_die_is_centred(
    monkeypatch: pytest.MonkeyPatch, off_edges: tuple[float, ...]
) -> None:
    """Twice at most; the last window places the die."""
    offsets = chain(off_edges, repeat(0.5))
    fakes.fake_dice(monkeypatch, lambda _: fakes.output(top=(next(offsets), 0.0)), fakes.LEFT_HALF)
    assert fakes.one_die().centre_px == pytest.approx(
        (fakes.LEFT_HALF[0] + sum(off_edges) * fakes.EDGE_PX, fakes.LEFT_HALF[1]), abs=0.1
    )


@pytest.mark.parametrize("kind", [ObjectClass.NOTHING, ObjectClass.CUBE])
def test_a_move_that_loses_the_die_is_undone(monkeypatch: pytest.MonkeyPatch, kind: ObjectClass) -> None:
    fakes.fake_sequence(monkeypatch, fakes.output(top=(0.2, 0.0)), fakes.output(kind))
    assert fakes.one_die().centre_px == pytest.approx(
        (fakes.LEFT_HALF[0] + 0.2 * fakes.EDGE_PX, fakes.LEFT_HALF[1]), abs=0.1
    )


def test_the_window_of_a_cube_is_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """No network learned the size of a cube."""
    fakes.fake_sequence(monkeypatch, fakes.output(ObjectClass.CUBE, top=(0.3, 0.0)))
    fakes.fake_number(monkeypatch, 2)
    assert fakes.detected().cube is not None


@pytest.mark.parametrize(("filter_p", "is_read"), [(0.78, False), (0.82, True)])
def test_the_careful_network_has_a_say_where_the_filter_doubts(
    monkeypatch: pytest.MonkeyPatch, filter_p: float, *, is_read: bool
) -> None:
    """Fast network and filter together are then not enough for a die; the others see another face."""
    fakes.fake_by_name(monkeypatch, fakes.output(face=6), {FAST_NETWORK: fakes.output(face=5)})
    fakes.fake_filter(monkeypatch, lambda spot: fakes.check_of(spot, filter_p))
    assert (fakes.one_die().accepted_value == 5) is is_read


@pytest.mark.parametrize(
    ("pips", "is_read"),
    [((-4.0, -3.0, -2.0, -2.5, 0.0, -0.6), True), ((-4.0, -3.0, -2.0, -2.5, 0.0, -0.4), False), ((0.0,) * 6, False)],
)
def test_one_network_alone_is_not_believed_where_the_pips_show_no_face(
    monkeypatch: pytest.MonkeyPatch, pips: tuple[float, ...], *, is_read: bool
) -> None:
    """Under a glare it may be sure of a wrong face: the others, which see another one, are asked."""
    agrees = classification_cascade._agrees_with_pips
    fakes.fake_by_name(monkeypatch, fakes.output(face=6), {FAST_NETWORK: fakes.output(face=5)})
    monkeypatch.setattr(classification_cascade, "_agrees_with_pips", agrees)
    fakes.fake_pips(monkeypatch, lambda _: pips_of(*pips))
    assert (fakes.one_die().accepted_value == 5) is is_read


@pytest.mark.parametrize(("cube_p", "then"), [(0.999, ObjectClass.CUBE), (0.8, ObjectClass.DIE)])
def test_pips_count_for_dice_alone(monkeypatch: pytest.MonkeyPatch, cube_p: float, then: ObjectClass) -> None:
    """A doubtful cube that the careful network calls a die has its pips read after all."""
    first = fakes.output(ObjectClass.CUBE)
    first[:3] = np.log([1e-9, 1 - cube_p, cube_p])
    fakes.fake_sequence(monkeypatch, first, fakes.unsure_lie(fakes.output(then)), *[fakes.output(then)] * 2)
    fakes.fake_pips(monkeypatch, lambda _: pips_of(-9.0, -9.0, 0.0, -9.0, -9.0, -9.0))
    found = fakes.detected()
    assert (found.cube is None) is (then is ObjectClass.DIE)
    assert all(die.value_confidence < ACCEPT_VALUE_P for die in found.dice)


class TestSides:
    """An oblique camera sees sides of dice; one may be taken for the upper face, which shows beyond it."""

    def seen(
        self, monkeypatch: pytest.MonkeyPatch, *numbers: NDArray[np.float32], at_px: tuple[float, float] = fakes.FAR_PX
    ) -> DieReading:
        fakes.fake_sequence(monkeypatch, *numbers, at_px=at_px)
        return fakes.one_die()

    def doubtful(self, face: int) -> NDArray[np.float32]:
        numbers = fakes.output(face=face)
        numbers[FACE.start + face - 1] = 3.5  # 87 percent
        return numbers

    def test_the_upper_face_is_read_beyond_a_side(self, monkeypatch: pytest.MonkeyPatch) -> None:
        die = self.seen(monkeypatch, self.doubtful(4), fakes.output(face=6), fakes.output(face=6))
        assert die.value == 6
        assert np.subtract(die.centre_px, fakes.FAR_PX) == pytest.approx(-0.45 * fakes.EDGE_PX * fakes.INWARD, abs=0.1)

    @pytest.mark.parametrize(
        "top", [0.45 * fakes.INWARD, -0.5 * fakes.INWARD], ids=["the same die", "another die farther off"]
    )
    def test_what_is_not_its_upper_face_changes_nothing(
        self, monkeypatch: pytest.MonkeyPatch, top: NDArray[np.float64]
    ) -> None:
        """From a side to its upper face it is less than an edge, and more than nothing."""
        beyond = fakes.output(face=6, top=(float(top[0]), float(top[1])))
        die = self.seen(monkeypatch, self.doubtful(4), beyond, fakes.output(face=4))
        assert die.value == 4
        assert die.centre_px == pytest.approx(fakes.FAR_PX, abs=0.1)

    def test_a_less_confident_face_beyond_is_another_side(self, monkeypatch: pytest.MonkeyPatch) -> None:
        less = self.doubtful(6) - np.eye(OUTPUT_SIZE, dtype=np.float32)[FACE.start + 6 - 1] / 10
        assert self.seen(monkeypatch, self.doubtful(4), less, fakes.output(face=4)).value == 4

    def test_the_pips_of_the_upper_face_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not those of the side."""

        def pips(spot: DieSpot) -> PipEvidence:
            shown = 4 if spot.is_near(fakes.FAR_PX, fakes.EDGE_PX, 0.2) else 6
            return pips_of(*(0.0 if face == shown else -9.0 for face in range(1, 7)))

        fakes.fake_sequence(
            monkeypatch,
            fakes.unsure_lie(self.doubtful(4)),
            fakes.output(face=6),
            fakes.output(face=6),
            at_px=fakes.FAR_PX,
        )
        fakes.fake_pips(monkeypatch, pips)
        assert fakes.one_die().value == 6

    def test_a_confident_face_stays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.seen(monkeypatch, fakes.output(face=4), fakes.output(face=6)).accepted_value == 4

    def test_from_above_no_sides_show(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The careful network is the second one there."""
        die = self.seen(
            monkeypatch, self.doubtful(4), fakes.output(face=4), fakes.output(face=6), at_px=fakes.LEFT_HALF
        )
        assert die.accepted_value == 4


class TestFromAside:
    """A side of a steeply leaning die may be detected; an ambiguous die that hardly lies flat is viewed from its sides."""

    AMBIGUOUS, CERTAIN, NONE = (fakes.output(die_p=die_p, lies=DieState.COCKED) for die_p in (0.75, 0.999, 0.001))

    def seen(self, monkeypatch: pytest.MonkeyPatch, *numbers: NDArray[np.float32]) -> DiceInView:
        """Fast and careful network, four sides, then the best side centred and closer; ambiguous after these."""
        given = chain(numbers, repeat(self.AMBIGUOUS))
        fakes.fake_dice(monkeypatch, lambda _: next(given), fakes.LEFT_HALF)
        return fakes.detected()

    def away_edges(self, seen: DiceInView) -> float:
        """From the proposal to the first classification, to the left."""
        result = next(spot.classification for spot in seen.candidates if spot.classification is not None)
        return (fakes.LEFT_HALF[0] - result.spot.centre_px[0]) / fakes.EDGE_PX

    @pytest.mark.parametrize(("closer", "away"), [(CERTAIN, SIDE_OFFSET_EDGES), (NONE, 0.0)])
    def test_a_certain_view_counts_if_the_careful_network_agrees(
        self, monkeypatch: pytest.MonkeyPatch, closer: NDArray[np.float32], away: float
    ) -> None:
        doubt = self.AMBIGUOUS
        seen = self.seen(monkeypatch, doubt, doubt, doubt, self.CERTAIN, doubt, doubt, self.CERTAIN, closer)
        assert [die.lies for die in seen.dice] == [DieState.COCKED] * bool(away)
        assert self.away_edges(seen) == pytest.approx(away, abs=0.01)
        assert not seen.dice or not seen.may_hold_more

    def test_without_a_better_side_nothing_is_accepted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.seen(monkeypatch).dice == ()

    @pytest.mark.parametrize(("farther", "is_same"), [(0.1, True), (0.25, True), (0.35, False)])
    def test_a_die_farther_off_is_another_one(
        self, monkeypatch: pytest.MonkeyPatch, farther: float, *, is_same: bool
    ) -> None:
        doubt, certain = self.AMBIGUOUS, self.CERTAIN
        beyond = fakes.output(die_p=0.999, lies=DieState.COCKED, top=(-farther, 0.0))
        seen = self.seen(monkeypatch, doubt, doubt, doubt, beyond, doubt, doubt, certain, certain)
        assert len(seen.dice) == is_same
        assert self.away_edges(seen) == pytest.approx((SIDE_OFFSET_EDGES + farther) * is_same, abs=0.01)

    @pytest.mark.parametrize("farther", [0.0, 0.1])
    def test_the_ambiguous_spot_may_be_another_die(self, monkeypatch: pytest.MonkeyPatch, farther: float) -> None:
        """Where it lies too far from the accepted view; though a throw is complete, so that no search goes on."""
        doubt, certain = self.AMBIGUOUS, self.CERTAIN
        beyond = fakes.output(die_p=0.999, lies=DieState.COCKED, top=(-farther, 0.0))
        given = iter([certain, doubt, doubt, doubt, beyond, doubt, doubt, certain, certain])
        fakes.fake_dice(monkeypatch, lambda _: next(given), fakes.RIGHT_HALF, fakes.LEFT_HALF)
        seen = fakes.detected()
        assert len(seen.dice) == 2
        assert seen.may_hold_more is (SIDE_OFFSET_EDGES + farther > NMS_EDGES)

    def test_a_cube_at_the_side_is_no_view_of_the_die(self, monkeypatch: pytest.MonkeyPatch) -> None:
        doubt = self.AMBIGUOUS
        seen = self.seen(monkeypatch, doubt, doubt, doubt, fakes.output(ObjectClass.CUBE))
        assert (seen.dice, seen.cube) == ((), None)

    @pytest.mark.parametrize(("careful_p", "lies"), [(0.001, DieState.COCKED), (0.75, DieState.FLAT)])
    def test_an_improbable_or_flat_die_has_no_other_view(
        self, monkeypatch: pytest.MonkeyPatch, careful_p: float, lies: DieState
    ) -> None:
        views = fakes.output(die_p=0.75, lies=lies), fakes.output(die_p=careful_p, lies=lies), *[self.CERTAIN] * 8
        given = chain(views, repeat(self.CERTAIN))
        fakes.fake_dice(monkeypatch, lambda _: next(given), fakes.LEFT_HALF)
        assert fakes.detected().dice == ()


@pytest.mark.parametrize("in_doubt", [False, True], ids=["sure at once", "after the careful network"])
def test_the_verifiers_may_reject_a_face(monkeypatch: pytest.MonkeyPatch, *, in_doubt: bool) -> None:
    """On a known board; in a picture without one nobody is asked."""
    numbers = fakes.unsure_lie(fakes.output()) if in_doubt else fakes.output()
    fakes.fake_by_name(monkeypatch, numbers, {VERIFIER_NETWORK: fakes.output(face=2)})
    monkeypatch.setattr(classification_cascade, "verify_face", verify_face)
    assert fakes.one_die().accepted_value is None
    assert [die.value for die in fakes.detected(None).dice if die.value_confidence >= ACCEPT_VALUE_P] == [5]


@pytest.mark.parametrize(("from_edge", "is_read"), [(0.45, True), (0.35, False)])
@pytest.mark.parametrize("board", [STRAIGHT_DOWN, None])
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_a_face_that_the_picture_cuts_is_unread(
    monkeypatch: pytest.MonkeyPatch, side: str, board: KnownBoard | None, from_edge: float, *, is_read: bool
) -> None:
    """Pips may be missing there, though nobody doubts the visible ones."""
    inside_px = from_edge * fakes.EDGE_PX
    middles_px = {
        "left": (inside_px, 200.0),
        "top": (300.0, inside_px),
        "right": (640 - inside_px, 200.0),
        "bottom": (300.0, 480 - inside_px),
    }
    fakes.fake_dice(monkeypatch, lambda _: fakes.output(), middles_px[side])
    (die,) = read_dice(fakes.PICTURE, board).dice
    assert (die.accepted_value == 5) is is_read
