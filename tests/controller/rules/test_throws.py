"""Which throws count."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import (
    BadThrow,
    DiceHalf,
    DiceOnChecker,
    EarlyThrow,
    Half,
    Lie,
    Player,
    ThrowContext,
    ThrownDie,
    ThrowRules,
    ThrowRuling,
    Unclear,
    get_ruleset,
    judge_throw,
)

LEFT, RIGHT = Half.LEFT, Half.RIGHT
W, B = Player.WHITE, Player.BLACK
CASUAL, TURN = ThrowRules(), ThrowContext()
SIX, FIVE = ThrownDie(6, half=LEFT), ThrownDie(5, half=LEFT)
RIGHT_HALF = ThrowRules(dice_half=DiceHalf.RIGHT)
USBGF = ThrowRules(dice_on_checker=DiceOnChecker.VALID)
OPENING = ThrowContext(is_opening=True, right_half=RIGHT)


def ruling_text(*dice: ThrownDie, context: ThrowContext = TURN, rules: ThrowRules = CASUAL) -> str:
    """The ruling as `6 5`, `no: split …` or `unsure: half …`."""
    ruling = judge_throw(dice, context, rules)
    if ruling.valid:
        assert not ruling.reasons
        assert not ruling.unclear
        return " ".join(map(str, ruling.values or ()))
    assert ruling.values is None
    assert ruling.starter is None
    if ruling.valid is False:
        assert not ruling.unclear
        return "no: " + " ".join(reason.value for reason in ruling.reasons)
    assert not ruling.reasons
    return "unsure: " + " ".join(question.value for question in ruling.unclear)


def test_two_flat_dice_in_one_half_count() -> None:
    """The larger number comes first, whichever half it is."""
    assert judge_throw((FIVE, SIX), TURN, CASUAL) == ThrowRuling(True, (6, 5))
    assert ruling_text(replace(SIX, half=RIGHT), replace(SIX, half=RIGHT)) == "6 6"


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        (Lie.COCKED, "cocked"),
        (Lie.ON_CHECKER, "on_checker"),
        (Lie.ON_BAR, "on_bar"),
        (Lie.ON_RIM, "on_rim"),
        (Lie.OFF_BOARD, "off_board"),
    ],
)
def test_a_die_that_does_not_lie_flat(lie: Lie, reason: str) -> None:
    """One bad die is enough, and its value need not be seen."""
    assert ruling_text(SIX, ThrownDie(None, lie, LEFT)) == f"no: {reason}"
    assert ruling_text(ThrownDie(3, lie, LEFT), FIVE) == f"no: {reason}"


@pytest.mark.parametrize(
    ("lie", "expected"),
    [
        (Lie.COCKED, "no: cocked split"),
        (Lie.ON_CHECKER, "no: on_checker split"),
        (Lie.ON_BAR, "no: on_bar"),
        (Lie.ON_RIM, "no: on_rim"),
        (Lie.OFF_BOARD, "no: off_board"),
        (None, "no: split"),
    ],
)
def test_only_a_die_beside_the_bar_lies_in_a_half(lie: Lie | None, expected: str) -> None:
    """Bar, rim and floor belong to no half, whatever the camera says."""
    assert ruling_text(SIX, ThrownDie(5, lie, RIGHT)) == expected


def test_all_reasons_are_reported_together_in_the_order_of_the_table() -> None:
    dice = (
        ThrownDie(None, Lie.ON_RIM),
        ThrownDie(None, Lie.ON_BAR),
        ThrownDie(1, Lie.COCKED, LEFT),
        ThrownDie(1, Lie.ON_CHECKER, RIGHT),
        ThrownDie(None, Lie.OFF_BOARD),
    )
    context = ThrowContext(right_half=RIGHT, thrown_together=False, opponent_lifted=False)
    rules = ThrowRules(dice_half=DiceHalf.RIGHT, dice_together=True)
    ruling = judge_throw(dice, context, rules)
    assert ruling.reasons == tuple(reason for reason in BadThrow if reason is not BadThrow.MISSING_DIE)


def test_the_number_of_dice() -> None:
    """Fewer or more dice than the game asks for; dice that lay there before do not count."""
    assert ruling_text(SIX) == "no: missing_die"
    assert ruling_text() == "no: missing_die"
    assert ruling_text(SIX, FIVE, FIVE) == "no: extra_die"
    assert ruling_text(SIX, FIVE, ThrownDie(None, Lie.COCKED, RIGHT, lay_before=True)) == "6 5"
    assert ruling_text(SIX, context=ThrowContext(expected=1)) == "6"


def test_split_dice() -> None:
    """Different halves are a bad throw; an unseen half is a question."""
    assert ruling_text(SIX, replace(FIVE, half=RIGHT)) == "no: split"
    assert ruling_text(SIX, replace(FIVE, half=None)) == "unsure: half"


def test_the_right_half() -> None:
    """With `dice_half = right` both dice lie on the thrower's right; without his side known it is unsure."""
    in_left = ThrowContext(right_half=LEFT)
    in_right = ThrowContext(right_half=RIGHT)
    assert ruling_text(SIX, FIVE, context=in_left, rules=RIGHT_HALF) == "6 5"
    assert ruling_text(SIX, FIVE, context=in_right, rules=RIGHT_HALF) == "no: wrong_half"
    assert ruling_text(replace(SIX, half=RIGHT), replace(FIVE, half=RIGHT), context=in_right, rules=RIGHT_HALF) == "6 5"
    assert ruling_text(SIX, replace(FIVE, half=RIGHT), context=in_left, rules=RIGHT_HALF) == "no: split wrong_half"
    assert ruling_text(SIX, FIVE, rules=RIGHT_HALF) == "unsure: half"
    assert ruling_text(SIX, FIVE, context=in_right) == "6 5"
    assert ruling_text(SIX, ThrownDie(5), context=in_right, rules=RIGHT_HALF) == "no: wrong_half"


