"""A match of which each frame's reading is made here; everything behind the reading is the real program.

Unlike in `refereed_match.py`, `observe` finds out when dice have come to rest, which are the same, and which were lifted.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import numpy as np

from controller.adjudication.board_view import view_of
from controller.match.commands import Command
from controller.match.events import RefereeEvent
from controller.observing.observe import ObservationWindow, observe
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, replay_events, resume_match, step
from controller.refereeing.state import RefereeState
from controller.rules import Player, Ruleset, parse_setup
from tests.controller.board_sights import Sight, reading_of
from tests.controller.refereeing.refereed_match import (
    BLACK,
    LEGAL,
    SEATING,
    WHITE,
    Emitted,
    die_reading,
    moved,
    table_of,
)
from vision.board.board_reading import BoardReading
from vision.dice.readings import BoardHalf, DieReading, DieState

FRAME_MS = 67
SIZE_PX, NOISE_PX, MIDDLE_PX = 30.0, 0.4, 500.0
CLEAR = Sight(sureness=0.9999, high_sureness=0.9999, tray_in_view=True)
Dice = Sequence[DieReading]


def die_at(value: int, at_px: tuple[float, float], lies: DieState = DieState.FLAT) -> DieReading:
    """A die in the half of the field where it lies; in none if it lies beside the board."""
    half = BoardHalf.LEFT if at_px[0] < MIDDLE_PX else BoardHalf.RIGHT
    reading = die_reading(value, None if lies is DieState.OFF_BOARD else half, lies)
    return replace(reading, centre_px=at_px, size_px=SIZE_PX)


@lru_cache(maxsize=64)
def _board(position: str, rules: Ruleset) -> BoardReading:
    return reading_of(view_of(parse_setup(position), SEATING, rules), 0, CLEAR)


@dataclass(slots=True)
class FilmedMatch:
    """What lies on the table, and the log so far. A hand in view hides nothing that is not taken away here."""

    table: MatchConfig
    position: str = ""
    dice: list[DieReading] = field(default_factory=list)
    has_hand: bool = False
    now_ms: int = 0
    window: ObservationWindow = field(default_factory=ObservationWindow)
    state: RefereeState = field(default_factory=RefereeState)
    events: list[RefereeEvent] = field(default_factory=list)
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))
    is_disturbed: bool = True
    still_since_ms: int = 0
    n_known: int = 0

    @classmethod
    def begun(cls, **changes: object) -> "FilmedMatch":
        """Backgammon; the opening throw is awaited, or another position with whoever is on turn there."""
        return _begun(table_of("backgammon", **changes)).copy()

    @classmethod
    def with_first_play(cls, **changes: object) -> "FilmedMatch":
        """White has begun with 3-1 and played them; his dice lie there."""
        return _with_first_play(table_of("backgammon", **changes)).copy()

    @classmethod
    def with_black_played(cls, *ways: tuple[int, int], **changes: object) -> "FilmedMatch":
        """Black has thrown 6-4 and moved his checkers in these ways; the dice lie there."""
        return _with_black_played(table_of("backgammon", **changes), ways).copy()

    @classmethod
    def with_black_to_throw(cls, **changes: object) -> "FilmedMatch":
        return _with_black_to_throw(table_of("backgammon", **changes)).copy()

    def copy(self) -> "FilmedMatch":
        return replace(self, dice=list(self.dice), events=list(self.events), chance=deepcopy(self.chance))

    def frame(self, after_ms: int = FRAME_MS, *, shown: Dice | None = None, is_moving: bool = False) -> None:
        self.now_ms += after_ms
        if is_moving or self.has_hand or self.is_disturbed:
            self.still_since_ms = self.now_ms
        self.is_disturbed = False
        dice = tuple(
            replace(die, centre_px=tuple(self.chance.normal(die.centre_px, NOISE_PX).tolist()))
            for die in (self.dice if shown is None else shown)
        )
        assert isinstance(self.table.rules, Ruleset)
        reading = replace(_board(self.position, self.table.rules), dice=dice, hand_in_view=self.has_hand)
        reading = replace(reading, taken_ms=self.now_ms)
        self.window, seen = observe(self.window, reading, still_since_ms=self.still_since_ms)
        self.state, events = step(self.state, seen, self.table)
        self.events += events

    def rest(self, for_ms: int) -> None:
        for _ in range(max(1, for_ms // FRAME_MS)):
            self.frame()

    def with_hand(self, for_ms: int) -> None:
        self.has_hand = True
        self.rest(for_ms)
        self.has_hand, self.is_disturbed = False, True

    def throw(self, *dice: DieReading, rest_ms: int = 1500) -> None:
        """New dice settle beside the dice that lie there."""
        lying = list(self.dice)
        for left in range(7, 0, -1):
            rolling = [
                replace(die, centre_px=(die.centre_px[0] + 40 * left, die.centre_px[1] + 25 * left)) for die in dice
            ]
            self.frame(shown=[*lying, *rolling], is_moving=True)
        self.dice, self.is_disturbed = [*lying, *dice], True
        self.rest(rest_ms)

    def take(self, *dice: DieReading, hidden_ms: int = 700) -> None:
        """A hand takes these dice off the table, and stays over it."""
        self.with_hand(200)
        self.dice = [die for die in self.dice if die not in dice]
        self.with_hand(hidden_ms)

    def throw_anew(self, *dice: DieReading, rest_ms: int = 3000) -> None:
        """All dice are taken up and thrown at once, in a blur."""
        self.take(*self.dice, hidden_ms=200)
        for _ in range(5):
            self.frame(shown=[], is_moving=True)
        self.throw(*dice, rest_ms=rest_ms)

    def put_dice(self, *dice: DieReading, rest_ms: int = 3000) -> None:
        """A hand puts these dice down, and takes all others away."""
        self.with_hand(400)
        self.dice = list(dice)
        self.with_hand(200)
        self.rest(rest_ms)

    def lift(self, rest_ms: int = 1500) -> None:
        self.take(*self.dice, hidden_ms=300)
        self.rest(rest_ms)

    def knock(self, old: DieReading, new: DieReading, by: DieReading) -> None:
        """A die that rolls in pushes another one over; then both lie still."""
        for share in np.linspace(0.1, 1, 8).tolist():
            at_px = tuple((np.array(old.centre_px) + share * np.subtract(new.centre_px, old.centre_px)).tolist())
            rolling = replace(by, centre_px=(by.centre_px[0] + 240 * (1 - share), by.centre_px[1]))
            self.frame(shown=[replace(old if share < 0.5 else new, centre_px=at_px), rolling], is_moving=True)
        self.dice, self.is_disturbed = [new, by], True
        self.rest(3000)

    def play(self, player: Player, *ways: tuple[int, int]) -> None:
        self.with_hand(300)
        self.position = moved(self.position, player, *ways)
        self.with_hand(300)
        self.rest(900)

    def give(self, command: Command) -> None:
        self.state, events = step(self.state, command, self.table)
        self.events += events
        self.rest(1000)

    def restart(self) -> None:
        self.state, events = resume_match(replay_events(tuple(self.events)), 0)
        self.events += events
        self.now_ms = self.still_since_ms = 0
        self.window, self.is_disturbed = ObservationWindow(), True

    def mark(self) -> None:
        """From now on `news`, `kinds` and `only` tell of later events."""
        self.n_known = len(self.events)

    def news(self) -> list[RefereeEvent]:
        """The events after the beginning of the match (`begun`, `with_…`), or after the last `mark`."""
        return self.events[self.n_known :]

    def kinds(self) -> list[type]:
        """The types of the news."""
        return [type(event) for event in self.news()]

    def only(self, kind: type[Emitted]) -> Emitted:
        """The only news, which is of this type."""
        (event,) = self.news()
        assert isinstance(event, kind), event
        return event


# Many tests begin alike; each gets a copy of what was played once.


@cache
def _begun(table: MatchConfig) -> FilmedMatch:
    match = FilmedMatch(table)
    match.state, events = begin_match(match.table, 0)
    match.events += events
    match.position = match.table.start.position or match.table.start_text
    match.rest(1500)
    match.mark()
    return match


@cache
def _with_first_play(table: MatchConfig) -> FilmedMatch:
    match = _begun(table).copy()
    match.throw(die_at(3, (700, 300)), die_at(1, (200, 320)))
    match.play(WHITE, *LEGAL)
    match.mark()
    return match


@cache
def _with_black_to_throw(table: MatchConfig) -> FilmedMatch:
    match = _with_first_play(table).copy()
    match.lift()
    match.mark()
    return match


@cache
def _with_black_played(table: MatchConfig, ways: tuple[tuple[int, int], ...]) -> FilmedMatch:
    match = _with_black_to_throw(table).copy()
    match.throw(die_at(6, (600, 400)), die_at(4, (700, 460)))
    match.play(BLACK, *ways)
    match.mark()
    return match
