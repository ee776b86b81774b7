"""What a transcription saw, and which parts of the recording it could not judge, with reason and remedy.

All of it follows from the events of the log, so that a run that was interrupted reports the same; only throws that were
made while no game was refereed leave no event and are noted on the way (`UnrefereedThrows`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from controller.match import (
    BoardAgrees,
    BoardDiffers,
    BoardMoved,
    CameraLost,
    GameStarted,
    GameWon,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    SetUpBegun,
    SetUpFault,
    SetUpUnclear,
    SightHindered,
    ThrowRefused,
    ThrowUnclear,
)
from controller.match_log import TurnLine, TurnRuling, turn_lines
from controller.observing import DICE_OF_A_THROW
from controller.refereeing.apply_events import apply_event
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.waiting import Obstacle, find_obstacle
from controller.rules import Player
from controller.session.announcer import names_of
from controller.wording.ruling_text import ruling_text
from vision.dice.readings import DieState

LEAST_LISTED_MS = 5_000
"""Shorter obstacles without consequences are not listed: hands that set up, a checker that is straightened."""

LEAST_THROWS = 2
"""So many throws show that a game is played; a single one may decide who begins, or may be idle."""

LEAST_BREACHES, SHARE_OF_BREACHES = 2, 0.25
"""Knobs: from so many illegal turns, and from this share of all turns, another game may be played than the one that was
named. Players who know their game err less often; higher values accuse them more often under a wrong name."""

_NO_GAME = (Phase.SET_UP, Phase.GAME_OVER)
_OPEN_TURN = (Phase.PLAYING, Phase.TURN_END)
_DIFFERS = "board_differs"
_SET_UP_FAULTS = frozenset(fault.value for fault in SetUpFault)
_NOTHING_AT_REST = (
    "No board lies still in these pictures; film without hands in view for half a second at least, or give --stills for "
    "single pictures of settled scenes."
)
_NO_TURN = "A game begins and no turn of it is seen; film on until dice are thrown, played and lifted."
_NO_START = (
    "Dice are thrown and no game is refereed, because its start is not seen; film from the start position on, or "
    "transcribe this part by itself with --from."
)
_GIVEN_UP = (
    "The board was set up anew before game {} was played out; how it ended was not seen, so its result is open. Show the cube "
    "and the checkers that are borne off, or enter the result where the match is kept."
)
_BY_ITSELF = "In a recording nobody can: film without gaps, or transcribe this part by itself with --from."
_OTHER_GAME = (
    "{} of {} turns break the rules of {}; if another game or variant is played, name it with --game or --rules."
)
_UNFINISHED = "The recording ends within the turn of {}; film until the dice are lifted and the board lies still."
_IN_VIEW = "film without gaps, and so that no hand hides dice or board for long."
_UNSEEN = f"A turn of {{}} was not seen whole and is inferred from the boards around it; {_IN_VIEW}"
_UNSURE = f"{{}} In a recording nobody can be asked; {_IN_VIEW}"


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a recording that was not judged. Times in ms of the recording; `sentence` has reason and remedy.

    `is_passed_over`: turns may have been played in it that the log does not have.
    """

    from_ms: int
    until_ms: int
    reason: str
    sentence: str
    is_passed_over: bool

    def record(self) -> dict[str, object]:
        """The JSON object of `transcribe --json`."""
        return {
            "from_ms": self.from_ms,
            "until_ms": self.until_ms,
            "reason": self.reason,
            "sentence": self.sentence,
            "passed_over": self.is_passed_over,
        }


@dataclass(frozen=True, slots=True)
class TranscriptionReport:
    """The counts of a transcription, and what was not judged. `turns` are those with a ruling; `not_seen` is a part of them.

    `doubt`: a sentence that says why another game may be played than the one that was named, with the remedy, or "".
    """

    games: int
    turns: int
    unsure: int
    not_seen: int
    illegal: int
    bad_throws: int
    doubt: str
    passages: tuple[Passage, ...]

    @property
    def is_complete(self) -> bool:
        """Whether turns were refereed, by the rules of the right game as far as can be seen, and nothing was passed over."""
        return self.turns > 0 and not self.doubt and not any(passage.is_passed_over for passage in self.passages)


@dataclass(slots=True)
class UnrefereedThrows:
    """A sink: the times of throws that were made while no game was refereed."""

    times_ms: list[int] = field(default_factory=list)
    link: None = None
    _known: frozenset[int] = frozenset()

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        del events
        lying = frozenset(die.number for die in state.seen.view.dice if die.reading.lies is not DieState.OFF_BOARD)
        if state.phase in _NO_GAME and len(lying) >= DICE_OF_A_THROW and not lying <= self._known:
            self.times_ms.append(now_ms)
        self._known = lying


