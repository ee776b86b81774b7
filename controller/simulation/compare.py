"""What the referee said against what truly happened, turn by turn: the end-to-end test.

Events belong to the last true thing of their kind that had happened by then: rulings on throws to throws, rulings on
plays to ends of turns. After a wrong ruling the referee's board is another one; such turns are told as out of step.
"""

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from controller.match.events import (
    BoardDiffers,
    DiceRolled,
    Evidence,
    GameWon,
    OpeningThrown,
    PlayCondoned,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    ThrowRefused,
    ThrowUnclear,
)
from controller.simulation.staging.truth import TrueEnd, TrueEvent, TruePlay, TrueThrow


class DifferenceKind(Enum):
    """How the referee can be at odds with the truth; the gravest first."""

    WRONG_ROLL = "wrong roll accepted"
    INVALID_ACCEPTED = "invalid throw accepted"
    FALSE_ACCUSATION = "legal play refused"
    WRONG_PLAY = "another play told than was made"
    ILLEGAL_MISSED = "illegal play not found"
    WRONG_END = "wrong end of the game"
    VALID_REFUSED = "valid throw refused"
    WRONG_NAME = "illegal play found under another name"
    WRONG_REASON = "throw refused for another reason"
    NO_RULING = "nothing said about a turn"
    NO_ROLL = "nothing said about a valid throw"
    UNSURE = "unsure"
    UNSURE_OF_VOID = "unsure of a throw that does not count"
    BOARD_DOUBTED = "a board that was right told as wrong"
    OUT_OF_STEP = "told of another board than stood there"


WRONG_RULINGS = frozenset(
    {
        DifferenceKind.WRONG_ROLL,
        DifferenceKind.INVALID_ACCEPTED,
        DifferenceKind.FALSE_ACCUSATION,
        DifferenceKind.WRONG_PLAY,
        DifferenceKind.ILLEGAL_MISSED,
        DifferenceKind.WRONG_END,
    }
)

_BOARD_LOST_AFTER = frozenset(
    {DifferenceKind.WRONG_ROLL, DifferenceKind.INVALID_ACCEPTED, DifferenceKind.WRONG_PLAY, DifferenceKind.OUT_OF_STEP}
)
QUESTIONS = frozenset({DifferenceKind.UNSURE, DifferenceKind.UNSURE_OF_VOID})

_BOARD_DOUBTFUL_AFTER = frozenset(
    {
        DifferenceKind.ILLEGAL_MISSED,
        DifferenceKind.VALID_REFUSED,
        DifferenceKind.NO_RULING,
        DifferenceKind.NO_ROLL,
        *QUESTIONS,
    }
)

ThrowRulingEvent = DiceRolled | OpeningThrown | ThrowRefused | ThrowUnclear | RollWithdrawn
PlayRulingEvent = PlayMade | PlayRefused | PlayUnclear | PlayCondoned
_RulingEvent = TypeVar("_RulingEvent", ThrowRulingEvent, PlayRulingEvent)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing at which referee and truth differ, and a line for whoever looks for the cause."""

    at_ms: int
    kind: DifferenceKind
    sentence: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figures of a game, or of many."""

    turns: int = 0
    throws: int = 0
    invalid_throws: int = 0
    invalid_refused: int = 0
    illegal: int = 0
    illegal_found: int = 0
    illegal_named: int = 0
    unsure_turns: int = 0
    differences: tuple[Difference, ...] = ()
    roll_latencies_ms: tuple[int, ...] = ()  # from dice at rest to the ruling

    def __add__(self, other: "Comparison") -> "Comparison":
        return Comparison(
            self.turns + other.turns,
            self.throws + other.throws,
            self.invalid_throws + other.invalid_throws,
            self.invalid_refused + other.invalid_refused,
            self.illegal + other.illegal,
            self.illegal_found + other.illegal_found,
            self.illegal_named + other.illegal_named,
            self.unsure_turns + other.unsure_turns,
            self.differences + other.differences,
            self.roll_latencies_ms + other.roll_latencies_ms,
        )

    def count(self, *misses: DifferenceKind) -> int:
        return sum(one.kind in misses for one in self.differences)

    @property
    def wrong_rulings(self) -> int:
        return self.count(*WRONG_RULINGS)


