"""Matches and money games."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import (
    CubeRules,
    DropPays,
    Match,
    MatchRules,
    MatchUnit,
    Player,
    RaiseBy,
    add_game,
    cube_rules,
    find_match_winner,
    get_ruleset,
    is_crawford,
    is_jacoby_in_force,
    next_starter,
)

W, B = Player.WHITE, Player.BLACK
MONEY_OPTIONS = replace(get_ruleset("backgammon"), beaver=True, auto_limit=2, jacoby=True, cap=64)


def crawford_games(results: list[tuple[Player | None, int]], rules: MatchRules) -> tuple[list[bool], Match]:
    match, crawford = Match(), list[bool]()
    for won_by, points in results:
        crawford.append(is_crawford(match, rules))
        match = add_game(match, won_by, points, rules)
    return crawford, match


def test_the_crawford_game_is_the_first_at_one_below_the_target() -> None:
    """In a match to 5: 4:0 is the Crawford game, 4:1 and 4:4 are not."""
    crawford, match = crawford_games([(W, 4), (B, 1), (B, 3), (B, 2)], MatchRules(5))
    assert crawford == [False, True, False, False]
    assert match == Match(4, 6, crawford_played=True, games=4, last_winner=B)
    assert match.score == (4, 6)
    assert find_match_winner(match, MatchRules(5)) is B


def test_a_match_to_one_point_starts_with_the_crawford_game() -> None:
    assert is_crawford(Match(), MatchRules(1))
    assert not is_crawford(Match(), MatchRules(2))


def test_no_crawford_where_it_is_off_or_nothing_is_left_to_play() -> None:
    """The option turns it off; money games and won matches have none."""
    assert not is_crawford(Match(4, 0), MatchRules(5, crawford=False))
    assert not is_crawford(Match(4, 0), MatchRules())
    assert not is_crawford(Match(5, 4), MatchRules(5))
    assert is_crawford(Match(0, 4), MatchRules(5))


def test_a_drawn_crawford_game_was_played() -> None:
    """A draw counts for nobody, yet the next game has the cube again and the last winner stays."""
    crawford, match = crawford_games([(B, 2), (None, 0), (W, 1)], MatchRules(3))
    assert crawford == [False, True, False]
    assert match == Match(1, 2, crawford_played=True, games=3, last_winner=W)
    assert add_game(Match(last_winner=B), None, 0, MatchRules(3)).last_winner is B


def test_counting_wins() -> None:
    """With `match_unit = wins` a gammon counts one; nine wins are the match."""
    rules = MatchRules(9, unit=MatchUnit.WINS)
    crawford, match = crawford_games([(W, 3)] * 8, rules)
    assert match.score == (8, 0)
    assert not any(crawford)
    assert find_match_winner(match, rules) is None
    assert find_match_winner(add_game(match, W, 2, rules), rules) is W


@pytest.mark.parametrize(("score", "expected"), [((3, 0), W), ((4, 2), W), ((2, 3), B), ((2, 2), None), ((0, 0), None)])
def test_the_winner_has_reached_the_target(score: tuple[int, int], expected: Player | None) -> None:
    """Points beyond the target are kept and change nothing."""
    assert find_match_winner(Match(*score), MatchRules(3)) is expected


def test_money_games_have_no_end() -> None:
    """A series without a target has no winner, whatever the points."""
    assert find_match_winner(Match(1000, 3), MatchRules()) is None


def test_who_starts() -> None:
    """The opening throw decides, unless `winner_starts`: then the winner of the last game, from the second on."""
    assert next_starter(Match(last_winner=B), MatchRules()) is None
    assert next_starter(Match(last_winner=B), MatchRules(winner_starts=True)) is B
    assert next_starter(Match(), MatchRules(winner_starts=True)) is None


def test_money_options_rest_in_a_match() -> None:
    """Beavers, automatic doubles and Jacoby hold in money games, and in a match only by leave of the house."""
    money = CubeRules(beaver=True, auto_limit=2, cap=64)
    assert cube_rules(MONEY_OPTIONS, Match(), MatchRules()) == money
    assert is_jacoby_in_force(MONEY_OPTIONS, MatchRules())
    assert cube_rules(MONEY_OPTIONS, Match(), MatchRules(5)) == CubeRules(cap=64)
    assert not is_jacoby_in_force(MONEY_OPTIONS, MatchRules(5))
    assert cube_rules(MONEY_OPTIONS, Match(), MatchRules(5, money_options=True)) == money
    assert is_jacoby_in_force(MONEY_OPTIONS, MatchRules(5, money_options=True))
    assert not is_jacoby_in_force(get_ruleset("backgammon"), MatchRules())


def test_the_cube_rests_in_the_crawford_game() -> None:
    arithmetic = replace(get_ruleset("backgammon"), raise_by="one", drop_pays="initial")
    expected = CubeRules(raise_by=RaiseBy.ONE, drop_pays=DropPays.INITIAL)
    assert cube_rules(arithmetic, Match(), MatchRules(5)) == expected
    assert cube_rules(arithmetic, Match(4, 0), MatchRules(5)) == replace(expected, crawford_game=True)
    assert not cube_rules(get_ruleset("tavla"), Match(), MatchRules(5)).use


@given(
    results=st.lists(st.tuples(st.sampled_from((W, B, None)), st.integers(1, 8)), max_size=40),
    target=st.integers(1, 11),
)
def test_at_most_one_crawford_game(results: list[tuple[Player | None, int]], target: int) -> None:
    """In any match there is never a second one, and none after the end."""
    crawford, _ = crawford_games(results, MatchRules(target))
    assert sum(crawford) <= 1


def test_the_match_rules_of_a_game() -> None:
    """Grasshopper has no match options of its own; the other games bring theirs."""
    assert MatchRules.of(None, 3, crawford=False) == MatchRules(3, crawford=False)
    fevga = get_ruleset("fevga")
    assert MatchRules.of(fevga, 5).unit is MatchUnit(fevga.match_unit)
    assert MatchRules.of(fevga, 5).winner_starts is fevga.winner_starts
