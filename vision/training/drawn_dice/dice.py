"""Draws dice into pictures of boards with exact labels, for the networks that read dice.

`draw_dice` takes a labelled picture and its `Ground`, chooses a window, puts dice, doubling cubes and distractors into
it and labels each. All randomness comes from the generator passed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.cube_number import CUBE_VALUES
from vision.geometry.projection import Projection
from vision.training.drawn_dice.appearances import (
    DrawnAppearance,
    random_appearance,
    random_distractor,
    random_pips,
    random_shape,
)
from vision.training.drawn_dice.compositing import (
    DrawnBody,
    Layer,
    Scenery,
    compute_shadow,
    compute_visible_shares,
    painters_order,
    render_layer,
)
from vision.training.drawn_dice.faces import Values, random_legal_values
from vision.training.drawn_dice.ground import Ground, scale_at
from vision.training.drawn_dice.light import random_light
from vision.training.drawn_dice.random_rests import EVERYWHERE, Reach, random_rest
from vision.training.drawn_dice.resting_poses import LieGoal, RestingBody
from vision.training.drawn_dice.shading import FaceMarks
from vision.training.drawn_dice.shape import Shape
from vision.training.drawn_dice.truth import DrawnDice, DrawnKind, label_die, project_to_crop
from vision.training.drawn_dice.visibility import compose_through_lens, finish_picture, make_cover_disc
from vision.training.drawn_dice.window import compute_heights, cut_window, estimate_exposure

PLACE_TRIES = 8
LARGEST_SCALE = 2.8
MARGIN = 0.16  # share of the window's sides that stays free of dice centres


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
class _Candidate:
    """A die, cube or distractor before it has a place."""

    kind: DrawnKind | None
    shape: Shape
    appearance: DrawnAppearance
    marks: FaceMarks


def draw_dice(
    pixels: NDArray[np.uint8], ground: Ground, rng: np.random.Generator, options: DiceDrawOptions = DEFAULT_OPTIONS
) -> DrawnDice | None:
    """A window of the picture (h, w, 3) BGR with dice in it; None when no die fits in a few tries."""
    things = _draw_things(rng, options)
    found = _place_first(rng, things[0], ground, options)
    if found is None:
        return None
    rest, scale, offset_px = found
    window = cut_window(pixels, ground, scale, offset_px, options.crop_px)
    pieces, kinds = [DrawnBody(rest, things[0].appearance, things[0].marks)], [things[0].kind]
    middle = rest.body.middle_mm
    per_mm = float(scale_at(window.projection, middle[None, :2], float(middle[2]))[0])
    reach = Reach(middle[:2], min(options.crop_px) / per_mm * (0.55 if rng.random() < 0.7 else 0.22))
    for thing in things[1:]:
        more = _place_further(rng, thing, pieces, ground=ground, options=options, reach=reach, window=window.projection)
        if more is not None:
            pieces.append(DrawnBody(more, thing.appearance, thing.marks))
            kinds.append(thing.kind)
    if things[0].kind is None and rng.random() < 0.5:
        pieces, kinds = pieces[1:], kinds[1:]  # an empty window
    scenery = Scenery(
        window, ground, compute_heights(window, ground), random_light(rng), estimate_exposure(pixels, window, rng)
    )
    return _compose(rng, pieces, kinds, scenery, pixels=pixels, options=options)


def _compose(
    rng: np.random.Generator,
    pieces: Sequence[DrawnBody],
    kinds: Sequence[DrawnKind | None],
    scenery: Scenery,
    *,
    pixels: NDArray[np.uint8],
    options: DiceDrawOptions,
) -> DrawnDice:
    window = scenery.window
    order = painters_order(pieces, scenery)
    bodies = [piece.rest.body for piece in pieces]
    layers: list[Layer] = []
    for index in order:
        layers.append(render_layer(pieces[index], [b for i, b in enumerate(bodies) if i != index], scenery))
    cover, patch = np.zeros(scenery.heights.shape, np.float32), window.light
    if pieces and rng.random() < options.covered_share:
        cover, patch = make_cover_disc(rng, pixels, scenery, bodies[0])
    moving_px = float(rng.uniform(2, 11)) if rng.random() < options.moving_share else 0.0
    light = compose_through_lens(rng, layers, compute_shadow(pieces, scenery), window, moving_px=moving_px)
    light = light * (1 - cover[..., None]) + patch * cover[..., None]
    gain = float(rng.uniform(1.4, 3.0)) if rng.random() < options.burnt_share else 1.0
    seen = dict(zip(order, compute_visible_shares(layers, cover), strict=True))
    dice = tuple(
        label_die(piece.rest, piece.marks.values, kind, window.projection, visible=seen[index], moving_px=moving_px)
        for index, (piece, kind) in enumerate(zip(pieces, kinds, strict=True))
        if kind is not None
    )
    drawn = 1 - np.prod([1 - layer.cover for layer in layers], axis=0) if layers else cover
    picture = finish_picture(rng, light * gain, np.asarray(drawn, np.float32), window)
    return DrawnDice(picture, window.offset_px, window.scale, window.projection, dice)


def _draw_things(rng: np.random.Generator, options: DiceDrawOptions) -> list[_Candidate]:
    """Dice come first. There is at least one body, which may be a distractor."""
    count = int(rng.choice(len(options.counts), p=np.array(options.counts) / sum(options.counts)))
    things: list[_Candidate] = []
    for _ in range(count):
        if things and rng.random() < options.same_dice_share:
            things.append(replace(things[0], marks=replace(things[0].marks, values=_draw_values(rng))))
        else:
            marks = FaceMarks(_draw_values(rng), random_pips(rng))
            things.append(_Candidate(DrawnKind.DIE, random_shape(rng), random_appearance(rng), marks))
    if rng.random() < options.cube_share:
        things.append(_draw_cube(rng))
    if not things or rng.random() < options.distractor_share:
        shape, look = random_distractor(rng)
        things.append(_Candidate(None, shape, look, FaceMarks((1, 6, 2, 5, 3, 4), random_pips(rng))))
    if rng.random() < 0.5 and things[0].kind is not None:
        things[0], things[-1] = things[-1], things[0]  # so that not only dice lie in the middle
    return things if things[0].kind is not None or len(things) == 1 else things[::-1]


def _draw_values(rng: np.random.Generator) -> Values:
    return random_legal_values(rng, is_western=bool(rng.random() < 0.65))


def _draw_cube(rng: np.random.Generator) -> _Candidate:
    size = float(rng.uniform(22, 32))
    a, b, c, d, e, f = (int(value) for value in rng.permutation(CUBE_VALUES))
    g, h, i, j, k, m = (int(turns) for turns in rng.integers(0, 4, 6))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    marks = FaceMarks((a, b, c, d, e, f), random_pips(rng), font, (g, h, i, j, k, m))
    shape = Shape(size, size * float(rng.uniform(0.05, 0.16)))
    look = replace(random_appearance(rng), special_value=0)
    return _Candidate(DrawnKind.CUBE, shape, look, marks)


def _draw_lie(rng: np.random.Generator, options: DiceDrawOptions, thing: _Candidate) -> LieGoal:
    if thing.kind is not DrawnKind.DIE:
        return LieGoal(rng.choice(["flat", "flat", "on_bar", "off_board"]))
    weights = np.array([weight for _, weight in options.lies])
    return options.lies[int(rng.choice(len(weights), p=weights / weights.sum()))][0]


def _place_first(
    rng: np.random.Generator, thing: _Candidate, ground: Ground, options: DiceDrawOptions
) -> tuple[RestingBody, float, tuple[int, int]] | None:
    """Pose of the first body, enlargement of the picture, and the window's place in it."""
    for _ in range(PLACE_TRIES):
        rest = random_rest(rng, thing.shape, _draw_lie(rng, options, thing), ground=ground, others=(), reach=EVERYWHERE)
        if rest is None:
            continue
        middle = rest.body.middle_mm
        place = middle[None, :2]
        source_px = float(scale_at(ground.projection, place, float(middle[2]))[0]) * min(thing.shape.size_mm, 16.0)
        wanted = np.exp(rng.uniform(*np.log(options.die_px)))
        scale = float(np.clip(wanted / source_px, 0.7, LARGEST_SCALE))
        if not 0.8 * options.die_px[0] < source_px * scale < 1.2 * options.die_px[1]:
            continue
        found = _place_window(rng, ground, ground.projection.to_picture(place, float(middle[2]))[0], scale, options)
        if found is not None:
            return rest, scale, found
    return None


