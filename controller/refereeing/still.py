"""Games without dice: a turn ends by a button, the clock, or a change of the board that stays as it is.

What was changed and cannot be told is asked when it stays; and where a hand comes first, it may be the next player's, so
that nobody is accused of what stands there then.
"""

from controller.board_seen import BoardSeen
from controller.events import EndedBy
from controller.observation import Observation
from controller.refereeing.course import Course
from controller.refereeing.judging import accepted, broken, not_watched, turn_ended, unclear
from controller.refereeing.suspicion import calmed, is_time_to_look, suspected, suspected_since
from controller.refereeing.verdicts import Broken, Doubtful, Played, difference_now, verdict_on
from controller.table import Table


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame of a turn without dice."""
    if seen.hand_in_view:
        is_in_doubt = suspected_since(course, Doubtful) is not None
        return calmed(course.aware(was_blind=True) if is_in_doubt else course)
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
            if not is_ripe:
                return course
            was_blind, course = course.state.seen.was_blind, turn_ended(course, EndedBy.STILL)
            return not_watched(course, verdict) if was_blind else broken(course, verdict, table)
        case Doubtful() if table.is_watched and _is_changed(course, seen.board, table):
            course, is_ripe = suspected(course, Doubtful, table.patience.unclear_ms)
            return unclear(turn_ended(course, EndedBy.STILL), verdict) if is_ripe else course
        case _:
            return calmed(course)


def _is_changed(course: Course, board: BoardSeen, table: Table) -> bool:
    """Whether something is surely not as it was, whatever it is."""
    found = difference_now(course.state, board, table)
    return bool(found.extra or found.missing)
