"""Before a game: who sits where, and whether the checkers stand as the game begins."""

from controller.adjudication.outcome import BoardDifference
from controller.adjudication.seating_inference import plain_seatings
from controller.match.events import Evidence, GameStarted, SeatingKnown, SetUpUnclear
from controller.match.seating import Seating
from controller.observing.observation import Observation
from controller.refereeing.debounce import calmed, differing_told, is_time_to_look, suspected
from controller.refereeing.table import Table
from controller.refereeing.throw.rolling import announced
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import difference_from, made_familiar, names
from controller.rules.grasshopper.game import START
from controller.rules.player import Player
from controller.rules.ruleset import Ruleset
from controller.rules.scoring.match import is_crawford, next_starter


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame while the checkers are set up.

    What is told of a board that fits no seating is told for the one under which the least is wrong.
    """
    if seen.hand_in_view:
        return calmed(course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = with_told_seating(course.aware(looked_ms=course.now_ms), table)
    start = start_of(course, table)
    ways = [(seating, difference_from(start, seen.board, seating, table)) for seating in _seatings(course, table)]
    fitting = [seating for seating, difference in ways if difference.is_none]
    if len(fitting) > 1:
        return _unclear_told(course, (), table, is_seating_open=True)
    if fitting:
        course = _seated(course, fitting[0], Evidence.SEEN)
        return started(course.aware(familiar=made_familiar(course.state, seen.board, start, table)), start, table)
    nearest = min((difference for _, difference in ways), key=_how_wrong)
    if nearest.extra or nearest.missing:
        return differing_told(course, nearest, table)
    return _unclear_told(course, names(nearest.unsure), table)


def _seatings(course: Course, table: Table) -> tuple[Seating, ...]:
    """All that are left, until one is known."""
    if course.state.seating is not None:
        return (course.state.seating,)
    if not isinstance(table.rules, Ruleset):
        return (table.seatings[0],)  # an empty board tells nothing, and both players go the same way
    return plain_seatings(table.rules, table.seatings)


def _how_wrong(difference: BoardDifference) -> tuple[int, int]:
    return len(difference.extra) + len(difference.missing), len(difference.unsure)


def with_told_seating(course: Course, table: Table) -> Course:
    """As somebody said before the match."""
    return course if table.seating is None else _seated(course, table.seating, Evidence.TOLD)


def _seated(course: Course, seating: Seating, evidence: Evidence) -> Course:
    if course.state.seating is not None:
        return course
    return course.told(SeatingKnown(course.now_ms, seating, evidence))


def _unclear_told(course: Course, places: tuple[str, ...], table: Table, *, is_seating_open: bool = False) -> Course:
    """That the game waits for a better look, or for somebody's word; once, until something else is the matter."""
    course, is_ripe = suspected(course, (SetUpUnclear, is_seating_open), table.patience.unclear_ms)
    told = SetUpUnclear(course.now_ms, places, is_seating_open)
    known = course.state.set_up_unclear
    is_known = known is not None and _is_same_matter(known, told)
    return course.told(told) if is_ripe and not is_known else course


def _is_same_matter(known: SetUpUnclear, now: SetUpUnclear) -> bool:
    """Places that cannot be seen come and go; as long as one of them was named, people know."""
    is_named = not now.places or not set(now.places).isdisjoint(known.places)
    return known.is_seating_open == now.is_seating_open and is_named


def start_of(course: Course, table: Table) -> str:
    """The board with which the next game begins: the first one may have been told."""
    is_first = course.state.game_number == 0
    return table.start if is_first and table.start is not None else table.start_text


def started(course: Course, position: str, table: Table) -> Course:
    """The game begins from this board."""
    number = course.state.game_number + 1
    is_told = number == 1 and table.start is not None
    event = GameStarted(
        course.now_ms,
        number,
        position,
        table.on_turn if is_told else _starter(course, table),
        is_crawford=is_crawford(course.state.match, table.match),
        rolls_before=table.rolls_before if is_told else 0,
    )
    fresh = course.told(event).aware(
        suspicion=None,
        own_dice=(),
        ended_dice=(),
        lifted_dice=(),
        loose_dice=(),
        loose_missed=(),
        next_throw=None,
        turn_ended_ms=None,
        throw_was_hidden=False,
        was_blind=False,
        overruled=None,
    )
    return announced(fresh, table)


def _starter(course: Course, table: Table) -> Player | None:
    """None: the opening throw decides."""
    if not isinstance(table.rules, Ruleset):
        return START.to_act
    winner_starts = table.rules.winner_starts
    return course.state.match.last_winner if winner_starts else next_starter(course.state.match, table.match)
