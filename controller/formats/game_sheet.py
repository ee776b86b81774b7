"""One game as it grows, event by event: throws are open until their play is settled."""

from dataclasses import dataclass, replace

from controller.formats.match_model import (
    Attempt,
    BoardPut,
    CubeAction,
    Ending,
    Game,
    Played,
    Resignation,
    Result,
    Thrown,
    Turn,
)
from controller.match.events import (
    BoardCorrected,
    CubeAct,
    CubeTurned,
    DiceRolled,
    GameStarted,
    GameWon,
    NumbersHandedOver,
    OpeningThrown,
    PlayCondoned,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    PlayUnclear,
    RefereeEvent,
    ResignationAnswered,
    ResignationOffered,
    RollWithdrawn,
    StarterKnown,
    ThrowRefused,
    TurnGoesOn,
)
from controller.match_log.turns import Ruled
from controller.rules.player import OFF, Player
from controller.rules.ruleset import Ruleset
from controller.rules.scoring.cube import RaiseBy
from controller.rules.scoring.points import Kind
from controller.rules.stages import FollowKind

_TRANSFER = f"{FollowKind.TRANSFER.value}:"
Judged = PlayMade | PlayRefused | PlayCondoned | PlayUnclear


@dataclass(frozen=True, slots=True)
class _Entry:
    """A turn, or a throw that may still become one. `began` and `ended` are numbers of events.

    `is_ruled`: `turn` says what stands of the throw; it may still change until the entry `is_settled`.
    """

    turn: Turn
    began: int
    ended: int = 0
    is_ruled: bool = False
    is_settled: bool = False
    refused: tuple[Attempt, ...] = ()  # illegal plays of this throw so far, the last one may be the one that stands

    @property
    def played(self) -> Played | None:
        return self.turn if isinstance(self.turn, Played) else None


