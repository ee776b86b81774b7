"""Two plays on one board: the turn that is judged, and the next one, of which the throw was seen.

Of all plays that may have been made, only some lead to a board from which the opponent's play is legal. Used where
nobody could look in between; it names plays, it never blames anybody.
"""

from dataclasses import replace

from controller.observing.board_evidence import BoardSeen
from controller.referee_state import Due, RefereeState
from controller.refereeing.verdicts import Played, first_plays, throw_due, verdict_on
from controller.rules.notation import position_text
from controller.rules.play_text import play_text
from controller.rules.player import OFF
from controller.rules.stages import END_TURN, RollCounters, ThrowKind, after_stage
from controller.table import Table

MOST_PLAYS = 200  # of a turn that nobody saw; more would hold up the frames for too long


def both_played(
    state: RefereeState, values: tuple[int, int], board: BoardSeen, table: Table
) -> tuple[tuple[Played, Played], ...]:
    """Every pair of plays, of the player on turn and of the other one with `values`, that explains the board."""
    return tuple(
        (first, second)
        for first in _may_have_been_played(state, table)
        if isinstance(second := verdict_on(_after(state, first, values), board, table), Played)
    )


def _may_have_been_played(state: RefereeState, table: Table) -> list[Played]:
    """Legal plays after which the other player throws; none where the turn has several stages or too many ways."""
    if table.is_grasshopper or state.due is None or state.due.kind is ThrowKind.TRANSFER or state.on_turn is None:
        return []
    rules = table.dice_rules
    throw = throw_due(state, rules)
    if len(throw.stages) > 1:
        return []
    plays = first_plays(state, rules)
    if len(plays) > MOST_PLAYS:
        return []
    return [
        Played(play_text(play.steps), position_text(play.after), str(END_TURN))
        for play in plays
        if play.after.counts(state.on_turn)[OFF] < rules.checkers
        and after_stage(throw, 0, play.unused, rules) == END_TURN
    ]


def _after(state: RefereeState, first: Played, values: tuple[int, int]) -> RefereeState:
    """The state in which the opponent's play would be judged, had `first` been made."""
    if state.on_turn is None:
        raise RuntimeError("nobody is on turn")
    other = state.on_turn.opponent
    counters = RollCounters(state.rolls.white + state.rolls.black, state.rolls.of(other))
    return replace(state, position=first.after, on_turn=other, due=Due(ThrowKind.ROLL, values, counters))