def report_transcription(
    events: Sequence[RefereeEvent], span_ms: tuple[int, int] | None, throws_ms: Sequence[int] = ()
) -> TranscriptionReport:
    """The report of a log. `span_ms`: the times of the first and the last picture, None if no picture could be used.

    `throws_ms`: as `UnrefereedThrows` has them.
    """
    turns = turn_lines(events)
    rulings = [turn.ruling for turn in turns]
    fold = _ObstacleFold(tuple(throws_ms), end_ms=0 if span_ms is None else span_ms[1])
    for event in events:
        fold.apply_event(event)
    lost = (*_list_turns(turns, events, fold.state), *_list_open_turn(fold, turns))
    passages = [*(_with_lost_turns(passage, lost) for passage in fold.finish()), *lost]
    passages += _list_unknown_games(throws_ms, events, passages)
    if span_ms is not None and not turns and not any(passage.is_passed_over for passage in passages):
        sentence = _NO_TURN if fold.state.game.number else _NOTHING_AT_REST
        passages.append(Passage(*span_ms, "no_turn" if fold.state.game.number else "nothing_at_rest", sentence, True))
    return TranscriptionReport(
        games=sum(isinstance(event, GameWon) for event in events),
        turns=len(turns),
        unsure=rulings.count(TurnRuling.UNSURE),
        not_seen=rulings.count(TurnRuling.NOT_SEEN),
        illegal=rulings.count(TurnRuling.ILLEGAL),
        bad_throws=sum(isinstance(event, ThrowRefused) for event in events),
        doubt=_doubt_game(rulings, fold.state),
        passages=tuple(sorted(passages, key=lambda passage: passage.from_ms)),
    )


class _ObstacleFold:
    """The obstacles of a log as passages. Questions about single turns are left to the rulings on these turns."""

    def __init__(self, throws_ms: tuple[int, ...], end_ms: int) -> None:
        self.state = RefereeState()
        self.end_ms = end_ms
        self._throws_ms = throws_ms
        self._passages: list[Passage] = []
        self._open: tuple[Passage, Phase] | None = None

    def apply_event(self, event: RefereeEvent) -> None:
        if isinstance(event, SetUpBegun) and self.state.game.number > 0 and self.state.phase not in _NO_GAME:
            self._passages.append(
                Passage(event.at_ms, event.at_ms, "game_given_up", _GIVEN_UP.format(self.state.game.number), False)
            )
        self.state = apply_event(self.state, event)
        obstacle = find_obstacle(self.state)
        if obstacle is None or isinstance(obstacle, ThrowUnclear | PlayUnclear | PlayRefused):
            self._close(event.at_ms, is_resolved=isinstance(event, BoardAgrees))
            return
        reason, sentence = name_obstacle(obstacle), ruling_text(obstacle, names_of(self.state, event))
        if self.state.phase is Phase.RESTORE and isinstance(obstacle, BoardDiffers):
            sentence = f"{sentence} {_BY_ITSELF}"
        if self._open is not None and self._open[0].reason == reason:
            self._open = replace(self._open[0], sentence=sentence), self._open[1]
            return
        if self._open is not None and self._open[0].reason in _SET_UP_FAULTS and reason == _DIFFERS:
            return  # play goes on from a start that was not the agreed one
        self._close(event.at_ms, is_resolved=True)  # another obstacle goes on from here
        from_ms = obstacle.since_ms if isinstance(obstacle, SightHindered) else event.at_ms
        self._open = Passage(from_ms, from_ms, reason, sentence, is_passed_over=False), self.state.phase

    def finish(self) -> list[Passage]:
        """All passages; one that is still open lasts to the end of the recording."""
        is_between = self.state.phase in _NO_GAME and self.state.game.number > 0
        if self._open is not None and not is_between:
            self._open = replace(self._open[0], is_passed_over=True), self._open[1]
        self._close(self.end_ms)
        return _merge(self._passages)

    def _close(self, at_ms: int, *, is_resolved: bool = False) -> None:
        if self._open is None:
            return
        passage, phase = self._open
        self._open = None
        throws = sum(passage.from_ms <= one <= at_ms for one in self._throws_ms)
        has_throws = phase in _NO_GAME and throws >= LEAST_THROWS
        is_lost = passage.is_passed_over or has_throws or (phase is Phase.RESTORE and not is_resolved)
        if is_lost or at_ms - passage.from_ms >= LEAST_LISTED_MS:
            self._passages.append(replace(passage, until_ms=max(at_ms, passage.from_ms), is_passed_over=is_lost))