class GameSheet:
    """Takes the events of one game, in their order; see `game`."""

    def __init__(self, started: GameStarted, score: tuple[int, int], rules: Ruleset | None) -> None:
        self._game = Game(started.number, started.position, score, started.is_crawford, started.player)
        self._raise_by = RaiseBy(rules.raise_by) if rules is not None else RaiseBy.DOUBLE
        self._entries: list[_Entry] = []
        self._position = started.position
        self._cube = 1
        self._bad_throws: tuple[ThrowRefused, ...] = ()

    @property
    def game(self) -> Game:
        """What stands now; a throw that nobody ruled is no turn yet, nor where the game was given up after it."""
        turns = tuple(entry.turn for entry in self._entries if entry.played is None or entry.is_ruled)
        before = [entry for entry in self._entries if not isinstance(entry.turn, Resignation)]
        last = before[-1].played if before and not before[-1].is_ruled else None
        thrown = None
        if last is not None and not last.is_handed_over and len(last.roll) == 2:
            thrown = Thrown(last.player, (last.roll[0], last.roll[1]))
        return replace(self._game, turns=turns, thrown=thrown)

    def take(self, event: RefereeEvent, number: int) -> None:
        match event:
            case OpeningThrown() | StarterKnown():
                self._opened(event)
            case ThrowRefused():
                self._bad_throws += (event,)
            case DiceRolled():
                self._rolled(event, number)
            case RollWithdrawn():
                at = self._open_roll(event.player)
                if at is not None:
                    del self._entries[at]
            case NumbersHandedOver():
                self._handed_over(event.player, event.numbers, number)
            case PlayMade() | PlayRefused() | PlayCondoned() | PlayUnclear():
                self._judged(event, number)
            case PlayCorrected() | TurnGoesOn():
                at = self._open(event.player)
                if at is not None:
                    self._entries[at] = replace(self._entries[at], is_ruled=False)
            case PlayTakenBack():
                self._taken_back(event)
            case BoardCorrected():
                if event.on_turn is not None:
                    self._entries = [kept for entry in self._entries for kept in _kept(entry)]
                self._position = event.position
                self._add(BoardPut(event.position), number)
            case CubeTurned():
                self._cube_turned(event, number)
            case ResignationOffered():
                self._add(Resignation(event.player, event.kind), number)
            case ResignationAnswered():
                self._answered(event)
            case GameWon():
                self._won(event)
            case _:
                pass

    def _add(self, turn: Turn, number: int) -> None:
        self._entries.append(_Entry(turn, number, number, is_ruled=True, is_settled=True))

    def _opened(self, event: OpeningThrown | StarterKnown) -> None:
        if isinstance(event, OpeningThrown):
            self._game = replace(self._game, openings=(*self._game.openings, (event.white, event.black)))
        self._game = replace(self._game, starter=event.player)

    def _open(self, player: Player) -> int | None:
        """Where the first throw of the player stands that is not settled."""
        return next((at for at, one in enumerate(self._entries) if _is_of(one, player) and not one.is_settled), None)

    def _open_roll(self, player: Player) -> int | None:
        """The same for his own roll."""
        for at in reversed(range(len(self._entries))):
            entry = self._entries[at]
            if entry.is_settled and entry.played is not None:
                return None
            if _is_of(entry, player) and not entry.is_settled and entry.played and not entry.played.is_handed_over:
                return at
        return None

    def _rolled(self, event: DiceRolled, number: int) -> None:
        """A new throw, or another word about the one that is being played."""
        at = self._open_roll(event.player)
        if at is not None:
            entry = self._entries[at]
            if entry.played is not None:
                turn = replace(entry.played, roll=event.values)
                self._entries[at] = replace(entry, turn=turn, is_ruled=False)
            return
        self._entries = [kept for entry in self._entries for kept in _kept_at_a_throw(entry, event.player)]
        theirs = tuple(one for one in self._bad_throws if one.player in (None, event.player))
        self._bad_throws = tuple(one for one in self._bad_throws if one not in theirs)
        thrown = Played(
            0,
            event.player,
            event.values,
            self._position,
            None,
            None,
            Ruled.UNSURE,
            bad_throws=tuple(one.reasons for one in theirs),
            rolled_ms=event.at_ms,
        )
        self._entries.append(_Entry(thrown, number))

    def _handed_over(self, player: Player, numbers: tuple[int, ...], number: int) -> None:
        """They are played before an own roll that lies there already."""
        at = self._open(player)
        played = None if at is None else self._entries[at].played
        if played is not None and played.is_handed_over:
            return
        handed = Played(0, player, numbers, self._position, None, None, Ruled.UNSURE, is_handed_over=True)
        self._entries.insert(len(self._entries) if at is None else at, _Entry(handed, number))

    def _judged(self, event: Judged, number: int) -> None:
        at = self._open(event.player)
        if at is None:  # a game without dice
            numbers = () if isinstance(event, PlayUnclear) else event.numbers
            bare = Played(0, event.player, numbers, self._position, None, None, Ruled.UNSURE, rolled_ms=event.at_ms)
            self._entries.append(_Entry(bare, number))
            at = len(self._entries) - 1
        self._entries[at] = _ruled(self._entries[at], event, self._position, number)
        if isinstance(event, PlayMade | PlayCondoned):
            self._position = event.after
        if isinstance(event, PlayMade) and event.follow.startswith(_TRANSFER):
            numbers = tuple(map(int, event.follow.removeprefix(_TRANSFER).split(",")))
            self._handed_over(event.player.opponent, numbers, number)

    def _taken_back(self, event: PlayTakenBack) -> None:
        """What came after the play is forgotten with it."""
        own = (at for at, one in enumerate(self._entries) if _is_of(one, event.player) and one.is_settled)
        at = max(own, default=None)
        self._position = event.position
        if at is None:
            return
        ended = self._entries[at].ended
        before, undone = self._entries[:at], replace(self._entries[at], is_ruled=False, is_settled=False)
        self._entries = [*before, undone, *(one for one in self._entries[at + 1 :] if one.began < ended)]

    def _cube_turned(self, event: CubeTurned, number: int) -> None:
        value = event.value
        if event.act is CubeAct.OFFERED:
            value = self._raise_by.raised(self._cube)
        elif event.act is CubeAct.BEAVERED:
            value = self._raise_by.raised(self._raise_by.raised(self._cube))
        elif event.act is not CubeAct.DROPPED:
            self._cube = value
        self._add(CubeAction(event.player, event.act, value), number)

    def _answered(self, event: ResignationAnswered) -> None:
        for at in reversed(range(len(self._entries))):
            entry = self._entries[at]
            if isinstance(entry.turn, Resignation) and entry.turn.is_accepted is None:
                self._entries[at] = replace(entry, turn=replace(entry.turn, is_accepted=event.is_accepted))
                return

    def _won(self, event: GameWon) -> None:
        score = (event.white_score, event.black_score)
        ending = _ending(event, self._entries, self._position)
        self._game = replace(self._game, result=Result(event.player, event.kind, event.points, ending, score))


