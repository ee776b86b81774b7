"""A board that is not what it ought to be, before a game and in its middle."""

from controller.adjudication.outcome import BoardDifference
from controller.match.events import BoardDiffers
from controller.refereeing.course import Course
from controller.refereeing.suspicion import suspected
from controller.refereeing.verdicts import names
from controller.table import Table


def differing_told(course: Course, difference: BoardDifference, table: Table) -> Course:
    """Where it is not right is told when it has changed, and stays."""
    extra, missing = names(difference.extra), names(difference.missing)
    course, is_ripe = suspected(course, (extra, missing), table.patience.differs_ms)
    known = course.state.differs
    if not is_ripe or (known is not None and (known.extra, known.missing) == (extra, missing)):
        return course
    return course.told(BoardDiffers(course.now_ms, extra, missing))
