"""How long the rules take: `python -m tests.benchmarks.rules`, plain Python on one core, along random games.

Three tables: the legal plays of every game, the ruling of whole gul bara cascades, and how much slower than open_spiel
(C++, its legal actions along random games in the same run) each of them is. Bars stand beside their figures.
"""

import random
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from controller.rules import (
    RULESETS,
    FollowKind,
    Legal,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Stage,
    Throw,
    Turn,
    find_follow,
    get_ruleset,
    judge,
    legal_plays,
    make_own_throw,
    pack_counts,
)
from tests.controller.rules.strategies import random_game

GAMES_PER_VARIANT = 20
CASCADES = 200
MID_GAME_PIPS = 120  # a full cascade from the ones takes 84
LATE = RollCounters(game=20, player=10)


@dataclass(frozen=True, slots=True)
class Figures:
    """Times of one thing done many times, in milliseconds."""

    count: int
    median_ms: float
    p99_ms: float
    worst_ms: float

    @classmethod
    def of(cls, seconds: Iterable[float]) -> "Figures":
        sorted_ms = sorted(1000 * one for one in seconds)
        count = len(sorted_ms)
        return cls(count, statistics.median(sorted_ms), sorted_ms[min(count * 99 // 100, count - 1)], sorted_ms[-1])


def time_legal_plays(rules: Ruleset, games: int) -> Figures:
    """Times every stage of some random games once, so that no cache is warm for a position."""
    seconds = []
    for seed in range(games):
        for turn in random_game(rules, seed):
            for one in turn.stages:
                begun = time.perf_counter()
                legal_plays(one.before, one.mover, one.stage, rules)
                seconds.append(time.perf_counter() - begun)
    return Figures.of(seconds)


def time_open_spiel(games: int) -> Figures | None:
    """Times open_spiel's legal actions along random games; None when it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game: Any = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    rng, seconds = random.Random(1), []
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
                continue
            begun = time.perf_counter()
            actions = state.legal_actions()
            seconds.append(time.perf_counter() - begun)
            state.apply_action(rng.choice(actions))
    return Figures.of(seconds)


def played_out(before: Position, mover: Player, throw: Throw, rules: Ruleset, rng: random.Random) -> Position:
    """The board after a throw played at random."""
    position = before
    for index, numbers in enumerate(throw.stages):
        play = rng.choice(legal_plays(position, mover, Stage(numbers), rules))
        position = play.after
        if find_follow(throw, index, play.unused, rules).kind is not FollowKind.NEXT_RANK:
            break
    return position


def displaced(after: Position, mover: Player, rules: Ruleset, rng: random.Random) -> Position:
    """The board with one checker some points further and another as many back, so that the pips still fit."""
    for _ in range(200):
        counts = list(after.counts(mover))
        distance = rng.randint(1, 6)
        onward, back = (rng.choice([place for place in range(1, 25) if counts[place]]) for _ in range(2))
        if onward - distance < 1 or back + distance > 24:
            continue
        for source, target in ((onward, onward - distance), (back, back + distance)):
            counts[source] -= 1
            counts[target] += 1
        side = pack_counts(tuple(max(count, 0) for count in counts))
        moved = Position(side, after.black) if mover is Player.WHITE else Position(after.white, side)
        if moved != after and not moved.setup.faults(rules):
            return moved
    return after


def time_cascades(count: int, *, is_displaced: bool) -> tuple[Figures, int]:
    """The ruling of 1-1 to 6-6 by fours from mid-game boards, and how many of them were legal."""
    rules, rng = get_ruleset("gul_bara"), random.Random(7)
    throw = make_own_throw(Roll(1, 1), rules, LATE)
    boards = [
        (turn.before, turn.mover)
        for seed in range(100, 100 + 2 * count)
        for turn in random_game(rules, seed)[10:40:7]
        if turn.before.pips(turn.mover) >= MID_GAME_PIPS
    ]
    seconds, legal = [], 0
    for before, mover in rng.sample(boards, min(count, len(boards))):
        after = played_out(before, mover, throw, rules, rng)
        if is_displaced:
            after = displaced(after, mover, rules, rng)
        begun = time.perf_counter()
        ruling = judge(before, mover, Turn((throw,)), after.setup, rules)
        seconds.append(time.perf_counter() - begun)
        legal += isinstance(ruling, Legal)
    return Figures.of(seconds), legal


def line(name: str, figures: Figures, reference: Figures | None, bars: str = "") -> str:
    ratio = f"{figures.median_ms / reference.median_ms:8.1f} x" if reference else "         -"
    return (
        f"{name:<34}{figures.count:>8}{figures.median_ms:>11.4f}{figures.p99_ms:>11.3f}{figures.worst_ms:>11.3f}"
        f"{ratio}  {bars}"
    )


BARS = {
    "backgammon": "median <= 0.15, 99 % <= 5, worst <= 40, <= 10 x open_spiel",
    "long_nardy": "median <= 0.5, 99 % <= 10",
}


def report(games: int = GAMES_PER_VARIANT, cascades: int = CASCADES) -> Iterable[str]:
    """The tables, line by line."""
    reference = time_open_spiel(games)
    yield f"{'legal plays of a stage':<34}{'count':>8}{'median ms':>11}{'99 % ms':>11}{'worst ms':>11}  median/ref  bars"
    if reference is None:
        yield "open_spiel is not installed: no ratios"
    else:
        yield line("open_spiel legal_actions (C++)", reference, reference)
    for rules in RULESETS.values():
        yield line(rules.name, time_legal_plays(rules, games), reference, BARS.get(rules.name, ""))
    yield ""
    yield "judge, gul bara 1-1 to 6-6 by fours"
    for is_displaced in (False, True):
        figures, legal = time_cascades(cascades, is_displaced=is_displaced)
        name = "two checkers displaced" if is_displaced else "as played"
        yield line(f"{name} ({legal} legal)", figures, reference, "<= 250 ms")


def main() -> None:
    for one in report():
        sys.stdout.write(one + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
