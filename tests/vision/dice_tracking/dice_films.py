"""Dice as a reader would give them frame by frame: scenes that last some time, with the noise of a reading."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.dice.readings import FACES, BoardHalf, Contact, DieReading, DieState
from vision.dice_tracking.events import DiceEvent
from vision.dice_tracking.tracker import DiceFrame, TrackerState, step
from vision.dice_tracking.tracks import TrackingLimits

SIZE_PX = 30.0
LEFT_PX, RIGHT_PX = (100.0, 200.0), (400.0, 220.0)


def die(
    value: int = 5,
    at_px: tuple[float, float] = LEFT_PX,
    *,
    lies: DieState = DieState.FLAT,
    confidence: float = 0.95,
    odds: float = 8.0,
) -> DieReading:
    """`odds` is by how much each other face is less likely, as a logarithm."""
    half = BoardHalf.LEFT if at_px[0] < 250 else BoardHalf.RIGHT
    return DieReading(
        face_log_likelihood=tuple(0.0 if face == value else -odds for face in range(1, FACES + 1)),
        lies=lies,
        lie_confidence=confidence,
        centre_px=at_px,
        size_px=SIZE_PX,
        base_mm=(at_px[0] / 2, at_px[1] / 2),
        half=half,
        touches=Contact.NOTHING,
        tilt_deg=1.0,
        tilt_sigma_deg=0.7,
    )


def pushed(one: DieReading, x_px: float, y_px: float = 0.0) -> DieReading:
    return replace(one, centre_px=(one.centre_px[0] + x_px, one.centre_px[1] + y_px))


@dataclass(frozen=True)
class Scene:
    """The same dice for some time; the field moves in the whole of it, or in its first frame, or not at all."""

    dice: tuple[DieReading, ...]
    ms: int
    hand: bool = False
    moving: bool = False
    begins_with_motion: bool = True


def film(*scenes: Scene, fps: int = 30, noise_px: float = 0.4, seed: int = 1) -> Iterator[DiceFrame]:
    """Frames from 0 ms on, in each the dice of its scene with noise of place, tilt and likelihoods, in any order."""
    rng = np.random.default_rng(seed)
    starts_ms = np.cumsum([0, *(scene.ms for scene in scenes)]).tolist()
    last = -1
    for number in range(starts_ms[-1] * fps // 1000):
        now_ms = number * 1000 // fps
        current = max(index for index, start_ms in enumerate(starts_ms[:-1]) if start_ms <= now_ms)
        scene = scenes[current]
        dice = [_noisy(one, rng, noise_px) for one in scene.dice]
        rng.shuffle(dice)
        moving = scene.moving or (scene.begins_with_motion and current != last)
        yield DiceFrame(tuple(dice), scene.hand, moving, now_ms)
        last = current


def _noisy(one: DieReading, rng: np.random.Generator, noise_px: float) -> DieReading:
    x_px, y_px = rng.normal(one.centre_px, noise_px).tolist()
    faces = tuple(float(value + rng.normal(0, 0.5)) for value in one.face_log_likelihood)
    tilt_deg = abs(float(rng.normal(one.tilt_deg, 0.5)))
    return replace(one, centre_px=(x_px, y_px), face_log_likelihood=faces, tilt_deg=tilt_deg)


def track(
    frames: Iterable[DiceFrame], limits: TrackingLimits | None = None, state: TrackerState | None = None
) -> tuple[TrackerState, list[DiceEvent]]:
    """The state at the end and all events on the way."""
    state = state or TrackerState()
    events: list[DiceEvent] = []
    for frame in frames:
        state, now = step(state, frame, limits)
        events += now
    return state, events


def kinds(events: Iterable[DiceEvent]) -> list[str]:
    return [type(event).__name__ for event in events]
