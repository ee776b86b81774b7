"""One moment of a match: everything that a position text of another program contains."""

from dataclasses import dataclass
from enum import Enum

from controller.rules import Player, Side

PointCounts = tuple[int, ...]  # 25 numbers along the own path: points 1 to 24, then the bar
_CHECKERS = 15  # of each player


def make_side(counts: PointCounts) -> Side:
    """The side with these counts; the checkers missing to fifteen are off."""
    return Side(max(_CHECKERS - sum(counts), 0), counts[:24], counts[24])


class GameState(Enum):
    """The state of a game, with the numbers of GNU Backgammon's match id."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class MatchState:
    """White is GNU Backgammon's player 0 and the lowercase player of an XGID.

    `length` 0: money. `dice` None: not thrown. `resigned`: 0, or an offered resignation of 1, 2 or 3. `decides` differs
    from `on_roll` while an offer waits for its answer. `doubled` with `decides` on roll: a beaver waits for its answer.
    Only an XGID contains `beavers`.
    """

    white: PointCounts
    black: PointCounts
    on_roll: Player
    decides: Player
    dice: tuple[int, int] | None = None
    cube: int = 1
    owner: Player | None = None
    score: tuple[int, int] = (0, 0)
    length: int = 0
    is_crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    doubled: bool = False
    resigned: int = 0
    state: GameState = GameState.PLAYING

    def point_counts(self, player: Player) -> PointCounts:
        return self.white if player is Player.WHITE else self.black


class IdTextError(ValueError):
    """Text that is no id; the message is one sentence."""
