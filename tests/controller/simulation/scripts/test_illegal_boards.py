from random import Random

import pytest

from controller.rules import (
    RULESETS,
    Illegal,
    Player,
    Position,
    Roll,
    RollCounters,
    Rule,
    Stage,
    Turn,
    judge,
    legal_plays,
    make_own_throw,
    parse_setup,
    position_text,
)
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.illegal_boards import TurnToBreak, make_board_breaking, make_illegal_board
from controller.simulation.scripts.playthrough import StagePlayed, ThrowPlayed, TurnPlayed, play_game


def asked_for(game: str, seed: int, turns: int) -> list[TurnToBreak]:
    rules, chance = RULESETS[game], Random(seed)
    found: list[TurnToBreak] = []
    for event in play_game(rules, SeededDice(chance), DemoPlayer(rules, chance), max_turns=turns):
        if isinstance(event, TurnPlayed):
            before = event.before
            for played in event.throws:
                found.append(TurnToBreak(before, event.player, played, rules))
                before = played.after
    return found


OTHER_GAMES = ("tavla", "long_nardy", "gul_bara", "plakoto", "backgammon_race")


@pytest.mark.parametrize("game", ["backgammon", *(pytest.param(game, marks=pytest.mark.broad) for game in OTHER_GAMES)])
def test_injected_boards_are_illegal_and_named_as_the_judge_names_them(game: str) -> None:
    """The decisive rule of the judge is the kind, and what a camera without trays would think is illegal too."""
    kinds, chance = set[Rule](), Random(3)
    for asked in asked_for(game, 2, 20):
        board = make_illegal_board(asked, chance)
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
    boards = (make_board_breaking(kind, asked, Random(1)) for asked in asked_for(game, 4, 60))
    board = next(one for one in boards if one is not None)
    assert board.kind is kind


def test_what_the_opponent_could_have_played_is_no_breach_that_a_camera_could_see() -> None:
    """White has to pass 2-1 from the bar; a black checker that went three points may be Black's own turn."""
    rules = RULESETS["backgammon"]
    before = Position.of(parse_setup("00320032200000000020000001/03230110200000000000000030"), rules)
    throw = make_own_throw(Roll.of(2, 1), rules, RollCounters(8, 4))
    stage = Stage(throw.stages[0])
    (passed,) = legal_plays(before, Player.WHITE, stage, rules)
    asked = TurnToBreak(before, Player.WHITE, ThrowPlayed(throw, None, (StagePlayed(stage, passed, 1),), None), rules)
    blacks = legal_plays(before, Player.BLACK, stage, rules)
    found = [make_board_breaking(Rule.OPPONENT_MOVED, asked, Random(seed)) for seed in range(30)]
    after = {board.after for board in found if board is not None}
    assert len(after) > 1
    assert not after & {play.after.setup for play in blacks}
    assert "00320032200000000020000001/03240100200000000000000030" in {position_text(play.after) for play in blacks}
