"""Games without dice: a turn ends by a button, the clock, or a change of the board that stays as it is."""

from controller.events import EndedBy
from controller.observation import Observation
from controller.refereeing.course import Course
from controller.refereeing.judging import accepted, broken, turn_ended
from controller.refereeing.suspicion import calmed, is_time_to_look, suspected
from controller.refereeing.verdicts import Broken, Played, verdict_on
from controller.table import Table


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame of a turn without dice."""
    if seen.hand_in_view:
        return calmed(course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    verdict = verdict_on(course.state, seen.board, table)
    match verdict:
        case Played():
            course, is_ripe = suspected(course, verdict.after, table.patience.still_ms)
            return accepted(turn_ended(course, EndedBy.STILL), verdict, table) if is_ripe else course
        case Broken() if not verdict.is_unchanged:
            patience_ms = table.patience.still_ms + table.patience.illegal_ms
            course, is_ripe = suspected(course, verdict, patience_ms)
            return broken(turn_ended(course, EndedBy.STILL), verdict, table) if is_ripe else course
        case _:
            return calmed(course)
