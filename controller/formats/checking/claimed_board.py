"""The board that a written play leads to, and the ruling of the rules core on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import sub

from controller.formats.transcript import CheckerPath, PlayForm, ThrowEntry
from controller.rules import (
    BAR,
    OFF,
    ImpossibleSetupError,
    Legal,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Ruling,
    Setup,
    Side,
    Turn,
    judge,
    make_own_throw,
)

_MOST_HITS_IN_PASSING = 3


@dataclass(frozen=True, slots=True)
class ClaimedPlay:
    """`after` None: the play cannot be made at all; `sentence` says why, and there is no ruling."""

    after: Position | None
    ruling: Ruling | None
    sentence: str = ""


def evaluate_claim(before: Position, entry: ThrowEntry, rules: Ruleset) -> ClaimedPlay:
    """The result of a throw with dice: the first legal board that its play may mean, else the first possible one."""
    if entry.roll is None:
        raise ValueError("a play without dice cannot be judged")
    turn = Turn((make_own_throw(Roll.of(*entry.roll), rules, RollCounters()),))
    first: ClaimedPlay | None = None
    for after in _generate_boards(before, entry, rules):
        try:
            position = Position.of(after, rules)
        except ImpossibleSetupError:
            return first or ClaimedPlay(None, None, after.fault_sentences(rules)[0])
        ruling = judge(before, entry.player, turn, after, rules)
        claim = ClaimedPlay(position, ruling)
        if isinstance(ruling, Legal):
            return claim
        first = first or claim
    return first or ClaimedPlay(None, None, _describe_shortage(before, entry))


def _generate_boards(before: Position, entry: ThrowEntry, rules: Ruleset) -> Iterator[Setup]:
    """The boards that a play may mean; nothing if checkers are missing.

    A play without its intermediate points may also have hit blots in passing, so those boards follow.
    """
    if entry.board is not None:
        board = _fit_to_game(entry.board, rules)
        if entry.play_form is PlayForm.DUMP:
            board = _turn_to_nearer(before, board)
        if board != before.setup:
            yield board
        return
    mover = list(before.counts(entry.player)[:26])
    for path in entry.paths:
        mover[path.points[0]] -= path.count
        mover[path.points[-1]] += path.count
    if min(mover) < 0:
        return
    blots = _find_blots(before, entry.player)
    hit = {point for path in entry.paths for point in path.points[1:] if point in blots}
    passed = {point for path in entry.paths for point in blots if _passes_point(path, point)} - hit
    for count in range(min(len(passed), _MOST_HITS_IN_PASSING) + 1):
        for more in combinations(sorted(passed, reverse=True), count):
            yield _with_hits(before, entry.player, mover, hit | set(more))


def _turn_to_nearer(before: Position, board: Setup) -> Setup:
    """The written board, or that with the sides exchanged, whichever is closer."""
    turned = Setup(board.black, board.white)
    return min((board, turned), key=lambda one: _count_differences(before.setup, one))


def _count_differences(first: Setup, second: Setup) -> int:
    sides = ((first.white, second.white), (first.black, second.black))
    return sum(sum(map(abs, map(sub, one.counts, other.counts))) for one, other in sides)


def _fit_to_game(board: Setup, rules: Ruleset) -> Setup:
    """Corrects the checkers off of a board that was written for fifteen, in a game with fewer."""
    missing = 15 - rules.checkers
    white, black = (
        Side(side.off - missing, side.points, side.bar) if side.total > rules.checkers else side
        for side in (board.white, board.black)
    )
    return Setup(white, black)


def _with_hits(before: Position, player: Player, mover: list[int], hits: set[int]) -> Setup:
    other = list(before.counts(player.opponent)[:26])
    for point in hits:
        other[25 - point] -= 1
        other[BAR] += 1
    sides = {player: Side.of_counts(tuple(mover)), player.opponent: Side.of_counts(tuple(other))}
    return Setup(sides[Player.WHITE], sides[Player.BLACK])


def _find_blots(before: Position, player: Player) -> set[int]:
    """The mover's points on which the opponent has a single checker."""
    other = before.counts(player.opponent)
    return {point for point in range(1, BAR) if other[25 - point] == 1}


def _passes_point(path: CheckerPath, point: int) -> bool:
    return any(source > point > target for source, target in pairwise(path.points))


def _describe_shortage(before: Position, entry: ThrowEntry) -> str:
    counts = list(before.counts(entry.player)[:26])
    for path in entry.paths:
        counts[path.points[0]] -= path.count
        counts[path.points[-1]] += path.count
    places = [place for place, count in enumerate(counts) if count < 0]
    if not places:
        return "the board after it is not written so that it can be read"
    name = {OFF: "the tray", BAR: "the bar"}.get(places[0], f"point {places[0]}")
    return f"there are not so many checkers on {name}"
