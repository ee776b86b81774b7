"""How fast people play: spans of time, from which chance takes one each time."""

from dataclasses import dataclass
from random import Random

Span = tuple[int, int]  # least and most ms


@dataclass(frozen=True, slots=True)
class Tempo:
    """All in ms. The defaults are those of quick players, so that many turns fit into few frames."""

    rolls: Span = (400, 900)
    reads_dice: Span = (1100, 1800)  # dice at rest before a hand comes; the rest rule takes half a second of it
    reaches: Span = (200, 350)  # a hand from its edge to the board, or back
    carries: Span = (250, 500)  # one checker
    hovers: Span = (1500, 4000)  # of a player who cannot make up his mind, the checker in his hand
    between: Span = (150, 600)  # from one checker to the next, the hand still over the board
    rests_between: Span = (900, 1600)  # now and then the hand goes away in between
    before_lifting: Span = (600, 1200)
    before_throw: Span = (900, 1600)  # from the end of a turn; the table rests in it
    before_throwing_again: Span = (700, 1200)
    before_correcting: Span = (4700, 5600)  # the referee is heard first, also where he has to ask
    after_correcting: Span = (900, 1600)
    waits_for_a_die: Span = (4200, 4800)  # a throw of which one die is missing
    lies_still: Span = (3800, 4600)  # what ends a turn in a game without dice


BRISK = Tempo()


def draw_ms(span: Span, chance: Random) -> int:
    low, high = span
    return low + int(chance.random() * (high - low))
