"""The statistics as JSON for the page."""

from enum import Enum

from controller.formats import DOUBLES_EXPECTED, PIPS_EXPECTED, Interval, PlayerTotals, player_key
from controller.statistics.analysis import PlayerErrors
from controller.statistics.totals import ArchiveTotals

MOST_PLAYERS = 500
"""A bound on the size of the page; those with the most matches are shown."""


class Halt(Enum):
    """Why no further match is analysed."""

    DONE = "done"
    FAILED = "failed"  # of some matches GNU Backgammon made nothing
    MATCH = "match"  # one is being played
    NO_PROGRAM = "no-program"
    DISK = "disk"


def make_report(totals: ArchiveTotals) -> dict[str, object]:
    """Values that people read, without any path."""
    shown = totals.players[:MOST_PLAYERS]
    return {
        "matches": totals.n_matches,
        "left": totals.n_left,
        "unreadable": len(totals.problems),
        "for_gnubg": totals.n_for_gnubg,
        "analysed": totals.n_analysed,
        "more_players": len(totals.players) - len(shown),
        "fair": {"doubles": DOUBLES_EXPECTED, "pips": PIPS_EXPECTED},
        "players": [_make_player_record(one, totals.errors.get(player_key(one.name))) for one in shown],
    }


def _make_player_record(one: PlayerTotals, errors: PlayerErrors | None) -> dict[str, object]:
    return {
        "name": one.name,
        "matches": one.matches,
        "matches_won": one.matches_won,
        "games": one.games,
        "games_won": one.games_won,
        "points": one.points_won,
        "throws": one.rolls,
        "doubles": _make_interval_record(one.double_share),
        "pips": _make_interval_record(one.pips_of_a_throw),
        "passes": one.passes,
        "illegal": one.condoned + one.taken_back,
        "void": one.bad_throws,
        "turn_s": one.median_s,
        "error_rate": None if errors is None or errors.rate is None else round(errors.rate, 1),
        "decisions": 0 if errors is None else errors.decisions,
    }


def _make_interval_record(interval: Interval | None) -> list[float] | None:
    """The value, and the range around it."""
    return None if interval is None else [round(one, 5) for one in (interval.value, interval.low, interval.high)]
