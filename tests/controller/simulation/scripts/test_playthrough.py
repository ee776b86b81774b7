from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from controller.rules import (
    RULESETS,
    Play,
    Player,
    Position,
    ResultKind,
    Roll,
    Ruleset,
    ThrowKind,
    parse_setup,
    play_text,
    position_text,
)
from controller.rules.grasshopper.game import STANDARD
from controller.simulation.scripts.demo_players import DemoGrasshopperPlayer, DemoPlayer, SeededDice
from controller.simulation.scripts.grasshopper_playthrough import ActionTaken, GrasshopperEnd, play_grasshopper
from controller.simulation.scripts.grasshopper_playthrough import is_confirmed as is_action_confirmed
from controller.simulation.scripts.playthrough import (
    Dice,
    GameEnd,
    GameEvent,
    OpeningThrow,
    TurnPlayed,
    Unfinished,
    is_confirmed,
    play_game,
)

pytestmark = pytest.mark.broad


def first_play(_before: Position, _mover: Player, plays: tuple[Play, ...]) -> Play:
    return plays[0]


def thrown(*numbers: int) -> Dice:
    """Dice that show these numbers, then ones."""
    coming = iter(numbers)
    return lambda: next(coming, 1)


def start_of(rules: Ruleset, numbers: Iterable[int], turns: int) -> list[GameEvent]:
    return list(play_game(rules, thrown(*numbers), first_play, max_turns=turns))[:-1]


def first_turns(game: str, numbers: Iterable[int], turns: int) -> list[TurnPlayed]:
    return [event for event in start_of(RULESETS[game], numbers, turns) if isinstance(event, TurnPlayed)]


def seeded(game: str, seed: int) -> list[GameEvent]:
    chance = Random(seed)
    return list(play_game(RULESETS[game], SeededDice(chance), DemoPlayer(RULESETS[game], chance)))


def test_equal_opening_dice_are_thrown_again() -> None:
    """4-4 decides nothing, 2-5 makes Black start, and in backgammon he plays the 5-2 just thrown."""
    first, second, turn = start_of(RULESETS["backgammon"], [4, 4, 2, 5], 1)
    assert first == OpeningThrow(4, 4)
    assert second == OpeningThrow(2, 5)
    assert isinstance(turn, TurnPlayed)
    assert turn.player is Player.BLACK
    assert turn.throws[0].stages[0].stage.numbers == (5, 2)


def test_the_starter_of_long_nardy_throws_anew() -> None:
    (turn,) = first_turns("long_nardy", [6, 1, 2, 3], 1)
    assert turn.player is Player.WHITE
    assert turn.throws[0].stages[0].stage.numbers == (3, 2)


def test_a_known_starter_throws_at_once() -> None:
    """The winner of the last game needs no opening throw, and may begin with a double."""
    events = list(play_game(RULESETS["fevga"], thrown(2, 2), first_play, starter=Player.BLACK, max_turns=1))
    assert isinstance(events[0], TurnPlayed)
    assert events[0].player is Player.BLACK
    assert events[0].throws[0].stages[0].stage.numbers == (2, 2, 2, 2)


def test_gulbar_hands_over_two_sixes() -> None:
    """White's first 6-6 moves two checkers; Black plays the other two sixes before his own 2-1 (rules.md 3.1)."""
    white, black = first_turns("gulbar", [6, 1, 6, 6, 2, 1], 2)
    assert position_text(white.after) == f"{'0' * 18}2{'0' * 5}d0/{'0' * 24}f0"
    assert white.gives == (6, 6)
    assert [played.throw.kind for played in black.throws] == [ThrowKind.TRANSFER, ThrowKind.ROLL]
    assert [played.stages[0].stage.first_roll for played in black.throws] == [False, True]


def test_gulbar_throws_again_after_a_double() -> None:
    """White's 1-1 is played in full, so he throws 3-2 in the same turn, with a head allowance of its own."""
    (white,) = first_turns("gulbar", [6, 1, 1, 1, 3, 2], 1)
    assert [played.stages[0].stage.numbers for played in white.throws] == [(1, 1, 1, 1), (3, 2)]
    assert [played.stages[0].stage.head_taken for played in white.throws] == [0, 0]


def test_a_cascade_runs_up_to_the_sixes() -> None:
    """White's first 5-5 of crazy gulbar is followed by 6-6; the head allowance is used up for the sixes."""
    (white,) = first_turns("crazy_gulbar", [6, 1, 5, 5], 1)
    stages = [played.stage for played in white.throws[0].stages]
    assert [stage.numbers for stage in stages] == [(5, 5), (6, 6)]
    assert [(stage.first_roll, stage.head_taken) for stage in stages] == [(True, 0), (False, 1)]


def test_gul_bara_counts_three_ordinary_rolls() -> None:
    """3-3 as the second roll of the game is four threes, 5-5 as the fourth is a cascade (S003)."""
    turns = first_turns("gul_bara", [6, 1, 2, 1, 3, 3, 2, 1, 5, 5], 4)
    assert turns[1].throws[0].throw.stages == ((3, 3, 3, 3),)
    assert turns[3].throws[0].throw.stages == ((5, 5, 5, 5), (6, 6, 6, 6))


