"""SET_UP: the seating, and whether the checkers stand as the game begins."""

from dataclasses import replace

from controller.adjudication import BoardDifference, select_plain_seatings
from controller.match import Evidence, GameStarted, Seating, SeatingKnown, SetSeating, SetUpUnclear
from controller.observing import DICE_OF_A_THROW, Observation
from controller.refereeing.debounce import clear_pending, debounce, is_inspection_due, report_difference
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase
from controller.refereeing.throw import (
    PendingThrow,
    announce_forced_pass,
    handle_throw,
    judge_throw,
)
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import compare_with_position, make_reference_board, place_names
from controller.rules import Player, Ruleset, is_crawford, next_starter
from controller.rules.grasshopper.game import START
from vision.dice.readings import DieState


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame in SET_UP. Differences are reported for the seating with the fewest of them."""
    if seen.hand_in_view:
        return clear_pending(transition)
    if seen.board is None or not is_inspection_due(transition, seen, table):
        return transition
    transition = with_agreed_seating(transition.mark_inspected(), table)
    start = start_position_of(transition, table)
    ways = [
        (seating, compare_with_position(start, seen.board, seating, table))
        for seating in _list_seatings(transition, table)
    ]
    fitting = [seating for seating, difference in ways if _may_begin(difference, transition, table)]
    if len(fitting) > 1:
        return _report_unclear(transition, (), table, is_seating_open=True)
    if fitting:
        transition = _emit_seating(transition, fitting[0], Evidence.SEEN)
        reference = make_reference_board(transition.state, seen.board, start, table)
        transition = start_game(transition.with_findings(transition.seen.findings.refer_to(reference)), start, table)
        return _take_lying_throw(transition, seen, table)
    nearest = min((difference for _, difference in ways), key=_difference_size)
    if nearest.extra or nearest.missing:
        return report_difference(transition, nearest, table)
    return _report_unclear(transition, place_names(nearest.unsure), table)


def _take_lying_throw(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """Takes the dice that lie on the board as the first throw, where they may be one and can be read."""
    if not table.start.is_thrown or transition.state.phase is not Phase.AWAIT_ROLL:
        return transition
    throw = PendingThrow(tuple(die for die in seen.dice if die.reading.lies is not DieState.OFF_BOARD))
    is_throw = len(throw.dice) == DICE_OF_A_THROW and judge_throw(throw, transition.mover, transition, table).valid
    return handle_throw(transition, throw, table) if is_throw else transition


def _list_seatings(transition: Transition, table: MatchConfig) -> tuple[Seating, ...]:
    """The known seating, or all possible ones."""
    if transition.state.seating is not None:
        return (transition.state.seating,)
    if not isinstance(table.rules, Ruleset):
        return (table.seatings[0],)  # an empty board does not show the seating, and both players move the same way
    return select_plain_seatings(table.rules, table.seatings)


def _may_begin(difference: BoardDifference, transition: Transition, table: MatchConfig) -> bool:
    """Whether the checkers stand as the game begins; a position that was inferred may have open counts."""
    is_inferred = table.start.is_inferred and transition.state.game.number == 0
    return difference.is_none or (is_inferred and not (difference.extra or difference.missing))


def _difference_size(difference: BoardDifference) -> tuple[int, int]:
    return len(difference.extra) + len(difference.missing), len(difference.unsure)


def with_agreed_seating(transition: Transition, table: MatchConfig) -> Transition:
    """Emits the seating that was agreed before the match."""
    return transition if table.seating is None else _emit_seating(transition, table.seating, Evidence.ENTERED)


def _emit_seating(transition: Transition, seating: Seating, evidence: Evidence) -> Transition:
    if transition.state.seating is not None:
        return transition
    return transition.emit(SeatingKnown(transition.now_ms, seating, evidence))


def _report_unclear(
    transition: Transition, places: tuple[str, ...], table: MatchConfig, *, is_seating_open: bool = False
) -> Transition:
    """Reports once that the game waits for a better view or for a person; again when the reason changes."""
    transition, is_ripe = debounce(transition, (SetUpUnclear, is_seating_open), table.patience.unclear_ms)
    event = SetUpUnclear(transition.now_ms, places, is_seating_open)
    known = transition.state.questions.set_up_unclear
    is_known = known is not None and _is_already_reported(known, event)
    return transition.emit(event) if is_ripe and not is_known else transition


def _is_already_reported(known: SetUpUnclear, now: SetUpUnclear) -> bool:
    """Whether the same question was reported; hidden places vary, so one place in common suffices."""
    is_named = not now.places or not set(now.places).isdisjoint(known.places)
    return known.is_seating_open == now.is_seating_open and is_named


def start_position_of(transition: Transition, table: MatchConfig) -> str:
    """The start position of the next game; the configuration may give one for the first game."""
    is_first = transition.state.game.number == 0
    return table.start.position if is_first and table.start.position is not None else table.start_text


def start_game(transition: Transition, position: str, table: MatchConfig) -> Transition:
    """Begins the game from this position."""
    number = transition.state.game.number + 1
    is_given = number == 1 and table.start.position is not None
    event = GameStarted(
        transition.now_ms,
        number,
        position,
        table.start.on_turn if is_given else _starter(transition, table),
        is_crawford=is_crawford(transition.state.match, table.match),
        rolls_before=table.start.rolls_before if is_given else 0,
    )
    transition = transition.emit(event)
    return announce_forced_pass(transition.with_seen(transition.seen.start_game()), table)


def _starter(transition: Transition, table: MatchConfig) -> Player | None:
    """The player who starts; None: the opening throw decides."""
    if not isinstance(table.rules, Ruleset):
        return START.to_act
    winner_starts = table.rules.winner_starts
    return transition.state.match.last_winner if winner_starts else next_starter(transition.state.match, table.match)


def handle_set_seating(transition: Transition, command: SetSeating, table: MatchConfig) -> Transition:
    """Sets the seating; White's head is taken from the game."""
    seating = command.seating
    if isinstance(table.rules, Ruleset):
        seating = replace(seating, white_head=table.rules.white_head)
    transition = transition.emit(SeatingKnown(transition.now_ms, seating, Evidence.ENTERED)).with_pending(None)
    return transition.with_findings(transition.seen.findings.inspect(0))
