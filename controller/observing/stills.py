"""Pictures of settled scenes, seconds apart: each is an observation of its own, and dice are told by comparing them.

Nothing is seen between two pictures. A die that lies where it lay is the same one; a die a little further with the
same face was pushed. Where neither die of a throw lies as it lay, and others lie there, it was thrown anew. A throw
of which no die is left was lifted; one of which some are left has the others hidden, below a checker that was moved.
Pictures with a hand are never judged: neither their board nor their dice count.
A die is read from all looks at it where it first lay: what one picture leaves open, a later one may tell.
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
    """Lengths in edges of the die as it is seen."""

    unmoved: float = 0.3  # a die within this lies where it lay
    pushed: float = 2.5  # and within this, with the same face, was pushed; more keeps more throws for one
    turned_confidence: float = 0.99  # posterior of both faces from which another one is told
    board_moved_mm: float = 4.0  # a board that lies elsewhere than it was calibrated is not judged


DEFAULT_STILL_LIMITS = StillLimits()


@dataclass(frozen=True, slots=True)
class StillDie:
    """A settled die and how the last picture without a hand shows it.

    `looks`: all of it where it came to rest, with one face; none any more once it was pushed or turned.
    """

    die: SettledDie
    latest: DieReading
    readings: tuple[DieReading, ...] = ()


@dataclass(frozen=True, slots=True)
class StillsWindow:
    """All that is remembered from picture to picture; the empty one begins."""

    dice: tuple[StillDie, ...] = ()
    next_number: int = 1


def observe_still(
    window: StillsWindow, reading: BoardReading, *, limits: StillLimits = DEFAULT_STILL_LIMITS
) -> tuple[StillsWindow, Observation]:
    """One picture further. Its board counts as settled, unless a hand is in view."""
    seen = tabulate_reading(reading).evidence
    events: tuple[DiceEvent, ...] = ()
    if not reading.hand_in_view:
        window, events = _compare_dice(window, reading.dice, reading.taken_ms, limits)
    is_judged = not reading.hand_in_view and reading.board_moved_mm <= limits.board_moved_mm
    return window, Observation(
        taken_ms=reading.taken_ms,
        frame_evidence=seen,
        board=seen if is_judged else None,
        dice_events=events,
        dice=tuple(one.die for one in window.dice),
        cube=reading.cube,
        hand_in_view=reading.hand_in_view,
        board_moved_mm=reading.board_moved_mm,
    )


def _compare_dice(
    window: StillsWindow, dice: tuple[DieReading, ...], now_ms: int, limits: StillLimits
) -> tuple[StillsWindow, tuple[DiceEvent, ...]]:
    """What became of the dice of the picture before, and which are new."""
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
            # a throw moves both dice: with one lying as it lay, the other was pushed or turned
            seen |= {one: new.pop(0) for one in lost[: len(new)]}
        elif lost and (new or len(lost) == len(of_throw)):
            lifted += [one.die for one in of_throw]
            new += [die for die in seen.values() if die is not None]
            continue
        for one, die in seen.items():
            told, now = _update_die(one, die, now_ms, limits)
            events += told
            stay.append(now)
    if lifted:
        events.insert(0, DiceLifted(tuple(lifted), tuple(one.die for one in stay), now_ms))
    return _add_new_dice(window, stay, new, events, now_ms)


def _is_unmoved(one: StillDie, die: DieReading | None, limits: StillLimits) -> bool:
    """Whether it is seen at its place and shows no other face: another die of a new throw may have come to lie there."""
    return die is not None and not _is_turned(one, die, limits)


def _is_turned(one: StillDie, die: DieReading, limits: StillLimits) -> bool:
    """Surely another face."""
    sure = min(die.value_confidence, one.latest.value_confidence) >= limits.turned_confidence
    return sure and die.value != one.latest.value


def _group_by_throw(dice: tuple[StillDie, ...]) -> list[list[StillDie]]:
    """Those on the board belong together, however many of them the first picture showed; others lie each for itself."""
    off_board = [one for one in dice if one.die.reading.lies is DieState.OFF_BOARD]
    on_board = [one for one in dice if one not in off_board]
    return [*([on_board] if on_board else []), *([one] for one in off_board)]


def _assign_dice(
    kept: tuple[StillDie, ...], dice: tuple[DieReading, ...], most_sizes: float, *, same_face: bool
) -> dict[StillDie, DieReading]:
    """Which die of the picture each kept one is, if it lies no further than `most_sizes` away."""
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
    """What a kept die shows now; None while it is hidden."""
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
    """As all looks tell it; a die that does not lie where it came to rest keeps the reading of its rest."""
    if not one.readings:
        return replace(one, latest=die)
    looks = (*one.readings, die)
    together = fuse_readings(looks)
    return StillDie(replace(one.die, reading=together), replace(together, centre_px=die.centre_px), looks)


def _add_new_dice(
    window: StillsWindow, stay: list[StillDie], new: list[DieReading], events: list[DiceEvent], now_ms: int
) -> tuple[StillsWindow, tuple[DiceEvent, ...]]:
    if not new:
        return replace(window, dice=tuple(stay)), tuple(events)
    first = window.next_number
    settled = tuple(SettledDie(first + place, first, die, now_ms) for place, die in enumerate(new))
    lay_before = tuple(one.die for one in stay)
    told = ExtraDice(settled, lay_before, now_ms) if lay_before else DiceSettled(settled, now_ms)
    dice = (*stay, *(StillDie(one, one.reading, (one.reading,)) for one in settled))
    return StillsWindow(dice, first + len(settled)), (*events, told)
