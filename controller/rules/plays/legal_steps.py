"""Every step a state allows (rules.md 3.2 and 4): the plain ones, and what each further rule leaves of them."""

from collections.abc import Sequence

from controller.rules.player import BAR, POINTS
from controller.rules.plays.field import Field
from controller.rules.plays.head import HEAD
from controller.rules.plays.held_checkers import apply_home_hit_rule
from controller.rules.plays.six_block import blocks_with_nobody_ahead, six_blocks
from controller.rules.ruleset import Contact, HomeHit
from controller.rules.steps import (
    BIT,
    HEAD_SHIFT,
    HIT_MASK,
    HIT_SHIFT,
    OUTSIDE_HOME,
    PAST_OPPOSING_START,
    START_QUARTER,
    Successor,
)


def steps_from(field: Field, state: int, occ: int, number: int, others: Sequence[int] = ()) -> list[Successor]:
    """Every step with `number`, highest source first; `others` are the numbers that remain to be played after it."""
    if field.is_plain:
        return _list_plain_steps(field, state, occ, number)
    if not field.limits.forced_bearoff or occ >= OUTSIDE_HOME:
        return _list_restricted_steps(field, state, occ, number)
    return _keep_forced_bearoffs(field, state, occ, number, others)


def _list_plain_steps(field: Field, state: int, occ: int, number: int) -> list[Successor]:
    """The steps where nothing but landing, the bar and bearing off decides; the hot path of most games."""
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
    """The plain steps that the other rules of the game leave, each rule by itself."""
    limits = field.limits
    found = _list_plain_steps(field, state, occ, number)
    if limits.bearoff_early:
        found = _with_early_bearoffs(field, state, occ, number)
    if limits.first_checker:
        found = _keep_runner_only(state, occ, field.rules.checkers, found)
    if field.head_limit is not None:
        found = _apply_head_limit(field.head_limit, state, found)
    if limits.max_stack is not None:
        full = limits.max_stack
        found = [one for one in found if not one[0].target or state >> 4 * one[0].target & 15 < full]
    if limits.start_quarter_max is not None:
        most = limits.start_quarter_max
        found = [one for one in found if (one[2] & START_QUARTER).bit_count() <= most]
    if limits.avoids_blocks:
        found = _without_blocks(field, found)
    if limits.home_hit is not HomeHit.FREE:
        found = apply_home_hit_rule(limits.home_hit, state, found, pair=limits.home_hit_pair)
    return found


def _with_early_bearoffs(field: Field, state: int, occ: int, number: int) -> list[Successor]:
    """The plain steps and, with the rule waived, every bear-off that the number reaches."""
    found = [one for one in _list_plain_steps(field, state, occ, number) if one[0].target]
    if occ & field.limits.bar_bit:
        return found
    for source in range(number, 0, -1):
        if occ & BIT[source]:
            delta, _, _, shift, step, _ = field.limits.rows[number][source]
            after = state + delta
            found.append((step, after, occ if after >> shift & 15 else occ ^ BIT[source]))
    return found


def _keep_runner_only(state: int, occ: int, checkers: int, found: list[Successor]) -> list[Successor]:
    """Fevga: until one checker has passed the opponent's start, no second one may leave the head (9.1 a)."""
    if occ & PAST_OPPOSING_START or state & 15 or state >> 4 * HEAD & 15 == checkers:
        return found
    return [one for one in found if one[0].source != HEAD]


def _apply_head_limit(limit: int, state: int, found: list[Successor]) -> list[Successor]:
    """Counts the checkers that leave the head, and refuses the one too many (4.6)."""
    may_leave = state >> HEAD_SHIFT & 15 < limit
    return [
        (step, after + (1 << HEAD_SHIFT), occ) if step.source == HEAD else (step, after, occ)
        for step, after, occ in found
        if step.source != HEAD or may_leave
    ]


def _without_blocks(field: Field, found: list[Successor]) -> list[Successor]:
    """Refuses a step after which the board shows a forbidden six-block (4.7, `every_step`)."""
    direction = field.rules.direction
    if field.rules.contact is Contact.BLOCK:
        return [one for one in found if not six_blocks(one[2], direction) & field.blocks]
    return [one for one in found if not shows_block(field, one[1], one[2])]


def shows_block(field: Field, state: int, occ: int) -> bool:
    """Whether the board shows a six-block without an opposing checker ahead of it."""
    shown = six_blocks(occ, field.rules.direction)
    if not shown:
        return False
    opposing = list(field.opposing)
    hits = state >> HIT_SHIFT & HIT_MASK
    for point in POINTS:
        if hits >> point & 1:
            opposing[field.limits.across[point]] -= 1
            opposing[BAR] += 1
    return bool(shown & blocks_with_nobody_ahead(tuple(opposing), field.rules.direction))


def _keep_forced_bearoffs(field: Field, state: int, occ: int, number: int, others: Sequence[int]) -> list[Successor]:
    """Tavla: while any remaining number bears a checker off, the next step must be such a one (4.3)."""
    found = _list_restricted_steps(field, state, occ, number)
    bearoffs = [one for one in found if not one[0].target]
    if bearoffs:
        return bearoffs
    for other in set(others) - {number}:
        if any(not one[0].target for one in _list_restricted_steps(field, state, occ, other)):
            return []
    return found
