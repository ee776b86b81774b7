"""The parameters in which the games of the family differ, as data.

A `Ruleset` decides nothing: the generator, the judge, the cube and the score read it. A variant is a row of
`variants.py`, and a house variant is a row with some parameters changed (`house_rules.py`). Each field has the name of
the parameter in README.md, which explains every value.
"""

from dataclasses import dataclass, field
from enum import Enum

from controller.rules.player import RESERVE, Direction


class Contact(Enum):
    """What happens where the armies meet: a blot is hit, the point is blocked, or a blot is pinned."""

    HIT = "hit"
    BLOCK = "block"
    PIN = "pin"


class Opening(Enum):
    """Which dice the starter plays: those of the opening throw, or two dice thrown again."""

    OPENING_DICE = "opening_dice"
    REROLL = "reroll"


class DiceUse(Enum):
    """How many numbers must be played (README, Duty to use the numbers)."""

    MAX = "max"
    NONEMPTY = "nonempty"
    GREEDY = "greedy"
    FREE = "free"


class HeadException(Enum):
    """When a second head checker may leave on the player's first own roll (README, The head)."""

    NONE = "none"
    HEAD_BLOCKED = "head_blocked"
    LIST_ONLY = "list_only"
    CANNOT_COMPLETE = "cannot_complete"


class Prime(Enum):
    """Which six-block is forbidden (README, The six-block)."""

    NONE = "none"
    NEED_CHECKER_AHEAD = "need_checker_ahead"
    OPPONENT_MUST_HAVE_MOVE = "opponent_must_have_move"


class PrimeCheck(Enum):
    """Whether every step or only the final board is tested for a six-block."""

    EVERY_STEP = "every_step"
    FINAL_ONLY = "final_only"


class HomeHit(Enum):
    """What a checker that hit in the mover's own home may still do in this turn (README, Hits in the own home)."""

    FREE = "free"
    NO_RUN = "no_run"
    NO_BEAROFF = "no_bearoff"
    NO_HIDE = "no_hide"


class BearOff(Enum):
    """Whether a checker that can be borne off must be borne off (tavla)."""

    STANDARD = "standard"
    FORCED = "forced"


class Doubles(Enum):
    """A double gives four equal numbers, or a cascade: one rank after the other up to the sixes."""

    FOUR = "four"
    CASCADE = "cascade"


class Scope(Enum):
    """Whose rolls `ordinary_rolls` counts."""

    GAME = "game"
    PLAYER = "player"


class Transfer(Enum):
    """Which unplayed numbers go to the opponent."""

    NONE = "none"
    ALL = "all"
    CASCADE = "cascade"


class Goal(Enum):
    """Whether the first player to bear off everything wins or loses."""

    FIRST_OFF_WINS = "first_off_wins"
    FIRST_OFF_LOSES = "first_off_loses"


class DiceHalf(Enum):
    """The half of the board in which a throw must lie."""

    ANY = "any"
    RIGHT = "right"


class DiceOnChecker(Enum):
    """Whether a die that lies flat on checkers counts (it does under the USBGF Rules of Backgammon 2021)."""

    RETHROW = "rethrow"
    VALID = "valid"


def _within(low: int, high: int, default: int) -> int:
    """An integer field with its allowed range, which `house_rules` checks."""
    value: int = field(default=default, metadata={"low": low, "high": high})
    return value


def _within_or_none(low: int, high: int) -> int | None:
    value: int | None = field(default=None, metadata={"low": low, "high": high})
    return value


BACKGAMMON_START = ((24, 2), (13, 5), (8, 3), (6, 5))


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game; the defaults are backgammon.

    `start` holds pairs of (own point, checkers) with falling points; 26 is the reserve. A limit of None is no limit.
    """

    name: str
    direction: Direction = Direction.CONTRARY
    contact: Contact = Contact.HIT
    checkers: int = _within(1, 15, 15)
    start: tuple[tuple[int, int], ...] = BACKGAMMON_START
    opening: Opening = Opening.OPENING_DICE
    winner_starts: bool = False
    dice_use: DiceUse = DiceUse.MAX
    larger_die: bool = True
    max_stack: int | None = _within_or_none(1, 15)
    head_limit: int | None = _within_or_none(1, 15)
    head_exception: HeadException = HeadException.NONE
    prime: Prime = Prime.NONE
    prime_check: PrimeCheck = PrimeCheck.EVERY_STEP
    home_hit: HomeHit = HomeHit.FREE
    home_hit_pair: bool = True
    bearoff: BearOff = BearOff.STANDARD
    doubles: Doubles = Doubles.FOUR
    cascade_count: int = _within(1, 4, 4)
    ordinary_rolls: int = _within(0, 1000, 0)
    ordinary_rolls_scope: Scope = Scope.GAME
    transfer: Transfer = Transfer.NONE
    bonus_roll: bool = False
    first_checker_past: bool = False
    start_quarter_max: int | None = _within_or_none(1, 5)
    unblock_last_stack: bool = False
    mother: bool = False
    pinned_blocks_home: bool = False
    goal: Goal = Goal.FIRST_OFF_WINS
    scoring: str = field(
        default="usbgf",
        metadata={"choices": ("usbgf", "lithuanian", "stakes002", "long", "fsnr", "two", "one", "article000")},
    )
    cube: bool = True
    raise_by: str = field(default="double", metadata={"choices": ("double", "one")})
    cap: int | None = _within_or_none(2, 1 << 20)
    beaver: bool = False
    auto_limit: int = _within(0, 20, 0)
    jacoby: bool = False
    unit: str = field(default="game", metadata={"choices": ("game", "checker", "checker_home")})
    drop_pays: str = field(default="present", metadata={"choices": ("present", "initial")})
    match_unit: str = field(default="points", metadata={"choices": ("points", "wins")})
    white_head: int = field(default=12, metadata={"choices": (12, 24)})
    sense: str = field(default="ccw", metadata={"choices": ("ccw", "cw")})
    dice_half: DiceHalf = DiceHalf.ANY
    dice_on_checker: DiceOnChecker = DiceOnChecker.RETHROW
    dice_together: bool = False
    entry_blocked_by_walls: bool = False

    def __hash__(self) -> int:
        # Rulesets are keys of caches on the hot path, and the name distinguishes nearly all of them.
        return hash(self.name)

    @property
    def has_reserve(self) -> bool:
        """Whether checkers start off the board (backgammon race)."""
        return any(point == RESERVE for point, _ in self.start)
