"""Draws dice into pictures of boards with exact labels, for the networks that read dice.

`draw_dice` takes a labelled picture and its `Ground`, chooses a window, puts dice, doubling cubes and distractors into
it and labels each. All randomness comes from the generator passed in.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import KnownBoard, Projection
from vision.training.drawn_dice.candidates import DEFAULT_OPTIONS, Candidate, DiceDrawOptions, draw_candidates
from vision.training.drawn_dice.compositing import (
    DrawnBody,
    Scenery,
    compute_shadow,
    compute_visible_shares,
    painters_order,
    render_layer,
)
from vision.training.drawn_dice.ground import Ground, scale_at
from vision.training.drawn_dice.light import random_light
from vision.training.drawn_dice.random_rests import EVERYWHERE, Reach, random_rest
from vision.training.drawn_dice.resting_poses import LieGoal, RestingBody
from vision.training.drawn_dice.truth import DrawnKind, label_die, project_to_crop
from vision.training.drawn_dice.visibility import compose_through_lens, finish_picture, make_cover_disc
from vision.training.drawn_dice.window import compute_heights, cut_window, estimate_exposure
from vision.training.samples.die_truth import DiceCrop

PLACE_TRIES = 8
LARGEST_SCALE = 2.8
MARGIN = 0.16  # share of the window's sides that stays free of dice centres


def draw_dice(
    pixels: NDArray[np.uint8], ground: Ground, rng: np.random.Generator, options: DiceDrawOptions = DEFAULT_OPTIONS
) -> DiceCrop | None:
    """A window of the picture (h, w, 3) BGR with dice in it; None when no die fits in a few tries."""
    things = draw_candidates(rng, options)
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
    light, exposure = random_light(rng), estimate_exposure(pixels, window, rng)
    scenery = Scenery(window, ground, compute_heights(window, ground), light, exposure)
    return _compose(rng, pieces, kinds, scenery, pixels=pixels, options=options)


def _compose(
    rng: np.random.Generator,
    pieces: Sequence[DrawnBody],
    kinds: Sequence[DrawnKind | None],
    scenery: Scenery,
    *,
    pixels: NDArray[np.uint8],
    options: DiceDrawOptions,
) -> DiceCrop:
    window = scenery.window
    order = painters_order(pieces, scenery)
    bodies = [piece.rest.body for piece in pieces]
    layers = [render_layer(pieces[i], [*bodies[:i], *bodies[i + 1 :]], scenery) for i in order]
    cover, patch = np.zeros(scenery.heights.shape, np.float32), window.light
    if pieces and rng.random() < options.covered_share:
        cover, patch = make_cover_disc(rng, pixels, scenery, bodies[0])
    moving_px = float(rng.uniform(2, 11)) if rng.random() < options.moving_share else 0.0
    light = compose_through_lens(rng, layers, compute_shadow(pieces, scenery), window, moving_px=moving_px)
    light = light * (1 - cover[..., None]) + patch * cover[..., None]
    gain = float(rng.uniform(1.4, 3.0)) if rng.random() < options.burnt_share else 1.0
    seen = dict(zip(order, compute_visible_shares(layers, cover), strict=True))
    dice = tuple(
        label_die(piece.rest, piece.marks.values, kind, window.projection, visible=seen[index])
        for index, (piece, kind) in enumerate(zip(pieces, kinds, strict=True))
        if kind is not None
    )
    drawn = 1 - np.prod([1 - layer.cover for layer in layers], axis=0) if layers else cover
    picture = finish_picture(rng, light * gain, np.asarray(drawn, np.float32), window)
    return DiceCrop(picture, KnownBoard(window.projection, scenery.ground.field), dice)


def _draw_lie(rng: np.random.Generator, options: DiceDrawOptions, thing: Candidate) -> LieGoal:
    if thing.kind is not DrawnKind.DIE:
        return LieGoal(rng.choice(["flat", "flat", "on_bar", "off_board"]))
    weights = np.array([weight for _, weight in options.lies])
    return options.lies[int(rng.choice(len(weights), p=weights / weights.sum()))][0]


def _place_first(
    rng: np.random.Generator, thing: Candidate, ground: Ground, options: DiceDrawOptions
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
    thing: Candidate,
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