def compare(truths: Sequence[TrueEvent], events: Sequence[RefereeEvent]) -> Comparison:
    """One game; events of other kinds than rulings on throws, plays and the end are passed over."""
    throws = [one for one in truths if isinstance(one, TrueThrow)]
    plays = [one for one in truths if isinstance(one, TruePlay)]
    on_throws = _move_late_rolls(
        throws, _group_by_last(throws, [one for one in events if isinstance(one, ThrowRulingEvent)])
    )
    on_plays = _group_by_last(plays, [one for one in events if isinstance(one, PlayRulingEvent)])
    on_plays = _move_late_plays(plays, _move_early_passes(plays, on_plays))
    is_last_open = bool(plays) and plays[-1].is_condoned and not any(throw.at_ms > plays[-1].at_ms for throw in throws)
    illegal_from = {play.before for play in plays if not play.is_legal}
    told = [
        *(one for throw, ruled in zip(throws, on_throws, strict=True) for one in _find_throw_differences(throw, ruled)),
        *(one for play, ruled in zip(plays, on_plays, strict=True) for one in _find_play_differences(play, ruled)),
        *(
            one
            for play, ruled in zip(plays, on_plays, strict=True)
            for one in _find_false_accusations(play, ruled, illegal_from)
        ),
        *_find_end_differences(truths, events),
        *_find_doubted_boards(plays, throws, events),
    ]
    if is_last_open:  # the film ends before the throw by which it is condoned
        told = [one for one in told if one.at_ms != plays[-1].at_ms or one.kind is not DifferenceKind.NO_RULING]
    differences = tuple(_keep_causes(plays, sorted(told, key=lambda one: one.at_ms)))
    counted = Counter(play.is_legal for play in plays)
    refusals = [next((one for one in ruled if isinstance(one, PlayRefused)), None) for ruled in on_plays]
    accused = [(play, one) for play, one in zip(plays, refusals, strict=True) if one is not None and not play.is_legal]
    void = [ruled for throw, ruled in zip(throws, on_throws, strict=True) if not throw.is_valid]
    return Comparison(
        turns=len(plays),
        throws=len(throws),
        invalid_throws=len(void),
        invalid_refused=sum(any(isinstance(one, ThrowRefused) for one in ruled) for ruled in void),
        illegal=counted[False],
        illegal_found=len(accused),
        illegal_named=sum(_is_right_name(play, one) for play, one in accused),
        unsure_turns=_count_unsure_turns(plays, differences),
        differences=differences,
        roll_latencies_ms=tuple(_compute_latencies(throws, on_throws)),
    )


def _keep_causes(plays: Sequence[TruePlay], differences: Sequence[Difference]) -> Iterator[Difference]:
    """Without what only follows from a wrong board: until a turn is told as it was, it is told as out of step.

    But for an accusation: a referee who does not know what stands there has to ask.

    What is told of another board although all before was told rightly follows from nothing: it is another play.
    """
    faulty = {one.at_ms for one in differences}
    sound = [play.at_ms for play in plays if play.at_ms not in faulty]
    lost_until_ms, doubted_ms = 0, sys.maxsize
    for one in differences:
        if one.at_ms < lost_until_ms:
            if one.kind is DifferenceKind.FALSE_ACCUSATION:
                yield one
            elif one.at_ms in {play.at_ms for play in plays}:
                yield replace(one, kind=DifferenceKind.OUT_OF_STEP)
            continue
        is_followed = doubted_ms <= one.at_ms and not any(doubted_ms < at_ms < one.at_ms for at_ms in sound)
        yield (
            one
            if one.kind is not DifferenceKind.OUT_OF_STEP or is_followed
            else replace(one, kind=DifferenceKind.WRONG_PLAY)
        )
        if one.kind in _BOARD_DOUBTFUL_AFTER:
            doubted_ms = one.at_ms
        if one.kind in _BOARD_LOST_AFTER:
            lost_until_ms = next((at_ms for at_ms in sound if at_ms > one.at_ms), sys.maxsize)


