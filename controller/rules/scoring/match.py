"""A match or a series of money games: score, Crawford game, starter, and the cube rules of the next game."""

from dataclasses import dataclass, replace
from enum import Enum

from controller.rules.player import Player
from controller.rules.ruleset import Ruleset
from controller.rules.scoring.cube import CubeRules


class MatchUnit(Enum):
    """What is counted up to the target: points, or won games."""

    POINTS = "points"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How a match is played; `target` None means money games, without end and without Crawford.

    `money_options` allows Jacoby, beavers and automatic doubles in a match too.
    """

    target: int | None = None
    crawford: bool = True
    unit: MatchUnit = MatchUnit.POINTS
    winner_starts: bool = False
    money_options: bool = False

    @classmethod
    def of(cls, ruleset: Ruleset | None, target: int | None, *, crawford: bool = True) -> "MatchRules":
        """The match rules of a game; None stands for Grasshopper, which has no match options."""
        if ruleset is None:
            return cls(target, crawford)
        return cls(target, crawford, MatchUnit(ruleset.match_unit), winner_starts=ruleset.winner_starts)


@dataclass(frozen=True, slots=True)
class Match:
    """The score between two games."""

    white: int = 0
    black: int = 0
    crawford_played: bool = False
    games: int = 0
    last_winner: Player | None = None

    @property
    def score(self) -> tuple[int, int]:
        """White's and Black's points; they may exceed the target, because the last game counts in full."""
        return self.white, self.black


def find_match_winner(match: Match, rules: MatchRules) -> Player | None:
    if rules.target is None:
        return None
    if match.white >= rules.target:
        return Player.WHITE
    return Player.BLACK if match.black >= rules.target else None


def is_crawford(match: Match, rules: MatchRules) -> bool:
    """Whether the next game is the Crawford game: the first game that starts with a player at target - 1."""
    if not rules.crawford or rules.target is None or match.crawford_played or find_match_winner(match, rules):
        return False
    return max(match.score) == rules.target - 1


def add_game(match: Match, won_by: Player | None, points: int, rules: MatchRules) -> Match:
    """The match after one more game; `won_by` None is a draw, which gives no points."""
    gained = 1 if rules.unit is MatchUnit.WINS else points
    return replace(
        match,
        white=match.white + (gained if won_by is Player.WHITE else 0),
        black=match.black + (gained if won_by is Player.BLACK else 0),
        crawford_played=match.crawford_played or is_crawford(match, rules),
        games=match.games + 1,
        last_winner=won_by or match.last_winner,
    )


def next_starter(match: Match, rules: MatchRules) -> Player | None:
    """Who starts the next game; None if the opening throw decides. After a draw the last winner starts again."""
    return match.last_winner if rules.winner_starts else None


def is_jacoby_in_force(ruleset: Ruleset, rules: MatchRules) -> bool:
    """Whether the Jacoby rule applies: if it is agreed, and in a match only with `money_options`."""
    return ruleset.jacoby and _money_options_hold(rules)


def cube_rules(ruleset: Ruleset, match: Match, rules: MatchRules) -> CubeRules:
    """The cube rules of the next game of the match."""
    cube = replace(CubeRules.of(ruleset), crawford_game=is_crawford(match, rules))
    return cube if _money_options_hold(rules) else replace(cube, beaver=False, auto_limit=0)


def _money_options_hold(rules: MatchRules) -> bool:
    return rules.target is None or rules.money_options
