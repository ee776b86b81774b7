"""The turns of a match, folded from its events: the output of `zarbiter log show --json`.

A turn is one throw and the play made with it: a player's own roll with all its stages, or numbers that the opponent
handed over. The ruling is about the play that stands in the end. A corrected play is legal. A condoned play is illegal,
and so is a play that could still be corrected when the log ended. A play that was never recognised is unsure. A turn
that nobody saw, and that only the boards before and after it show, is not seen, whatever play explains it. A throw whose
play was never judged is no turn.

Revisions are events at the end of the log, and take effect where they belong. The log keeps what the referee ruled, so that the
chain holds; whoever reads the match reads its revised events. An event keeps its number, by which its pictures are found.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Generic, Never, TypeVar

from controller.match import EventRevised, RefereeEvent, Remark, events
from controller.match_log.errors import EventTextError
from controller.match_log.event_json import JsonValue, encode_object, parse_event
from controller.rules import BadThrow, FollowKind, Player, Rule

_TRANSFER = f"{FollowKind.TRANSFER.value}:"


class TurnRuling(Enum):
    """The referee's ruling on the play that stands."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"
    NOT_SEEN = "not seen"

    @property
    def is_within_rules(self) -> bool:
        """Whether the play that stands is a legal one, seen or not."""
        return self in (TurnRuling.LEGAL, TurnRuling.NOT_SEEN)


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
    remarks: tuple[Remark, ...] = ()

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
            "remarks": [encode_object(one) for one in self.remarks],
        }


def turn_lines(logged: Iterable[RefereeEvent]) -> tuple[TurnLine, ...]:
    """The turns of a log in the order of their throws."""
    fold = TurnFold[Never]()
    for number, event in list_standing_events(enumerate(revise(logged), 1)):
        fold.apply_event(event, number)
    ruled = [turn for turn in fold.entries if turn.ruling is not None]
    return tuple(
        replace(line, remarks=fold.list_remarks(turn.ended, None if following is None else following.ended))
        for number, (turn, following) in enumerate(pairwise((*ruled, None)), 1)
        if turn is not None
        for line in turn.to_lines(number)
    )


_RULING_KINDS = (events.PlayMade, events.PlayUnclear, events.PlayRefused, events.PlayCondoned, events.BoardCorrected)
REVISABLE = (events.OpeningThrown, events.DiceRolled, *_RULING_KINDS)
"""The kinds of events that a revision may replace; by another of them, or by the news that the board is as it should be."""


def revise(logged: Iterable[RefereeEvent]) -> tuple[RefereeEvent, ...]:
    """The events with each revised one as its last revision reads. A revision that fits no event before it changes nothing."""
    found = tuple(logged)
    revised = list(found)
    for place, event in enumerate(found):
        if isinstance(event, EventRevised):
            with suppress(EventTextError):
                revised[event.number - 1] = parse_revision(event, found[:place])
    return tuple(revised)


def parse_revision(revision: EventRevised, before: Sequence[RefereeEvent]) -> RefereeEvent:
    """The event that the revision puts in place of one of those before it. Raises EventTextError."""
    if not 1 <= revision.number <= len(before) or not isinstance(before[revision.number - 1], REVISABLE):
        raise EventTextError("EventRevised", "number", "it names no event before it that can be revised")
    event = parse_event(revision.text)
    if not isinstance(event, (*REVISABLE, events.BoardAgrees)) or event.at_ms != before[revision.number - 1].at_ms:
        raise EventTextError("EventRevised", "text", "this is no event that can stand there")
    return event


