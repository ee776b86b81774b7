"""Chess clocks for the board: how much reserve each player has, as functions of the time that is handed in.

Each turn has a free time, the delay. With a simple delay the reserve starts to run when the delay is over. With a
Bronstein delay the reserve runs at once, and the time used, up to the delay, is given back when the clock is pressed.
Both bank the same reserve at the end of a turn; they differ in when a small reserve runs out.

With a limit per move there is no reserve: each turn has its time, and what is left of it is lost. An hourglass has no delay:
the time that a player uses is the opponent's.

Times are ms of one session's monotonic clock; a state that outlives its session is stopped first.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum, Flag, auto

from controller.rules import Player, quote_value

# Reserve in ms that may be used before it is logged again. With at least four inputs a second a restart loses 1 s at most.
RESERVE_EVERY_MS = 750


class Delay(Enum):
    """How the free time of a turn works."""

    SIMPLE = "simple"
    BRONSTEIN = "bronstein"
    PER_MOVE = "move"  # the free time is all there is
    HOURGLASS = "hourglass"  # there is none, and what one player uses the other gains


class Stop(Flag):
    """Throws that stop the clock, on which rules differ; the end of a game, a pause or a dispute always stops it."""

    OFF_BOARD = auto()  # a die that left the table (Michigan 2002)
    COCKED = auto()  # a throw that does not count because of how a die lies


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
    is_pressed_by_dice: bool = False  # lifting the dice ends the turn, as pressing the clock does

    def start_reserve_ms(self, length: int | None, scored: int) -> int:
        """Each player's reserve in a match to `length` points, of which both sides together have scored `scored`.

        A money game counts as a match to one point.
        """
        points = length or 1
        return max(0, self.reserve_ms + self.per_point_ms * points - self.per_scored_ms * scored)


# US clock rules 2013: two minutes a point, less one minute for each point scored; teams of two have more.
US = ClockRules("us", Delay.SIMPLE, 12_000, per_point_ms=120_000, per_scored_ms=60_000)
US_DOUBLES = ClockRules("us-doubles", Delay.SIMPLE, 18_000, per_point_ms=150_000, per_scored_ms=60_000)
WBGT = ClockRules("wbgt", Delay.BRONSTEIN, 12_000, per_point_ms=120_000)
UKBGF = ClockRules("ukbgf", Delay.SIMPLE, 12_000, per_point_ms=120_000)
CLOCKS = {rules.name: rules for rules in (US, US_DOUBLES, WBGT, UKBGF)}

NO_CLOCK = "none"
_STOPS = {"off-board": Stop.OFF_BOARD, "cocked": Stop.COCKED}
_BY_DICE = "dice"
CLOCK_FORMS = (
    f"{', '.join(CLOCKS)}, {NO_CLOCK}, minutes+seconds as 10+12, 2/point+12 or bronstein:10+12, "
    "move:60 (seconds a move) or hourglass:5 (minutes each); "
    f"with ,{' or ,'.join(_STOPS)} behind it the clock stops for such a throw too, with ,{_BY_DICE} lifted dice press it"
)
_PLAIN_CLOCK = re.compile(r"(move|hourglass):(\d{1,3})", re.ASCII)
_CUSTOM_CLOCK = re.compile(r"(bronstein:)?(\d{1,3}(?:\.\d{1,2})?)(/point)?\+(\d{1,3})", re.ASCII)


class ClockTextError(ValueError):
    """Text that names no clock; one sentence says what may be given."""


def parse_clock(text: str) -> ClockRules | None:
    """The clock that a `--clock` text names; None: no clock. ClockTextError says what may be given."""
    name, *stops = text.split(",")
    if text == NO_CLOCK:
        return None
    rules = CLOCKS.get(name) or _parse_custom_clock(name)
    if rules is None or any(each not in _STOPS and each != _BY_DICE for each in stops):
        raise ClockTextError(f"{quote_value(text)} is no clock; give {CLOCK_FORMS}")
    if not (rules.delay_ms if rules.delay is Delay.PER_MOVE else rules.start_reserve_ms(1, 0)):
        raise ClockTextError(f"{quote_value(text)} leaves no reserve; give more than 0 minutes")
    also = NO_MORE_STOPS
    for each in stops:
        also |= _STOPS.get(each, NO_MORE_STOPS)
    return replace(rules, name=text, also_stops_for=also, is_pressed_by_dice=_BY_DICE in stops)


def _parse_custom_clock(name: str) -> ClockRules | None:
    if plain := _PLAIN_CLOCK.fullmatch(name):
        if plain[1] == Delay.PER_MOVE.value:
            return ClockRules(name, Delay.PER_MOVE, 1000 * int(plain[2]))
        return ClockRules(name, Delay.HOURGLASS, 0, 60_000 * int(plain[2]))
    given = _CUSTOM_CLOCK.fullmatch(name)
    if given is None:
        return None
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
    """`banked`: reserves at `since_ms`, when `used_ms` of the delay of this turn were used.

    `turn` None: no turn has begun. `since_ms` None: the clock is stopped.
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
    """Starts the player's time with a full delay; pressing the clock begins the opponent's turn."""
    return replace(stop(state, now_ms), turn=player, used_ms=0, since_ms=now_ms)


