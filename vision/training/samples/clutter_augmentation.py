"""Clutter augmentation: cut-out objects that are no dice (cups, coins, fruit, tools) and glints on varnish.

Rendered boards are bare and drawn ones have plain objects beside them. A network that saw no others is too confident
about real clutter; the hard negatives mined in these pictures correct that.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.truth import CheckerTruth, TableTruth
from vision.training.drawn_boards.photo_augmentation import rotate_hue
from vision.training.samples.die_truth import DieTruth
from vision.training.samples.picture_store import load_dice, load_labelled_board
from vision.training.samples.rendered_crops import make_known_board

LABELS = (".json", ".drawn", ".dice")
LEAST_THINGS, MOST_THINGS, MOST_GLINTS = 8, 30, 8
SMALLEST_MM, LARGEST_MM = 7.0, 60.0
FREE_EDGES = 1.1  # free radius around a die's middle, in edges
THING_KINDS = ("*.png", "*.webp")
HUE_SHARE = 0.4  # share of things
SHADOWS = (0.15, 0.55)  # share of light that a shadow takes
GLINTS_ALONE, POLISHED = 0.3, 0.5  # shares of pictures
GLINT_MM, GLINT_ASPECT = (1.5, 14.0), (0.1, 1.0)
GLINTS_TOGETHER = 4  # at most: the panes of a window, the bulbs of a lamp
POLISH_MM, MOST_LAMPS = (1.0, 5.0), 3  # on checkers

Picture = NDArray[np.float32]


def list_things(folder: Path) -> list[Path]:
    """Pictures of cut-out objects. Raises FileNotFoundError when there is none."""
    things = sorted(path for kind in THING_KINDS for path in folder.glob(kind))
    if not things:
        raise FileNotFoundError(f"{folder} holds no picture of a thing (PNG or WebP with a transparent ground).")
    return things


def write_cluttered_pictures(
    out: Path, pictures: Sequence[Path], things: Sequence[Path], *, first: int, count: int, seed: int
) -> None:
    """Pictures `first` to `first + count - 1`, each from (seed, number) alone, with the original labels.

    `pictures` must have a board and labelled dice.
    """
    out.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        rng = np.random.default_rng([seed, number])
        picture = pictures[int(rng.integers(len(pictures)))]
        pixels, truth = load_labelled_board(picture)
        among = add_clutter(pixels, truth, load_dice(picture), things, rng)
        for label in (picture.with_suffix(kind) for kind in LABELS):
            if label.exists():
                (out / f"{number:06d}{label.suffix}").write_text(label.read_text("utf-8"), "utf-8")
        cv2.imwrite(str(out / f"{number:06d}.jpg"), among, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 97))])


def add_clutter(
    pixels: NDArray[np.uint8],
    truth: TableTruth,
    dice: Sequence[DieTruth],
    things: Sequence[Path],
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """A picture (h, w, 3) BGR with objects anywhere but over its dice, and glints; in some pictures glints alone."""
    picture = pixels.astype(np.float32)
    light, px_per_mm = float(np.median(picture)) / 110, make_known_board(truth).px_per_mm
    for _ in range(int(rng.integers(LEAST_THINGS, MOST_THINGS + 1)) if rng.random() > GLINTS_ALONE else 0):
        largest_px = float(np.exp(rng.uniform(np.log(SMALLEST_MM), np.log(LARGEST_MM)))) * px_per_mm
        thing = _augment_thing(_read_thing(things[int(rng.integers(len(things)))]), largest_px, light, rng)
        middle = _find_free_place(picture, max(thing.shape[:2]) / 2, dice, rng)
        if middle is not None:
            _paste(picture, thing, middle, rng)
    for _ in range(int(rng.integers(MOST_GLINTS + 1))):
        _add_glints(picture, px_per_mm, dice, rng)
    if rng.random() < POLISHED:
        _add_highlights(picture, truth.checkers, px_per_mm, dice, rng)
    return np.clip(picture, 0, 255).astype(np.uint8)


@lru_cache(maxsize=4096)
def _read_thing(path: Path) -> NDArray[np.uint8]:
    """(h, w, 4) BGR and alpha, 128 pixels along the longer side. Raises OSError for another kind of picture."""
    thing = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if thing is None or thing.ndim != 3 or thing.shape[2] != 4:
        raise OSError(f"{path} is no picture with a transparent ground that OpenCV can read; remove it.")
    return _resize(thing.astype(np.uint8, copy=False), 128)


def _resize(thing: NDArray[np.uint8], longer_px: float) -> NDArray[np.uint8]:
    factor = longer_px / max(thing.shape[:2])
    height, width = (max(round(factor * length), 3) for length in thing.shape[:2])
    return cv2.resize(thing, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _augment_thing(thing: NDArray[np.uint8], largest_px: float, light: float, rng: np.random.Generator) -> Picture:
    """(side, side, 4), rotated, with changed light and colours; alpha is 0 to 1."""
    small = _resize(thing, largest_px).astype(np.float32)
    height, width = small.shape[:2]
    side = int(np.hypot(height, width)) + 6
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), 1)
    turn[:, 2] += ((side - width) / 2, (side - height) / 2)
    small[..., :3] *= small[..., 3:] / 255  # the colour of a transparent pixel means nothing
    turned = cv2.warpAffine(small, turn, (side, side), flags=cv2.INTER_LINEAR).astype(np.float32)
    turned = cv2.GaussianBlur(turned, (0, 0), float(rng.uniform(0.3, 0.9))).astype(np.float32)
    colours, cover = turned[..., :3], turned[..., 3:] / 255
    if rng.random() < HUE_SHARE:
        colours = rotate_hue(colours, rng)
    grey = colours.mean(axis=2, keepdims=True)
    gain = np.clip(light, 0.4, 1.3) * float(np.exp(rng.normal(0, 0.25)))
    colours = gain * (grey + np.float32(rng.uniform(0.1, 1.1)) * (colours - grey))
    return np.concatenate([colours, cover], axis=2).astype(np.float32)


def _find_free_place(
    picture: Picture, radius_px: float, dice: Sequence[DieTruth], rng: np.random.Generator
) -> tuple[float, float] | None:
    for _ in range(8):
        x_px, y_px = rng.uniform((0, 0), picture.shape[1::-1]).tolist()
        if _is_free((x_px, y_px), radius_px, dice):
            return x_px, y_px
    return None


def _is_free(middle: tuple[float, float] | NDArray[np.float64], radius_px: float, dice: Sequence[DieTruth]) -> bool:
    return all(np.hypot(*np.subtract(middle, die.top_px)) > radius_px + FREE_EDGES * die.size_px for die in dice)


def _paste(picture: Picture, thing: Picture, middle: tuple[float, float], rng: np.random.Generator) -> None:
    side = thing.shape[0]
    shadow = cv2.GaussianBlur(thing[..., 3], (0, 0), 0.5 + 0.04 * side)[..., None] * np.float32(rng.uniform(*SHADOWS))
    off = rng.normal(0, 0.05 * side, 2)
    _blend(picture, np.zeros_like(thing[..., :3]), shadow, np.add(middle, off))
    _blend(picture, thing[..., :3], thing[..., 3:], np.array(middle))


def _blend(picture: Picture, colours: Picture, cover: Picture, middle: NDArray[np.float64]) -> None:
    """Blends `colours` by `cover`, in place; parts outside the picture are left out."""
    side, (height, width) = colours.shape[0], picture.shape[:2]
    left, top = (round(float(at) - side / 2) for at in middle)
    columns, rows = slice(max(left, 0), min(left + side, width)), slice(max(top, 0), min(top + side, height))
    if columns.stop <= columns.start or rows.stop <= rows.start:
        return
    own = (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))
    picture[rows, columns] = picture[rows, columns] * (1 - cover[own]) + colours[own]


def _add_glints(picture: Picture, px_per_mm: float, dice: Sequence[DieTruth], rng: np.random.Generator) -> None:
    """Specular glints of varnish, a screw or a clip: one spot or a few alike."""
    spot = _make_glint(float(rng.uniform(*GLINT_MM)) * px_per_mm, rng)
    first = _find_free_place(picture, spot.shape[0] / 2, dice, rng)
    if first is None:
        return
    _add_light(picture, spot, np.array(first), dice)
    for _ in range(int(rng.integers(GLINTS_TOGETHER))):
        _add_light(picture, spot, np.add(first, rng.normal(0, 0.6 * spot.shape[0], 2)), dice)


def _add_highlights(
    picture: Picture,
    checkers: Sequence[CheckerTruth],
    px_per_mm: float,
    dice: Sequence[DieTruth],
    rng: np.random.Generator,
) -> None:
    """Each lamp's highlight at nearly the same place on all checkers."""
    share = float(rng.uniform(0.1, 0.6))
    for _ in range(int(rng.integers(1, MOST_LAMPS + 1))):
        turn, out = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.95)
        spot = _make_glint(float(rng.uniform(*POLISH_MM)) * px_per_mm, rng)
        for checker in checkers:
            if rng.random() < share:
                off = out * np.array([np.cos(turn), np.sin(turn)]) + rng.normal(0, 0.06, 2)
                own = spot * np.float32(rng.uniform(0.5, 1.2))
                _add_light(picture, own, checker.top_px + checker.radius_px * off, dice)


def _make_glint(length_px: float, rng: np.random.Generator) -> Picture:
    """(side, side, 3) light to add."""
    side = int(2 * length_px) + 9
    spot = np.zeros((side, side), np.float32)
    axes = (round(8 * length_px), round(8 * length_px * float(rng.uniform(*GLINT_ASPECT))))
    cv2.ellipse(spot, (8 * side, 8 * side), axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_8, 4)
    soft = cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(0.5, 0.35 * length_px + 0.6)))
    tint = np.clip(1 + rng.normal(0, 0.08, 3), 0, 1.2) * rng.uniform(60, 300)
    return (soft[..., None] * tint).astype(np.float32)


def _add_light(picture: Picture, spot: Picture, middle: NDArray[np.float64], dice: Sequence[DieTruth]) -> None:
    """Adds the spot, unless a die is there."""
    if _is_free(middle, spot.shape[0] / 2, dice):
        _blend(picture, spot, np.zeros_like(spot[..., :1]), middle)