def test_dice_on_checkers_by_the_usbgf() -> None:
    """A die flat on checkers counts; leaning there it is cocked; unseen it is a question. Its half counts too."""
    on_checker = ThrownDie(5, Lie.ON_CHECKER, LEFT)
    assert ruling_text(SIX, replace(on_checker, is_flat_on_checker=True), rules=USBGF) == "6 5"
    assert ruling_text(SIX, replace(on_checker, is_flat_on_checker=False), rules=USBGF) == "no: cocked"
    assert ruling_text(SIX, on_checker, rules=USBGF) == "unsure: lie"
    assert ruling_text(SIX, replace(on_checker, is_flat_on_checker=True, half=RIGHT), rules=USBGF) == "no: split"
    assert ruling_text(SIX, replace(on_checker, is_flat_on_checker=True)) == "no: on_checker"
    assert ruling_text(SIX, ThrownDie(5, Lie.COCKED, LEFT), rules=USBGF) == "no: cocked"


def test_dice_thrown_one_after_the_other() -> None:
    """Only by the option `dice_together`."""
    together = ThrowRules(dice_together=True)
    assert ruling_text(SIX, FIVE, context=ThrowContext(thrown_together=False)) == "6 5"
    assert ruling_text(SIX, FIVE, context=ThrowContext(thrown_together=False), rules=together) == "no: not_together"
    assert ruling_text(SIX, FIVE, rules=together) == "unsure: together"
    assert ruling_text(SIX, FIVE, context=ThrowContext(thrown_together=True), rules=together) == "6 5"


