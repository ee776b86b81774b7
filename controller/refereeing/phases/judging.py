"""The verdict on a finished turn: accepted, refused, condoned, or not to be told."""

from dataclasses import replace
from functools import partial

from controller.match.events import (
    BoardDiffers,
    EndedBy,
    Evidence,
    PlayCondoned,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    TurnEnded,
)
from controller.match.profile import Clause, clause_text
from controller.observing.board_evidence import BoardSeen
from controller.refereeing.debounce import suspected, suspected_since
from controller.refereeing.phases import ends
from controller.refereeing.phases.two_turns import after_a_missed_turn, after_a_pass, asked_whose, both_played
from controller.refereeing.state import Moment, NextThrow, Phase, RefereeState
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import (
    Broken,
    Doubtful,
    Played,
    Verdict,
    as_far_as_confirmed,
    is_possible,
    made_familiar,
    may_hand_over,
    verdict_on,
    verdict_on_told,
)
from controller.rules.breach import Rule
from controller.rules.scoring.points import Kind
from controller.rules.stages import FollowKind, ThrowKind

_SETTLES_WITHIN_MS = 1000  # a die that lies still in view is told to have settled no later than this
_NOT_SEEN = "No legal play explains the board, but for a while nobody looked; say what was played."
OVERTAKEN = "The next throw was made before the board could be seen; say what was played."


def turn_ended(course: Course, by: EndedBy) -> Course:
    """From now on the board is judged."""
    course = course.told(TurnEnded(course.now_ms, course.mover, by))
    ended_dice = course.state.seen.own_dice if by is EndedBy.DICE_LIFTED else ()
    course = course.aware(throw_was_hidden=False, throw_before_blind=None, ended_dice=ended_dice, ended_ahead=False)
    return course.aware(turn_ended_ms=course.now_ms, suspicion=None)


def looked(course: Course, board: BoardSeen, table: Table) -> Course:
    """A settled board at the end of a turn, in TURN_END, ILLEGAL or UNSURE."""
    judge = partial(verdict_on, board=board, table=table)
    course, verdict = course.aware(looked_ms=course.now_ms), judge(course.state)
    if isinstance(verdict, Broken) and (course.state.is_pass_forced or not table.is_watched):
        given = after_a_pass(course, judge, table)
        if given is not None:
            return accepted(*given, table)
    if course.state.phase is Phase.TURN_END:
        verdict = as_far_as_confirmed(course.state, verdict, board, table)
    if course.state.seen.next_throw is None:
        return judged(course, asked_whose(course, verdict, judge, table), table)
    if isinstance(verdict, Broken):
        given = after_a_missed_turn(course, judge, table, evidence=Evidence.INFERRED)
        if given is not None:
            return accepted(*given, table, evidence=Evidence.INFERRED)
    return judged(course, verdict, table)


def judged(course: Course, verdict: Verdict, table: Table) -> Course:
    """Says what is certain at once, and what somebody could take for a reproach only when it stays."""
    state, patience = course.state, table.patience
    match verdict:
        case Played():
            # who corrects a play may put his checkers down on the way, but not any more once the other one has thrown
            may_go_on = state.phase is Phase.ILLEGAL and state.seen.next_throw is None
            course = course.aware(mended=verdict.after if may_go_on else "")
            wait_ms = patience.illegal_ms if may_go_on else 0
            course, is_ripe = suspected(course, verdict.after, wait_ms)
            return accepted(_familiar(course, state.seen.board, verdict, table), verdict, table) if is_ripe else course
        case Broken():
            mended = _mended_before_handing_over(course, table)
            if mended is not None:
                return mended
            if state.seen.next_throw is not None:
                # nobody corrects any more; but what stands there may be more than one turn
                return _broken_before_throw(course, verdict, state.seen.next_throw, table)
            course = course.aware(was_blind=state.seen.was_blind or _may_be_two_turns(state, verdict, table))
            course, is_ripe = suspected(course, verdict, patience.illegal_ms)
            if not is_ripe:
                return course
            state = course.state
            if (state.seen.was_blind or state.seen.overruled) and state.phase is not Phase.ILLEGAL:
                return course if state.phase is Phase.UNSURE else not_watched(course, verdict)
            return broken(course, verdict, table)
        case Doubtful():  # pragma: no branch - mypy sees that no other case is left
            course, is_ripe = suspected(course, Doubtful, patience.unclear_ms)
            return unclear(course, verdict) if is_ripe and state.phase is Phase.TURN_END else course


