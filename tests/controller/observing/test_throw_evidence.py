from collections.abc import Sequence
from dataclasses import replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.observing.throw_evidence import (
    DEFAULT_DICE_TRUST,
    judge_detected_throw,
    judge_reading,
    list_possible_faces,
    to_thrown_dice,
    to_thrown_die,
    without_faces_of_hidden_dice,
)
from controller.rules import BadThrow, DiceOnChecker, Half, Lie, ThrowContext, ThrownDie, ThrowRules, Unclear
from tests.vision.dice.hand_made_dice import board_with, cocked, die
from vision.dice.readings import BoardHalf, Contact, DieReading, DieState

BACKGAMMON, USBGF = ThrowRules(), ThrowRules(dice_on_checker=DiceOnChecker.VALID)


class TestOneDie:
    @pytest.mark.parametrize(("sure", "value"), [(0.981, 5), (0.979, None)])
    def test_a_value_is_accepted_from_98_percent(self, sure: float, value: int | None) -> None:
        assert to_thrown_die(die(5, sure=sure)).value == value

    @pytest.mark.parametrize(
        ("seen", "lie"),
        [
            (die(lie_sure=0.92), Lie.FLAT),
            (die(lie_sure=0.919), None),
            (die(lie_sure=1, tilt_deg=10.0), Lie.FLAT),
            (die(lie_sure=1, tilt_deg=10.01), None),  # a flat die measures at most 10 degrees
            (cocked(lie_sure=1, tilt_deg=3.0), Lie.COCKED),
            (cocked(lie_sure=1, tilt_deg=2.99), None),  # and a cocked one at least 3
            (replace(cocked(lie_sure=0.5, tilt_deg=2.0), lie_chances=(0.1, 0.5, 0.0, 0.0, 0.4, 0.0)), None),
            (replace(die(lies=DieState.MOVING, lie_sure=0.5), lie_chances=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0)), None),
        ],
    )
    def test_a_lie_is_accepted_by_its_confidence_and_tilt(self, seen: DieReading, lie: Lie | None) -> None:
        """Flat from 92 percent; a die that may still move has no accepted lie."""
        assert to_thrown_die(seen).lie is lie

    @pytest.mark.parametrize(
        "state", [state for state in DieState if state is not DieState.FLAT], ids=lambda state: state.value
    )
    def test_other_lies_are_accepted_from_80_percent(self, state: DieState) -> None:
        assert to_thrown_die(die(lies=state, lie_sure=0.8, tilt_deg=10)).lie is Lie(state.value)
        assert to_thrown_die(die(lies=state, lie_sure=0.799, tilt_deg=10)).lie is None

    @pytest.mark.parametrize(("sure", "lie"), [(0.981, Lie.OFF_BOARD), (0.979, None)])
    def test_what_shows_no_face_beside_the_board(self, sure: float, lie: Lie | None) -> None:
        """It may be no die at all, and refuses no throw; on the board it does."""
        off = die(lies=DieState.OFF_BOARD, half=None, sure=sure)
        assert to_thrown_die(off).lie is lie
        assert to_thrown_die(die(lies=DieState.ON_RIM, half=None, sure=sure)).lie is Lie.ON_RIM
        ruling = judge_reading(board_with(die(3), off), ThrowContext(), BACKGAMMON)
        assert ruling.valid is (None if lie is None else False)

    @pytest.mark.parametrize(("contact", "sure"), [(Contact.DIE, 0.95), (Contact.CHECKER, 0.8), (Contact.NOTHING, 0.8)])
    def test_what_only_another_die_can_hold_up(self, contact: Contact, sure: float) -> None:
        """A cocked reading needs more confidence: two dice that touch nearly always lie flat."""
        for share, lie in ((sure, Lie.COCKED), (sure - 0.001, None)):
            assert to_thrown_die(replace(cocked(lie_sure=share), touches=contact)).lie is lie
        however = replace(cocked(lie_sure=0.5), touches=contact, lie_chances=(0.08, 0.5, 0.42, 0.0, 0.0, 0.0))
        thrown = to_thrown_die(however)
        is_accepted = contact is not Contact.DIE
        assert (thrown.lie, thrown.may_lie_on_checker) == (Lie.COCKED if is_accepted else None, is_accepted)

    @pytest.mark.parametrize(
        ("tilt_deg", "is_flat"), [(4.0, True), (4.01, None), (5.5, None), (6.0, None), (6.01, False)]
    )
    def test_flat_on_a_checker(self, tilt_deg: float, is_flat: bool | None) -> None:
        """Level to 5 degrees as far as the tilt is known, here to one degree."""
        seen = die(lies=DieState.ON_CHECKER, tilt_deg=tilt_deg, tilt_sigma_deg=1.0)
        assert to_thrown_die(seen).is_flat_on_checker is is_flat

    def test_only_a_die_on_a_checker_is_asked_for_it(self) -> None:
        assert to_thrown_die(die()).is_flat_on_checker is None

    @pytest.mark.parametrize(
        ("chances", "lie", "may_lie_on_checker"),
        [
            ((0.1, 0.02, 0.0, 0.0, 0.45, 0.43), Lie.ON_RIM, False),
            ((0.1, 0.45, 0.43, 0.02, 0.0, 0.0), Lie.COCKED, True),
            ((0.1, 0.43, 0.45, 0.02, 0.0, 0.0), Lie.ON_CHECKER, False),  # it is accepted as lying there
            ((0.05, 0.46, 0.05, 0.44, 0.0, 0.0), Lie.COCKED, False),
            ((0.17, 0.03, 0.0, 0.0, 0.4, 0.4), None, False),
            ((0.05, 0.1, 0.1, 0.1, 0.2, 0.2), None, False),  # it may be no die at all
            ((), None, False),
        ],
    )
    def test_not_flat_for_sure_though_not_how(
        self, chances: tuple[float, ...], lie: Lie | None, may_lie_on_checker: bool
    ) -> None:
        """From 85 percent together, the most likely lie is accepted; and whether that needs a checker, where a die may count."""
        likeliest = DieState.ON_RIM if lie is None else DieState(lie.value)
        seen = replace(die(lies=likeliest, lie_sure=0.46, tilt_deg=10), lie_chances=chances)
        thrown = to_thrown_die(seen)
        assert (thrown.lie, thrown.may_lie_on_checker) == (lie, may_lie_on_checker)

    @pytest.mark.parametrize(("level", "is_flat"), [(0.925, True), (0.915, None)])
    def test_what_may_lean_is_not_flat_on_a_checker_for_sure(self, level: float, is_flat: bool | None) -> None:
        """Whatever the measured tilt: on a checker and flat together must be as likely as a flat die must be."""
        chances = (0.05, 1 - level, level - 0.05, 0.0, 0.0, 0.0)
        seen = replace(
            die(lies=DieState.ON_CHECKER, lie_sure=level - 0.05, tilt_deg=1, tilt_sigma_deg=1), lie_chances=chances
        )
        assert to_thrown_die(seen).lie is Lie.ON_CHECKER
        assert to_thrown_die(seen).is_flat_on_checker is is_flat

    def test_a_flat_die_beside_another_one(self) -> None:
        """The higher threshold for cocked dice that touch does not put a flat die in doubt."""
        seen = replace(
            die(lie_sure=0.935, tilt_deg=6.5), touches=Contact.DIE, lie_chances=(0.935, 0.03, 0.02, 0.005, 0.005, 0.005)
        )
        assert to_thrown_die(seen).lie is Lie.FLAT
        assert not to_thrown_die(seen).may_lie_on_checker

    def test_the_half(self) -> None:
        """Left and right are those of the camera; none stays none."""
        assert to_thrown_die(die(half=BoardHalf.RIGHT)).half is Half.RIGHT
        assert to_thrown_die(die(half=None)).half is None