def list_standing_events(numbered: Iterable[tuple[int, RefereeEvent]]) -> list[tuple[int, RefereeEvent]]:
    """The events with their numbers, without those that followed from answers which were taken back."""
    standing: list[tuple[int, RefereeEvent]] = []
    answered: int | None = None  # how many events stood before the last answer
    for number, event in numbered:
        if isinstance(event, events.AnswerTakenBack) and answered is not None:
            del standing[answered:]
            answered = None
            continue
        if isinstance(event, events.QuestionAnswered):
            answered = len(standing)
        standing.append((number, event))
    return standing


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """A turn under construction. `ruling` None: not judged yet, or to be judged again. `is_settled`: final.

    `began` and `ended` are numbers of events. `refused`: illegal plays of this throw, the last of which may be the play
    that stands; `taken_back`: those that do not stand. `clause`: why an illegal play stands.
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
    rolled_ms: int = 0
    seen_ms: int = 0
    clause: str = ""
    refused: tuple[events.PlayRefused | events.PlayCondoned, ...] = ()
    taken_back: tuple[events.PlayRefused | events.PlayCondoned, ...] = ()

    def without_ruling(self) -> "TurnDraft":
        return replace(self, is_settled=False, play=None, after=None, ruling=None, rules=(), seen_ms=0)

    def to_lines(self, number: int) -> tuple[TurnLine, ...]:
        """One line, or none before the ruling."""
        if self.ruling is None:
            return ()
        reasons = tuple(thrown.reasons for thrown in self.bad_throws)
        what = (self.player, self.roll, self.play, self.before, self.after, self.ruling, self.rules)
        return (TurnLine(number, *what, reasons, self.seen_ms),)


Action = TypeVar("Action")
_PlayRuling = events.PlayMade | events.PlayRefused | events.PlayCondoned | events.PlayUnclear


class TurnFold(Generic[Action]):
    """The turns so far; a turn that is not settled may still change. Between them, actions that the owner adds."""

    def __init__(self, position: str = "") -> None:
        self.entries: list[TurnDraft | Action] = []
        self.position = position
        self._bad_throws: tuple[events.ThrowRefused, ...] = ()  # before the next throw
        self._remarks: list[tuple[int, Remark]] = []  # with the numbers of their events

    def apply_event(self, event: RefereeEvent, number: int) -> None:
        match event:
            case events.GameStarted():
                self.entries = [entry for entry in self.entries if not isinstance(entry, TurnDraft) or entry.ruling]
                self.position, self._bad_throws = event.position, ()
            case events.ThrowRefused():
                self._bad_throws += (event,)
            case events.DiceRolled():
                self._apply_roll(event, number)
            case events.RollWithdrawn():
                at, turn = self._find_open_roll(event.player)
                if turn is not None:
                    self.withdraw(at, turn)
            case events.NumbersHandedOver():
                self._apply_handover(event.player, event.numbers, number)
            case events.PlayMade() | events.PlayRefused() | events.PlayCondoned() | events.PlayUnclear():
                self._apply_ruling(event, number)
            case events.PlayCorrected() | events.TurnGoesOn():
                at, turn = self._find_open_turn(event.player)
                if turn is not None:
                    self.entries[at] = turn.without_ruling()
            case events.PlayTakenBack():
                self.position = event.position
                settled = [one for one in self.list_turns(event.player) if one[1].is_settled]
                if settled:
                    self.reopen(*settled[-1])
            case events.BoardCorrected():
                self._apply_board(event, number)
            case events.RemarkMade():
                self._remarks.append((number, event.remark))
            case _:
                pass

    def list_remarks(self, after: int, before: int | None = None) -> tuple[Remark, ...]:
        """Those that were made after one event and before another (None: up to the end), by the numbers of events."""
        return tuple(one for number, one in self._remarks if after < number and (before is None or number < before))

    def reopen(self, at: int, turn: TurnDraft) -> None:
        """Reopens the play of a turn that is taken back; throws made after it are dropped."""
        self.entries[at] = turn.without_ruling()
        self.entries = [
            entry
            for entry in self.entries
            if not isinstance(entry, TurnDraft) or entry.is_settled or entry.began < turn.ended
        ]

    def withdraw(self, at: int, turn: TurnDraft) -> None:
        """Removes a roll that does not count after all; the throws before it that did not count belong to the next one."""
        del self.entries[at]
        self._bad_throws = turn.bad_throws + self._bad_throws

    def list_turns(self, player: Player) -> list[tuple[int, TurnDraft]]:
        """The player's turns with their indices."""
        turns = ((at, entry) for at, entry in enumerate(self.entries) if isinstance(entry, TurnDraft))
        return [(at, turn) for at, turn in turns if turn.player is player]

    def _find_open_turn(self, player: Player) -> tuple[int, TurnDraft | None]:
        """The player's first turn that may still change, and its index; else the index behind the last entry and None."""
        turns = (one for one in self.list_turns(player) if not one[1].is_settled)
        return next(turns, (len(self.entries), None))

    def _find_open_roll(self, player: Player) -> tuple[int, TurnDraft | None]:
        """The player's last own roll that may still change, and its index; a settled turn after it closes it."""
        for at in reversed(range(len(self.entries))):
            turn = self.entries[at]
            if isinstance(turn, TurnDraft) and turn.is_settled:
                break
            if isinstance(turn, TurnDraft) and turn.player is player and not turn.is_handed_over:
                return at, turn
        return len(self.entries), None

    def _apply_roll(self, event: events.DiceRolled, number: int) -> None:
        """A new throw, or a correction of the open one."""
        at, turn = self._find_open_roll(event.player)
        if turn is not None:
            self.entries[at] = replace(turn.without_ruling(), roll=event.values)
            return
        self.entries = [kept for entry in self.entries for kept in _settle_before_throw(entry, event.player)]
        theirs = tuple(one for one in self._bad_throws if one.player in (None, event.player))
        self._bad_throws = tuple(one for one in self._bad_throws if one not in theirs)
        thrown = (event.player, event.values, self.position, number)
        self.entries.append(TurnDraft(*thrown, bad_throws=theirs, rolled_ms=event.at_ms))

    def _apply_handover(self, player: Player, numbers: tuple[int, ...], number: int) -> None:
        """Numbers handed over are played before an own roll that was already thrown."""
        at, turn = self._find_open_turn(player)
        if turn is None or not turn.is_handed_over:
            self.entries.insert(at, TurnDraft(player, numbers, self.position, number, is_handed_over=True))

    def _apply_board(self, event: events.BoardCorrected, number: int) -> None:
        """A board with a player on turn settles all turns; a player who was passed over had a turn that nobody saw."""
        if event.on_turn is not None:
            self.entries = [kept for entry in self.entries for kept in _settle(entry)]
        if event.on_turn is not None and event.evidence is events.Evidence.INFERRED:
            passed_over = TurnDraft(event.on_turn.opponent, (), self.position, number, ended=number, is_settled=True)
            unseen = replace(passed_over, after=event.position, ruling=TurnRuling.NOT_SEEN)
            self.entries.append(replace(unseen, rolled_ms=event.at_ms, seen_ms=event.at_ms))
        self.position = event.position

    def _apply_ruling(self, event: _PlayRuling, number: int) -> None:
        at, turn = self._find_open_turn(event.player)
        if turn is None:  # a game without dice
            numbers = () if isinstance(event, events.PlayUnclear) else event.numbers
            turn = TurnDraft(event.player, numbers, self.position, number, rolled_ms=event.at_ms)
        self.entries[at : at + 1] = [_merge_ruling(turn, event, self.position, number)]
        if isinstance(event, events.PlayMade | events.PlayCondoned):
            self.position = event.after
        if isinstance(event, events.PlayMade) and event.follow.startswith(_TRANSFER):
            handed = tuple(map(int, event.follow.removeprefix(_TRANSFER).split(",")))
            self._apply_handover(event.player.opponent, handed, number)


