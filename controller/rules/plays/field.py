"""The field of one stage: the limits of the ruleset, and the opponent's points as the mover meets them.

A `Field` is computed once for a stage (`make_field.py`) and read by every step that is tried. All masks are bits by the
mover's own coordinate.
"""

from dataclasses import dataclass

from controller.rules.player import BAR, POINTS, Player
from controller.rules.position import Position
from controller.rules.ruleset import Contact, HomeHit, Ruleset
from controller.rules.rulings import Rule
from controller.rules.steps import BIT, HIT_MASK, HIT_SHIFT, SIDE_MASK, Row


@dataclass(frozen=True, slots=True)
class Limits:
    """What a ruleset without the waived rules demands of a step; computed once for each pair (`make_limits`)."""

    waived: frozenset[Rule]
    rows: tuple[tuple[Row, ...], ...]
    across: tuple[int, ...]
    most_opposing: int  # the number of opposing checkers up to which a point is open
    takes_blots: bool
    bar_bit: int  # the bar if its checkers must move first, else 0
    max_stack: int | None
    start_quarter_max: int | None
    first_checker: bool
    forced_bearoff: bool
    bearoff_early: bool
    home_hit: HomeHit
    home_hit_pair: bool
    avoids_blocks: bool
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that stays constant while the mover plays one stage; masks are bits by the mover's own coordinate."""

    before: Position
    mover: Player
    rules: Ruleset
    limits: Limits
    start: int  # state and occ before the first step
    start_occ: int
    landing: tuple[int, ...]  # by number: the coordinates from which a step ends on an open point
    bearing_off: tuple[tuple[int, ...], ...]  # by number and occ below 128
    blots: int
    opposing: tuple[int, ...]  # counts along the opponent's path
    blocks: int  # the six-blocks that are forbidden after a step (six_block.py)
    head_limit: int | None
    stuck: int  # the own checkers that lie pinned
    is_plain: bool


def position_after(field: Field, state: int, occ: int) -> Position:
    """The position if the mover stops in `state`."""
    own = state & SIDE_MASK
    other = opposing_side_after(field, state >> HIT_SHIFT & HIT_MASK)
    pinned = 0
    if field.rules.contact is Contact.PIN:
        pinned = sum(BIT[field.limits.across[point]] for point in POINTS if field.blots & occ & BIT[point])
    if field.mover is Player.WHITE:
        return Position(own, other, field.stuck, pinned)
    return Position(other, own, pinned, field.stuck)


def opposing_side_after(field: Field, hits: int) -> int:
    """The opponent's packed side after his blots on the mover's points `hits` (bits) have gone to the bar."""
    side = field.before.side(field.mover.opponent)
    while hits:
        point = hits.bit_length() - 1
        hits ^= BIT[point]
        side += (1 << 4 * BAR) - (1 << 4 * field.limits.across[point])
    return side
