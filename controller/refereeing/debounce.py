"""Waiting before something is said that may yet turn out otherwise.

A board that is not what it ought to be, before a game and in its middle.
"""

from dataclasses import replace

from controller.adjudication.outcome import BoardDifference
from controller.match.events import BoardDiffers
from controller.observing.observation import Observation
from controller.refereeing.state import Suspicion
from controller.refereeing.table import Table
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import names


def suspected(course: Course, what: object, patience_ms: int) -> tuple[Course, bool]:
    """Whether it has been the same for so long; from now on if it is new."""
    known = course.state.seen.suspicion
    if known is None or known.what != what:
        known = Suspicion(what, course.now_ms)
        course = course.aware(suspicion=known)
    return course, course.now_ms - known.since_ms >= patience_ms


def suspected_since(course: Course, what: object) -> int | None:
    """The time in ms from which on it has been the same; None where it is something else, or nothing."""
    known = course.state.seen.suspicion
    return known.since_ms if known is not None and known.what == what else None


def with_hand(course: Course) -> Course:
    """Who does something now may be somebody else."""
    known = course.state.seen.suspicion
    return course if known is None or known.had_hand else course.aware(suspicion=replace(known, had_hand=True))


def shown_again(course: Course, what: frozenset[object]) -> tuple[Course, bool]:
    """Whether the picture before showed the same, or more or less of it; for tables known from pictures seconds apart."""
    known = course.state.seen.suspicion
    before = None if known is None else known.what
    is_shown = isinstance(before, frozenset) and (before <= what or what <= before)
    return suspected(course, what, 0)[0], is_shown


def calmed(course: Course) -> Course:
    return course if course.state.seen.suspicion is None else course.aware(suspicion=None)


def is_time_to_look(course: Course, seen: Observation, table: Table) -> bool:
    """Whether a settled board is worth weighing again where nothing urgent waits for it."""
    if seen.board is None or seen.hand_in_view:
        return False
    return course.now_ms - course.state.seen.looked_ms >= table.patience.look_again_ms


def differing_told(course: Course, difference: BoardDifference, table: Table) -> Course:
    """Where it is not right is told when it has changed, and stays."""
    extra, missing = names(difference.extra), names(difference.missing)
    course, is_ripe = suspected(course, (extra, missing), table.patience.differs_ms)
    known = course.state.differs
    if not is_ripe or (known is not None and (known.extra, known.missing) == (extra, missing)):
        return course
    return course.told(BoardDiffers(course.now_ms, extra, missing))
