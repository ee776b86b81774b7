"""Confirmed tracks: settled dice, followed, compared at each rest, missed and re-identified.

A track never changes the value and the reading of its die. `tracker.py` has the theory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from vision.dice_tracking.fusion import measure_distance_edges


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackingLimits:
    """Limits of the tracker. Times in ms; lengths in edges of the die as it is seen, independent of resolution."""

    rest_ms: int = 500
    min_observations: int = 3  # however few frames come, one or two are no rest
    max_observations: int = 16  # half a second at 30 frames a second
    most_dice: int = 8  # two pairs are four; of more than these the surest are taken
    noise: float = 0.15  # 2 mm of a 14 mm die: readings of a die at rest scatter less
    moved: float = 0.25  # from here a settled die has been pushed
    least_reach: float = 0.5  # reach of a die between two frames: at least this,
    reach_a_second: float = 30.0  # this much more with time (0.4 m a second),
    longest_reach: float = 3.0  # and never more: beyond it another die is meant
    face_change_cost: float = 20.0  # a die came from that much farther away rather than that it shows another face
    least_share: float = 0.3  # share of observations below which a track is no die
    sure_share: float = 0.7  # share from which it certainly is one
    # Below this confidence of its lie a detection away from every track is a ghost,
    ghost_confidence: float = 0.4
    sure_die_p: float = 0.99  # unless this probable as a die and as large as the tracks' dice
    other_size_ghost_confidence: float = 0.8  # the limit for a detection of another size than every track
    # Share of the larger size, by which near and far dice differ.
    size_tolerance: float = 0.25
    turned_confidence: float = 0.99  # posterior of another face from which it is reported
    lifted_ms: int = 400  # every die of a throw is missing
    one_lifted_ms: int = 1000  # only some are missing: something may hide them
    refound_edges: float = 0.07  # a lifted die lies where it lay: no new throw comes to rest that exactly there
    gone_ms: int = 200  # out of view for this long without a hand, a die was away
    gap_ms: int = 1000  # after a gap this long between frames nothing is known


# At a new rest no distance is too long: a hand may push a die across the board. Squared edges.
_MAX_COST, _FORBIDDEN_COST = 1e6, 2e6


@dataclass(frozen=True, slots=True)
class ConfirmedTrack:
    """A settled die, and where it is now."""

    die: SettledDie
    reported_px: tuple[float, float]  # its place when that was last reported
    last_px: tuple[float, float]  # its last seen place, followed through motion
    reported_face: int  # the face reported last
    absent_since_ms: int | None = None  # within this rest; None while it is seen or visibility is unknown
    unseen_since_ms: int | None = None  # at rest or not, without a hand; None while it is seen
    was_gone: bool = False  # since its place was last reported
    was_lost: bool = False  # unseen in one frame at least since then: a die near its place may be another one


@dataclass(frozen=True, slots=True)
class ConfirmedTracks:
    """All tracks, and the last ones that were reported as lifted, in case they are only hidden."""

    dice: tuple[ConfirmedTrack, ...] = ()
    gone: tuple[ConfirmedTrack, ...] = ()
    next_number: int = 1

    @property
    def settled(self) -> tuple[SettledDie, ...]:
        return tuple(track.die for track in self.dice)


TrackUpdate = tuple[ConfirmedTracks, tuple[DiceEvent, ...]]


def follow(
    tracks: ConfirmedTracks,
    dice: Sequence[DieReading],
    now_ms: int,
    *,
    passed_ms: int,
    hand_in_view: bool,
    limits: TrackingLimits,
) -> ConfirmedTracks:
    """The tracks with the places of their dice in a new frame, where they can have come that far."""
    reach = min(limits.longest_reach, limits.least_reach + limits.reach_a_second * passed_ms / 1000)
    pairs = assign_pairs(
        [[_compute_squared_distance(track, die, limits) for die in dice] for track in tracks.dice], reach**2
    )
    if passed_ms >= limits.gap_ms:
        tracks = replace(tracks, dice=tuple(replace(track, was_gone=True, was_lost=True) for track in tracks.dice))
    may_hide = hand_in_view or any(number not in pairs for number in range(len(dice)))  # or one of these is it
    moved = (
        _mark_unseen(track, now_ms, may_hide, limits) if pair is None else _mark_seen(track, dice[pair], limits)
        for track, pair in zip(tracks.dice, pairs, strict=True)
    )
    return replace(tracks, dice=tuple(moved))


def _mark_seen(track: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> ConfirmedTrack:
    current = replace(track, last_px=die.centre_px, unseen_since_ms=None)
    return replace(current, was_gone=False, was_lost=False) if _lies_as_before(track, die, limits) else current


def _mark_unseen(track: ConfirmedTrack, now_ms: int, may_hide: bool, limits: TrackingLimits) -> ConfirmedTrack:
    track = replace(track, was_lost=True)
    if may_hide:
        return replace(track, unseen_since_ms=None)
    since_ms = now_ms if track.unseen_since_ms is None else track.unseen_since_ms
    return replace(track, unseen_since_ms=since_ms, was_gone=track.was_gone or now_ms - since_ms >= limits.gone_ms)


def reset_absence(tracks: ConfirmedTracks) -> ConfirmedTracks:
    """The tracks with the clocks of lifting stopped, while visibility is unknown."""
    return replace(tracks, dice=tuple(replace(track, absent_since_ms=None) for track in tracks.dice))


def match_rested_dice(
    tracks: ConfirmedTracks, present: Sequence[DieReading], now_ms: int, limits: TrackingLimits
) -> TrackUpdate:
    """Assigns rested dice to tracks, with the events of that; the others become new tracks."""
    before, pairs = tracks.dice, _match_tracks(tracks, present, limits)
    events: tuple[DiceEvent, ...] = ()
    dice = []
    for track, pair in zip(before, pairs, strict=True):
        current, reported = (track, ()) if pair is None else _update_track(track, present[pair], now_ms, limits)
        dice.append(current)
        events += reported
    new = [die for number, die in enumerate(present) if number not in pairs]
    tracks, found = _restore_refound(replace(tracks, dice=tuple(dice)), new, now_ms, limits)
    new = [die for die in new if not any(_lies_as_before(track, die, limits) for track in tracks.dice)]
    assigned = [(track, present[pair]) for track, pair in zip(before, pairs, strict=True) if pair is not None]
    perhaps_old = [any(_may_be_old(die, track, current, limits) for track, current in assigned) for die in new]
    tracks, settled = _add_tracks(tracks, new, perhaps_old, now_ms)
    return tracks, events + found + settled


def _may_be_old(die: DieReading, track: ConfirmedTrack, current: DieReading, limits: TrackingLimits) -> bool:
    """Whether a new die may be the track's and the assigned detection, which shows another face, the new one.

    A detection elsewhere with another face may be any die if the track was lost in between, or if it lies beyond
    reach. One beyond reach with the track's own face may be new, and the old die tipped where it lay.
    """
    if die.value == current.value:
        return False
    has_jumped = _compute_squared_distance(track, current, limits) > limits.longest_reach**2
    if current.value != track.reported_face:
        return has_jumped or (track.was_lost and measure_distance_edges(current, track.reported_px) > limits.moved)
    return has_jumped and measure_distance_edges(die, track.last_px) <= limits.longest_reach


def is_ghost(die: DieReading, tracks: ConfirmedTracks, limits: TrackingLimits) -> bool:
    """Whether it hardly resembles a die, beside tracks: once these are lifted, they would be matched to it.

    A gap between four checkers does, and is smaller than dice. A sure die of the tracks' size is none, whatever its
    lie.
    """
    if not tracks.dice or _lies_at_track(die, tracks, limits):
        return False
    if _is_similar_in_size(die, tracks, limits):
        return die.die_chance < limits.sure_die_p and die.likeliest_lie_p < limits.ghost_confidence
    return die.likeliest_lie_p < limits.other_size_ghost_confidence


def _is_similar_in_size(die: DieReading, tracks: ConfirmedTracks, limits: TrackingLimits) -> bool:
    sizes_px = [track.die.reading.size_px for track in tracks.dice]
    return any(abs(die.size_px - size_px) <= limits.size_tolerance * max(die.size_px, size_px) for size_px in sizes_px)


def _lies_at_track(die: DieReading, tracks: ConfirmedTracks, limits: TrackingLimits) -> bool:
    return any(measure_distance_edges(die, track.reported_px) <= limits.noise for track in tracks.dice)


def mark_missing(
    tracks: ConfirmedTracks, present: Sequence[DieReading], now_ms: int, limits: TrackingLimits
) -> ConfirmedTracks:
    """The tracks, with the clock of lifting running for each that a scene at rest does not show."""
    dice = []
    for track, pair in zip(tracks.dice, _match_tracks(tracks, present, limits), strict=True):
        since_ms = now_ms if track.absent_since_ms is None else track.absent_since_ms
        dice.append(replace(track, absent_since_ms=since_ms if pair is None else None))
    return replace(tracks, dice=tuple(dice))


def remove_lifted(tracks: ConfirmedTracks, now_ms: int, limits: TrackingLimits) -> TrackUpdate:
    """Without the tracks that have been missing for long enough."""
    gone = tuple(track for track in tracks.dice if _is_gone(track, tracks, now_ms, limits))
    if not gone:
        return tracks, ()
    remaining = tuple(track for track in tracks.dice if track not in gone)
    tracks = replace(tracks, dice=remaining, gone=(*tracks.gone, *gone)[-limits.most_dice :])
    return tracks, (DiceLifted(tuple(track.die for track in gone), tracks.settled, now_ms),)


def _match_tracks(
    tracks: ConfirmedTracks, present: Sequence[DieReading], limits: TrackingLimits
) -> tuple[int | None, ...]:
    """For each track the index of its detection.

    A die that was in view all the while and lies as it lay is its own track's, however near a new die lies.
    """
    stayed = [[_has_stayed(track, die, limits) for die in present] for track in tracks.dice]
    is_known = [any(column) for column in zip(*stayed, strict=True)]
    return assign_pairs(
        [
            [
                _FORBIDDEN_COST
                if is_known[number] and not stayed[row][number]
                else _compute_match_cost(track, die, limits)
                for number, die in enumerate(present)
            ]
            for row, track in enumerate(tracks.dice)
        ],
        _MAX_COST,
    )


def _has_stayed(track: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> bool:
    is_confident = die.value == track.reported_face and die.value_confidence >= limits.turned_confidence
    return (
        is_confident
        and track.unseen_since_ms is None
        and measure_distance_edges(die, track.reported_px) <= limits.noise
    )


def _compute_match_cost(track: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> float:
    """Squared edges, plus a cost for another face."""
    best = max(die.face_log_likelihood)
    same_face = exp(die.face_log_likelihood[track.reported_face - 1] - best) * die.value_confidence
    return min(_compute_squared_distance(track, die, limits) + limits.face_change_cost**2 * (1 - same_face), _MAX_COST)


def _compute_squared_distance(track: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> float:
    """Squared edges from the last seen place; 0 at the reported place."""
    if measure_distance_edges(die, track.reported_px) <= limits.noise:
        return 0.0
    return measure_distance_edges(die, track.last_px) ** 2


def _update_track(
    track: ConfirmedTrack, current: DieReading, now_ms: int, limits: TrackingLimits
) -> tuple[ConfirmedTrack, tuple[DiceEvent, ...]]:
    events: list[DiceEvent] = []
    if measure_distance_edges(current, track.reported_px) > limits.moved:
        events.append(DieMoved(track.die, track.reported_px, current, now_ms, track.was_gone))
        track = replace(track, reported_px=current.centre_px, last_px=current.centre_px, was_gone=False, was_lost=False)
    if current.value != track.reported_face and current.value_confidence >= limits.turned_confidence:
        events.append(DieTurned(track.die, track.reported_face, current.value, now_ms))
        track = replace(track, reported_face=current.value)
    return track, tuple(events)


def _restore_refound(
    tracks: ConfirmedTracks, new: Sequence[DieReading], now_ms: int, limits: TrackingLimits
) -> TrackUpdate:
    """Restores lifted tracks: a whole throw that lies where it lay, or one die re-identified exactly there."""
    back = tuple(track for track in tracks.gone if any(_lies_as_before(track, die, limits) for die in new))
    missing = {track.die.throw for track in tracks.gone if track not in back}
    found = tuple(
        track
        for track in back
        if track.die.throw not in missing or any(_is_reidentified(track, die, limits) for die in new)
    )
    if not found:
        return tracks, ()
    again = tuple(replace(track, absent_since_ms=None) for track in found)
    tracks = replace(
        tracks, dice=(*tracks.dice, *again), gone=tuple(track for track in tracks.gone if track not in found)
    )
    return tracks, (DiceFound(tuple(track.die for track in found), now_ms),)


def _is_reidentified(track: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> bool:
    """A gap between checkers that was taken for a die stays in place as well, but shows no confident face."""
    is_confident = die.value_confidence >= limits.turned_confidence
    return (
        is_confident
        and _lies_as_before(track, die, limits)
        and measure_distance_edges(die, track.reported_px) <= limits.refound_edges
    )


def _lies_as_before(track: ConfirmedTrack, die: DieReading, limits: TrackingLimits) -> bool:
    return die.value == track.reported_face and measure_distance_edges(die, track.reported_px) <= limits.noise


def _add_tracks(
    tracks: ConfirmedTracks, new: Sequence[DieReading], perhaps_old: Sequence[bool], now_ms: int
) -> TrackUpdate:
    if not new:
        return tracks, ()
    first, before = tracks.next_number, tracks.settled
    dice = tuple(SettledDie(first + place, first, die, now_ms) for place, die in enumerate(new))
    begun = (ConfirmedTrack(die, die.reading.centre_px, die.reading.centre_px, die.value) for die in dice)
    tracks = ConfirmedTracks((*tracks.dice, *begun), (), first + len(dice))
    if not before:
        return tracks, (DiceSettled(dice, now_ms),)
    unclear = tuple(die.number for die, is_unclear in zip(dice, perhaps_old, strict=True) if is_unclear)
    return tracks, (ExtraDice(dice, before, now_ms, unclear),)


def _is_gone(track: ConfirmedTrack, tracks: ConfirmedTracks, now_ms: int, limits: TrackingLimits) -> bool:
    if track.absent_since_ms is None:
        return False
    if now_ms - track.absent_since_ms >= limits.one_lifted_ms:
        return True
    together = [other.absent_since_ms for other in tracks.dice if other.die.throw == track.die.throw]
    return all(since_ms is not None and now_ms - since_ms >= limits.lifted_ms for since_ms in together)
