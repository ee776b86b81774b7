"""Random games in open_spiel's backgammon, an engine in C++ that shares nothing with ours, as positions of ours.

Its X (player 0) is our White. It counts points from 0 along O's path, so O's own point is one more and X's is 24 less
that. A double is two turns of two checkers each, and the duty is judged within each of them; `turn_results` therefore
keeps only the pairs that move the most checkers.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from controller.rules import Player, Position, Stage, make_stage, pack_counts

BAR = 100
PLAYERS = (Player.WHITE, Player.BLACK)

State = Any  # pyspiel ships no annotations


@dataclass(frozen=True, slots=True)
class Question:
    """A position and a throw, with every position that open_spiel says the turn may end in."""

    before: Position
    mover: Player
    stage: Stage
    results: frozenset[Position]


def side_of(state: State, player: int, checkers: int) -> int:
    """One side of `state`, packed as ours."""
    points = [state.board(player, place) for place in range(24)]
    own = points if player else points[::-1]
    bar = state.board(player, BAR)
    return pack_counts((checkers - sum(points) - bar, *own, bar, 0))


def position_of(state: State, checkers: int) -> Position:
    return Position(side_of(state, 0, checkers), side_of(state, 1, checkers))


def moved_checkers(state: State, action: int) -> int:
    moves = state.spiel_move_to_checker_moves(state.current_player(), action)
    return sum(1 for move in moves if 0 <= move.pos < 24 or move.pos == BAR)


def turn_results(state: State, checkers: int, *, is_double: bool) -> frozenset[Position]:
    """The positions in which the turn that begins in `state` may end."""
    if not is_double:
        return frozenset(position_of(state.child(action), checkers) for action in state.legal_actions())
    ends: dict[int, set[Position]] = {}
    middles: dict[tuple[int, str], State] = {}
    for action in state.legal_actions():
        child = state.child(action)
        middles.setdefault((moved_checkers(state, action), str(child)), child)
    for (moved, _), middle in middles.items():
        if middle.is_terminal() or middle.is_chance_node():
            ends.setdefault(moved, set()).add(position_of(middle, checkers))
            continue
        seen = {str(child): (action, child) for action in middle.legal_actions() if (child := middle.child(action))}
        for action, child in seen.values():
            ends.setdefault(moved + moved_checkers(middle, action), set()).add(position_of(child, checkers))
    return frozenset(ends[max(ends)])


def questions(game: Any, checkers: int, seed: int) -> Iterator[Question]:
    """Every turn of random games, one game after the other without end."""
    rng = random.Random(seed)
    while True:
        state = game.new_initial_state()
        dice: tuple[int, ...] = ()
        while not state.is_terminal():
            if state.is_chance_node():
                outcome, _ = rng.choice(state.chance_outcomes())
                dice = dice_in(state.action_to_string(outcome))
                state.apply_action(outcome)
                mover, before = PLAYERS[state.current_player()], position_of(state, checkers)
                double = dice[0] == dice[1]
                stage = make_stage(dice * 2 if double else dice)
                yield Question(before, mover, stage, turn_results(state, checkers, is_double=double))
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def dice_in(outcome: str) -> tuple[int, ...]:
    """The two dice of `chance outcome 0 X starts, (roll: 12)`."""
    digits = outcome.rpartition("roll: ")[2]
    return tuple(int(digit) for digit in digits if digit.isdigit())
