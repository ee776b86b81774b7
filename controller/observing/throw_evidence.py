"""Converts readings of dice into a thrown die of the rules; details below their threshold become unknown.

The rules decide whether a throw counts (`controller/rules/throws.py`); this file decides which details are accepted. To
accept a wrong face is the gravest error, so a value or a lie below its threshold is unknown and makes the ruling unsure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from controller.rules import BadThrow, Half, Lie, ThrowContext, ThrownDie, ThrowRules, ThrowRuling, Unclear, judge_throw
from vision.board.board_reading import BoardReading
from vision.dice.readings import ACCEPT_VALUE_P, STILL_LIES, Contact, DieReading, DieState


@dataclass(frozen=True, slots=True)
class DiceTrust:
    """The thresholds of acceptance: posteriors 0..1, and angles in degrees. Larger posteriors ask more often.

    All are statistical, set between the values of right and of wrong readings, unless marked as knobs.
    """

    value: float = ACCEPT_VALUE_P  # of the face; posteriors are means of readings and therefore too low near 1
    other_face: float = 0.01  # knob: if no face is accepted, faces with at least this posterior remain possible
    flat: float = 0.92  # of lying flat
    other_lie: float = 0.8  # of another lie; lower than `flat`, because a valid throw made again is the smaller error
    not_flat: float = 0.85  # of not lying flat, if it is open how the die lies
    # The threshold instead of both if nothing but another die can hold the die: dice of one size hardly lean on each
    # other, and their edges are easily confused.
    held_by_a_die: float = 0.95
    flat_to_deg: float = 10.0  # a flat die with a larger measured tilt is unsure
    cocked_from_deg: float = 3.0  # a cocked die with a smaller measured tilt is unsure
    flat_on_checker_to_deg: float = 5.0  # a die on a checker with a larger tilt does not lie flat there
    # Beside as many certain dice as a throw needs (each a die with `beyond_doubt`), a further object is accepted as a die
    # only from `die_beside_throw` on.
    beyond_doubt: float = 0.99
    die_beside_throw: float = 0.97
    # The smaller measured edge divided by the larger. Below it, half of the smaller die may be hidden, and then a four
    # may show two pips.
    min_edge_ratio: float = 0.82


DEFAULT_DICE_TRUST = DiceTrust()
UNKNOWN_DIE = ThrownDie(value=None, lie=None, half=None)  # a die that was not detected, or an object that may be none


def judge_reading(
    reading: BoardReading, context: ThrowContext, rules: ThrowRules, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> ThrowRuling:
    """The ruling on the throw in one still picture; unsure while a hand is over the board."""
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
    """The ruling on a throw from readings of dice; `perhaps_more`: another object in the picture may be a die."""
    thrown = to_thrown_dice(dice, context, trust)
    return judge_detected_throw(with_missing_dice(thrown, context) if perhaps_more else thrown, context, rules)


def judge_detected_throw(dice: tuple[ThrownDie, ...], context: ThrowContext, rules: ThrowRules) -> ThrowRuling:
    """As `judge_throw`, but an object that may be no die does not make a throw invalid.

    An object without an accepted face, beside a complete throw, makes the ruling unsure instead: an ornament or a checker
    may be detected as a die, and a question is better than a valid throw made again.
    """
    ruling = judge_throw(dice, context, rules)
    accepted = with_missing_dice(tuple(die for die in dice if die.value is not None), context)
    if BadThrow.EXTRA_DIE not in ruling.reasons or _count_thrown(accepted) > context.needed_count:
        return ruling
    certain = judge_throw(accepted, context, rules)
    return certain if certain.valid is False else ThrowRuling(None, unclear=(Unclear.EXTRA_DIE,))


def with_missing_dice(dice: tuple[ThrownDie, ...], context: ThrowContext) -> tuple[ThrownDie, ...]:
    """Fills a throw up with unknown dice to the number that it needs."""
    return dice + (UNKNOWN_DIE,) * (context.needed_count - _count_thrown(dice))


def _count_thrown(dice: tuple[ThrownDie, ...]) -> int:
    """The number of dice of the throw itself, without dice that lay there before."""
    return sum(not die.lay_before for die in dice)


def to_thrown_dice(
    dice: Sequence[DieReading], context: ThrowContext, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> tuple[ThrownDie, ...]:
    """Converts the dice of one throw; an object that may be no die is unknown, and a half-hidden die has no face."""
    doubts = flag_doubtful_dice(dice, context, trust)
    faces = without_faces_of_hidden_dice(dice, context, trust)
    return tuple(
        UNKNOWN_DIE if is_doubted else to_thrown_die(die, trust) for die, is_doubted in zip(faces, doubts, strict=True)
    )


def flag_doubtful_dice(
    dice: Sequence[DieReading], context: ThrowContext, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> tuple[bool, ...]:
    """For each die of one throw, whether it may be no die, beside as many certain dice as the throw needs.

    A glint on a checker may be detected as a die, and a question is better than a valid throw made again.
    """
    is_whole = sum(die.die_chance >= trust.beyond_doubt for die in dice) >= context.needed_count
    return tuple(is_whole and die.die_chance < trust.die_beside_throw for die in dice)


def without_faces_of_hidden_dice(
    dice: Sequence[DieReading], context: ThrowContext, trust: DiceTrust = DEFAULT_DICE_TRUST
) -> tuple[DieReading, ...]:
    """Removes the face of a die that is measured smaller than the other die of the throw: half of it may be hidden.

    This holds for a player's pair of equal dice only: not in the opening throw, where each player throws his own die, and
    not with more dice than the throw needs, whose owners are unknown.
    """
    edges_mm = [die.edge_mm for die in dice if die.edge_mm is not None]
    if context.is_opening or len(dice) != context.needed_count or len(edges_mm) < len(dice):
        return tuple(dice)
    least_mm = trust.min_edge_ratio * max(edges_mm)
    return tuple(die.without_face() if edge_mm < least_mm else die for die, edge_mm in zip(dice, edges_mm, strict=True))


def to_thrown_die(die: DieReading, trust: DiceTrust = DEFAULT_DICE_TRUST) -> ThrownDie:
    """Converts one die; details that are not accepted are None.

    Many objects beside a board are no dice, so an object off the board without an accepted face has no accepted lie.
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
    """The accepted face alone, or else all faces with a posterior of at least `trust.other_face`."""
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
    """The most likely lie other than flat, if the die surely does not lie flat but its lie is open."""
    if not die.lie_chances or die.lies is DieState.MOVING or _is_measured_flat(die, trust):
        return None
    others = _list_tilted_probabilities(die)
    return Lie(max(others, key=others.__getitem__).value) if sum(others.values()) >= trust.not_flat else None


