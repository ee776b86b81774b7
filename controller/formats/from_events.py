"""From the events of a log to the match they tell of; what was taken back or thrown again does not appear in it.

The turns are those of `match_log/turns.py`, with the cube, resignations and boards that were put between them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.formats.game_sheet import GameSheet
from controller.formats.match_model import Game, Match, Played
from controller.match.events import GameStarted, GameWon, MatchStarted, MatchWon, Occasion, RefereeEvent, TimeRanOut
from controller.match_log.chain import MatchFacts
from controller.match_log.replay import MatchRecord
from controller.rules.house_rules import house_variant
from controller.rules.player import Player
from controller.rules.ruleset import Ruleset
from controller.rules.variants import GRASSHOPPER, ruleset_named


def match_of(record: MatchRecord) -> Match:
    """The match of a log that was read."""
    return match_from(record.facts, record.events)


def match_from(facts: MatchFacts, events: Iterable[RefereeEvent]) -> Match:
    """Raises RulesError where the log names a game that this version does not know."""
    folded = _Folded()
    for number, event in enumerate(events, 1):
        folded.take(event, number)
    games = _numbered(folded.finished())
    started = folded.started
    if started is None:
        return Match(facts.match_id, facts.game, _rules(facts.game, None), "White", "Black", None)
    return Match(
        facts.match_id,
        started.game,
        _rules(started.game, started.rules_toml),
        started.white,
        started.black,
        started.length,
        (started.white_score, started.black_score),
        games,
        folded.winner,
        folded.out_of_time,
        started.rules_toml,
        started.profile,
        started.occasion or Occasion(crawford=started.crawford),
        facts.created_utc if started.occasion is None else "",
    )


def _rules(game: str, rules_toml: str | None) -> Ruleset | None:
    if game == GRASSHOPPER:
        return None
    return ruleset_named(game) if rules_toml is None else house_variant(rules_toml)


@dataclass(slots=True)
class _Folded:
    """The games so far; the last one is still open."""

    started: MatchStarted | None = None
    games: tuple[Game, ...] = ()
    sheet: GameSheet | None = None
    score: tuple[int, int] = (0, 0)
    winner: Player | None = None
    out_of_time: Player | None = None

    def take(self, event: RefereeEvent, number: int) -> None:
        match event:
            case MatchStarted():
                self.started = event
                self.score = (event.white_score, event.black_score)
            case GameStarted():
                self.games = self.finished()
                rules = _rules(self.started.game, self.started.rules_toml) if self.started else None
                self.sheet = GameSheet(event, self.score, rules)
            case MatchWon():
                self.winner = event.player
            case TimeRanOut():
                self.out_of_time = event.player
            case _:
                if self.sheet is not None:
                    self.sheet.take(event, number)
                if isinstance(event, GameWon):
                    self.score = (event.white_score, event.black_score)

    def finished(self) -> tuple[Game, ...]:
        return self.games if self.sheet is None else (*self.games, self.sheet.game)


def _numbered(games: tuple[Game, ...]) -> tuple[Game, ...]:
    """With the turns counted through the match."""
    number, counted = 0, []
    for game in games:
        turns = []
        for turn in game.turns:
            if isinstance(turn, Played):
                number += 1
                turn = replace(turn, number=number)
            turns.append(turn)
        counted.append(replace(game, turns=tuple(turns)))
    return tuple(counted)
