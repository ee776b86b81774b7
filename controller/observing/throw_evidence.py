"""From how dice lie in the picture to whether the throw counts: what is not sure enough becomes "unknown".

The rules decide what counts (`rules/throws.py`); here it is only decided what is taken as seen. A wrong face accepted
is the gravest fault there is, so a value or a lie below its trust is none at all, and the ruling becomes "unsure".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from controller.rules import BadThrow, Half, Lie, ThrowContext, ThrownDie, ThrowRules, ThrowRuling, Unclear, judge_throw
from vision.board.board_reading import BoardReading
from vision.dice.readings import ACCEPT_VALUE_P, STILL_LIES, Contact, DieReading, DieState


@dataclass(frozen=True, slots=True)
class DiceTrust:
    """From where on a die is believed; probabilities 0..1, and degrees."""

    # Posteriors are too low near 1, for they are means of looks: of 2,881 flat dice of styles held apart with 0.98 and more
    # none was another, where 7.2 should have been.
    value: float = ACCEPT_VALUE_P
    other_face: float = 0.01  # where none is believed, what may be it
    # Of 902 throws with a die that does not lie flat, drawn and in rendered windows, two had 0.90 to 0.92 and none more; of 829
    # good ones that 0.90 believes this leaves six unsure, three of them with dice that touch.
    flat: float = 0.92
    other_lie: float = 0.8  # a throw wrongly refused is thrown again, one wrongly accepted is a wrong game
    not_flat: float = 0.85  # that it lies some other way, whichever of them
    # Both of one that nothing but another die can hold: dice of one size hardly can, and their edges look alike. Of 637 flat
    # dice in drawn throws whose dice touch one was called something else with more than 0.7 (0.85); of 61 in rendered windows
    # that do lean or lie on another die 21 are with more than this, and 26 with more than 0.8.
    held_by_a_die: float = 0.95
    # Of measured tilt; a die called flat that measures more is unsure. Of 2,200 drawn throws no die that did not lie flat was
    # believed to and measured more than 7 degrees, while flat ones measured up to 8.4.
    flat_to_deg: float = 10.0
    cocked_from_deg: float = 3.0  # likewise one that is called cocked and measures less
    flat_on_checker_to_deg: float = 5.0  # one on a checker that measures more does not lie flat there
    # That it is a die: beside as many as a throw needs that are so beyond doubt, from where on another one is believed. Of 357 third
    # dice that were found on drawn tables all are; of nine dice where none are, in 1,110 readings of rendered boards, four.
    beyond_doubt: float = 0.99
    die_beside_throw: float = 0.97
    # Of the edge of the other die: one measured smaller may be hidden in part, and then two of four pips are a two. Of 831
    # pairs of flat dice, on rendered boards and drawn tables, one was measured so that the smaller has 0.83 of the other, and all others
    # from 0.85 on; of 28 dice that were told wrongly where half of them was covered 26 had less than 0.83 of what they have.
    min_edge_ratio: float = 0.82


DEFAULT_DICE_TRUST = DiceTrust()
UNKNOWN_DIE = ThrownDie(value=None, lie=None, half=None)
"""A die that belongs to a throw and was not seen, or that may be none."""


def judge_reading(
    reading: BoardReading, context: ThrowContext, rules: ThrowRules, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> ThrowRuling:
    """The ruling on one still picture. While a hand is over the board nothing is judged."""
    if reading.hand_in_view:
        return ThrowRuling(None, unclear=(Unclear.MOVING,))
    return judge_dice(reading.dice, context, rules, trust, perhaps_more=reading.perhaps_more_dice)


def judge_dice(
    dice: Sequence[DieReading],
    context: ThrowContext,
    rules: ThrowRules,
    trust: DiceTrust = DEFAULT_DICE_TRUST,
    *,
    perhaps_more: bool,
) -> ThrowRuling:
    """The same of the dice alone; `perhaps_more`: something else in the picture may be one."""
    thrown = to_thrown_dice(dice, context, trust)
    return judge_detected_throw(with_missing_dice(thrown, context) if perhaps_more else thrown, context, rules)


def judge_detected_throw(dice: tuple[ThrownDie, ...], context: ThrowContext, rules: ThrowRules) -> ThrowRuling:
    """As `judge_throw`, but what may be no die at all refuses no throw.

    A thing whose face is not believed, beside dice that may count without it, is a question: an ornament or a face of a
    checker seems to lie flat as well, and to have a good throw made again is worse than to be asked.
    """
    ruling = judge_throw(dice, context, rules)
    believed = with_missing_dice(tuple(die for die in dice if die.value is not None), context)
    if BadThrow.EXTRA_DIE not in ruling.reasons or _count_thrown(believed) > context.needed_count:
        return ruling
    certain = judge_throw(believed, context, rules)
    return certain if certain.valid is False else ThrowRuling(None, unclear=(Unclear.EXTRA_DIE,))


def with_missing_dice(dice: tuple[ThrownDie, ...], context: ThrowContext) -> tuple[ThrownDie, ...]:
    """As many as the throw needs: those that are lacking were not seen."""
    return dice + (UNKNOWN_DIE,) * (context.needed_count - _count_thrown(dice))


def _count_thrown(dice: tuple[ThrownDie, ...]) -> int:
    """Of the throw itself."""
    return sum(not die.lay_before for die in dice)


def to_thrown_dice(
    dice: Sequence[DieReading], context: ThrowContext, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> tuple[ThrownDie, ...]:
    """Those of one throw as the rules want them, with nothing known of what may be no die, and no face of what may be half of one."""
    doubts = flag_doubtful_dice(dice, context, trust)
    faces = without_faces_of_hidden_dice(dice, context, trust)
    return tuple(
        UNKNOWN_DIE if is_doubted else to_thrown_die(die, trust) for die, is_doubted in zip(faces, doubts, strict=True)
    )


def flag_doubtful_dice(
    dice: Sequence[DieReading], context: ThrowContext, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> tuple[bool, ...]:
    """Of each of one throw, whether it may be no die at all, beside as many as the throw needs that surely are.

    A glint on a checker looks so, and to have a good throw made again is worse than to be asked.
    """
    is_whole = sum(die.die_chance >= trust.beyond_doubt for die in dice) >= context.needed_count
    return tuple(is_whole and die.die_chance < trust.die_beside_throw for die in dice)


def without_faces_of_hidden_dice(
    dice: Sequence[DieReading], context: ThrowContext, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> tuple[DieReading, ...]:
    """Those of one throw, but with no face of one that is measured smaller than the other: half of it may be hidden, and half a face reads
    as another.

    A player's dice are a pair. In the opening throw each player has a die of his own, and where there are more than a throw needs nobody
    knows whose they are.
    """
    edges_mm = [die.edge_mm for die in dice if die.edge_mm is not None]
    if context.is_opening or len(dice) != context.needed_count or len(edges_mm) < len(dice):
        return tuple(dice)
    least_mm = trust.min_edge_ratio * max(edges_mm)
    return tuple(die.without_face() if edge_mm < least_mm else die for die, edge_mm in zip(dice, edges_mm, strict=True))


def to_thrown_die(die: DieReading, trust: DiceTrust = DEFAULT_DICE_TRUST) -> ThrownDie:
    """As the rules want it; None for what cannot be told.

    Beside a board lies much that is no die: what shows no face there that is believed refuses no throw. Of 98 dice that were
    read as off the board, in drawn and rendered pictures, one showed none, and so did both things that were none.
    """
    if die.touches is Contact.DIE:
        trust = replace(trust, other_lie=trust.held_by_a_die, not_flat=trust.held_by_a_die)
    value = die.value if die.value_confidence >= trust.value else None
    lie = _accept_lie(die, trust)
    if lie is Lie.OFF_BOARD and value is None:
        lie = None
    may_lie_on_checker = lie not in (None, Lie.FLAT, Lie.ON_CHECKER) and _is_tilted_only_on_checker(die, trust)
    return ThrownDie(
        value=value,
        lie=lie,
        half=None if die.half is None else Half(die.half.value),
        is_flat_on_checker=_is_flat_on_checker(die, trust) if lie is Lie.ON_CHECKER or may_lie_on_checker else None,
        may_lie_on_checker=may_lie_on_checker,
    )


def list_possible_faces(die: DieReading, trust: DiceTrust = DEFAULT_DICE_TRUST) -> tuple[int, ...]:
    """What it may show: the one face that is believed, else all that are not surely others."""
    if die.value_confidence >= trust.value:
        return (die.value,)
    best = max(die.face_log_likelihood)
    shares = [die.value_confidence * exp(likelihood - best) for likelihood in die.face_log_likelihood]
    return tuple(face for face, share in enumerate(shares, 1) if share >= trust.other_face)


def _accept_lie(die: DieReading, trust: DiceTrust) -> Lie | None:
    enough = trust.flat if die.lies is DieState.FLAT else trust.other_lie
    if die.lie_confidence < enough:
        return _accept_other_lie(die, trust)
    if die.lies is DieState.FLAT and die.tilt_deg > trust.flat_to_deg:
        return None
    if _is_measured_flat(die, trust):
        return None
    return Lie(die.lies.value)


def _accept_other_lie(die: DieReading, trust: DiceTrust) -> Lie | None:
    """The likeliest that is not flat, where it is one of these for sure, though not which."""
    if not die.lie_chances or die.lies is DieState.MOVING or _is_measured_flat(die, trust):
        return None
    others = _list_tilted_probabilities(die)
    return Lie(max(others, key=others.__getitem__).value) if sum(others.values()) >= trust.not_flat else None


def _is_tilted_only_on_checker(die: DieReading, trust: DiceTrust) -> bool:
    """Whether it is surely not flat only because it may lie on a checker, where a die may count."""
    if not die.lie_chances or die.lie_confidence >= trust.other_lie:
        return False
    others = _list_tilted_probabilities(die)
    return sum(others.values()) - others[DieState.ON_CHECKER] < trust.not_flat


def _list_tilted_probabilities(die: DieReading) -> dict[DieState, float]:
    """How likely it lies in each of the other ways."""
    return {lie: chance for lie, chance in zip(STILL_LIES, die.lie_chances, strict=True) if lie is not DieState.FLAT}


def _compute_level_probability(die: DieReading) -> float:
    """How surely it lies on a checker or flat, whichever of them."""
    if not die.lie_chances:
        return die.lie_confidence if die.lies in (DieState.ON_CHECKER, DieState.FLAT) else 0.0
    chances = dict(zip(STILL_LIES, die.lie_chances, strict=True))
    return chances[DieState.ON_CHECKER] + chances[DieState.FLAT]


def _is_measured_flat(die: DieReading, trust: DiceTrust) -> bool:
    """Though it is called cocked."""
    return die.lies is DieState.COCKED and die.tilt_deg < trust.cocked_from_deg


def _is_flat_on_checker(die: DieReading, trust: DiceTrust) -> bool | None:
    """Of a die on a checker: level as far as its tilt is known, and not believed to lean anywhere; None between."""
    if die.tilt_deg + die.tilt_sigma_deg <= trust.flat_on_checker_to_deg:
        return True if _compute_level_probability(die) >= trust.flat else None
    return False if die.tilt_deg - die.tilt_sigma_deg > trust.flat_on_checker_to_deg else None
