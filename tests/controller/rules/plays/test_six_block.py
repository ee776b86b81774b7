"""Six points in a row."""

import pytest

from controller.rules import Direction, make_stage
from controller.rules.plays.six_block import blocks_with_nobody_ahead, six_blocks
from tests.controller.rules.boards import against, board, game, plays

PARALLEL, CONTRARY = Direction.PARALLEL, Direction.CONTRARY
LONG_NARDY = game("long_nardy")


def bits(*points: int) -> int:
    return sum(1 << point for point in points)


@pytest.mark.parametrize(
    ("points", "lowest"),
    [
        ((14, 15, 16, 17, 18, 19), [2]),  # his 2 to 7
        ((13, 14, 15, 16, 17, 18), [1]),  # his home
        ((9, 10, 11, 12, 13, 14), []),  # across his start and end
        ((3, 2, 1, 24, 23, 22), [10]),  # across the mover's end and start: his 15 to 10
        ((1, 2, 3, 4, 5, 6), [13]),
        ((7, 8, 9, 10, 11, 12), [19]),
        ((18, 19, 20, 21, 22, 23, 24), [6, 7]),  # seven in a row hold two
        ((18, 19, 20, 22, 23, 24), []),
        ((), []),
    ],
)
def test_consecutive_means_on_the_opponents_path(points: tuple[int, ...], lowest: list[int]) -> None:
    assert six_blocks(bits(*points), PARALLEL) == bits(*lowest)


def test_where_the_armies_meet_the_own_path_serves() -> None:
    assert six_blocks(bits(4, 5, 6, 7, 8, 9), CONTRARY) == bits(4)


@pytest.mark.parametrize(
    ("coordinate", "direction", "expected"),
    [
        (24, PARALLEL, range(1, 20)),  # all behind every block
        (12, PARALLEL, range(1, 13)),  # ahead of the blocks from his 13 up
        (1, PARALLEL, [1]),
        (0, PARALLEL, []),  # borne off is ahead of all
        (25, CONTRARY, range(1, 20)),
        (6, CONTRARY, range(14, 20)),  # his 1 to 6 are the mover's 19 to 14
    ],
)
def test_blocks_that_nobody_is_ahead_of(coordinate: int, direction: Direction, expected: list[int]) -> None:
    opposing = [0] * 27
    opposing[coordinate] = 1
    assert blocks_with_nobody_ahead(tuple(opposing), direction) == bits(*expected)


def test_not_even_in_passing() -> None:
    """14 to 18 held, 21/19/18 passes through 14 to 19 and is illegal; 21/20/18 reaches the same board."""
    before = board(LONG_NARDY, "14:1 15:1 16:1 17:1 18:1 21:1", "24:15")
    assert against(LONG_NARDY, before, board(LONG_NARDY, "14:1 15:1 16:1 17:1 18:2", "24:15"), make_stage((2, 1))) == []


def test_a_block_that_is_gone_at_the_end_is_named_in_passing() -> None:
    """20/19/18 with two ones has no other order than through 14 to 19."""
    before = board(LONG_NARDY, "14:1 15:1 16:1 17:1 18:1 20:1", "24:15")
    after = board(LONG_NARDY, "14:1 15:1 16:1 17:1 18:2", "24:15")
    assert against(LONG_NARDY, before, after, make_stage((1, 1))) == ["prime", "prime_in_passing"]


def test_a_checker_ahead_permits_the_block() -> None:
    """One opposing checker on his 1, which is own 13, or borne off: 20/19 is free."""
    block, after = "14:1 15:1 16:1 17:1 18:1 20:1", "14:1 15:1 16:1 17:1 18:1 19:1"
    for black, expected in (("24:15", ["prime"]), ("24:14 1:1", []), ("24:14", []), ("24:14 9:1", ["prime"])):
        found = against(LONG_NARDY, board(LONG_NARDY, block, black), board(LONG_NARDY, after, black), make_stage((1,)))
        assert found == expected, black


def test_only_the_final_position_by_option() -> None:
    final = game("long_nardy", prime_check="final_only")
    before = "14:1 15:1 16:1 17:1 18:1 21:1"
    assert "21/18" in plays(final, before, "24:15", 2, 1)
    block = "14:1 15:1 16:1 17:1 18:1 19:1"
    assert against(final, board(final, before, "24:15"), board(final, block, "24:15"), make_stage((2,))) == ["prime"]


def test_a_pass_where_every_final_position_is_refused() -> None:
    """11/6 is the only five, and it would complete own 1 to 6 in front of the army on his 24."""
    final = game("long_nardy", prime_check="final_only")
    assert plays(final, "11:1 5:1 4:1 3:1 2:1 1:1", "24:15", 5) == {"pass"}


def test_no_rule_by_option() -> None:
    free = game("long_nardy", prime="none")
    before, block = "14:1 15:1 16:1 17:1 18:1 20:1", "14:1 15:1 16:1 17:1 18:1 19:1"
    assert against(free, board(free, before, "24:15"), board(free, block, "24:15"), make_stage((1,))) == []


def test_the_opponent_must_have_a_move_by_option() -> None:
    """Six points right before his whole army are refused, with a gap they are not."""
    rules = game("long_nardy", prime="opponent_must_have_move")
    before = board(rules, "13:1 6:1 7:1 8:1 9:1 10:1", "24:15")
    walled = board(rules, "11:1 6:1 7:1 8:1 9:1 10:1", "24:15")
    assert against(rules, before, walled, make_stage((2,))) == ["prime"]
    other = board(rules, "13:1 6:1 7:1 8:2 9:1", "24:15")
    assert against(rules, before, other, make_stage((2,))) == []


def test_the_last_checker_may_always_be_borne_off() -> None:
    """With nothing left on the board nobody is asked for a move any more."""
    rules = game("long_nardy", prime="opponent_must_have_move")
    assert plays(rules, "1:1", "24:15", 6, 5) == {"1/off"}