def _with_lost_turns(passage: Passage, lost: Sequence[Passage]) -> Passage:
    """An obstacle passes over the turns that were lost while it lasted."""
    has_lost = any(passage.from_ms <= turn.until_ms and turn.from_ms <= passage.until_ms for turn in lost)
    return replace(passage, is_passed_over=passage.is_passed_over or has_lost)


def _merge(passages: Iterable[Passage]) -> list[Passage]:
    """Joins passages that have one reason and overlap: the fault of a picture stays while other things happen."""
    merged: list[Passage] = []
    for passage in passages:
        same = [one for one in merged if one.reason == passage.reason and passage.from_ms <= one.until_ms]
        merged = [one for one in merged if one not in same]
        from_ms = min((one.from_ms for one in same), default=passage.from_ms)
        is_lost = passage.is_passed_over or any(one.is_passed_over for one in same)
        merged.append(replace(passage, from_ms=min(from_ms, passage.from_ms), is_passed_over=is_lost))
    return merged


def name_obstacle(obstacle: Obstacle) -> str:
    """The name of an obstacle for programs."""
    match obstacle:
        case SightHindered():
            return obstacle.hindrance.value
        case BoardDiffers():
            return _DIFFERS if obstacle.fault is None else obstacle.fault.value
        case SetUpUnclear():
            return "seating_open" if obstacle.is_seating_open else "places_hidden"
        case CameraLost():
            return "no_pictures"
        case BoardMoved():
            return "board_moved"
        case ThrowUnclear():
            return "throw_unclear"
        case PlayUnclear():
            return "play_unclear"
        case PlayRefused():  # pragma: no branch - mypy sees that no other case is left
            return "illegal_play"


def _list_unknown_games(
    throws_ms: Iterable[int], events: Sequence[RefereeEvent], known: Sequence[Passage]
) -> Iterable[Passage]:
    """The times in which people throw, with no game and no obstacle that is reported already."""
    starts_ms = [event.at_ms for event in events if isinstance(event, GameStarted)]
    by_gap: dict[int, list[int]] = {}  # by the number of games before
    for at_ms in throws_ms:
        if not any(one.is_passed_over and one.from_ms <= at_ms <= one.until_ms for one in known):
            by_gap.setdefault(sum(start_ms <= at_ms for start_ms in starts_ms), []).append(at_ms)
    for times_ms in by_gap.values():
        if len(times_ms) >= LEAST_THROWS:
            yield Passage(min(times_ms), max(times_ms), "game_without_start", _NO_START, is_passed_over=True)


def _list_turns(turns: Sequence[TurnLine], events: Sequence[RefereeEvent], state: RefereeState) -> Iterable[Passage]:
    """The turns that were not seen, and those whose play nobody could tell."""
    for turn in turns:
        name = _name(turn.player, state)
        if turn.ruling is TurnRuling.NOT_SEEN:
            yield Passage(turn.seen_ms, turn.seen_ms, "turn_not_seen", _UNSEEN.format(name), is_passed_over=True)
        if turn.ruling is TurnRuling.UNSURE:
            asked = (one for one in events if isinstance(one, PlayUnclear) and one.at_ms == turn.seen_ms)
            sentence = _UNSURE.format(next((ruling_text(one, names_of(state, one)) for one in asked), "")).lstrip()
            yield Passage(turn.seen_ms, turn.seen_ms, "play_unclear", sentence, is_passed_over=True)


def _doubt_game(rulings: Sequence[TurnRuling | None], state: RefereeState) -> str:
    illegal, turns = rulings.count(TurnRuling.ILLEGAL), len(rulings)
    if state.started is None or illegal < LEAST_BREACHES or illegal < SHARE_OF_BREACHES * turns:
        return ""
    return _OTHER_GAME.format(illegal, turns, state.started.game)


def _list_open_turn(fold: _ObstacleFold, turns: Sequence[TurnLine]) -> Iterable[Passage]:
    """The turn whose dice still lie on the board when the recording ends."""
    state = fold.state
    if state.phase in _OPEN_TURN and state.due is not None and state.on_turn is not None:
        from_ms = min(max((turn.seen_ms for turn in turns), default=0), fold.end_ms)
        sentence = _UNFINISHED.format(_name(state.on_turn, state))
        yield Passage(from_ms, fold.end_ms, "turn_unfinished", sentence, is_passed_over=True)


def _name(player: Player, state: RefereeState) -> str:
    started = state.started
    if started is None:
        return player.name.capitalize()
    return started.white if player is Player.WHITE else started.black
