"""Boards that show the play of two turns, or of the other player.

*Two plays on one board.* Where the board was not seen between two turns, only some plays of the first lead to a board from
which the second is legal. `find_play_pairs` lists them; it never accuses anybody.

*A roll of the other player.* The board may be a legal play of the opponent with this very roll. A player who can move with
no roll need not throw, so he may have passed. Otherwise an earlier turn was missed, and the referee is one turn behind, or
somebody played out of turn. Taken for the mover's play the board breaks a rule, and so would every later board. Nobody
plays a whole roll with the other side's checkers by mistake, so the referee asks whose throw it was; once the next throw is
made, the play stands either way.
"""

from collections.abc import Callable
from dataclasses import replace

from controller.match import BoardCorrected, DiceRolled, Evidence, RollWithdrawn
from controller.observing import BoardEvidence
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.closed_out import can_play_no_roll, emit_forced_pass, may_have_passed
from controller.refereeing.state import Due, Phase, RefereeState, counters_before
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import (
    IllegalVerdict,
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
    first_plays,
    judge_board,
    throw_due,
)
from controller.rules import END_TURN, OFF, ThrowKind, find_follow, play_text, position_text

# Most plays of an unseen turn that are tried; more would hold up the frames. Knob: a higher value asks less.
MAX_PLAYS = 200


def find_play_pairs(
    state: RefereeState, values: tuple[int, int], board: BoardEvidence, table: MatchConfig
) -> tuple[tuple[LegalVerdict, LegalVerdict], ...]:
    """All pairs of plays that explain the board: of the player on turn, then of the other player with `values`."""
    return tuple(
        (first, second)
        for first in _list_first_plays(state, table)
        if isinstance(second := judge_board(_state_after(state, first, values), board, table), LegalVerdict)
    )


def _list_first_plays(state: RefereeState, table: MatchConfig) -> list[LegalVerdict]:
    """Legal plays after which the other player throws; none if the turn has several stages or too many plays."""
    if table.is_grasshopper or state.due is None or state.due.kind is ThrowKind.TRANSFER or state.on_turn is None:
        return []
    rules = table.dice_rules
    throw = throw_due(state, rules)
    if len(throw.stages) > 1:
        return []
    plays = first_plays(state, rules)
    if len(plays) > MAX_PLAYS:
        return []
    return [
        LegalVerdict(play_text(play.steps), position_text(play.after), str(END_TURN))
        for play in plays
        if play.after.counts(state.on_turn)[OFF] < rules.checkers
        and find_follow(throw, 0, play.unused, rules) == END_TURN
    ]


def _state_after(state: RefereeState, first: LegalVerdict, values: tuple[int, int]) -> RefereeState:
    """The state in which the opponent's play is judged if `first` was made."""
    if state.on_turn is None:
        raise RuntimeError("nobody is on turn")
    other = state.on_turn.opponent
    counters = counters_before(state, other)
    due = Due(ThrowKind.ROLL, values, counters)
    return replace(state, turn=replace(state.turn, position=first.after, on_turn=other, due=due))


WHOSE_THROW = "The other player's checkers were played with this throw; say whether it was his, or put them back."

Judge = Callable[[RefereeState], PlayVerdict]


def explain_by_pass(transition: Transition, judge: Judge, table: MatchConfig) -> tuple[Transition, LegalVerdict] | None:
    """If the mover passed and roll and play were the opponent's; None if `judge` finds no legal play of the opponent."""
    due = transition.state.due
    asked = can_play_no_roll if table.is_watched else may_have_passed
    if due is None or len(due.numbers) != 2 or not asked(transition.state, table):
        return None

    def between(transition: Transition) -> Transition:
        return emit_forced_pass(transition, table)

    return _give_roll_to_opponent(transition, between, judge, Evidence.SEEN)


def explain_by_missed_turn(
    transition: Transition, judge: Judge, table: MatchConfig, *, evidence: Evidence
) -> tuple[Transition, LegalVerdict] | None:
    """If the opponent was on turn and made the play; None if `judge` finds no legal play of the opponent.

    A play that was refused before is the mover's.
    """
    state, due = transition.state, transition.state.due
    if table.is_grasshopper or state.phase is Phase.ILLEGAL or due is None or due.kind is not ThrowKind.ROLL:
        return None
    given = _give_roll_to_opponent(transition, _give_turn_to_opponent, judge, evidence)
    return None if given is None or given[1].after == state.position else given


def question_thrower(transition: Transition, verdict: PlayVerdict, judge: Judge, table: MatchConfig) -> PlayVerdict:
    """The verdict, or a question where an illegal play of the mover is a legal one of the opponent."""
    if not isinstance(verdict, IllegalVerdict):
        return verdict
    given = explain_by_missed_turn(transition, judge, table, evidence=Evidence.INFERRED)
    if given is None:
        return verdict
    played = given[1]
    return UnclearVerdict((played.play,), (played.after,), (), WHOSE_THROW)


def _give_roll_to_opponent(
    transition: Transition, between: Callable[[Transition], Transition], judge: Judge, evidence: Evidence
) -> tuple[Transition, LegalVerdict] | None:
    """Withdraws the due roll from the mover, applies `between`, and gives the same roll to the opponent."""
    due, opponent = transition.state.due, transition.mover.opponent
    if due is None:
        return None
    high, low = due.numbers
    transition = between(transition.emit(RollWithdrawn(transition.now_ms, transition.mover, (high, low))))
    transition = transition.emit(DiceRolled(transition.now_ms, opponent, (high, low), evidence))
    verdict = judge(transition.state)
    return (transition, verdict) if isinstance(verdict, LegalVerdict) else None


def _give_turn_to_opponent(transition: Transition) -> Transition:
    state, opponent = transition.state, transition.mover.opponent
    return transition.emit(BoardCorrected(transition.now_ms, state.position, opponent, Evidence.INFERRED))
