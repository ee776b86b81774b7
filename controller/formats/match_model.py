"""The model of a match that all formats share: games of turns, cube actions, resignations and entered boards.

Positions are position text (`rules/notation.py`). Names and remarks are unrestricted here; each writer makes them safe
for its own format.
"""

from dataclasses import dataclass, field
from enum import Enum

from controller.match import CubeAct, Occasion, Remark, SetUpCertified
from controller.match_log.turns import TurnRuling
from controller.rules import BadThrow, Player, ResultKind, Rule, Ruleset


@dataclass(frozen=True, slots=True)
class Attempt:
    """An illegal play that was taken back: its board, and the rules that it broke."""

    after: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A throw and the play that stands. `number` counts from 1 through the match, as `zarbiter log show` does.

    `roll` has two numbers, more if they were handed over, and none in games without dice. `play` is None if no legal
    play explains the board, `after` None if the board is unknown. `clause` is the reason why an illegal play stands.
    `event` is the number of the ruling in the log, from 1; 0 without a ruling.
    """

    number: int
    player: Player
    roll: tuple[int, ...]
    before: str
    after: str | None
    play: str | None
    ruling: TurnRuling
    rules: tuple[Rule, ...] = ()
    clause: str = ""
    taken_back: tuple[Attempt, ...] = ()
    bad_throws: tuple[tuple[BadThrow, ...], ...] = ()
    is_handed_over: bool = False
    rolled_ms: int = 0
    ruled_ms: int = 0
    event: int = 0

    @property
    def is_pass(self) -> bool:
        return self.after == self.before

    @property
    def dice(self) -> tuple[int, int] | None:
        """The first two numbers of the roll; None where they are not known or there are no dice."""
        return (self.roll[0], self.roll[1]) if len(self.roll) >= 2 else None


@dataclass(frozen=True, slots=True)
class CubeAction:
    """`value` is the cube after agreement: 2 for the first offer and its take; for a drop the present value."""

    player: Player | None
    act: CubeAct
    value: int


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to resign. `is_accepted` None: not answered yet."""

    player: Player
    kind: ResultKind
    is_accepted: bool | None = None


@dataclass(frozen=True, slots=True)
class BoardPut:
    """A board without a play: entered by a person or, with `is_seen`, taken as the camera saw it."""

    position: str
    is_seen: bool = False


GameAction = PlayedTurn | CubeAction | Resignation | BoardPut


def describe_board_put(put: BoardPut) -> str:
    """Who changed the board between two turns, in words."""
    return "play went on from the board as it was seen" if put.is_seen else "a person put the board right"


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """A roll that was not played."""

    player: Player
    roll: tuple[int, int]


class GameEnding(Enum):
    """How a game ended."""

    PLAYED_OUT = "played_out"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    REPORTED = "reported"  # known from a statement or the next score; the play does not show it


@dataclass(frozen=True, slots=True)
class GameResult:
    """`winner` None: a draw. `score` is White's and Black's after the game."""

    winner: Player | None
    kind: ResultKind
    points: int
    ending: GameEnding
    score: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlacedRemark:
    """A remark that follows the first `after` actions of a game; 0: it is about the game, more than all: about its result."""

    after: int
    remark: Remark


@dataclass(frozen=True, slots=True)
class GameHistory:
    """`score` is White's and Black's before the game. `result` None: unfinished. `starter` None: not decided yet.

    `openings` are the opening throws, White's die first. `remarks` stand in the order of their places.
    """

    number: int
    start: str
    score: tuple[int, int]
    is_crawford: bool = False
    starter: Player | None = None
    openings: tuple[tuple[int, int], ...] = ()
    turns: tuple[GameAction, ...] = ()
    thrown: PendingRoll | None = None
    result: GameResult | None = None
    remarks: tuple[PlacedRemark, ...] = ()

    def remarks_after(self, actions: int) -> tuple[Remark, ...]:
        """Those on the last of the first `actions` actions."""
        return tuple(one.remark for one in self.remarks if one.after == actions)

    @property
    def remarks_on_result(self) -> tuple[Remark, ...]:
        return tuple(one.remark for one in self.remarks if one.after > len(self.turns))

    @property
    def played_turns(self) -> tuple[PlayedTurn, ...]:
        return tuple(turn for turn in self.turns if isinstance(turn, PlayedTurn))


@dataclass(frozen=True, slots=True)
class MatchHistory:
    """`rules` None: Grasshopper. `length` None: money games. `score` is White's and Black's at the start of the log.

    `created_utc` is ISO 8601, empty if the time of the match is unknown. `out_of_time` is the player who lost the match
    on time. `remarks` are those on the whole match. `confirmed_by`: who has confirmed the last score. `set_up`: the last certificate.
    """

    match_id: str
    game: str
    rules: Ruleset | None
    white: str
    black: str
    length: int | None
    score: tuple[int, int] = (0, 0)
    games: tuple[GameHistory, ...] = ()
    winner: Player | None = None
    out_of_time: Player | None = None
    rules_toml: str | None = None
    profile: str = ""
    occasion: Occasion = field(default_factory=Occasion)
    created_utc: str = ""
    remarks: tuple[Remark, ...] = ()
    confirmed_by: frozenset[Player] = frozenset()
    set_up: SetUpCertified | None = None

    def player_name(self, player: Player) -> str:
        return self.white if player is Player.WHITE else self.black

    @property
    def final_score(self) -> tuple[int, int]:
        """The score after the last finished game."""
        results = [game.result for game in self.games if game.result is not None]
        return results[-1].score if results else self.score
