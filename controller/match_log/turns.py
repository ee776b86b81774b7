"""The turns of a match, folded from its events: what `zarbiter log show --json` prints (design.md 7).

A turn here is one throw and what was played with it: a player's own roll with all its stages, or numbers that the other
player handed over. A ruling is about the play that stands in the end. So one that was corrected is legal, one that was
condoned is illegal, and so is one that could still be corrected when the log ended; one that nobody could tell stays
unsure. A throw whose play was never judged is no turn yet.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from controller.match.events import (
    BoardCorrected,
    DiceRolled,
    GameStarted,
    NumbersHandedOver,
    PlayCondoned,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    ThrowRefused,
    TurnGoesOn,
)
from controller.rules import BadThrow, FollowKind, Player, Rule

_TRANSFER = f"{FollowKind.TRANSFER.value}:"
JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class TurnRuling(Enum):
    """What the referee says of the play that stands."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn. `turn` counts from 1 through the whole match.

    `roll` is empty in games without dice; `play` is None where no legal play explains the board, `after` None where
    nobody could tell it. `bad_throws` are the reasons of each throw before this one that did not count. `seen_ms` is
    the time of the frame that was judged.
    """

    turn: int
    player: Player
    roll: tuple[int, ...]
    play: str | None
    before: str
    after: str | None
    ruling: TurnRuling
    rules: tuple[Rule, ...]
    bad_throws: tuple[tuple[BadThrow, ...], ...]
    seen_ms: int

    def record(self) -> dict[str, JsonValue]:
        """The object of the contract."""
        return {
            "turn": self.turn,
            "player": self.player.value,
            "roll": list(self.roll),
            "play": self.play,
            "before": self.before,
            "after": self.after,
            "ruling": self.ruling.value,
            "rules": [rule.value for rule in self.rules],
            "bad_throws": [[reason.value for reason in reasons] for reasons in self.bad_throws],
            "seen": self.seen_ms,
        }


def turn_lines(events: Iterable[RefereeEvent]) -> tuple[TurnLine, ...]:
    """In the order of the throws."""
    sheet = _TurnBuilder()
    for event in events:
        sheet.apply_event(event)
    ruled = (turn for turn in sheet.turns if turn.ruling is not None)
    return tuple(line for number, turn in enumerate(ruled, 1) for line in turn.to_lines(number))


@dataclass(frozen=True, slots=True)
class _TurnDraft:
    """A turn as it grows. `ruling` None: not judged, or judged again; `is_settled`: the next one goes on from it.

    `began` and `ended` are the numbers of events.
    """

    player: Player
    roll: tuple[int, ...]
    before: str
    began: int
    ended: int = 0
    is_handed_over: bool = False
    is_settled: bool = False
    play: str | None = None
    after: str | None = None
    ruling: TurnRuling | None = None
    rules: tuple[Rule, ...] = ()
    bad_throws: tuple[ThrowRefused, ...] = ()
    seen_ms: int = 0

    def without_ruling(self) -> "_TurnDraft":
        return replace(self, is_settled=False, play=None, after=None, ruling=None, rules=(), seen_ms=0)

    def to_lines(self, number: int) -> tuple[TurnLine, ...]:
        """One, or none before the ruling."""
        if self.ruling is None:
            return ()
        reasons = tuple(thrown.reasons for thrown in self.bad_throws)
        what = (self.player, self.roll, self.play, self.before, self.after, self.ruling, self.rules)
        return (TurnLine(number, *what, reasons, self.seen_ms),)


class _TurnBuilder:
    """The turns so far; the open ones may still change."""

    def __init__(self) -> None:
        self.turns: list[_TurnDraft] = []
        self._position = ""
        self._bad_throws: tuple[ThrowRefused, ...] = ()  # of the throw to come
        self._number = 0

    def apply_event(self, event: RefereeEvent) -> None:
        self._number += 1
        match event:
            case GameStarted():
                self.turns = [turn for turn in self.turns if turn.ruling is not None]
                self._position, self._bad_throws = event.position, ()
            case ThrowRefused():
                self._bad_throws += (event,)
            case DiceRolled():
                self._apply_roll(event)
            case RollWithdrawn():
                self._apply_withdrawal(event.player)
            case NumbersHandedOver():
                self._apply_handover(event.player, event.numbers)
            case PlayMade() | PlayRefused() | PlayCondoned() | PlayUnclear():
                self._apply_ruling(event)
            case PlayCorrected() | TurnGoesOn():
                at = self._find_open_turn(event.player)
                if at is not None:
                    self.turns[at] = self.turns[at].without_ruling()
            case PlayTakenBack():
                self._apply_take_back(event)
            case BoardCorrected():
                self._position = event.position
                if event.on_turn is not None:
                    self.turns = [replace(turn, is_settled=True) for turn in self.turns if turn.ruling is not None]
            case _:
                pass

    def _find_open_turn(self, player: Player) -> int | None:
        """Where the first turn of the player stands that may still change."""
        return next((at for at, turn in enumerate(self.turns) if turn.player is player and not turn.is_settled), None)

    def _find_open_roll(self, player: Player) -> int | None:
        """The same for his own roll; one that later plays have passed by is not open any more."""
        for at in reversed(range(len(self.turns))):
            turn = self.turns[at]
            if turn.is_settled:
                return None
            if turn.player is player and not turn.is_handed_over:
                return at
        return None

    def _apply_roll(self, event: DiceRolled) -> None:
        """A new throw, or another word about the one that is being played."""
        at = self._find_open_roll(event.player)
        if at is not None:
            self.turns[at] = replace(self.turns[at].without_ruling(), roll=event.values)
            return
        self.turns = [kept for turn in self.turns for kept in _settle_before_throw(turn, event.player)]
        theirs = tuple(one for one in self._bad_throws if one.player in (None, event.player))
        self._bad_throws = tuple(one for one in self._bad_throws if one not in theirs)
        self.turns.append(_TurnDraft(event.player, event.values, self._position, self._number, bad_throws=theirs))

    def _apply_withdrawal(self, player: Player) -> None:
        at = self._find_open_roll(player)
        if at is not None:
            self._bad_throws = self.turns.pop(at).bad_throws + self._bad_throws

    def _apply_handover(self, player: Player, numbers: tuple[int, ...]) -> None:
        """They are played before an own roll that lies there already."""
        at = self._find_open_turn(player)
        if at is not None and self.turns[at].is_handed_over:
            return
        turn = _TurnDraft(player, numbers, self._position, self._number, is_handed_over=True)
        self.turns.insert(len(self.turns) if at is None else at, turn)

    def _apply_ruling(self, event: PlayMade | PlayRefused | PlayCondoned | PlayUnclear) -> None:
        at = self._find_open_turn(event.player)
        if at is None:  # a game without dice
            numbers = () if isinstance(event, PlayUnclear) else event.numbers
            self.turns.append(_TurnDraft(event.player, numbers, self._position, self._number))
            at = len(self.turns) - 1
        self.turns[at] = _merge_ruling(self.turns[at], event, self._position, self._number)
        if isinstance(event, PlayMade | PlayCondoned):
            self._position = event.after
        if isinstance(event, PlayMade) and event.follow.startswith(_TRANSFER):
            handed = tuple(map(int, event.follow.removeprefix(_TRANSFER).split(",")))
            self._apply_handover(event.player.opponent, handed)

    def _apply_take_back(self, event: PlayTakenBack) -> None:
        """What was thrown after the play is forgotten with it."""
        own = (at for at, turn in enumerate(self.turns) if turn.player is event.player and turn.is_settled)
        at = max(own, default=None)
        self._position = event.position
        if at is None:
            return
        ended = self.turns[at].ended
        self.turns[at] = self.turns[at].without_ruling()
        self.turns = [turn for turn in self.turns if turn.is_settled or turn.began < ended]


def _settle_before_throw(turn: _TurnDraft, player: Player) -> tuple[_TurnDraft, ...]:
    """What the player left open in earlier turns stays as it was ruled; what was never ruled is no turn."""
    if turn.player is not player or turn.is_handed_over:
        return (turn,)
    return () if turn.ruling is None else (replace(turn, is_settled=True),)


def _merge_ruling(
    turn: _TurnDraft, event: PlayMade | PlayRefused | PlayCondoned | PlayUnclear, before: str, number: int
) -> _TurnDraft:
    seen = replace(turn.without_ruling(), before=before, ended=number, seen_ms=event.at_ms)
    match event:
        case PlayMade():
            return replace(
                seen, play=event.play, before=event.before, after=event.after, ruling=TurnRuling.LEGAL, is_settled=True
            )
        case PlayUnclear():
            return replace(seen, ruling=TurnRuling.UNSURE)
        case PlayRefused() | PlayCondoned():
            illegal = replace(
                seen, before=event.before, after=event.after, ruling=TurnRuling.ILLEGAL, rules=event.rules
            )
    if isinstance(event, PlayRefused):
        return illegal
    was_seen = turn.ruling is TurnRuling.ILLEGAL  # condoned later, by what was seen then
    return replace(illegal, is_settled=True, seen_ms=turn.seen_ms if was_seen else event.at_ms)
