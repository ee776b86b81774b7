"""Turns that are understood only from what followed them: asked about while several explanations are left, then accepted.

Nobody plays a whole roll with the other side's checkers by mistake, and a turn may have been played while nobody looked. So a
board that no play of the mover explains is asked about unless a breach is by far the likeliest explanation.
"""

from collections.abc import Callable, Sequence

from controller.adjudication import LEAD, PlayedTurn
from controller.match import (
    BoardCorrected,
    Clause,
    DiceRolled,
    Evidence,
    PlayCondoned,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    RollWithdrawn,
    clause_text,
)
from controller.refereeing.explanations import Explanation, explain_board, find_agreed_turns, is_breach_likeliest
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end
from controller.refereeing.phases.closed_out import can_play_no_roll, emit_forced_pass, may_have_passed
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
    judge_entered_board,
)
from controller.rules import ThrowKind, play_text, position_text

WHOSE_THROW = "The other player's checkers were played with this throw; say whether it was his, or put them back."
NOT_SEEN = "No legal play explains the board, but for a while nobody looked; say what was played."
OVERTAKEN = "The next throw was made before the board could be seen; say what was played."


__all__ = [
    "NOT_SEEN",
    "OVERTAKEN",
    "WHOSE_THROW",
    "accept_agreed_turns",
    "accept_entered_board",
    "emit_turns",
    "explain",
    "explain_by_pass",
    "is_breach_likeliest",
    "make_question",
]


def explain(transition: Transition, table: MatchConfig) -> tuple[Explanation, ...]:
    """What may have led to the last settled board; empty without one, and in games without dice."""
    board = transition.board
    return () if board is None or table.is_grasshopper else explain_board(transition.state, board, table)


def accept_agreed_turns(
    transition: Transition, explanations: Sequence[Explanation], table: MatchConfig, *, last: Evidence
) -> Transition | None:
    """Emits the turns on which all explanations agree; None if there are none. `last`: how the end of the last one is known."""
    agreed = find_agreed_turns(explanations)
    if not agreed:
        return None
    transition = transition.with_findings(transition.seen.findings.know(transition.now_ms))
    return emit_turns(emit_turns(transition, agreed[:-1], table), agreed[-1:], table, evidence=last)


def accept_entered_board(transition: Transition, after: str, table: MatchConfig) -> Transition | None:
    """Emits the likeliest explanation that ends with the board that a person entered; None if none does."""
    board = transition.seen.findings.asked or transition.board
    if board is None or table.is_grasshopper or transition.state.phase is Phase.ILLEGAL:
        return None
    for one in explain_board(transition.state, board, table):
        is_played = one.path and one.path[-1].ruling is not None and not any(turn.is_breach for turn in one.path)
        if is_played and position_text(one.path[-1].after) == after:
            return emit_turns(transition, one.path, table, evidence=Evidence.ENTERED)
    return None


def make_question(transition: Transition, explanations: Sequence[Explanation], sentence: str) -> UnclearVerdict:
    """What people are asked: which play was made with the roll, by either player, the likeliest first."""
    due = transition.state.due
    numbers = () if due is None else due.numbers
    plays: dict[str, PlayedTurn] = {}
    for one in explanations:
        for turn in one.path if one.nats >= explanations[0].nats - LEAD else ():
            if turn.ruling is not None and turn.roll == numbers:
                plays.setdefault(position_text(turn.after), turn)
    texts = tuple(play_text(turn.ruling.steps) for turn in plays.values() if turn.ruling is not None)
    whose = [turn for turn in plays.values() if position_text(turn.before) == transition.state.position]
    is_whose = sentence == NOT_SEEN and bool(whose) and all(turn.player is not transition.mover for turn in whose)
    return UnclearVerdict(texts, tuple(plays), (), WHOSE_THROW if is_whose else sentence)


