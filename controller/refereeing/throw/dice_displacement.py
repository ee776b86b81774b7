"""Dice that moved or show another face although nobody saw them leave: pushed, tipped, or thrown anew.

A die that a hand or a checker pushes rolls over one or two of its edges. A throw carries dice farther, out of view for a
moment, and usually to other faces. What lies in between is asked about.
"""

from collections.abc import Sequence

from controller.match import DieTurnedOver, ThrowUnclear
from controller.observing import DICE_OF_A_THROW, Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import REPORTED_WITHIN_MS, PendingThrow
from controller.refereeing.throw import rolling
from controller.refereeing.transition import Transition
from controller.rules import Unclear
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.events import DieMoved, DieTurned, ExtraDice, SettledDie
from vision.dice_tracking.fusion import measure_distance_edges

# Distance in edges of the die from which it was thrown and not tipped. Physical: a tipped die rolls over one or two edges.
_FAR_DIE_EDGES = 3.0


def detect_rethrow(ways: tuple[DieMoved, ...], seen: Observation) -> PendingThrow | None:
    """The throw made with displaced dice (from `find_displaced_dice`) whose lifting was not seen, or None.

    All of its dice were out of view for a moment and lie far away, and one shows another face; anything less may have been
    pushed. If another die changed too, nobody knows which die is which.
    """
    has_turned = not find_turned_numbers(seen).isdisjoint(way.die.number for way in ways)
    is_plain = has_turned and all(map(is_rethrown, ways)) and are_all_that_changed(ways, seen)
    return make_pending_throw(ways) if is_plain else None


def are_all_that_changed(ways: Sequence[DieMoved], seen: Observation) -> bool:
    """Whether no other die moved or turned by this frame."""
    changed = {event.die.number for event in seen.dice_events if isinstance(event, DieMoved | DieTurned)}
    return changed == {way.die.number for way in ways}


def is_rethrown(way: DieMoved) -> bool:
    """Whether the die was thrown, by its way alone: out of view for a moment, and far away."""
    return way.was_gone and is_far(way)


def is_from_beside(way: DieMoved) -> bool:
    """Whether the die lay beside the board and lies on it now."""
    return _is_off_board(way.die.reading) and not _is_off_board(way.now)


def is_far(way: DieMoved) -> bool:
    return measure_distance_edges(way.now, way.from_px) >= _FAR_DIE_EDGES


def is_view_settled(transition: Transition, seen: Observation) -> bool:
    """Whether the board has rested in view for long enough that removed dice would have been reported."""
    if seen.board is None or seen.hand_in_view:
        return False
    since_ms = max(transition.seen.outages.seen_again_ms, seen.board.since_ms)
    return transition.now_ms - since_ms > REPORTED_WITHIN_MS


def find_displaced_dice(transition: Transition, seen: Observation) -> tuple[DieMoved, ...]:
    """The ways of dice that were thrown together, if all of them moved and at least one turned; otherwise none.

    They were tipped, or thrown anew; only the distance can tell. No die need have turned if all lie far away and belonged to
    a refused throw, or were out of view before a throw: a repeated throw may show the same faces. Dice that a player moves
    beside the board do not count.
    """
    ways = [event for event in seen.dice_events if isinstance(event, DieMoved)]
    # of a pair that is thrown from beside the board one may land there again
    are_from_beside = any(is_from_beside(way) and is_rethrown(way) for way in ways)
    moved = {
        way.die.number: way
        for way in ways
        if not (_is_off_board(way.die.reading) and _is_off_board(way.now)) or (are_from_beside and is_rethrown(way))
    }
    turned = find_turned_numbers(seen)
    for numbers in _group_by_throw(transition, seen, set(moved)):
        if len(numbers) < DICE_OF_A_THROW or not numbers <= set(moved):
            continue
        ways_of_these = tuple(moved[number] for number in sorted(numbers))
        if turned & numbers or _may_be_rethrow(transition, numbers, ways_of_these):
            return ways_of_these
    return ()


def _may_be_rethrow(transition: Transition, numbers: frozenset[int], ways: tuple[DieMoved, ...]) -> bool:
    if transition.is_playing_roll or not all(map(is_far, ways)):
        return False
    is_on_board = not all(_is_off_board(way.now) for way in ways)
    return _may_be_refused(transition, numbers) or (is_on_board and all(map(is_rethrown, ways)))


