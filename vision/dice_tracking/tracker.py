"""The tracker: when dice have come to rest, what they show, and what becomes of them. A state and one pure step.

- *Rest.* The scene rests from the first frame without a hand, without motion on the field and with each die where it
  was before, to within the noise of a reading. The verdict falls after `rest_ms`.
  - A hand, motion on the field, or a die elsewhere than before starts the rest anew.
  - A die missed in one frame does not, since a die cannot vanish from a scene without motion.
  - A die that appears while all others stay does not: the readings missed it so far, or it is no die.
  - Dice off the board do not start the rest of the others anew: each rests for itself, so a player who handles his own
    pair there delays nothing.
- *Observations.* The verdict fuses all observations of this rest, at most `max_observations` (`fusion.py`). A frame
  with a hand is no observation: dice in a hand, under it or beside it are no dice. The share of frames that show a
  die decides whether it is one; a doubtful one is reported with little confidence.
- *Identity.* A settled die becomes a confirmed track with a fixed number, value and reading. Tracks follow their dice
  from frame to frame; at the next rest, detections are assigned to tracks so that the sum of squared distances is
  least. Another face makes an assignment costly, because the detection is then more likely another die. A die
  elsewhere is reported as DieMoved, one with another face as DieTurned: its value stays, and somebody is asked. Where
  the assignment may be wrong, because a die was tipped or taken away while others came, the doubtful new dice are
  named (`ExtraDice.perhaps_old`).
- *Lifting.* Tracks that no observation of a rest shows end after a while: a short one if every die of a throw is
  missing, a longer one otherwise, since a checker may hide one. A hand in view or a moving scene stops that clock.
  Dice that lie there again, at the same place with the same face, were never away (DiceFound).
- *Extra dice.* Dice that settle beside confirmed tracks are ExtraDice. A new throw of dice that were never seen to
  leave looks like moved and turned dice: a question, never a wrong value. `DieMoved.was_gone` reports whether they
  were out of view without a hand.

Places are compared in the picture, in edges of the die: the camera stands still, and so no board is needed. The state
holds a bounded number of readings, whatever the time and the number of events.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vision.dice.readings import DieReading, DieState
from vision.dice_tracking import tracks as confirmed_tracks
from vision.dice_tracking.assignment import assign_pairs
from vision.dice_tracking.events import DiceEvent, SettledDie
from vision.dice_tracking.fusion import compute_centre_px, fuse_readings, measure_distance_edges
from vision.dice_tracking.tracks import ConfirmedTracks, TrackingLimits
from vision.errors import ImpossibleReadingError


@dataclass(frozen=True, slots=True)
class TentativeTrack:
    """Observations of one die during a rest."""

    since_ms: int
    observations: tuple[DieReading | None, ...]  # the newest last; None where the die was missed

    @property
    def readings(self) -> list[DieReading]:
        return [observation for observation in self.observations if observation is not None]

    @property
    def hit_rate(self) -> float:
        return self.compute_hit_rate(len(self.observations))

    def compute_hit_rate(self, count: int) -> float:
        newest = self.observations[-count:]
        return sum(observation is not None for observation in newest) / len(newest)


@dataclass(frozen=True, slots=True)
class DiceFrame:
    """The dice of one frame. `is_moving`: the field differs from the frame before (`vision.board.motion`)."""

    dice: tuple[DieReading, ...]  # in any order
    hand_in_view: bool
    is_moving: bool
    taken_ms: int


@dataclass(frozen=True, slots=True)
class TrackerState:
    """The state between two frames; the default is that of the first one."""

    taken_ms: int | None = None
    rest_since_ms: int | None = None
    observed_ms: tuple[int, ...] = ()  # times of the remembered frames of this rest
    tracks: tuple[TentativeTrack, ...] = ()
    newest_dice: tuple[DieReading, ...] = ()  # dice of the newest frame; MOVING unless known to lie still
    confirmed: ConfirmedTracks = field(default_factory=ConfirmedTracks)

    @property
    def settled(self) -> tuple[SettledDie, ...]:
        """The dice that lie there, as they settled."""
        return self.confirmed.settled


def step(
    state: TrackerState, frame: DiceFrame, limits: TrackingLimits | None = None
) -> tuple[TrackerState, tuple[DiceEvent, ...]]:
    """The state after one more frame, and its events.

    ImpossibleReadingError unless the frame is later than the one before; gaps may have any length.
    """
    limits = limits or TrackingLimits()
    passed_ms = 0 if state.taken_ms is None else frame.taken_ms - state.taken_ms
    if state.taken_ms is not None and passed_ms <= 0:
        raise ImpossibleReadingError(
            f"Dice of {frame.taken_ms} ms cannot follow those of {state.taken_ms} ms; give frames in the order of time."
        )
    dice = _sort_dice(frame.dice, limits)
    confirmed = confirmed_tracks.follow(
        state.confirmed, dice, frame.taken_ms, passed_ms=passed_ms, hand_in_view=frame.hand_in_view, limits=limits
    )
    state = replace(state, taken_ms=frame.taken_ms, newest_dice=_mark_moving(state, dice, limits), confirmed=confirmed)
    moving = [die for die in dice if die.lies is DieState.MOVING]
    if frame.hand_in_view or not all(map(_is_off_board, moving)):
        return _reset_rest(state), ()
    still = [die for die in dice if die not in moving]
    state = _reset_rest(state) if frame.is_moving else state
    return _emit_events(_extend_rest(state, still, frame.taken_ms, limits), frame.taken_ms, limits)


def _sort_dice(dice: tuple[DieReading, ...], limits: TrackingLimits) -> tuple[DieReading, ...]:
    """Sorted by place, so that the detector's order does not matter; only the surest of too many."""
    by_place = sorted(
        dice, key=lambda die: (die.centre_px, die.face_log_likelihood, die.lies.value, die.lie_confidence)
    )
    if len(by_place) <= limits.most_dice:
        return tuple(by_place)
    surest = sorted(by_place, key=lambda die: die.likeliest_lie_p, reverse=True)[: limits.most_dice]
    return tuple(die for die in by_place if die in surest)


