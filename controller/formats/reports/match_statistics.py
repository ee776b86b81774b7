"""Statistics of a match: rolls, doubles, pips, passes, illegal plays, bad throws and time, but not luck or skill."""

import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from controller.formats.match_model import MatchHistory, PlayedTurn
from controller.formats.safe_text import display_name
from controller.match_log.turns import TurnRuling
from controller.rules import Player, Side, parse_setup

_BAR_PIPS = 25
_LABEL, _COLUMN, _MOST_NAME = 24, 18, 16  # widths in characters


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player through the match. `dice` counts each number from 1 to 6, without numbers handed over by the opponent.

    `pips_played` is None in games without pips. `thinking_ms` is the time from throw to ruling of each turn with known
    times.
    """

    rolls: int
    doubles: int
    dice: tuple[int, ...]
    pips_rolled: int
    pips_played: int | None
    passes: int
    condoned: int
    taken_back: int
    bad_throws: tuple[tuple[str, int], ...]
    thinking_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PipLead:
    """White's lead in pips after a turn; negative if Black leads."""

    turn: int
    pips: int


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """`leads` has one entry for each game; empty in games without pips."""

    white: PlayerStatistics
    black: PlayerStatistics
    turns: int
    games: int
    unfinished: int
    leads: tuple[tuple[PipLead, ...], ...]

    def for_player(self, player: Player) -> PlayerStatistics:
        return self.white if player is Player.WHITE else self.black


def compute_statistics(match: MatchHistory) -> MatchStatistics:
    played = [turn for game in match.games for turn in game.played_turns]
    counts_pips = match.rules is not None
    leads: tuple[tuple[PipLead, ...], ...] = ()
    if counts_pips:
        leads = tuple(tuple(_compute_leads(game.played_turns)) for game in match.games)
    return MatchStatistics(
        _compute_player_statistics(played, Player.WHITE, counts_pips=counts_pips),
        _compute_player_statistics(played, Player.BLACK, counts_pips=counts_pips),
        len(played),
        len(match.games),
        sum(game.result is None for game in match.games),
        leads,
    )


def _compute_player_statistics(played: list[PlayedTurn], player: Player, *, counts_pips: bool) -> PlayerStatistics:
    own = [turn for turn in played if turn.player is player]
    rolled = [turn for turn in own if len(turn.roll) == 2 and not turn.is_handed_over]
    dice = Counter(number for turn in rolled for number in turn.roll)
    bad = Counter(reason.value for turn in own for reasons in turn.bad_throws for reason in reasons)
    is_double = [turn.roll[0] == turn.roll[1] for turn in rolled]
    return PlayerStatistics(
        len(rolled),
        sum(is_double),
        tuple(dice[number] for number in range(1, 7)),
        sum(sum(turn.roll) * (2 if double else 1) for turn, double in zip(rolled, is_double, strict=True)),
        sum(map(_count_pips_played, own)) if counts_pips else None,
        sum(turn.is_pass for turn in own),
        sum(turn.ruling is TurnRuling.ILLEGAL and bool(turn.clause) for turn in own),
        sum(len(turn.taken_back) for turn in own),
        tuple(sorted(bad.items())),
        tuple(turn.ruled_ms - turn.rolled_ms for turn in own if turn.ruled_ms > turn.rolled_ms > 0),
    )


def _count_pips_played(turn: PlayedTurn) -> int:
    if turn.after is None:
        return 0
    before, after = parse_setup(turn.before).side(turn.player), parse_setup(turn.after).side(turn.player)
    return _count_pips(before) - _count_pips(after)


def _compute_leads(played: tuple[PlayedTurn, ...]) -> list[PipLead]:
    leads = []
    for turn in played:
        if turn.after is not None:
            setup = parse_setup(turn.after)
            leads.append(PipLead(turn.number, _count_pips(setup.black) - _count_pips(setup.white)))
    return leads


def _count_pips(side: Side) -> int:
    """A checker on the bar or in the reserve counts 25."""
    return sum(point * count for point, count in enumerate(side.points, 1)) + _BAR_PIPS * (side.bar + side.reserve)


def statistics_lines(match: MatchHistory, facts: MatchStatistics) -> Iterator[str]:
    """The statistics as lines for people."""
    names = [display_name(match, player, _MOST_NAME) for player in Player]
    unfinished = f", {facts.unfinished} of them not finished" if facts.unfinished else ""
    white, black = match.final_score
    yield f"{match.game}, {facts.games} game{'' if facts.games == 1 else 's'}{unfinished}, {facts.turns} turn{'' if facts.turns == 1 else 's'}, {white}-{black}"
    yield ""
    yield _row("", *names)
    white_cells, black_cells = (_format_cells(facts.for_player(player)) for player in Player)
    for label, cell in white_cells.items():
        yield _row(label, cell, black_cells[label])
    for player, name in zip(Player, names, strict=True):
        for reason, count in facts.for_player(player).bad_throws:
            yield f"{name}: {count} throw{'' if count == 1 else 's'} did not count ({reason.replace('_', ' ')})"


def statistics_record(match: MatchHistory, facts: MatchStatistics) -> dict[str, object]:
    """The statistics as one JSON object."""
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


def _format_cells(facts: PlayerStatistics) -> dict[str, str]:
    """Label and text of each row."""
    seconds = [ms / 1000 for ms in facts.thinking_ms]
    return {
        "rolls": str(facts.rolls),
        "doubles": str(facts.doubles),
        "ones to sixes": " ".join(map(str, facts.dice)),
        "pips thrown": str(facts.pips_rolled),
        "pips played": "-" if facts.pips_played is None else str(facts.pips_played),
        "passes": str(facts.passes),
        "illegal, stood": str(facts.condoned),
        "illegal, taken back": str(facts.taken_back),
        "throws without count": str(sum(count for _, count in facts.bad_throws)),
        "seconds a turn (median)": f"{statistics.median(seconds):.1f}" if seconds else "-",
        "longest turn, seconds": f"{max(seconds):.1f}" if seconds else "-",
    }


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
