"""Whether a throw of several stages can legally lead to a board; asked of many boards, so no reasons are looked for."""

from controller.rules.breach import NO_RULES
from controller.rules.judging.claim import read_claim
from controller.rules.judging.effort import Effort
from controller.rules.judging.line import line_of
from controller.rules.judging.ways import Quest, way_from_front
from controller.rules.judging.work_back import way_back
from controller.rules.plays.field import field_for, position_after
from controller.rules.position import occupied
from controller.rules.ruleset import Contact
from controller.rules.setup import Setup
from controller.rules.stages import Stage, Turn
from controller.rules.steps import OUTSIDE_HOME, SIDE_MASK
from controller.scene import Scene


def leads_to(scene: Scene, after: Setup, effort: Effort) -> bool:
    """Raises EffortSpentError when it takes more than what is left of `effort`, which many boards may share."""
    before, mover, rules = scene.before, scene.mover, scene.rules
    claim = read_claim(before, mover, after, rules)
    if claim.target is None or claim.breaches:
        return False
    field = field_for(before, mover, Stage((1,)), rules)
    goal = position_after(field, claim.target.result, occupied(claim.target.result & SIDE_MASK))
    quest = Quest(before, mover, line_of(Turn((scene.throw,))), goal, rules, NO_RULES, effort)
    # as the judge does: at home there are few boards and many ways to bear off
    from_front = rules.contact is not Contact.BLOCK or occupied(before.side(mover)) < OUTSIDE_HOME
    return (way_from_front(quest) if from_front else way_back(quest)) is not None