def _settle(entry: TurnDraft | Action) -> tuple[TurnDraft | Action, ...]:
    """An open turn becomes final; a turn that was never ruled is dropped."""
    if not isinstance(entry, TurnDraft):
        return (entry,)
    return () if entry.ruling is None else (replace(entry, is_settled=True),)


def _settle_before_throw(entry: TurnDraft | Action, player: Player) -> tuple[TurnDraft | Action, ...]:
    """Settles an earlier turn of the player when he throws again."""
    is_own = isinstance(entry, TurnDraft) and entry.player is player and not entry.is_handed_over
    return _settle(entry) if is_own else (entry,)


def _merge_ruling(turn: TurnDraft, event: _PlayRuling, before: str, number: int) -> TurnDraft:
    seen = replace(turn.without_ruling(), before=before, ended=number, seen_ms=event.at_ms)
    if isinstance(event, events.PlayUnclear):
        return replace(seen, ruling=TurnRuling.UNSURE, clause="")
    seen = replace(seen, before=event.before, after=event.after)
    if isinstance(event, events.PlayMade):
        is_unseen = event.evidence is events.Evidence.INFERRED
        ruling = TurnRuling.NOT_SEEN if is_unseen else TurnRuling.LEGAL
        seen = replace(seen, play=event.play, ruling=ruling, is_settled=True)
        return replace(seen, clause="", taken_back=turn.refused)
    refused = (*(one for one in turn.refused if one.after != event.after), event)
    illegal = replace(seen, ruling=TurnRuling.ILLEGAL, rules=event.rules, refused=refused, taken_back=refused[:-1])
    if isinstance(event, events.PlayRefused):
        return illegal
    was_seen = turn.ruling is TurnRuling.ILLEGAL  # condoned later: the frame of the first ruling counts
    seen_ms = turn.seen_ms if was_seen else event.at_ms
    return replace(illegal, is_settled=True, clause=event.clause, seen_ms=seen_ms)
