"""Boards against all rolls that may have led to them."""

import pytest

from controller.adjudication.board_view import view_of
from controller.adjudication.roll_inference import infer_throws
from controller.adjudication.turn_evidence import ThrowInPlay
from controller.match.seating import Seating
from controller.rules import ALL_ROLLS, Player, Position, Roll, RollCounters, make_own_throw
from tests.controller.board_sights import ONE_LOOK, sight_of
from tests.controller.rules.boards import board, game
from tests.controller.rules.strategies import TurnPlayed, random_game

BACKGAMMON, GUL_BARA = game("backgammon"), game("gul_bara")
LATER = RollCounters(2, 1)
ALL_THROWS = {make_own_throw(roll, BACKGAMMON, LATER): roll for roll in ALL_ROLLS}


def in_play(before: Position, mover: Player) -> list[ThrowInPlay]:
    return [ThrowInPlay(before, mover, throw, Seating(), BACKGAMMON) for throw in ALL_THROWS]


@pytest.mark.parametrize("turn", random_game(BACKGAMMON, 6)[2:12])
def test_the_roll_that_was_played_is_among_them(turn: TurnPlayed) -> None:
    """Of 21 rolls few lead to the board that stands there."""
    seen = sight_of(view_of(turn.after, Seating(), BACKGAMMON), ONE_LOOK)
    throws = infer_throws(in_play(turn.before, turn.mover), seen)
    stage = turn.turn.throws[0].stages[0]
    assert Roll.of(stage[0], stage[1]) in [ALL_THROWS[throw] for throw in throws]
    assert len(throws) <= 4


def test_several_rolls_may_lead_to_one_board() -> None:
    """Five steps of one checker are 4-1 or 3-2."""
    before, after = (
        board(BACKGAMMON, side, "24:2 13:5 8:3 6:5") for side in ("24:2 13:5 8:3 6:5", "24:2 13:4 8:4 6:5")
    )
    seen = sight_of(view_of(after, Seating(), BACKGAMMON), ONE_LOOK)
    throws = infer_throws(in_play(before, Player.WHITE), seen)
    assert {ALL_THROWS[throw] for throw in throws} == {Roll(4, 1), Roll(3, 2)}


def test_cascades_are_not_distinguished() -> None:
    """A double that goes on with all higher ones leads to too many boards."""
    turn = random_game(GUL_BARA, 3)[8]
    seen = sight_of(view_of(turn.after, Seating(), GUL_BARA), ONE_LOOK)
    throws = [make_own_throw(roll, GUL_BARA, RollCounters(8, 4)) for roll in ALL_ROLLS]
    turns = [ThrowInPlay(turn.before, turn.mover, throw, Seating(), GUL_BARA) for throw in throws]
    assert infer_throws(turns, seen) == ()