class TestFacesPossible:
    def test_an_accepted_face_is_the_only_one(self) -> None:
        assert list_possible_faces(die(5, sure=0.991)) == (5,)

    def test_all_that_are_not_surely_others(self) -> None:
        """Here each other face has 2 percent, or less than one."""
        assert list_possible_faces(die(5, sure=0.9)) == (1, 2, 3, 4, 5, 6)
        assert list_possible_faces(die(5, sure=0.98)) == (5,)

    @given(st.lists(st.floats(-12, 0), min_size=6, max_size=6))
    def test_they_hold_nearly_all_of_the_likelihood(self, faces: list[float]) -> None:
        """Each face left out has less than 1 percent, or 2 beside an accepted face; the likeliest face is never left out."""
        one = replace(die(), face_log_likelihood=tuple(faces))
        possible = list_possible_faces(one)
        total = sum(map(exp, faces))
        assert one.value in possible
        left_out = 0.02 if len(possible) == 1 else 0.01
        assert all(exp(faces[face - 1]) / total <= left_out + 1e-9 for face in range(1, 7) if face not in possible)


class TestTheThrow:
    def test_two_flat_dice(self) -> None:
        ruling = judge_reading(board_with(die(3), die(6)), ThrowContext(), BACKGAMMON)
        assert (ruling.valid, ruling.values) == (True, (6, 3))

    @pytest.mark.parametrize("dice", [(), (die(3), die(6)), (cocked(), cocked())], ids=["none", "flat", "cocked"])
    def test_under_a_hand(self, dice: Sequence[DieReading]) -> None:
        """Nothing is judged, not even what certainly would not count."""
        ruling = judge_reading(board_with(*dice, hand=True), ThrowContext(), BACKGAMMON)
        assert (ruling.valid, ruling.unclear, ruling.reasons) == (None, (Unclear.MOVING,), ())

    def test_one_die_alone(self) -> None:
        """The other one is missing, unless something else in the picture may be it."""
        alone = board_with(die(3))
        assert judge_reading(alone, ThrowContext(), BACKGAMMON).reasons == (BadThrow.MISSING_DIE,)
        perhaps = judge_reading(replace(alone, perhaps_more_dice=True), ThrowContext(), BACKGAMMON)
        assert (perhaps.valid, perhaps.reasons) == (None, ())
        both = replace(board_with(die(3), die(6)), perhaps_more_dice=True)
        assert judge_reading(both, ThrowContext(), BACKGAMMON).valid

    @pytest.mark.parametrize(
        ("edge_mm", "valid"), [(12.0, True), (11.5, True), (11.4, None), (8.0, None), (None, True)]
    )
    def test_one_that_is_measured_smaller_than_the_other(self, edge_mm: float | None, valid: bool | None) -> None:
        """A half-covered four shows two pips; a player's dice are as large as each other."""
        pair = board_with(replace(die(3), edge_mm=14.0), replace(die(2), edge_mm=edge_mm))
        ruling = judge_reading(pair, ThrowContext(), BACKGAMMON)
        assert (ruling.valid, ruling.unclear) == (valid, () if valid else (Unclear.VALUE,))

    def test_players_may_have_dice_of_different_sizes(self) -> None:
        """Each player throws one in the opening; of three dice no picture shows the owners."""
        white, black = replace(die(3), edge_mm=16.0), replace(die(2), edge_mm=10.0)
        for dice, context in (((white, black), ThrowContext(is_opening=True)), ((white, white, black), ThrowContext())):
            assert to_thrown_dice(dice, context) == tuple(map(to_thrown_die, dice))
        assert [one.value for one in to_thrown_dice((white, black), ThrowContext())] == [3, None]

    def test_any_face_is_possible_of_what_may_be_half_of_a_die(self) -> None:
        """The face of the visible half must not be taken for the only possible one."""
        whole, part = replace(die(3), edge_mm=14.0), replace(die(2), edge_mm=9.5)
        faces = without_faces_of_hidden_dice((whole, part), ThrowContext())
        assert [list_possible_faces(one) for one in faces] == [(3,), (1, 2, 3, 4, 5, 6)]

    @pytest.mark.parametrize(
        ("chances", "valid", "reasons"),
        [
            ((0.99, 0.99, 0.969), None, ()),
            ((0.99, 0.99, 0.97), False, (BadThrow.EXTRA_DIE,)),
            ((0.99, 0.989, 0.969), False, (BadThrow.EXTRA_DIE,)),  # it may be either of them
            ((0.99, 0.969), True, ()),  # without it there is no whole throw
            ((0.969, 0.969), True, ()),
            ((0.99, 0.99, 0.969, 0.97), False, (BadThrow.EXTRA_DIE,)),
        ],
    )
    def test_what_may_be_no_die(
        self, chances: Sequence[float], valid: bool | None, reasons: tuple[BadThrow, ...]
    ) -> None:
        """Beside a throw that would count without it, it leads to a question; its apparent face refuses no throw."""
        dice = [replace(die(face), die_chance=chance) for face, chance in enumerate(chances, 1)]
        ruling = judge_reading(board_with(*dice), ThrowContext(), BACKGAMMON)
        unclear = (Unclear.EXTRA_DIE,) if valid is None else ()
        assert (ruling.valid, ruling.reasons, ruling.unclear) == (valid, reasons, unclear)

    def test_what_may_be_no_die_beside_a_throw_that_does_not_count(self) -> None:
        ruling = judge_reading(board_with(cocked(), die(), replace(die(), die_chance=0.95)), ThrowContext(), BACKGAMMON)
        assert (ruling.valid, ruling.reasons) == (False, (BadThrow.COCKED,))

    def test_a_doubtful_die_beside_a_cocked_one(self) -> None:
        """The certain fault decides, whatever the doubtful die is."""
        ruling = judge_reading(board_with(cocked(), die(sure=0.5, lie_sure=0.5)), ThrowContext(), BACKGAMMON)
        assert (ruling.valid, ruling.reasons) == (False, (BadThrow.COCKED,))

    def test_on_a_checker(self) -> None:
        """It counts only under the USBGF, and only when it is certainly level."""
        level, unsure = (
            die(2, lies=DieState.ON_CHECKER, tilt_deg=tilt_deg, tilt_sigma_deg=0.5) for tilt_deg in (1.0, 5.0)
        )
        assert judge_reading(board_with(die(4), level), ThrowContext(), USBGF).values == (4, 2)
        assert judge_reading(board_with(die(4), unsure), ThrowContext(), USBGF).unclear == (Unclear.LIE,)
        assert judge_reading(board_with(die(4), level), ThrowContext(), BACKGAMMON).reasons == (BadThrow.ON_CHECKER,)


