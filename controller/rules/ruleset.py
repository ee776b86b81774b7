"""What sets one game of the family apart from another: one row of the table in rules.md 2, as data.

A `Ruleset` decides nothing. The generator, the judge, the cube and the score read it; a variant is a row of
`variants.py`, and a house variant is a row with some cells changed (`house_rules.py`). The class is wide because the
table is: every column and every named option of rules.md 12 is one field, under the name the table uses.
"""

from dataclasses import dataclass, field
from enum import Enum

from controller.rules.player import RESERVE, Direction


class Contact(Enum):
    """What happens where the armies meet (rules.md 3.2, Landing)."""

    HIT = "hit"
    BLOCK = "block"
    PIN = "pin"


class Opening(Enum):
    """Which dice the starter plays: the two just thrown, or both thrown anew (4.1)."""

    OPENING_DICE = "opening_dice"
    REROLL = "reroll"


class DiceUse(Enum):
    """How many numbers must be played (3.3)."""

    MAX = "max"
    NONEMPTY = "nonempty"
    GREEDY = "greedy"
    FREE = "free"


class HeadException(Enum):
    """When a second head checker may leave on the first own roll (4.6)."""

    NONE = "none"
    HEAD_BLOCKED = "head_blocked"
    LIST_ONLY = "list_only"
    CANNOT_COMPLETE = "cannot_complete"


class Prime(Enum):
    """Which six-block is forbidden (4.7)."""

    NONE = "none"
    NEED_CHECKER_AHEAD = "need_checker_ahead"
    OPPONENT_MUST_HAVE_MOVE = "opponent_must_have_move"


class PrimeCheck(Enum):
    """When the six-block is looked for (4.7)."""

    EVERY_STEP = "every_step"
    FINAL_ONLY = "final_only"


class HomeHit(Enum):
    """What a checker that hit in the mover's own home may still do in this turn (4.3 to 4.5)."""

    FREE = "free"
    NO_RUN = "no_run"
    NO_BEAROFF = "no_bearoff"
    NO_HIDE = "no_hide"


class BearOff(Enum):
    """Whether a checker that can be borne off must be (4.3)."""

    STANDARD = "standard"
    FORCED = "forced"


class Doubles(Enum):
    """A double is four equal numbers, or one rank after the other up to the sixes (3.1)."""

    FOUR = "four"
    CASCADE = "cascade"


class Scope(Enum):
    """Whose rolls `ordinary_rolls` counts (3.1)."""

    GAME = "game"
    PLAYER = "player"


class Transfer(Enum):
    """Which unplayed numbers go to the opponent (3.1)."""

    NONE = "none"
    ALL = "all"
    CASCADE = "cascade"


class Goal(Enum):
    """What bearing off everything first means."""

    FIRST_OFF_WINS = "first_off_wins"
    FIRST_OFF_LOSES = "first_off_loses"


class DiceHalf(Enum):
    """The half of the board a throw must lie in (7)."""

    ANY = "any"
    RIGHT = "right"


class DiceOnChecker(Enum):
    """Whether a die lying flat on checkers counts (7; the USBGF says it does)."""

    RETHROW = "rethrow"
    VALID = "valid"


def _within(low: int, high: int, default: int) -> int:
    """A whole number with its allowed range, which `house_rules` reads."""
    value: int = field(default=default, metadata={"low": low, "high": high})
    return value


def _within_or_none(low: int, high: int) -> int | None:
    value: int | None = field(default=None, metadata={"low": low, "high": high})
    return value


BACKGAMMON_START = ((24, 2), (13, 5), (8, 3), (6, 5))


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game. The defaults are the first column of rules.md 2, backgammon.

    `start` holds pairs of (own point, checkers), falling; 26 is the reserve. `None` in a limit means no limit.
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
        # rulesets are keys of caches on the hot path; the name tells nearly all of them apart
        return hash(self.name)

    @property
    def has_reserve(self) -> bool:
        """Whether checkers wait off the board before they enter (race games)."""
        return any(point == RESERVE for point, _ in self.start)