def stop(state: ClockState, now_ms: int) -> ClockState:
    """Stops the clock and keeps the rest of the delay."""
    used_ms = min(_used_ms(state, now_ms), state.rules.delay_ms)
    return replace(state, banked=compute_banked(state, now_ms), used_ms=used_ms, since_ms=None)


def resume(state: ClockState, now_ms: int) -> ClockState:
    """Restarts a stopped clock; no effect on a running one, or before the first turn."""
    if state.is_running or state.turn is None:
        return state
    return replace(state, since_ms=now_ms)


def end_turn(state: ClockState) -> ClockState:
    """Ends the turn of a stopped clock: nobody's time runs, and the next turn has its full delay."""
    return replace(state, turn=None, used_ms=0)


def restore_reserves(state: ClockState, white_ms: int, black_ms: int) -> ClockState:
    """A stopped clock with the reserves of the log."""
    return replace(state, banked=Reserves(white_ms, black_ms), since_ms=None)


def compute_banked(state: ClockState, now_ms: int) -> Reserves:
    """The reserves if the clock were pressed now; these are logged."""
    if state.turn is None:
        return state.banked
    over_ms = max(0, _used_ms(state, now_ms) - state.rules.delay_ms)
    left_ms = max(0, state.banked.of(state.turn) - over_ms)
    banked = state.banked.with_one(state.turn, left_ms)
    if state.rules.delay is not Delay.HOURGLASS:
        return banked
    opponent = state.turn.opponent
    return banked.with_one(opponent, banked.of(opponent) + state.banked.of(state.turn) - left_ms)


def find_flagged_player(state: ClockState, now_ms: int) -> Player | None:
    """The player whose reserve is used up. Ask before the clock is pressed: the returned delay hides it."""
    if state.turn is None or _used_ms(state, now_ms) < _usable_ms(state, state.turn):
        return None
    return state.turn


def is_reserve_current(logged: Reserves, state: ClockState, now_ms: int) -> bool:
    """Whether the logged reserves are within RESERVE_EVERY_MS of the present ones."""
    now = compute_banked(state, now_ms)
    return all(abs(now.of(player) - logged.of(player)) < RESERVE_EVERY_MS for player in Player)


def _usable_ms(state: ClockState, player: Player) -> int:
    """How long a turn of the player can last before his reserve runs out."""
    free_ms = 0 if state.rules.delay is Delay.BRONSTEIN else state.rules.delay_ms
    return state.banked.of(player) + free_ms


def _used_ms(state: ClockState, now_ms: int) -> int:
    """Time of this turn that is not banked yet."""
    return state.used_ms + (0 if state.since_ms is None else max(0, now_ms - state.since_ms))
