"""Searches a legal path from one board to another: through one stage, and forward through a turn of several stages.

A turn can have six ranks with millions of boards between them. The stage search keeps only states that can still become
the goal (`plays/target.py`). In block games the opponent's side never changes, so turns of several stages are searched
backward from the goal instead (`backward_search.py`).
"""

from controller.rules.judging.query import Line, PathQuery, StagePath, TurnPath
from controller.rules.plays.duty import complete
from controller.rules.plays.field import position_after
from controller.rules.plays.head import head_count
from controller.rules.plays.make_field import make_field
from controller.rules.plays.search import explore
from controller.rules.plays.target import Target, cumulate_counts, is_level_or_ahead
from controller.rules.position import Position
from controller.rules.ruleset import DiceUse, Prime, PrimeCheck
from controller.rules.rulings import Rule
from controller.rules.stages import Stage


def find_stage_path(query: PathQuery, before: Position, stage: Stage, target: Target) -> StagePath | None:
    """A legal play of `stage` from `before` that ends in `target`, the one that uses the most numbers."""
    field = make_field(before, query.mover, stage, query.rules, query.waived)
    found = [
        (group, state)
        for group in explore(field, stage.numbers, target)
        for state in group.reached
        if target.is_reached_by(state)
    ]
    if not found:
        return None
    best, first_state = found[0]
    if not best.unused and not _checks_final_position(query):
        return StagePath(best.reached[first_state][1], ())  # all numbers are used, so the duty is fulfilled
    allowed = {group.used: group.reached for group in complete(field, explore(field, stage.numbers))}
    for group, state in found:
        if state in allowed.get(group.used, ()):
            return StagePath(group.reached[state][1], group.unused)
    return None


def _checks_final_position(query: PathQuery) -> bool:
    """Whether some rule restricts the final position of a stage."""
    rules = query.rules
    checks_last_block = rules.prime_check is PrimeCheck.FINAL_ONLY or Rule.PRIME_IN_PASSING in query.waived
    return (
        rules.unblock_last_stack
        or rules.prime is Prime.OPPONENT_MUST_HAVE_MOVE
        or (rules.prime is Prime.NEED_CHECKER_AHEAD and checks_last_block)
    )


def demands_all_numbers(query: PathQuery) -> bool:
    """Whether a stage may stop only where no number is left to play."""
    is_full_duty = query.rules.dice_use is DiceUse.MAX and Rule.MUST_PLAY_MORE not in query.waived
    return is_full_duty and not _checks_final_position(query)


def search_forward(query: PathQuery) -> TurnPath | None:
    """Finds a legal path stage by stage from the start of the turn."""
    return _continue_path(query, 0, query.before, head_count(query.before.side(query.mover)), set())


def _continue_path(
    query: PathQuery, number: int, position: Position, head_at_start: int, seen: set[tuple[int, Position, int]]
) -> TurnPath | None:
    """Continues from `position`, in which stage `number` of the line begins."""
    query.effort.spend()
    if (number, position, head_at_start) in seen:
        return None
    seen.add((number, position, head_at_start))
    turn_stage, mover = query.line[number], query.mover
    stage = turn_stage.make_stage(head_at_start - head_count(position.side(mover)))
    field = make_field(position, mover, stage, query.rules, query.waived)
    goal = cumulate_counts(query.goal.side(mover))
    in_last_throw = turn_stage.throw_index == query.line[-1].throw_index
    for group in complete(field, explore(field, stage.numbers)):
        next_number = _find_next_number(query.line, number, cut_short=bool(group.unused))
        for state, (occ, path) in group.reached.items():
            after = position_after(field, state, occ)
            if not is_level_or_ahead(goal, cumulate_counts(after.side(mover))):
                continue
            if after == query.goal and in_last_throw and (group.unused or next_number is None):
                return TurnPath(path, number, group.unused)
            if next_number is None:
                continue
            same_throw = query.line[next_number].throw_index == turn_stage.throw_index
            onward = _continue_path(
                query, next_number, after, head_at_start if same_throw else head_count(after.side(mover)), seen
            )
            if onward is not None:
                return TurnPath(path + onward.steps, onward.last, onward.unused)
    return None


def _find_next_number(line: Line, number: int, *, cut_short: bool) -> int | None:
    """The number of the stage that follows in the line; None if the turn ends."""
    turn_stage = line[number]
    if not cut_short:
        return number + 1 if number + 1 < len(line) else None
    if not turn_stage.may_be_cut_short:
        return None
    later = (index for index, other in enumerate(line) if other.throw_index > turn_stage.throw_index)
    return next(later, None)
