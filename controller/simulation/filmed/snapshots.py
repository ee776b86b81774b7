"""When the camera takes pictures, and the state of the table in each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.match import Tick
from controller.simulation.staging import (
    Beat,
    BoardPlan,
    Conditions,
    Cue,
    DieAtRest,
    HandMovement,
    Happening,
    PointMm,
    RollingDie,
    Stacks,
    TrueEvent,
)

OUTSIDE_MM = 75.0  # a hand this far beyond the edge of the field is out of the picture


@dataclass(frozen=True, slots=True)
class FrameRates:
    """Pictures a second, and the lower rate of a table that has been still for `fresh_ms`."""

    fps: float = 10.0
    still_fps: float = 5.0
    fresh_ms: int = 1200


@dataclass(frozen=True, slots=True)
class HandPosition:
    """A hand and the position of its finger tips."""

    movement: HandMovement
    tip_mm: PointMm


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The table when a picture is taken. Each rolling die has the share of its way that is done, 0..1."""

    taken_ms: int
    stacks: Stacks
    dice: tuple[DieAtRest, ...]
    rolling: tuple[tuple[RollingDie, float], ...]
    rolls_ms: int  # duration of the whole roll
    hand: HandPosition | None
    conditions: Conditions


def take_snapshots(
    happenings: Iterable[Happening], plan: BoardPlan, pace: FrameRates
) -> Iterator[TableSnapshot | Tick | Cue | TrueEvent]:
    """Snapshots and the other events of the film in order of time; ticks while the camera is lost."""
    next_ms, still_since_ms = 0.0, 0
    for happening in happenings:
        if not isinstance(happening, Beat):
            yield happening
            continue
        if not happening.is_still or not happening.conditions.is_camera_there:
            still_since_ms = happening.ends_ms
        while next_ms < happening.ends_ms:
            at_ms = max(int(next_ms), happening.starts_ms)
            yield snapshot_at(happening, at_ms, plan) if happening.conditions.is_camera_there else Tick(at_ms)
            is_fresh = at_ms < still_since_ms + pace.fresh_ms
            next_ms = at_ms + 1000 / (pace.fps if is_fresh else pace.still_fps)


def snapshot_at(beat: Beat, at_ms: int, plan: BoardPlan) -> TableSnapshot:
    """The table at `at_ms`, which lies within the beat."""
    share = (at_ms - beat.starts_ms) / beat.lasts_ms
    rolling = tuple((one, share) for one in beat.rolling)
    hand = None if beat.hand is None else HandPosition(beat.hand, _tip_mm(beat.hand, share, plan))
    return TableSnapshot(at_ms, beat.stacks, beat.dice, rolling, beat.lasts_ms, hand, beat.conditions)


def interpolate_mm(one: PointMm, other: PointMm, share: float) -> PointMm:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def _tip_mm(moves: HandMovement, share: float, plan: BoardPlan) -> PointMm:
    inside = moves.to_mm or moves.from_mm or (plan.bar_middle_mm, plan.height_mm / 2)
    x_mm = plan.width_mm / 2 + 0.7 * (inside[0] - plan.width_mm / 2)
    outside = (x_mm, plan.height_mm + OUTSIDE_MM if moves.from_below else -OUTSIDE_MM)
    return interpolate_mm(moves.from_mm or outside, moves.to_mm or outside, share * share * (3 - 2 * share))
