"""Waiting for a throw: dice, an offered cube, and a board that has to stay as it is."""

from controller.match.events import PlayTakenBack
from controller.observing.observation import Observation
from controller.refereeing.phases import cubes, restoring, roll_inference
from controller.refereeing.phases.turn_end import dice_are_back
from controller.refereeing.state import NextThrow
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling, throw_assembly
from controller.refereeing.transition import Course
from vision.dice.readings import CubePlace


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in AWAIT_ROLL."""
    before = course.state.before_play
    if before is not None and not restoring.is_play_settled(course.state) and dice_are_back(course, seen):
        # the dice had only been hidden: the turn that was judged is not over
        taken_back = PlayTakenBack(course.now_ms, before.on_turn or course.mover, before.position)
        return course.told(taken_back).aware(was_blind=True)
    course, throw = throw_assembly.gathered(course, seen, table)
    course, throw = roll_inference.looked_at_again(course, seen, throw, table)
    if throw is not None:
        return _thrown(course, seen, throw, table)
    if cubes.is_drawn_to(CubePlace.OFFERED, course, seen):
        return cubes.seen_offered(course, table)
    return restoring.compared(course, seen, table)


def _thrown(course: Course, seen: Observation, throw: NextThrow, table: Table) -> Course:
    """After a throw that nobody could read, or where one may have been missed, it is asked whether that was played."""
    state = course.state
    is_doubted = state.throw_unclear is not None or state.throw_refused is not None  # a die may have been overlooked
    may_be_played = is_doubted or not table.is_watched
    lay_before_play = table.is_watched and any(die.settled_ms <= state.seen.agreed_ms for die in throw.dice)
    if roll_inference.is_unread(course, throw) or not may_be_played or lay_before_play or seen.board is None:
        return rolling.taken(course, throw, table)
    agrees = restoring.agrees_beside_dice if table.is_watched else restoring.agrees
    if agrees(course, seen.board, table):
        return rolling.taken(course, throw, table)
    return roll_inference.overtaken(course, seen.board, throw, table)
