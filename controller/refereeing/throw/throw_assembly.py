"""Assembles settled dice into throws.

Two dice seldom settle in the same frame: a single die is loose and waits for a second one. Dice may lie there already,
beside the board or on it, and after a restart every die is seen for the first time. What cannot be separated for
certain is marked in `PendingThrow`, so that the judgement becomes a question.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from controller.match import EndedBy
from controller.observing import DICE_OF_A_THROW, Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import LooseDice, PendingThrow
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.throw import dice_displacement, rolling
from controller.refereeing.transition import Transition
from controller.rules import ThrowKind
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.events import DiceFound, DiceSettled, DieMoved, ExtraDice, SettledDie

# Time in ms for which a board that agreed with the log proves that nobody has played with unseen dice since.
_AGREEMENT_VALID_MS = 1000


def assemble_throw(
    transition: Transition, seen: Observation, table: MatchConfig
) -> tuple[Transition, PendingThrow | None]:
    """The throw that is complete with this frame, or None; a single die waits for a second one.

    A die beside the board is part of a throw but no throw by itself: players keep their own dice there.
    """
    lying = {die.number for die in seen.dice}
    known = transition.seen.throws.loose
    waiting = _update_loose_dice(known.dice, seen)
    is_opening = transition.state.phase is Phase.OPENING
    loose, before = _add_settled_dice(waiting, seen)
    is_first = not waiting or (_has_any_on_board(loose) and not _has_any_on_board(waiting))
    since_ms = transition.now_ms if is_first else known.since_ms
    ways = dice_displacement.find_displaced_dice(transition, seen)
    if not transition.is_playing_roll:
        anew = dice_displacement.detect_rethrow(ways, seen)
        if anew is not None:
            numbers = {die.number for die in anew.dice}
            others = tuple(die for die in loose if die.number not in numbers)
            return transition.with_throws(transition.seen.throws.with_loose(replace(known, dice=others))), anew
        transition = dice_displacement.report_displacement(transition, ways, seen, table)
    if is_opening and not ways:
        loose += _find_reappeared_dice(transition, seen)
        loose += _find_single_rethrows(transition, seen, loose)
    missed = _collect_missing_numbers(transition, seen, loose)
    waited = transition.now_ms - since_ms >= table.patience.second_die_ms
    is_on_board = _has_any_on_board(loose)
    is_throw = is_on_board and (len(loose) > 1 or (waited and not is_opening))
    sees_more = seen.perhaps_more_dice and not seen.hand_in_view
    perhaps_more = sees_more or (known.perhaps_more and bool(known.dice))
    lay_alone = bool(waiting) and (known.lay_alone or (seen.is_moving and not known.perhaps_more))
    if is_throw:
        is_unplayed = (
            seen.board is not None and transition.now_ms - transition.seen.findings.agreed_ms <= _AGREEMENT_VALID_MS
        )
        is_alone = lying <= {die.number for die in loose}
        is_all = table.is_watched and is_unplayed and is_alone and not perhaps_more
        throw = _make_throw(transition, loose, before, is_all=is_all, perhaps_overlooked=not lay_alone)
        transition = transition.with_outages(transition.seen.outages.settle_start())
        return transition.with_throws(transition.seen.throws.complete()), throw
    if waited and not is_on_board:
        after = replace(known, dice=(), missed=missed)
    else:
        after = LooseDice(loose, missed, since_ms, perhaps_more, lay_alone)
    return transition.with_throws(transition.seen.throws.with_loose(after)), None


def _make_throw(
    transition: Transition,
    dice: tuple[SettledDie, ...],
    before: tuple[SettledDie, ...],
    *,
    is_all: bool,
    perhaps_overlooked: bool,
) -> PendingThrow | None:
    """The throw of these dice, without dice that are left from before the restart; None if no die is left."""
    left = _find_dice_from_before_start(transition, dice)
    may_have_lain = bool(left) or _is_like_lifted_dice(transition, dice)
    if left == dice and transition.seen.outages.bare_since_start:
        left = ()  # thrown again with the same result, or hidden for a moment: a person has to say
    new = tuple(die for die in dice if die not in left)
    if not new:
        return None
    return PendingThrow(
        new, (*before, *left), is_all=is_all, perhaps_overlooked=perhaps_overlooked, may_have_lain=may_have_lain
    )


def _update_loose_dice(dice: tuple[SettledDie, ...], seen: Observation) -> tuple[SettledDie, ...]:
    """The loose dice that still lie there, as they lie now.

    A die that turned or moved since it settled was knocked by the other die, turned by a hand, or thrown again. A person
    has to say which face counts, so its value is masked.
    """
    lying = {die.number for die in seen.dice}
    moved = {event.die.number: event for event in seen.dice_events if isinstance(event, DieMoved)}
    turned = dice_displacement.find_turned_numbers(seen)
    now = []
    for die in dice:
        if die.number not in lying:
            continue
        way = moved.get(die.number)
        if way is not None or die.number in turned:
            reading = die.reading if way is None else way.now
            reading = _without_doubtful_values(reading, die.reading, has_turned=die.number in turned)
            die = replace(die, reading=reading, settled_ms=seen.taken_ms)
        now.append(die)
    return tuple(now)


def _without_doubtful_values(now: DieReading, before: DieReading, *, has_turned: bool) -> DieReading:
    """The reading without its face if the face may have changed, and without its lie if the lie changed; once masked, masked."""
    if has_turned or now.value != before.value or before.has_no_face:
        now = now.without_face()
    if (now.lies, now.half) != (before.lies, before.half) or before.lie_confidence == 0:
        now = replace(now, lie_confidence=0.0, lie_chances=())
    return now


def _add_settled_dice(
    loose: tuple[SettledDie, ...], seen: Observation
) -> tuple[tuple[SettledDie, ...], tuple[SettledDie, ...]]:
    """Splits settled dice into (this throw, already there).

    Dice beside the board belong to the throw only if they settled with it; a pair beside the board never does.
    """
    before: tuple[SettledDie, ...] = ()
    for event in seen.dice_events:
        if isinstance(event, DiceSettled | ExtraDice):
            before = event.lay_before if isinstance(event, ExtraDice) else ()
            known = {die.number for die in loose}
            before = tuple(die for die in before if die.number not in known)
            loose += _mask_doubtful_faces(event) if isinstance(event, ExtraDice) else event.dice
    beside = tuple(die for die in loose if die.reading.lies is DieState.OFF_BOARD)
    inside = tuple(die for die in loose if die not in beside)
    together = {die.throw for die in inside}
    is_other = len(inside) >= DICE_OF_A_THROW and not any(die.throw in together for die in beside)
    if inside and (len(beside) >= DICE_OF_A_THROW or is_other):
        return inside, (*before, *beside)
    return loose, before


def _mask_doubtful_faces(event: ExtraDice) -> tuple[SettledDie, ...]:
    """The dice that came, without the face of a die that may have lain there before."""
    return tuple(
        replace(die, reading=die.reading.without_face()) if die.number in event.perhaps_old else die
        for die in event.dice
    )


def _has_any_on_board(dice: Sequence[SettledDie]) -> bool:
    return any(die.reading.lies is not DieState.OFF_BOARD for die in dice)


def _find_single_rethrows(
    transition: Transition, seen: Observation, loose: tuple[SettledDie, ...]
) -> tuple[SettledDie, ...]:
    """In the opening, a die that one player throws again after equal dice; it waits for the other player's die."""
    turned = dice_displacement.find_turned_numbers(seen)
    ways = [event for event in seen.dice_events if isinstance(event, DieMoved)]
    # a die far away counts although its face is unchanged: the same number may be thrown again
    again = [way for way in ways if way.die.number in turned or dice_displacement.is_far(way)]
    own = {*transition.seen.dice.own, *(way.die.number for way in ways if dice_displacement.is_from_beside(way))}
    waiting = {die.number for die in loose}
    return tuple(
        replace(
            way.die,
            reading=way.now if _is_certain_rethrow(way, seen) else way.now.without_face(),
            settled_ms=seen.taken_ms,
        )
        for way in again
        if way.die.number in own and way.die.number not in waiting
    )


