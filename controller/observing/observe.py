"""Many looks become one settled fact: frame by frame, a window of what is remembered and one pure step.

The board is settled when no hand is in view, nothing on the field has moved for `rest_ms`, and at least two frames
say so; they may come at any intervals. Before that there is only the glimpse of this one frame. Looks of one rest are
taken together (`pooling.py`), up to `most_looks`; a reading handed on for an unchanged picture is no new look. Dice
have their own watch (`vision/dice_tracking/tracker.py`), which is kept here and stepped along.
"""

from dataclasses import dataclass, field, replace

from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.observing.pooling import ReadingTables, is_repeat, pool_evidence, tabulate_reading
from vision.board.board_reading import BoardReading
from vision.dice_tracking import tracker
from vision.dice_tracking.tracker import DiceFrame, TrackerState
from vision.dice_tracking.tracks import TrackingLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveLimits:
    """What a settled board asks for."""

    rest_ms: int = 500
    least_frames: int = 2  # one frame alone does not know what moves
    max_readings: int = 8  # older ones are forgotten; more cost memory and add little
    board_moved_mm: float = 4.0  # a board that lies elsewhere than it was calibrated is not judged
    dice: TrackingLimits = field(default_factory=TrackingLimits)


DEFAULT_OBSERVE_LIMITS = ObserveLimits()


@dataclass(frozen=True, slots=True, eq=False)
class ObservationWindow:
    """All that is remembered; the empty one begins. It does not grow with time.

    `since_ms`: the frame from which on no hand was in view and nothing moved; None while that is not so. `looks` are
    the different ones of this rest, the newest last, and `settled` is these taken together.
    """

    dice: TrackerState = field(default_factory=TrackerState)
    newest: ReadingTables | None = None
    since_ms: int | None = None
    frames: int = 0
    readings: tuple[ReadingTables, ...] = ()
    settled: BoardEvidence | None = None


def observe(
    window: ObservationWindow,
    reading: BoardReading,
    *,
    still_since_ms: int,
    limits: ObserveLimits = DEFAULT_OBSERVE_LIMITS,
) -> tuple[ObservationWindow, Observation]:
    """One frame further.

    `still_since_ms`: since when the field has looked as in this frame (`vision.board.motion.Stillness.since_ms`); the time of
    the frame itself when it looks otherwise than the one before. ImpossibleReadingError unless frames come in order.
    """
    now_ms = reading.taken_ms
    is_moving = still_since_ms >= now_ms
    frame = DiceFrame(reading.dice, reading.hand_in_view, is_moving, now_ms)
    dice, events = tracker.step(window.dice, frame, limits.dice)
    look = tabulate_reading(reading, window.newest)
    disturbed = reading.hand_in_view or reading.board_moved_mm > limits.board_moved_mm
    if disturbed:
        window = ObservationWindow(dice, look)
    elif is_moving or window.since_ms is None:
        window = ObservationWindow(dice, look, now_ms, 1, (look,), look.evidence)
    else:
        window = replace(_add_reading(window, look, limits), dice=dice)
    return window, Observation(
        taken_ms=now_ms,
        frame_evidence=look.evidence,
        board=_get_settled_evidence(window, now_ms, limits),
        dice_events=events,
        dice=dice.settled,
        cube=reading.cube,
        perhaps_more_dice=reading.perhaps_more_dice or len(reading.dice) > len(dice.settled),
        hand_in_view=reading.hand_in_view,
        is_moving=is_moving,
        board_moved_mm=reading.board_moved_mm,
    )


def _add_reading(window: ObservationWindow, look: ReadingTables, limits: ObserveLimits) -> ObservationWindow:
    window = replace(window, newest=look, frames=min(window.frames + 1, limits.least_frames))
    if window.readings and is_repeat(look, window.readings[-1]):
        return window
    looks = (*window.readings, look)[-limits.max_readings :]
    return replace(window, readings=looks, settled=pool_evidence([one.evidence for one in looks]))


def _get_settled_evidence(window: ObservationWindow, now_ms: int, limits: ObserveLimits) -> BoardEvidence | None:
    if window.settled is None or window.since_ms is None:
        return None
    if window.frames < limits.least_frames or now_ms - window.since_ms < limits.rest_ms:
        return None
    return replace(window.settled, since_ms=window.since_ms, taken_ms=now_ms)
