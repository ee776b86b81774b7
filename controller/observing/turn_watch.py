"""Divides a stream of observations into throws and the boards between turns, before anybody knows who is on turn.

A throw is two dice that came to rest, whatever the rules say of it. A board lies between two turns if the dice of the
last throw are lifted, or if it is the first one that is seen beside a new throw, before any hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import exp, log

from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.observing.throw_evidence import list_possible_faces
from controller.rules import Half
from vision.dice.readings import DieState
from vision.dice_tracking.events import SettledDie

DICE_OF_A_THROW = 2
TOGETHER_MS = 1500
"""The longest time in ms between the first and the last die of one throw to come to rest. Physical: a longer time joins two
throws, a shorter one splits a throw."""
_FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class SeenThrow:
    """Dice that came to rest, whoever threw them.

    `rolls`: what they may show, the higher number first, each with its log-probability in nats, the likeliest first.
    `is_flat`: two dice were found, and both lie flat. `is_apart`: in both halves or thrown one after the other, as the two
    dice of an opening throw lie. `half`: where all of them lie, None if in both halves or in none. `numbers`: of the dice, by
    the tracker. `lay_first`: they lay there when the board was first seen. `counts`: the referee has accepted it as a roll.
    """

    rolls: tuple[tuple[tuple[int, int], float], ...]
    is_flat: bool = True
    is_apart: bool = False
    half: Half | None = None
    lay_first: bool = False
    numbers: frozenset[int] = frozenset()
    counts: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether the dice lie as those of a player's roll: flat, in one half, and thrown together."""
        return self.is_flat and not self.is_apart


UNSEEN_THROW = SeenThrow(
    tuple(((high, low), log((1 if high == low else 2) / 36)) for high in _FACES for low in range(1, high + 1)),
    is_flat=False,
)
"""A throw of which nothing was seen."""


@dataclass(frozen=True, slots=True)
class TurnWatch:
    """What is remembered between frames: `of_throw` are the dice of the last throw, `coming` those of the next one.

    `known`: the numbers of dice that belong to earlier throws. `has_board`: a board was seen before.
    """

    of_throw: tuple[SettledDie, ...] = ()
    coming: tuple[SettledDie, ...] = ()
    known: frozenset[int] = frozenset()
    has_board: bool = False
    lay_first: bool = False

    def with_observation(self, seen: Observation) -> tuple["TurnWatch", tuple[BoardEvidence | SeenThrow, ...]]:
        """The watch after a frame, and what the frame shows: a board between two turns, a throw, or both in this order."""
        lying = {die.number: die for die in seen.dice if die.reading.lies is not DieState.OFF_BOARD}
        coming = tuple(lying.get(die.number, die) for die in self.coming)
        room = DICE_OF_A_THROW - len(coming)
        new = tuple(die for number, die in lying.items() if number not in self._numbers)[:room]
        watch = replace(self, coming=(*coming, *new), lay_first=self.lay_first or bool(new and not self.has_board))
        is_whole = len(watch.coming) == DICE_OF_A_THROW
        is_gone = bool(watch.coming) and not any(die.number in lying for die in watch.coming)
        board = None if seen.hand_in_view else seen.board
        if is_gone or (is_whole and (board is not None or seen.hand_in_view)):
            boards = () if board is None or is_gone else (board,)
            watch, throw = watch._begin_turn(is_seen=bool(boards))
            return watch, (*boards, throw)
        if board is None or watch.coming or any(die.number in lying for die in watch.of_throw):
            return watch, ()
        return replace(watch, has_board=True), (board,)

    @property
    def _numbers(self) -> frozenset[int]:
        return self.known | {die.number for die in (*self.of_throw, *self.coming)}

    def _begin_turn(self, *, is_seen: bool) -> tuple["TurnWatch", SeenThrow]:
        throw = replace(read_throw(self.coming), lay_first=self.lay_first)
        return TurnWatch(self.coming, (), self._numbers, self.has_board or is_seen), throw


def read_throw(dice: Sequence[SettledDie]) -> SeenThrow:
    """What one or two dice may show; a die that was not found may show anything."""
    faces = [_read_faces(die) for die in dice] + [dict.fromkeys(_FACES, -log(6))] * (DICE_OF_A_THROW - len(dice))
    chances: dict[tuple[int, int], float] = {}
    for (one, log_one), (other, log_other) in product(*(each.items() for each in faces)):
        roll = (max(one, other), min(one, other))
        chances[roll] = chances.get(roll, 0.0) + exp(log_one + log_other)
    rolls = sorted(((roll, log(chance)) for roll, chance in chances.items()), key=lambda one: -one[1])
    halves = {die.reading.half for die in dice}
    settled_ms = [die.settled_ms for die in dice]
    is_apart = len(halves) > 1 or max(settled_ms) - min(settled_ms) > TOGETHER_MS
    is_flat = all(die.reading.lies is DieState.FLAT for die in dice)
    (half,) = halves if len(halves) == 1 else (None,)
    return SeenThrow(
        tuple(rolls),
        is_flat=is_flat and len(dice) == DICE_OF_A_THROW,
        is_apart=is_apart,
        half=None if half is None else Half(half.value),
        numbers=frozenset(die.number for die in dice),
    )


def _read_faces(die: SettledDie) -> dict[int, float]:
    """The faces that the die may show, with their log-probabilities."""
    likelihoods = die.reading.face_log_likelihood
    possible = list_possible_faces(die.reading)
    best = max(likelihoods[face - 1] for face in possible)
    shares = {face: exp(likelihoods[face - 1] - best) for face in possible}
    return {face: log(share / sum(shares.values())) for face, share in shares.items()}
