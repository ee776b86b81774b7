"""Joins a match that nobody announced: what was agreed opens a belief, and what the belief decides completes the agreement."""

from dataclasses import replace

from controller.adjudication import AnnouncedGame, Belief, GameRoot, make_root
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
    """The belief in the game as the log has it, before the turn that is played."""
    if state.on_turn is None:
        raise RuntimeError("nobody is on turn")
    rules, player, due = table.dice_rules, state.on_turn, state.due
    counters = counters_before(state, player) if due is None else due.before
    own, others = counters.player, counters.game - counters.player
    root = GameRoot(require_seating(state), position_of(state.position, rules), player, rolls_before=own)
    handed_over = due.numbers if due is not None and due.kind is ThrowKind.TRANSFER else ()
    announced = AnnouncedGame(rules, (root.seating,), root.position, player, table.has_bar)
    first = make_root(root, {player: own, player.opponent: others}, handed_over, rules)
    return Belief(announced, before=(first,), now=(first,))


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