@pytest.mark.parametrize(
    ("policy", "lifted", "expected", "may_refuse"),
    [
        (EarlyThrow.VOID, False, "no: too_early", False),
        (EarlyThrow.VOID, True, "6 5", False),
        (EarlyThrow.VOID, None, "unsure: lifted", False),
        (EarlyThrow.STANDS, False, "6 5", False),
        (EarlyThrow.STANDS, None, "6 5", False),
        (EarlyThrow.OPPONENT_CHOOSES, False, "6 5", True),
        (EarlyThrow.OPPONENT_CHOOSES, True, "6 5", False),
        (EarlyThrow.OPPONENT_CHOOSES, None, "unsure: lifted", False),
    ],
)
def test_a_throw_before_the_opponent_lifted(
    policy: EarlyThrow, lifted: bool | None, expected: str, may_refuse: bool
) -> None:
    """The profile decides: void, standing, or as the opponent likes."""
    context, rules = ThrowContext(opponent_lifted=lifted), ThrowRules(early_throw=policy)
    assert ruling_text(SIX, FIVE, context=context, rules=rules) == expected
    assert judge_throw((SIX, FIVE), context, rules).opponent_may_refuse is may_refuse


def test_while_a_die_moves_nothing_is_said() -> None:
    """A moving die may still knock the others, so even a certain fault waits; a die of before may move."""
    assert ruling_text(ThrownDie(None, Lie.MOVING), ThrownDie(3, Lie.COCKED, LEFT)) == "unsure: moving"
    assert ruling_text(SIX, FIVE, ThrownDie(None, Lie.MOVING, lay_before=True)) == "6 5"


def test_what_is_not_seen_is_asked() -> None:
    """Lie, half and value, all asked together; a known fault makes the questions needless."""
    assert ruling_text(ThrownDie(None, None), FIVE) == "unsure: lie half value"
    assert ruling_text(ThrownDie(None, half=LEFT), FIVE) == "unsure: value"
    assert ruling_text(ThrownDie(None, None), ThrownDie(5, Lie.COCKED, LEFT)) == "no: cocked"


@pytest.mark.parametrize(
    ("first", "second", "values", "starter"),
    [
        (ThrownDie(6, half=RIGHT), ThrownDie(5, half=LEFT), (6, 5), W),
        (ThrownDie(6, half=LEFT), ThrownDie(5, half=RIGHT), (5, 6), B),
        (ThrownDie(4, half=LEFT), ThrownDie(4, half=RIGHT), (4, 4), None),
        (ThrownDie(2, half=LEFT, whose=W), ThrownDie(3, half=LEFT, whose=B), (2, 3), B),
        (ThrownDie(2, half=LEFT, whose=B), ThrownDie(3, half=LEFT, whose=W), (3, 2), W),
        (ThrownDie(2, whose=W), ThrownDie(3), (2, 3), B),
        (ThrownDie(2), ThrownDie(3, whose=W), (3, 2), W),
        (ThrownDie(2, half=RIGHT), ThrownDie(3), (2, 3), B),
        (ThrownDie(2, half=LEFT), ThrownDie(3), (3, 2), W),
        (ThrownDie(2), ThrownDie(3, half=LEFT), (2, 3), B),
        (ThrownDie(2, half=RIGHT, whose=B), ThrownDie(3, half=LEFT, whose=W), (3, 2), W),
    ],
)
def test_the_opening_throw(
    first: ThrownDie, second: ThrownDie, values: tuple[int, int], starter: Player | None
) -> None:
    """White's die, then Black's; seen owners go before halves; equal dice start nobody. Halves may differ."""
    assert judge_throw((first, second), OPENING, RIGHT_HALF) == ThrowRuling(True, values, starter=starter)


@pytest.mark.parametrize(
    ("first", "second", "right_half"),
    [
        (ThrownDie(2), ThrownDie(3), RIGHT),
        (ThrownDie(2, half=LEFT), ThrownDie(3, half=LEFT), RIGHT),
        (ThrownDie(2, half=LEFT), ThrownDie(3, half=RIGHT), None),
        (ThrownDie(2, whose=W), ThrownDie(3, whose=W), RIGHT),
        (ThrownDie(2, whose=W), ThrownDie(3, half=RIGHT), RIGHT),
    ],
)
def test_an_opening_throw_without_owners_is_asked(first: ThrownDie, second: ThrownDie, right_half: Half | None) -> None:
    """Unless the dice belong to different players, somebody has to say whose is whose."""
    context = ThrowContext(is_opening=True, right_half=right_half)
    assert ruling_text(first, second, context=context) == "unsure: owner"