def _group_by_last(
    happened: Sequence[TrueThrow | TruePlay], rulings: Sequence[_RulingEvent]
) -> list[list[_RulingEvent]]:
    """For each thing that happened what was told from then on until the next one; what came before all is left out."""
    starts_ms = [one.at_ms for one in happened]
    found: list[list[_RulingEvent]] = [[] for _ in happened]
    for event in rulings:
        number = bisect_right(starts_ms, event.at_ms) - 1
        if number >= 0:
            found[number].append(event)
    return found


def _move_early_passes(plays: Sequence[TruePlay], ruled: list[list[PlayRulingEvent]]) -> list[list[PlayRulingEvent]]:
    """A forced pass is told before the button is pressed for it, or before the next throw: it belongs to his turn."""
    for play, own, following in zip(plays[1:], ruled, ruled[1:], strict=False):
        ahead = [one for one in own if isinstance(one, PlayMade) and _is_pass_of(one, play)]
        following[:0] = ahead
        own[:] = [one for one in own if one not in ahead]
    return ruled


def _is_pass_of(ruling: PlayMade, play: TruePlay) -> bool:
    return ruling.play == "pass" and (ruling.player, ruling.numbers, ruling.before) == (
        play.player,
        play.numbers,
        play.before,
    )


def _move_late_plays(plays: Sequence[TruePlay], ruled: list[list[PlayRulingEvent]]) -> list[list[PlayRulingEvent]]:
    """Who is asked for a play answers when the other one has passed already: question and answer belong to the first."""
    for play, own, following in zip(plays, ruled, ruled[1:], strict=False):
        told = [one for one in following if isinstance(one, PlayMade) and one.evidence is Evidence.TOLD]
        if any(one.player is play.player and one.before == play.before for one in told):
            late = [one for one in following if one.player is play.player]
            own += late
            following[:] = [one for one in following if one not in late]
    return ruled


def _move_late_rolls(throws: Sequence[TrueThrow], ruled: list[list[ThrowRulingEvent]]) -> list[list[ThrowRulingEvent]]:
    """Who is asked for an overlooked throw answers when the other one has thrown already: it belongs to the first."""
    for throw, later, own, following in zip(throws, throws[1:], ruled, ruled[1:], strict=False):
        if (later.player, later.values) == (throw.player, throw.values):
            continue  # thrown again, and the same fell
        late = [one for one in following if isinstance(one, DiceRolled) and one.evidence is not Evidence.SEEN]
        late = [one for one in late if one.player is throw.player and one.values == throw.values]
        own += late
        following[:] = [one for one in following if one not in late]
    return ruled


def _find_throw_differences(throw: TrueThrow, ruled: Sequence[ThrowRulingEvent]) -> Iterator[Difference]:
    accepted = [_values(one) for one in ruled if isinstance(one, DiceRolled | OpeningThrown)]
    refused = [one for one in ruled if isinstance(one, ThrowRefused)]
    is_withdrawn = any(isinstance(one, RollWithdrawn) for one in ruled)
    what = f"{'-'.join(map(str, throw.values))} of {_name(throw)}"
    if any(isinstance(one, ThrowUnclear) for one in ruled):
        yield Difference(
            throw.at_ms, DifferenceKind.UNSURE if throw.is_valid else DifferenceKind.UNSURE_OF_VOID, f"throw {what}"
        )
    if not throw.is_valid:
        reasons = " and ".join(reason.value for reason in throw.reasons)
        if accepted and not is_withdrawn:
            yield Difference(throw.at_ms, DifferenceKind.INVALID_ACCEPTED, f"{what} is {reasons}; told {accepted}")
        for one in refused[:1]:
            if not set(one.reasons) & set(throw.reasons):
                told = " and ".join(reason.value for reason in one.reasons)
                yield Difference(throw.at_ms, DifferenceKind.WRONG_REASON, f"{what} is {reasons}; told {told}")
        return
    if refused and not accepted:
        told = " and ".join(reason.value for reason in refused[0].reasons)
        yield Difference(
            throw.at_ms, DifferenceKind.VALID_REFUSED, f"{what} counts; told {told}, saw {refused[0].values}"
        )
    elif not accepted:
        yield Difference(throw.at_ms, DifferenceKind.NO_ROLL, what)
    falling = tuple(sorted(throw.values, reverse=True))  # the starter's roll, after an opening throw
    if accepted and (accepted[0] != throw.values or any(values != falling for values in accepted[1:])):
        yield Difference(throw.at_ms, DifferenceKind.WRONG_ROLL, f"{what}; told {accepted}")


