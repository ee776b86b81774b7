"""Chess clocks for the board: how much reserve each player has, as functions of the time that is handed in.

Each turn has a free time, the delay. Under a simple delay the reserve waits until it is over; under Bronstein the
reserve runs at once and what the turn needed, up to the delay, is given back when the clock is pressed. So both bank the
same at the end of a turn, and differ in what is shown and in when an almost empty reserve is gone.

Milliseconds are those of one session's monotonic clock; a state that is kept for another session is stopped first.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum, Flag, auto

from controller.rules import Player

RESERVE_EVERY_MS = 750
"""How much reserve may be gone before it is told to the log again; with four looks a second a restart loses at most 1 s."""


class Delay(Enum):
    """How the free time of a turn works."""

    SIMPLE = "simple"
    BRONSTEIN = "bronstein"


class Stop(Flag):
    """What also stops the clock, for people do not agree on it; the end of a game, a break or a dispute always does."""

    OFF_BOARD = auto()  # Michigan 2002: a die that left the table
    COCKED = auto()  # and any other throw that does not count because of how a die lies


NO_MORE_STOPS = Stop(0)


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The reserve is `reserve_ms`, and `per_point_ms` for each point of the match less `per_scored_ms` for each scored."""

    name: str
    delay: Delay
    delay_ms: int
    reserve_ms: int = 0
    per_point_ms: int = 0
    per_scored_ms: int = 0
    also_stops_for: Stop = NO_MORE_STOPS

    def start_reserve_ms(self, length: int | None, scored: int) -> int:
        """Of each player, in a match to `length` points of which both sides together have scored so many.

        A game for money counts as a match to one point.
        """
        points = length or 1
        return max(0, self.reserve_ms + self.per_point_ms * points - self.per_scored_ms * scored)


# US clock rules 2013: two minutes a point, less one for each point scored; teams of two have more of both.
US = ClockRules("us", Delay.SIMPLE, 12_000, per_point_ms=120_000, per_scored_ms=60_000)
US_DOUBLES = ClockRules("us-doubles", Delay.SIMPLE, 18_000, per_point_ms=150_000, per_scored_ms=60_000)
WBGT = ClockRules("wbgt", Delay.BRONSTEIN, 12_000, per_point_ms=120_000)
UKBGF = ClockRules("ukbgf", Delay.SIMPLE, 12_000, per_point_ms=120_000)
CLOCKS = {rules.name: rules for rules in (US, US_DOUBLES, WBGT, UKBGF)}

NO_CLOCK = "none"
_STOPS = {"off-board": Stop.OFF_BOARD, "cocked": Stop.COCKED}
CLOCK_FORMS = (
    f"{', '.join(CLOCKS)}, {NO_CLOCK}, or minutes+seconds as 10+12, 2/point+12 or bronstein:10+12; "
    f"with ,{' or ,'.join(_STOPS)} behind it the clock stops for such a throw too"
)
_CUSTOM_CLOCK = re.compile(r"(bronstein:)?(\d{1,3}(?:\.\d{1,2})?)(/point)?\+(\d{1,3})", re.ASCII)


def parse_clock(text: str) -> ClockRules | None:
    """What `--clock` asks for; None for no clock. ValueError says what may be given."""
    name, *stops = text.split(",")
    if text == NO_CLOCK:
        return None
    own = _CUSTOM_CLOCK.fullmatch(name)
    if (name not in CLOCKS and own is None) or any(each not in _STOPS for each in stops):
        raise ValueError(f"{text!r} is no clock; give {CLOCK_FORMS}")
    rules = _parse_custom_clock(own) if own else CLOCKS[name]
    if not rules.start_reserve_ms(1, 0):
        raise ValueError(f"{text!r} leaves no reserve; give more than 0 minutes")
    also = NO_MORE_STOPS
    for each in stops:
        also |= _STOPS[each]
    return replace(rules, name=text, also_stops_for=also)


def _parse_custom_clock(given: re.Match[str]) -> ClockRules:
    kind, minutes, is_per_point, seconds = given.groups()
    minutes_ms = round(60_000 * float(minutes))
    reserve_ms, per_point_ms = (0, minutes_ms) if is_per_point else (minutes_ms, 0)
    delay = Delay.BRONSTEIN if kind else Delay.SIMPLE
    return ClockRules(given[0], delay, 1000 * int(seconds), reserve_ms, per_point_ms)


@dataclass(frozen=True, slots=True)
class Reserves:
    """Milliseconds of both players."""

    white_ms: int
    black_ms: int

    def of(self, player: Player) -> int:
        return self.white_ms if player is Player.WHITE else self.black_ms

    def with_one(self, player: Player, reserve_ms: int) -> "Reserves":
        if player is Player.WHITE:
            return replace(self, white_ms=reserve_ms)
        return replace(self, black_ms=reserve_ms)


