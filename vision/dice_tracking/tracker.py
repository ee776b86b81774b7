"""When dice have come to rest, what they then show, and what becomes of them afterwards: a state and one pure step.

The theory in plain words:

- *Rest.* The scene rests from the frame since which no hand was in view, nothing on the field moved, and each die was
  seen where it was before, to within the noise of a reading. Whatever breaks one of these begins the rest anew. A die
  that is overlooked for a frame does not, for a die cannot vanish from a scene in which nothing moves; nor can it come
  into one: what turns up while all others lie where they lay was overlooked so far, or is none. After `rest_ms` of it
  the verdict falls, with the frame then at hand. Dice off the board rest each for itself: whoever plays with his own
  pair beside the board holds nothing up.
- *Looks.* The verdict is of all looks of this rest together, at most `most_looks` (`die_looks.py`). What is seen in a
  frame with a hand is no look: dice in a hand, under it or beside it are no dice. How many of the looks show a die
  decides whether it is one; where that is in doubt it is told, with little confidence.
- *Identity.* A die that has settled is kept. Whatever happens to it, it keeps number, value and reading. It is followed
  from frame to frame; at the next rest the dice in view are paired with those kept, so that the sum of squared ways is
  least. One that lies where it lay is the same; one with another face is more likely another die. Told are a die that
  lies elsewhere (DieMoved) and one with another face (DieTurned): its value stays, somebody is asked.
  Where that may be wrong, for a die was tipped or taken away while others came, the new ones that it may be are named
  (`ExtraDice.perhaps_old`).
- *Lifting.* Kept dice that no look of a rest shows are gone after a while: a short one when all that settled together
  are missing, a longer one when only some are, which a checker may hide. A hand in view or a moving scene stops that
  clock. If they lie there again, at the same place with the same face, they were never away (DiceFound).
- *In addition.* Dice that settle beside those kept are told as such (ExtraDice). Dice thrown anew without having been
  seen to leave are taken for the old ones, moved and turned: a question, never a wrong value. Whether they were out of
  view for a moment, which no hand explains, is told with it (`DieMoved.was_gone`).

Places are compared in the picture, in edges of the die: the camera stands still, and so it works without a board too.
The state holds a bounded number of readings and grows with neither time nor events.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vision.dice.readings import DieReading, DieState
from vision.dice_tracking import tracks as dice_kept
from vision.dice_tracking.assignment import assign_pairs
from vision.dice_tracking.events import DiceEvent, SettledDie
from vision.dice_tracking.fusion import compute_centre_px, fuse_readings, measure_distance_edges
from vision.dice_tracking.tracks import ConfirmedTracks, TrackingLimits
from vision.errors import ImpossibleReadingError


@dataclass(frozen=True, slots=True)
class TentativeTrack:
    """Looks at one die that lies still."""

    since_ms: int
    observations: tuple[DieReading | None, ...]  # the newest last; None where it was overlooked

    @property
    def readings(self) -> list[DieReading]:
        return [look for look in self.observations if look is not None]

    @property
    def hit_rate(self) -> float:
        return self.compute_hit_rate(len(self.observations))

    def compute_hit_rate(self, looks: int) -> float:
        newest = self.observations[-looks:]
        return sum(look is not None for look in newest) / len(newest)


@dataclass(frozen=True, slots=True)
class DiceFrame:
    """What one frame shows of dice. `is_moving`: the field looks different from the frame before (`motion.py`)."""

    dice: tuple[DieReading, ...]  # in any order
    hand_in_view: bool
    is_moving: bool
    taken_ms: int


@dataclass(frozen=True, slots=True)
class TrackerState:
    """All that is remembered. The empty one begins."""

    taken_ms: int | None = None
    rest_since_ms: int | None = None
    observed_ms: tuple[int, ...] = ()  # when the frames of this rest were taken, as far as they are remembered
    tracks: tuple[TentativeTrack, ...] = ()
    newest_dice: tuple[DieReading, ...] = ()  # dice of the newest frame; what is not known to lie still is MOVING
    confirmed: ConfirmedTracks = field(default_factory=ConfirmedTracks)

    @property
    def settled(self) -> tuple[SettledDie, ...]:
        """The dice that lie there, as they settled; empty while none do."""
        return self.confirmed.settled


def step(
    state: TrackerState, frame: DiceFrame, limits: TrackingLimits | None = None
) -> tuple[TrackerState, tuple[DiceEvent, ...]]:
    """One frame further. ImpossibleReadingError unless it was taken after the one before; gaps may be of any length."""
    limits = limits or TrackingLimits()
    passed_ms = 0 if state.taken_ms is None else frame.taken_ms - state.taken_ms
    if state.taken_ms is not None and passed_ms <= 0:
        raise ImpossibleReadingError(
            f"Dice of {frame.taken_ms} ms cannot follow those of {state.taken_ms} ms; give frames in the order of time."
        )
    dice = _sort_dice(frame.dice, limits)
    kept = dice_kept.follow(
        state.confirmed, dice, frame.taken_ms, passed_ms=passed_ms, hand_in_view=frame.hand_in_view, limits=limits
    )
    state = replace(state, taken_ms=frame.taken_ms, newest_dice=_mark_moving(state, dice, limits), confirmed=kept)
    moving = [die for die in dice if die.lies is DieState.MOVING]
    if frame.hand_in_view or not all(map(_is_off_board, moving)):
        return _reset_rest(state), ()
    still = [die for die in dice if die not in moving]
    state = _reset_rest(state) if frame.is_moving else state
    return _emit_events(_extend_rest(state, still, frame.taken_ms, limits), frame.taken_ms, limits)


def _sort_dice(dice: tuple[DieReading, ...], limits: TrackingLimits) -> tuple[DieReading, ...]:
    """By their place in the picture, so that nothing depends on the finder's order; only the surest of too many."""
    by_place = sorted(
        dice, key=lambda die: (die.centre_px, die.face_log_likelihood, die.lies.value, die.lie_confidence)
    )
    if len(by_place) <= limits.most_dice:
        return tuple(by_place)
    surest = sorted(by_place, key=lambda die: die.likeliest_lie_p, reverse=True)[: limits.most_dice]
    return tuple(die for die in by_place if die in surest)


