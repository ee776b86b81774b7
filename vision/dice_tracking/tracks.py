"""How long dice must lie still and what counts as still: the parameters of `dice_rest.py` and `dice_kept.py`.

Dice that have settled, for as long as they lie there: followed, compared at each rest, missed, and found again.

A kept die never changes its value and its reading. `dice_rest.py` tells the theory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import exp

from vision.dice.readings import DieReading
from vision.dice_tracking.assignment import assign_pairs
from vision.dice_tracking.events import (
    DiceEvent,
    DiceFound,
    DiceLifted,
    DiceSettled,
    DieMoved,
    DieTurned,
    ExtraDice,
    SettledDie,
)
from vision.dice_tracking.fusion import FusionLimits, measure_distance_edges


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackingLimits:
    """Times in ms; lengths in edges of the die as it is seen, the same at every resolution."""

    rest_ms: int = 500
    min_observations: int = 3  # however few frames come, one or two are no rest
    max_observations: int = 16  # half a second at 30 frames a second; older ones are forgotten
    most_dice: int = 8  # two pairs are four; of more than these the surest are taken
    noise: float = 0.15  # 2 mm of a 14 mm die: readings of a die at rest scatter less
    moved: float = 0.25  # from here a settled die has been pushed
    least_reach: float = 0.5  # what a hand may push a die between two frames: this,
    reach_a_second: float = 30.0  # this much more with time (0.4 m a second),
    longest_reach: float = 3.0  # and never more; beyond it another die may be meant
    face_change_cost: float = 20.0  # a die came from so much further away rather than that it shows another face
    least_share: float = 0.3  # of the looks: what fewer show is no die
    sure_share: float = 0.7  # from here it certainly is one
    ghost_confidence: float = (
        0.4  # less sure of how it lies, and where no kept die lies, it is none of those and no new one
    )
    sure_die_p: float = 0.99  # nor is what so surely is one, however it lies, if it is as large as they are
    other_size_ghost_confidence: float = 0.8  # the same of what is not about as large as the kept dice,
    size_tolerance: float = (
        0.25  # within this share of the larger one: dice near the camera and far from it differ by less
    )
    turned_confidence: float = 0.99  # posterior of another face from which it is told
    lifted_ms: int = 400  # all dice that settled together are missing
    one_lifted_ms: int = 1000  # only some of them are: something may hide them
    refound_edges: float = 0.07  # one of several lifted dice lies where it lay: no throw comes to rest so exactly there
    gone_ms: int = 200  # out of view for so long, no hand in view, a die was away
    gap_ms: int = 1000  # and where no frame came for so long nobody knows
    fusion: FusionLimits = field(default_factory=FusionLimits)


# At a new rest no way is too long: a hand may have pushed the die right across the board. Squared sizes.
_MAX_COST, _FORBIDDEN_COST = 1e6, 2e6


@dataclass(frozen=True, slots=True)
class ConfirmedTrack:
    """A die that settled, and where it is now."""

    die: SettledDie
    reported_px: tuple[float, float]  # where it lay when that was last told
    last_px: tuple[float, float]  # where it was last seen, followed through motion
    reported_face: int  # the face told last
    absent_since_ms: int | None = None  # of this rest; None while it is seen, or while nobody can tell
    unseen_since_ms: int | None = None  # at rest or not, no hand in view; None while it is seen
    was_gone: bool = False  # since it was told where it lies
    was_lost: bool = False  # likewise, in a frame at least: whatever is seen near may be another one


@dataclass(frozen=True, slots=True)
class ConfirmedTracks:
    """All dice that lie there, and the last that were told as lifted, in case they had only been hidden."""

    dice: tuple[ConfirmedTrack, ...] = ()
    gone: tuple[ConfirmedTrack, ...] = ()
    next_number: int = 1

    @property
    def settled(self) -> tuple[SettledDie, ...]:
        return tuple(one.die for one in self.dice)


TrackUpdate = tuple[ConfirmedTracks, tuple[DiceEvent, ...]]


def follow(
    kept: ConfirmedTracks,
    dice: Sequence[DieReading],
    now_ms: int,
    *,
    passed_ms: int,
    hand_in_view: bool,
    limits: TrackingLimits,
) -> ConfirmedTracks:
    """With the places where a frame shows the kept dice, if they can have come so far since the frame before."""
    reach = min(limits.longest_reach, limits.least_reach + limits.reach_a_second * passed_ms / 1000)
    pairs = assign_pairs([[_compute_squared_distance(one, die, limits) for die in dice] for one in kept.dice], reach**2)
    if passed_ms >= limits.gap_ms:
        kept = replace(kept, dice=tuple(replace(one, was_gone=True, was_lost=True) for one in kept.dice))
    may_hide = hand_in_view or any(number not in pairs for number in range(len(dice)))  # or it is one of these
    moved = (
        _mark_unseen(one, now_ms, may_hide, limits) if pair is None else _mark_seen(one, dice[pair], limits)
        for one, pair in zip(kept.dice, pairs, strict=True)
    )
    return replace(kept, dice=tuple(moved))


def _mark_seen(one: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> ConfirmedTrack:
    now = replace(one, last_px=die.centre_px, unseen_since_ms=None)
    return replace(now, was_gone=False, was_lost=False) if _lies_as_before(one, die, limits) else now


def _mark_unseen(one: ConfirmedTrack, now_ms: int, may_hide: bool, limits: TrackingLimits) -> ConfirmedTrack:
    one = replace(one, was_lost=True)
    if may_hide:
        return replace(one, unseen_since_ms=None)
    since_ms = now_ms if one.unseen_since_ms is None else one.unseen_since_ms
    return replace(one, unseen_since_ms=since_ms, was_gone=one.was_gone or now_ms - since_ms >= limits.gone_ms)


def reset_absence(kept: ConfirmedTracks) -> ConfirmedTracks:
    """Nobody can tell now whether a die is missing: the clocks of lifting begin anew."""
    return replace(kept, dice=tuple(replace(one, absent_since_ms=None) for one in kept.dice))


def match_rested_dice(
    kept: ConfirmedTracks, present: Sequence[DieReading], now_ms: int, limits: TrackingLimits
) -> TrackUpdate:
    """What dice that have lain still for long enough tell about those kept; those that are none of them are kept too."""
    before, pairs = kept.dice, _match_tracks(kept, present, limits)
    events: tuple[DiceEvent, ...] = ()
    dice = []
    for one, pair in zip(before, pairs, strict=True):
        now, told = (one, ()) if pair is None else _update_track(one, present[pair], now_ms, limits)
        dice.append(now)
        events += told
    new = [die for number, die in enumerate(present) if number not in pairs]
    kept, found = _restore_refound(replace(kept, dice=tuple(dice)), new, now_ms, limits)
    new = [die for die in new if not any(_lies_as_before(one, die, limits) for one in kept.dice)]
    taken_for = [(one, present[pair]) for one, pair in zip(before, pairs, strict=True) if pair is not None]
    perhaps_old = [any(_may_be_old(die, one, now, limits) for one, now in taken_for) for die in new]
    kept, settled = _add_tracks(kept, new, perhaps_old, now_ms)
    return kept, events + found + settled


def _may_be_old(die: DieReading, one: ConfirmedTrack, now: DieReading, limits: TrackingLimits) -> bool:
    """Whether a new die may be the kept one, and what that is taken for be new, which shows another face.

    What lies elsewhere with another face may be any of them if it was lost in between, or lies further from where it was last seen than
    a die is followed. What lies so far off with its own face may rather have been tipped where it lay.
    """
    if die.value == now.value:
        return False
    has_jumped = _compute_squared_distance(one, now, limits) > limits.longest_reach**2
    if now.value != one.reported_face:
        return has_jumped or (one.was_lost and measure_distance_edges(now, one.reported_px) > limits.moved)
    return has_jumped and measure_distance_edges(die, one.last_px) <= limits.longest_reach


def is_ghost(die: DieReading, kept: ConfirmedTracks, limits: TrackingLimits) -> bool:
    """Whether it hardly looks like a die, beside dice that settled: their places would be taken by it once they are lifted.

    A gap between four checkers does, and is smaller than the dice. What surely is a die of their size is none, though nobody can
    tell how it lies.
    """
    if not kept.dice or _lies_at_track(die, kept, limits):
        return False
    if _is_similar_in_size(die, kept, limits):
        return die.die_chance < limits.sure_die_p and die.likeliest_lie_p < limits.ghost_confidence
    return die.likeliest_lie_p < limits.other_size_ghost_confidence


def _is_similar_in_size(die: DieReading, kept: ConfirmedTracks, limits: TrackingLimits) -> bool:
    sizes_px = [one.die.reading.size_px for one in kept.dice]
    return any(abs(die.size_px - size_px) <= limits.size_tolerance * max(die.size_px, size_px) for size_px in sizes_px)


def _lies_at_track(die: DieReading, kept: ConfirmedTracks, limits: TrackingLimits) -> bool:
    return any(measure_distance_edges(die, one.reported_px) <= limits.noise for one in kept.dice)


def mark_missing(
    kept: ConfirmedTracks, present: Sequence[DieReading], now_ms: int, limits: TrackingLimits
) -> ConfirmedTracks:
    """With the clocks of those dice running that a resting scene does not show."""
    dice = []
    for one, pair in zip(kept.dice, _match_tracks(kept, present, limits), strict=True):
        since_ms = now_ms if one.absent_since_ms is None else one.absent_since_ms
        dice.append(replace(one, absent_since_ms=since_ms if pair is None else None))
    return replace(kept, dice=tuple(dice))


def remove_lifted(kept: ConfirmedTracks, now_ms: int, limits: TrackingLimits) -> TrackUpdate:
    """Without the dice that have been missing for long enough."""
    gone = tuple(one for one in kept.dice if _is_gone(one, kept, now_ms, limits))
    if not gone:
        return kept, ()
    remaining = tuple(one for one in kept.dice if one not in gone)
    kept = replace(kept, dice=remaining, gone=(*kept.gone, *gone)[-limits.most_dice :])
    return kept, (DiceLifted(tuple(one.die for one in gone), kept.settled, now_ms),)


def _match_tracks(
    kept: ConfirmedTracks, present: Sequence[DieReading], limits: TrackingLimits
) -> tuple[int | None, ...]:
    """For each kept die which of those present it is.

    One that was in view all the while and lies as it lay is that die, however much nearer it is to the place of another one
    than what was thrown beside it.
    """
    stayed = [[_has_stayed(one, die, limits) for die in present] for one in kept.dice]
    is_known = [any(column) for column in zip(*stayed, strict=True)]
    return assign_pairs(
        [
            [
                _FORBIDDEN_COST
                if is_known[number] and not stayed[row][number]
                else _compute_match_cost(one, die, limits)
                for number, die in enumerate(present)
            ]
            for row, one in enumerate(kept.dice)
        ],
        _MAX_COST,
    )


def _has_stayed(one: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> bool:
    is_plain = die.value == one.reported_face and die.value_confidence >= limits.turned_confidence
    return is_plain and one.unseen_since_ms is None and measure_distance_edges(die, one.reported_px) <= limits.noise


def _compute_match_cost(one: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> float:
    """How little speaks for the same die, in squared sizes."""
    best = max(die.face_log_likelihood)
    same_face = exp(die.face_log_likelihood[one.reported_face - 1] - best) * die.value_confidence
    return min(_compute_squared_distance(one, die, limits) + limits.face_change_cost**2 * (1 - same_face), _MAX_COST)


def _compute_squared_distance(one: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> float:
    """Squared sizes from where it was last seen; none where it lies as it lay."""
    if measure_distance_edges(die, one.reported_px) <= limits.noise:
        return 0.0
    return measure_distance_edges(die, one.last_px) ** 2


def _update_track(
    one: ConfirmedTrack, now: DieReading, now_ms: int, limits: TrackingLimits
) -> tuple[ConfirmedTrack, tuple[DiceEvent, ...]]:
    events: list[DiceEvent] = []
    if measure_distance_edges(now, one.reported_px) > limits.moved:
        events.append(DieMoved(one.die, one.reported_px, now, now_ms, one.was_gone))
        one = replace(one, reported_px=now.centre_px, last_px=now.centre_px, was_gone=False, was_lost=False)
    if now.value != one.reported_face and now.value_confidence >= limits.turned_confidence:
        events.append(DieTurned(one.die, one.reported_face, now.value, now_ms))
        one = replace(one, reported_face=now.value)
    return one, tuple(events)


def _restore_refound(
    kept: ConfirmedTracks, new: Sequence[DieReading], now_ms: int, limits: TrackingLimits
) -> TrackUpdate:
    """Dice told as lifted that lie where they lay: all that went together, or one of them, plainly read, exactly there."""
    back = tuple(one for one in kept.gone if any(_lies_as_before(one, die, limits) for die in new))
    missing = {one.die.throw for one in kept.gone if one not in back}
    found = tuple(
        one for one in back if one.die.throw not in missing or any(_is_reidentified(one, die, limits) for die in new)
    )
    if not found:
        return kept, ()
    again = tuple(replace(one, absent_since_ms=None) for one in found)
    kept = replace(kept, dice=(*kept.dice, *again), gone=tuple(one for one in kept.gone if one not in found))
    return kept, (DiceFound(tuple(one.die for one in found), now_ms),)


def _is_reidentified(one: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> bool:
    """A gap between checkers that was taken for one of the throw stays where it is as well, but is no plain face."""
    is_plain = die.value_confidence >= limits.turned_confidence
    return (
        is_plain
        and _lies_as_before(one, die, limits)
        and measure_distance_edges(die, one.reported_px) <= limits.refound_edges
    )


def _lies_as_before(one: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> bool:
    return die.value == one.reported_face and measure_distance_edges(die, one.reported_px) <= limits.noise


def _add_tracks(
    kept: ConfirmedTracks, new: Sequence[DieReading], perhaps_old: Sequence[bool], now_ms: int
) -> TrackUpdate:
    if not new:
        return kept, ()
    first, before = kept.next_number, kept.settled
    dice = tuple(SettledDie(first + place, first, die, now_ms) for place, die in enumerate(new))
    fresh = (ConfirmedTrack(die, die.reading.centre_px, die.reading.centre_px, die.value) for die in dice)
    kept = ConfirmedTracks((*kept.dice, *fresh), (), first + len(dice))
    if not before:
        return kept, (DiceSettled(dice, now_ms),)
    unclear = tuple(die.number for die, is_unclear in zip(dice, perhaps_old, strict=True) if is_unclear)
    return kept, (ExtraDice(dice, before, now_ms, unclear),)


def _is_gone(one: ConfirmedTrack, kept: ConfirmedTracks, now_ms: int, limits: TrackingLimits) -> bool:
    if one.absent_since_ms is None:
        return False
    if now_ms - one.absent_since_ms >= limits.one_lifted_ms:
        return True
    together = [other.absent_since_ms for other in kept.dice if other.die.throw == one.die.throw]
    return all(since_ms is not None and now_ms - since_ms >= limits.lifted_ms for since_ms in together)
