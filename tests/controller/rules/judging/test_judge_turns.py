"""Whole turns: the judge against turns that were played stage by stage, and against trying everything.

`way_from_front` (games in which checkers are hit, and armies at home) and `way_back` (block games) are two ways to the
same answer; both are asked here, with each rule that a cascade can meet.
"""

import random
from collections import Counter
from collections.abc import Container
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import (
    GAME_OVER,
    OFF,
    RULESETS,
    Follow,
    FollowKind,
    Illegal,
    Legal,
    Player,
    Position,
    Roll,
    RollCounters,
    Rule,
    Ruleset,
    Stage,
    Throw,
    Turn,
    Undecided,
    find_follow,
    judge,
    legal_plays,
    make_own_throw,
    make_transfer_throw,
    pack_counts,
    parse_setup,
)
from tests.controller.rules.boards import board, game
from tests.controller.rules.brute_force import turn_ends
from tests.controller.rules.strategies import random_game

pytestmark = pytest.mark.broad

LATE = RollCounters(game=20, player=10)
CASCADES = {
    "gul_bara": game("gul_bara"),
    "crazy_gulbar": game("crazy_gulbar"),
    "crazy_gulbar of four": game("crazy_gulbar", cascade_count=4),
    "crazy_gulbar with bonus": game("crazy_gulbar", bonus_roll=True, transfer="cascade"),
    "hits and cascades": game("backgammon", doubles="cascade", cascade_count=2, transfer="all"),
    "gulbar": game("gulbar"),
}
# Turns of several stages with few checkers, in each of the ways a cascade can be bounded.
SMALL: dict[str, dict[str, object]] = {
    "plain": {"name": "gul_bara"},
    "two a rank": {"name": "gul_bara", "cascade_count": 2},
    "stack of two": {"name": "gul_bara", "cascade_count": 2, "max_stack": 2},
    "head": {"name": "gul_bara", "cascade_count": 2, "head_limit": 1},
    "three a rank, all goes over": {"name": "crazy_gulbar", "cascade_count": 3},
    "no final block": {"name": "gul_bara", "cascade_count": 1, "prime": "opponent_must_have_move"},
    "start quarter": {"name": "gul_bara", "cascade_count": 2, "start_quarter_max": 2},
    "runner": {"name": "gul_bara", "cascade_count": 2, "first_checker_past": True},
    "one number is enough": {"name": "gul_bara", "cascade_count": 2, "dice_use": "nonempty"},
    "greedy": {"name": "gul_bara", "cascade_count": 2, "dice_use": "greedy", "larger_die": False},
    "any number": {"name": "gul_bara", "cascade_count": 1, "dice_use": "free", "larger_die": False},
    "bears off first": {"name": "gul_bara", "cascade_count": 2, "bearoff": "forced"},
    "hits": {"name": "backgammon", "doubles": "cascade", "cascade_count": 2, "transfer": "all"},
    "pins": {"name": "plakoto", "doubles": "cascade", "cascade_count": 2, "transfer": "all"},
}


def small_rules(name: str, checkers: int) -> Ruleset:
    options: dict[str, object] = {**SMALL[name], "checkers": checkers, "start": f"24:{checkers}"}
    return game(str(options.pop("name")), **options)


@pytest.mark.parametrize("name", CASCADES)
def test_a_turn_played_by_the_rules_is_legal(name: str, *, full_counts: bool) -> None:
    """Along random games, cascades and hand-overs; and what follows is what the stages gave.

    A few turns have too many ways to be judged as a whole; none of them is called illegal.
    """
    rules = CASCADES[name]
    rulings: Counter[type] = Counter()
    for seed in range(5 if full_counts else 1):
        for turn in random_game(rules, seed):
            ruling = judge(turn.before, turn.mover, turn.turn, turn.after.setup, rules)
            rulings[type(ruling)] += 1
            assert not isinstance(ruling, Illegal), turn
            if isinstance(ruling, Legal):
                assert ruling.after == turn.after
                assert ruling.follow == (GAME_OVER if turn.ends_game else turn.follow), turn
    assert rulings[Undecided] <= 0.03 * rulings.total()


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in CASCADES])
def test_a_turn_of_the_other_games_is_legal(name: str) -> None:
    for turn in random_game(RULESETS[name], 0):
        ruling = judge(turn.before, turn.mover, turn.turn, turn.after.setup, RULESETS[name])
        assert isinstance(ruling, Legal), turn
        assert ruling.follow == (GAME_OVER if turn.ends_game else turn.follow), turn


