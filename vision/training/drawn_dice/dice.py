"""Dice drawn into pictures of boards, with exact truth: what the dice network learns from.

`draw_dice` takes a labelled picture and its `Ground`, chooses a window, puts dice, doubling cubes and things that look
like them into it and says how each lies. Every choice comes from the generator handed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.cube_number import CUBE_VALUES
from vision.geometry.projection import Projection
from vision.training.drawn_dice.appearances import Look, random_distractor, random_look, random_pips, random_shape
from vision.training.drawn_dice.composing import Layer, Piece, Scenery, layer_of, painters_order, shadow_of, shares_seen
from vision.training.drawn_dice.faces import Values, legal_values
from vision.training.drawn_dice.ground import Ground, scale_at
from vision.training.drawn_dice.light import random_light
from vision.training.drawn_dice.placing import Lying, Rest
from vision.training.drawn_dice.resting import EVERYWHERE, Reach, random_rest
from vision.training.drawn_dice.shading import Marks
from vision.training.drawn_dice.shape import Shape
from vision.training.drawn_dice.truth import DrawnDice, Kind, drawn_die, to_crop
from vision.training.drawn_dice.visibility import cover_disc, finished, through_lens
from vision.training.drawn_dice.window import exposure_of, heights_of, window_of

PLACE_TRIES = 8
LARGEST_SCALE = 2.8
MARGIN = 0.16  # of the window's sides, in which no die's middle lies


@dataclass(frozen=True, slots=True)
class DiceWishes:
    """What to draw; shares are weights. `die_px` is the range of an edge's length in the crop."""

    crop_px: tuple[int, int] = (160, 160)
    die_px: tuple[float, float] = (18.0, 45.0)
    counts: tuple[float, ...] = (0.06, 0.34, 0.4, 0.12, 0.08)  # of 0, 1, 2, 3 and 4 dice
    lying: tuple[tuple[Lying, float], ...] = (
        (Lying.FLAT, 3.5),
        (Lying.BESIDE, 2.5),
        (Lying.CRUMB, 1.3),
        (Lying.OVER_EDGE, 2.6),
        (Lying.AGAINST_WALL, 1.0),
        (Lying.ON_CHECKER, 1.3),
        (Lying.ON_BAR, 0.7),
        (Lying.ON_RIM, 0.7),
        (Lying.OFF_BOARD, 1.8),
    )
    cube_share: float = 0.25
    distractor_share: float = 0.08
    covered_share: float = 0.07
    moving_share: float = 0.06
    burnt_share: float = 0.06
    same_dice_share: float = 0.7  # dice of one picture that are a pair


EVERYDAY = DiceWishes()


@dataclass(frozen=True, slots=True, eq=False)
class _Thing:
    """A die, cube or distractor with what it is made of."""

    kind: Kind | None
    shape: Shape
    look: Look
    marks: Marks


def draw_dice(
    pixels: NDArray[np.uint8], ground: Ground, rng: np.random.Generator, wishes: DiceWishes = EVERYDAY
) -> DrawnDice | None:
    """A window of the picture (h, w, 3) BGR with dice in it. None where in a few tries none fitted in."""
    things = _things(rng, wishes)
    found = _first_place(rng, things[0], ground, wishes)
    if found is None:
        return None
    rest, scale, offset_px = found
    window = window_of(pixels, ground, scale, offset_px, wishes.crop_px)
    pieces, kinds = [Piece(rest, things[0].look, things[0].marks)], [things[0].kind]
    middle = rest.body.middle_mm
    per_mm = float(scale_at(window.projection, middle[None, :2], float(middle[2]))[0])
    reach = Reach(middle[:2], min(wishes.crop_px) / per_mm * (0.55 if rng.random() < 0.7 else 0.22))
    for thing in things[1:]:
        more = _further_place(rng, thing, pieces, ground=ground, wishes=wishes, reach=reach, window=window.projection)
        if more is not None:
            pieces.append(Piece(more, thing.look, thing.marks))
            kinds.append(thing.kind)
    if things[0].kind is None and rng.random() < 0.5:
        pieces, kinds = pieces[1:], kinds[1:]  # nothing at all
    scenery = Scenery(window, ground, heights_of(window, ground), random_light(rng), exposure_of(pixels, window, rng))
    return _composed(rng, pieces, kinds, scenery, pixels=pixels, wishes=wishes)


def _composed(
    rng: np.random.Generator,
    pieces: Sequence[Piece],
    kinds: Sequence[Kind | None],
    scenery: Scenery,
    *,
    pixels: NDArray[np.uint8],
    wishes: DiceWishes,
) -> DrawnDice:
    window = scenery.window
    order = painters_order(pieces, scenery)
    bodies = [piece.rest.body for piece in pieces]
    layers: list[Layer] = []
    for index in order:
        layers.append(layer_of(pieces[index], [b for i, b in enumerate(bodies) if i != index], scenery))
    cover, patch = np.zeros(scenery.heights.shape, np.float32), window.light
    if pieces and rng.random() < wishes.covered_share:
        cover, patch = cover_disc(rng, pixels, scenery, bodies[0])
    moving_px = float(rng.uniform(2, 11)) if rng.random() < wishes.moving_share else 0.0
    light = through_lens(rng, layers, shadow_of(pieces, scenery), window, moving_px=moving_px)
    light = light * (1 - cover[..., None]) + patch * cover[..., None]
    gain = float(rng.uniform(1.4, 3.0)) if rng.random() < wishes.burnt_share else 1.0
    seen = dict(zip(order, shares_seen(layers, cover), strict=True))
    dice = tuple(
        drawn_die(piece.rest, piece.marks.values, kind, window.projection, visible=seen[index], moving_px=moving_px)
        for index, (piece, kind) in enumerate(zip(pieces, kinds, strict=True))
        if kind is not None
    )
    drawn = 1 - np.prod([1 - layer.cover for layer in layers], axis=0) if layers else cover
    picture = finished(rng, light * gain, np.asarray(drawn, np.float32), window)
    return DrawnDice(picture, window.offset_px, window.scale, window.projection, dice)