def _mark_moving(state: TrackerState, dice: Sequence[DieReading], limits: TrackingLimits) -> tuple[DieReading, ...]:
    """The dice with their lies; one that nothing before showed at its place is MOVING."""
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
        state, rest_since_ms=None, observed_ms=(), tracks=(), confirmed=confirmed_tracks.reset_absence(state.confirmed)
    )


def _is_off_board(die: DieReading) -> bool:
    """Whether it is off a known board, where a player may handle dice while others are thrown."""
    is_off = die.lies is DieState.MOVING and die.base_mm is not None and die.half is None
    return is_off or die.lies is DieState.OFF_BOARD


def _extend_rest(state: TrackerState, dice: Sequence[DieReading], now_ms: int, limits: TrackingLimits) -> TrackerState:
    """The rest with one more frame, or a new rest that begins with it."""
    pairs = _assign_observations(state.tracks, dice, limits)
    new = [die for number, die in enumerate(dice) if number not in pairs]
    is_disturbed = not all(map(_is_off_board, new)) and _is_missing_any(state.tracks, pairs, limits)
    if state.rest_since_ms is None or is_disturbed:
        begun = [TentativeTrack(now_ms, (die,)) for die in dice]
        return replace(_reset_rest(state), rest_since_ms=now_ms, observed_ms=(now_ms,), tracks=tuple(begun))
    missed = (None,) * min(len(state.observed_ms), limits.max_observations - 1)
    begun_now = [TentativeTrack(now_ms, (die,) if _is_off_board(die) else (*missed, die)) for die in new]
    extended = [
        TentativeTrack(
            track.since_ms, (*track.observations, None if pair is None else dice[pair])[-limits.max_observations :]
        )
        for track, pair in zip(state.tracks, pairs, strict=True)
    ]
    tracks = [track for track in extended if track.readings and not _is_trail(track)]
    observed_ms = (*state.observed_ms, now_ms)[-limits.max_observations :]
    return replace(state, observed_ms=observed_ms, tracks=(*tracks, *begun_now)[: 2 * limits.most_dice])


def _is_missing_any(tracks: Sequence[TentativeTrack], pairs: Sequence[int | None], limits: TrackingLimits) -> bool:
    """Whether a certain die is missing: a new detection elsewhere may then be that die on its way."""
    there = (pair for track, pair in zip(tracks, pairs, strict=True) if track.hit_rate >= limits.sure_share)
    return any(pair is None for pair in there)


def _is_trail(track: TentativeTrack) -> bool:
    """Whether it is a single observation off the board: a die in a hand leaves many."""
    return track.observations[-1] is None and len(track.readings) == 1 and _is_off_board(track.readings[0])


def _assign_observations(
    tracks: tuple[TentativeTrack, ...], dice: Sequence[DieReading], limits: TrackingLimits
) -> tuple[int | None, ...]:
    """For each track of this rest the die at its place now."""
    places_px = [compute_centre_px(track.readings) for track in tracks]
    costs = [[measure_distance_edges(die, place_px) ** 2 for die in dice] for place_px in places_px]
    return assign_pairs(costs, limits.noise**2)


def _emit_events(
    state: TrackerState, now_ms: int, limits: TrackingLimits
) -> tuple[TrackerState, tuple[DiceEvent, ...]]:
    """The state and the events of the rest so far."""
    present = [(track, _fuse_track(track, limits)) for track in state.tracks if track.hit_rate >= limits.least_share]
    present = [(track, die) for track, die in present if not confirmed_tracks.is_ghost(die, state.confirmed, limits)]
    confirmed = confirmed_tracks.mark_missing(state.confirmed, [die for _, die in present], now_ms, limits)
    if state.rest_since_ms is None or len(state.observed_ms) < limits.min_observations:
        return replace(state, confirmed=confirmed), ()
    newest = sum(now_ms - observed_ms < limits.rest_ms for observed_ms in state.observed_ms)
    lying = [(die, _has_rested(track, newest, now_ms, limits)) for track, die in present]
    if not all(has_rested or _is_off_board(die) for die, has_rested in lying):
        return replace(state, confirmed=confirmed), ()  # a throw settles as one
    rested = [die for die, has_rested in lying if has_rested]
    confirmed, events = confirmed_tracks.match_rested_dice(confirmed, rested, now_ms, limits)
    confirmed, gone = confirmed_tracks.remove_lifted(confirmed, now_ms, limits)
    return replace(state, confirmed=confirmed), events + gone


def _has_rested(track: TentativeTrack, newest: int, now_ms: int, limits: TrackingLimits) -> bool:
    """Whether the track is as old as a rest is long and still present in the newest observations."""
    is_old = len(track.observations) >= limits.min_observations and now_ms - track.since_ms >= limits.rest_ms
    return is_old and track.compute_hit_rate(newest) >= limits.least_share


def _fuse_track(track: TentativeTrack, limits: TrackingLimits) -> DieReading:
    """All observations as one reading, less sure of the die where many frames missed it."""
    die = fuse_readings(track.readings)
    certainty = min(1.0, track.hit_rate / limits.sure_share) ** 2
    return replace(
        die,
        lie_confidence=certainty * die.lie_confidence,
        lie_chances=tuple(certainty * chance for chance in die.lie_chances),
        die_chance=certainty * die.die_chance,
    )