def _may_be_two_turns(state: RefereeState, verdict: Broken, table: Table) -> bool:
    """Whether a board that was not told yet became another one by a hand that may be that of the next player.

    Not every hand is recognised; but who was handed numbers plays his checkers without a throw.
    """
    before = state.seen.suspicion
    if before is not None and before.what == verdict:
        return False
    is_by_hand = before is not None and before.had_hand
    return is_by_hand or (Rule.OPPONENT_MOVED in verdict.rules and may_hand_over(state, table))


def told_played(course: Course, verdict: Played, table: Table) -> Course:
    """A play that people say was made, on the board that they were asked about, or that was refused by mistake."""
    board = course.state.seen.asked_board or _refused_board(course.state, table)
    course = _familiar(course, board, verdict, table)
    return accepted(course, verdict, table, evidence=Evidence.TOLD)


def _refused_board(state: RefereeState, table: Table) -> BoardSeen | None:
    """The board, if it still looks as it was refused: then it was misread, and would be turn after turn."""
    board, refused = state.seen.board, state.refused
    if board is None or refused is None or state.due is None:
        return None
    verdict = verdict_on(state, board, table)
    return board if isinstance(verdict, Broken) and verdict.after == refused.after else None


def told_to_stand(course: Course, verdict: Broken, table: Table) -> Course:
    """What people say that stands there is illegal, but nobody corrects it any more: play goes on from it."""
    course = _familiar(course, course.state.seen.board, verdict, table)
    return condoned(refused_told(course, verdict), table, clause_text(table.profile, Clause.CORRECTION_WINDOW))


def _familiar(course: Course, board: BoardSeen | None, verdict: Played | Broken, table: Table) -> Course:
    return course.aware(familiar=made_familiar(course.state, board, verdict.after, table))


def accepted(course: Course, verdict: Played, table: Table, *, evidence: Evidence = Evidence.SEEN) -> Course:
    """A legal play is made, and what follows from it is begun."""
    state, mover = course.state, course.mover
    if state.phase is Phase.ILLEGAL or Phase.ILLEGAL in state.underneath:
        course = course.told(PlayCorrected(course.now_ms, mover))
    numbers = state.due.numbers if state.due else ()
    course = course.aware(accepted=Moment(mover, course.now_ms)).told(
        PlayMade(
            course.now_ms,
            mover,
            numbers,
            play=verdict.play,
            before=state.position,
            after=verdict.after,
            follow=verdict.follow,
            evidence=evidence,
            inferred=verdict.inferred,
        )
    )
    if table.is_grasshopper and verdict.follow == FollowKind.GAME_OVER.value:
        course = ends.won(course, mover, Kind.SINGLE, table)
    else:
        course = ends.ended(course, table)
    return goes_on(course, table)


