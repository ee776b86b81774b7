"""What a finished game is worth: the kind of win, and its points under a scheme (README, Scoring)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from controller.rules.errors import RulesetError, suggest
from controller.rules.player import BAR, HOME, OFF, Direction, Player
from controller.rules.ruleset import Goal
from controller.rules.scoring.cube import Drop

Counts = tuple[int, ...]  # 27 counts by own coordinate: 0 borne off, 1..24 points, 25 bar, 26 reserve

ANTI_DRAW_TURNS = 500  # of each player (itsyourturn.com, Anti Backgammon)


class ResultKind(Enum):
    """How a game ended. The first five kinds depend on the loser's checkers; the first one that fits counts."""

    KOKS_UNMOVED = "koks_unmoved"
    KOKS = "koks"
    HOME_MARS = "home_mars"
    MARS = "mars"
    SINGLE = "single"
    MOTHER = "mother"
    DRAW = "draw"


class StakeUnit(Enum):
    """What the stake is paid for: the game, each checker not borne off, or each checker still in the home."""

    GAME = "game"
    CHECKER = "checker"
    CHECKER_HOME = "checker_home"


@dataclass(frozen=True, slots=True)
class Scheme:
    """Multipliers of the kinds that a tradition knows; an unknown kind counts as the next kind that fits."""

    name: str
    single: int = 1
    mars: int | None = None
    koks: int | None = None
    home_mars: int | None = None
    koks_unmoved: int | None = None

    def multiplier(self, kind: ResultKind) -> int | None:
        """The multiplier of a kind, None if it is unknown; mother and draw are the same under every scheme."""
        return {
            ResultKind.KOKS_UNMOVED: self.koks_unmoved,
            ResultKind.KOKS: self.koks,
            ResultKind.HOME_MARS: self.home_mars,
            ResultKind.MARS: self.mars,
            ResultKind.SINGLE: self.single,
            ResultKind.MOTHER: 2,
            ResultKind.DRAW: 0,
        }[kind]


# README, Scoring, has the source of each row.
SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        scheme.name: scheme
        for scheme in (
            Scheme("usbgf", mars=2, koks=3),
            Scheme("lithuanian", mars=2, koks=4),
            Scheme("stakes002", mars=2, koks=3, home_mars=4),
            Scheme("long", mars=2, home_mars=3),
            Scheme("fsnr", mars=2),
            Scheme("two", mars=2),
            Scheme("one"),
            Scheme("article000", mars=2, home_mars=3, koks_unmoved=3),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the game is played for. `cube_turned`: by an accepted double; automatic doubles do not count."""

    cube: int = 1
    cube_turned: bool = False
    stake: int = 1
    jacoby: bool = False
    unit: StakeUnit = StakeUnit.GAME


def get_scheme(name: str) -> Scheme:
    """The scheme of a name; raises RulesetError, which lists the names."""
    if name not in SCHEMES:
        raise RulesetError((f"scoring: unknown scheme {name!r}; {suggest(name, SCHEMES)}",))
    return SCHEMES[name]


def win_kind(scheme: Scheme, direction: Direction, loser: Counts) -> ResultKind:
    """The first kind that the scheme knows and that fits the loser's checkers; pinned checkers count where they stand."""
    # Every scheme knows `single`, and it always fits.
    return next(kind for kind in ResultKind if scheme.multiplier(kind) is not None and _fits(kind, direction, loser))


def points_for_win(kind: ResultKind, scheme: Scheme, loser: Counts, stakes: Stakes) -> int:
    """The points of the winner; raises RulesetError for a kind that the scheme does not know."""
    multiplier = scheme.multiplier(kind)
    if multiplier is None:
        raise RulesetError((f"scoring: scheme {scheme.name!r} has no {kind.value}; ask win_kind() for the kind",))
    if kind is ResultKind.DRAW:
        return 0
    if stakes.unit is StakeUnit.CHECKER:
        multiplier = sum(loser) - loser[OFF]
    elif stakes.unit is StakeUnit.CHECKER_HOME:
        multiplier = sum(loser[point] for point in HOME)
    elif stakes.jacoby and not stakes.cube_turned:
        multiplier = 1
    return multiplier * stakes.cube * stakes.stake


def points_for_drop(drop: Drop, stake: int = 1) -> int:
    """The points for a refused raise: the value that the cube ruling names, whatever the checkers show."""
    return drop.points * stake


def winner_when_off(first_off: Player, goal: Goal) -> Player:
    """Who wins after `first_off` has borne off his last checker; in anti-backgammon the opponent wins."""
    return first_off if goal is Goal.FIRST_OFF_WINS else first_off.opponent


def is_anti_draw(goal: Goal, white_turns: int, black_turns: int) -> bool:
    """Whether anti-backgammon is a draw because both players have had 500 turns."""
    return goal is Goal.FIRST_OFF_LOSES and min(white_turns, black_turns) >= ANTI_DRAW_TURNS


def _fits(kind: ResultKind, direction: Direction, loser: Counts) -> bool:
    if kind is ResultKind.SINGLE:
        return True
    if kind in (ResultKind.MOTHER, ResultKind.DRAW) or loser[OFF]:
        return False
    if kind is ResultKind.KOKS_UNMOVED:
        return loser[24] > 0
    if kind is ResultKind.KOKS:
        winners_home = (direction.across(point) for point in HOME)
        return loser[BAR] > 0 or any(loser[point] for point in winners_home)
    if kind is ResultKind.HOME_MARS:
        return sum(loser[point] for point in HOME) == sum(loser)
    return True