def emit_turns(
    transition: Transition,
    path: Sequence[PlayedTurn],
    table: MatchConfig,
    *,
    evidence: Evidence = Evidence.INFERRED,
) -> Transition:
    """Emits the turns of a path; the game may end with the last one. `evidence`: of plays whose throw was read."""
    for turn in path:
        if transition.state.phase is Phase.GAME_OVER:
            break
        is_open = transition.state.phase is Phase.ILLEGAL or Phase.ILLEGAL in transition.state.underneath
        if is_open and turn.ruling is not None and turn.player is transition.state.on_turn:
            transition = transition.emit(PlayCorrected(transition.now_ms, turn.player))
        transition = _withdraw_other_roll(transition, turn)
        if turn.is_unseen:
            # A turn that was unclear is this one; its board is known, and nothing else was unseen.
            is_unclear = transition.state.phase is Phase.UNSURE and turn.player is transition.state.on_turn
            known = Evidence.SEEN if is_unclear else Evidence.INFERRED
            corrected = BoardCorrected(transition.now_ms, position_text(turn.after), turn.player.opponent, known)
            transition = game_end.finish_game_if_over(transition.emit(corrected), table)
        elif turn.is_breach:
            transition = game_end.finish_game_if_over(_emit_breach(_emit_roll(transition, turn), turn, table), table)
        else:
            transition = game_end.finish_game_if_over(_emit_play(transition, turn, evidence), table)
    return transition


def _withdraw_other_roll(transition: Transition, turn: PlayedTurn) -> Transition:
    """A roll that this turn does not play was another player's, or is forgotten; then `turn.player` is on turn."""
    state = transition.state
    is_own = turn.player is state.on_turn and not turn.is_unseen
    if state.due is not None and state.due.kind is ThrowKind.ROLL and not (is_own and turn.roll == state.due.numbers):
        high, low = state.due.numbers
        transition = transition.emit(RollWithdrawn(transition.now_ms, transition.mover, (high, low)))
    if turn.is_unseen or turn.player is state.on_turn:
        return transition
    return transition.emit(BoardCorrected(transition.now_ms, state.position, turn.player, Evidence.INFERRED))


def _emit_roll(transition: Transition, turn: PlayedTurn) -> Transition:
    if turn.roll is None or transition.state.due is not None:
        return transition
    read = Evidence.SEEN if turn.is_read else Evidence.INFERRED
    return transition.emit(DiceRolled(transition.now_ms, turn.player, turn.roll, read))


def _emit_breach(transition: Transition, turn: PlayedTurn, table: MatchConfig) -> Transition:
    """An illegal play on which the game went on: it is named and stands."""
    state, after = transition.state, position_text(turn.after)
    verdict = judge_entered_board(state, after, table)
    if not isinstance(verdict, IllegalVerdict) or state.due is None:
        return transition.emit(BoardCorrected(transition.now_ms, after, turn.player.opponent, Evidence.INFERRED))
    play = (turn.player, state.due.numbers)
    refused = PlayRefused(transition.now_ms, *play, state.position, after, verdict.rules, verdict.sentences)
    clause = clause_text(table.profile, Clause.CORRECTION_WINDOW)
    stands = PlayCondoned(transition.now_ms, *play, state.position, after, verdict.rules, clause)
    return transition.emit(refused, stands)


def _emit_play(transition: Transition, turn: PlayedTurn, evidence: Evidence) -> Transition:
    if turn.ruling is None:
        raise ValueError("a breach is not accepted as a play")
    transition = _emit_roll(transition, turn)
    due = transition.state.due
    return transition.emit(
        PlayMade(
            transition.now_ms,
            turn.player,
            () if due is None else due.numbers,
            play=play_text(turn.ruling.steps) if turn.ruling.steps else "pass",
            before=position_text(turn.before),
            after=position_text(turn.after),
            follow=str(turn.ruling.follow),
            evidence=evidence if turn.is_read or evidence is Evidence.ENTERED else Evidence.INFERRED,
        )
    )


def explain_by_pass(
    transition: Transition, judge: Callable[[RefereeState], PlayVerdict], table: MatchConfig
) -> tuple[Transition, LegalVerdict] | None:
    """If the mover passed and roll and play were the opponent's; None if `judge` finds no legal play of the opponent."""
    due = transition.state.due
    asked = can_play_no_roll if table.is_watched else may_have_passed
    if due is None or len(due.numbers) != 2 or not asked(transition.state, table):
        return None
    high, low = due.numbers
    transition = transition.emit(RollWithdrawn(transition.now_ms, transition.mover, (high, low)))
    transition = emit_forced_pass(transition, table)
    transition = transition.emit(DiceRolled(transition.now_ms, transition.mover, (high, low)))
    verdict = judge(transition.state)
    return (transition, verdict) if isinstance(verdict, LegalVerdict) else None