def goes_on(course: Course, table: Table) -> Course:
    """After a play: numbers handed over, a forced pass, the throw that was made meanwhile."""
    known = course.state.seen
    is_next = known.turn_ended_ms is not None and known.loose_since_ms >= known.turn_ended_ms
    course = course.aware(suspicion=None, turn_ended_ms=None, throw_was_hidden=False, was_blind=False, acted="")
    # a die that came to rest while the turn was judged is of the next throw: nobody will see it settle again
    course = course.aware(pass_roll=None, asked_board=None, throw_before_blind=None, lifted_dice=())
    course = course.aware(loose_dice=known.loose_dice if is_next else ())
    if course.state.phase is Phase.GAME_OVER:
        return course.aware(next_throw=None)
    course = rolling.handed_over(course, table)
    if course.plays_a_roll:  # with the roll that came early
        course = _without_lifted_dice(course.aware(own_dice=known.early_dice, early_dice=()))
    if known.ended_ahead and course.state.phase is Phase.PLAYING:
        # nobody saw him act, and the other one may have gone on since
        return turn_ended(course, EndedBy.BUTTON).aware(was_blind=True)
    throw = course.state.seen.next_throw
    return course if throw is None else _with_throw(course, throw, table)


def _with_throw(course: Course, throw: NextThrow, table: Table) -> Course:
    """A throw that waited for the verdict."""
    state = course.state
    if state.phase is Phase.AWAIT_ROLL:
        return _without_lifted_dice(rolling.taken(course, throw, table))
    is_given = state.due is not None and state.due.kind is ThrowKind.TRANSFER
    if state.phase is Phase.PLAYING and is_given and state.seen.board is not None:
        # he threw before he played what was handed over to him; the same board answers for that part too
        return looked(turn_ended(course, EndedBy.NEXT_THROW), state.seen.board, table)
    return course.aware(next_throw=None)


def _without_lifted_dice(course: Course) -> Course:
    """A roll whose dice were taken up while it waited: that they are gone ends no turn, and nobody saw what was played since."""
    own, lie = course.state.seen.own_dice, {die.number for die in course.state.seen.dice}
    if not own or lie.intersection(own) or not course.plays_a_roll or course.state.is_pass_forced:
        return course
    return course.aware(own_dice=(), lifted_dice=own, was_blind=True)


def _broken_before_throw(course: Course, verdict: Broken, throw: NextThrow, table: Table) -> Course:
    """Frames may have been missed: if the next play explains the board too, nobody broke a rule, or he put it right."""
    state = course.state
    if state.phase is Phase.ILLEGAL and state.refused is not None and verdict.after == state.refused.after:
        return broken(course, verdict, table)
    ruling = rolling.ruling_on(throw, rolling.thrower_after(course, table), course, table)
    if ruling.valid and state.seen.board is not None and not _stood_before(course, verdict, throw):
        found = both_played(state, rolling.ruled_values(ruling), state.seen.board, table)
        firsts = {first.after: first for first, _ in found}
        if len(firsts) == 1:
            (first,) = firsts.values()
            return accepted(course, first, table, evidence=Evidence.INFERRED)
        if firsts:
            plays = tuple(first.play for first in firsts.values())
            return overtaken(course, Doubtful(plays, tuple(firsts), (), OVERTAKEN))
    # the one who threw may have played already, and then the board is not the other's alone
    if state.seen.was_blind or (state.phase is Phase.ILLEGAL and Rule.OPPONENT_MOVED in verdict.rules):
        return overtaken(course, Doubtful((), (), (), OVERTAKEN))
    if not verdict.is_sure and not _stood_before(course, verdict, throw):
        # until the dice lay still it looked otherwise, or was not seen: nobody is accused by the one look
        return overtaken(course, Doubtful((), (), verdict.take_back + verdict.belongs, OVERTAKEN))
    return broken(course, verdict, table)


def _mended_before_handing_over(course: Course, table: Table) -> Course | None:
    """What was handed over is played without a throw: the board may show a correction that was seen, and that as well."""
    mended, board = course.state.seen.mended, course.state.seen.board
    if course.state.phase is not Phase.ILLEGAL or not mended or board is None:
        return None
    verdict = verdict_on_told(course.state, mended, table)
    if not isinstance(verdict, Played) or not verdict.follow.startswith(FollowKind.TRANSFER.value):
        return None
    throw = course.state.seen.next_throw
    course = accepted(course.aware(mended="", next_throw=None), verdict, table)
    if course.state.phase is not Phase.PLAYING or not isinstance(verdict_on(course.state, board, table), Played):
        return None
    return course if throw is None else _with_throw(course.aware(next_throw=throw), throw, table)