def _values(ruling: DiceRolled | OpeningThrown) -> tuple[int, ...]:
    return ruling.values if isinstance(ruling, DiceRolled) else (ruling.white, ruling.black)


def _name(one: TrueThrow | TruePlay) -> str:
    return "both" if one.player is None else one.player.name.capitalize()


def _find_play_differences(play: TruePlay, ruled: Sequence[PlayRulingEvent]) -> Iterator[Difference]:
    made = [one for one in ruled if isinstance(one, PlayMade)]
    refused = [one for one in ruled if isinstance(one, PlayRefused)]
    what = _turn(play)
    elsewhere = [before for before in _list_reported_starts(made, refused) if before != play.before]
    if elsewhere:
        yield Difference(play.at_ms, DifferenceKind.OUT_OF_STEP, f"{what}; told from {elsewhere[0]}")
        return
    asked = [one.sentence for one in ruled if isinstance(one, PlayUnclear)]
    if asked:
        yield Difference(play.at_ms, DifferenceKind.UNSURE, f"{what} to {play.after}{_mishap(play)}: {asked[0]}")
    if not play.is_legal and (refused or not asked):  # who asks about it has not passed it over, nor found it
        yield from _find_illegal_differences(play, refused, what)
    yield from _find_outcome_differences(play, made, ruled, what)


def _find_false_accusations(
    play: TruePlay, ruled: Sequence[PlayRulingEvent], illegal_from: Collection[str]
) -> Iterator[Difference]:
    """The first accusation where nobody did anything illegal, on this board or on the one that it names."""
    if play.is_legal:
        false = [one for one in ruled if isinstance(one, PlayRefused) and one.before not in illegal_from]
        for one in false[:1]:
            told = " and ".join(rule.value for rule in one.rules)
            yield Difference(
                play.at_ms,
                DifferenceKind.FALSE_ACCUSATION,
                f"{_turn(play)} to {play.after}; told {told} for {one.after}",
            )


def _turn(play: TruePlay) -> str:
    return f"{_name(play)} with {'-'.join(map(str, play.numbers))} from {play.before}"


def _list_reported_starts(made: Sequence[PlayMade], refused: Sequence[PlayRefused]) -> Iterator[str]:
    yield from (one.before for one in made)
    yield from (one.before for one in refused)


def _find_illegal_differences(play: TruePlay, refused: Sequence[PlayRefused], what: str) -> Iterator[Difference]:
    if not refused:
        yield Difference(play.at_ms, DifferenceKind.ILLEGAL_MISSED, f"{what} to {play.after}{_mishap(play)}")
    elif not _is_right_name(play, refused[0]):
        told = " and ".join(rule.value for rule in refused[0].rules) or " ".join(refused[0].sentences)
        sentence = f"{what}{_mishap(play)}; told {told} for {refused[0].after}"
        yield Difference(play.at_ms, DifferenceKind.WRONG_NAME, sentence)