def _things(rng: np.random.Generator, wishes: DiceWishes) -> list[_Thing]:
    """What is to be put in, dice first; at least one thing, which may be a distractor."""
    count = int(rng.choice(len(wishes.counts), p=np.array(wishes.counts) / sum(wishes.counts)))
    things: list[_Thing] = []
    for _ in range(count):
        if things and rng.random() < wishes.same_dice_share:
            things.append(replace(things[0], marks=replace(things[0].marks, values=_values(rng))))
        else:
            marks = Marks(_values(rng), random_pips(rng))
            things.append(_Thing(Kind.DIE, random_shape(rng), random_look(rng), marks))
    if rng.random() < wishes.cube_share:
        things.append(_cube(rng))
    if not things or rng.random() < wishes.distractor_share:
        shape, look = random_distractor(rng)
        things.append(_Thing(None, shape, look, Marks((1, 6, 2, 5, 3, 4), random_pips(rng))))
    if rng.random() < 0.5 and things[0].kind is not None:
        things[0], things[-1] = things[-1], things[0]  # so that not only dice lie in the middle
    return things if things[0].kind is not None or len(things) == 1 else things[::-1]


def _values(rng: np.random.Generator) -> Values:
    return legal_values(rng, is_western=bool(rng.random() < 0.65))


def _cube(rng: np.random.Generator) -> _Thing:
    size = float(rng.uniform(22, 32))
    a, b, c, d, e, f = (int(value) for value in rng.permutation(CUBE_VALUES))
    g, h, i, j, k, m = (int(turns) for turns in rng.integers(0, 4, 6))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    marks = Marks((a, b, c, d, e, f), random_pips(rng), font, (g, h, i, j, k, m))
    shape = Shape(size, size * float(rng.uniform(0.05, 0.16)))
    look = replace(random_look(rng), special_value=0)
    return _Thing(Kind.CUBE, shape, look, marks)


def _lying(rng: np.random.Generator, wishes: DiceWishes, thing: _Thing) -> Lying:
    if thing.kind is not Kind.DIE:
        return Lying(rng.choice(["flat", "flat", "on_bar", "off_board"]))
    weights = np.array([weight for _, weight in wishes.lying])
    return wishes.lying[int(rng.choice(len(weights), p=weights / weights.sum()))][0]


def _first_place(
    rng: np.random.Generator, thing: _Thing, ground: Ground, wishes: DiceWishes
) -> tuple[Rest, float, tuple[int, int]] | None:
    """Where the first thing lies, how much larger the picture is made, and the window's place in it."""
    for _ in range(PLACE_TRIES):
        rest = random_rest(rng, thing.shape, _lying(rng, wishes, thing), ground=ground, others=(), reach=EVERYWHERE)
        if rest is None:
            continue
        middle = rest.body.middle_mm
        place = middle[None, :2]
        source_px = float(scale_at(ground.projection, place, float(middle[2]))[0]) * min(thing.shape.size_mm, 16.0)
        wanted = np.exp(rng.uniform(*np.log(wishes.die_px)))
        scale = float(np.clip(wanted / source_px, 0.7, LARGEST_SCALE))
        if not 0.8 * wishes.die_px[0] < source_px * scale < 1.2 * wishes.die_px[1]:
            continue
        found = _window_place(rng, ground, ground.projection.to_picture(place, float(middle[2]))[0], scale, wishes)
        if found is not None:
            return rest, scale, found
    return None


def _window_place(
    rng: np.random.Generator, ground: Ground, at_px: NDArray[np.float64], scale: float, wishes: DiceWishes
) -> tuple[int, int] | None:
    """Offset of a window in the enlarged picture that holds the place and nothing that lay there unlabelled."""
    size = np.array(wishes.crop_px)
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
    """Whether dice and the like that lay in the picture before come into the window."""
    things = ground.things_mm
    if not len(things):
        return False
    px = (ground.projection.to_picture(things[:, :2]) + 0.5) * scale - 0.5 - offset
    wide = 1.6 * things[:, 2:] * scale * scale_at(ground.projection, things[:, :2], 0.0)[:, None]
    return bool(((px > -wide) & (px < size + wide)).all(axis=1).any())


def _further_place(
    rng: np.random.Generator,
    thing: _Thing,
    pieces: Sequence[Piece],
    *,
    ground: Ground,
    wishes: DiceWishes,
    reach: Reach,
    window: Projection,
) -> Rest | None:
    others = [piece.rest.body for piece in pieces]
    size = np.array(wishes.crop_px)
    for _ in range(PLACE_TRIES // 2):
        rest = random_rest(rng, thing.shape, _lying(rng, wishes, thing), ground=ground, others=others, reach=reach)
        if rest is None:
            continue
        at = to_crop(window, rest.body.middle_mm[:, None])[0]
        if ((at > 0.08 * size) & (at < 0.92 * size)).all():
            return rest
    return None
