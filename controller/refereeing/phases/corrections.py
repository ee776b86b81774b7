"""What people say that the camera did not see, or saw otherwise: the end of a turn, rolls, plays, boards, the seating."""

from dataclasses import replace
from functools import partial

from controller.match.commands import (
    AcceptRoll,
    ChoosePlay,
    Condone,
    CorrectBoard,
    CorrectRoll,
    EndTurn,
    SetSeating,
    SetStarter,
    TakeBackPlay,
    WithdrawRoll,
)
from controller.match.events import (
    BoardCorrected,
    EndedBy,
    Evidence,
    PlayTakenBack,
    RollAccepted,
    RollWithdrawn,
    SeatingKnown,
    StarterKnown,
)
from controller.match.profile import Clause, CorrectionWindow, clause_text
from controller.refereeing.phases import ends, hindsight, opening, restoring, set_up
from controller.refereeing.phases.closed_out import can_play_no_roll, passed
from controller.refereeing.phases.judging import (
    broken,
    can_stand,
    condoned,
    goes_on,
    may_stand,
    told_played,
    told_to_stand,
    turn_ended,
)
from controller.refereeing.phases.restoring import lies
from controller.refereeing.phases.two_turns import after_a_missed_turn
from controller.refereeing.state import Phase
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import Broken, Doubtful, Played, is_possible, verdict_on_told
from controller.rules.breach import Rule
from controller.rules.errors import RulesError
from controller.rules.player import Player
from controller.rules.ruleset import Opening, Ruleset
from controller.rules.scoring.match import winner
from controller.rules.stages import ThrowKind

_LOOKED_AT = (Phase.TURN_END, Phase.UNSURE)
_IN_TURNS = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE, Phase.CUBE_OFFERED)


def end_turn(course: Course, command: EndTurn, table: Table) -> Course:
    """In PLAYING; in AWAIT_ROLL by a player whom no roll lets move."""
    by = EndedBy.CLOCK if command.by_clock else EndedBy.BUTTON
    if command.player not in (None, course.mover):
        return course.refused(command, "It is the other player's turn; he ends it.")
    if not table.profile.is_ended_by(by, has_clock=table.clock is not None):
        return course.refused(command, f"{clause_text(table.profile, Clause.TURN_END)}.")
    if course.state.phase is Phase.PLAYING:
        return turn_ended(course.aware(own_dice=()), by)
    if not can_play_no_roll(course.state, table):
        return course.refused(command, "The player on turn has to throw first.")
    return goes_on(passed(course), table)


def ended_ahead(course: Course, command: EndTurn, table: Table) -> Course:
    """Aware that in a game without dice the next player acted, too, while the turn before is still looked at or asked about."""
    is_next = table.is_grasshopper and course.state.phase in _LOOKED_AT and command.player is course.mover.opponent
    return course.aware(ended_ahead=True) if is_next else course


def correct_roll(course: Course, command: CorrectRoll, table: Table) -> Course:
    """In OPENING White's number comes first."""
    if not all(1 <= value <= 6 for value in command.values) or table.is_grasshopper:
        return course.refused(command, "A roll has two numbers from 1 to 6, in a game with dice.")
    state = course.state
    if state.phase is Phase.OPENING:
        return opening.thrown(course, *command.values, table, evidence=Evidence.TOLD)
    asked_about = hindsight.asked_about(course)
    if asked_about is not None:
        return hindsight.told(course, asked_about, command.values, table)
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return course.refused(command, "Numbers that were handed over come first; end that part of the turn.")
    if state.phase is Phase.RESTORE and state.real_phase is not Phase.AWAIT_ROLL:
        return course.refused(command, "The board has to be restored first.")
    if state.phase is Phase.RESTORE:  # what is not as it should be was not played with this roll
        course = course.aware(next_throw=None, was_blind=True)
    was_unread = state.phase is Phase.UNSURE and state.due is None
    if state.due is None:
        course = course.aware(own_dice=hindsight.dice_meant(course))
    course = rolling.rolled(course, command.values, table, evidence=Evidence.TOLD)
    return course.aware(turn_ended_ms=None, throw_was_hidden=state.seen.throw_was_hidden and was_unread)


