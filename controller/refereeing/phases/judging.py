"""The verdict on a finished turn: the play is accepted, refused, condoned, or asked about; and what follows."""

from dataclasses import replace
from functools import partial

from controller.match import Clause, clause_text, events
from controller.observing import BoardEvidence
from controller.refereeing.debounce import debounce, pending_since_ms
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end
from controller.refereeing.phases.explained_turns import (
    NOT_SEEN,
    OVERTAKEN,
    accept_agreed_turns,
    explain,
    explain_by_pass,
    is_breach_likeliest,
    make_question,
)
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.throw import (
    PendingThrow,
    emit_handed_over_numbers,
    handle_throw,
)
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


def end_turn(transition: Transition, by: events.EndedBy) -> Transition:
    """The turn ends; from now on the board is judged."""
    transition = transition.emit(events.TurnEnded(transition.now_ms, transition.mover, by))
    seen, dice = transition.seen, transition.seen.dice
    dice = dice.lift_at_turn_end() if by is events.EndedBy.DICE_LIFTED else dice.end_otherwise()
    transition = transition.with_dice(dice).with_throws(seen.throws.end_turn())
    return transition.with_timing(seen.timing.end_turn(transition.now_ms)).with_pending(None)


def forget_roll(transition: Transition) -> Transition:
    """The turn is over, whatever its dice showed: neither own nor unread dice are waited for."""
    transition = transition.with_dice(transition.seen.dice.identify(()))
    return transition.with_throws(transition.seen.throws.forget_unread())


def judge_turn(transition: Transition, board: BoardEvidence, table: MatchConfig) -> Transition:
    """Judges a settled board at the end of a turn, in TURN_END, ILLEGAL or UNSURE."""
    judge = partial(judge_board, board=board, table=table)
    transition, verdict = transition.mark_inspected(), judge(transition.state)
    if isinstance(verdict, IllegalVerdict) and (transition.state.turn.is_pass_forced or not table.is_watched):
        given = explain_by_pass(transition, judge, table)
        if given is not None:
            return accept_play(*given, table)
    if transition.state.phase is Phase.TURN_END:
        verdict = require_confirmation(transition.state, verdict, board, table)
    return apply_verdict(transition, verdict, table)


def apply_verdict(transition: Transition, verdict: PlayVerdict, table: MatchConfig) -> Transition:
    """Acts on the verdict: a legal play at once, an illegal or unclear board only when it lasts."""
    state, patience = transition.state, table.patience
    match verdict:
        case LegalVerdict():
            # a player may pass legal boards while he corrects, but not once the opponent has thrown
            may_go_on = state.phase is Phase.ILLEGAL and transition.waiting_throw is None
            transition = transition.with_findings(transition.seen.findings.correct(verdict.after if may_go_on else ""))
            wait_ms = patience.illegal_ms if may_go_on else 0
            transition, is_ripe = debounce(transition, verdict.after, wait_ms)
            if not is_ripe:
                return transition
            return accept_play(_remember_board(transition, transition.board, verdict, table), verdict, table)
        case IllegalVerdict():
            corrected = _accept_correction_before_transfer(transition, table)
            if corrected is not None:
                return corrected
            if transition.waiting_throw is None:
                transition = transition.mark_blind() if _may_be_two_turns(state, verdict, table) else transition
                transition, is_ripe = debounce(transition, verdict, patience.illegal_ms)
                if not is_ripe:
                    return transition
            return _handle_unexplained_board(transition, verdict, table)
        case UnclearVerdict():  # pragma: no branch - mypy sees that no other case is left
            transition, is_ripe = debounce(transition, UnclearVerdict, patience.unclear_ms)
            return report_unclear_play(transition, verdict) if is_ripe and state.phase is Phase.TURN_END else transition


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


def accept_entered_play(transition: Transition, verdict: LegalVerdict, table: MatchConfig) -> Transition:
    """Accepts a play that a person entered; the board asked about, or refused by mistake, becomes the reference."""
    board = transition.seen.findings.asked or _find_refused_board(transition.state, table)
    transition = _remember_board(transition, board, verdict, table)
    return accept_play(transition, verdict, table, evidence=events.Evidence.ENTERED)


