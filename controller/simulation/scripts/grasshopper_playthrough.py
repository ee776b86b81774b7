"""Plays whole games of Grasshopper, the game without dice, as values."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.rules import Player
from controller.rules.grasshopper.game import (
    PASS,
    START,
    Action,
    GrasshopperRules,
    State,
    actions,
    apply_action,
    is_draw,
)
from controller.rules.grasshopper.judge import ActionAllowed, judge_action, make_piece_setup

ChooseAction = Callable[[State, tuple[Action, ...]], Action]

MAX_ACTIONS = 1000  # 28 pieces that only move forward cannot play longer


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """One turn: an action, or the pass of a player who has none. `number` counts both players' turns from 1."""

    number: int
    player: Player
    before: State
    action: Action
    after: State


@dataclass(frozen=True, slots=True)
class GrasshopperEnd:
    """`winner` is None when neither player has an action left: a draw."""

    winner: Player | None
    turns: int
    is_finished: bool = True


def play_grasshopper(
    choose: ChooseAction, rules: GrasshopperRules, *, start: State = START, max_actions: int = MAX_ACTIONS
) -> Iterator[ActionTaken | GrasshopperEnd]:
    """One game from `start`; its `GrasshopperEnd` has `is_finished` False if `max_actions` stopped it."""
    state = start
    for number in range(1, max_actions + 1):
        if state.winner or is_draw(state, rules):
            yield GrasshopperEnd(state.winner, number - 1)
            return
        possible = actions(state, rules)
        action = choose(state, possible) if possible else PASS
        taken = ActionTaken(number, state.to_act, state, action, apply_action(state, action, rules))
        yield taken
        state = taken.after
    over = state.winner is not None or is_draw(state, rules)
    yield GrasshopperEnd(state.winner, max_actions, is_finished=over)


def is_confirmed(taken: ActionTaken, rules: GrasshopperRules) -> bool:
    """Whether the judge, given only the boards before and after, finds the same action."""
    ruling = judge_action(taken.before, make_piece_setup(taken.after), rules)
    return isinstance(ruling, ActionAllowed) and ruling.after == taken.after
