"""After a turn: the settled board is judged, again and again where it was refused or could not be told."""

from dataclasses import replace

from controller.match.events import BoardAgrees, TurnGoesOn
from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.refereeing.debounce import is_time_to_look, suspected_since, with_hand
from controller.refereeing.phases import hindsight, restoring, roll_inference
from controller.refereeing.phases.judging import OVERTAKEN, looked, overtaken
from controller.refereeing.state import NextThrow, Phase
from controller.refereeing.table import Table
from controller.refereeing.throw import dice_displacement, rolling, throw_assembly
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import Doubtful, may_hand_over, verdict_on
from vision.dice_tracking.events import DiceFound


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in TURN_END: the verdict falls as soon as the board has settled."""
    if dice_are_back(course, seen):
        return course.told(TurnGoesOn(course.now_ms, course.mover)).aware(next_throw=None)
    course = _with_throw(course, seen, table)
    if seen.hand_in_view or course.state.seen.throw_was_hidden:
        return _hand_after_throw(course, table)
    course = _perhaps_played(course, seen)
    board, ended_ms = seen.board, course.state.seen.turn_ended_ms
    if board is None or (ended_ms is not None and board.taken_ms < ended_ms):
        return course
    return looked(course, board, table)


def observed_later(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in ILLEGAL or UNSURE."""
    if dice_are_back(course, seen):
        return course.told(TurnGoesOn(course.now_ms, course.mover)).aware(next_throw=None)
    if course.state.seen.throw_was_hidden:
        return hindsight.observed(course, seen, table)
    course = _with_throw(course, seen, table)
    if seen.hand_in_view:
        return _hand_after_throw(course, table).aware(suspicion=None)
    course = _perhaps_played(course, seen)
    is_urgent = course.state.seen.next_throw is not None and seen.board is not None
    if seen.board is None or not (is_urgent or is_time_to_look(course, seen, table)):
        return course
    if course.state.due is None and not table.is_grasshopper:
        return _without_roll(course, seen.board, table)
    course = looked(course, seen.board, table)
    is_overtaken = course.state.phase is Phase.UNSURE and course.state.seen.next_throw is not None
    return roll_inference.given_up(course, seen.board, table) if is_overtaken and not table.is_watched else course


def _perhaps_played(course: Course, seen: Observation) -> Course:
    """What moves after a throw may be a hand that is not recognised: who threw may be playing.

    What people will be asked about is the board as it was seen before.
    """
    known = course.state.seen
    if known.was_blind or not seen.is_moving or known.next_throw is None:
        return course
    is_of_turn = known.board is not None and known.board.taken_ms >= (known.turn_ended_ms or 0)
    return course.aware(was_blind=True, asked_board=known.board if is_of_turn else None)


def _without_roll(course: Course, board: BoardSeen, table: Table) -> Course:
    """A play with a throw that nobody could read: it is over when a person says what was thrown, or it is undone."""
    course = course.aware(looked_ms=course.now_ms)
    if course.state.seen.next_throw is None and restoring.agrees(course, board, table):
        return course.told(BoardAgrees(course.now_ms))
    return roll_inference.explained_later(course, board, table)


def dice_are_back(course: Course, seen: Observation) -> bool:
    """Dice that ended the turn by their lifting lie there: they had only been hidden."""
    ended = course.state.seen.ended_dice
    found = [die.number for event in seen.dice_events if isinstance(event, DiceFound) for die in event.dice]
    return any(number in ended for number in found)


def _with_throw(course: Course, seen: Observation, table: Table) -> Course:
    """A throw that settles while a verdict is due waits for it; one that does not count is told at once.

    Where the dice of one that waits were taken up and others thrown, somebody has to say which of them counts.
    """
    course = _throw_seen_before(course, seen)
    course, throw = throw_assembly.gathered(course, seen, table)
    waiting = course.state.seen.next_throw
    if throw is None or (waiting is not None and (waiting.told is not None or _still_lies(waiting, throw, seen))):
        return course
    if waiting is not None:
        return course.aware(next_throw=replace(throw, may_have_lain=True))
    thrower = rolling.thrower_after(course, table)
    ruling = rolling.ruling_on(throw, thrower, course, table)
    if rolling.ends_a_turn(ruling, table):
        return course.aware(next_throw=throw)
    return rolling.not_counted(course, thrower, throw, ruling)


def _still_lies(waiting: NextThrow, throw: NextThrow, seen: Observation) -> bool:
    """Beside the dice that were thrown since; the same ones may have been thrown anew."""
    return restoring.lies(waiting, seen.dice) and not restoring.lies(waiting, throw.dice)


def _throw_seen_before(course: Course, seen: Observation) -> Course:
    """Dice that still lie as they lay before nobody looked are the throw that waited then."""
    known = course.state.seen
    before = known.throw_before_blind
    if before is None:
        return course
    if known.next_throw is not None or not seen.shows_as_before({die.number for die in before.dice}):
        return course.aware(throw_before_blind=None)
    if not dice_displacement.are_looked_at_again(course, seen):
        return course
    return course.aware(throw_before_blind=None, next_throw=before)


def _hand_after_throw(course: Course, table: Table) -> Course:
    """A hand while a throw waits for the verdict: the next player begins to play. Who is asked is told what is in doubt."""
    if course.state.seen.next_throw is None:
        return _hand_without_throw(course, table)
    board, ended_ms = course.state.seen.board, course.state.seen.turn_ended_ms
    was_seen = board is not None and ended_ms is not None and board.taken_ms >= ended_ms
    verdict = verdict_on(course.state, board, table) if board is not None and was_seen else None
    return overtaken(course, verdict if isinstance(verdict, Doubtful) else Doubtful((), (), (), OVERTAKEN))


def _hand_without_throw(course: Course, table: Table) -> Course:
    """The next player acts, unless the turn was told: without dice, or where what is left of a throw was handed over."""
    if course.state.seen.was_blind:
        return course
    in_doubt = course.state.phase is Phase.UNSURE or suspected_since(course, Doubtful) is not None
    may_act = table.is_grasshopper or may_hand_over(course.state, table)
    if in_doubt and may_act:
        return course.aware(was_blind=True)
    return with_hand(course) if table.is_grasshopper else course