def are_all_far(numbers: tuple[int, ...], seen: Observation) -> bool:
    """Whether all these dice lie far away with unchanged faces: pushed there, or thrown again with the same result."""
    far = {way.die.number for way in seen.dice_events if isinstance(way, DieMoved) and is_far(way)}
    return len(numbers) >= DICE_OF_A_THROW and far.issuperset(numbers)


def find_turned_numbers(seen: Observation) -> set[int]:
    """Numbers of dice that show another face by this frame."""
    return {event.die.number for event in seen.dice_events if isinstance(event, DieTurned)}


def _group_by_throw(transition: Transition, seen: Observation, moved: set[int]) -> tuple[frozenset[int], ...]:
    """Groups of lying dice that may have been thrown together; while a roll is played, only its dice.

    Dice beside the board are left out unless they moved onto it.
    """
    own = frozenset(transition.seen.dice.own)
    if transition.is_playing_roll:
        return (own,)
    lying = [die for die in seen.dice if die.number in moved or not _is_off_board(die.reading)]
    from_beside = frozenset(die.number for die in lying if _is_off_board(die.reading))  # laid there together or not
    together = {die.throw: frozenset(one.number for one in lying if one.throw == die.throw) for die in lying}
    all_of_them = frozenset(die.number for die in lying)  # after a button ended the turn
    return own, *together.values(), from_beside, all_of_them


def _is_off_board(reading: DieReading) -> bool:
    return reading.lies is DieState.OFF_BOARD


def _may_be_refused(transition: Transition, numbers: frozenset[int]) -> bool:
    """Whether these may be the dice of the last refused throw."""
    own = frozenset(transition.seen.dice.own) & {die.number for die in transition.seen.view.dice}
    return transition.state.questions.throw_refused is not None and (not own or numbers == own)


def make_pending_throw(ways: tuple[DieMoved, ...]) -> PendingThrow:
    """The displaced dice as a throw, as they lie now."""
    return PendingThrow(tuple(SettledDie(way.die.number, way.die.throw, way.now, way.taken_ms) for way in ways))


def report_displacement(
    transition: Transition, ways: tuple[DieMoved, ...], seen: Observation, table: MatchConfig
) -> Transition:
    """Before a throw, asks about displaced dice: a player says that a die was tipped, or what was thrown."""
    if not ways:
        return transition
    player = None if transition.state.on_turn is None else rolling.next_thrower(transition, table)
    are_known = are_all_that_changed(ways, seen)
    values = rolling.read_values(make_pending_throw(ways), transition) if are_known else (None,) * len(ways)
    return transition.emit(ThrowUnclear(transition.now_ms, player, (Unclear.LIFTED,), values))


def detect_throw_while_lifting(transition: Transition, seen: Observation) -> PendingThrow | None:
    """A throw of the other player of which one die was tracked as a die that the mover had just taken up, or None.

    The mover's other die still lies there, this one lies far away with another face, and one more die came. A person has to
    say what was thrown.
    """
    own, lying = transition.seen.dice.own, {die.number for die in seen.dice}
    moved = [event for event in seen.dice_events if isinstance(event, DieMoved) and event.die.number in own]
    turned = find_turned_numbers(seen)
    added = [die for event in seen.dice_events if isinstance(event, ExtraDice) for die in event.dice]
    if len(moved) != 1 or len(added) != 1 or not is_far(moved[0]) or moved[0].die.number not in turned:
        return None
    if not lying.intersection(own) - {moved[0].die.number} or added[0].reading.lies is DieState.OFF_BOARD:
        return None
    return PendingThrow((*make_pending_throw(tuple(moved)).dice, *added), may_have_lain=True)


def emit_turned_dice(transition: Transition, seen: Observation) -> Transition:
    """Emits the dice of the roll that show another face by this frame; the roll stays."""
    own = transition.seen.dice.own
    for event in seen.dice_events:
        if isinstance(event, DieTurned) and event.die.number in own:
            transition = transition.emit(DieTurnedOver(transition.now_ms, event.was, event.now))
    return transition
