"""Throws on tables drawn as for simulated matches: fast, in styles that no training has seen, in any number.

The pictures are simpler than rendered ones. Their purpose is number: a fault that happens once in a thousand dice shows
only in thousands of dice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks import dice_poses
from tests.benchmarks.dice_labels import DiceLabel, DieLabel, mean_edge, throw_of, with_sides
from tests.benchmarks.dice_poses import FieldHalf
from vision.dice.readings import BoardHalf, DieState
from vision.geometry.projection import FieldShape, KnownBoard, Lens, Projection
from vision.simulated.drawing.dice import corners_mm
from vision.simulated.drawing.die_body import middle_mm
from vision.simulated.drawing.optics import distort, pinhole_view
from vision.simulated.painter import Painter
from vision.simulated.scene import CheckerSide
from vision.simulated.scene_building import make_die, project_field
from vision.simulated.table_styles import table_style
from vision.simulated.tabletop import Arrangement, DiePose, TableStyle

FIRST_SEED = 40_000  # tests and demonstrations use lower seeds
SIZE_PX = (1280, 960)
FLAT_THROWS = 4  # on each table, beside one throw of every other kind
CHECKERS = 15
POINTS = tuple(f"{row}{column}" for row in "TB" for column in range(1, 13))

Pose = Callable[..., DiePose | None]
_IN_A_HALF: dict[DieState, tuple[Pose, ...]] = {
    DieState.COCKED: (dice_poses.lean_on_checker, dice_poses.lean_on_wall),
    DieState.ON_CHECKER: (dice_poses.place_on_checker,),
}
_ANYWHERE: dict[DieState, tuple[Pose, ...]] = {
    DieState.ON_BAR: (dice_poses.place_on_bar,),
    DieState.ON_RIM: (dice_poses.place_on_rim,),
    DieState.OFF_BOARD: (dice_poses.place_off_board,),
}
_THIRDS: tuple[tuple[DieState, Pose], ...] = (
    (DieState.FLAT, dice_poses.place_flat_die),
    (DieState.COCKED, dice_poses.lean_on_checker),
    (DieState.ON_CHECKER, dice_poses.place_on_checker),
)
SPARE = 2  # number of the first die that belongs to no pair in play


@dataclass(frozen=True, slots=True)
class _Lies:
    die: DiePose
    state: DieState


Throw = Callable[[Arrangement], list[_Lies] | None]


def drawn_throws(tables: int) -> Iterator[tuple[NDArray[np.uint8], DiceLabel]]:
    """Pictures (h, w, 3) BGR with labels. Each table has FLAT_THROWS good throws, one of every bad kind, two dice that touch, one
    die alone, and three throws with a third die that lies flat, leans or lies on a checker.
    """
    for seed in range(FIRST_SEED, FIRST_SEED + tables):
        style, rng = table_style(seed, SIZE_PX), np.random.default_rng(seed)
        painter = Painter(style, codes_jpeg=True)
        for number, throw in enumerate(_throws(style, rng)):
            checkers = any_position(rng)
            lying = throw(checkers)
            if lying is None:
                continue
            arrangement = dice_poses.with_dice(checkers, [one.die for one in lying])
            yield painter.paint_frame(arrangement, number), _label(style, seed, number, lying)


def _throws(style: TableStyle, rng: np.random.Generator) -> list[Throw]:
    apart, split, touching = (
        partial(_both_flat, style, pose, rng=rng)
        for pose in (dice_poses.place_flat_dice, dice_poses.place_split_dice, dice_poses.place_touching_dice)
    )
    in_a_half: list[Throw] = [
        partial(_one_bad, style, state, pose, rng=rng) for state, poses in _IN_A_HALF.items() for pose in poses
    ]
    anywhere: list[Throw] = [
        partial(_one_bad, style, state, pose, rng=rng) for state, poses in _ANYWHERE.items() for pose in poses
    ]
    alone = partial(_alone, style, rng=rng)
    thirds: list[Throw] = [partial(_with_third, style, state, pose, rng=rng) for state, pose in _THIRDS]
    return [*[apart] * FLAT_THROWS, split, *in_a_half, *anywhere, touching, alone, *thirds]


def any_position(rng: np.random.Generator) -> Arrangement:
    """Thirty checkers anywhere, no more than five on a point, some on the bar."""
    found = Arrangement()
    for side in (CheckerSide.LIGHT, CheckerSide.DARK):
        left = CHECKERS
        for place in rng.permutation(POINTS):
            stack = found.points[POINTS.index(str(place))]
            if stack or not left:
                continue
            count = min(left, int(rng.integers(1, 6)))
            found, left = found.with_stack(str(place), (side,) * count), left - count
    return found


def _both_flat(
    style: TableStyle,
    pose: Callable[..., tuple[DiePose, ...] | None],
    checkers: Arrangement,
    *,
    rng: np.random.Generator,
) -> list[_Lies] | None:
    ups = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
    where = () if pose is dice_poses.place_split_dice else (_half(rng),)
    dice = pose(style, checkers, *where, rng, ups=ups)
    return None if dice is None else [_Lies(die, DieState.FLAT) for die in dice]


def _one_bad(
    style: TableStyle, state: DieState, pose: Pose, checkers: Arrangement, *, rng: np.random.Generator
) -> list[_Lies] | None:
    """One die lies flat, the other in `state`."""
    half = _half(rng)
    good = dice_poses.place_flat_die(style, checkers, half, rng, number=0, up=int(rng.integers(1, 7)))
    if good is None:
        return None
    with_it = dice_poses.with_dice(checkers, [good])
    where = (half,) if state in _IN_A_HALF else ()
    bad = pose(style, with_it, *where, rng, number=1, up=int(rng.integers(1, 7)))
    return None if bad is None else [_Lies(good, DieState.FLAT), _Lies(bad, state)]


def _alone(style: TableStyle, checkers: Arrangement, *, rng: np.random.Generator) -> list[_Lies] | None:
    die = dice_poses.place_flat_die(style, checkers, _half(rng), rng, number=0, up=int(rng.integers(1, 7)))
    return None if die is None else [_Lies(die, DieState.FLAT)]


def _with_third(
    style: TableStyle, state: DieState, pose: Pose, checkers: Arrangement, *, rng: np.random.Generator
) -> list[_Lies] | None:
    """A good throw and a spare die, in either half."""
    pair = _both_flat(style, dice_poses.place_flat_dice, checkers, rng=rng)
    if pair is None:
        return None
    with_pair = dice_poses.with_dice(checkers, [one.die for one in pair])
    third = pose(style, with_pair, _half(rng), rng, number=SPARE, up=int(rng.integers(1, 7)))
    return None if third is None else [*pair, _Lies(third, state)]


def _half(rng: np.random.Generator) -> FieldHalf:
    return FieldHalf.LEFT if rng.random() < 0.5 else FieldHalf.RIGHT


def _label(style: TableStyle, seed: int, number: int, lying: list[_Lies]) -> DiceLabel:
    known = project_field(style)
    projection = Projection.of(known.homography, Lens(known.focal_px, known.centre_px, known.k1))
    board = KnownBoard(projection, FieldShape(*known.field_mm, *known.bar_mm))
    dice = tuple(_die(style, one, known.bar_mm) for one in lying)
    return DiceLabel(
        image=Path(f"table {seed}, picture {number}"), board=board, dice=dice, throw=throw_of(dice), groups=("drawn",)
    )


def _die(style: TableStyle, one: _Lies, bar_mm: tuple[float, float]) -> DieLabel:
    """The label of a die; the middle of the body is a right place too, as visible sides shift the middle that is seen."""
    body = make_die(style.dice[one.die.number], one.die)
    camera = style.scene.camera
    upper = distort(camera, pinhole_view(camera).project(np.asarray(corners_mm(body))[4:]))
    middle = distort(camera, pinhole_view(camera).project(np.asarray(middle_mm(body), np.float64).reshape(1, 3)))[0]
    places = ((float(upper[:, 0].mean()), float(upper[:, 1].mean())), (float(middle[0]), float(middle[1])))
    x_mm = one.die.centre_mm[0]
    inside = one.state in (DieState.FLAT, DieState.COCKED, DieState.ON_CHECKER)
    half = BoardHalf.LEFT if x_mm < bar_mm[0] else BoardHalf.RIGHT
    return DieLabel(
        face=one.die.up,
        state=one.state,
        places_px=with_sides(places, upper, one.die.tilt_deg),
        size_px=mean_edge(upper),
        tilt_deg=one.die.tilt_deg,
        half=half if inside else None,
        style=f"drawn, {style.dice[one.die.number].size_mm:.0f} mm",
    )
