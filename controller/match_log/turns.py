"""The turns of a match, folded from its events: the output of `zarbiter log show --json`.

A turn is one throw and the play made with it: a player's own roll with all its stages, or numbers that the opponent
handed over. The ruling is about the play that stands in the end. A corrected play is legal. A condoned play is illegal,
and so is a play that could still be corrected when the log ended. A play that was never recognised is unsure. A throw
whose play was never judged is no turn.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from controller.match import RefereeEvent, events
from controller.match_log.event_json import JsonValue
from controller.rules import BadThrow, FollowKind, Player, Rule

_TRANSFER = f"{FollowKind.TRANSFER.value}:"


class TurnRuling(Enum):
    """The referee's ruling on the play that stands."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn. `turn` counts from 1 through the whole match.

    `roll` is empty in games without dice. `play` is None if no legal play explains the board, `after` None if the board
    is unknown. `bad_throws` has the reasons of each earlier throw of this turn that did not count. `seen_ms` is the
    time of the frame that was judged.
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
        """The JSON object of `log show --json`."""
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


def turn_lines(logged: Iterable[RefereeEvent]) -> tuple[TurnLine, ...]:
    """The turns of a log in the order of their throws."""
    builder = _TurnBuilder()
    for event in logged:
        builder.apply_event(event)
    ruled = (turn for turn in builder.turns if turn.ruling is not None)
    return tuple(line for number, turn in enumerate(ruled, 1) for line in turn.to_lines(number))


@dataclass(frozen=True, slots=True)
class _TurnDraft:
    """A turn under construction. `ruling` None: not judged yet, or to be judged again. `is_settled`: final.

    `began` and `ended` are numbers of events.
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
    bad_throws: tuple[events.ThrowRefused, ...] = ()
    seen_ms: int = 0

    def without_ruling(self) -> "_TurnDraft":
        return replace(self, is_settled=False, play=None, after=None, ruling=None, rules=(), seen_ms=0)

    def to_lines(self, number: int) -> tuple[TurnLine, ...]:
        """One line, or none before the ruling."""
        if self.ruling is None:
            return ()
        reasons = tuple(thrown.reasons for thrown in self.bad_throws)
        what = (self.player, self.roll, self.play, self.before, self.after, self.ruling, self.rules)
        return (TurnLine(number, *what, reasons, self.seen_ms),)


class _TurnBuilder:
    """The turns so far; a turn that is not settled may still change."""

    def __init__(self) -> None:
        self.turns: list[_TurnDraft] = []
        self._position = ""
        self._bad_throws: tuple[events.ThrowRefused, ...] = ()  # before the next throw
        self._number = 0

    def apply_event(self, event: RefereeEvent) -> None:
        self._number += 1
        match event:
            case events.GameStarted():
                self.turns = [turn for turn in self.turns if turn.ruling is not None]
                self._position, self._bad_throws = event.position, ()
            case events.ThrowRefused():
                self._bad_throws += (event,)
            case events.DiceRolled():
                self._apply_roll(event)
            case events.RollWithdrawn():
                self._apply_withdrawal(event.player)
            case events.NumbersHandedOver():
                self._apply_handover(event.player, event.numbers)
            case events.PlayMade() | events.PlayRefused() | events.PlayCondoned() | events.PlayUnclear():
                self._apply_ruling(event)
            case events.PlayCorrected() | events.TurnGoesOn():
                at = self._find_open_turn(event.player)
                if at is not None:
                    self.turns[at] = self.turns[at].without_ruling()
            case events.PlayTakenBack():
                self._apply_take_back(event)
            case events.BoardCorrected():
                self._position = event.position
                if event.on_turn is not None:
                    self.turns = [replace(turn, is_settled=True) for turn in self.turns if turn.ruling is not None]
            case _:
                pass

    def _find_open_turn(self, player: Player) -> int | None:
        """Index of the player's first turn that may still change."""
        return next((at for at, turn in enumerate(self.turns) if turn.player is player and not turn.is_settled), None)

    def _find_open_roll(self, player: Player) -> int | None:
        """Index of the player's last own roll that may still change; a settled turn after it closes it."""
        for at in reversed(range(len(self.turns))):
            turn = self.turns[at]
            if turn.is_settled:
                return None
            if turn.player is player and not turn.is_handed_over:
                return at
        return None

    def _apply_roll(self, event: events.DiceRolled) -> None:
        """A new throw, or a correction of the open one."""
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
        """Numbers handed over are played before an own roll that was already thrown."""
        at = self._find_open_turn(player)
        if at is not None and self.turns[at].is_handed_over:
            return
        turn = _TurnDraft(player, numbers, self._position, self._number, is_handed_over=True)
        self.turns.insert(len(self.turns) if at is None else at, turn)

    def _apply_ruling(
        self, event: events.PlayMade | events.PlayRefused | events.PlayCondoned | events.PlayUnclear
    ) -> None:
        at = self._find_open_turn(event.player)
        if at is None:  # a game without dice
            numbers = () if isinstance(event, events.PlayUnclear) else event.numbers
            self.turns.append(_TurnDraft(event.player, numbers, self._position, self._number))
            at = len(self.turns) - 1
        self.turns[at] = _merge_ruling(self.turns[at], event, self._position, self._number)
        if isinstance(event, events.PlayMade | events.PlayCondoned):
            self._position = event.after
        if isinstance(event, events.PlayMade) and event.follow.startswith(_TRANSFER):
            handed = tuple(map(int, event.follow.removeprefix(_TRANSFER).split(",")))
            self._apply_handover(event.player.opponent, handed)

    def _apply_take_back(self, event: events.PlayTakenBack) -> None:
        """Reopens the play; throws made after it are dropped."""
        own = (at for at, turn in enumerate(self.turns) if turn.player is event.player and turn.is_settled)
        at = max(own, default=None)
        self._position = event.position
        if at is None:
            return
        ended = self.turns[at].ended
        self.turns[at] = self.turns[at].without_ruling()
        self.turns = [turn for turn in self.turns if turn.is_settled or turn.began < ended]


def _settle_before_throw(turn: _TurnDraft, player: Player) -> tuple[_TurnDraft, ...]:
    """Settles an earlier turn of the player when he throws again; a turn that was never ruled is dropped."""
    if turn.player is not player or turn.is_handed_over:
        return (turn,)
    return () if turn.ruling is None else (replace(turn, is_settled=True),)


def _merge_ruling(
    turn: _TurnDraft,
    event: events.PlayMade | events.PlayRefused | events.PlayCondoned | events.PlayUnclear,
    before: str,
    number: int,
) -> _TurnDraft:
    seen = replace(turn.without_ruling(), before=before, ended=number, seen_ms=event.at_ms)
    match event:
        case events.PlayMade():
            return replace(
                seen, play=event.play, before=event.before, after=event.after, ruling=TurnRuling.LEGAL, is_settled=True
            )
        case events.PlayUnclear():
            return replace(seen, ruling=TurnRuling.UNSURE)
        case events.PlayRefused() | events.PlayCondoned():
            illegal = replace(
                seen, before=event.before, after=event.after, ruling=TurnRuling.ILLEGAL, rules=event.rules
            )
    if isinstance(event, events.PlayRefused):
        return illegal
    was_seen = turn.ruling is TurnRuling.ILLEGAL  # condoned later: the frame of the first ruling counts
    return replace(illegal, is_settled=True, seen_ms=turn.seen_ms if was_seen else event.at_ms)
