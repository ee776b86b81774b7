"""Where the windows of a close look are put, and when more of them are asked; the networks are told what to say."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count, repeat

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from tests.vision.dice.told_dice import (
    EDGE_PX,
    FAR_PX,
    INWARD,
    LEFT_HALF,
    PICTURE,
    RIGHT_HALF,
    answer,
    networks_asked,
    one,
    tell_dice,
    tell_number,
)
from vision.dice import classification_cascade
from vision.dice.classifier import CLASS, FACE, LIE, OUTPUT_SIZE, ClassifierOutput, ObjectClass, decode_output
from vision.dice.detect import DiceInView, read_dice
from vision.dice.pip_template import PipEvidence
from vision.dice.proposals import SIDE_OFFSET_EDGES, ProposalCheck
from vision.dice.readings import DieReading, DieState
from vision.dice.windows import NMS_EDGES, DieSpot
from vision.geometry.projection import KnownBoard


@pytest.mark.parametrize(("off_edges", "looks"), [((0.08,), 1), ((0.2, 0.08), 2), ((0.25, 0.12, 0.11), 3)])
def test_a_window_that_was_put_beside_its_die_is_put_again(
    monkeypatch: pytest.MonkeyPatch, off_edges: tuple[float, ...], looks: int
) -> None:
    """From where the die shows, until it is near the middle or that was done twice; the last window tells where it lies."""
    said = iter([answer(top=(off, 0.0)) for off in off_edges])
    tell_dice(monkeypatch, lambda _: next(said), LEFT_HALF)
    assert one().centre_px == pytest.approx((LEFT_HALF[0] + sum(off_edges) * EDGE_PX, LEFT_HALF[1]), abs=0.1)
    assert len(off_edges) == looks
    assert next(said, None) is None


@pytest.mark.parametrize("kind", [ObjectClass.NOTHING, ObjectClass.CUBE])
def test_what_is_no_die_in_the_second_window(monkeypatch: pytest.MonkeyPatch, kind: ObjectClass) -> None:
    """The first one is believed: a die was seen better there."""
    said = iter([answer(top=(0.2, 0.0)), answer(kind)])
    tell_dice(monkeypatch, lambda _: next(said), LEFT_HALF)
    assert one().centre_px == pytest.approx((LEFT_HALF[0] + 0.2 * EDGE_PX, LEFT_HALF[1]), abs=0.1)


def test_the_window_of_a_cube_is_not_put_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """How large it is no network was taught."""
    said = iter([answer(ObjectClass.CUBE, top=(0.3, 0.0))])
    tell_dice(monkeypatch, lambda _: next(said), LEFT_HALF)
    tell_number(monkeypatch, 2)
    assert read_dice(PICTURE, STRAIGHT_DOWN).cube is not None


@pytest.mark.parametrize(("at_a_glance", "looks"), [(0.78, 2), (0.82, 1)])
def test_what_a_glance_doubts_is_looked_at_from_nearer(
    monkeypatch: pytest.MonkeyPatch, at_a_glance: float, looks: int
) -> None:
    """Though the look is sure: both together would not be enough to tell a die, and then the nearer look has a say."""
    asked = networks_asked(monkeypatch, answer())
    glance = np.log([1 - at_a_glance, at_a_glance, 1e-9])
    monkeypatch.setattr(classification_cascade, "check_and_recentre", lambda _, spot, __: ProposalCheck(glance, spot))
    assert one().value == 5
    assert len(asked) == looks


@pytest.mark.parametrize(
    ("pips", "looks"),
    [
        ((-4.0, -3.0, -2.0, -2.5, 0.0, -0.6), 1),
        ((-4.0, -3.0, -2.0, -2.5, 0.0, -0.4), 2),
        ((-4.0, -3.0, 0.0, -2.5, -0.2, -3.0), 4),
        ((0.0,) * 6, 2),
    ],
)
def test_one_network_alone_is_not_believed_where_the_pips_tell_no_face(
    monkeypatch: pytest.MonkeyPatch, pips: tuple[float, ...], looks: int
) -> None:
    """Under a glare it may be sure of a wrong one: another network is asked, and where they show another face all are."""
    shows_its_pips = classification_cascade._agrees_with_pips
    asked = networks_asked(monkeypatch, answer())
    monkeypatch.setattr(classification_cascade, "_agrees_with_pips", shows_its_pips)
    monkeypatch.setattr(classification_cascade, "compute_pip_evidence", lambda *_: PipEvidence(np.array(pips)))
    assert one().value == 5
    assert len(asked) == looks


@pytest.mark.parametrize(("sureness", "then", "asked"), [(0.999, ObjectClass.CUBE, 0), (0.8, ObjectClass.DIE, 1)])
def test_a_cube_has_no_pips(monkeypatch: pytest.MonkeyPatch, sureness: float, then: ObjectClass, asked: int) -> None:
    """What is doubtful and turns out to be a die from nearer is asked for its pattern after all."""
    first, patterns = answer(ObjectClass.CUBE), list[DieSpot]()
    first[CLASS] = np.log([1e-9, 1 - sureness, sureness])
    numbers = iter([first, answer(then)])
    tell_dice(monkeypatch, lambda _: next(numbers), LEFT_HALF)

    def pips(_: object, spot: DieSpot, __: object) -> PipEvidence:
        patterns.append(spot)
        return PipEvidence(np.zeros(6))

    monkeypatch.setattr(classification_cascade, "compute_pip_evidence", pips)
    seen = read_dice(PICTURE, STRAIGHT_DOWN)
    assert (seen.cube is None) is (then is ObjectClass.DIE)
    assert len(patterns) == asked


class TestSides:
    """A camera that looks aslant sees sides of dice; one may be taken for the upper face, which shows beyond it."""

    def told(
        self, monkeypatch: pytest.MonkeyPatch, *said: NDArray[np.float32], at_px: tuple[float, float] = FAR_PX
    ) -> tuple[DieReading, int]:
        """The die that is read where the networks say these one after the other, and how often they were asked."""
        numbers = iter(said)
        tell_dice(monkeypatch, lambda _: next(numbers), at_px)
        return one(), len(said) - len(list(numbers))

    def doubtful(self, face: int) -> NDArray[np.float32]:
        numbers = answer(face=face)
        numbers[FACE.start + face - 1] = 3.5  # 87 percent
        return numbers

    def test_the_upper_face_is_read_beyond_a_side(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """And the careful look is put there."""
        die, looks = self.told(monkeypatch, self.doubtful(4), answer(face=6), answer(face=6))
        assert (die.value, looks) == (6, 3)
        assert np.subtract(die.centre_px, FAR_PX) == pytest.approx(-0.45 * EDGE_PX * INWARD, abs=0.1)

    def test_where_the_same_die_is_seen_from_there_it_stays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However plain it seems: it was no side, and a die that leans would look plainer from anywhere else."""
        back = 0.45 * INWARD
        again = answer(face=6, top=(float(back[0]), float(back[1])))
        die, looks = self.told(monkeypatch, self.doubtful(4), again, answer(face=4))
        assert (die.value, looks) == (4, 3)
        assert die.centre_px == pytest.approx(FAR_PX, abs=0.1)

    def test_a_die_further_off_is_another_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One that touches shows a whole edge away; from the side of one to its upper face it is less."""
        further = -0.5 * INWARD
        beyond = answer(face=6, top=(float(further[0]), float(further[1])))
        die, looks = self.told(monkeypatch, self.doubtful(4), beyond, answer(face=4))
        assert (die.value, looks) == (4, 3)
        assert die.centre_px == pytest.approx(FAR_PX, abs=0.1)

    def test_the_pips_of_the_upper_face_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not those of the side."""

        def pips(_: object, spot: DieSpot, __: object) -> PipEvidence:
            shown = 4 if spot.is_near(FAR_PX, EDGE_PX, 0.2) else 6
            return PipEvidence(np.array([0.0 if face == shown else -9.0 for face in range(1, 7)]))

        side = self.doubtful(4)
        side[LIE] = 0.0
        numbers = iter([side, answer(face=6), answer(face=6)])
        tell_dice(monkeypatch, lambda _: next(numbers), FAR_PX)
        monkeypatch.setattr(classification_cascade, "compute_pip_evidence", pips)
        die = one()
        assert die.value == 6
        assert die.value_confidence > 0.999

    def test_what_is_no_plainer_is_another_side(self, monkeypatch: pytest.MonkeyPatch) -> None:
        less_plain = self.doubtful(6) - np.eye(OUTPUT_SIZE, dtype=np.float32)[FACE.start + 6 - 1] / 10
        die, looks = self.told(monkeypatch, self.doubtful(4), less_plain, answer(face=4))
        assert (die.value, looks) == (4, 3)

    def test_one_that_is_plain_is_not_asked_about(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.told(monkeypatch, answer(face=4), answer(face=6))[1] == 1

    @pytest.mark.parametrize(("shows_its_pips", "looks"), [(True, 4), (False, 3)])
    def test_one_that_shows_its_pips_is_no_side(
        self, monkeypatch: pytest.MonkeyPatch, shows_its_pips: bool, looks: int
    ) -> None:
        """Where only its lie is in doubt, what lies beyond it is not asked about, but the other networks are."""
        said = answer(face=4)
        said[LIE] = 0.0
        numbers = iter([said] + 3 * [answer(face=4)])
        tell_dice(monkeypatch, lambda _: next(numbers), FAR_PX)
        monkeypatch.setattr(classification_cascade, "_agrees_with_pips", lambda *_: shows_its_pips)
        assert one().value == 4
        assert 4 - len(list(numbers)) == looks

    def test_from_above_no_sides_show(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only the careful look is asked."""
        die, looks = self.told(monkeypatch, self.doubtful(4), answer(face=4), answer(face=6), at_px=LEFT_HALF)
        assert (die.value, looks) == (4, 2)


class TestFromAside:
    """Of a die that leans steeply a side may be taken for the upper face; what hardly lies flat is looked at from its sides."""

    HALF_TOLD = (0.25, 0.75)
    SIDES = 4

    def said(
        self, none: float, die: float, lies: DieState = DieState.COCKED, top: tuple[float, float] = (0.0, 0.0)
    ) -> NDArray[np.float32]:
        numbers = answer(lies=lies, top=top)
        numbers[CLASS] = np.log([none, die, 1e-9])
        return numbers

    def seen(self, monkeypatch: pytest.MonkeyPatch, *said: NDArray[np.float32]) -> tuple[DiceInView, int]:
        """What is read where the networks say these one after the other, and then half tell everything; how often they were asked."""
        asked = count()
        numbers = chain(said, repeat(self.said(*self.HALF_TOLD)))
        tell_dice(monkeypatch, lambda _: (next(asked), next(numbers))[1], LEFT_HALF)
        return read_dice(PICTURE, STRAIGHT_DOWN), next(asked)

    def away_edges(self, seen: DiceInView) -> float:
        """From where the search points to where what was looked at first lies, to the left."""
        look = next(spot.classification for spot in seen.candidates if spot.classification is not None)
        return (LEFT_HALF[0] - look.spot.centre_px[0]) / EDGE_PX

    def test_one_is_told_from_where_it_is_plain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        half, plain = self.said(*self.HALF_TOLD), self.said(0.001, 0.999)
        seen, looks = self.seen(monkeypatch, half, half, half, plain, half, half, plain, plain)
        assert [die.lies for die in seen.dice] == [DieState.COCKED]
        assert self.away_edges(seen) == pytest.approx(SIDE_OFFSET_EDGES, abs=0.01)
        assert looks == 2 + self.SIDES + 2
        assert not seen.may_hold_more

    def test_where_no_side_is_plainer_nothing_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        half = self.said(*self.HALF_TOLD)
        seen, looks = self.seen(monkeypatch, *[half] * 6)
        assert (seen.dice, looks) == ((), 2 + self.SIDES)

    def test_where_the_careful_look_from_there_sees_less_the_first_is_kept(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        half, plain, none = self.said(*self.HALF_TOLD), self.said(0.001, 0.999), self.said(0.999, 0.001)
        seen, _ = self.seen(monkeypatch, half, half, half, plain, half, half, plain, none)
        assert seen.dice == ()
        assert self.away_edges(seen) == pytest.approx(0.0, abs=0.01)

    @pytest.mark.parametrize(("further", "is_same"), [(0.1, True), (0.25, True), (0.35, False)])
    def test_what_lies_further_off_is_another_one(
        self, monkeypatch: pytest.MonkeyPatch, further: float, *, is_same: bool
    ) -> None:
        """Seen from the left."""
        half, plain = self.said(*self.HALF_TOLD), self.said(0.001, 0.999)
        beyond = self.said(0.001, 0.999, top=(-further, 0.0))
        seen, _ = self.seen(monkeypatch, half, half, half, beyond, half, half, plain, plain)
        assert len(seen.dice) == is_same
        assert self.away_edges(seen) == pytest.approx((SIDE_OFFSET_EDGES + further) * is_same, abs=0.01)

    @pytest.mark.parametrize("further", [0.0, 0.1])
    def test_where_it_may_be_another_one_yet_the_first_may_be_one_besides(
        self, monkeypatch: pytest.MonkeyPatch, further: float
    ) -> None:
        """Though a throw is whole, so that nothing more is looked at."""
        half, plain = self.said(*self.HALF_TOLD), self.said(0.001, 0.999)
        beyond = self.said(0.001, 0.999, top=(-further, 0.0))
        numbers = iter([plain, half, half, half, beyond, half, half, plain, plain])
        tell_dice(monkeypatch, lambda _: next(numbers), RIGHT_HALF, LEFT_HALF)
        seen = read_dice(PICTURE, STRAIGHT_DOWN)
        assert len(seen.dice) == 2
        assert seen.may_hold_more is (SIDE_OFFSET_EDGES + further > NMS_EDGES)

    def test_a_cube_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        half = self.said(*self.HALF_TOLD)
        seen, looks = self.seen(monkeypatch, half, half, half, answer(ObjectClass.CUBE), half, half)
        assert (seen.dice, seen.cube, looks) == ((), None, 2 + self.SIDES)

    @pytest.mark.parametrize(("careful", "lies"), [(0.001, DieState.COCKED), (0.75, DieState.FLAT)])
    def test_what_is_hardly_one_or_lies_flat_is_not(
        self, monkeypatch: pytest.MonkeyPatch, careful: float, lies: DieState
    ) -> None:
        said = self.said(*self.HALF_TOLD, lies), self.said(1 - careful, careful, lies)
        seen, looks = self.seen(monkeypatch, *said)
        assert (seen.dice, looks) == ((), 2)


@pytest.mark.parametrize("in_doubt", [False, True], ids=["sure at once", "after a nearer look"])
def test_before_a_face_is_believed_those_that_doubt_are_asked(
    monkeypatch: pytest.MonkeyPatch, *, in_doubt: bool
) -> None:
    """Of a die on a board; in a picture without one nobody is asked."""
    sure, doubtful = answer(face=5), answer(face=5)
    doubtful[LIE] = 0.0
    tell_dice(monkeypatch, lambda _: doubtful if in_doubt else sure, LEFT_HALF)
    asked: list[DieSpot] = []

    def doubted(said: ClassifierOutput, looks: Iterator[ClassifierOutput]) -> ClassifierOutput:
        return replace(said, face_log_p=next(looks).face_log_p)

    def doubting(_: object, spot: DieSpot, __: object) -> Iterator[ClassifierOutput]:
        asked.append(spot)
        return iter([decode_output(answer(face=2))])

    monkeypatch.setattr(classification_cascade, "verify_face", doubted)
    monkeypatch.setattr(classification_cascade, "iter_verifier_outputs", doubting)
    assert one().value == 2
    assert [spot.centre_px for spot in asked] == [pytest.approx(LEFT_HALF)]
    asked.clear()
    assert [die.value for die in read_dice(PICTURE, None).dice] == [5]
    assert asked == []


@pytest.mark.parametrize(("from_edge", "is_told"), [(0.45, True), (0.35, False)])
@pytest.mark.parametrize("board", [STRAIGHT_DOWN, None])
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_a_face_that_the_picture_cuts_is_not_told(
    monkeypatch: pytest.MonkeyPatch, side: str, board: KnownBoard | None, from_edge: float, *, is_told: bool
) -> None:
    """Pips may be missing there, though nobody doubts those that are seen."""
    inside_px = from_edge * EDGE_PX
    middles_px = {
        "left": (inside_px, 200.0),
        "top": (300.0, inside_px),
        "right": (640 - inside_px, 200.0),
        "bottom": (300.0, 480 - inside_px),
    }
    tell_dice(monkeypatch, lambda _: answer(), middles_px[side])
    (die,) = read_dice(PICTURE, board).dice
    assert (die.accepted_value == 5) is is_told
