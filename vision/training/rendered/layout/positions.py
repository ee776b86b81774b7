"""Positions by random play of backgammon and long nardy, and bare stacks of up to 15.

A picture needs a plausible position, not a legal one, so this file knows only a few of the rules. Each player counts
his own path, 0 to 23; `place_name` gives the point.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from vision.simulated.scene import CheckerSide
from vision.training.rendered.random_draws import draw_bool, draw_choice

CHECKERS_EACH = 15

_PHASES = ("start", "early", "mid", "late", "bearoff", "bar", "stacks")
_PHASE_WEIGHTS = (8, 18, 25, 12, 11, 13, 13)
_PLIES = {"start": (0, 1), "early": (2, 9), "mid": (10, 34), "late": (34, 56), "bearoff": (56, 120), "bar": (6, 50)}


class GameKind(Enum):
    """The values stand in the labels."""

    BACKGAMMON = "backgammon"
    NARDY = "nardy"


SIDES = (CheckerSide.LIGHT, CheckerSide.DARK)


@dataclass(frozen=True, slots=True)
class CheckerPosition:
    """`bar` and `off` count light, then dark."""

    game: GameKind
    phase: str
    points: Mapping[str, tuple[CheckerSide, int]]  # only points with checkers, by name
    bar: tuple[int, int]
    off: tuple[int, int]


def place_name(way: int, *, is_mirrored: bool) -> str:
    """The point at step `way` of the first player's path: up the top row and back along the bottom row."""
    row, column = ("T", 12 - way) if way < 12 else ("B", way - 11)
    return f"{row}{13 - column if is_mirrored else column}"


class _RandomPlay:
    """A game in progress: counts by player and step, changed in place."""

    def __init__(self, game: GameKind) -> None:
        self.game = game
        self.counts = np.zeros((2, 24), int)
        self.bar = [0, 0]
        self.off = [0, 0]
        if game is GameKind.BACKGAMMON:
            for way, count in ((0, 2), (11, 5), (16, 3), (18, 5)):
                self.counts[:, way] = count
        else:
            self.counts[:, 0] = CHECKERS_EACH

    def opposite_step(self, way: int) -> int:
        """The other player's step at my step."""
        return 23 - way if self.game is GameKind.BACKGAMMON else (way + 12) % 24

    def list_moves(self, player: int, pips: int, *, may_leave_head: bool) -> Iterator[tuple[int, int]]:
        """(from, to); -1 is the bar, 24 is off."""
        other, block = self.counts[1 - player], 2 if self.game is GameKind.BACKGAMMON else 1
        if self.bar[player]:
            if other[self.opposite_step(pips - 1)] < block:
                yield -1, pips - 1
            return
        is_home = self.counts[player, :18].sum() == 0
        for start in np.nonzero(self.counts[player])[0].tolist():
            end = start + pips
            if self.game is GameKind.NARDY and start == 0 and not may_leave_head:
                continue
            if end < 24:
                if other[self.opposite_step(end)] < block:
                    yield start, end
            elif is_home and (end == 24 or self.counts[player, 18:start].sum() == 0):
                yield start, 24

    def move_log_weight(self, player: int, move: tuple[int, int], hit_appeal: float) -> float:
        """Log weight of a move: build points, hit sometimes, leave the head."""
        start, end = move
        appeal = 1.5 if end == 24 else (0.8 if self.counts[player, end] else -0.4)
        if self.game is GameKind.NARDY:
            return appeal + (0.6 if start == 0 else 0)
        if end < 24 and self.counts[1 - player, self.opposite_step(end)] == 1:
            appeal += hit_appeal
        return appeal - (0.7 if start >= 0 and self.counts[player, start] == 2 else 0)

    def move(self, player: int, start: int, end: int) -> None:
        if start < 0:
            self.bar[player] -= 1
        else:
            self.counts[player, start] -= 1
        if end == 24:
            self.off[player] += 1
            return
        self.counts[player, end] += 1
        facing = self.opposite_step(end)
        if self.game is GameKind.BACKGAMMON and self.counts[1 - player, facing] == 1:
            self.counts[1 - player, facing] = 0
            self.bar[1 - player] += 1

    def play_turn(self, rng: np.random.Generator, player: int, hit_appeal: float) -> None:
        """One roll, die by die, each with a weighted choice; unplayable dice are lost."""
        dice = rng.integers(1, 7, 2).tolist()
        may_leave_head = True
        for pips in dice * 2 if dice[0] == dice[1] else dice:
            moves = list(self.list_moves(player, pips, may_leave_head=may_leave_head))
            if moves:
                weights = [float(np.exp(self.move_log_weight(player, move, hit_appeal))) for move in moves]
                start, end = draw_choice(rng, moves, weights)
                self.move(player, start, end)
                may_leave_head &= start != 0

    def occupied_points(self) -> dict[int, tuple[int, int]]:
        """Step of the first player -> (player, count)."""
        found = {}
        for player in (0, 1):
            for way in np.nonzero(self.counts[player])[0].tolist():
                found[self.opposite_step(way) if player else way] = (player, int(self.counts[player, way]))
        return found