# Around the limits, so that about every second die is a good one.
DICE = st.builds(
    die,
    st.integers(1, 6),
    lies=st.just(DieState.FLAT) | st.sampled_from(DieState),
    half=st.just(BoardHalf.LEFT) | st.sampled_from([None, *BoardHalf]),
    sure=st.floats(0.985, 0.9999),
    lie_sure=st.floats(0.88, 1),
    tilt_deg=st.floats(0, 6),
)


@given(st.lists(DICE, min_size=1, max_size=3))
def test_nothing_below_its_trust_is_accepted(dice: list[DieReading]) -> None:
    """Whatever lies there: an accepted throw is two dice that are certainly flat, certainly read, in one half."""
    ruling = judge_reading(board_with(*dice), ThrowContext(), BACKGAMMON)
    if not ruling.valid:
        return
    assert len(dice) == 2
    assert dice[0].half is dice[1].half is not None
    for one in dice:
        assert one.lies is DieState.FLAT
        assert one.lie_confidence >= DEFAULT_DICE_TRUST.flat
        assert one.value_confidence >= DEFAULT_DICE_TRUST.value
        assert one.tilt_deg <= DEFAULT_DICE_TRUST.flat_to_deg
    assert ruling.values == tuple(sorted((one.value for one in dice), reverse=True))


