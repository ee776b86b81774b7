"""Folds the events of a log into a match; plays that were taken back and rolls that were withdrawn disappear.

The turns are those of `match_log/turns.py`. Cube actions, resignations and boards that a person entered stand between
them. A throw stays open until its play is settled.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

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
    PlayedTurn,
    Resignation,
)
from controller.match import CubeAct, Occasion, RefereeEvent, events
from controller.match_log.chain import MatchFacts
from controller.match_log.replay import MatchRecord
from controller.match_log.turns import TurnRuling
from controller.rules import (
    GRASSHOPPER,
    OFF,
    FollowKind,
    Player,
    RaiseBy,
    ResultKind,
    Ruleset,
    get_ruleset,
    parse_house_variant,
)

_TRANSFER = f"{FollowKind.TRANSFER.value}:"
_PlayRuling = events.PlayMade | events.PlayRefused | events.PlayCondoned | events.PlayUnclear


def build_match_of_record(record: MatchRecord) -> MatchHistory:
    return build_match(record.facts, record.events)


def build_match(facts: MatchFacts, logged: Iterable[RefereeEvent]) -> MatchHistory:
    """Raises RulesError if this version does not know the game of the log."""
    builder = _MatchBuilder()
    for number, event in enumerate(logged, 1):
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

    def apply_event(self, event: RefereeEvent, number: int) -> None:
        match event:
            case events.MatchStarted():
                self.started = event
                self.score = (event.white_score, event.black_score)
            case events.GameStarted():
                self.games = self.list_games()
                rules = _find_rules(self.started.game, self.started.rules_toml) if self.started else None
                self.game_builder = _GameBuilder(event, self.score, rules)
            case events.MatchWon():
                self.winner = event.player
            case events.TimeRanOut():
                self.out_of_time = event.player
            case _:
                if self.game_builder is not None:
                    self.game_builder.apply_event(event, number)
                if isinstance(event, events.GameWon):
                    self.score = (event.white_score, event.black_score)

    def list_games(self) -> tuple[GameHistory, ...]:
        return self.games if self.game_builder is None else (*self.games, self.game_builder.game)


def _number_turns(games: tuple[GameHistory, ...]) -> tuple[GameHistory, ...]:
    """Numbers the turns through the whole match."""
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


@dataclass(frozen=True, slots=True)
class _TurnEntry:
    """A turn, or a throw that may still become one. `began` and `ended` are numbers of events.

    `is_ruled`: `turn` holds a ruling, which may still change until `is_settled`.
    """

    turn: GameAction
    began: int
    ended: int = 0
    is_ruled: bool = False
    is_settled: bool = False
    refused: tuple[Attempt, ...] = ()  # illegal plays of this throw; the last one may be the play that stands

    @property
    def played_turn(self) -> PlayedTurn | None:
        return self.turn if isinstance(self.turn, PlayedTurn) else None


class _GameBuilder:
    """Folds the events of one game in their order."""

    def __init__(self, started: events.GameStarted, score: tuple[int, int], rules: Ruleset | None) -> None:
        self._game = GameHistory(started.number, started.position, score, started.is_crawford, started.player)
        self._raise_by = RaiseBy(rules.raise_by) if rules is not None else RaiseBy.DOUBLE
        self._entries: list[_TurnEntry] = []
        self._position = started.position
        self._cube = 1
        self._bad_throws: tuple[events.ThrowRefused, ...] = ()

    @property
    def game(self) -> GameHistory:
        """The game so far. A throw without a ruling is no turn; the last one becomes `thrown`."""
        turns = tuple(entry.turn for entry in self._entries if entry.played_turn is None or entry.is_ruled)
        before = [entry for entry in self._entries if not isinstance(entry.turn, Resignation)]
        last = before[-1].played_turn if before and not before[-1].is_ruled else None
        thrown = None
        if last is not None and not last.is_handed_over and len(last.roll) == 2:
            thrown = PendingRoll(last.player, (last.roll[0], last.roll[1]))
        return replace(self._game, turns=turns, thrown=thrown)

    def apply_event(self, event: RefereeEvent, number: int) -> None:
        match event:
            case events.OpeningThrown() | events.StarterKnown():
                self._apply_opening(event)
            case events.ThrowRefused():
                self._bad_throws += (event,)
            case events.DiceRolled():
                self._apply_roll(event, number)
            case events.RollWithdrawn():
                at = self._find_open_roll(event.player)
                if at is not None:
                    del self._entries[at]
            case events.NumbersHandedOver():
                self._apply_handover(event.player, event.numbers, number)
            case events.PlayMade() | events.PlayRefused() | events.PlayCondoned() | events.PlayUnclear():
                self._apply_ruling(event, number)
            case events.PlayCorrected() | events.TurnGoesOn():
                at = self._find_open_throw(event.player)
                if at is not None:
                    self._entries[at] = replace(self._entries[at], is_ruled=False)
            case events.PlayTakenBack():
                self._apply_take_back(event)
            case events.BoardCorrected():
                if event.on_turn is not None:
                    self._entries = [kept for entry in self._entries for kept in _settle_entry(entry)]
                self._position = event.position
                self._append_entry(BoardPut(event.position), number)
            case events.CubeTurned():
                self._apply_cube_turn(event, number)
            case events.ResignationOffered():
                self._append_entry(Resignation(event.player, event.kind), number)
            case events.ResignationAnswered():
                self._apply_resignation_answer(event)
            case events.GameWon():
                self._apply_win(event)
            case _:
                pass

    def _append_entry(self, turn: GameAction, number: int) -> None:
        self._entries.append(_TurnEntry(turn, number, number, is_ruled=True, is_settled=True))

    def _apply_opening(self, event: events.OpeningThrown | events.StarterKnown) -> None:
        if isinstance(event, events.OpeningThrown):
            self._game = replace(self._game, openings=(*self._game.openings, (event.white, event.black)))
        self._game = replace(self._game, starter=event.player)

    def _find_open_throw(self, player: Player) -> int | None:
        """Index of the player's first throw that is not settled."""
        at = (at for at, one in enumerate(self._entries) if _belongs_to(one, player) and not one.is_settled)
        return next(at, None)

    def _find_open_roll(self, player: Player) -> int | None:
        """Index of the player's last own roll that is not settled; a settled turn after it closes it."""
        for at in reversed(range(len(self._entries))):
            entry = self._entries[at]
            turn = entry.played_turn
            if turn is None:
                continue
            if entry.is_settled:
                return None
            if turn.player is player and not turn.is_handed_over:
                return at
        return None

    def _apply_roll(self, event: events.DiceRolled, number: int) -> None:
        """A new throw, or a correction of the open one."""
        at = self._find_open_roll(event.player)
        if at is not None:
            entry = self._entries[at]
            if entry.played_turn is not None:
                turn = replace(entry.played_turn, roll=event.values)
                self._entries[at] = replace(entry, turn=turn, is_ruled=False)
            return
        self._entries = [kept for entry in self._entries for kept in _settle_before_throw(entry, event.player)]
        theirs = tuple(one for one in self._bad_throws if one.player in (None, event.player))
        self._bad_throws = tuple(one for one in self._bad_throws if one not in theirs)
        thrown = PlayedTurn(
            0,
            event.player,
            event.values,
            self._position,
            None,
            None,
            TurnRuling.UNSURE,
            bad_throws=tuple(one.reasons for one in theirs),
            rolled_ms=event.at_ms,
        )
        self._entries.append(_TurnEntry(thrown, number))

    def _apply_handover(self, player: Player, numbers: tuple[int, ...], number: int) -> None:
        """Numbers handed over are played before an own roll that was already thrown."""
        at = self._find_open_throw(player)
        played = None if at is None else self._entries[at].played_turn
        if played is not None and played.is_handed_over:
            return
        handed = PlayedTurn(0, player, numbers, self._position, None, None, TurnRuling.UNSURE, is_handed_over=True)
        self._entries.insert(len(self._entries) if at is None else at, _TurnEntry(handed, number))

    def _apply_ruling(self, event: _PlayRuling, number: int) -> None:
        at = self._find_open_throw(event.player)
        if at is None:  # a game without dice
            numbers = () if isinstance(event, events.PlayUnclear) else event.numbers
            bare = PlayedTurn(
                0, event.player, numbers, self._position, None, None, TurnRuling.UNSURE, rolled_ms=event.at_ms
            )
            self._entries.append(_TurnEntry(bare, number))
            at = len(self._entries) - 1
        self._entries[at] = _merge_ruling(self._entries[at], event, self._position, number)
        if isinstance(event, events.PlayMade | events.PlayCondoned):
            self._position = event.after
        if isinstance(event, events.PlayMade) and event.follow.startswith(_TRANSFER):
            numbers = tuple(map(int, event.follow.removeprefix(_TRANSFER).split(",")))
            self._apply_handover(event.player.opponent, numbers, number)

    def _apply_take_back(self, event: events.PlayTakenBack) -> None:
        """Reopens the play and drops everything that began after it."""
        own = (at for at, one in enumerate(self._entries) if _belongs_to(one, event.player) and one.is_settled)
        at = max(own, default=None)
        self._position = event.position
        if at is None:
            return
        ended = self._entries[at].ended
        before, undone = self._entries[:at], replace(self._entries[at], is_ruled=False, is_settled=False)
        self._entries = [*before, undone, *(one for one in self._entries[at + 1 :] if one.began < ended)]

    def _apply_cube_turn(self, event: events.CubeTurned, number: int) -> None:
        value = event.value
        if event.act is CubeAct.OFFERED:
            value = self._raise_by.raise_value(self._cube)
        elif event.act is CubeAct.BEAVERED:
            value = self._raise_by.raise_value(self._raise_by.raise_value(self._cube))
        elif event.act is not CubeAct.DROPPED:
            self._cube = value
        self._append_entry(CubeAction(event.player, event.act, value), number)

    def _apply_resignation_answer(self, event: events.ResignationAnswered) -> None:
        for at in reversed(range(len(self._entries))):
            entry = self._entries[at]
            if isinstance(entry.turn, Resignation) and entry.turn.is_accepted is None:
                self._entries[at] = replace(entry, turn=replace(entry.turn, is_accepted=event.is_accepted))
                return

    def _apply_win(self, event: events.GameWon) -> None:
        score = (event.white_score, event.black_score)
        ending = _classify_ending(event, self._entries, self._position)
        self._game = replace(self._game, result=GameResult(event.player, event.kind, event.points, ending, score))