def _is_tilted_only_on_checker(die: DieReading, trust: DiceTrust) -> bool:
    """Whether the die is surely not flat only if it lies on a checker, where a die may count."""
    if not die.lie_chances or die.lie_confidence >= trust.other_lie:
        return False
    others = _list_tilted_probabilities(die)
    return sum(others.values()) - others[DieState.ON_CHECKER] < trust.not_flat


def _list_tilted_probabilities(die: DieReading) -> dict[DieState, float]:
    """The posteriors of all lies other than flat."""
    return {lie: chance for lie, chance in zip(STILL_LIES, die.lie_chances, strict=True) if lie is not DieState.FLAT}


def _compute_level_probability(die: DieReading) -> float:
    """The posterior of lying flat or on a checker."""
    if not die.lie_chances:
        return die.lie_confidence if die.lies in (DieState.ON_CHECKER, DieState.FLAT) else 0.0
    chances = dict(zip(STILL_LIES, die.lie_chances, strict=True))
    return chances[DieState.ON_CHECKER] + chances[DieState.FLAT]


def _is_measured_flat(die: DieReading, trust: DiceTrust) -> bool:
    """Whether a die that was classified as cocked has a flat measured tilt."""
    return die.lies is DieState.COCKED and die.tilt_deg < trust.cocked_from_deg


def _is_flat_on_checker(die: DieReading, trust: DiceTrust) -> bool | None:
    """Whether a die on a checker lies flat: by its measured tilt, and unlikely to lean; None if open."""
    if die.tilt_deg + die.tilt_sigma_deg <= trust.flat_on_checker_to_deg:
        return True if _compute_level_probability(die) >= trust.flat else None
    return False if die.tilt_deg - die.tilt_sigma_deg > trust.flat_on_checker_to_deg else None
