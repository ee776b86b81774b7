"""Makes the field of a stage: reads the ruleset, without the rules that are waived, and the opponent's points."""

from functools import lru_cache

from controller.rules.player import BAR, POINTS, Player
from controller.rules.plays.field import Field, Limits
from controller.rules.plays.head import head_limit_of
from controller.rules.plays.six_block import blocks_with_nobody_ahead
from controller.rules.position import Position, mask_occupied, unpack_counts
from controller.rules.ruleset import BearOff, Contact, HomeHit, Prime, PrimeCheck, Ruleset
from controller.rules.rulings import NO_RULES, Rule
from controller.rules.stages import Stage
from controller.rules.steps import (
    ALL_POINTS,
    BEARING_OFF,
    BIT,
    HEAD_SHIFT,
    HOME_BITS,
    NO_BEARING_OFF,
    POINTS_AND_BAR,
    STEP_ROWS,
)


@lru_cache(maxsize=512)
def make_limits(rules: Ruleset, waived: frozenset[Rule] = NO_RULES) -> Limits:
    """Reads the limits on a step from `rules`, without the `waived` rules."""
    max_stack = None if Rule.MAX_STACK in waived else rules.max_stack
    start_quarter_max = None if Rule.START_QUARTER in waived else rules.start_quarter_max
    first_checker = rules.first_checker_past and Rule.FIRST_CHECKER not in waived
    forced = rules.bearoff is BearOff.FORCED and Rule.FORCED_BEAROFF not in waived
    home_hit = HomeHit.FREE if Rule.HOME_HIT in waived else rules.home_hit
    early = Rule.BEAROFF_EARLY in waived
    is_limited = max_stack is not None or start_quarter_max is not None or home_hit is not HomeHit.FREE
    return Limits(
        waived,
        rows=STEP_ROWS[rules.contact is Contact.HIT],
        across=(0, *(rules.direction.across(point) for point in POINTS), 0, 0),
        most_opposing=15 if Rule.CLOSED_POINT in waived else 0 if rules.contact is Contact.BLOCK else 1,
        takes_blots=rules.contact is not Contact.BLOCK,
        bar_bit=BIT[BAR] if rules.contact is Contact.HIT and Rule.BAR_FIRST not in waived else 0,
        max_stack=max_stack,
        start_quarter_max=start_quarter_max,
        first_checker=first_checker,
        forced_bearoff=forced,
        bearoff_early=early,
        home_hit=home_hit,
        home_hit_pair=rules.home_hit_pair and Rule.PAIR not in waived,
        avoids_blocks=rules.prime is Prime.NEED_CHECKER_AHEAD
        and rules.prime_check is PrimeCheck.EVERY_STEP
        and not waived & {Rule.PRIME, Rule.PRIME_IN_PASSING},
        is_plain=not (is_limited or first_checker or forced or early),
    )


def make_field(
    before: Position, mover: Player, stage: Stage, rules: Ruleset, waived: frozenset[Rule] = NO_RULES
) -> Field:
    """Computes the field of `stage`, without the `waived` rules."""
    limits = make_limits(rules, waived)
    side, stuck = before.side(mover), before.pinned_mask(mover)
    opposing = unpack_counts(before.side(mover.opponent))
    closed, blots = _find_closed_and_blots(opposing, stuck, limits)
    head_limit = head_limit_of(before, mover, stage, rules, waived) if rules.head_limit is not None else None
    blocks = blocks_with_nobody_ahead(opposing, rules.direction) if limits.avoids_blocks else 0
    held_back = stuck and rules.pinned_blocks_home and stuck & HOME_BITS
    return Field(
        before,
        mover,
        rules,
        limits,
        start=side if head_limit is None else side | stage.head_taken << HEAD_SHIFT,
        start_occ=mask_occupied(side),
        landing=_compute_landing(closed, stuck),
        bearing_off=NO_BEARING_OFF if held_back else BEARING_OFF,
        blots=blots,
        opposing=opposing,
        blocks=blocks,
        head_limit=head_limit,
        stuck=stuck,
        is_plain=limits.is_plain and head_limit is None and not blocks,
    )


def _find_closed_and_blots(opposing: tuple[int, ...], stuck: int, limits: Limits) -> tuple[int, int]:
    # An opposing checker on top of a pinned one closes the point to the pinned checker's side.
    closed, blots = (0 if Rule.CLOSED_POINT in limits.waived else stuck), 0
    most, across = limits.most_opposing, limits.across
    for point, count in enumerate(opposing):
        if not count or not 1 <= point <= 24:
            continue
        if count > most:
            closed |= BIT[across[point]]
        elif count == 1 and limits.takes_blots:
            blots |= BIT[across[point]]
    return closed, blots & ~stuck


def _compute_landing(closed: int, stuck: int) -> tuple[int, ...]:
    open_points = ALL_POINTS & ~closed
    sources = [open_points << number & POINTS_AND_BAR for number in range(7)]
    # Bit 25 stands for both ways of entering: a checker from the reserve (26) enters like one from the bar.
    return tuple([(mask | (mask & BIT[BAR]) << 1) & ~stuck for mask in sources])