def _find_refused_board(state: RefereeState, table: MatchConfig) -> BoardEvidence | None:
    """The board, if it is still judged as it was refused: then it was misread and would be again."""
    board, refused = state.seen.view.board, state.questions.refused
    if board is None or refused is None or state.due is None:
        return None
    verdict = judge_board(state, board, table)
    return board if isinstance(verdict, IllegalVerdict) and verdict.after == refused.after else None


def accept_entered_illegal_play(transition: Transition, verdict: IllegalVerdict, table: MatchConfig) -> Transition:
    """Accepts an entered illegal board that nobody corrects any more: it is refused and condoned, and play goes on."""
    transition = _remember_board(transition, transition.board, verdict, table)
    return condone_play(emit_refusal(transition, verdict), table, clause_text(table.profile, Clause.CORRECTION_WINDOW))


def _remember_board(
    transition: Transition, board: BoardEvidence | None, verdict: LegalVerdict | IllegalVerdict, table: MatchConfig
) -> Transition:
    reference = make_reference_board(transition.state, board, verdict.after, table)
    return transition.with_findings(transition.seen.findings.refer_to(reference))


def accept_play(
    transition: Transition,
    verdict: LegalVerdict,
    table: MatchConfig,
    *,
    evidence: events.Evidence = events.Evidence.SEEN,
) -> Transition:
    """Emits a legal play and begins what follows from it."""
    state, mover = transition.state, transition.mover
    if state.phase is Phase.ILLEGAL or Phase.ILLEGAL in state.underneath:
        transition = transition.emit(events.PlayCorrected(transition.now_ms, mover))
    numbers = state.due.numbers if state.due else ()
    if evidence is not events.Evidence.ENTERED:  # a person may answer when others have thrown and played since
        transition = transition.with_findings(transition.seen.findings.know(transition.now_ms))
    transition = transition.with_timing(transition.seen.timing.accept(mover, transition.now_ms)).emit(
        events.PlayMade(
            transition.now_ms,
            mover,
            numbers,
            play=verdict.play,
            before=state.position,
            after=verdict.after,
            follow=verdict.follow,
            evidence=evidence,
            inferred=verdict.inferred,
            next_best=verdict.next_best,
            odds=verdict.odds,
        )
    )
    if table.is_grasshopper and verdict.follow == FollowKind.GAME_OVER.value:
        transition = game_end.win_game(transition, mover, ResultKind.SINGLE, table)
    else:
        transition = game_end.finish_game_if_over(transition, table)
    return continue_game(transition, table)


def continue_from_board(transition: Transition, position: str, table: MatchConfig) -> Transition:
    """The turn ends unjudged: the other player goes on from this board."""
    opponent = transition.mover.opponent
    transition = transition.emit(events.BoardCorrected(transition.now_ms, position, opponent))
    return continue_game(game_end.finish_game_if_over(forget_roll(transition), table), table)


def continue_game(transition: Transition, table: MatchConfig) -> Transition:
    """After a play: handed-over numbers, a forced pass, or the throw that was made meanwhile."""
    transition = transition.with_seen(transition.seen.continue_game())
    if transition.state.phase is Phase.GAME_OVER:
        return transition.with_waiting_throw(None)
    transition = emit_handed_over_numbers(transition, table)
    if transition.is_playing_roll:  # the roll that came early
        transition = _release_lifted_dice(transition.with_dice(transition.seen.dice.play_early_roll()))
    if transition.seen.timing.next_ended and transition.state.phase is Phase.PLAYING:
        # the next player acted unseen, and the other one may have gone on since
        return end_turn(transition, events.EndedBy.BUTTON).mark_blind()
    throw = transition.waiting_throw
    return transition if throw is None else _process_pending_throw(transition, throw, table)


