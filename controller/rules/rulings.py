"""What the judge says about a turn, and the rules that can stand against a play.

The order of `Rule` is the order of decisiveness: of several rules that stand against a play the first one decides. A set
of rules can be *waived* for the generator; so the judge finds out which rule alone stood in the way.
"""

from dataclasses import dataclass
from enum import Enum

from controller.rules.position import Position
from controller.rules.stages import Follow
from controller.rules.steps import Step


class Rule(Enum):
    """A rule, by the name that players and files use for its breach."""

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
    """One rule that stands against a play, with a sentence for the players."""

    rule: Rule
    sentence: str


NO_RULES: frozenset[Rule] = frozenset()


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal turn: one way to play it, the position after it, and what comes next."""

    steps: tuple[Step, ...]
    after: Position
    follow: Follow


@dataclass(frozen=True, slots=True)
class Illegal:
    """An illegal turn: every rule that stands against it, the decisive one first."""

    breaches: tuple[Breach, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(breach.rule for breach in self.breaches)


@dataclass(frozen=True, slots=True)
class Undecided:
    """No ruling: the turn has too many possible plays to search. `sentence` says what helps."""

    sentence: str


Ruling = Legal | Illegal | Undecided
