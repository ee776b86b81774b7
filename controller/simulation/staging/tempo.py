"""How fast people play: spans of time from which each duration is drawn."""

from dataclasses import dataclass
from random import Random

Span = tuple[int, int]  # least and most ms


@dataclass(frozen=True, slots=True)
class Tempo:
    """Spans in ms. The defaults are those of quick players, so that a film needs few frames."""

    rolls: Span = (400, 900)
    reads_dice: Span = (1100, 1800)  # dice at rest before a hand comes; the referee needs half a second of it
    reaches: Span = (200, 350)  # a hand from its edge to the board, or back
    carries: Span = (250, 500)  # one checker
    hovers: Span = (1500, 4000)  # an undecided player with a checker in his hand
    between: Span = (150, 600)  # from one checker to the next, with the hand over the board
    rests_between: Span = (900, 1600)  # between two checkers, with the hand away
    before_lifting: Span = (600, 1200)
    before_throw: Span = (900, 1600)  # from the end of a turn, with the table at rest
    before_throwing_again: Span = (700, 1200)
    before_correcting: Span = (4700, 5600)  # time for the referee to rule or to ask
    after_correcting: Span = (900, 1600)
    waits_for_a_die: Span = (4200, 4800)  # a throw of which one die is missing
    lies_still: Span = (3800, 4600)  # ends a turn in a game without dice


BRISK = Tempo()


def draw_ms(span: Span, chance: Random) -> int:
    low, high = span
    return low + int(chance.random() * (high - low))
