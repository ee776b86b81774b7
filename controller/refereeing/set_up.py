"""Before a game: who sits where, and whether the checkers stand as the game begins."""

from controller.board_seen import BoardSeen
from controller.events import Evidence, GameStarted, SeatingKnown
from controller.observation import Observation
from controller.recognise import recognise
from controller.refereeing.course import Course
from controller.refereeing.differing import differing_told
from controller.refereeing.rolling import announced
from controller.refereeing.suspicion import calmed, is_time_to_look
from controller.refereeing.verdicts import difference_from, made_familiar
from controller.rules.grasshopper import START
from controller.rules.match import is_crawford, next_starter
from controller.rules.player import Player
from controller.rules.ruleset import Ruleset
from controller.seating import ALL_SEATINGS, Checkers, Seating
from controller.table import Table


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame while the checkers are set up."""
    if seen.hand_in_view:
        return calmed(course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    course = _with_seating(course, seen.board, table)
    seating = course.state.seating
    if seating is None:
        return course
    start = start_of(course, table)
    difference = difference_from(start, seen.board, seating, table)
    if difference.extra or difference.missing:
        return differing_told(course, difference, table)
    if difference.unsure:
        return calmed(course)
    return started(course.aware(familiar=made_familiar(course.state, seen.board, start, table)), start, table)


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
        loose_dice=(),
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


def _with_seating(course: Course, board: BoardSeen, table: Table) -> Course:
    """As somebody said, else as the start position tells; a board that tells nothing leaves it open."""
    if course.state.seating is not None:
        return course
    if table.seating is not None:
        return course.told(SeatingKnown(course.now_ms, table.seating, Evidence.TOLD))
    seating = _recognised(board, table)
    return course if seating is None else course.told(SeatingKnown(course.now_ms, seating, Evidence.SEEN))


def _recognised(board: BoardSeen, table: Table) -> Seating | None:
    if not isinstance(table.rules, Ruleset):
        return ALL_SEATINGS[0]  # an empty board tells nothing, and both players go the same way
    fitting = recognise(board, table.rules)
    light = [seating for seating in fitting if seating.white_plays is Checkers.LIGHT]
    return light[0] if len(light) == 1 else None