def _place_window(
    rng: np.random.Generator, ground: Ground, at_px: NDArray[np.float64], scale: float, options: DiceDrawOptions
) -> tuple[int, int] | None:
    """Offset of a window in the enlarged picture that holds the place and no unlabelled object."""
    size = np.array(options.crop_px)
    at = (at_px + 0.5) * scale - 0.5
    whole = np.floor(np.array(ground.size_px) * scale).astype(int)
    if (at < 0.3 * MARGIN * size).any() or (at > whole - 0.3 * MARGIN * size).any() or (whole < size).any():
        return None
    for _ in range(6):
        offset = np.clip(np.round(at - size * rng.uniform(0.25, 0.75, 2)).astype(int), 0, whole - size)
        if not _shows_unlabelled(ground, offset, scale, size):
            return int(offset[0]), int(offset[1])
    return None


def _shows_unlabelled(ground: Ground, offset: NDArray[np.intp], scale: float, size: NDArray[np.intp]) -> bool:
    """Whether the window shows dice or similar objects of the original picture."""
    things = ground.things_mm
    if not len(things):
        return False
    px = (ground.projection.to_picture(things[:, :2]) + 0.5) * scale - 0.5 - offset
    wide = 1.6 * things[:, 2:] * scale * scale_at(ground.projection, things[:, :2], 0.0)[:, None]
    return bool(((px > -wide) & (px < size + wide)).all(axis=1).any())


def _place_further(
    rng: np.random.Generator,
    thing: _Candidate,
    pieces: Sequence[DrawnBody],
    *,
    ground: Ground,
    options: DiceDrawOptions,
    reach: Reach,
    window: Projection,
) -> RestingBody | None:
    others = [piece.rest.body for piece in pieces]
    size = np.array(options.crop_px)
    for _ in range(PLACE_TRIES // 2):
        rest = random_rest(rng, thing.shape, _draw_lie(rng, options, thing), ground=ground, others=others, reach=reach)
        if rest is None:
            continue
        at = project_to_crop(window, rest.body.middle_mm[:, None])[0]
        if ((at > 0.08 * size) & (at < 0.92 * size)).all():
            return rest
    return None
