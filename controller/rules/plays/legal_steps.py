"""Every step that a state allows: the plain steps, filtered by each further rule of the game.

A step that breaks a rule does not exist; the duty to use the numbers (`duty.py`) is judged on the steps that remain.
"""

from collections.abc import Sequence

from controller.rules.plays.fevga import keep_runner_only, limit_start_quarter
from controller.rules.plays.field import Field
from controller.rules.plays.head import apply_head_limit
from controller.rules.plays.home_hit import apply_home_hit_rule
from controller.rules.plays.six_block import without_forbidden_blocks
from controller.rules.ruleset import HomeHit
from controller.rules.steps import BIT, HIT_SHIFT, OUTSIDE_HOME, Successor


def steps_from(field: Field, state: int, occ: int, number: int, others: Sequence[int] = ()) -> list[Successor]:
    """Every step with `number`, the highest source first; `others` are the numbers that remain after the step."""
    if field.is_plain:
        return _list_plain_steps(field, state, occ, number)
    if not field.limits.forced_bearoff or occ >= OUTSIDE_HOME:
        return _list_restricted_steps(field, state, occ, number)
    return _keep_forced_bearoffs(field, state, occ, number, others)


def _list_plain_steps(field: Field, state: int, occ: int, number: int) -> list[Successor]:
    """The steps that landing, the bar and bearing off allow; the hot path of most games."""
    sources = occ & field.landing[number]
    if occ & field.limits.bar_bit:
        sources &= field.limits.bar_bit
    elif occ < OUTSIDE_HOME:
        sources |= field.bearing_off[number][occ] & ~field.stuck
    row, blots, found = field.limits.rows[number], field.blots, []
    while sources:
        source = sources.bit_length() - 1
        bit = BIT[source]
        sources ^= bit
        delta, hit_delta, target_bit, shift, step, hitting = row[source]
        if target_bit & blots and not (occ | state >> HIT_SHIFT) & target_bit:
            after, step = state + hit_delta, hitting
        else:
            after = state + delta
        found.append((step, after, (occ if after >> shift & 15 else occ ^ bit) | target_bit))
    return found


def _list_restricted_steps(field: Field, state: int, occ: int, number: int) -> list[Successor]:
    """The plain steps, filtered by each further rule of the game in turn."""
    limits = field.limits
    found = _list_plain_steps(field, state, occ, number)
    if limits.bearoff_early:
        found = _with_early_bearoffs(field, state, occ, number)
    if limits.first_checker:
        found = keep_runner_only(state, occ, field.rules.checkers, found)
    if field.head_limit is not None:
        found = apply_head_limit(field.head_limit, state, found)
    if limits.max_stack is not None:
        full = limits.max_stack
        found = [one for one in found if not one[0].target or state >> 4 * one[0].target & 15 < full]
    if limits.start_quarter_max is not None:
        found = limit_start_quarter(limits.start_quarter_max, found)
    if limits.avoids_blocks:
        found = without_forbidden_blocks(field, found)
    if limits.home_hit is not HomeHit.FREE:
        found = apply_home_hit_rule(limits.home_hit, state, found, pair=limits.home_hit_pair)
    return found


def _with_early_bearoffs(field: Field, state: int, occ: int, number: int) -> list[Successor]:
    """The plain steps and, because the rule is waived, every bear-off that the number reaches."""
    found = [one for one in _list_plain_steps(field, state, occ, number) if one[0].target]
    if occ & field.limits.bar_bit:
        return found
    for source in range(number, 0, -1):
        if occ & BIT[source]:
            delta, _, _, shift, step, _ = field.limits.rows[number][source]
            after = state + delta
            found.append((step, after, occ if after >> shift & 15 else occ ^ BIT[source]))
    return found


def _keep_forced_bearoffs(field: Field, state: int, occ: int, number: int, others: Sequence[int]) -> list[Successor]:
    """Tavla: while any remaining number can bear a checker off, the next step must be a bear-off."""
    found = _list_restricted_steps(field, state, occ, number)
    bearoffs = [one for one in found if not one[0].target]
    if bearoffs:
        return bearoffs
    for other in set(others) - {number}:
        if any(not one[0].target for one in _list_restricted_steps(field, state, occ, other)):
            return []
    return found
