"""Turns a stream of readings into settled facts: a window of memory and one pure step for each frame.

The board is settled when no hand is in view, nothing on the field has moved for `rest_ms`, and at least `least_frames`
frames confirm this, at any intervals. Before that there is only the evidence of the single frame. The readings of one
rest are pooled (`pooling.py`), up to `max_readings`; a cached reading of an unchanged picture is not a new one. Dice have
their own tracker (`vision/dice_tracking/tracker.py`), whose state is part of the window.
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
    """The conditions of a settled board."""

    rest_ms: int = 500  # knob; more settles later and more safely
    least_frames: int = 2  # a single frame cannot show motion
    max_readings: int = 8  # knob: readings that are pooled; more cost memory and add little
    board_moved_mm: float = 4.0  # displacement from the calibration beyond which the board is not judged
    dice: TrackingLimits = field(default_factory=TrackingLimits)


DEFAULT_OBSERVE_LIMITS = ObserveLimits()


@dataclass(frozen=True, slots=True, eq=False)
class ObservationWindow:
    """The memory between frames, bounded in size; a default window begins a stream.

    `since_ms`: the first frame of the present rest, without a hand and without motion; None outside a rest. `readings` are
    the distinct readings of this rest, the newest last, and `settled` is their pooled evidence.
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
    """Advances by one frame.

    `still_since_ms`: the time since which the field is unchanged (`vision.board.motion.Stillness.since_ms`); the time of the
    frame itself if it differs from the frame before. Raises ImpossibleReadingError unless frames come in order.
    """
    now_ms = reading.taken_ms
    is_moving = still_since_ms >= now_ms
    frame = DiceFrame(reading.dice, reading.hand_in_view, is_moving, now_ms)
    dice, events = tracker.step(window.dice, frame, limits.dice)
    tables = tabulate_reading(reading, window.newest)
    disturbed = (
        reading.hand_in_view
        or reading.board_moved_mm > limits.board_moved_mm
        or reading.is_unreadable  # so that nothing is settled
    )
    if disturbed:
        window = ObservationWindow(dice, tables)
    elif is_moving or window.since_ms is None:
        window = ObservationWindow(dice, tables, now_ms, 1, (tables,), tables.evidence)
    else:
        window = replace(_add_reading(window, tables, limits), dice=dice)
    return window, Observation(
        taken_ms=now_ms,
        frame_evidence=tables.evidence,
        board=_get_settled_evidence(window, now_ms, limits),
        dice_events=events,
        dice=dice.settled,
        cube=reading.cube,
        perhaps_more_dice=reading.perhaps_more_dice or len(reading.dice) > len(dice.settled),
        hand_in_view=reading.hand_in_view,
        is_moving=is_moving,
        board_moved_mm=reading.board_moved_mm,
    )


def _add_reading(window: ObservationWindow, tables: ReadingTables, limits: ObserveLimits) -> ObservationWindow:
    window = replace(window, newest=tables, frames=min(window.frames + 1, limits.least_frames))
    if window.readings and is_repeat(tables, window.readings[-1]):
        return window
    readings = (*window.readings, tables)[-limits.max_readings :]
    return replace(window, readings=readings, settled=pool_evidence([one.evidence for one in readings]))


def _get_settled_evidence(window: ObservationWindow, now_ms: int, limits: ObserveLimits) -> BoardEvidence | None:
    if window.settled is None or window.since_ms is None:
        return None
    if window.frames < limits.least_frames or now_ms - window.since_ms < limits.rest_ms:
        return None
    return replace(window.settled, since_ms=window.since_ms, taken_ms=now_ms)
