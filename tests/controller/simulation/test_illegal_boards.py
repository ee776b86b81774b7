from random import Random

import pytest

from controller.demo_players import DemoPlayer, SeededDice
from controller.playthrough import TurnPlayed, play_game
from controller.rules.breach import Rule
from controller.rules.judge import judge
from controller.rules.rulings import Illegal
from controller.rules.stages import Turn
from controller.rules.variants import RULESETS
from controller.simulation.illegal_boards import Asked, illegal_board, illegal_board_of


def asked_for(game: str, seed: int, turns: int) -> list[Asked]:
    rules, chance = RULESETS[game], Random(seed)
    found: list[Asked] = []
    for event in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance), most_turns=turns):
        if isinstance(event, TurnPlayed):
            before = event.before
            for played in event.throws:
                found.append(Asked(before, event.player, played, rules))
                before = played.after
    return found


@pytest.mark.parametrize("game", ["backgammon", "tavla", "long_nardy", "gul_bara", "plakoto", "backgammon_race"])
def test_injected_boards_are_illegal_and_named_as_the_judge_names_them(game: str) -> None:
    """The decisive rule of the judge is the kind, and what a camera without trays would think is illegal too."""
    kinds, chance = set[Rule](), Random(3)
    for asked in asked_for(game, 2, 20):
        board = illegal_board(asked, chance)
        if board is not None:
            ruling = judge(asked.before, asked.mover, Turn((asked.played.throw,)), board.after, asked.rules)
            assert isinstance(ruling, Illegal)
            assert ruling.rules[0] is board.kind
            assert board.kind in board.names
            kinds.add(board.kind)
    assert len(kinds) >= 4


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("long_nardy", Rule.HEAD),
        ("backgammon", Rule.BAR_FIRST),
        ("backgammon", Rule.HIT_NOT_ON_BAR),
        ("backgammon", Rule.MUST_PLAY_MORE),
        ("old_english", Rule.MAX_STACK),
        ("fevga", Rule.FIRST_CHECKER),
        ("backgammon", Rule.MOVED_BACKWARDS),
        ("backgammon", Rule.OPPONENT_MOVED),
    ],
)
def test_a_rule_that_is_asked_for_is_broken(game: str, kind: Rule) -> None:
    """In some turn of a game there is a board that breaks this rule before all others."""
    boards = (illegal_board_of(kind, asked, Random(1)) for asked in asked_for(game, 4, 60))
    board = next(one for one in boards if one is not None)
    assert board.kind is kind