def small_position(rng: random.Random, rules: Ruleset) -> Position:
    """A few checkers anywhere; where nothing is hit, no two colours on a point."""
    white, black = [0] * 27, [0] * 27
    low = rng.choice((1, 1, 7))
    for _ in range(rules.checkers):
        white[rng.choice((rng.randint(low, 24), rng.randint(low, 12), 24))] += 1
    free = [point for point in range(1, 25) if not white[rules.direction.across(point)]]
    for _ in range(rules.checkers):
        black[rng.choice(free)] += 1
    return Position(pack_counts(tuple(white)), pack_counts(tuple(black)))


def small_turn(rng: random.Random, rules: Ruleset) -> Turn:
    """A double from 3 up (or a plain roll), sometimes after numbers handed over, sometimes with a bonus roll."""
    throws = list[Throw]()
    if rng.random() < 0.3:
        rank = rng.randint(3, 6)
        throws.append(make_transfer_throw(rng.choice(((rank,), (rank, rank), (rank, 6, 6), (2, 5), (4, 4, 5)))))
    rank = rng.randint(3, 6)
    roll = Roll.of(rank, rank) if rng.random() < 0.8 else Roll.of(rank, rng.randint(1, 6))
    throws.append(make_own_throw(roll, rules, LATE))
    return Turn(tuple(throws))


def near_miss(rng: random.Random, rules: Ruleset, after: Position) -> Position | None:
    """The board with one of White's checkers displaced; None where it would meet the other side."""
    counts = list(after.counts(Player.WHITE))
    counts[rng.choice([place for place in range(25) if counts[place]])] -= 1
    target = rng.randint(0, 24)
    counts[target] += 1
    if target and after.counts(Player.BLACK)[rules.direction.across(target)]:
        return None
    return Position(pack_counts(tuple(counts)), after.black)


def disagreements(rules: Ruleset, seed: int, counts: int) -> list[str]:
    """Boards of one random small turn that judge and trying everything see differently."""
    rng = random.Random(seed)
    before, turn = small_position(rng, rules), small_turn(rng, rules)
    ends = turn_ends(before, Player.WHITE, turn, rules)
    boards = rng.sample(sorted(ends, key=repr), min(len(ends), counts))
    asked = dict.fromkeys([*boards, *(near_miss(rng, rules, one) for one in boards), before])
    found = []
    for after in asked:
        if after is None or (after.white_pinned | after.black_pinned and after not in ends):
            continue
        ruling = judge(before, Player.WHITE, turn, after.setup, rules)
        if isinstance(ruling, Undecided):
            continue  # undecided contradicts neither
        if isinstance(ruling, Legal) != (after in ends):
            found.append(f"{rules.name} {seed}: {before} {turn} {after}: {ruling}")
        elif isinstance(ruling, Legal) and ruling.follow not in _follows(after, ends[after], rules):
            found.append(f"{rules.name} {seed}: {ruling.follow} is none of {ends[after]}")
    return found


def _follows(after: Position, follows: Container[Follow], rules: Ruleset) -> Container[Follow]:
    is_over = after.counts(Player.WHITE)[OFF] == rules.checkers
    return (GAME_OVER,) if is_over else follows


@pytest.mark.parametrize("name", SMALL)
def test_the_judge_agrees_with_trying_everything(name: str, *, full_counts: bool) -> None:
    """Small boards, whole cascades: legal exactly where some order of legal stages ends there."""
    found = list[str]()
    for seed in range(100 if full_counts else 8):
        rules = small_rules(name, 3 + seed % (3 if full_counts else 2))
        found += disagreements(rules, seed, 10)
    assert found == []


@settings(max_examples=15)
@given(st.integers(0, 1_000_000), st.sampled_from(list(SMALL)))
def test_the_judge_agrees_on_any_small_turn(seed: int, name: str) -> None:
    assert disagreements(small_rules(name, 3), seed, 6) == []


