"""The names of the rules that can stand against a play.

The order is the one in which the decisive rule is chosen when several stand against a play at once. A set of rules can
be *waived* for the generator: that is how the judge finds out which rule alone stood in the way.
"""

from dataclasses import dataclass
from enum import Enum


class Rule(Enum):
    """A rule by the name players and files use for its breach."""

    MUST_PLAY_MORE = "must_play_more"
    MUST_PLAY_ONE = "must_play_one"
    LARGER_DIE = "larger_die"
    BAR_FIRST = "bar_first"
    HEAD = "head"
    HEAD_EXCEPTION = "head_exception"
    PRIME = "prime"
    PRIME_IN_PASSING = "prime_in_passing"
    HOME_HIT = "home_hit"
    PAIR = "pair"
    FORCED_BEAROFF = "forced_bearoff"
    MAX_STACK = "max_stack"
    FIRST_CHECKER = "first_checker"
    START_QUARTER = "start_quarter"
    UNBLOCK = "unblock"
    WRONG_NUMBERS = "wrong_numbers"
    CLOSED_POINT = "closed_point"
    BEAROFF_EARLY = "bearoff_early"
    HIT_NOT_ON_BAR = "hit_not_on_bar"
    CHECKER_MISSING = "checker_missing"
    CHECKER_EXTRA = "checker_extra"
    MOVED_BACKWARDS = "moved_backwards"
    OPPONENT_MOVED = "opponent_moved"


@dataclass(frozen=True, slots=True)
class Breach:
    """One rule that stands against a play, and a sentence that a player understands."""

    rule: Rule
    sentence: str


NO_RULES: frozenset[Rule] = frozenset()
