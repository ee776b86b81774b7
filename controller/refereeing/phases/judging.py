"""The verdict on a finished turn: the play is accepted, refused, condoned, or asked about; and what follows."""

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
from controller.observing.board_evidence import BoardEvidence
from controller.refereeing.debounce import debounce, pending_since_ms
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import PendingThrow
from controller.refereeing.phases import game_end
from controller.refereeing.phases.two_turns import (
    explain_by_missed_turn,
    explain_by_pass,
    find_play_pairs,
    question_thrower,
)
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.throw import rolling
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
    is_possible,
    judge_board,
    judge_entered_board,
    make_reference_board,
    may_hand_over,
    require_confirmation,
)
from controller.rules import FollowKind, ResultKind, Rule, ThrowKind

# Delay in ms within which the tracker reports that a die has settled. Knob of the tracker.
_SETTLES_WITHIN_MS = 1000
_NOT_SEEN = "No legal play explains the board, but for a while nobody looked; say what was played."
OVERTAKEN = "The next throw was made before the board could be seen; say what was played."


def end_turn(course: Transition, by: EndedBy) -> Transition:
    """The turn ends; from now on the board is judged."""
    course = course.emit(TurnEnded(course.now_ms, course.mover, by))
    seen, dice = course.seen, course.seen.dice
    dice = dice.lift_at_turn_end() if by is EndedBy.DICE_LIFTED else dice.end_otherwise()
    course = course.with_dice(dice).with_throws(seen.throws.end_turn())
    return course.with_timing(seen.timing.end_turn(course.now_ms)).with_pending(None)


def forget_roll(course: Transition) -> Transition:
    """The turn is over, whatever its dice showed: neither own nor unread dice are waited for."""
    course = course.with_dice(course.seen.dice.identify(()))
    return course.with_throws(course.seen.throws.forget_unread())


