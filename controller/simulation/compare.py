"""Compares the referee's events with the truth of the simulated table, turn by turn: the end-to-end test.

A ruling belongs to the last true event of its kind before it: rulings on throws to throws, rulings on plays to ends of
turns. After a wrong ruling the referee's board differs from the table; such turns count as out of step.
"""

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from itertools import starmap
from typing import TypeVar

from controller.match import (
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
from controller.simulation.staging import TrueContinuation, TrueEnd, TrueEvent, TrueOrder, TruePlay, TrueThrow


class DifferenceKind(Enum):
    """The kinds of difference between referee and truth, the gravest first."""

    WRONG_ROLL = "wrong roll accepted"
    INVALID_ACCEPTED = "invalid throw accepted"
    FALSE_ACCUSATION = "legal play refused"
    WRONG_PLAY = "another play ruled than was made"
    ILLEGAL_MISSED = "illegal play not found"
    WRONG_END = "wrong end of the game"
    VALID_REFUSED = "valid throw refused"
    WRONG_NAME = "illegal play found under another name"
    WRONG_REASON = "throw refused for another reason"
    NO_RULING = "nothing said about a turn"
    NO_ROLL = "nothing said about a valid throw"
    UNSURE = "unsure"
    UNSURE_OF_VOID = "unsure of a throw that does not count"
    BOARD_DOUBTED = "a correct board reported as wrong"
    OUT_OF_STEP = "ruled from another board than the true one"


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
    """One difference between referee and truth, with a line that helps to find its cause."""

    at_ms: int
    kind: DifferenceKind
    sentence: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The counts of one game, or the sum of many."""

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
        return Comparison(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def count(self, *misses: DifferenceKind) -> int:
        return sum(one.kind in misses for one in self.differences)

    @property
    def wrong_rulings(self) -> int:
        return self.count(*WRONG_RULINGS)


def compare(truths: Sequence[TrueEvent], events: Sequence[RefereeEvent]) -> Comparison:
    """The comparison of one game: rulings on throws, on plays and on the end; other events do not count.

    From an order of the operator until the players have followed it nothing is compared: what was true then is not known.
    """
    if not any(isinstance(one, TrueOrder) for one in truths):
        return _compare_part(truths, events)
    return sum(starmap(_compare_part, _split_at_orders(truths, events)), Comparison())


def _split_at_orders(
    truths: Sequence[TrueEvent], events: Sequence[RefereeEvent]
) -> Iterator[tuple[list[TrueEvent], list[RefereeEvent]]]:
    """The parts of a game between the orders of an operator."""
    part, begins_ms, is_open = list[TrueEvent](), -1, True
    for one in (*truths, TrueOrder(sys.maxsize)):
        match one:
            case TrueOrder() if is_open:
                rulings = [event for event in events if begins_ms < event.at_ms < one.at_ms]
                yield (part, rulings) if one.at_ms == sys.maxsize else _without_open_end(part, rulings)
                part, is_open = [], False
            case TrueContinuation() if not is_open:
                begins_ms, is_open = one.at_ms, True
            case TrueOrder() | TrueContinuation():
                pass
            case _:
                part += [one] * is_open


def _without_open_end(
    part: Sequence[TrueEvent], rulings: Sequence[RefereeEvent]
) -> tuple[list[TrueEvent], list[RefereeEvent]]:
    """Without the last throw and play where nothing is ruled about them yet, and without a win by the last play: the film
    says only after it that the game is over.
    """
    last_ms = max((one.at_ms for one in rulings if isinstance(one, ThrowRulingEvent | PlayRulingEvent)), default=-1)
    played_ms = max((one.at_ms for one in part if isinstance(one, TruePlay)), default=-1)
    is_ended = any(isinstance(one, TrueEnd) for one in part)
    ruled = [one for one in rulings if is_ended or not isinstance(one, GameWon) or one.at_ms < played_ms]
    return [one for one in part if one.at_ms <= last_ms or isinstance(one, TrueEnd)], ruled


def _compare_part(truths: Sequence[TrueEvent], events: Sequence[RefereeEvent]) -> Comparison:
    throws = [one for one in truths if isinstance(one, TrueThrow)]
    plays = [one for one in truths if isinstance(one, TruePlay)]
    on_throws = _move_late_rolls(
        throws, _group_by_last(throws, [one for one in events if isinstance(one, ThrowRulingEvent)])
    )
    on_plays = _group_by_last(plays, [one for one in events if isinstance(one, PlayRulingEvent)])
    on_plays = _move_late_plays(plays, _move_early_passes(plays, on_plays))
    is_last_open = bool(plays) and plays[-1].is_condoned and not any(throw.at_ms > plays[-1].at_ms for throw in throws)
    illegal_from = {play.before for play in plays if not play.is_legal}
    found = [
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
    if is_last_open:  # the film ends before the throw that condones the last play
        found = [one for one in found if one.at_ms != plays[-1].at_ms or one.kind is not DifferenceKind.NO_RULING]
    differences = tuple(_keep_causes(plays, sorted(found, key=lambda one: one.at_ms)))
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
    """Drops differences that only follow from a wrong board: until a turn is ruled correctly, turns are out of step.

    A false accusation stays, because a referee with a wrong board must ask instead. A turn that is out of step without
    an earlier difference becomes WRONG_PLAY.
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
        is_causeless = one.kind is DifferenceKind.OUT_OF_STEP and not is_followed
        yield replace(one, kind=DifferenceKind.WRONG_PLAY) if is_causeless else one
        if one.kind in _BOARD_DOUBTFUL_AFTER:
            doubted_ms = one.at_ms
        if one.kind in _BOARD_LOST_AFTER:
            lost_until_ms = next((at_ms for at_ms in sound if at_ms > one.at_ms), sys.maxsize)


def _group_by_last(
    happened: Sequence[TrueThrow | TruePlay], rulings: Sequence[_RulingEvent]
) -> list[list[_RulingEvent]]:
    """For each true event the rulings from its time until the next one; rulings before the first are left out."""
    starts_ms = [one.at_ms for one in happened]
    found: list[list[_RulingEvent]] = [[] for _ in happened]
    for event in rulings:
        number = bisect_right(starts_ms, event.at_ms) - 1
        if number >= 0:
            found[number].append(event)
    return found


def _move_early_passes(plays: Sequence[TruePlay], ruled: list[list[PlayRulingEvent]]) -> list[list[PlayRulingEvent]]:
    """Moves a forced pass to its own turn: it is ruled before the button press, or before the next throw."""
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
    """Moves question and answer about a play back to its turn, if the opponent has passed or played before the answer."""
    for play, own, following in zip(plays, ruled, ruled[1:], strict=False):
        answers = [one for one in following if isinstance(one, PlayMade) and one.evidence is not Evidence.SEEN]
        if any(one.player is play.player and one.before == play.before for one in answers):
            late = [one for one in following if one.player is play.player]
            own += late
            following[:] = [one for one in following if one not in late]
    return ruled


def _move_late_rolls(throws: Sequence[TrueThrow], ruled: list[list[ThrowRulingEvent]]) -> list[list[ThrowRulingEvent]]:
    """Moves what is known late of a throw back to it, if the opponent has thrown before."""
    for throw, later, own, following in zip(throws, throws[1:], ruled, ruled[1:], strict=False):
        if (later.player, later.values) == (throw.player, throw.values):
            continue  # a second throw with the same numbers
        late = [
            one
            for one in following
            if isinstance(one, DiceRolled) and one.player is throw.player and one.values == throw.values
        ]
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
            yield Difference(throw.at_ms, DifferenceKind.INVALID_ACCEPTED, f"{what} is {reasons}; ruled {accepted}")
        for one in refused[:1]:
            if not set(one.reasons) & set(throw.reasons):
                ruled_as = " and ".join(reason.value for reason in one.reasons)
                yield Difference(throw.at_ms, DifferenceKind.WRONG_REASON, f"{what} is {reasons}; ruled {ruled_as}")
        return
    if refused and not accepted:
        ruled_as = " and ".join(reason.value for reason in refused[0].reasons)
        sentence = f"{what} counts; ruled {ruled_as}, saw {refused[0].values}"
        yield Difference(throw.at_ms, DifferenceKind.VALID_REFUSED, sentence)
    elif not accepted:
        yield Difference(throw.at_ms, DifferenceKind.NO_ROLL, what)
    falling = tuple(sorted(throw.values, reverse=True))  # the starter's roll, after an opening throw
    if accepted and (accepted[0] != throw.values or any(values != falling for values in accepted[1:])):
        yield Difference(throw.at_ms, DifferenceKind.WRONG_ROLL, f"{what}; ruled {accepted}")


def _values(ruling: DiceRolled | OpeningThrown) -> tuple[int, ...]:
    return ruling.values if isinstance(ruling, DiceRolled) else (ruling.white, ruling.black)


def _name(one: TrueThrow | TruePlay) -> str:
    return "both" if one.player is None else one.player.name.capitalize()


def _find_play_differences(play: TruePlay, ruled: Sequence[PlayRulingEvent]) -> Iterator[Difference]:
    made = [one for one in ruled if isinstance(one, PlayMade)]
    refused = [one for one in ruled if isinstance(one, PlayRefused)]
    what = _turn(play)
    reported = (*(one.before for one in made), *(one.before for one in refused))
    elsewhere = [before for before in reported if before != play.before]
    if elsewhere:
        yield Difference(play.at_ms, DifferenceKind.OUT_OF_STEP, f"{what}; ruled from {elsewhere[0]}")
        return
    asked = [one.sentence for one in ruled if isinstance(one, PlayUnclear)]
    if asked:
        yield Difference(play.at_ms, DifferenceKind.UNSURE, f"{what} to {play.after}{_mishap(play)}: {asked[0]}")
    if not play.is_legal and (refused or not asked):  # a question about an illegal play neither finds nor misses it
        yield from _find_illegal_differences(play, refused, what)
    yield from _find_outcome_differences(play, made, ruled, what)


def _find_false_accusations(
    play: TruePlay, ruled: Sequence[PlayRulingEvent], illegal_from: Collection[str]
) -> Iterator[Difference]:
    """The first accusation of a legal play, unless an illegal play was made from the board that it names."""
    if play.is_legal:
        false = [one for one in ruled if isinstance(one, PlayRefused) and one.before not in illegal_from]
        for one in false[:1]:
            sentence = (
                f"{_turn(play)} to {play.after}; ruled {' and '.join(rule.value for rule in one.rules)} for {one.after}"
            )
            yield Difference(play.at_ms, DifferenceKind.FALSE_ACCUSATION, sentence)


def _turn(play: TruePlay) -> str:
    return f"{_name(play)} with {'-'.join(map(str, play.numbers))} from {play.before}"


def _find_illegal_differences(play: TruePlay, refused: Sequence[PlayRefused], what: str) -> Iterator[Difference]:
    if not refused:
        yield Difference(play.at_ms, DifferenceKind.ILLEGAL_MISSED, f"{what} to {play.after}{_mishap(play)}")
    elif not _is_right_name(play, refused[0]):
        named = " and ".join(rule.value for rule in refused[0].rules) or " ".join(refused[0].sentences)
        sentence = f"{what}{_mishap(play)}; ruled {named} for {refused[0].after}"
        yield Difference(play.at_ms, DifferenceKind.WRONG_NAME, sentence)


def _find_outcome_differences(
    play: TruePlay, made: Sequence[PlayMade], ruled: Sequence[PlayRulingEvent], what: str
) -> Iterator[Difference]:
    """Checks the board that finally stands: the play itself, its correction, or the board that was condoned."""
    condoned = [one.after for one in ruled if isinstance(one, PlayCondoned)]
    expected = play.after if play.is_legal else play.corrected_to
    wrong = [one.after for one in made if one.after != expected]
    if play.is_condoned:
        wrong = [*(one.after for one in made), *(after for after in condoned if after != play.after)]
    elif not play.is_legal or not made:
        wrong += condoned
    if wrong:
        yield Difference(
            play.at_ms,
            DifferenceKind.WRONG_PLAY,
            f"{what} to {expected or play.after}{_mishap(play)}; ruled {wrong[0]}",
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
    wins = [one for one in events if isinstance(one, GameWon)]
    for one in wins[len(ends) :]:
        yield Difference(one.at_ms, DifferenceKind.WRONG_END, f"the game is not over; ruled {one.player} {one.kind}")
    for true, one in zip(ends, wins, strict=False):
        is_same = one.player is true.winner and (
            true.kind is None or (one.kind, one.points) == (true.kind, true.points)
        )
        if not is_same:
            yield Difference(true.at_ms, DifferenceKind.WRONG_END, f"{true}; ruled {one}")
    for true in ends[len(wins) :]:
        yield Difference(true.at_ms, DifferenceKind.NO_RULING, f"the end of the game: {true}")


def _find_doubted_boards(
    plays: Sequence[TruePlay], throws: Sequence[TrueThrow], events: Sequence[RefereeEvent]
) -> Iterator[Difference]:
    """False alarms about the board: between a correctly ruled turn and the next throw nobody touches the checkers."""
    ends_ms, throws_ms = [play.at_ms for play in plays], [throw.at_ms for throw in throws]
    ruled_board = ""
    for event in events:
        if isinstance(event, PlayMade | PlayCondoned):
            ruled_board = event.after
        if not isinstance(event, BoardDiffers):
            continue
        number = bisect_right(ends_ms, event.at_ms) - 1
        is_untouched = number >= 0 and not any(ends_ms[number] < at_ms <= event.at_ms for at_ms in throws_ms)
        if is_untouched and ruled_board == plays[number].stood:
            sentence = f"{ruled_board} of {_name(plays[number])}; ruled {' '.join((*event.extra, *event.missing))}"
            yield Difference(event.at_ms, DifferenceKind.BOARD_DOUBTED, sentence)


def _count_unsure_turns(plays: Sequence[TruePlay], differences: Sequence[Difference]) -> int:
    """Turns with a question about throw or play, and turns without a ruling."""
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
        times_ms = [one.at_ms for one in ruled if isinstance(one, DiceRolled | OpeningThrown)]
        if throw.is_valid and times_ms:
            yield times_ms[0] - throw.at_ms
