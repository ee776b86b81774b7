"""Whatever hands do to dice: no roll is accepted that does not lie there, and none of dice that nobody threw."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.match.commands import EndTurn
from controller.match.events import DiceRolled, Evidence, OpeningThrown
from controller.refereeing.referee import replay_events, without_perception
from controller.refereeing.state import Phase
from tests.controller.refereeing.filmed_dice import FilmedMatch, die_at
from vision.dice.readings import DieReading, DieState

pytestmark = pytest.mark.broad

MOST_DICE = 5
AT_REST_MS = 700  # when settled dice have been reported


class Act(Enum):
    """Something that happens at a table."""

    THROW_TWO = auto()
    THROW_ONE = auto()
    PUSH = auto()
    TIP = auto()
    LAY_BESIDE = auto()
    THROW_ANEW = auto()
    THROW_FROM_BESIDE = auto()
    LIFT_ALL = auto()
    LIFT_ONE = auto()
    FLICKER = auto()
    HAND = auto()
    GAP = auto()
    BUTTON = auto()


PLACES_PX = st.tuples(st.floats(120, 440) | st.floats(560, 880), st.floats(100, 700))
DICE = st.builds(die_at, st.integers(1, 6), PLACES_PX)
OFTEN = (
    *(Act.THROW_ONE,) * 5,
    *(Act.TIP,) * 3,
    *(Act.THROW_TWO,) * 2,
    Act.THROW_ANEW,
    *(Act.LAY_BESIDE,) * 2,
)  # else dice seldom lie alone when they are touched
STEPS = st.tuples(
    st.sampled_from((*OFTEN, *Act)), DICE, DICE, st.integers(0, MOST_DICE), st.sampled_from((100, 400, 700, 1500, 3500))
)


@dataclass(slots=True)
class Table:
    """`thrown`: so many of the dice that lie there were thrown since a roll was last accepted.

    Who takes up a die that has not come to rest, and puts it down again, throws it, as far as anybody can tell.
    """

    match: FilmedMatch
    thrown: list[DieReading] = field(default_factory=list)
    is_at_rest: bool = True

    def act(self, what: Act, one: DieReading, other: DieReading, which: int) -> None:
        match = self.match
        chosen = match.dice[which % len(match.dice)] if match.dice else None
        if what in (Act.THROW_TWO, Act.THROW_ONE) and len(match.dice) < MOST_DICE:
            new = (one, other) if what is Act.THROW_TWO else (one,)
            self.thrown += new
            match.throw(*new, rest_ms=100)
        elif what in (Act.PUSH, Act.TIP) and chosen is not None:
            pushed, tipped = die_at(chosen.value, one.centre_px), die_at(one.value, chosen.centre_px, chosen.lies)
            self._instead(chosen, pushed if what is Act.PUSH else tipped)
        elif what is Act.LAY_BESIDE and chosen is not None:
            at_px = (1000.0, one.centre_px[1])
            self._instead(chosen, die_at(chosen.value or 1, at_px, DieState.OFF_BOARD), is_thrown=not self.is_at_rest)
        elif what is Act.THROW_ANEW and match.dice:
            match.throw_anew(one, other, rest_ms=100)
            self.thrown = [one, other]
        elif what is Act.THROW_FROM_BESIDE:
            self._throw_from_beside(one, other)
        elif what in (Act.LIFT_ALL, Act.LIFT_ONE) and chosen is not None:
            match.take(*(match.dice if what is Act.LIFT_ALL else [chosen]), hidden_ms=200)
            self.thrown = [die for die in self.thrown if die in match.dice]
        elif what is Act.FLICKER and chosen is not None:
            for number in range(2 + which):
                match.frame(shown=[die for die in match.dice if number % 2 or die is not chosen])
        elif what is Act.HAND:
            match.with_hand(100 + 400 * which)
        elif what is Act.GAP:
            match.frame(300 + 900 * which)
        elif what is Act.BUTTON and match.state.phase is Phase.PLAYING:
            match.give(EndTurn())

    def _throw_from_beside(self, one: DieReading, other: DieReading) -> None:
        """As many as lie there, in a blur; the others are in view all the while."""
        beside = [die for die in self.match.dice if die.lies is DieState.OFF_BOARD]
        if not beside:
            return
        new = [one, other][: len(beside)]
        self.match.take(*beside, hidden_ms=200)
        for _ in range(5):
            self.match.frame(is_moving=True)
        self.match.throw(*new, rest_ms=100)
        self.thrown += new

    def _instead(self, old: DieReading, new: DieReading, *, is_thrown: bool = True) -> None:
        """A hand replaces one die by another."""
        self.match.with_hand(300)
        self.match.dice = [new if die is old else die for die in self.match.dice]
        self.thrown = [new if die is old else die for die in self.thrown if is_thrown or die is not old]
        self.match.with_hand(200)

    def check(self) -> None:
        """Each roll of the news lies there, and was thrown."""
        for event in self.match.news():
            if isinstance(event, DiceRolled | OpeningThrown) and event.evidence is Evidence.SEEN:
                values = event.values if isinstance(event, DiceRolled) else (event.white, event.black)
                lying = [die.value for die in self.match.dice if die.lies is DieState.FLAT and die in self.thrown]
                for value in values:
                    assert value in lying, event
                    lying.remove(value)
            if isinstance(event, DiceRolled):
                assert self.thrown, event
                self.thrown = []
        self.match.mark()


def _with_two_pairs() -> FilmedMatch:
    """White's dice lie there, whose turn the button ended; Black's beside the board."""
    match = FilmedMatch.with_first_play()
    match.give(EndTurn())
    match.put_dice(*match.dice, *(die_at(value, (1000, 100 * value), DieState.OFF_BOARD) for value in (3, 1)))
    return match


BEGINNINGS = (
    *(FilmedMatch.begun,) * 2,
    FilmedMatch.with_first_play,
    FilmedMatch.with_black_to_throw,
    _with_two_pairs,
)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(beginning=st.sampled_from(BEGINNINGS), steps=st.lists(STEPS, min_size=2, max_size=8))
def test_what_is_accepted_lies_there(
    beginning: Callable[[], FilmedMatch], steps: list[tuple[Act, DieReading, DieReading, int, int]]
) -> None:
    """The log gives the state back."""
    match = beginning()
    match.mark()
    table = Table(match)
    for what, one, other, which, rest_ms in steps:
        table.act(what, one, other, which)
        for _ in range(rest_ms // 67 + 1):
            match.frame()
            table.check()
        table.is_at_rest = rest_ms >= AT_REST_MS
    assert replay_events(tuple(match.events)) == without_perception(match.state)