def test_a_game_is_stopped_at_its_bound() -> None:
    """Three turns do not finish backgammon; the last event says so."""
    events = list(play_game(RULESETS["backgammon"], thrown(6, 1), first_play, max_turns=3))
    assert events[-1] == Unfinished(3)


@pytest.mark.parametrize(
    ("start", "dice", "expected"),
    [
        ("1:1", [6, 1], GameEnd(Player.WHITE, ResultKind.MARS, 2, 1)),
        ("1:1", [1, 6], GameEnd(Player.BLACK, ResultKind.MARS, 2, 1)),
        ("24:1", [6, 5], None),
    ],
)
def test_a_game_ends_with_the_last_checker(start: str, dice: list[int], expected: GameEnd | None) -> None:
    rules = replace(RULESETS["backgammon"], checkers=1, start=((int(start.split(":")[0]), 1),))
    events = list(play_game(rules, thrown(*dice), first_play, max_turns=1))
    assert events[-1] == (expected or Unfinished(1))


def test_jacoby_pays_one_point_in_the_undoubled_game() -> None:
    rules = replace(RULESETS["backgammon"], checkers=1, start=((1, 1),), jacoby=True)
    assert list(play_game(rules, thrown(6, 1), first_play))[-1] == GameEnd(Player.WHITE, ResultKind.MARS, 1, 1)


def test_the_first_off_loses_anti_backgammon() -> None:
    """White bears off his only checker and Black wins one point."""
    rules = replace(RULESETS["anti_backgammon"], checkers=1, start=((1, 1),))
    assert list(play_game(rules, thrown(6, 1), first_play))[-1] == GameEnd(Player.BLACK, ResultKind.SINGLE, 1, 1)


@pytest.mark.parametrize("game", RULESETS)
def test_every_game_ends_and_the_judge_agrees(game: str) -> None:
    """A whole seeded game comes to its end, and the judge finds every turn legal from the boards alone."""
    events = seeded(game, 1)
    assert isinstance(events[-1], GameEnd)
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert [turn.number for turn in turns if not is_confirmed(turn, RULESETS[game])] == []
    assert events[-1].turns == len(turns)


def test_a_wrong_board_is_not_confirmed() -> None:
    """The judge does not agree with a turn whose board was changed after it."""
    turn = next(event for event in seeded("backgammon", 1) if isinstance(event, TurnPlayed))
    throw = turn.throws[0]
    unmoved = replace(throw.stages[0], play=Play((), turn.before, throw.stages[0].stage.numbers))
    assert not is_confirmed(replace(turn, throws=(replace(throw, stages=(unmoved,)),)), RULESETS["backgammon"])


def test_the_same_seed_is_the_same_game() -> None:
    """Seed 7 gives this opening and these first plays, on every machine and Python."""
    events = seeded("backgammon", 7)
    assert events == seeded("backgammon", 7)
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert [(turn.player.value, turn.throws[0].roll, play_text(turn.throws[0].steps)) for turn in turns[:4]] == [
        ("W", Roll(2, 1), "13/10"),
        ("B", Roll(6, 4), "8/2 6/2"),
        ("W", Roll(1, 1), "8/7(2) 6/5(2)"),
        ("B", Roll(6, 3), "24/15*"),
    ]
    assert events[-1] == GameEnd(Player.BLACK, ResultKind.MARS, 2, 66)


def test_a_caught_mother_ends_plakoto() -> None:
    assert seeded("plakoto", 23)[-1] == GameEnd(Player.WHITE, ResultKind.MOTHER, 2, 25)


def test_two_caught_mothers_are_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """White's mother lies pinned already; with 3/1 he pins Black's as well."""
    rules = RULESETS["plakoto"]
    before = Position.of(parse_setup(f"000e{'0' * 20}10/0e{'0' * 22}10/W24"), rules)
    monkeypatch.setattr("controller.simulation.scripts.playthrough.start_position", lambda _rules: before)
    *_, turn, end = play_game(rules, thrown(6, 1, 2, 1), first_play)
    assert isinstance(turn, TurnPlayed)
    assert turn.after.pinned_mask(Player.BLACK) == 1 << 24
    assert end == GameEnd(None, ResultKind.DRAW, 0, 1)


def test_grasshopper_ends_and_the_judge_agrees() -> None:
    """Ten seeded games end, won or drawn, and each action is read from the boards alone."""
    ends = []
    for seed in range(10):
        *actions, end = play_grasshopper(DemoGrasshopperPlayer(Random(seed)), STANDARD)
        assert isinstance(end, GrasshopperEnd)
        assert all(isinstance(one, ActionTaken) and is_action_confirmed(one, STANDARD) for one in actions)
        ends.append(end)
    assert all(end.is_finished for end in ends)
    assert {end.winner for end in ends} == {Player.WHITE, Player.BLACK, None}


def test_grasshopper_is_stopped_at_its_bound() -> None:
    *_, end = play_grasshopper(DemoGrasshopperPlayer(Random(1)), STANDARD, max_actions=5)
    assert end == GrasshopperEnd(None, 5, is_finished=False)
