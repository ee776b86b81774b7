"""Boards that show the play of two turns, or of the other player.

*Two plays on one board.* Where the board was not seen between two turns, only some plays of the first lead to a board from
which the second is legal. `find_play_pairs` lists them; it never accuses anybody.

*A roll of the other player.* The board may be a legal play of the opponent with this very roll. A player who can move with
no roll need not throw, so he may have passed. Otherwise an earlier turn was missed, and the referee is one turn behind, or
somebody played out of turn. Taken for the mover's play the board breaks a rule, and so would every later board. Nobody
plays a whole roll with the other side's checkers by mistake, so the referee asks whose throw it was; once the next throw is
made, the play stands either way.

*A turn of which nothing was seen.* If the board was out of view for so long before the roll, the opponent's play is also
compared with the boards after every play of the mover, whatever he threw.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial

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
    is_possible,
    judge_board,
    position_of,
    throw_due,
)
from controller.rules import (
    ALL_ROLLS,
    BAR,
    END_TURN,
    OFF,
    Legal,
    Play,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Stage,
    Throw,
    ThrowKind,
    Transfer,
    Turn,
    find_follow,
    legal_plays,
    make_own_throw,
    parse_setup,
    play_text,
    position_text,
)
from controller.rules import judge as judge_setup

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

NOT_SEEN = "No legal play explains the board, but for a while nobody looked; say what was played."

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
    transition: Transition, judge: Judge, table: MatchConfig, *, stands: str, evidence: Evidence
) -> tuple[Transition, LegalVerdict] | None:
    """If the opponent was on turn and made the play; None if `judge` finds no legal play of the opponent.

    A play that was refused before is the mover's. Where a turn may have been missed, the opponent may also have played
    after an unseen play of the mover, if only one such play leads to the position text `stands`.
    """
    state, due = transition.state, transition.state.due
    if table.is_grasshopper or state.phase is Phase.ILLEGAL or due is None or due.kind is not ThrowKind.ROLL:
        return None
    between = partial(_give_turn_to_opponent, position=state.position)
    given = _give_roll_to_opponent(transition, between, judge, evidence)
    if given is not None and given[1].after != state.position:
        return given
    unseen = find_unseen_play(state, due.numbers, stands, table) if state.seen.outages.perhaps_missed_turn else None
    if unseen is None:
        return None
    return _give_roll_to_opponent(transition, partial(_give_turn_to_opponent, position=unseen), judge, evidence)


def find_unseen_play(state: RefereeState, values: tuple[int, ...], stands: str, table: MatchConfig) -> str | None:
    """The board after a play of the mover with any roll, from which the opponent's `values` lead to `stands`.

    None if there is no such board, or several, or if the turns of this game have parts that cannot all be listed.
    """
    rules, mover = table.dice_rules, state.on_turn
    if mover is None or not is_possible(stands, table) or rules.transfer is not Transfer.NONE or rules.bonus_roll:
        return None
    after, counters = position_of(stands, rules), counters_before(state, mover)
    high, low = values
    roll = Turn((make_own_throw(Roll.of(high, low), rules, counters_before(state, mover.opponent)),))
    setup = parse_setup(stands)
    found = {
        position_text(between)
        for between in _list_unseen_results(position_of(state.position, rules), mover, counters, rules)
        if _is_left_alone(between.counts(mover), after.counts(mover))
        and isinstance(judge_setup(between, mover.opponent, roll, setup, rules), Legal)
    }
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=2)
def _list_unseen_results(
    before: Position, mover: Player, counters: RollCounters, rules: Ruleset
) -> frozenset[Position]:
    """What may stand after a turn of the mover that does not end the game, whatever he threw; cached for all frames of a
    turn. Empty if a roll is played in several stages.
    """
    throws = [make_own_throw(roll, rules, counters) for roll in ALL_ROLLS]
    if any(len(throw.stages) > 1 for throw in throws):
        return frozenset()
    plays = (play for throw in throws for play in _plays_of(before, mover, throw, rules) if play.steps)
    return frozenset(play.after for play in plays if play.after.counts(mover)[OFF] < rules.checkers)


def _plays_of(before: Position, mover: Player, throw: Throw, rules: Ruleset) -> tuple[Play, ...]:
    return legal_plays(before, mover, Stage(throw.stages[0], throw.is_first_roll), rules)


def _is_left_alone(before: Sequence[int], after: Sequence[int]) -> bool:
    """Whether between two boards, given as counts by own coordinate, a player's checkers were at most hit."""
    hits = after[BAR] - before[BAR]
    on_points = [was - now for was, now in zip(before[1:BAR], after[1:BAR], strict=True)]
    return before[OFF] == after[OFF] and min(on_points) >= 0 and sum(on_points) == hits


def question_thrower(transition: Transition, verdict: PlayVerdict, judge: Judge, table: MatchConfig) -> PlayVerdict:
    """The verdict, or a question where an illegal play of the mover is a legal one of the opponent."""
    if not isinstance(verdict, IllegalVerdict):
        return verdict
    given = explain_by_missed_turn(transition, judge, table, stands=verdict.after, evidence=Evidence.INFERRED)
    if given is None:
        return verdict
    after, played = given
    is_second = after.state.position != transition.state.position
    return UnclearVerdict((played.play,), (played.after,), (), NOT_SEEN if is_second else WHOSE_THROW)


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


def _give_turn_to_opponent(transition: Transition, position: str) -> Transition:
    opponent = transition.mover.opponent
    return transition.emit(BoardCorrected(transition.now_ms, position, opponent, Evidence.INFERRED))
