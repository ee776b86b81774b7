"""From the events of a log to the match they tell of; what was taken back or thrown again does not appear in it.

The turns are those of `match_log/turns.py`, with the cube, resignations and boards that were put between them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.formats.game_builder import GameBuilder
from controller.formats.match_model import GameHistory, MatchHistory, PlayedTurn
from controller.match.events import GameStarted, GameWon, MatchStarted, MatchWon, Occasion, RefereeEvent, TimeRanOut
from controller.match_log.chain import MatchFacts
from controller.match_log.replay import MatchRecord
from controller.rules import GRASSHOPPER, Player, Ruleset, get_ruleset, parse_house_variant


def build_match_of_record(record: MatchRecord) -> MatchHistory:
    """The match of a log that was read."""
    return build_match(record.facts, record.events)


def build_match(facts: MatchFacts, events: Iterable[RefereeEvent]) -> MatchHistory:
    """Raises RulesError where the log names a game that this version does not know."""
    folded = _MatchBuilder()
    for number, event in enumerate(events, 1):
        folded.apply_event(event, number)
    games = _number_turns(folded.list_games())
    started = folded.started
    if started is None:
        return MatchHistory(facts.match_id, facts.game, _find_rules(facts.game, None), "White", "Black", None)
    return MatchHistory(
        facts.match_id,
        started.game,
        _find_rules(started.game, started.rules_toml),
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


def _find_rules(game: str, rules_toml: str | None) -> Ruleset | None:
    if game == GRASSHOPPER:
        return None
    return get_ruleset(game) if rules_toml is None else parse_house_variant(rules_toml)


@dataclass(slots=True)
class _MatchBuilder:
    """The games so far; the last one is still open."""

    started: MatchStarted | None = None
    games: tuple[GameHistory, ...] = ()
    game_builder: GameBuilder | None = None
    score: tuple[int, int] = (0, 0)
    winner: Player | None = None
    out_of_time: Player | None = None

    def apply_event(self, event: RefereeEvent, number: int) -> None:
        match event:
            case MatchStarted():
                self.started = event
                self.score = (event.white_score, event.black_score)
            case GameStarted():
                self.games = self.list_games()
                rules = _find_rules(self.started.game, self.started.rules_toml) if self.started else None
                self.game_builder = GameBuilder(event, self.score, rules)
            case MatchWon():
                self.winner = event.player
            case TimeRanOut():
                self.out_of_time = event.player
            case _:
                if self.game_builder is not None:
                    self.game_builder.apply_event(event, number)
                if isinstance(event, GameWon):
                    self.score = (event.white_score, event.black_score)

    def list_games(self) -> tuple[GameHistory, ...]:
        return self.games if self.game_builder is None else (*self.games, self.game_builder.game)


def _number_turns(games: tuple[GameHistory, ...]) -> tuple[GameHistory, ...]:
    """With the turns counted through the match."""
    number, counted = 0, []
    for game in games:
        turns = []
        for turn in game.turns:
            if isinstance(turn, PlayedTurn):
                number += 1
                turn = replace(turn, number=number)
            turns.append(turn)
        counted.append(replace(game, turns=tuple(turns)))
    return tuple(counted)
