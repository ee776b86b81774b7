"""Each player's games, throws and time over many matches, and what chance alone would have given.

Throws are compared with fair dice: the share of doubles by Wilson's interval, the pips of a throw by the normal
approximation, both at 95 %. A bar that leaves out what is expected happens to one player in twenty by chance.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median

from controller.formats.match_model import MatchHistory
from controller.formats.reports.match_statistics import PlayerStatistics, compute_statistics
from controller.formats.safe_text import display_name
from controller.rules import Player

_Z = 1.96  # of the normal distribution, 95 % on both sides
DOUBLES_EXPECTED = 1 / 6
_THROWS = [(one + two) * (2 if one == two else 1) for one in range(1, 7) for two in range(1, 7)]
PIPS_EXPECTED = sum(_THROWS) / len(_THROWS)
_PIPS_SD = math.sqrt(sum((pips - PIPS_EXPECTED) ** 2 for pips in _THROWS) / len(_THROWS))


@dataclass(frozen=True, slots=True)
class Interval:
    """A measured value and the range around it that holds the true one with 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PlayerCounts:
    """What one player did in one match. `thinking_ms`: each turn from the throw to the ruling."""

    name: str
    won: int
    games: int
    games_won: int
    points_won: int
    rolls: int
    doubles: int
    pips_rolled: int
    passes: int
    condoned: int
    taken_back: int
    bad_throws: int
    thinking_ms: tuple[int, ...] = ()


@dataclass(slots=True)
class PlayerTotals:
    """One player's counts. Matches and games without a winner count as played only."""

    name: str
    matches: int = 0
    matches_won: int = 0
    games: int = 0
    games_won: int = 0
    points_won: int = 0
    rolls: int = 0
    doubles: int = 0
    pips_rolled: int = 0
    passes: int = 0
    condoned: int = 0
    taken_back: int = 0
    bad_throws: int = 0
    thinking_ms: "array[int]" = field(
        default_factory=lambda: array("L")
    )  # of all turns: a list takes 5 times the memory

    def add(self, counts: PlayerCounts) -> None:
        self.matches += 1
        self.matches_won += counts.won
        self.games += counts.games
        self.games_won += counts.games_won
        self.points_won += counts.points_won
        self.rolls += counts.rolls
        self.doubles += counts.doubles
        self.pips_rolled += counts.pips_rolled
        self.passes += counts.passes
        self.condoned += counts.condoned
        self.taken_back += counts.taken_back
        self.bad_throws += counts.bad_throws
        self.thinking_ms.extend(counts.thinking_ms)

    @property
    def double_share(self) -> Interval | None:
        """Of the throws; None without any."""
        return _wilson(self.doubles, self.rolls) if self.rolls else None

    @property
    def pips_of_a_throw(self) -> Interval | None:
        if not self.rolls:
            return None
        mean, half = self.pips_rolled / self.rolls, _Z * _PIPS_SD / math.sqrt(self.rolls)
        return Interval(mean, max(mean - half, min(_THROWS)), min(mean + half, max(_THROWS)))

    @property
    def median_s(self) -> float | None:
        """The time of a turn, from the throw to the ruling."""
        return median(self.thinking_ms) / 1000 if self.thinking_ms else None


def count_players(match: MatchHistory) -> tuple[PlayerCounts, ...]:
    """White's counts and Black's. Raises RulesError where a log holds a board that is none."""
    facts = compute_statistics(match)
    return tuple(_count_player(match, player, facts.for_player(player)) for player in Player)


def _count_player(match: MatchHistory, player: Player, facts: PlayerStatistics) -> PlayerCounts:
    won = [game.result for game in match.games if game.result is not None and game.result.winner is player]
    return PlayerCounts(
        display_name(match, player),
        int(match.winner is player),
        len(match.games),
        len(won),
        sum(result.points for result in won),
        facts.rolls,
        facts.doubles,
        facts.pips_rolled,
        facts.passes,
        facts.condoned,
        facts.taken_back,
        sum(count for _, count in facts.bad_throws),
        facts.thinking_ms,
    )


