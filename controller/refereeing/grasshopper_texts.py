"""Grasshopper in the log: actions and boards as text. Draughts-like: `hand/4`, `4/9`, `6-12` builds a wall, `20/off`."""

from dataclasses import replace

from controller.rules import Player
from controller.rules.grasshopper.game import (
    BORNE_OFF,
    PASS,
    Action,
    ActionKind,
    GrasshopperTextError,
    Stack,
    State,
    from_text,
    to_text,
)
from controller.rules.grasshopper.judge import PieceSetup


def action_text(action: Action) -> str:
    """One text for each action."""
    if action == PASS:
        return "pass"
    source = "hand" if action.kind is ActionKind.ENTER else str(action.source)
    target = "off" if action.target == BORNE_OFF else str(action.target)
    return f"{source}{'-' if action.kind is ActionKind.WALL else '/'}{target}"


def claimed_board_text(board: PieceSetup, before: State) -> str:
    """The text of a board after the turn of the side to act, if the game can go on from it; else ""."""
    stacks = []
    for white, black in zip(board.white, board.black, strict=True):
        stack = _STACKS.get((white, black))
        if stack is None:
            return ""
        stacks.append(stack)
    white, black = (_count_hand(board, before, player) for player in Player)
    if min(white, black) < 0:
        return ""
    after = replace(before, points=tuple(stacks), white_hand=white, black_hand=black, to_act=before.to_act.opponent)
    try:
        return to_text(from_text(to_text(after)))
    except GrasshopperTextError:
        return ""


_STACKS = {(stack.count(Player.WHITE), stack.count(Player.BLACK)): stack for stack in Stack}


def _count_hand(board: PieceSetup, before: State, player: Player) -> int:
    """What came onto the points came out of the hand, unless somebody looked there."""
    if board.hands is not None:
        return board.hands[player is Player.BLACK]
    was = sum(stack.count(player) for stack in before.points)
    return before.hand(player) - max(0, sum(board.points_of(player)) - was)
