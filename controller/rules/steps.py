"""The step, and the packed state of the mover's side while steps are tried.

While a player moves, the opponent's points change only by hits. Everything that changes is packed into the `state`, one
integer:

    bits   0..107  the mover's counts, four bits for each own coordinate (position.py)
    bits 108..135  the points where he hit a blot in this stage
    bits 136..139  head checkers that left in this throw (only with a head limit)
    bits 140..163  home points 1..6: checkers held there by a hit in the own home (home_hit.py)

`occ`, the coordinates 1..26 that the mover holds, as bits, accompanies the state: it follows from the state but is needed
in every step. Equal states allow equal steps, so each state of a stage is expanded once.
"""

from dataclasses import dataclass

from controller.rules.player import BAR, OFF

SIDE_MASK = (1 << 108) - 1
HIT_SHIFT = 108
HIT_MASK = (1 << 28) - 1
RESULT_MASK = (1 << 136) - 1  # counts and hits: equal results are the same play
HEAD_SHIFT = 136
HELD_SHIFT = 136  # plus four for each home point, so that point 1 begins at bit 140
BIT = tuple(1 << coordinate for coordinate in range(27))
OUTSIDE_HOME = BIT[7]
HOME_BITS = OUTSIDE_HOME - 2
START_QUARTER = sum(BIT[19:25])
PAST_OPPOSING_START = sum(BIT[1:12])
ALL_POINTS = sum(BIT[1:25])
POINTS_AND_BAR = sum(BIT[1:26])


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved by one number along the mover's path; 25 is the bar, 26 the reserve, 0 borne off.

    `hits`: the step hits a blot, or pins it in pin games.
    """

    source: int
    target: int
    number: int
    hits: bool = False


Successor = tuple[Step, int, int]  # the step, the state and occ after it
Row = tuple[int, int, int, int, Step, Step]  # delta, delta with a hit, target bit, source shift, step, hitting step


def _make_row(source: int, number: int, hit_is_noted: bool) -> Row:
    target = max(min(source, BAR) - number, OFF)
    delta = (1 << 4 * target) - (1 << 4 * source)
    hit_delta = delta + (1 << HIT_SHIFT + target if hit_is_noted else 0)
    bit = BIT[target] if target else 0
    return delta, hit_delta, bit, 4 * source, Step(source, target, number), Step(source, target, number, hits=True)


STEP_ROWS = {
    noted: tuple(tuple(_make_row(source, number, noted) for source in range(27)) for number in range(7))
    for noted in (False, True)
}


def _find_bearable_coordinate(occ: int, number: int) -> int:
    """The coordinate, as a bit, from which `number` bears off when all of `occ` is home; 0 for none."""
    if occ & BIT[number]:
        return BIT[number]
    return BIT[occ.bit_length() - 1] if occ and occ < BIT[number] else 0


BEARING_OFF = tuple(tuple(_find_bearable_coordinate(occ, number) for occ in range(OUTSIDE_HOME)) for number in range(7))
NO_BEARING_OFF = ((0,) * OUTSIDE_HOME,) * 7