def test_one_known_owner_is_enough_for_the_opening() -> None:
    """A half shows no owner while White's seat is unknown, and need not."""
    dice = (ThrownDie(2, whose=B), ThrownDie(3, half=LEFT))
    assert ruling_text(*dice, context=ThrowContext(is_opening=True)) == "3 2"


def test_the_opening_throw_can_be_bad_or_unseen() -> None:
    """It has two dice whatever is expected; a cocked one is thrown again, an unread one is asked about."""
    white, black = ThrownDie(4, whose=W), ThrownDie(2, whose=B)
    one_expected = replace(OPENING, expected=1)
    assert ruling_text(white, black, context=one_expected) == "4 2"
    assert ruling_text(white, context=one_expected) == "no: missing_die"
    assert ruling_text(white, replace(black, lie=Lie.COCKED), context=OPENING) == "no: cocked"
    assert ruling_text(white, replace(black, value=None), context=OPENING) == "unsure: value"
    assert ruling_text(replace(white, value=None, whose=None), ThrownDie(2), context=OPENING) == "unsure: value owner"


def test_the_rules_of_a_ruleset() -> None:
    """Options of the game and the profile's early throw."""
    assert ThrowRules.of(get_ruleset("tavla")) == ThrowRules()
    house = replace(
        get_ruleset("tavla"), dice_half=DiceHalf.RIGHT, dice_on_checker=DiceOnChecker.VALID, dice_together=True
    )
    assert ThrowRules.of(house, EarlyThrow.STANDS) == ThrowRules(
        DiceHalf.RIGHT, DiceOnChecker.VALID, dice_together=True, early_throw=EarlyThrow.STANDS
    )


def test_every_reason_has_its_own_sentence() -> None:
    assert len({reason.sentence for reason in BadThrow}) == len(BadThrow)
    assert all("throw" in reason.sentence for reason in BadThrow)


DICE = st.builds(
    ThrownDie,
    value=st.sampled_from((None, 1, 6)),
    lie=st.sampled_from((*Lie, None)),
    half=st.sampled_from((LEFT, RIGHT, None)),
    is_flat_on_checker=st.sampled_from((True, False, None)),
    may_lie_on_checker=st.booleans(),
    whose=st.sampled_from((W, B, None)),
    lay_before=st.booleans(),
)
CONTEXTS = st.builds(
    ThrowContext,
    is_opening=st.booleans(),
    right_half=st.sampled_from((LEFT, None)),
    thrown_together=st.sampled_from((True, False, None)),
    opponent_lifted=st.sampled_from((True, False, None)),
)
RULES = st.builds(
    ThrowRules, st.sampled_from(DiceHalf), st.sampled_from(DiceOnChecker), st.booleans(), st.sampled_from(EarlyThrow)
)


@given(dice=st.lists(DICE, max_size=4), context=CONTEXTS, rules=RULES)
def test_any_throw_is_valid_bad_or_unsure(dice: list[ThrownDie], context: ThrowContext, rules: ThrowRules) -> None:
    """Values exactly when valid, reasons exactly when bad, questions exactly when unsure; the order is no matter."""
    ruling = judge_throw(tuple(dice), context, rules)
    assert (ruling.values is not None) == (ruling.valid is True)
    assert bool(ruling.reasons) == (ruling.valid is False)
    assert bool(ruling.unclear) == (ruling.valid is None)
    assert judge_throw(tuple(reversed(dice)), context, rules) == ruling
    if ruling.unclear:
        assert all(question in Unclear for question in ruling.unclear)