def choose_play(course: Course, command: ChoosePlay, table: Table) -> Course:
    """In UNSURE."""
    if course.state.due is None and not table.is_grasshopper:
        return course.refused(command, "It is not known what was thrown; say that first.")
    return _told_board(course, command, command.after, table)


def correct_board(course: Course, command: CorrectBoard, table: Table) -> Course:
    """After a turn it is that turn's result; elsewhere the log takes the board over."""
    phase = course.state.phase
    if command.on_turn is not None and course.state.real_phase in _IN_TURNS and not table.is_grasshopper:
        return _begun_from(course, command, command.on_turn, table)
    has_turn = course.state.due is not None or table.is_grasshopper
    is_refused = phase is Phase.RESTORE and Phase.ILLEGAL in course.state.underneath
    if is_refused or (phase in (Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE) and has_turn):
        return _told_board(course, command, command.position, table)
    problem = _problem_with(command.position, course, table, may_be_over=course.state.real_phase is Phase.AWAIT_ROLL)
    if problem is not None:
        return course.refused(command, problem)
    if phase is Phase.SET_UP:
        if course.state.seating is None and table.seating is None:
            return course.refused(command, "Say first who sits where and plays which checkers.")
        begun = set_up.started(set_up.with_told_seating(course, table), command.position, table)
        return restoring.overruled(begun, table)
    course = course.told(BoardCorrected(course.now_ms, command.position)).aware(suspicion=None)
    return ends.ended(restoring.overruled(course, table), table)


def _begun_from(course: Course, command: CorrectBoard, player: Player, table: Table) -> Course:
    """Whatever was left open of the turns before, the players agree on the board and on who throws from it."""
    problem = _problem_with(command.position, course, table, may_be_over=False)
    if problem is not None:
        return course.refused(command, problem)
    throw = course.state.seen.next_throw
    if throw is not None and not (
        player is rolling.thrower_after(course, table) and lies(throw, course.state.seen.dice)
    ):
        throw = None
    course = course.told(BoardCorrected(course.now_ms, command.position, player)).aware(suspicion=None)
    course = restoring.overruled(course.aware(own_dice=(), unread_throw=None), table)
    return goes_on(course.aware(next_throw=throw), table)


def _problem_with(position: str, course: Course, table: Table, *, may_be_over: bool) -> str | None:
    """Why nobody could play on from there."""
    try:
        possible = is_possible(position, table)
    except RulesError as error:
        return f"{error}."
    if not possible:
        return "This board is not possible in this game; count the checkers again."
    if not may_be_over and ends.is_over_on(position, course, table):
        return "On this board the game would be over; tell the one before it."
    return None


def take_back_play(course: Course, command: TakeBackPlay, table: Table) -> Course:
    """Until the next throw, or longer where the profile says so."""
    state = course.state
    before = state.before_play
    if before is None or before.on_turn is None:
        return course.refused(command, "There is no play to take back.")
    if state.match_winner is not None and winner(state.match, table.match) is None:
        return course.refused(command, "The match was lost on time; no play brings it back.")
    if course.plays_a_roll:
        window = table.profile.correction_window
        if state.condoned is None or window is not CorrectionWindow.OPPONENT_PLAY_DONE:
            return course.refused(command, "The next roll was made already; withdraw that first.")
        course = course.told(RollWithdrawn(course.now_ms, course.mover, _two(state.due.numbers if state.due else ())))
    course = course.told(PlayTakenBack(course.now_ms, before.on_turn, before.position))
    return course.aware(own_dice=(), lifted_dice=(), suspicion=None, next_throw=None, was_blind=False)


def condone(course: Course, command: Condone, table: Table) -> Course:
    """In ILLEGAL."""
    if not table.profile.opponent_may_condone:
        return course.refused(command, f"{clause_text(table.profile, Clause.ILLEGAL_PLAY)}.")
    if not can_stand(course, table):
        return course.refused(command, "Play cannot go on from this board; put it right first.")
    return condoned(course, table, clause_text(table.profile, Clause.ILLEGAL_PLAY))


