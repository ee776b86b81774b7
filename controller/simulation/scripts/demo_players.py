"""The players of the demo: a simple evaluation with some randomness, so that a game looks like a game.

They play weakly. Scores are integers and randomness comes only from `Random.random()`, whose sequence for a seed Python
guarantees, so that a seed gives the same game on every machine.
"""

from dataclasses import dataclass
from random import Random

from controller.rules import BAR, OFF, POINTS, RESERVE, Contact, Goal, Play, Player, Position, Ruleset
from controller.rules.grasshopper.game import Action, ActionKind, State, quadrant

_JITTER = 8  # a play this many points below the best can still be chosen


@dataclass(frozen=True, slots=True)
class SeededDice:
    """One die; each call throws it."""

    chance: Random

    def __call__(self) -> int:
        return 1 + int(self.chance.random() * 6)


@dataclass(frozen=True, slots=True)
class DemoPlayer:
    """Chooses among legal plays: makes points, covers blots, hits, spreads from the head, runs and bears off."""

    rules: Ruleset
    chance: Random

    def __call__(self, before: Position, mover: Player, plays: tuple[Play, ...]) -> Play:
        del before  # all plays begin there, so only their results differ
        if len(plays) == 1:
            return plays[0]
        # where last off wins, two players who both stay behind would do so for a thousand turns: play at random
        weight = 1 if self.rules.goal is Goal.FIRST_OFF_WINS else 0
        scores = [
            weight * _score_position(play.after, mover, self.rules) + int(self.chance.random() * _JITTER)
            for play in plays
        ]
        return plays[scores.index(max(scores))]


def _score_position(position: Position, mover: Player, rules: Ruleset) -> int:
    own, other = position.counts(mover), position.counts(mover.opponent)
    score = 12 * own[OFF] - 2 * position.pips(mover) + 30 * other[BAR] - 10 * own[RESERVE]
    across = rules.direction.across
    if rules.contact is Contact.BLOCK:
        held = sum(1 for point in POINTS if own[point])
        return score + 5 * held - 3 * own[24] + 4 * sum(1 for point in range(13, 19) if own[point])
    enemies = [across(point) for point in POINTS if other[point]] + ([0] if other[BAR] + other[RESERVE] else [])
    for point in POINTS:
        score -= 3 * max(0, own[point] - 3)  # tall stacks are useless
        if own[point] == 2 or own[point] == 3:
            score += 9 if point <= 7 else 5
        elif own[point] == 1:
            shots = sum(2 if point - enemy <= 6 else 1 for enemy in enemies if 0 < point - enemy <= 11)
            score -= shots * (3 if point >= 13 else 5)
    return score + 20 * position.pinned_mask(mover.opponent).bit_count()


@dataclass(frozen=True, slots=True)
class DemoGrasshopperPlayer:
    """Scores if possible, else builds walls, else moves some piece."""

    chance: Random

    def __call__(self, state: State, possible: tuple[Action, ...]) -> Action:
        scores = [_score_action(state, action) + int(self.chance.random() * _JITTER) for action in possible]
        return possible[scores.index(max(scores))]


def _score_action(state: State, action: Action) -> int:
    if action.kind is ActionKind.BEAROFF:
        return 100
    if action.kind is ActionKind.WALL:
        return 15 + 10 * quadrant(action.target)
    ahead = state.at(action.target + 6) if action.target <= 18 else None
    return 8 if ahead is not None and ahead.count(state.to_act) == 1 else 0
