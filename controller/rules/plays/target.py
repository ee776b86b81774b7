"""A board to search for, and the test whether a state can still become that board.

Checkers only move down their path. Therefore, for every k, the final board has at least as many checkers on the
coordinates 0..k as any state before it. With four bits a coordinate and at most fifteen checkers, one multiplication
computes all 27 of these sums, and two subtractions compare them.
"""

from dataclasses import dataclass

from controller.rules.steps import HIT_MASK, HIT_SHIFT, RESULT_MASK, SIDE_MASK

_ONES = int("1" * 27, 16)
_EVEN_DIGITS = int("0f" * 14, 16)
_GUARDS = int("10" * 14, 16)


def cumulate_counts(side: int) -> int:
    """For each coordinate, in four bits, the number of checkers on it and on all lower coordinates."""
    return side * _ONES & SIDE_MASK


def is_level_or_ahead(later: int, earlier: int) -> bool:
    """Whether no checker moved backwards between two cumulative counts of the same army."""
    even = (later & _EVEN_DIGITS | _GUARDS) - (earlier & _EVEN_DIGITS)
    odd = (later >> 4 & _EVEN_DIGITS | _GUARDS) - (earlier >> 4 & _EVEN_DIGITS)
    return even & odd & _GUARDS == _GUARDS


@dataclass(frozen=True, slots=True)
class Target:
    """The mover's side at the end, and the points where blots were hit."""

    result: int  # side and hits, as a state carries them
    cumulative: int
    hits: int

    @classmethod
    def of(cls, side: int, hits: int = 0) -> "Target":
        return cls(side | hits << HIT_SHIFT, cumulate_counts(side), hits)

    def may_follow(self, state: int) -> bool:
        """Whether the state has no other hit and no checker too far down the path; necessary, not sufficient."""
        if state >> HIT_SHIFT & HIT_MASK & ~self.hits:
            return False
        return is_level_or_ahead(self.cumulative, cumulate_counts(state & SIDE_MASK))

    def is_reached_by(self, state: int) -> bool:
        return state & RESULT_MASK == self.result