def _is_certain_rethrow(way: DieMoved, seen: Observation) -> bool:
    """Whether the die was thrown again for certain; if other dice changed too, it may be one of those."""
    return dice_displacement.is_rethrown(way) and dice_displacement.are_all_that_changed((way,), seen)


def _find_reappeared_dice(transition: Transition, seen: Observation) -> tuple[SettledDie, ...]:
    """Loose dice that were missed for a moment and wait again."""
    found = (die for event in seen.dice_events if isinstance(event, DiceFound) for die in event.dice)
    return tuple(die for die in found if die.number in transition.seen.throws.loose.missed)


def _collect_missing_numbers(
    transition: Transition, seen: Observation, loose: tuple[SettledDie, ...]
) -> tuple[int, ...]:
    """Numbers of loose dice that are missing, while no throw is complete."""
    known, lying = transition.seen.throws.loose, {die.number for die in seen.dice}
    numbers = {*known.missed, *(die.number for die in known.dice)}
    return tuple(sorted(numbers - lying - {die.number for die in loose}))


def _find_dice_from_before_start(transition: Transition, dice: tuple[SettledDie, ...]) -> tuple[SettledDie, ...]:
    """Dice that show a roll of the log and may lie there since before the restart.

    A restarted program sees every die for the first time. A throw made meanwhile that shows the same values has to be
    repeated, or is asked about if the board was seen bare since the restart.
    """
    if not transition.seen.outages.lay_before_start:
        return ()
    sure = rolling.select_certain_dice(dice)
    known = (values for values in _list_known_rolls(transition.state) if len(values) >= min(DICE_OF_A_THROW, len(sure)))
    left = max((_select_by_values(values, sure) for values in known), key=len, default=())
    return dice if left == sure else left