def _process_pending_throw(transition: Transition, throw: PendingThrow, table: MatchConfig) -> Transition:
    """Handles the throw that waited for the verdict."""
    state = transition.state
    if state.phase is Phase.AWAIT_ROLL:
        return _release_lifted_dice(handle_throw(transition, throw, table))
    is_given = state.due is not None and state.due.kind is ThrowKind.TRANSFER
    if state.phase is Phase.PLAYING and is_given and transition.board is not None:
        # he threw before he played the handed-over numbers; the same board shows that part too
        return judge_turn(end_turn(transition, events.EndedBy.NEXT_THROW), transition.board, table)
    return transition.with_waiting_throw(None)


def _release_lifted_dice(transition: Transition) -> Transition:
    """If the dice of the roll were taken up while it waited, their absence ends no turn, and the play was not watched."""
    own, lie = transition.seen.dice.own, {die.number for die in transition.seen.view.dice}
    if not own or lie.intersection(own) or not transition.is_playing_roll or transition.state.turn.is_pass_forced:
        return transition
    return transition.mark_blind().with_dice(transition.seen.dice.lift_while_waiting())


def _handle_unexplained_board(transition: Transition, verdict: IllegalVerdict, table: MatchConfig) -> Transition:
    """No legal play leads to the board: other explanations compete with a breach. Once a throw waits, nobody corrects any more."""
    state, throw = transition.state, transition.waiting_throw
    refused = state.questions.refused
    if state.phase is Phase.ILLEGAL and (throw is None or (refused is not None and verdict.after == refused.after)):
        return refuse_play(transition, verdict, table)
    if state.phase is Phase.UNSURE and not table.players.can_be_asked:
        return transition  # the turns that follow tell what was played
    seen, found = transition.seen, explain(transition, table)
    agreed = None if throw is None else accept_agreed_turns(transition, found, table, last=events.Evidence.INFERRED)
    if agreed is not None:
        return continue_game(forget_roll(agreed), table)
    may_be_innocent = seen.outages.was_blind or seen.findings.overruled or not is_breach_likeliest(found)
    if throw is None:
        if not may_be_innocent:
            return refuse_play(transition, verdict, table)
        question = make_question(transition, found, NOT_SEEN)
        return transition if state.phase is Phase.UNSURE else report_unclear_play(transition, question)
    # the player who threw may have played already, so the board is not the mover's alone
    if may_be_innocent or (state.phase is Phase.ILLEGAL and Rule.OPPONENT_MOVED in verdict.rules):
        return mark_overtaken(transition, make_question(transition, found, OVERTAKEN))
    if not verdict.is_sure and not _is_older_than_throw(transition, verdict, throw):
        # before the dice settled the board was read otherwise or not seen: one reading accuses nobody
        return mark_overtaken(transition, UnclearVerdict((), (), verdict.take_back + verdict.belongs, OVERTAKEN))
    return refuse_play(transition, verdict, table)


def _accept_correction_before_transfer(transition: Transition, table: MatchConfig) -> Transition | None:
    """Accepts a seen correction if the board shows it and the play of handed-over numbers, which needs no throw."""
    corrected, board = transition.seen.findings.corrected_position, transition.board
    if transition.state.phase is not Phase.ILLEGAL or not corrected or board is None:
        return None
    verdict = judge_entered_board(transition.state, corrected, table)
    if not isinstance(verdict, LegalVerdict) or not verdict.follow.startswith(FollowKind.TRANSFER.value):
        return None
    throw = transition.waiting_throw
    transition = transition.with_findings(transition.seen.findings.correct("")).with_waiting_throw(None)
    transition = accept_play(transition, verdict, table)
    if transition.state.phase is not Phase.PLAYING or not isinstance(
        judge_board(transition.state, board, table), LegalVerdict
    ):
        return None
    return transition if throw is None else _process_pending_throw(transition.with_waiting_throw(throw), throw, table)


