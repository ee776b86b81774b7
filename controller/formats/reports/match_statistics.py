"""What happened in a match, counted: rolls, doubles, pips, passes, illegal plays, bad throws, time. Nothing about luck or skill."""

from collections import Counter
from dataclasses import dataclass

from controller.formats.match_model import MatchHistory, PlayedTurn
from controller.match_log.turns import TurnRuling
from controller.rules import Player, Side, parse_setup

_BAR_PIPS = 25


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """Of one player through the match. `dice` counts each number from 1 to 6; numbers that were handed over are none of his.

    `pips_played` are None in games that are not counted in pips. `thinking_ms` are from throw to ruling, without
    turns whose times are not known.
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
    """After a turn: by how many pips White is ahead (Black, where it is negative)."""

    turn: int
    pips: int


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """`leads` has one line for each game; empty in games that are not counted in pips."""

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
    """A checker on the bar or one that never entered needs 25."""
    return sum(point * count for point, count in enumerate(side.points, 1)) + _BAR_PIPS * (side.bar + side.reserve)