def _select_by_values(values: Sequence[int], dice: tuple[SettledDie, ...]) -> tuple[SettledDie, ...]:
    """Dice that show these values; none unless all values are shown."""
    wanted, chosen = list(values), []
    for die in dice:
        if die.value in wanted:
            wanted.remove(die.value)
            chosen.append(die)
    return () if wanted else tuple(chosen)


def _is_like_lifted_dice(transition: Transition, dice: tuple[SettledDie, ...]) -> bool:
    """Whether the dice show the roll whose lifting ended the last turn before the restart.

    They were only hidden then, or they are a new throw; a person has to say.
    """
    lifted = _find_lifted_roll(transition.state) if transition.seen.outages.lay_before_start else None
    return lifted is not None and sorted(die.value for die in rolling.select_certain_dice(dice)) == sorted(lifted)


def _find_lifted_roll(state: RefereeState) -> tuple[int, ...] | None:
    """The roll of the last turn that ended by lifting the dice, while no new roll is played."""
    turn = state.before_play if state.phase is Phase.AWAIT_ROLL else state if state.phase is Phase.TURN_END else None
    if turn is None or turn.due is None or turn.due.kind is not ThrowKind.ROLL:
        return None
    return turn.due.numbers if turn.turn.ended_by is EndedBy.DICE_LIFTED else None


def _list_known_rolls(state: RefereeState) -> list[tuple[int, ...]]:
    """Values that dice left from before the restart may show: each roll that the log knows, and each pair of them."""
    owners = [owner for owner in (state, state.before_play) if owner is not None]
    rolls = [one.due.numbers for one in owners if one.due is not None and one.due.kind is ThrowKind.ROLL]
    rolls = [roll for roll in rolls if roll != _find_lifted_roll(state)]
    asked = state.questions.throw_refused
    refused = () if asked is None else asked.values
    others = [
        () if state.turn.early is None else state.turn.early.numbers,
        tuple(value for value in refused if value is not None),
        state.game.opening or (),
    ]
    known = [roll for roll in (*rolls, *others) if roll]
    return [*known, *((*one, *other) for one, other in combinations(known, 2))]
