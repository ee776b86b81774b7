"""What a stage asks of every step: the limits of the ruleset, and the opponent's points as the mover meets them."""

from dataclasses import dataclass
from functools import lru_cache

from controller.rules.breach import NO_RULES, Rule
from controller.rules.player import BAR, POINTS, Player
from controller.rules.plays.head import head_limit_of
from controller.rules.plays.six_block import blocks_with_nobody_ahead
from controller.rules.position import Position, mask_occupied, unpack_counts
from controller.rules.ruleset import BearOff, Contact, HomeHit, Prime, PrimeCheck, Ruleset
from controller.rules.stages import Stage
from controller.rules.steps import (
    ALL_POINTS,
    BEARING_OFF,
    BIT,
    HEAD_SHIFT,
    HIT_MASK,
    HIT_SHIFT,
    HOME_BITS,
    NO_BEARING_OFF,
    POINTS_AND_BAR,
    SIDE_MASK,
    STEP_ROWS,
    Row,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a ruleset, less the rules that are waived, asks of a step. Made once for both (`limits_of`)."""

    waived: frozenset[Rule]
    rows: tuple[tuple[Row, ...], ...]
    across: tuple[int, ...]
    most_opposing: int  # opposing checkers on a point that do not close it
    takes_blots: bool
    bar_bit: int  # the bar, where its checkers go first; else 0
    max_stack: int | None
    start_quarter_max: int | None
    first_checker: bool
    forced_bearoff: bool
    bearoff_early: bool
    home_hit: HomeHit
    home_hit_pair: bool
    avoids_blocks: bool
    is_plain: bool


@lru_cache(maxsize=512)
def make_limits(rules: Ruleset, waived: frozenset[Rule] = NO_RULES) -> Limits:
    """The limits on a step under `rules` without the `waived` ones."""
    most_opposing = 15 if Rule.CLOSED_POINT in waived else 0 if rules.contact is Contact.BLOCK else 1
    max_stack = None if Rule.MAX_STACK in waived else rules.max_stack
    start_quarter_max = None if Rule.START_QUARTER in waived else rules.start_quarter_max
    first_checker = rules.first_checker_past and Rule.FIRST_CHECKER not in waived
    forced = rules.bearoff is BearOff.FORCED and Rule.FORCED_BEAROFF not in waived
    home_hit = HomeHit.FREE if Rule.HOME_HIT in waived else rules.home_hit
    early = Rule.BEAROFF_EARLY in waived
    return Limits(
        waived=waived,
        rows=STEP_ROWS[rules.contact is Contact.HIT],
        across=(0, *(rules.direction.across(point) for point in POINTS), 0, 0),
        most_opposing=most_opposing,
        takes_blots=rules.contact is not Contact.BLOCK,
        bar_bit=BIT[BAR] if rules.contact is Contact.HIT and Rule.BAR_FIRST not in waived else 0,
        max_stack=max_stack,
        start_quarter_max=start_quarter_max,
        first_checker=first_checker,
        forced_bearoff=forced,
        bearoff_early=early,
        home_hit=home_hit,
        home_hit_pair=rules.home_hit_pair and Rule.PAIR not in waived,
        avoids_blocks=_avoids_blocks_in_passing(rules, waived),
        is_plain=max_stack is None
        and start_quarter_max is None
        and home_hit is HomeHit.FREE
        and not (first_checker or forced or early),
    )


def _avoids_blocks_in_passing(rules: Ruleset, waived: frozenset[Rule]) -> bool:
    return (
        rules.prime is Prime.NEED_CHECKER_AHEAD
        and rules.prime_check is PrimeCheck.EVERY_STEP
        and Rule.PRIME not in waived
        and Rule.PRIME_IN_PASSING not in waived
    )


@dataclass(frozen=True, slots=True)
class Field:
    """What stays the same while the mover plays one stage, in the mover's own coordinates as bits."""

    before: Position
    mover: Player
    rules: Ruleset
    limits: Limits
    start: int  # state and occ before the first step
    start_occ: int
    landing: tuple[int, ...]  # by number: coordinates from which a step ends on an open point
    bearing_off: tuple[tuple[int, ...], ...]  # by number and occ below 128
    blots: int
    opposing: tuple[int, ...]  # counts along the opponent's path
    blocks: int  # six-blocks that may not be shown after a step (six_block.py)
    head_limit: int | None
    stuck: int  # own checkers that lie pinned
    is_plain: bool


def make_field(
    before: Position, mover: Player, stage: Stage, rules: Ruleset, waived: frozenset[Rule] = NO_RULES
) -> Field:
    """The field for `stage`, without the rules in `waived`."""
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
    # an opposing checker on top of a pinned one closes its point
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
    # bit 25 stands for both kinds of entering: a checker from the reserve (26) enters where one from the bar does
    return tuple([(mask | (mask & BIT[BAR]) << 1) & ~stuck for mask in sources])


def position_after(field: Field, state: int, occ: int) -> Position:
    """The position when the mover stops in `state`."""
    own = state & SIDE_MASK
    other = opposing_side_after(field, state >> HIT_SHIFT & HIT_MASK)
    pinned = 0
    if field.rules.contact is Contact.PIN:
        pinned = sum(BIT[field.limits.across[point]] for point in POINTS if field.blots & occ & BIT[point])
    if field.mover is Player.WHITE:
        return Position(own, other, field.stuck, pinned)
    return Position(other, own, pinned, field.stuck)


def opposing_side_after(field: Field, hits: int) -> int:
    """The opponent's packed side when his blots on the mover's points `hits` (bits) have gone to the bar."""
    side = field.before.side(field.mover.opponent)
    while hits:
        point = hits.bit_length() - 1
        hits ^= BIT[point]
        side += (1 << 4 * BAR) - (1 << 4 * field.limits.across[point])
    return side
