"""Between two games, and the ways to end one without playing it out."""

from controller.adjudication.seating_inference import recognise
from controller.match.commands import AnswerResignation, NextGame, Resign
from controller.match.events import ResignationAnswered, ResignationOffered, SetUpBegun
from controller.observing.observation import Observation
from controller.refereeing.debounce import calmed, is_time_to_look, suspected
from controller.refereeing.phases import ends, set_up
from controller.refereeing.table import Table
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import difference_from
from controller.rules.ruleset import Ruleset
from controller.rules.scoring.points import Kind, scheme_named


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in GAME_OVER: whoever sets up the start position again begins the next game.

    Where players have changed seats or colours it stands there otherwise. Which of both they did nobody can see, so the
    set-up waits for their word.
    """
    seating = course.state.seating
    if course.state.match_winner is not None or seating is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    if seen.board is None:
        return calmed(course)
    is_start = difference_from(table.start_text, seen.board, seating, table).is_none
    if not is_start and not (isinstance(table.rules, Ruleset) and recognise(seen.board, table.rules)):
        return calmed(course)
    course, is_ripe = suspected(course, (SetUpBegun, is_start), table.patience.differs_ms)
    if not is_ripe:
        return course
    begun = course.told(SetUpBegun(course.now_ms))
    return set_up.started(begun, table.start_text, table) if is_start else calmed(begun)


def next_game(course: Course, command: NextGame, table: Table) -> Course:
    """In GAME_OVER."""
    if course.state.match_winner is not None:
        return course.refused(command, "The match is over; begin a new one.")
    return calmed(course.told(SetUpBegun(course.now_ms)))


def resign(course: Course, command: Resign, table: Table) -> Course:
    """The player offers a kind of win that the game knows."""
    if command.kind in (Kind.MOTHER, Kind.DRAW) or not _is_known(command.kind, table):
        return course.refused(command, f"This game has no {command.kind.value} to resign.")
    return course.told(ResignationOffered(course.now_ms, command.player, command.kind))


def answer_resignation(course: Course, command: AnswerResignation, table: Table) -> Course:
    offered = course.state.resignation
    if offered is None:
        return course.refused(command, "Nobody has resigned.")
    if command.player is offered.player:
        return course.refused(command, "The other player answers a resignation.")
    course = course.told(ResignationAnswered(course.now_ms, command.player, command.accept))
    return ends.won(course, command.player, offered.kind, table) if command.accept else course


def _is_known(kind: Kind, table: Table) -> bool:
    if not isinstance(table.rules, Ruleset):
        return kind is Kind.SINGLE
    return scheme_named(table.rules.scoring).multiplier(kind) is not None