def judge_turn(course: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """Judges a settled board at the end of a turn, in TURN_END, ILLEGAL or UNSURE."""
    judge = partial(judge_board, board=board, table=table)
    course, verdict = course.mark_inspected(), judge(course.state)
    if isinstance(verdict, IllegalVerdict) and (course.state.turn.is_pass_forced or not table.is_watched):
        given = explain_by_pass(course, judge, table)
        if given is not None:
            return accept_play(*given, table)
    if course.state.phase is Phase.TURN_END:
        verdict = require_confirmation(course.state, verdict, board, table)
    if course.waiting_throw is None:
        return apply_verdict(course, question_thrower(course, verdict, judge, table), table)
    if isinstance(verdict, IllegalVerdict):
        given = explain_by_missed_turn(course, judge, table, evidence=Evidence.INFERRED)
        if given is not None:
            return accept_play(*given, table, evidence=Evidence.INFERRED)
    return apply_verdict(course, verdict, table)


def apply_verdict(course: Transition, verdict: PlayVerdict, table: MatchConfig) -> Transition:
    """Acts on the verdict: a legal play at once, an illegal or unclear board only when it lasts."""
    state, patience = course.state, table.patience
    match verdict:
        case LegalVerdict():
            # a player may pass legal boards while he corrects, but not once the opponent has thrown
            may_go_on = state.phase is Phase.ILLEGAL and course.waiting_throw is None
            course = course.with_findings(course.seen.findings.correct(verdict.after if may_go_on else ""))
            wait_ms = patience.illegal_ms if may_go_on else 0
            course, is_ripe = debounce(course, verdict.after, wait_ms)
            if not is_ripe:
                return course
            return accept_play(_remember_board(course, course.board, verdict, table), verdict, table)
        case IllegalVerdict():
            corrected = _accept_correction_before_transfer(course, table)
            if corrected is not None:
                return corrected
            if course.waiting_throw is not None:
                # nobody corrects any more, but the board may show more than one turn
                return _handle_illegal_before_throw(course, verdict, course.waiting_throw, table)
            course = course.mark_blind() if _may_be_two_turns(state, verdict, table) else course
            course, is_ripe = debounce(course, verdict, patience.illegal_ms)
            if not is_ripe:
                return course
            if (course.seen.outages.was_blind or course.seen.findings.overruled) and state.phase is not Phase.ILLEGAL:
                return course if state.phase is Phase.UNSURE else report_unwatched_play(course, verdict)
            return refuse_play(course, verdict, table)
        case UnclearVerdict():  # pragma: no branch - mypy sees that no other case is left
            course, is_ripe = debounce(course, UnclearVerdict, patience.unclear_ms)
            return report_unclear_play(course, verdict) if is_ripe and state.phase is Phase.TURN_END else course


def _may_be_two_turns(state: RefereeState, verdict: IllegalVerdict, table: MatchConfig) -> bool:
    """Whether an illegal board may show the next player's play as well.

    A hand came while another condition was pending. Where no hand was detected, moved checkers of the opponent suffice if
    numbers may have been handed over, because these are played without a throw.
    """
    before = state.seen.pending
    if before is not None and before.what == verdict:
        return False
    is_by_hand = before is not None and before.had_hand
    return is_by_hand or (Rule.OPPONENT_MOVED in verdict.rules and may_hand_over(state, table))


def accept_entered_play(course: Transition, verdict: LegalVerdict, table: MatchConfig) -> Transition:
    """Accepts a play that a person entered; the board asked about, or refused by mistake, becomes the reference."""
    board = course.seen.findings.asked or _find_refused_board(course.state, table)
    course = _remember_board(course, board, verdict, table)
    return accept_play(course, verdict, table, evidence=Evidence.ENTERED)


def _find_refused_board(state: RefereeState, table: MatchConfig) -> BoardEvidence | None:
    """The board, if it is still judged as it was refused: then it was misread and would be again."""
    board, refused = state.seen.view.board, state.questions.refused
    if board is None or refused is None or state.due is None:
        return None
    verdict = judge_board(state, board, table)
    return board if isinstance(verdict, IllegalVerdict) and verdict.after == refused.after else None


def accept_entered_illegal_play(course: Transition, verdict: IllegalVerdict, table: MatchConfig) -> Transition:
    """Accepts an entered illegal board that nobody corrects any more: it is refused and condoned, and play goes on."""
    course = _remember_board(course, course.board, verdict, table)
    return condone_play(emit_refusal(course, verdict), table, clause_text(table.profile, Clause.CORRECTION_WINDOW))


def _remember_board(
    course: Transition, board: BoardEvidence | None, verdict: LegalVerdict | IllegalVerdict, table: MatchConfig
) -> Transition:
    reference = make_reference_board(course.state, board, verdict.after, table)
    return course.with_findings(course.seen.findings.refer_to(reference))


def accept_play(
    course: Transition, verdict: LegalVerdict, table: MatchConfig, *, evidence: Evidence = Evidence.SEEN
) -> Transition:
    """Emits a legal play and begins what follows from it."""
    state, mover = course.state, course.mover
    if state.phase is Phase.ILLEGAL or Phase.ILLEGAL in state.underneath:
        course = course.emit(PlayCorrected(course.now_ms, mover))
    numbers = state.due.numbers if state.due else ()
    course = course.with_timing(course.seen.timing.accept(mover, course.now_ms)).emit(
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
        course = game_end.win_game(course, mover, ResultKind.SINGLE, table)
    else:
        course = game_end.finish_game_if_over(course, table)
    return continue_game(course, table)


def continue_game(course: Transition, table: MatchConfig) -> Transition:
    """After a play: handed-over numbers, a forced pass, or the throw that was made meanwhile."""
    course = course.with_seen(course.seen.continue_game())
    if course.state.phase is Phase.GAME_OVER:
        return course.with_waiting_throw(None)
    course = rolling.emit_handed_over_numbers(course, table)
    if course.is_playing_roll:  # the roll that came early
        course = _release_lifted_dice(course.with_dice(course.seen.dice.play_early_roll()))
    if course.seen.timing.next_ended and course.state.phase is Phase.PLAYING:
        # the next player acted unseen, and the other one may have gone on since
        return end_turn(course, EndedBy.BUTTON).mark_blind()
    throw = course.waiting_throw
    return course if throw is None else _process_pending_throw(course, throw, table)


def _process_pending_throw(course: Transition, throw: PendingThrow, table: MatchConfig) -> Transition:
    """Handles the throw that waited for the verdict."""
    state = course.state
    if state.phase is Phase.AWAIT_ROLL:
        return _release_lifted_dice(rolling.handle_throw(course, throw, table))
    is_given = state.due is not None and state.due.kind is ThrowKind.TRANSFER
    if state.phase is Phase.PLAYING and is_given and course.board is not None:
        # he threw before he played the handed-over numbers; the same board shows that part too
        return judge_turn(end_turn(course, EndedBy.NEXT_THROW), course.board, table)
    return course.with_waiting_throw(None)


def _release_lifted_dice(course: Transition) -> Transition:
    """If the dice of the roll were taken up while it waited, their absence ends no turn, and the play was not watched."""
    own, lie = course.seen.dice.own, {die.number for die in course.seen.view.dice}
    if not own or lie.intersection(own) or not course.is_playing_roll or course.state.turn.is_pass_forced:
        return course
    return course.mark_blind().with_dice(course.seen.dice.lift_while_waiting())


def _handle_illegal_before_throw(
    course: Transition, verdict: IllegalVerdict, throw: PendingThrow, table: MatchConfig
) -> Transition:
    """An illegal board with a throw waiting. If one pair of plays of both turns explains the board, that is accepted."""
    state, board, refused = course.state, course.board, course.state.questions.refused
    if state.phase is Phase.ILLEGAL and refused is not None and verdict.after == refused.after:
        return refuse_play(course, verdict, table)
    ruling = rolling.judge_throw(throw, rolling.next_thrower(course, table), course, table)
    if ruling.valid and board is not None and not _is_older_than_throw(course, verdict, throw):
        found = find_play_pairs(state, rolling.valid_values(ruling), board, table)
        firsts = {first.after: first for first, _ in found}
        if len(firsts) == 1:
            (first,) = firsts.values()
            return accept_play(course, first, table, evidence=Evidence.INFERRED)
        if firsts:
            plays = tuple(first.play for first in firsts.values())
            return mark_overtaken(course, UnclearVerdict(plays, tuple(firsts), (), OVERTAKEN))
    # the player who threw may have played already, so the board is not the mover's alone
    if course.seen.outages.was_blind or (state.phase is Phase.ILLEGAL and Rule.OPPONENT_MOVED in verdict.rules):
        return mark_overtaken(course, UnclearVerdict((), (), (), OVERTAKEN))
    if not verdict.is_sure and not _is_older_than_throw(course, verdict, throw):
        # before the dice settled the board was read otherwise or not seen: one reading accuses nobody
        return mark_overtaken(course, UnclearVerdict((), (), verdict.take_back + verdict.belongs, OVERTAKEN))
    return refuse_play(course, verdict, table)


def _accept_correction_before_transfer(course: Transition, table: MatchConfig) -> Transition | None:
    """Accepts a seen correction if the board shows it and the play of handed-over numbers, which needs no throw."""
    corrected, board = course.seen.findings.corrected_position, course.board
    if course.state.phase is not Phase.ILLEGAL or not corrected or board is None:
        return None
    verdict = judge_entered_board(course.state, corrected, table)
    if not isinstance(verdict, LegalVerdict) or not verdict.follow.startswith(FollowKind.TRANSFER.value):
        return None
    throw = course.waiting_throw
    course = course.with_findings(course.seen.findings.correct("")).with_waiting_throw(None)
    course = accept_play(course, verdict, table)
    if course.state.phase is not Phase.PLAYING or not isinstance(judge_board(course.state, board, table), LegalVerdict):
        return None
    return course if throw is None else _process_pending_throw(course.with_waiting_throw(throw), throw, table)


def _is_older_than_throw(course: Transition, verdict: IllegalVerdict, throw: PendingThrow) -> bool:
    """Whether the board was judged so before the dice settled: then none of it was played with them."""
    since_ms = pending_since_ms(course, verdict)
    return since_ms is not None and all(since_ms < die.settled_ms - _SETTLES_WITHIN_MS for die in throw.dice)


def mark_overtaken(course: Transition, verdict: UnclearVerdict) -> Transition:
    """From now on the board may show more than the judged turn; nothing on it accuses anybody."""
    asked, was_blind = course.seen.findings.asked, course.seen.outages.was_blind
    course = course.with_throws(course.seen.throws.hide()).mark_blind()
    if course.state.phase is Phase.UNSURE:
        return course
    course = report_unclear_play(course, verdict)
    return course.with_findings(course.seen.findings.ask_about(asked)) if was_blind else course


def refuse_play(course: Transition, verdict: IllegalVerdict, table: MatchConfig) -> Transition:
    """Refuses the play, and handles a throw that waits."""
    course = emit_refusal(course, verdict)
    throw = course.waiting_throw
    return course if throw is None else handle_throw_on_refused_play(course, throw, table)


def emit_refusal(course: Transition, verdict: IllegalVerdict) -> Transition:
    """Emits the refusal, unless the same play is refused already."""
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
    known = state.questions.refused
    if known is not None and replace(refused, at_ms=known.at_ms) == known:
        return course
    course = course.emit(refused)
    return course.with_findings(course.seen.findings.refuse(is_in_doubt=not verdict.is_sure))


def handle_throw_on_refused_play(course: Transition, throw: PendingThrow, table: MatchConfig) -> Transition:
    """A valid throw while a refused play may still be corrected: the correction window closes.

    With handed-over numbers the next throw is the player's own and closes nothing.
    """
    state = course.state
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return course.with_waiting_throw(throw)
    course, refused = course.with_waiting_throw(throw), state.questions.refused
    if course.seen.findings.refused_in_doubt and refused is not None:
        # the players say what stands there, because all further turns are judged from it
        return mark_overtaken(course, UnclearVerdict((), (), refused.take_back + refused.belongs, OVERTAKEN))
    return condone_play(course, table, clause_text(table.profile, Clause.CORRECTION_WINDOW))


def condone_play(course: Transition, table: MatchConfig, clause: str) -> Transition:
    """The refused play stands, unless it is never condoned; then the board has to be restored."""
    refused = course.state.questions.refused
    if refused is None:
        return course
    if not may_stand(refused, table):  # the throw waits: a person may correct the board
        return course.emit(BoardDiffers(course.now_ms, refused.take_back, refused.belongs))
    course = course.emit(
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
    return continue_game(game_end.finish_game_if_over(course, table), table)


def can_stand(course: Transition, table: MatchConfig) -> bool:
    """Whether the refused play may be condoned."""
    refused = course.state.questions.refused
    return refused is not None and may_stand(refused, table)


def may_stand(play: PlayRefused | IllegalVerdict, table: MatchConfig) -> bool:
    """Whether an illegal play may be condoned: no never-condoned rule is broken and the board is a possible position."""
    return not table.profile.never_condoned.intersection(play.rules) and is_possible(play.after, table)


def report_unwatched_play(course: Transition, verdict: IllegalVerdict) -> Transition:
    """Asks about an illegal board that may have come about unwatched."""
    return report_unclear_play(course, UnclearVerdict((), (), verdict.take_back + verdict.belongs, _NOT_SEEN))


def report_unclear_play(course: Transition, verdict: UnclearVerdict) -> Transition:
    course = course.with_findings(course.seen.findings.ask_about(course.board))
    return course.emit(PlayUnclear(course.now_ms, course.mover, verdict.options, verdict.places, verdict.sentence))
