"""Appearance of this session's dice: edge and colour, learned from dice that were read beyond doubt.

Each player has his own pair, so a few clusters are kept, each a mean with a variance. The mean forgets: after
`memory` dice every further one weighs 1/`memory`, so a cluster follows the daylight and the value stays bounded. The
model only rejects detections that can hardly be read: a die of another look may be a new die.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp

import cv2
import numpy as np

from vision.dice.readings import DieReading, DieState
from vision.errors import ImpossibleReadingError
from vision.frame import Pixels
from vision.geometry.projection import Projection

# Physical: radius in die edges of the disc whose median is a die's colour, inside the face in every orientation.
FACE_SHARE = 0.4

MIN_SPREAD_SHARE = 0.5  # share of the usual spread below which no cluster shrinks, however alike its dice are; knob


@dataclass(frozen=True, slots=True)
class DieAppearance:
    """Measured edge and colour of one die."""

    size_mm: float
    body_lab: tuple[float, float, float]  # CIELAB, L 0..100, of the body without the pips

    @property
    def features(self) -> tuple[float, ...]:
        return (self.size_mm, *self.body_lab)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningLimits:
    """Thresholds of learning and rejection."""

    least_lie_confidence: float = 0.9
    least_value_confidence: float = 0.95
    # Standard deviations in mm, L, a, b within a cluster before more is known.
    spread: tuple[float, ...] = (0.7, 8.0, 5.0, 5.0)
    min_fit: float = 0.1  # fit from which a die belongs to a cluster
    max_clusters: int = 4
    memory: int = 50  # dice
    min_dice: int = 8  # dice of the session before anything is rejected
    # Factor of `spread` for rejection: a die that leans or lies in shade measures differently.
    outlier_spread: float = 2.0
    # Fit below which a doubtful detection is rejected. Statistical: one in thirty doubtful dice fits worse.
    outlier_fit: float = 0.05
    # Share of the larger edge from which a detection needs a confident face. Statistical: doubtful dice differ by
    # less.
    max_size_difference: float = 0.25
    # The same for a thing in the middle of a checker's face, which no confident face makes a die: carved dots and stars look
    # like an ace. Statistical: dice of two pairs measure within 0.24 of each other, carvings 0.35 and more below the dice.
    smaller_on_face: float = 0.3
    min_dice_on_face: int = 4  # dice of the session before these are rejected: two throws
    confident_face_p: float = 0.99


LIMITS = LearningLimits()


@dataclass(frozen=True, slots=True)
class DiceCluster:
    """Mean and variance of size_mm, L, a and b of similar dice."""

    count: int
    mean: tuple[float, ...]
    variance: tuple[float, ...]

    @property
    def size_mm(self) -> float:
        return self.mean[0]


@dataclass(frozen=True, slots=True)
class AppearanceModel:
    """The clusters of this session, the last one seen first; none at the start."""

    clusters: tuple[DiceCluster, ...] = ()


def measure_appearance(pixels: Pixels, die: DieReading, projection: Projection) -> DieAppearance:
    """Edge and colour of a die. ImpossibleReadingError where it has no place on a board or lies outside the picture."""
    if die.base_mm is None:
        raise ImpossibleReadingError("a die's size is measured on a known board; this one has no place on it")
    return DieAppearance(_measure_size_mm(die, die.base_mm, projection), _measure_body_lab(pixels, die))


def learn_die(model: AppearanceModel, die: DieReading, appearance: DieAppearance) -> AppearanceModel:
    """The model with one settled die more; unchanged by a die that is not surely flat and read."""
    is_sure = (
        die.lie_confidence >= LIMITS.least_lie_confidence and die.value_confidence >= LIMITS.least_value_confidence
    )
    if die.lies is not DieState.FLAT or not is_sure:
        return model
    cluster = max(model.clusters, key=lambda cluster: _compute_cluster_fit(cluster, appearance), default=None)
    if cluster is None or _compute_cluster_fit(cluster, appearance) < LIMITS.min_fit:
        new = DiceCluster(1, appearance.features, tuple(spread**2 for spread in LIMITS.spread))
        return AppearanceModel((new, *model.clusters)[: LIMITS.max_clusters])
    others = tuple(other for other in model.clusters if other is not cluster)
    return AppearanceModel((_update_cluster(cluster, appearance), *others))


def compute_fit(model: AppearanceModel, appearance: DieAppearance, *, least_spread: float = MIN_SPREAD_SHARE) -> float:
    """Fit to the best cluster: 1 at its mean, towards 0 far from all, 0 while nothing is learned."""
    return max((_compute_cluster_fit(cluster, appearance, least_spread) for cluster in model.clusters), default=0.0)


def reject_carvings(
    model: AppearanceModel,
    dice: Sequence[DieReading],
    pixels: Pixels,
    projection: Projection,
    is_on_face: Callable[[DieReading], bool],
) -> tuple[DieReading, ...]:
    """The dice of a picture (h, w, 3) BGR without what is carved into the faces of checkers: far smaller than every known die.

    `is_on_face`: whether a die shows in the middle of a checker's face.
    """
    if sum(cluster.count for cluster in model.clusters) < LIMITS.min_dice_on_face:
        return tuple(dice)
    least_mm = (1 - LIMITS.smaller_on_face) * min(cluster.size_mm for cluster in model.clusters)
    return tuple(
        die
        for die in dice
        if not is_on_face(die)
        or (appearance := _try_measure_appearance(pixels, die, projection)) is None
        or appearance.size_mm >= least_mm
    )


def reject_outliers(
    model: AppearanceModel, dice: Sequence[DieReading], pixels: Pixels, projection: Projection
) -> tuple[DieReading, ...]:
    """The dice of a picture (h, w, 3) BGR without doubtful detections that no cluster fits: gaps, grain, ornaments.

    A confident face is never rejected, nor anything in a session with few dice.
    """
    if sum(cluster.count for cluster in model.clusters) < LIMITS.min_dice:
        return tuple(dice)
    return tuple(
        die
        for die in dice
        if die.value_confidence >= LIMITS.confident_face_p
        or (appearance := _try_measure_appearance(pixels, die, projection)) is None
        or not _is_outlier(model, die, appearance)
    )


def _is_outlier(model: AppearanceModel, die: DieReading, appearance: DieAppearance) -> bool:
    """By size; without an accepted value by size and colour together."""
    apart = min(
        abs(appearance.size_mm - cluster.size_mm) / max(appearance.size_mm, cluster.size_mm)
        for cluster in model.clusters
    )
    if apart > LIMITS.max_size_difference:
        return True
    is_read = die.value_confidence >= LIMITS.least_value_confidence
    return not is_read and compute_fit(model, appearance, least_spread=LIMITS.outlier_spread) < LIMITS.outlier_fit


def learn_dice(
    model: AppearanceModel, dice: Sequence[DieReading], pixels: Pixels, projection: Projection
) -> AppearanceModel:
    """The model with the dice that settled in this picture."""
    for die in dice:
        appearance = _try_measure_appearance(pixels, die, projection)
        model = model if appearance is None else learn_die(model, die, appearance)
    return model


def _try_measure_appearance(pixels: Pixels, die: DieReading, projection: Projection) -> DieAppearance | None:
    """None where the die has no place on the board, or too little of it is in the picture."""
    try:
        return measure_appearance(pixels, die, projection)
    except ImpossibleReadingError:
        return None


def _compute_cluster_fit(
    cluster: DiceCluster, appearance: DieAppearance, least_spread: float = MIN_SPREAD_SHARE
) -> float:
    """Gaussian of the mean squared distance in standard deviations."""
    least = ((least_spread * spread) ** 2 for spread in LIMITS.spread)
    distances = (
        (value - mean) ** 2 / max(variance, floor)
        for value, mean, variance, floor in zip(appearance.features, cluster.mean, cluster.variance, least, strict=True)
    )
    return exp(-sum(distances) / (2 * len(LIMITS.spread)))


def _update_cluster(cluster: DiceCluster, appearance: DieAppearance) -> DiceCluster:
    dice = min(cluster.count + 1, LIMITS.memory)
    share = 1 / dice
    offs = [value - mean for value, mean in zip(appearance.features, cluster.mean, strict=True)]
    return replace(
        cluster,
        count=dice,
        mean=tuple(mean + share * off for mean, off in zip(cluster.mean, offs, strict=True)),
        variance=tuple((1 - share) * (var + share * off**2) for var, off in zip(cluster.variance, offs, strict=True)),
    )


def _measure_size_mm(die: DieReading, base_mm: tuple[float, float], projection: Projection) -> float:
    """The edge that appears `size_px` long at its own height, by fixed-point iteration."""
    size_mm = 0.0
    for _ in range(3):  # the nearer face looks larger by a fiftieth; three rounds are exact to a thousandth
        x_mm, y_mm = base_mm
        around = [(x_mm, y_mm), (x_mm + 1, y_mm), (x_mm, y_mm + 1)]
        middle, right, down = projection.to_picture(around, size_mm)
        area_px = abs(float(np.linalg.det(np.array([right - middle, down - middle]))))
        size_mm = die.size_px / max(area_px, 1e-9) ** 0.5
    return size_mm


def _measure_body_lab(pixels: Pixels, die: DieReading) -> tuple[float, float, float]:
    """The median within the upper face: six pips cover less than half of the disc."""
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
