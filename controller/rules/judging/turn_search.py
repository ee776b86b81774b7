"""Searches a legal path through a turn, by the method that suits the game and the board."""

from controller.rules.judging.backward_search import search_backward
from controller.rules.judging.forward_search import find_stage_path, search_forward
from controller.rules.judging.query import PathQuery, TurnPath
from controller.rules.player import Player
from controller.rules.plays.field import position_after
from controller.rules.plays.make_field import make_field
from controller.rules.plays.target import Target
from controller.rules.position import Position, mask_occupied
from controller.rules.ruleset import Contact, Ruleset
from controller.rules.stages import Stage
from controller.rules.steps import OUTSIDE_HOME, SIDE_MASK


def make_goal(before: Position, mover: Player, target: Target, rules: Ruleset) -> Position:
    """The position of a target, whatever the throw."""
    field = make_field(before, mover, Stage((1,)), rules)
    return position_after(field, target.result, mask_occupied(target.result & SIDE_MASK))


def find_path(query: PathQuery, target: Target) -> TurnPath | None:
    """A legal path to `target`; raises EffortSpentError for a turn of several stages with too many paths."""
    if len(query.line) == 1:
        found = find_stage_path(query, query.before, query.line[0].make_stage(0), target)
        return None if found is None else TurnPath(found.steps, 0, found.unused)
    return search_several_stages(query)


def search_several_stages(query: PathQuery) -> TurnPath | None:
    # At home there are few boards and many ways to bear off, so the search goes forward; elsewhere it goes backward.
    from_front = (
        query.rules.contact is not Contact.BLOCK or mask_occupied(query.before.side(query.mover)) < OUTSIDE_HOME
    )
    return search_forward(query) if from_front else search_backward(query)
