"""The facts of a match as lines, and as values for programs."""

import statistics
from collections.abc import Iterator

from controller.formats.match_model import MatchHistory
from controller.formats.reports.match_statistics import MatchStatistics, PlayerStatistics
from controller.formats.safe_text import one_line
from controller.rules import Player

_LABEL, _COLUMN, _MOST_NAME = 24, 18, 16


def statistics_lines(match: MatchHistory, facts: MatchStatistics) -> Iterator[str]:
    names = [one_line(match.player_name(player), _MOST_NAME) or player.name.capitalize() for player in Player]
    unfinished = f", {facts.unfinished} of them not finished" if facts.unfinished else ""
    white, black = match.final_score
    yield f"{match.game}, {facts.games} game{'' if facts.games == 1 else 's'}{unfinished}, {facts.turns} turn{'' if facts.turns == 1 else 's'}, {white}-{black}"
    yield ""
    yield _row("", *names)
    for label, cells in zip(
        _LABELS, zip(*(_format_cells(facts.for_player(player)) for player in Player), strict=True), strict=True
    ):
        yield _row(label, *cells)
    for player, name in zip(Player, names, strict=True):
        for reason, count in facts.for_player(player).bad_throws:
            yield f"{name}: {count} throw{'' if count == 1 else 's'} did not count ({reason.replace('_', ' ')})"


def statistics_record(match: MatchHistory, facts: MatchStatistics) -> dict[str, object]:
    """One JSON object."""
    return {
        "match": match.match_id,
        "game": match.game,
        "games": facts.games,
        "unfinished": facts.unfinished,
        "turns": facts.turns,
        "score": list(match.final_score),
        "white": {"name": match.white, **_record(facts.white)},
        "black": {"name": match.black, **_record(facts.black)},
    }


_LABELS = (
    "rolls",
    "doubles",
    "ones to sixes",
    "pips thrown",
    "pips played",
    "passes",
    "illegal, stood",
    "illegal, taken back",
    "throws without count",
    "seconds a turn (median)",
    "longest turn, seconds",
)


def _format_cells(facts: PlayerStatistics) -> tuple[str, ...]:
    seconds = [ms / 1000 for ms in facts.thinking_ms]
    return (
        str(facts.rolls),
        str(facts.doubles),
        " ".join(map(str, facts.dice)),
        str(facts.pips_rolled),
        "-" if facts.pips_played is None else str(facts.pips_played),
        str(facts.passes),
        str(facts.condoned),
        str(facts.taken_back),
        str(sum(count for _, count in facts.bad_throws)),
        f"{statistics.median(seconds):.1f}" if seconds else "-",
        f"{max(seconds):.1f}" if seconds else "-",
    )


def _record(facts: PlayerStatistics) -> dict[str, object]:
    return {
        "rolls": facts.rolls,
        "doubles": facts.doubles,
        "dice": list(facts.dice),
        "pips_rolled": facts.pips_rolled,
        "pips_played": facts.pips_played,
        "passes": facts.passes,
        "condoned": facts.condoned,
        "taken_back": facts.taken_back,
        "bad_throws": dict(facts.bad_throws),
        "median_ms": statistics.median(facts.thinking_ms) if facts.thinking_ms else None,
    }


def _row(label: str, first: str, second: str) -> str:
    return f"{label:<{_LABEL}}{first:>{_COLUMN}}{second:>{_COLUMN}}".rstrip()
