"""Observes pictures of settled scenes that were taken seconds apart; dice events follow from comparing two pictures.

Nothing is known of the time between two pictures. A die in the same place is the same die; a die a little further with
the same face was pushed. If no die of a throw lies where it lay and other dice are there, the dice were thrown again. A
throw with no die left was lifted; of a throw with some dice left the others are hidden, for instance by a checker.
Pictures with a hand are never judged: neither their board nor their dice count. A die is read from all pictures of the
place where it first lay, so a later picture may complete an earlier one.
"""

from dataclasses import dataclass, replace

from controller.observing.observation import Observation
from controller.observing.pooling import tabulate_reading
from vision.board.board_reading import BoardReading
from vision.dice.readings import DieReading, DieState
from vision.dice_tracking.assignment import assign_pairs
from vision.dice_tracking.events import DiceEvent, DiceLifted, DiceSettled, DieMoved, DieTurned, ExtraDice, SettledDie
from vision.dice_tracking.fusion import fuse_readings, measure_distance_edges


@dataclass(frozen=True, slots=True, kw_only=True)
class StillLimits:
    """Knobs; lengths are in edges of the die in the picture."""

    unmoved: float = 0.3  # a die within this distance is unmoved
    pushed: float = 2.5  # a die within this distance, with the same face, was pushed; more takes new throws for pushes
    turned_confidence: float = 0.99  # posterior of both faces from which a different face is a turned die
    board_moved_mm: float = 4.0  # displacement from the calibration beyond which the board is not judged


DEFAULT_STILL_LIMITS = StillLimits()


@dataclass(frozen=True, slots=True)
class StillDie:
    """A settled die, and its reading in the last picture without a hand.

    `readings`: all readings in the place where it came to rest, with one face; empty once it was pushed or turned.
    """

    die: SettledDie
    latest: DieReading
    readings: tuple[DieReading, ...] = ()


@dataclass(frozen=True, slots=True)
class StillsWindow:
    """The memory between pictures; a default window begins a series."""

    dice: tuple[StillDie, ...] = ()
    next_number: int = 1


def observe_still(
    window: StillsWindow, reading: BoardReading, *, limits: StillLimits = DEFAULT_STILL_LIMITS
) -> tuple[StillsWindow, Observation]:
    """Advances by one picture; its board counts as settled unless a hand is in view."""
    evidence = tabulate_reading(reading).evidence
    events: tuple[DiceEvent, ...] = ()
    if not reading.hand_in_view:
        window, events = _compare_dice(window, reading.dice, reading.taken_ms, limits)
    is_judged = not reading.hand_in_view and reading.board_moved_mm <= limits.board_moved_mm
    is_judged = is_judged and reading.picture_fault is None
    return window, Observation(
        taken_ms=reading.taken_ms,
        frame_evidence=evidence,
        board=evidence if is_judged else None,
        dice_events=events,
        dice=tuple(one.die for one in window.dice),
        cube=reading.cube,
        hand_in_view=reading.hand_in_view,
        board_moved_mm=reading.board_moved_mm,
    )


def _compare_dice(
    window: StillsWindow, dice: tuple[DieReading, ...], now_ms: int, limits: StillLimits
) -> tuple[StillsWindow, tuple[DiceEvent, ...]]:
    """Matches the dice of the previous picture with those of this one, and finds the new dice."""
    unmoved = _assign_dice(window.dice, dice, limits.unmoved, same_face=False)
    left = tuple(die for die in dice if die not in unmoved.values())
    others = tuple(one for one in window.dice if one not in unmoved)
    pushed = _assign_dice(others, left, limits.pushed, same_face=True)
    new = [die for die in left if die not in pushed.values()]
    stay: list[StillDie] = []
    events: list[DiceEvent] = []
    lifted: list[SettledDie] = []
    for of_throw in _group_by_throw(window.dice):
        lost = [one for one in of_throw if one not in unmoved and one not in pushed]
        seen = {one: unmoved.get(one) or pushed.get(one) for one in of_throw}
        if lost and new and any(_is_unmoved(one, unmoved.get(one), limits) for one in of_throw):
            # A new throw moves both dice. If one is unmoved, the other was pushed or turned.
            seen |= {one: new.pop(0) for one in lost[: len(new)]}
        elif lost and (new or len(lost) == len(of_throw)):
            lifted += [one.die for one in of_throw]
            new += [die for die in seen.values() if die is not None]
            continue
        for one, die in seen.items():
            die_events, updated = _update_die(one, die, now_ms, limits)
            events += die_events
            stay.append(updated)
    if lifted:
        events.insert(0, DiceLifted(tuple(lifted), tuple(one.die for one in stay), now_ms))
    return _add_new_dice(window, stay, new, events, now_ms)


