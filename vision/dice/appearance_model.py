"""What this session's dice look like: edge length and colour, learned from dice that were read beyond doubt.

A session knows one or two pairs, each player his own, so a few kinds are kept apart, and each is a mean with a spread.
A mean forgets: after `memory` dice every further one counts as one in `memory`, so that it follows the daylight, and
the value never grows. It is a help for finding dice, not a judge: a die of another look may be a new die. Only what can
hardly be read either is taken for none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

import cv2
import numpy as np

from vision.dice.readings import DieReading, DieState
from vision.errors import ImpossibleReadingError
from vision.frame import Pixels
from vision.geometry.projection import Projection

FACE_SHARE = 0.4  # radius of the disc whose median is a die's colour, in edges: inside the face however it is turned

MIN_SPREAD_SHARE = 0.5  # times the usual spread: a kind never counts as narrower, however alike its dice were


@dataclass(frozen=True, slots=True)
class DieAppearance:
    """One die as it was measured."""

    size_mm: float
    body_lab: tuple[float, float, float]  # CIELAB, L 0..100; of the body, not of the pips

    @property
    def features(self) -> tuple[float, ...]:
        return (self.size_mm, *self.body_lab)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningLimits:
    """What is learned from, and what counts as alike."""

    least_lie_confidence: float = 0.9
    least_value_confidence: float = 0.95
    spread: tuple[float, ...] = (0.7, 8.0, 5.0, 5.0)  # mm, L, a, b: what dice of one kind scatter before more is known
    min_fit: float = 0.1  # fit from which a die is of a kind
    max_clusters: int = 4
    memory: int = 50  # dice
    min_dice: int = 8  # dice of a session from which on a thing like none of them is told apart
    outlier_spread: float = 2.0  # times the usual spread: a die that leans or lies in shade measures otherwise
    # Fit, with these spreads, below which a thing is none of them. On rendered boards one of 27 dice whose face was in doubt
    # fits the sure ones beside it worse, and all four things that are none do.
    outlier_fit: float = 0.05
    # Size alone: a thing that is so much smaller or larger than every kind has to show its face more plainly. Beside a sure
    # die 27 rendered ones in doubt were measured within 0.17 of it, the four things that were none from 0.46 on.
    max_size_difference: float = 0.25
    confident_face_p: float = 0.99


@dataclass(frozen=True, slots=True)
class DiceCluster:
    """Mean and variance of size_mm, L, a and b over the dice of one kind."""

    count: int
    mean: tuple[float, ...]
    variance: tuple[float, ...]

    @property
    def size_mm(self) -> float:
        return self.mean[0]


@dataclass(frozen=True, slots=True)
class AppearanceModel:
    """The kinds of dice of this session, the last one seen first; none in the beginning."""

    clusters: tuple[DiceCluster, ...] = ()


def measure_appearance(pixels: Pixels, die: DieReading, projection: Projection) -> DieAppearance:
    """Measured in the picture the reading is of. ImpossibleReadingError where the die has no place on a known board."""
    if die.base_mm is None:
        raise ImpossibleReadingError("a die's size is measured on a known board; this one has no place on it")
    return DieAppearance(_measure_size_mm(die, die.base_mm, projection), _measure_body_lab(pixels, die))


def learn_die(
    look: AppearanceModel, die: DieReading, colours: DieAppearance, limits: LearningLimits | None = None
) -> AppearanceModel:
    """The look with one settled die more; unchanged by a die that does not lie flat or was not read for sure."""
    limits = limits or LearningLimits()
    is_sure = (
        die.lie_confidence >= limits.least_lie_confidence and die.value_confidence >= limits.least_value_confidence
    )
    if die.lies is not DieState.FLAT or not is_sure:
        return look
    kind = max(look.clusters, key=lambda kind: _compute_cluster_fit(kind, colours, limits), default=None)
    if kind is None or _compute_cluster_fit(kind, colours, limits) < limits.min_fit:
        new = DiceCluster(1, colours.features, tuple(spread**2 for spread in limits.spread))
        return AppearanceModel((new, *look.clusters)[: limits.max_clusters])
    others = tuple(other for other in look.clusters if other is not kind)
    return AppearanceModel((_update_cluster(kind, colours, limits), *others))


def compute_fit(
    look: AppearanceModel,
    colours: DieAppearance,
    limits: LearningLimits | None = None,
    *,
    least_spread: float = MIN_SPREAD_SHARE,
) -> float:
    """How well a die is of a kind seen before: 1 like its mean, towards 0 unlike all, and 0 while nothing is learned."""
    limits = limits or LearningLimits()
    return max((_compute_cluster_fit(kind, colours, limits, least_spread) for kind in look.clusters), default=0.0)


def reject_outliers(
    look: AppearanceModel,
    dice: Sequence[DieReading],
    pixels: Pixels,
    projection: Projection,
    limits: LearningLimits | None = None,
) -> tuple[DieReading, ...]:
    """The dice of a picture (h, w, 3) BGR but for things whose face is in doubt and that are like none of the session's.

    Gaps between checkers, grain, ornaments. A plain face makes a die of it, whatever it looks like; so does a session of
    which too few dice were seen to tell.
    """
    limits = limits or LearningLimits()
    if sum(kind.count for kind in look.clusters) < limits.min_dice:
        return tuple(dice)
    return tuple(
        die
        for die in dice
        if die.value_confidence >= limits.confident_face_p
        or (colours := _try_measure_appearance(pixels, die, projection)) is None
        or not _is_outlier(look, die, colours, limits)
    )


def _is_outlier(look: AppearanceModel, die: DieReading, colours: DieAppearance, limits: LearningLimits) -> bool:
    """By its size; where its face is in doubt too, by size and colour together."""
    apart = min(abs(colours.size_mm - kind.size_mm) / max(colours.size_mm, kind.size_mm) for kind in look.clusters)
    if apart > limits.max_size_difference:
        return True
    is_read = die.value_confidence >= limits.least_value_confidence
    return not is_read and compute_fit(look, colours, limits, least_spread=limits.outlier_spread) < limits.outlier_fit


def learn_dice(
    look: AppearanceModel, dice: Sequence[DieReading], pixels: Pixels, projection: Projection
) -> AppearanceModel:
    """The look with the dice that settled in this picture."""
    for die in dice:
        colours = _try_measure_appearance(pixels, die, projection)
        look = look if colours is None else learn_die(look, die, colours)
    return look


def _try_measure_appearance(pixels: Pixels, die: DieReading, projection: Projection) -> DieAppearance | None:
    """None where it has no place on the board, or too little of it is in the picture."""
    try:
        return measure_appearance(pixels, die, projection)
    except ImpossibleReadingError:
        return None


def _compute_cluster_fit(
    kind: DiceCluster, colours: DieAppearance, limits: LearningLimits, least_spread: float = MIN_SPREAD_SHARE
) -> float:
    """Of the mean squared distance in spreads."""
    least = ((least_spread * spread) ** 2 for spread in limits.spread)
    distances = (
        (value - mean) ** 2 / max(variance, floor)
        for value, mean, variance, floor in zip(colours.features, kind.mean, kind.variance, least, strict=True)
    )
    return exp(-sum(distances) / (2 * len(limits.spread)))


def _update_cluster(kind: DiceCluster, colours: DieAppearance, limits: LearningLimits) -> DiceCluster:
    dice = min(kind.count + 1, limits.memory)
    share = 1 / dice
    offs = [value - mean for value, mean in zip(colours.features, kind.mean, strict=True)]
    return replace(
        kind,
        count=dice,
        mean=tuple(mean + share * off for mean, off in zip(kind.mean, offs, strict=True)),
        variance=tuple((1 - share) * (var + share * off**2) for var, off in zip(kind.variance, offs, strict=True)),
    )


def _measure_size_mm(die: DieReading, base_mm: tuple[float, float], projection: Projection) -> float:
    """The edge that is seen `size_px` long at the height of the upper face, which is the edge itself."""
    size_mm = 0.0
    for _ in range(3):  # the nearer face looks larger by a fiftieth; three rounds are exact to a thousandth
        x_mm, y_mm = base_mm
        around = [(x_mm, y_mm), (x_mm + 1, y_mm), (x_mm, y_mm + 1)]
        middle, right, down = projection.to_picture(around, size_mm)
        area_px = abs(float(np.linalg.det(np.array([right - middle, down - middle]))))
        size_mm = die.size_px / max(area_px, 1e-9) ** 0.5
    return size_mm


def _measure_body_lab(pixels: Pixels, die: DieReading) -> tuple[float, float, float]:
    """The median within the upper face: even six pips cover less than half of the disc."""
    radius_px = max(1.0, FACE_SHARE * die.size_px)
    x_px, y_px = die.centre_px
    height, width = pixels.shape[:2]
    columns = slice(*np.clip((round(x_px - radius_px), round(x_px + radius_px) + 1), 0, width).tolist())
    rows = slice(*np.clip((round(y_px - radius_px), round(y_px + radius_px) + 1), 0, height).tolist())
    window = pixels[rows, columns]
    if window.size == 0:
        raise ImpossibleReadingError(f"a die at {x_px:.0f}, {y_px:.0f} lies outside a picture of {width}x{height}")
    lab = cv2.cvtColor(window.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)
    y, x = np.mgrid[rows, columns]
    inside = (x - x_px) ** 2 + (y - y_px) ** 2 <= radius_px**2
    face = lab[inside] if inside.any() else lab.reshape(-1, 3)
    lightness, a, b = np.median(face, axis=0).tolist()
    return lightness, a, b