def draw_position(rng: np.random.Generator, *, has_bar: bool) -> CheckerPosition:
    """Without a bar no checker is on it."""
    phase = draw_choice(rng, _PHASES, _PHASE_WEIGHTS)
    if phase == "bar" and not has_bar:
        phase = "mid"
    game = GameKind.BACKGAMMON if phase == "bar" or draw_bool(rng, 0.55) else GameKind.NARDY
    if phase == "stacks":
        play = _draw_stacked(rng, game, has_bar=has_bar)
    else:
        play = _play_game(rng, game, phase, has_bar=has_bar)
    is_mirrored, is_first_light = draw_bool(rng, 0.5), draw_bool(rng, 0.5)
    colours = SIDES if is_first_light else SIDES[::-1]
    order = 1 if is_first_light else -1
    return CheckerPosition(
        game=game,
        phase=phase,
        points={
            place_name(way, is_mirrored=is_mirrored): (colours[player], count)
            for way, (player, count) in sorted(play.occupied_points().items())
        },
        bar=(play.bar[::order][0], play.bar[::order][1]),
        off=(play.off[::order][0], play.off[::order][1]),
    )


def with_long_row(rng: np.random.Generator, position: CheckerPosition, count: int) -> CheckerPosition:
    """Enlarges one side's longest row to `count` checkers, taken from its shortest rows, or to all it has.

    The result is no position of a game.
    """
    side = draw_choice(rng, SIDES)
    rows = sorted((many, place) for place, (owner, many) in position.points.items() if owner is side)
    if not rows:
        return position
    points, (many, longest) = dict(position.points), rows.pop()
    for fewer, place in rows:
        taken = min(fewer, max(0, count - many))
        many += taken
        points[place] = (side, fewer - taken)
    points[longest] = (side, many)
    return replace(position, points={place: row for place, row in points.items() if row[1]})


def _play_game(rng: np.random.Generator, game: GameKind, phase: str, *, has_bar: bool) -> _RandomPlay:
    """Plays until the phase is reached; after 60 games without it the last one serves."""
    play = _RandomPlay(game)
    for _ in range(60):
        play = _RandomPlay(game)
        player = int(rng.integers(2))
        for ply in range(int(rng.integers(*_PLIES[phase]))):
            play.play_turn(rng, player, 2.0 if phase == "bar" else 0.5)
            player = 1 - player
            if max(play.off) >= 13 or (phase == "bar" and ply > 4 and max(play.bar) and draw_bool(rng, 0.3)):
                break
        shows = (phase != "bar" or max(play.bar) > 0) and (phase != "bearoff" or max(play.off) > 0)
        if shows and (has_bar or not max(play.bar)):
            return play
    if not has_bar:
        return _RandomPlay(game)
    return play


def _draw_stacked(rng: np.random.Generator, game: GameKind, *, has_bar: bool) -> _RandomPlay:
    """One to three tall stacks a player, the rest scattered, a few on the bar or off; no position of a game."""
    play = _RandomPlay(game)
    play.counts[:] = 0
    free = list(rng.permutation(24).tolist())
    for player in (0, 1):
        left = CHECKERS_EACH
        if draw_bool(rng, 0.25):
            play.off[player] = int(rng.integers(1, 7))
        if has_bar and game is GameKind.BACKGAMMON and draw_bool(rng, 0.35):
            play.bar[player] = int(rng.integers(1, 5))
        left -= play.off[player] + play.bar[player]
        for _ in range(int(rng.integers(1, 4))):
            tall = min(left, int(rng.integers(6, CHECKERS_EACH + 1)))
            left -= _put_stack(play, player, free, tall)
        while left:
            left -= _put_stack(play, player, free, min(left, int(rng.integers(1, 5))))
    return play


def _put_stack(play: _RandomPlay, player: int, free: list[int], count: int) -> int:
    """Puts `count` on the next free point."""
    if count:
        way = free.pop()
        play.counts[player, play.opposite_step(way) if player else way] = count
    return count