def test_two_different_numbers_by_one_checker_after_another_throw() -> None:
    """Gulbar: a handed-over 3 as 9/6, then 4-2 as 16/12/10, where 14 is held."""
    rules = game("gulbar", prime="none")
    before, after = board(rules, "16:1 9:1", "2:1 1:14"), board(rules, "10:1 6:1", "2:1 1:14")
    turn = Turn((make_transfer_throw((3,)), make_own_throw(Roll(4, 2), rules, LATE)))
    assert isinstance(judge(before, Player.WHITE, turn, after.setup, rules), Legal)


GUL_BARA_TURN = Turn(
    (make_transfer_throw((4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6)), make_own_throw(Roll(4, 4), CASCADES["gul_bara"], LATE))
)


def test_a_turn_with_too_many_ways_is_not_decided() -> None:
    """A handed-over cascade and an own one, seen only before and after both: the judge does not decide."""
    rules = CASCADES["gul_bara"]
    before = Position.of(parse_setup("01011111111011111010000000/00000800502000000000000000"), rules)
    after = parse_setup("42252000000000000000000000/00000800502000000000000000")
    ruling = judge(before, Player.WHITE, GUL_BARA_TURN, after, rules)
    assert isinstance(ruling, Undecided)
    assert ruling.sentence.startswith("This turn has too many ways to be judged as a whole; judge it throw by throw")


def _after_throw(before: Position, throw: Throw, rules: Ruleset) -> Position:
    """The board after the first legal play of each stage."""
    for index, numbers in enumerate(throw.stages):
        play = legal_plays(before, Player.WHITE, Stage(numbers), rules)[0]
        before = play.after
        if find_follow(throw, index, play.unused, rules).kind is not FollowKind.NEXT_RANK:
            break
    return before


def test_throw_by_throw_the_same_turn_is_legal() -> None:
    """With the board seen when he threw, each part is judged by itself."""
    rules = CASCADES["gul_bara"]
    before = Position.of(parse_setup("01011111111011111010000000/00000800502000000000000000"), rules)
    given, own = GUL_BARA_TURN.throws
    between = _after_throw(before, given, rules)
    after = _after_throw(between, own, rules)
    ruling = judge(before, Player.WHITE, replace(GUL_BARA_TURN, boards_between=(between.setup,)), after.setup, rules)
    assert isinstance(ruling, Legal)
    assert ruling.after == after


def test_throw_by_throw_a_wrong_part_is_named() -> None:
    """The hand-over was not played at all, though it could be: that stands, whatever came afterwards."""
    rules = CASCADES["gulbar"]
    before = board(rules, "16:1 9:1", "2:1 1:14")
    turn = Turn((make_transfer_throw((3,)), make_own_throw(Roll(4, 2), rules, LATE)), (before.setup,))
    ruling = judge(before, Player.WHITE, turn, before.setup, rules)
    assert isinstance(ruling, Illegal)
    assert ruling.rules[0] is Rule.MUST_PLAY_MORE


def test_a_second_throw_that_was_not_due_does_not_count() -> None:
    rules = CASCADES["gulbar"]
    before, between = board(rules, "16:1 9:1", "2:1 1:14"), board(rules, "12:1 7:1", "2:1 1:14")
    throws = (make_own_throw(Roll(4, 2), rules, LATE), make_own_throw(Roll(2, 1), rules, LATE))
    ruling = judge(
        before, Player.WHITE, Turn(throws, (between.setup,)), board(rules, "10:1 6:1", "2:1 1:14").setup, rules
    )
    assert isinstance(ruling, Illegal)
    assert ruling.breaches[0].sentence == "The second throw was not due; it does not count."


def test_numbers_that_go_to_the_opponent_earn_no_second_throw() -> None:
    """Gulbar: of 5-4 nothing can be played, so both numbers are the opponent's; throwing again is not allowed."""
    rules = CASCADES["gulbar"]
    before = Position.of(parse_setup("000000000000000000f0000000/08700000000000000000000000"), rules)
    throws = (make_own_throw(Roll(5, 4), rules, LATE), make_own_throw(Roll(2, 1), rules, LATE))
    ruling = judge(before, Player.WHITE, Turn(throws, (before.setup,)), before.setup, rules)
    assert isinstance(ruling, Illegal)
    assert ruling.breaches[0].sentence == "The second throw was not due; it does not count."