def _is_unmoved(one: StillDie, die: DieReading | None, limits: StillLimits) -> bool:
    """Whether the die is in its place with no other face; with another face it may be a die of a new throw."""
    return die is not None and not _is_turned(one, die, limits)


def _is_turned(one: StillDie, die: DieReading, limits: StillLimits) -> bool:
    """Whether the die surely shows another face than before."""
    sure = min(die.value_confidence, one.latest.value_confidence) >= limits.turned_confidence
    return sure and die.value != one.latest.value


def _group_by_throw(dice: tuple[StillDie, ...]) -> list[list[StillDie]]:
    """Groups dice: all dice on the board form one throw, and each die off the board is a group of its own."""
    off_board = [one for one in dice if one.die.reading.lies is DieState.OFF_BOARD]
    on_board = [one for one in dice if one not in off_board]
    return [*([on_board] if on_board else []), *([one] for one in off_board)]


def _assign_dice(
    kept: tuple[StillDie, ...], dice: tuple[DieReading, ...], most_sizes: float, *, same_face: bool
) -> dict[StillDie, DieReading]:
    """Assigns dice of the picture to the kept dice by least total cost, up to a distance of `most_sizes` edges."""
    never = most_sizes**2 + 1
    costs = [
        [
            never
            if same_face and die.value != one.latest.value
            else measure_distance_edges(die, one.latest.centre_px) ** 2
            for die in dice
        ]
        for one in kept
    ]
    pairs = assign_pairs(costs, most_sizes**2)
    return {one: dice[pair] for one, pair in zip(kept, pairs, strict=True) if pair is not None}


def _update_die(
    one: StillDie, die: DieReading | None, now_ms: int, limits: StillLimits
) -> tuple[list[DiceEvent], StillDie]:
    """The events of a kept die, and its new state; `die` is None while it is hidden."""
    if die is None:
        return [], one
    events: list[DiceEvent] = []
    if measure_distance_edges(die, one.latest.centre_px) > limits.unmoved:
        events.append(DieMoved(one.die, one.latest.centre_px, die, now_ms))
        one = replace(one, readings=())
    if _is_turned(one, die, limits):
        events.append(DieTurned(one.die, one.latest.value, die.value, now_ms))
        return events, StillDie(one.die, die)
    if die.value != one.latest.value and not one.readings:
        return events, replace(one, latest=replace(one.latest, centre_px=die.centre_px))
    return events, _merge_reading(one, die)


def _merge_reading(one: StillDie, die: DieReading) -> StillDie:
    """Fuses a new reading with those at rest; a die that left its place of rest keeps the reading of its rest."""
    if not one.readings:
        return replace(one, latest=die)
    readings = (*one.readings, die)
    fused = fuse_readings(readings)
    return StillDie(replace(one.die, reading=fused), replace(fused, centre_px=die.centre_px), readings)


def _add_new_dice(
    window: StillsWindow, stay: list[StillDie], new: list[DieReading], events: list[DiceEvent], now_ms: int
) -> tuple[StillsWindow, tuple[DiceEvent, ...]]:
    if not new:
        return replace(window, dice=tuple(stay)), tuple(events)
    first = window.next_number
    settled = tuple(SettledDie(first + place, first, die, now_ms) for place, die in enumerate(new))
    lay_before = tuple(one.die for one in stay)
    event = ExtraDice(settled, lay_before, now_ms) if lay_before else DiceSettled(settled, now_ms)
    dice = (*stay, *(StillDie(one, one.reading, (one.reading,)) for one in settled))
    return StillsWindow(dice, first + len(settled)), (*events, event)
