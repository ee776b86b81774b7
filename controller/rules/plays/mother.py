"""Plakoto's mother: the last checker on a player's own start point."""

from controller.rules.player import Player
from controller.rules.plays.head import HEAD
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset


def find_caught_mothers(position: Position, rules: Ruleset) -> frozenset[Player]:
    """The players whose mother lies pinned at the end of a turn and who therefore lose; both players mean a draw.

    A single pinned mother does not decide while the other player's start point still holds a checker, because the other
    mother can still be caught.
    """
    if not rules.mother:
        return frozenset()
    pinned = frozenset(player for player in Player if position.pinned_mask(player) >> HEAD & 1)
    if len(pinned) == 1:
        (caught,) = pinned
        return frozenset() if position.counts(caught.opponent)[HEAD] else pinned
    return pinned