@dataclass(frozen=True, slots=True)
class ClockState:
    """`banked` is what was left at `since_ms`, when `used_ms` of the delay of this turn were used up.

    `turn` None: nobody's time has begun. `since_ms` None: the clock stands.
    """

    rules: ClockRules
    banked: Reserves
    turn: Player | None = None
    used_ms: int = 0
    since_ms: int | None = None

    @property
    def is_running(self) -> bool:
        return self.since_ms is not None


def new_clock(rules: ClockRules, length: int | None, *, scored: int = 0) -> ClockState:
    """Before the first turn."""
    reserve_ms = rules.start_reserve_ms(length, scored)
    return ClockState(rules, Reserves(reserve_ms, reserve_ms))


def begin_turn(state: ClockState, player: Player, now_ms: int) -> ClockState:
    """The player's time runs from now on, with the whole delay before him. Pressing the clock is this for the opponent."""
    return replace(stop(state, now_ms), turn=player, used_ms=0, since_ms=now_ms)


def stop(state: ClockState, now_ms: int) -> ClockState:
    """The clock stands; what was left of the delay stays."""
    used_ms = min(_used_ms(state, now_ms), state.rules.delay_ms)
    return replace(state, banked=compute_banked(state, now_ms), used_ms=used_ms, since_ms=None)


def resume(state: ClockState, now_ms: int) -> ClockState:
    """It goes on where it stood; nothing happens when it runs or nobody's turn has begun."""
    if state.is_running or state.turn is None:
        return state
    return replace(state, since_ms=now_ms)


def end_turn(state: ClockState) -> ClockState:
    """Of a clock that stands: nobody's time goes on by itself, and the next turn has its whole delay."""
    return replace(state, turn=None, used_ms=0)


def restore_reserves(state: ClockState, white_ms: int, black_ms: int) -> ClockState:
    """As the log told it, whatever the clock of the machine has done since; it stands."""
    return replace(state, banked=Reserves(white_ms, black_ms), since_ms=None)


def compute_banked(state: ClockState, now_ms: int) -> Reserves:
    """What would be left if the clock were pressed now: this goes into the log."""
    if state.turn is None:
        return state.banked
    over_ms = max(0, _used_ms(state, now_ms) - state.rules.delay_ms)
    return state.banked.with_one(state.turn, max(0, state.banked.of(state.turn) - over_ms))


def compute_displayed(state: ClockState, now_ms: int) -> Reserves:
    """What the players see: under Bronstein the delay has not been given back yet."""
    if state.turn is None or state.rules.delay is Delay.SIMPLE:
        return compute_banked(state, now_ms)
    left_ms = max(0, state.banked.of(state.turn) - _used_ms(state, now_ms))
    return state.banked.with_one(state.turn, left_ms)


def delay_left_ms(state: ClockState, now_ms: int) -> int:
    """Of this turn."""
    return max(0, state.rules.delay_ms - _used_ms(state, now_ms))


def find_flagged_player(state: ClockState, now_ms: int) -> Player | None:
    """Whose reserve is gone; it must be asked before the clock is pressed, for what is given back then hides it."""
    if state.turn is None or _used_ms(state, now_ms) < _usable_ms(state, state.turn):
        return None
    return state.turn


def flag_falls_at_ms(state: ClockState) -> int | None:
    """When the running player's reserve will be gone if he does not press; None while the clock stands."""
    if state.since_ms is None or state.turn is None:
        return None
    return state.since_ms + max(0, _usable_ms(state, state.turn) - state.used_ms)


def is_reserve_current(told: Reserves, state: ClockState, now_ms: int) -> bool:
    """Whether the log still knows the reserves well enough."""
    now = compute_banked(state, now_ms)
    return all(abs(now.of(player) - told.of(player)) < RESERVE_EVERY_MS for player in Player)


def clock_text(reserve_ms: int) -> str:
    """Minutes and seconds as clocks show them: 0:00 is reached only when nothing is left."""
    seconds = -(-reserve_ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def _usable_ms(state: ClockState, player: Player) -> int:
    """How much of a turn the player could use up before his reserve is gone."""
    free_ms = state.rules.delay_ms if state.rules.delay is Delay.SIMPLE else 0
    return state.banked.of(player) + free_ms


def _used_ms(state: ClockState, now_ms: int) -> int:
    """Of this turn, as far as it is not banked."""
    return state.used_ms + (0 if state.since_ms is None else max(0, now_ms - state.since_ms))