def _stood_before(course: Course, verdict: Broken, throw: NextThrow) -> bool:
    """Whether the board was seen like that before the dice lay still: then none of it was played with them."""
    since_ms = suspected_since(course, verdict)
    return since_ms is not None and all(since_ms < die.settled_ms - _SETTLES_WITHIN_MS for die in throw.dice)


def overtaken(course: Course, verdict: Doubtful) -> Course:
    """From now on the board shows more than the turn that is judged: what does not fit is nobody's fault."""
    known = course.state.seen
    course = course.aware(throw_was_hidden=True, was_blind=True)
    if course.state.phase is Phase.UNSURE:
        return course
    course = unclear(course, verdict)
    return course.aware(asked_board=known.asked_board) if known.was_blind else course


def broken(course: Course, verdict: Broken, table: Table) -> Course:
    """The play is refused; one that was refused already is not told again."""
    course = refused_told(course, verdict)
    throw = course.state.seen.next_throw
    return course if throw is None else thrown_upon(course, throw, table)


def refused_told(course: Course, verdict: Broken) -> Course:
    """The play is refused, and nothing follows from it yet."""
    state = course.state
    refused = PlayRefused(
        course.now_ms,
        course.mover,
        state.due.numbers if state.due else (),
        before=state.position,
        after=verdict.after,
        rules=verdict.rules,
        sentences=verdict.sentences,
        take_back=verdict.take_back,
        belongs=verdict.belongs,
    )
    if state.refused is None or replace(refused, at_ms=state.refused.at_ms) != state.refused:
        course = course.told(refused).aware(mended="", refused_in_doubt=not verdict.is_sure)
    return course


def thrown_upon(course: Course, throw: NextThrow, table: Table) -> Course:
    """A valid throw while a refused play may still be corrected: the window closes, if the profile says so.

    Under numbers that were handed over the next throw is the player's own and closes nothing.
    """
    state = course.state
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return course.aware(next_throw=throw)
    course, refused = course.aware(next_throw=throw), state.refused
    if state.seen.refused_in_doubt and refused is not None:
        # what stands is for the players to say: the next turns would all be judged from it
        return overtaken(course, Doubtful((), (), refused.take_back + refused.belongs, OVERTAKEN))
    return condoned(course, table, clause_text(table.profile, Clause.CORRECTION_WINDOW))


def condoned(course: Course, table: Table, clause: str) -> Course:
    """The refused play stands, unless it is one that never does."""
    refused = course.state.refused
    if refused is None:
        return course
    if not may_stand(refused, table):  # the throw waits: people may say that something else stands there
        return course.told(BoardDiffers(course.now_ms, refused.take_back, refused.belongs))
    course = course.told(
        PlayCondoned(
            course.now_ms,
            refused.player,
            refused.numbers,
            before=refused.before,
            after=refused.after,
            rules=refused.rules,
            clause=clause,
        )
    )
    return goes_on(ends.ended(course, table), table)


def can_stand(course: Course, table: Table) -> bool:
    """Whether play could go on from the board that was refused."""
    refused = course.state.refused
    return refused is not None and may_stand(refused, table)


def may_stand(play: PlayRefused | Broken, table: Table) -> bool:
    """The same of any illegal play."""
    return not table.profile.never_condoned.intersection(play.rules) and is_possible(play.after, table)


def not_watched(course: Course, verdict: Broken) -> Course:
    """Nobody is accused of what may have been done while nobody looked."""
    return unclear(course, Doubtful((), (), verdict.take_back + verdict.belongs, _NOT_SEEN))


def unclear(course: Course, verdict: Doubtful) -> Course:
    course = course.aware(asked_board=course.state.seen.board)
    return course.told(PlayUnclear(course.now_ms, course.mover, verdict.options, verdict.places, verdict.sentence))