def _find_outcome_differences(
    play: TruePlay, made: Sequence[PlayMade], ruled: Sequence[PlayRulingEvent], what: str
) -> Iterator[Difference]:
    """What is taken to stand at last: the play itself, its correction, or the board that was condoned."""
    condoned = [one.after for one in ruled if isinstance(one, PlayCondoned)]
    expected = play.after if play.is_legal else play.corrected_to
    wrong = [one.after for one in made if one.after != expected]
    if play.is_condoned:
        wrong = [*(one.after for one in made), *(after for after in condoned if after != play.after)]
    elif not play.is_legal or not made:
        wrong += condoned
    if wrong:
        yield Difference(
            play.at_ms, DifferenceKind.WRONG_PLAY, f"{what} to {expected or play.after}{_mishap(play)}; told {wrong[0]}"
        )
    elif not made and not condoned:
        yield Difference(play.at_ms, DifferenceKind.NO_RULING, f"{what} to {expected or play.after}{_mishap(play)}")


def _mishap(play: TruePlay) -> str:
    return f" ({play.mishap})" if play.mishap else ""


def _is_right_name(play: TruePlay, ruling: PlayRefused) -> bool:
    if play.sentence:
        return ruling.sentences[:1] == (play.sentence,)
    names = {name.value for name in play.breaches}
    return bool(ruling.rules) and ruling.rules[0].value in names


def _find_end_differences(truths: Sequence[TrueEvent], events: Sequence[RefereeEvent]) -> Iterator[Difference]:
    ends = [one for one in truths if isinstance(one, TrueEnd)]
    told = [one for one in events if isinstance(one, GameWon)]
    for one in told[len(ends) :]:
        yield Difference(one.at_ms, DifferenceKind.WRONG_END, f"the game is not over; told {one.player} {one.kind}")
    for true, one in zip(ends, told, strict=False):
        is_same = one.player is true.winner and (
            true.kind is None or (one.kind, one.points) == (true.kind, true.points)
        )
        if not is_same:
            yield Difference(true.at_ms, DifferenceKind.WRONG_END, f"{true}; told {one}")
    for true in ends[len(told) :]:
        yield Difference(true.at_ms, DifferenceKind.NO_RULING, f"the end of the game: {true}")


def _find_doubted_boards(
    plays: Sequence[TruePlay], throws: Sequence[TrueThrow], events: Sequence[RefereeEvent]
) -> Iterator[Difference]:
    """Between a turn that was told as it was and the next throw nobody touches the checkers."""
    ends_ms, throws_ms = [play.at_ms for play in plays], [throw.at_ms for throw in throws]
    told = ""
    for event in events:
        if isinstance(event, PlayMade | PlayCondoned):
            told = event.after
        if not isinstance(event, BoardDiffers):
            continue
        number = bisect_right(ends_ms, event.at_ms) - 1
        is_untouched = number >= 0 and not any(ends_ms[number] < at_ms <= event.at_ms for at_ms in throws_ms)
        if is_untouched and told == plays[number].stood:
            places = " ".join((*event.extra, *event.missing))
            yield Difference(
                event.at_ms, DifferenceKind.BOARD_DOUBTED, f"{told} of {_name(plays[number])}; told {places}"
            )


def _count_unsure_turns(plays: Sequence[TruePlay], differences: Sequence[Difference]) -> int:
    """Turns in which a question was asked about throw or play, and those in which the referee had nothing to say."""
    ends_ms = [play.at_ms for play in plays]
    open_ones = (
        *QUESTIONS,
        DifferenceKind.BOARD_DOUBTED,
        DifferenceKind.NO_RULING,
        DifferenceKind.NO_ROLL,
        DifferenceKind.OUT_OF_STEP,
    )
    return len({bisect_right(ends_ms, one.at_ms - 1) for one in differences if one.kind in open_ones})


def _compute_latencies(throws: Sequence[TrueThrow], on_throws: Sequence[Sequence[ThrowRulingEvent]]) -> Iterator[int]:
    for throw, ruled in zip(throws, on_throws, strict=True):
        told = [one.at_ms for one in ruled if isinstance(one, DiceRolled | OpeningThrown)]
        if throw.is_valid and told:
            yield told[0] - throw.at_ms
