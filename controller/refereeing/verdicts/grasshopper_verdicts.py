"""Grasshopper, the game without dice: verdicts on actions, and actions and boards as text.

Actions are written like moves of draughts: `hand/4` enters, `4/9` moves, `6-12` builds a wall, `20/off` bears off.
"""

from dataclasses import replace

from controller import adjudication
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts.comparison import place_names
from controller.refereeing.verdicts.due_throw import grasshopper_state
from controller.refereeing.verdicts.values import (
    AMBIGUOUS_PLAYS,
    IllegalVerdict,
    LegalVerdict,
    PlayVerdict,
    UnclearVerdict,
)
from controller.rules import FollowKind, Player
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper import judge as grasshopper_judge
from controller.rules.grasshopper.judge import PieceSetup


def make_grasshopper_verdict(outcome: adjudication.GrasshopperOutcome, state: RefereeState) -> PlayVerdict:
    match outcome:
        case adjudication.LegalOutcome():
            return make_allowed_verdict(outcome.ruling, place_names(outcome.inferred))
        case adjudication.IllegalOutcome():
            return IllegalVerdict(
                claimed_board_text(outcome.after, grasshopper_state(state)),
                (),
                tuple(each.sentence for each in outcome.ruling.objections),
                place_names(outcome.take_back),
                place_names(outcome.belongs),
                is_unchanged=outcome.ruling.objections[0].reason is grasshopper_judge.Mismatch.NOTHING_CHANGED,
            )
        case adjudication.AmbiguousOutcome():
            plays = tuple(action_text(option.action) for option in outcome.options)
            afters = tuple(grasshopper.to_text(option.after) for option in outcome.options)
            return UnclearVerdict(plays, afters, place_names(outcome.places), AMBIGUOUS_PLAYS)
        case adjudication.UndecidedOutcome():  # pragma: no branch - mypy sees that no other case is left
            return UnclearVerdict((), (), place_names(outcome.places), outcome.sentence)


def make_allowed_verdict(ruling: grasshopper_judge.ActionAllowed, inferred: tuple[str, ...]) -> LegalVerdict:
    is_over = ruling.after.winner is not None
    follow = FollowKind.GAME_OVER if is_over else FollowKind.END_TURN
    text = action_text(ruling.action)
    return LegalVerdict(text, grasshopper.to_text(ruling.after), follow.value, inferred)


def action_text(action: grasshopper.Action) -> str:
    if action == grasshopper.PASS:
        return "pass"
    source = "hand" if action.kind is grasshopper.ActionKind.ENTER else str(action.source)
    target = "off" if action.target == grasshopper.BORNE_OFF else str(action.target)
    return f"{source}{'-' if action.kind is grasshopper.ActionKind.WALL else '/'}{target}"


def claimed_board_text(board: PieceSetup, before: grasshopper.State) -> str:
    """The text of a claimed board after the action of the side to act; "" where the game cannot go on from it."""
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
        return grasshopper.to_text(grasshopper.from_text(grasshopper.to_text(after)))
    except grasshopper.GrasshopperTextError:
        return ""


_STACKS = {(stack.count(Player.WHITE), stack.count(Player.BLACK)): stack for stack in grasshopper.Stack}


def _count_hand(board: PieceSetup, before: grasshopper.State, player: Player) -> int:
    """Pieces in the hand: as claimed, else the hand before less the pieces that came onto the points."""
    if board.hands is not None:
        return board.hands[player is Player.BLACK]
    was = sum(stack.count(player) for stack in before.points)
    return before.hand(player) - max(0, sum(board.points_of(player)) - was)
