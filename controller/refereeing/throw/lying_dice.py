"""Dice that lie on the table: whether they are those of the roll, of a throw that waits, or of a turn that ended."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from controller.observing import Observation
from controller.refereeing.perception import PendingThrow
from controller.refereeing.throw.dice_displacement import is_view_settled
from controller.refereeing.throw.rolling import select_certain_dice
from controller.refereeing.transition import Transition
from vision.dice.readings import DieState
from vision.dice_tracking.events import DiceFound, SettledDie


def identify_own_dice(transition: Transition, seen: Observation) -> Transition:
    """Finds the dice of the roll after a restart, a blind time, or their lifting during a verdict.

    After a restart the tracker numbers have changed: the only pair that shows the roll is taken. Dice that were taken up
    while the roll waited are recognised by number; others with the same values are a new throw.
    """
    due, dice = transition.state.due, transition.seen.dice
    if due is None or dice.own:
        return transition
    if dice.before_blind:
        return transition.with_dice(dice.find_untouched())
    if dice.lifted:
        is_back = any(die.number in dice.lifted for die in seen.dice)
        return transition.with_dice(dice.find_again()) if is_back else transition
    lying = select_certain_dice([die for die in seen.dice if die.reading.lies is not DieState.OFF_BOARD])
    pairs = [pair for pair in combinations(lying, len(due.numbers)) if _sort_values(pair) == due.numbers]
    if len(pairs) != 1 or len(lying) % len(due.numbers) != 0:  # a second pair may be the opponent's
        return transition
    return transition.with_dice(dice.identify(tuple(die.number for die in pairs[0])))


def _sort_values(dice: Sequence[SettledDie]) -> tuple[int, ...]:
    return tuple(sorted((die.value for die in dice), reverse=True))


def restore_trust_in_dice(transition: Transition, seen: Observation) -> Transition:
    """Nobody threw during a blind time if the dice of the roll lie where they lay, with the same faces."""
    if not transition.seen.dice.before_blind or not is_view_settled(transition, seen):
        return transition
    transition = transition.with_dice(transition.seen.dice.settle_blindness())
    return transition.with_outages(transition.seen.outages.restore_trust())


def dice_are_back(transition: Transition, seen: Observation) -> bool:
    """Whether dice whose lifting ended the turn lie there again: they were only hidden."""
    ended = transition.seen.dice.ended
    found = [die.number for event in seen.dice_events if isinstance(event, DiceFound) for die in event.dice]
    return any(number in ended for number in found)


def has_lying_die(throw: PendingThrow, dice: Iterable[SettledDie]) -> bool:
    """Whether a die of the throw is among `dice`."""
    numbers = {die.number for die in throw.dice}
    return any(die.number in numbers for die in dice)