def withdraw_roll(course: Course, command: WithdrawRoll, table: Table) -> Course:
    """In PLAYING; of two rolls the early one goes first."""
    state = course.state
    if state.early is not None:
        return course.told(RollWithdrawn(course.now_ms, course.mover.opponent, _two(state.early.numbers)))
    if state.due is None or state.due.kind is not ThrowKind.ROLL:
        return course.refused(command, "There is no roll to withdraw.")
    return course.told(RollWithdrawn(course.now_ms, course.mover, _two(state.due.numbers))).aware(lifted_dice=())


def accept_roll(course: Course, command: AcceptRoll, table: Table) -> Course:
    """In PLAYING."""
    state = course.state
    if state.early is not None and state.early.opponent_may_refuse:
        return course.told(RollAccepted(course.now_ms, course.mover.opponent))
    if state.due is not None and state.due.opponent_may_refuse:
        return course.told(RollAccepted(course.now_ms, course.mover))
    return course.refused(command, "There is no early roll to accept.")


def set_seating(course: Course, command: SetSeating, table: Table) -> Course:
    """Where White begins on parallel paths is the game's to say, and nobody is asked for it."""
    seating = command.seating
    if isinstance(table.rules, Ruleset):
        seating = replace(seating, white_head=table.rules.white_head)
    return course.told(SeatingKnown(course.now_ms, seating, Evidence.TOLD)).aware(suspicion=None, looked_ms=0)


def set_starter(course: Course, command: SetStarter, table: Table) -> Course:
    """In OPENING. With opening dice the starter plays those that lay there, if they can be told."""
    unclear = course.state.throw_unclear
    course = course.told(StarterKnown(course.now_ms, command.player))
    if unclear is None or table.is_grasshopper or table.dice_rules.opening is not Opening.OPENING_DICE:
        return course
    values = tuple(value for value in unclear.values if value is not None)
    if len(values) != 2 or len(set(values)) != 2:
        return course
    return rolling.rolled(course, _two(values), table, evidence=Evidence.TOLD)


def _told_board(course: Course, command: ChoosePlay | CorrectBoard, after: str, table: Table) -> Course:
    """A person's word about the result of the turn is judged like a look."""
    try:
        verdict = verdict_on_told(course.state, after, table)
    except RulesError as error:
        return course.refused(command, f"{error}.")
    match verdict:
        case Played():
            return told_played(course, verdict, table)
        case Broken() if course.state.phase is Phase.RESTORE:
            return _of_an_ended_turn(course, command, verdict, table)
        case Broken():
            judge = partial(verdict_on_told, after=after, table=table)
            given = after_a_missed_turn(course, judge, table, evidence=Evidence.TOLD)
            if given is not None:
                return told_played(*given, table)
            return broken(course, verdict, table)
        case Doubtful():  # pragma: no branch - mypy sees that no other case is left
            return _taken_on_trust(course, command, after, verdict, table)


def _of_an_ended_turn(course: Course, command: ChoosePlay | CorrectBoard, verdict: Broken, table: Table) -> Course:
    """The camera saw a board from which nobody can go on, and the time to correct the play is over."""
    if verdict.after == course.state.position:
        return restoring.undone(course)
    if not may_stand(verdict, table):
        return course.refused(command, f"No legal play leads to this board. {verdict.sentences[0]}")
    if Rule.OPPONENT_MOVED in verdict.rules:
        return course.refused(command, "Both players have played since then; say who throws next as well.")
    return told_to_stand(course, verdict, table)


def _taken_on_trust(
    course: Course, command: ChoosePlay | CorrectBoard, after: str, verdict: Doubtful, table: Table
) -> Course:
    """Too many ways lead to it for the judge to tell: what people say stands there is where the other one goes on."""
    if course.state.phase is not Phase.UNSURE or not is_possible(after, table):
        return course.refused(command, verdict.sentence)
    course = course.told(BoardCorrected(course.now_ms, after, course.mover.opponent))
    return goes_on(ends.ended(course.aware(own_dice=(), unread_throw=None), table), table)


def _two(numbers: tuple[int, ...]) -> tuple[int, int]:
    first, second = numbers
    return max(first, second), min(first, second)
