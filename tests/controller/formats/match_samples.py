"""The sample match files, and matches folded from a log."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from controller.formats.from_events import build_match
from controller.formats.match_model import GameAction, GameHistory, MatchHistory, PlayedTurn
from controller.match.events import RefereeEvent
from controller.match_log.chain import MatchFacts

SAMPLES = Path(__file__).parent / "samples"
GOLDEN = Path(__file__).parents[4] / "shared" / "golden"
_NOT_OURS = ("AP", "GS", "DA", "LU", "MR", "A")  # properties that only GNU Backgammon writes


def golden_files(*endings: str) -> list[Path]:
    """The samples, and further golden matches if they lie beside the project."""
    found = {file.name: file for folder in (SAMPLES, GOLDEN / "matches") for file in folder.glob("g*")}
    return [found[name] for name in sorted(found) if name.endswith(endings)]


def from_match_line(text: str) -> str:
    """Match text from its `N point match` line on."""
    return text[text.index(" point match") - 2 :]


def without_analysis(sgf: str) -> str:
    """An .sgf file without the properties that only GNU Backgammon writes."""
    for name in _NOT_OURS:
        sgf = re.sub(rf"(?<![A-Z]){name}(\[[^\]]*\])+", "", sgf)
    return sgf


def logged(events: Iterable[RefereeEvent], game: str = "backgammon") -> MatchHistory:
    """The match of a log with these events."""
    return build_match(MatchFacts("20261121-201500", game, "2026-11-21T20:15:00.000+00:00"), events)


def without_log_data(match: MatchHistory) -> MatchHistory:
    """The match without the values that only a log has: its id, and the numbers and times of events."""
    games = tuple(replace(game, turns=tuple(map(_strip_turn, game.turns)), openings=()) for game in match.games)
    return replace(match, match_id="", profile="", created_utc="", games=games)


def _strip_turn(turn: GameAction) -> GameAction:
    return replace(turn, event=0, rolled_ms=0, ruled_ms=0) if isinstance(turn, PlayedTurn) else turn


def every_play(games: Iterable[GameHistory]) -> list[tuple[str, tuple[int, ...], str, str | None]]:
    """Player, roll, and the boards before and after each turn."""
    return [(one.player.value, one.roll, one.before, one.after) for game in games for one in game.played_turns]
