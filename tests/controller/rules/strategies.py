"""Positions and turns for tests: reached by playing random games, or thrown together and valid all the same."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hypothesis import strategies as st

from controller.rules import (
    OFF,
    RESERVE,
    Contact,
    Follow,
    FollowKind,
    Opening,
    Play,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Stage,
    Throw,
    ThrowKind,
    Turn,
    find_caught_mothers,
    find_follow,
    legal_plays,
    make_own_throw,
    make_transfer_throw,
    pack_counts,
    start_position,
)

HEAD = 24


@dataclass(frozen=True, slots=True)
class StagePlayed:
    """One stage of a game as it was played."""

    before: Position
    mover: Player
    stage: Stage
    kind: ThrowKind
    plays: tuple[Play, ...]
    chosen: Play


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A whole turn: what was thrown, the boards at both ends, and what followed its last stage."""

    before: Position
    mover: Player
    turn: Turn
    after: Position
    follow: Follow
    stages: tuple[StagePlayed, ...]
    ends_game: bool


@dataclass(slots=True)
class _Game:
    """A game in progress; each player moves at random."""

    rules: Ruleset
    rng: random.Random
    position: Position
    mover: Player
    counters: dict[Player, int]
    pending: tuple[int, ...] = ()

    def is_over(self) -> bool:
        off = any(self.position.counts(player)[OFF] == self.rules.checkers for player in Player)
        return off or bool(find_caught_mothers(self.position, self.rules))

    def throw(self, *, must_differ: bool = False) -> Throw:
        roll = Roll.of(self.rng.randint(1, 6), self.rng.randint(1, 6))
        while must_differ and roll.is_double:
            roll = Roll.of(self.rng.randint(1, 6), self.rng.randint(1, 6))
        before = RollCounters(sum(self.counters.values()), self.counters[self.mover])
        self.counters[self.mover] += 1
        return make_own_throw(roll, self.rules, before)

    def play_throw(self, throw: Throw) -> Iterator[tuple[StagePlayed, Follow]]:
        head = self.position.counts(self.mover)[HEAD]
        for index, numbers in enumerate(throw.stages):
            before = self.position
            taken = head - before.counts(self.mover)[HEAD]
            stage = Stage(numbers, first_roll=throw.is_first_roll and index == 0, head_taken=taken)
            found = legal_plays(before, self.mover, stage, self.rules)
            play = self.rng.choice(found)
            self.position = play.after
            follow = find_follow(throw, index, play.unused, self.rules)
            yield StagePlayed(before, self.mover, stage, throw.kind, found, play), follow
            if follow.kind is not FollowKind.NEXT_RANK or self.is_over():
                return

    def play_turn(self, *, must_differ: bool) -> TurnPlayed:
        before, throws, stages = self.position, list[Throw](), list[StagePlayed]()
        if self.pending:
            throws.append(make_transfer_throw(self.pending))
            stages += [stage for stage, _ in self.play_throw(throws[0])]
        follow = Follow(FollowKind.ROLL_AGAIN)
        while follow.kind is FollowKind.ROLL_AGAIN and not self.is_over():
            throws.append(self.throw(must_differ=must_differ))
            played = list(self.play_throw(throws[-1]))
            stages += [stage for stage, _ in played]
            follow = played[-1][1]
        self.pending = follow.numbers
        ended = self.is_over()
        turn = TurnPlayed(before, self.mover, Turn(tuple(throws)), self.position, follow, tuple(stages), ended)
        self.mover = self.mover.opponent
        return turn


@lru_cache(maxsize=1000)
def random_game(rules: Ruleset, seed: int, *, most_turns: int = 400) -> tuple[TurnPlayed, ...]:
    """A whole game between two players who choose at random; the same seed gives the same game."""
    rng = random.Random(seed)
    starter = rng.choice(tuple(Player))
    game = _Game(rules, rng, start_position(rules), starter, dict.fromkeys(Player, 0))
    turns = [game.play_turn(must_differ=rules.opening is Opening.OPENING_DICE)]
    while not game.is_over() and len(turns) < most_turns:
        turns.append(game.play_turn(must_differ=False))
    return tuple(turns)


@st.composite
def turns(draw: st.DrawFn, rules: Ruleset, games: int = 2) -> TurnPlayed:
    """A turn of one of a few random games."""
    return draw(st.sampled_from(random_game(rules, draw(st.integers(0, games - 1)))))


@st.composite
def stages_played(draw: st.DrawFn, rules: Ruleset, games: int = 2) -> StagePlayed:
    """A stage of one of a few random games."""
    return draw(st.sampled_from(draw(turns(rules, games)).stages))


@st.composite
def wild_positions(draw: st.DrawFn, rules: Ruleset) -> Position:
    """Checkers thrown anywhere they may lie together, reachable or not."""
    places = st.lists(st.sampled_from(_places(rules)), min_size=rules.checkers, max_size=rules.checkers)
    white, black = [0] * 27, [0] * 27
    for place in draw(places):
        white[place] += 1
    white_pinned = black_pinned = 0
    for wanted in draw(places):
        place = wanted
        across = rules.direction.across(place) if 1 <= place <= 24 else 0
        if across and white[across]:
            pinnable = rules.contact is Contact.PIN and not black[place]
            if pinnable and not white_pinned >> across & 1 and not black_pinned >> place & 1:
                # a single checker underneath: Black's under White's, or White's single one under Black's
                if white[across] == 1 and draw(st.booleans()):
                    white_pinned |= 1 << across
                else:
                    black_pinned |= 1 << place
            elif not white_pinned >> across & 1:
                place = OFF
        black[place] += 1
    return Position(pack_counts(tuple(white)), pack_counts(tuple(black)), white_pinned, black_pinned)


def _places(rules: Ruleset) -> tuple[int, ...]:
    reserve = (RESERVE,) if rules.has_reserve else ()
    bar = (25,) if rules.contact is Contact.HIT else ()
    return (*range(1, 25), *range(1, 13), OFF, *bar, *reserve)


def numbers() -> st.SearchStrategy[tuple[int, ...]]:
    """The numbers of one stage: two different ones, or one to four equal ones."""
    die = st.integers(1, 6)
    different = st.tuples(die, die).filter(lambda pair: pair[0] > pair[1])
    equal = st.tuples(die, st.sampled_from((4, 4, 1, 2, 3))).map(lambda one: (one[0],) * one[1])
    return different | equal


def mirrored(position: Position) -> Position:
    """The same board with the colours exchanged."""
    return Position(position.black, position.white, position.black_pinned, position.white_pinned)
