"""Deeds at any table, for the tests that put them in any order: a legal board, a slip, and an end of all trouble."""

from controller.match.commands import Resume, SettleDispute
from controller.match.inputs import Peripheral
from controller.refereeing.verdicts import position_of, throw_due
from controller.rules import Player, Ruleset, Stage, legal_plays, position_text
from controller.rules.grasshopper import game as grasshopper
from tests.controller.refereeing.refereed_match import RefereedMatch, moved


def legal_board(match: RefereedMatch, choice: int) -> str:
    """A board that the player on turn may leave after one stage; `choice` picks the play."""
    state, rules = match.state, match.table.rules
    if not isinstance(rules, Ruleset):
        return _after_an_action(state.position, choice, rules) or match.position
    if state.due is None or state.on_turn is None:
        return state.position or match.position
    throw = throw_due(state, rules)
    stage = Stage(throw.stages[0], throw.is_first_roll)
    plays = legal_plays(position_of(state.position, rules), state.on_turn, stage, rules)
    return position_text(plays[choice % len(plays)].after)


def _after_an_action(position: str, choice: int, rules: grasshopper.GrasshopperRules) -> str:
    if not position:
        return ""
    state = grasshopper.from_text(position)
    possible = grasshopper.actions(state, rules)
    if not possible:
        return position
    return grasshopper.to_text(grasshopper.apply_action(state, possible[choice % len(possible)], rules))


def slip(match: RefereedMatch, player: Player, choice: int) -> None:
    """One checker is put somewhere, whatever the rules say; nothing happens where checkers are pinned."""
    position = match.position
    if not isinstance(match.table.rules, Ruleset) or position.count("/") != 1:
        return
    side = position.split("/")[0 if player is Player.WHITE else 1]
    sources = [point for point in range(1, 25) if side[point] != "0"]
    targets = [point for point in range(1, 25) if side[point] != "f"]
    if sources and targets:
        way = sources[choice % len(sources)], targets[choice // 256 % len(targets)]
        match.put(moved(position, player, way))


def recover(match: RefereedMatch) -> None:
    """All links are up, pauses and disputes are over, and the board is as the log has it."""
    match.moved_mm = 0.0
    for link in Peripheral:
        match.link(link, is_up=True)
    for command in (Resume(), SettleDispute()):
        match.give(command)
    match.position = match.state.position or match.position