def _belongs_to(entry: _TurnEntry, player: Player) -> bool:
    return entry.played_turn is not None and entry.played_turn.player is player


def _settle_before_throw(entry: _TurnEntry, player: Player) -> tuple[_TurnEntry, ...]:
    """Settles an earlier turn of the player when he throws again."""
    if not _belongs_to(entry, player) or (entry.played_turn is not None and entry.played_turn.is_handed_over):
        return (entry,)
    return _settle_entry(entry)


def _settle_entry(entry: _TurnEntry) -> tuple[_TurnEntry, ...]:
    """An open entry becomes final; a throw without a ruling is dropped."""
    return (replace(entry, is_settled=True),) if entry.is_ruled else ()


def _merge_ruling(entry: _TurnEntry, event: _PlayRuling, before: str, number: int) -> _TurnEntry:
    played = entry.played_turn
    if played is None:  # pragma: no cover - only throws are ruled on
        return entry
    settled = isinstance(event, events.PlayMade | events.PlayCondoned)
    refused = entry.refused
    changes = replace(played, before=before, ruled_ms=event.at_ms, event=number)
    match event:
        case events.PlayMade():
            turn = replace(changes, before=event.before, after=event.after, play=event.play, ruling=TurnRuling.LEGAL)
            turn = replace(turn, rules=(), clause="", taken_back=refused)
        case events.PlayUnclear():
            turn = replace(changes, after=None, play=None, ruling=TurnRuling.UNSURE, rules=(), clause="")
        case events.PlayRefused() | events.PlayCondoned():
            attempt = Attempt(event.after, event.rules)
            refused = (*(one for one in refused if one.after != event.after), attempt)
            turn = replace(
                changes, before=event.before, after=event.after or None, play=None, ruling=TurnRuling.ILLEGAL
            )
            turn = replace(turn, rules=event.rules, taken_back=refused[:-1])
    if isinstance(event, events.PlayCondoned):
        turn = replace(turn, clause=event.clause)
        if entry.is_ruled and played.ruling is TurnRuling.ILLEGAL:  # condoned later: the first ruling counts
            turn = replace(turn, ruled_ms=played.ruled_ms)
    return replace(entry, turn=turn, ended=number, is_ruled=True, is_settled=settled, refused=refused)


def _classify_ending(event: events.GameWon, entries: list[_TurnEntry], position: str) -> GameEnding:
    last = entries[-1].turn if entries else None
    match last:
        case CubeAction(act=CubeAct.DROPPED):
            return GameEnding.DROPPED
        case Resignation(is_accepted=True):
            return GameEnding.RESIGNED
        case PlayedTurn(ruling=TurnRuling.LEGAL | TurnRuling.ILLEGAL):
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