def _is_of(entry: _Entry, player: Player) -> bool:
    return entry.played is not None and entry.played.player is player


def _kept_at_a_throw(entry: _Entry, player: Player) -> tuple[_Entry, ...]:
    """What the player left open in earlier turns is over."""
    if not _is_of(entry, player) or (entry.played is not None and entry.played.is_handed_over):
        return (entry,)
    return _kept(entry)


def _kept(entry: _Entry) -> tuple[_Entry, ...]:
    """What was left open stays as it was ruled; what was never ruled is no turn."""
    return (replace(entry, is_settled=True),) if entry.is_ruled else ()


def _ruled(entry: _Entry, event: Judged, before: str, number: int) -> _Entry:
    played = entry.played
    if played is None:  # pragma: no cover - only throws are judged
        return entry
    settled = isinstance(event, PlayMade | PlayCondoned)
    refused = entry.refused
    changes = replace(played, before=before, ruled_ms=event.at_ms, event=number)
    match event:
        case PlayMade():
            turn = replace(changes, before=event.before, after=event.after, play=event.play, ruling=Ruled.LEGAL)
            turn = replace(turn, rules=(), clause="", taken_back=refused)
        case PlayUnclear():
            turn = replace(changes, after=None, play=None, ruling=Ruled.UNSURE, rules=(), clause="")
        case PlayRefused() | PlayCondoned():
            attempt = Attempt(event.after, event.rules)
            refused = (*(one for one in refused if one.after != event.after), attempt)
            turn = replace(changes, before=event.before, after=event.after or None, play=None, ruling=Ruled.ILLEGAL)
            turn = replace(turn, rules=event.rules, taken_back=refused[:-1])
    if isinstance(event, PlayCondoned):
        turn = replace(turn, clause=event.clause)
        if entry.is_ruled and played.ruling is Ruled.ILLEGAL:  # condoned later, by what was seen then
            turn = replace(turn, ruled_ms=played.ruled_ms)
    return replace(entry, turn=turn, ended=number, is_ruled=True, is_settled=settled, refused=refused)


def _ending(event: GameWon, entries: list[_Entry], position: str) -> Ending:
    last = entries[-1].turn if entries else None
    match last:
        case CubeAction(act=CubeAct.DROPPED):
            return Ending.DROPPED
        case Resignation(is_accepted=True):
            return Ending.RESIGNED
        case Played(ruling=Ruled.LEGAL | Ruled.ILLEGAL):
            return Ending.PLAYED_OUT if _is_played_out(event, position) else Ending.TOLD
        case _:
            return Ending.TOLD


def _is_played_out(event: GameWon, position: str) -> bool:
    """Games that end by other signs than an empty board are taken at their word."""
    sides = position.split("/")
    if len(sides) < 2 or event.kind in (Kind.MOTHER, Kind.DRAW):
        return True
    off = [int(side[OFF], 16) for side in sides[:2]]
    return any(
        count and count == sum(int(digit, 16) for digit in side) for count, side in zip(off, sides, strict=False)
    )
