"""Judges the board after a turn: a legal play, or the rules that stand against it.

The board is taken as it is and never adapted to a play. A rule stands against a board if the board can be reached without
that rule alone. If no single rule suffices, the smallest sufficient set of rules stands against it.
"""

from controller.rules.judging.breaches import find_breaches
from controller.rules.judging.claim import read_claim
from controller.rules.judging.query import Effort, EffortSpentError, Line, PathQuery, make_line, make_stage_line
from controller.rules.judging.turn_search import find_path, make_goal, search_several_stages
from controller.rules.player import OFF, Player
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.rulings import NO_RULES, Breach, Illegal, Legal, Rule, Ruling, Undecided
from controller.rules.setup import Setup
from controller.rules.stages import END_TURN, GAME_OVER, FollowKind, Stage, Throw, ThrowKind, Turn
from controller.rules.steps import Step

_CANNOT_TELL = (
    "This turn has too many ways to be judged as a whole; judge it throw by throw, or let the players say how it went."
)


def judge(before: Position, mover: Player, turn: Turn, after: Setup, rules: Ruleset) -> Ruling:
    """The legal play of the whole turn (all stages) that ends in `after`, or every rule that stands against it."""
    if not turn.boards_between:
        return _judge_line(before, mover, make_line(turn), after, rules)
    steps: tuple[Step, ...] = ()
    position, follow = before, END_TURN
    for number, (throw, board) in enumerate(zip(turn.throws, (*turn.boards_between, after), strict=True)):
        after_own_roll = number > 0 and turn.throws[number - 1].kind is ThrowKind.ROLL
        if after_own_roll and follow.kind is not FollowKind.ROLL_AGAIN:
            return Illegal((Breach(Rule.WRONG_NUMBERS, "The second throw was not due; it does not count."),))
        ruling = _judge_line(position, mover, make_line(Turn((throw,))), board, rules)
        if not isinstance(ruling, Legal):
            return ruling
        steps, position, follow = steps + ruling.steps, ruling.after, ruling.follow
    return Legal(steps, position, follow)


def judge_stage(
    before: Position, mover: Player, stage: Stage, after: Setup, rules: Ruleset, *, kind: ThrowKind = ThrowKind.ROLL
) -> Ruling:
    """Judges one stage by itself."""
    return _judge_line(before, mover, make_stage_line(stage, kind), after, rules)


def _judge_line(before: Position, mover: Player, line: Line, after: Setup, rules: Ruleset) -> Ruling:
    claim = read_claim(before, mover, after, rules)
    if claim.target is None:
        return Illegal(claim.breaches)
    goal = make_goal(before, mover, claim.target, rules)
    query = PathQuery(before, mover, line, goal, rules, NO_RULES)
    try:
        path = find_path(query, claim.target)
    except EffortSpentError:
        return Undecided(_CANNOT_TELL)
    if path is None:
        return Illegal(claim.if_not_hit or tuple(find_breaches(query, claim.target)) + claim.breaches)
    if claim.breaches:
        return Illegal(claim.breaches)
    game_over = goal.counts(mover)[OFF] == rules.checkers
    return Legal(path.steps, goal, GAME_OVER if game_over else line[path.last].follow(path.unused, rules))


def is_reachable(
    before: Position, mover: Player, throw: Throw, after: Setup, rules: Ruleset, *, effort: Effort
) -> bool:
    """Whether a throw of several stages can legally lead to a board. No reasons are computed, so this is fast.

    Raises EffortSpentError if the search exceeds what is left of `effort`, which many calls may share.
    """
    claim = read_claim(before, mover, after, rules)
    if claim.target is None or claim.breaches:
        return False
    goal = make_goal(before, mover, claim.target, rules)
    query = PathQuery(before, mover, make_line(Turn((throw,))), goal, rules, NO_RULES, effort)
    return search_several_stages(query) is not None