def _mark_moving(state: TrackerState, dice: Sequence[DieReading], limits: TrackingLimits) -> tuple[DieReading, ...]:
    """The dice as they lie; those that nothing before showed at the same place are moving."""
    places_px = [
        *(die.centre_px for die in state.newest_dice),
        *(compute_centre_px(track.readings) for track in state.tracks),
        *(one.reported_px for one in state.confirmed.dice),
    ]
    return tuple(
        die
        if any(measure_distance_edges(die, place_px) <= limits.noise for place_px in places_px)
        else replace(die, lies=DieState.MOVING)
        for die in dice
    )


def _reset_rest(state: TrackerState) -> TrackerState:
    return replace(
        state, rest_since_ms=None, observed_ms=(), tracks=(), confirmed=dice_kept.reset_absence(state.confirmed)
    )


def _is_off_board(die: DieReading) -> bool:
    """Whether it is off a known board, where somebody may play with dice while others are thrown."""
    is_off = die.lies is DieState.MOVING and die.base_mm is not None and die.half is None
    return is_off or die.lies is DieState.OFF_BOARD


def _extend_rest(state: TrackerState, dice: Sequence[DieReading], now_ms: int, limits: TrackingLimits) -> TrackerState:
    """The rest with one more look, or one that begins with this frame."""
    pairs = _assign_observations(state.tracks, dice, limits)
    new = [die for number, die in enumerate(dice) if number not in pairs]
    is_disturbed = not all(map(_is_off_board, new)) and _is_missing_any(state.tracks, pairs, limits)
    if state.rest_since_ms is None or is_disturbed:
        begun = [TentativeTrack(now_ms, (die,)) for die in dice]
        return replace(_reset_rest(state), rest_since_ms=now_ms, observed_ms=(now_ms,), tracks=tuple(begun))
    overlooked = (None,) * min(len(state.observed_ms), limits.max_observations - 1)
    fresh = [TentativeTrack(now_ms, (die,) if _is_off_board(die) else (*overlooked, die)) for die in new]
    looked = [
        TentativeTrack(
            track.since_ms, (*track.observations, None if pair is None else dice[pair])[-limits.max_observations :]
        )
        for track, pair in zip(state.tracks, pairs, strict=True)
    ]
    tracks = [track for track in looked if track.readings and not _is_trail(track)]
    looked_ms = (*state.observed_ms, now_ms)[-limits.max_observations :]
    return replace(state, observed_ms=looked_ms, tracks=(*tracks, *fresh)[: 2 * limits.most_dice])