def total_players(counted: Iterable[PlayerCounts]) -> tuple[PlayerTotals, ...]:
    """Who played most matches comes first. Names that differ in capitals only are one player."""
    totals: dict[str, PlayerTotals] = {}
    for counts in counted:
        totals.setdefault(player_key(counts.name), PlayerTotals(counts.name)).add(counts)
    return tuple(sorted(totals.values(), key=lambda one: (-one.matches, player_key(one.name))))


def player_key(name: str) -> str:
    """Equal for names of one player."""
    return name.casefold()


def total_lines(totals: tuple[PlayerTotals, ...], rates: Mapping[str, float] | None = None) -> Iterator[str]:
    """A table for people. `rates` are error rates by `player_key`; without any the table has no such column."""
    rates = rates or {}
    rows = [_HEAD, *(_cells(one) for one in totals)]
    if rates:
        shown = [rates.get(player_key(one.name)) for one in totals]
        column = ["errors", *("-" if rate is None else f"{rate:.1f}" for rate in shown)]
        rows = [(*row, cell) for row, cell in zip(rows, column, strict=True)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)]
        yield "  ".join((f"{row[0]:<{widths[0]}}", *cells[1:])).rstrip()
    yield ""
    yield (
        f"Fair dice give {100 * DOUBLES_EXPECTED:.1f} % doubles and {PIPS_EXPECTED:.2f} pips a throw. The range behind a value holds"
        " the true one with 95 %; * marks a range without what fair dice give, as one player in twenty has by chance."
    )
    if rates:
        yield "Errors are thousandths of a point that a decision loses, by GNU Backgammon (0 is perfect)."


_HEAD: tuple[str, ...] = (
    *("player", "matches", "won", "games", "won", "points", "throws", "doubles", "pips a throw"),
    *("passes", "illegal", "void throws", "s a turn"),
)


def _cells(one: PlayerTotals) -> tuple[str, ...]:
    seconds = one.median_s
    return (
        one.name,
        *map(str, (one.matches, one.matches_won, one.games, one.games_won, one.points_won, one.rolls)),
        _show(one.double_share, DOUBLES_EXPECTED, 100, 1, " %"),
        _show(one.pips_of_a_throw, PIPS_EXPECTED, 1, 2, ""),
        str(one.passes),
        str(one.condoned + one.taken_back),
        str(one.bad_throws),
        "-" if seconds is None else f"{seconds:.1f}",
    )


def _show(interval: Interval | None, expected: float, factor: float, digits: int, unit: str) -> str:
    if interval is None:
        return "-"
    value, low, high = (f"{factor * number:.{digits}f}" for number in (interval.value, interval.low, interval.high))
    mark = "" if interval.low <= expected <= interval.high else " *"
    return f"{value}{unit} ({low} to {high}){mark}"


def total_records(
    totals: tuple[PlayerTotals, ...], rates: Mapping[str, float] | None = None
) -> Iterator[dict[str, object]]:
    """One flat object a player, for JSON and CSV. `rates` are error rates by `player_key`."""
    rates = rates or {}
    for one in totals:
        doubles, pips = one.double_share, one.pips_of_a_throw
        yield {
            "player": one.name,
            "matches": one.matches,
            "matches_won": one.matches_won,
            "games": one.games,
            "games_won": one.games_won,
            "points_won": one.points_won,
            "throws": one.rolls,
            "doubles": one.doubles,
            "doubles_share_low": None if doubles is None else round(doubles.low, 4),
            "doubles_share_high": None if doubles is None else round(doubles.high, 4),
            "pips_rolled": one.pips_rolled,
            "pips_a_throw_low": None if pips is None else round(pips.low, 3),
            "pips_a_throw_high": None if pips is None else round(pips.high, 3),
            "passes": one.passes,
            "illegal_stood": one.condoned,
            "illegal_taken_back": one.taken_back,
            "void_throws": one.bad_throws,
            "median_turn_s": one.median_s,
            "error_rate": None if (rate := rates.get(player_key(one.name))) is None else round(rate, 2),
        }


def _wilson(count: int, n: int) -> Interval:
    share = count / n
    middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    return Interval(share, middle - half, middle + half)
