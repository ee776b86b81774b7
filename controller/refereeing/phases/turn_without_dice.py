"""Games without dice: a turn ends by a button, the clock, or a change of the board that stays as it is.

What was changed and cannot be told is asked when it stays; and where a hand comes first, it may be the next player's, so
that nobody is accused of what stands there then.
"""

from dataclasses import replace

from controller.match.events import EndedBy, Evidence
from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.refereeing.debounce import calmed, is_time_to_look, suspected, suspected_since
from controller.refereeing.phases.judging import accepted, broken, not_watched, turn_ended, unclear
from controller.refereeing.table import Table
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import Broken, Doubtful, Played, difference_now, verdict_on, verdict_on_told
from controller.rules.stages import FollowKind


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
            course, is_ripe = suspected(course.aware(acted=verdict.after), verdict.after, table.patience.still_ms)
            return accepted(turn_ended(course, EndedBy.STILL), verdict, table) if is_ripe else course
        case Broken() if not verdict.is_unchanged:
            first = _acted_by_both(course, seen.board, table)
            if first is not None:
                return accepted(turn_ended(course, EndedBy.STILL), first, table, evidence=Evidence.INFERRED)
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
            return calmed(course.aware(acted=""))


def _acted_by_both(course: Course, board: BoardSeen, table: Table) -> Played | None:
    """The legal action that stood there before, if the other player's next one leads from it to what stands there now.

    He did not wait until the first one had stayed for long enough.
    """
    acted = course.state.seen.acted
    first = verdict_on_told(course.state, acted, table) if acted else None
    if not isinstance(first, Played) or first.follow == FollowKind.GAME_OVER.value:
        return None
    then = verdict_on(replace(course.state, position=first.after), board, table)
    return first if isinstance(then, Played) else None


def _is_changed(course: Course, board: BoardSeen, table: Table) -> bool:
    """Whether something is surely not as it was, whatever it is."""
    found = difference_now(course.state, board, table)
    return bool(found.extra or found.missing)