def _is_missing_any(tracks: Sequence[TentativeTrack], pairs: Sequence[int | None], limits: TrackingLimits) -> bool:
    """Whether a die that was there is not: then what turns up elsewhere may be that one, on its way."""
    there = (pair for track, pair in zip(tracks, pairs, strict=True) if track.hit_rate >= limits.sure_share)
    return any(pair is None for pair in there)


def _is_trail(track: TentativeTrack) -> bool:
    """Whether it is a single look beside the board that nothing repeated: a die in a hand leaves many."""
    return track.observations[-1] is None and len(track.readings) == 1 and _is_off_board(track.readings[0])


def _assign_observations(
    tracks: tuple[TentativeTrack, ...], dice: Sequence[DieReading], limits: TrackingLimits
) -> tuple[int | None, ...]:
    """For each die of this rest the one that lies at the same place now."""
    places_px = [compute_centre_px(track.readings) for track in tracks]
    costs = [[measure_distance_edges(die, place_px) ** 2 for die in dice] for place_px in places_px]
    return assign_pairs(costs, limits.noise**2)


def _emit_events(
    state: TrackerState, now_ms: int, limits: TrackingLimits
) -> tuple[TrackerState, tuple[DiceEvent, ...]]:
    """The rest as it is by now, with what it tells."""
    present = [(track, _fuse_track(track, limits)) for track in state.tracks if track.hit_rate >= limits.least_share]
    present = [(track, die) for track, die in present if not dice_kept.is_ghost(die, state.confirmed, limits)]
    kept = dice_kept.mark_missing(state.confirmed, [die for _, die in present], now_ms, limits)
    if state.rest_since_ms is None or len(state.observed_ms) < limits.min_observations:
        return replace(state, confirmed=kept), ()
    newest = sum(now_ms - looked_ms < limits.rest_ms for looked_ms in state.observed_ms)
    lying = [(die, _has_rested(track, newest, now_ms, limits)) for track, die in present]
    if not all(has_rested or _is_off_board(die) for die, has_rested in lying):
        return replace(state, confirmed=kept), ()  # a throw is told as one
    rested = [die for die, has_rested in lying if has_rested]
    kept, events = dice_kept.match_rested_dice(kept, rested, now_ms, limits)
    kept, gone = dice_kept.remove_lifted(kept, now_ms, limits)
    return replace(state, confirmed=kept), events + gone


def _has_rested(track: TentativeTrack, newest: int, now_ms: int, limits: TrackingLimits) -> bool:
    """Whether it is as old as a rest is long, and still seen in the newest looks, those that are younger."""
    is_old = len(track.observations) >= limits.min_observations and now_ms - track.since_ms >= limits.rest_ms
    return is_old and track.compute_hit_rate(newest) >= limits.least_share


def _fuse_track(track: TentativeTrack, limits: TrackingLimits) -> DieReading:
    """All looks as one reading, less sure of the die where many of them overlooked it."""
    die = fuse_readings(track.readings, limits.fusion)
    sure = min(1.0, track.hit_rate / limits.sure_share) ** 2
    return replace(
        die,
        lie_confidence=sure * die.lie_confidence,
        lie_chances=tuple(sure * chance for chance in die.lie_chances),
        die_chance=sure * die.die_chance,
    )
