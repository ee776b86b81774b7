"""Many looks become one settled fact: frame by frame, a window of what is remembered and one pure step.

The board is settled when no hand is in view, nothing on the field has moved for `rest_ms`, and at least two frames
say so; they may come at any intervals. Before that there is only the glimpse of this one frame. Looks of one rest are
taken together (`pooling.py`), up to `most_looks`; a reading handed on for an unchanged picture is no new look. Dice
have their own watch (`vision/dice_tracking/tracker.py`), which is kept here and stepped along.
"""

from dataclasses import dataclass, field, replace

from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.observing.pooling import Look, is_repeat, look_at, pooled
from vision.board.board_reading import BoardReading
from vision.dice_tracking import tracker
from vision.dice_tracking.tracker import DiceFrame, DiceWatch
from vision.dice_tracking.tracks import RestLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveLimits:
    """What a settled board asks for."""

    rest_ms: int = 500
    least_frames: int = 2  # one frame alone does not know what moves
    most_looks: int = 8  # older ones are forgotten; more cost memory and add little
    board_moved_mm: float = 4.0  # a board that lies elsewhere than it was calibrated is not judged
    dice: RestLimits = field(default_factory=RestLimits)


EVERYDAY_LIMITS = ObserveLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """All that is remembered; the empty one begins. It does not grow with time.

    `since_ms`: the frame from which on no hand was in view and nothing moved; None while that is not so. `looks` are
    the different ones of this rest, the newest last, and `settled` is these taken together.
    """

    dice: DiceWatch = field(default_factory=DiceWatch)
    newest: Look | None = None
    since_ms: int | None = None
    frames: int = 0
    looks: tuple[Look, ...] = ()
    settled: BoardSeen | None = None


def observe(
    window: Window, reading: BoardReading, *, still_since_ms: int, limits: ObserveLimits = EVERYDAY_LIMITS
) -> tuple[Window, Observation]:
    """One frame further.

    `still_since_ms`: since when the field has looked as in this frame (`vision.board.motion.Stillness.since_ms`); the time of
    the frame itself when it looks otherwise than the one before. ImpossibleReadingError unless frames come in order.
    """
    now_ms = reading.taken_ms
    is_moving = still_since_ms >= now_ms
    frame = DiceFrame(reading.dice, reading.hand_in_view, is_moving, now_ms)
    dice, events = tracker.step(window.dice, frame, limits.dice)
    look = look_at(reading, window.newest)
    disturbed = reading.hand_in_view or reading.board_moved_mm > limits.board_moved_mm
    if disturbed:
        window = Window(dice, look)
    elif is_moving or window.since_ms is None:
        window = Window(dice, look, now_ms, 1, (look,), look.seen)
    else:
        window = replace(_looked_again(window, look, limits), dice=dice)
    return window, Observation(
        taken_ms=now_ms,
        glimpse=look.seen,
        board=_settled(window, now_ms, limits),
        dice_events=events,
        dice=dice.settled,
        cube=reading.cube,
        perhaps_more_dice=reading.perhaps_more_dice or len(reading.dice) > len(dice.settled),
        hand_in_view=reading.hand_in_view,
        is_moving=is_moving,
        board_moved_mm=reading.board_moved_mm,
    )


def _looked_again(window: Window, look: Look, limits: ObserveLimits) -> Window:
    window = replace(window, newest=look, frames=min(window.frames + 1, limits.least_frames))
    if window.looks and is_repeat(look, window.looks[-1]):
        return window
    looks = (*window.looks, look)[-limits.most_looks :]
    return replace(window, looks=looks, settled=pooled([one.seen for one in looks]))


def _settled(window: Window, now_ms: int, limits: ObserveLimits) -> BoardSeen | None:
    if window.settled is None or window.since_ms is None:
        return None
    if window.frames < limits.least_frames or now_ms - window.since_ms < limits.rest_ms:
        return None
    return replace(window.settled, since_ms=window.since_ms, taken_ms=now_ms)