class TestAThingThatMayBeADie:
    """Between checkers an object is sometimes detected as a die."""

    TWO = (ThrownDie(2, Lie.FLAT, Half.LEFT), ThrownDie(1, Lie.FLAT, Half.LEFT))

    def test_beside_two_dice_it_is_a_question(self) -> None:
        """The throw is neither refused nor accepted, however sure it is that the thing lies flat."""
        for lie in (None, Lie.FLAT):
            ruling = judge_detected_throw((*self.TWO, ThrownDie(None, lie, Half.RIGHT)), ThrowContext(), BACKGAMMON)
            assert (ruling.valid, ruling.reasons, ruling.unclear) == (None, (), (Unclear.EXTRA_DIE,))

    def test_beside_a_die_in_doubt_it_is_a_question_too(self) -> None:
        """Two of the three may be the dice that were thrown."""
        doubtful = ThrownDie(2, None, Half.LEFT), ThrownDie(1, Lie.FLAT, Half.LEFT)
        unread = ThrownDie(None, Lie.FLAT, Half.LEFT), ThrownDie(1, Lie.FLAT, Half.LEFT)
        for dice in (doubtful, unread):
            ruling = judge_detected_throw((*dice, ThrownDie(None, Lie.FLAT, Half.LEFT)), ThrowContext(), BACKGAMMON)
            assert (ruling.valid, ruling.reasons) == (None, ())

    def test_dice_that_lay_there_before_are_none_of_the_throw(self) -> None:
        before = tuple(replace(die, lay_before=True) for die in self.TWO)
        thing = ThrownDie(None, Lie.FLAT, Half.LEFT)
        assert judge_detected_throw((*before, *self.TWO, thing), ThrowContext(), BACKGAMMON).valid is None
        ruling = judge_detected_throw((*before, *self.TWO, replace(thing, value=4)), ThrowContext(), BACKGAMMON)
        assert ruling.reasons == (BadThrow.EXTRA_DIE,)

    def test_a_third_die_with_a_face_refuses(self) -> None:
        for lie in (None, Lie.FLAT, Lie.COCKED):
            ruling = judge_detected_throw((*self.TWO, ThrownDie(3, lie, Half.LEFT)), ThrowContext(), BACKGAMMON)
            assert BadThrow.EXTRA_DIE in ruling.reasons

    def test_dice_that_do_not_count_are_refused_all_the_same(self) -> None:
        split = (self.TWO[0], ThrownDie(1, Lie.FLAT, Half.RIGHT), ThrownDie(None, None, None))
        assert BadThrow.SPLIT in judge_detected_throw(split, ThrowContext(), BACKGAMMON).reasons