def _is_older_than_throw(transition: Transition, verdict: IllegalVerdict, throw: PendingThrow) -> bool:
    """Whether the board was judged so before the dice settled: then none of it was played with them."""
    since_ms = pending_since_ms(transition, verdict)
    return since_ms is not None and all(since_ms < die.settled_ms - _SETTLES_WITHIN_MS for die in throw.dice)


def mark_overtaken(transition: Transition, verdict: UnclearVerdict | None) -> Transition:
    """From now on the board may show more than the judged turn; nothing on it accuses anybody."""
    asked, was_blind = transition.seen.findings.asked, transition.seen.outages.was_blind
    transition = transition.with_throws(transition.seen.throws.hide()).mark_blind()
    if transition.state.phase is Phase.UNSURE:
        return transition
    transition = report_unclear_play(transition, verdict or UnclearVerdict((), (), (), OVERTAKEN))
    return transition.with_findings(transition.seen.findings.ask_about(asked)) if was_blind else transition


def refuse_play(transition: Transition, verdict: IllegalVerdict, table: MatchConfig) -> Transition:
    """Refuses the play, and handles a throw that waits."""
    transition = emit_refusal(transition, verdict)
    throw = transition.waiting_throw
    return transition if throw is None else handle_throw_on_refused_play(transition, throw, table)


def emit_refusal(transition: Transition, verdict: IllegalVerdict) -> Transition:
    """Emits the refusal, unless the same play is refused already."""
    state = transition.state
    refused = events.PlayRefused(
        transition.now_ms,
        transition.mover,
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
        return transition
    transition = transition.emit(refused)
    return transition.with_findings(transition.seen.findings.refuse(is_in_doubt=not verdict.is_sure))


def handle_throw_on_refused_play(transition: Transition, throw: PendingThrow, table: MatchConfig) -> Transition:
    """A valid throw while a refused play may still be corrected: the correction window closes.

    With handed-over numbers the next throw is the player's own and closes nothing.
    """
    state = transition.state
    if state.due is not None and state.due.kind is ThrowKind.TRANSFER:
        return transition.with_waiting_throw(throw)
    transition, refused = transition.with_waiting_throw(throw), state.questions.refused
    if transition.seen.findings.refused_in_doubt and refused is not None:
        # the players say what stands there, because all further turns are judged from it
        return mark_overtaken(transition, UnclearVerdict((), (), refused.take_back + refused.belongs, OVERTAKEN))
    return condone_play(transition, table, clause_text(table.profile, Clause.CORRECTION_WINDOW))


def condone_play(transition: Transition, table: MatchConfig, clause: str) -> Transition:
    """The refused play stands, unless it is never condoned; then the board has to be restored."""
    refused = transition.state.questions.refused
    if refused is None:
        return transition
    if not may_stand(refused, table):  # the throw waits: a person may correct the board
        return transition.emit(events.BoardDiffers(transition.now_ms, refused.take_back, refused.belongs))
    transition = transition.emit(
        events.PlayCondoned(
            transition.now_ms,
            refused.player,
            refused.numbers,
            before=refused.before,
            after=refused.after,
            rules=refused.rules,
            clause=clause,
        )
    )
    transition = transition.with_findings(transition.seen.findings.know(transition.now_ms))
    return continue_game(game_end.finish_game_if_over(transition, table), table)


def can_stand(transition: Transition, table: MatchConfig) -> bool:
    """Whether the refused play may be condoned."""
    refused = transition.state.questions.refused
    return refused is not None and may_stand(refused, table)


def may_stand(play: events.PlayRefused | IllegalVerdict, table: MatchConfig) -> bool:
    """Whether an illegal play may be condoned: no never-condoned rule is broken and the board is a possible position."""
    return not table.profile.never_condoned.intersection(play.rules) and is_possible(play.after, table)


def report_unclear_play(transition: Transition, verdict: UnclearVerdict) -> Transition:
    transition = transition.with_findings(transition.seen.findings.ask_about(transition.board))
    return transition.emit(
        events.PlayUnclear(transition.now_ms, transition.mover, verdict.options, verdict.places, verdict.sentence)
    )
