"""Folds the events of a log into a match; plays that were taken back and rolls that were withdrawn disappear.

The turns are those of `match_log/turns.py`. Cube actions, resignations and boards that a person entered stand between
them. A throw stays open until its play is settled.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from controller.formats.match_model import (
    Attempt,
    BoardPut,
    CubeAction,
    GameAction,
    GameEnding,
    GameHistory,
    GameResult,
    MatchHistory,
    PendingRoll,
    PlacedRemark,
    PlayedTurn,
    Resignation,
)
from controller.match import CubeAct, Evidence, Occasion, RefereeEvent, Remark, events
from controller.match_log.chain import MatchFacts
from controller.match_log.replay import MatchRecord
from controller.match_log.turns import TurnDraft, TurnFold, TurnRuling, list_standing_events, revise
from controller.rules import (
    GRASSHOPPER,
    OFF,
    Player,
    RaiseBy,
    ResultKind,
    Ruleset,
    get_ruleset,
    parse_house_variant,
)


def build_match_of_record(record: MatchRecord) -> MatchHistory:
    return build_match(record.facts, record.events)


def build_match(facts: MatchFacts, logged: Iterable[RefereeEvent]) -> MatchHistory:
    """Raises RulesError if this version does not know the game of the log."""
    builder = _MatchBuilder()
    for number, event in list_standing_events(enumerate(revise(logged), 1)):
        builder.apply_event(event, number)
    games = _number_turns(builder.list_games())
    started = builder.started
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
        builder.winner,
        builder.out_of_time,
        started.rules_toml,
        started.profile,
        started.occasion or Occasion(crawford=started.crawford),
        facts.created_utc if started.occasion is None else "",
        builder.remarks,
        builder.confirmed_by,
        builder.set_up,
    )


def _find_rules(game: str, rules_toml: str | None) -> Ruleset | None:
    if game == GRASSHOPPER:
        return None
    return get_ruleset(game) if rules_toml is None else parse_house_variant(rules_toml)


@dataclass(slots=True)
class _MatchBuilder:
    """The games so far; the last one is still open."""

    started: events.MatchStarted | None = None
    games: tuple[GameHistory, ...] = ()
    game_builder: "_GameBuilder | None" = None
    score: tuple[int, int] = (0, 0)
    winner: Player | None = None
    out_of_time: Player | None = None
    remarks: tuple[Remark, ...] = ()
    confirmed_by: frozenset[Player] = frozenset()
    set_up: events.SetUpCertified | None = None

    def apply_event(self, event: RefereeEvent, number: int) -> None:
        match event:
            case events.ResultConfirmed():
                self.confirmed_by |= {event.player}
            case events.DisputeOpened():
                self.confirmed_by = frozenset()
            case events.SetUpCertified():
                self.set_up = event
            case events.MatchStarted():
                self.started = event
                self.score = (event.white_score, event.black_score)
            case events.GameStarted():
                self.games, self.confirmed_by = self.list_games(), frozenset()
                rules = _find_rules(self.started.game, self.started.rules_toml) if self.started else None
                self.game_builder = _GameBuilder(event, self.score, rules)
            case events.MatchWon():
                self.winner = event.player
            case events.TimeRanOut():
                self.out_of_time = event.player
            case events.RemarkMade() if self.game_builder is None:
                self.remarks += (event.remark,)
            case _:
                if self.game_builder is not None:
                    self.game_builder.apply_event(event, number)
                if isinstance(event, events.GameWon):
                    self.score = (event.white_score, event.black_score)

    def list_games(self) -> tuple[GameHistory, ...]:
        return self.games if self.game_builder is None else (*self.games, self.game_builder.game)


def _number_turns(games: tuple[GameHistory, ...]) -> tuple[GameHistory, ...]:
    """Numbers the turns through the whole match."""
    numbers = count(1)

    def with_number(turn: GameAction) -> GameAction:
        return replace(turn, number=next(numbers)) if isinstance(turn, PlayedTurn) else turn

    return tuple(replace(game, turns=tuple(map(with_number, game.turns))) for game in games)


@dataclass(frozen=True, slots=True)
class _Between:
    """An action between the turns, and the number of its event."""

    action: CubeAction | Resignation | BoardPut
    began: int


class _GameBuilder(TurnFold[_Between]):
    """Folds the events of one game in their order."""

    def __init__(self, started: events.GameStarted, score: tuple[int, int], rules: Ruleset | None) -> None:
        super().__init__(started.position)
        self._game = GameHistory(started.number, started.position, score, started.is_crawford, started.player)
        self._raise_by = RaiseBy(rules.raise_by) if rules is not None else RaiseBy.DOUBLE
        self._cube = 1
        self._won: int | None = None  # the number of the event

    @property
    def game(self) -> GameHistory:
        """The game so far. A throw without a ruling is no turn; the last one becomes `thrown`."""
        made = [(action, _number_of(entry)) for entry in self.entries if (action := _make_action(entry)) is not None]
        turns = tuple(action for action, _ in made)
        last = next((one for one in reversed(self.entries) if not _is_resignation(one)), None)
        thrown = None
        if isinstance(last, TurnDraft) and last.ruling is None and not last.is_handed_over and len(last.roll) == 2:
            thrown = PendingRoll(last.player, (last.roll[0], last.roll[1]))
        remarks = tuple(
            PlacedRemark(sum(number < at for _, number in made) + (self._won is not None and self._won < at), remark)
            for at, remark in self._remarks
        )
        return replace(self._game, turns=turns, thrown=thrown, remarks=remarks)

    def apply_event(self, event: RefereeEvent, number: int) -> None:
        super().apply_event(event, number)
        match event:
            case events.OpeningThrown():
                openings = (*self._game.openings, (event.white, event.black))
                self._game = replace(self._game, openings=openings, starter=event.player)
            case events.StarterKnown():
                self._game = replace(self._game, starter=event.player)
            case events.BoardCorrected():
                self.entries.append(
                    _Between(BoardPut(event.position, is_seen=event.evidence is not Evidence.ENTERED), number)
                )
            case events.CubeTurned():
                self._apply_cube_turn(event, number)
            case events.ResignationOffered():
                self.entries.append(_Between(Resignation(event.player, event.kind), number))
            case events.ResignationAnswered():
                self._apply_resignation_answer(event)
            case events.GameWon():
                self._apply_win(event)
                self._won = number
            case _:
                pass

    def withdraw(self, at: int, turn: TurnDraft) -> None:
        del self.entries[at]

    def reopen(self, at: int, turn: TurnDraft) -> None:
        """Drops everything that began after the play."""
        after = (one for one in self.entries[at + 1 :] if one.began < turn.ended)
        self.entries = [*self.entries[:at], turn.without_ruling(), *after]

    def _apply_cube_turn(self, event: events.CubeTurned, number: int) -> None:
        value = event.value
        if event.act is CubeAct.OFFERED:
            value = self._raise_by.raise_value(self._cube)
        elif event.act is CubeAct.BEAVERED:
            value = self._raise_by.raise_value(self._raise_by.raise_value(self._cube))
        elif event.act is not CubeAct.DROPPED:
            self._cube = value
        self.entries.append(_Between(CubeAction(event.player, event.act, value), number))

    def _apply_resignation_answer(self, event: events.ResignationAnswered) -> None:
        for at, entry in reversed(list(enumerate(self.entries))):
            offered = entry.action if isinstance(entry, _Between) else None
            if isinstance(offered, Resignation) and offered.is_accepted is None:
                answered = replace(offered, is_accepted=event.is_accepted)
                self.entries[at] = _Between(answered, entry.began)
                return

    def _apply_win(self, event: events.GameWon) -> None:
        score = (event.white_score, event.black_score)
        ending = _classify_ending(event, self.entries, self.position)
        self._game = replace(self._game, result=GameResult(event.player, event.kind, event.points, ending, score))


def _number_of(entry: TurnDraft | _Between) -> int:
    """The event with which an entry became what it is."""
    return entry.ended if isinstance(entry, TurnDraft) else entry.began


def _is_resignation(entry: TurnDraft | _Between) -> bool:
    return isinstance(entry, _Between) and isinstance(entry.action, Resignation)


def _make_action(entry: TurnDraft | _Between) -> GameAction | None:
    """The action of the model; None for a throw without a ruling."""
    if isinstance(entry, _Between):
        return entry.action
    if entry.ruling is None:
        return None
    is_illegal = entry.ruling is TurnRuling.ILLEGAL
    return PlayedTurn(
        0,
        entry.player,
        entry.roll,
        entry.before,
        entry.after or None if is_illegal else entry.after,
        entry.play,
        entry.ruling,
        entry.rules,
        entry.clause,
        tuple(Attempt(one.after, one.rules) for one in entry.taken_back),
        tuple(one.reasons for one in entry.bad_throws),
        entry.is_handed_over,
        entry.rolled_ms,
        entry.seen_ms,
        entry.ended,
    )


def _classify_ending(event: events.GameWon, entries: list[TurnDraft | _Between], position: str) -> GameEnding:
    match entries[-1] if entries else None:
        case _Between(CubeAction(act=CubeAct.DROPPED)):
            return GameEnding.DROPPED
        case _Between(Resignation(is_accepted=True)):
            return GameEnding.RESIGNED
        case TurnDraft(ruling=TurnRuling.LEGAL | TurnRuling.ILLEGAL | TurnRuling.NOT_SEEN):
            return GameEnding.PLAYED_OUT if _is_played_out(event, position) else GameEnding.REPORTED
        case _:
            return GameEnding.REPORTED


def _is_played_out(event: events.GameWon, position: str) -> bool:
    """Whether a side is borne off. Games with another end (pinned mother, draw) count as played out."""
    sides = position.split("/")
    if len(sides) < 2 or event.kind in (ResultKind.MOTHER, ResultKind.DRAW):
        return True
    off = [int(side[OFF], 16) for side in sides[:2]]
    return any(
        count and count == sum(int(digit, 16) for digit in side) for count, side in zip(off, sides, strict=False)
    )
