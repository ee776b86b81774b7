"""The belief in a match that nobody announced, which completes what was agreed, and in the game as the log has it."""

from dataclasses import replace
from math import inf

from controller.adjudication import UNSEEN, UNSEEN_IN_A_GAP, AnnouncedGame, Belief, GameRoot, make_root
from controller.observing import BoardEvidence, SeenThrow
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState, counters_before
from controller.refereeing.verdicts import position_of, require_seating
from controller.rules import Position, ThrowKind, parse_setup, position_text, start_position


def make_belief(table: MatchConfig) -> Belief | None:
    """The belief before the first frame; None for Grasshopper, which shows no dice to tell the players by."""
    if table.is_grasshopper:
        return None
    rules, start = table.dice_rules, table.start
    position = None if start.position is None else Position.of(parse_setup(start.position), rules)
    seatings = table.seatings if table.seating is None else (table.seating,)
    announced = AnnouncedGame(
        rules, seatings, position, start.on_turn, table.has_bar, start.rolls_before, start.is_thrown
    )
    return Belief(announced)


def make_known_belief(state: RefereeState, table: MatchConfig) -> Belief:
    """The belief in the game as the log has it, before the turn that is played.

    The clock of a live camera shows for how long nobody saw the board; that of a recording does not show where it was cut.
    """
    rules, player, due = table.dice_rules, state.on_turn, state.due
    own = others = 0
    if player is not None:
        counters = counters_before(state, player) if due is None else due.before
        own, others = counters.player, counters.game - counters.player
    root = GameRoot(require_seating(state), position_of(state.position, rules), player, rolls_before=own)
    handed_over = due.numbers if due is not None and due.kind is ThrowKind.TRANSFER else ()
    has_gap = state.seen.outages.perhaps_missed_turn
    unseen = UNSEEN_IN_A_GAP if has_gap else -inf if table.players.can_be_asked else UNSEEN
    announced = AnnouncedGame(rules, (root.seating,), root.position, player, table.has_bar, unseen=unseen)
    rolls = {} if player is None else {player: own, player.opponent: others}
    first = make_root(root, rolls, handed_over, rules)
    return Belief(announced, before=(first,), now=(first,))


def list_news(state: RefereeState) -> tuple[SeenThrow | BoardEvidence, ...]:
    """Throws and boards since the turn began. Of the throws before the accepted roll none counts."""
    news, due = state.seen.memory.news, state.due
    if due is None or due.kind is not ThrowKind.ROLL:
        return news
    dice, waiting = state.seen.dice, state.seen.throws.waiting
    own = {*dice.own, *dice.ended, *dice.lifted}
    coming = {die.number for die in waiting.dice} if waiting else set[int]()
    thrown = [(at, one.numbers) for at, one in enumerate(news) if isinstance(one, SeenThrow)]
    likely = [at for at, numbers in thrown if numbers & own] or [at for at, numbers in thrown if not numbers & coming]
    at = likely[0 if own else -1] if likely else len(news)
    boards = tuple(one for one in news[:at] if isinstance(one, BoardEvidence))
    roll = SeenThrow((((due.numbers[0], due.numbers[1]), 0.0),), numbers=frozenset(own), counts=True)
    return (*boards, roll, *news[at + 1 :])


def complete_table(table: MatchConfig, belief: Belief | None) -> MatchConfig:
    """The configuration with the likeliest seating, position and player; as it was agreed before any board was seen."""
    root = None if belief is None else belief.likeliest
    return table if root is None else _with_root(table, root)


def _with_root(table: MatchConfig, root: GameRoot) -> MatchConfig:
    """The configuration of a game that began, or was first seen, as the root says."""
    if root.player is None:
        return replace(table, seating=root.seating)
    is_start = root.position == start_position(table.dice_rules)
    start = replace(
        table.start,
        position=position_text(root.position),
        on_turn=root.player,
        rolls_before=root.rolls_before,
        is_thrown=root.is_thrown,
        is_inferred=not is_start and table.start.position is None,
    )
    return replace(table, seating=root.seating, start=start)
