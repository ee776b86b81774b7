"""Which bodies a drawn window holds: dice, doubling cubes and distractors, before they have a place."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.dice.cube_number import CUBE_VALUES
from vision.training.drawn_dice.appearances import (
    DrawnAppearance,
    random_appearance,
    random_distractor,
    random_pips,
    random_shape,
)
from vision.training.drawn_dice.faces import Values, random_legal_values
from vision.training.drawn_dice.resting_poses import LieGoal
from vision.training.drawn_dice.shading import FaceMarks
from vision.training.drawn_dice.shape import Shape
from vision.training.drawn_dice.truth import DrawnKind


@dataclass(frozen=True, slots=True)
class DiceDrawOptions:
    """Shares are weights; `die_px` is the range of an edge's length in the crop."""

    crop_px: tuple[int, int] = (160, 160)
    die_px: tuple[float, float] = (18.0, 45.0)
    counts: tuple[float, ...] = (0.06, 0.34, 0.4, 0.12, 0.08)  # weights of 0, 1, 2, 3 and 4 dice
    lies: tuple[tuple[LieGoal, float], ...] = (
        (LieGoal.FLAT, 3.5),
        (LieGoal.BESIDE, 2.5),
        (LieGoal.CRUMB, 1.3),
        (LieGoal.OVER_EDGE, 2.6),
        (LieGoal.AGAINST_WALL, 1.0),
        (LieGoal.ON_CHECKER, 1.3),
        (LieGoal.ON_BAR, 0.7),
        (LieGoal.ON_RIM, 0.7),
        (LieGoal.OFF_BOARD, 1.8),
    )
    cube_share: float = 0.25
    distractor_share: float = 0.08
    covered_share: float = 0.07
    moving_share: float = 0.06
    burnt_share: float = 0.06
    same_dice_share: float = 0.7  # share of pictures whose dice are a matching pair


DEFAULT_OPTIONS = DiceDrawOptions()


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A die, cube or distractor before it has a place."""

    kind: DrawnKind | None
    shape: Shape
    appearance: DrawnAppearance
    marks: FaceMarks


def draw_candidates(rng: np.random.Generator, options: DiceDrawOptions) -> list[Candidate]:
    """Dice come first. There is at least one body, which may be a distractor."""
    count = int(rng.choice(len(options.counts), p=np.array(options.counts) / sum(options.counts)))
    things: list[Candidate] = []
    for _ in range(count):
        if things and rng.random() < options.same_dice_share:
            things.append(replace(things[0], marks=replace(things[0].marks, values=_draw_values(rng))))
        else:
            marks = FaceMarks(_draw_values(rng), random_pips(rng))
            things.append(Candidate(DrawnKind.DIE, random_shape(rng), random_appearance(rng), marks))
    if rng.random() < options.cube_share:
        things.append(_draw_cube(rng))
    if not things or rng.random() < options.distractor_share:
        shape, appearance = random_distractor(rng)
        things.append(Candidate(None, shape, appearance, FaceMarks((1, 6, 2, 5, 3, 4), random_pips(rng))))
    if rng.random() < 0.5 and things[0].kind is not None:
        things[0], things[-1] = things[-1], things[0]  # so that not only dice lie in the middle
    return things if things[0].kind is not None or len(things) == 1 else things[::-1]


def _draw_values(rng: np.random.Generator) -> Values:
    return random_legal_values(rng, is_western=bool(rng.random() < 0.65))


def _draw_cube(rng: np.random.Generator) -> Candidate:
    size = float(rng.uniform(22, 32))
    a, b, c, d, e, f = (int(value) for value in rng.permutation(CUBE_VALUES))
    g, h, i, j, k, m = (int(turns) for turns in rng.integers(0, 4, 6))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    marks = FaceMarks((a, b, c, d, e, f), random_pips(rng), font, (g, h, i, j, k, m))
    shape = Shape(size, size * float(rng.uniform(0.05, 0.16)))
    appearance = replace(random_appearance(rng), special_value=0)
    return Candidate(DrawnKind.CUBE, shape, appearance, marks)
