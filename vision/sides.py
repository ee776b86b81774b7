"""Which checkers belong together: told by comparing all of them, where brightness alone would mislead.

The network judges light and dark place by place with the whole picture in mind. On boards whose sides differ in hue and
hardly in brightness (red against green) it finds every checker but may call the same side light here and dark there.
Then the colours of all upper faces are laid side by side. When they fall into two clear groups, each group is one side,
and the brighter one is light, or the one that was light at calibration. When they do not, or when the network is sure
of itself, its word stands.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.checkers import COUNTS, PLACES, CheckerTop, ViewReading
from vision.geometry.top_view import BAR_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX

BAR = PLACES  # index of the bar among the places
FACE_PX = 5  # half a side of the square whose median is a face's colour; a face has a radius of 11 to 16
LIGHTNESS_WEIGHT = 0.6  # shadow and lamp change lightness more than hue
LEAST_FACES = 6
# The network wavers where this share of the faces has log-odds below UNSURE. On boards whose sides differ in brightness
# hardly any face has; then its word is better than any grouping, which glare and shade mislead.
UNSURE, WAVERING = 2.0, 0.12
CLEAR_GAP = 8.0  # between the groups, in weighted CIELAB
CLEAR_RATIO = 4.5  # gap to spread within the groups
CLEAR_LIGHTNESS = 3.0  # of 100: from here the brighter group is light, below it the network's votes decide
NETWORK_SAYS = 3.0  # the most the network's own log-odds count for against clear groups
GROUPS_SAY = 6.0
SPREADS_APART = 4.0  # standard deviations of a face's colour between the middles of the groups


@dataclass(frozen=True, slots=True)
class SideColours:
    """Mean CIELAB (L 0 to 100) of the upper faces of both sides."""

    light: tuple[float, float, float]
    dark: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class FaceColours:
    """The upper faces whose place is known."""

    place: NDArray[np.int64]  # (n,): 0 to 23, or BAR
    lab: NDArray[np.float64]  # (n, 3), lightness weighted


def with_sides(faces: FaceColours, reading: ViewReading, known: SideColours | None = None) -> ViewReading:
    """The reading with light and dark told apart by the colours of its faces where that is clear; else as it was."""
    votes = _votes(reading)
    groups = _groups(faces, votes, known)
    if groups is None:
        return reading
    light, dark = groups
    off_light, off_dark = (np.linalg.norm(faces.lab - middle, axis=1) for middle in (light, dark))
    odds = odds_by_distance(off_light, off_dark, float(np.linalg.norm(light - dark)) / SPREADS_APART, GROUPS_SAY)
    points = reading.points.copy()
    for place in range(PLACES):
        here = faces.place == place
        if here.any():
            points[place] = _with_odds(points[place], float(np.median(odds[here])))
    bar_light, bar_dark = _bar(reading, odds[faces.place == BAR])
    return replace(reading, points=points, bar_light=bar_light, bar_dark=bar_dark)


def odds_by_distance(off_first: ArrayLike, off_second: ArrayLike, spread: float, most: float) -> NDArray[np.float64]:
    """Log-odds of the first of two sides, by how far colours are from the middles of both, in spreads; `most` at most."""
    return np.asarray(np.clip((np.square(off_second) - np.square(off_first)) / (2 * spread**2), -most, most))


def faces_of(view: NDArray[np.uint8], tops: tuple[CheckerTop, ...]) -> FaceColours:
    """The colour of each upper face that lies on a point or on the bar."""
    places, colours = [], []
    for top in tops:
        place = place_at(top.x_px, top.y_px)
        x, y = round(top.x_px), round(top.y_px)
        if place is None or not (FACE_PX <= x < VIEW_WIDTH_PX - FACE_PX and FACE_PX <= y < VIEW_HEIGHT_PX - FACE_PX):
            continue
        face = view[y - FACE_PX : y + FACE_PX + 1, x - FACE_PX : x + FACE_PX + 1]
        lab = cv2.cvtColor(face.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)
        places.append(place)
        colours.append(np.median(lab.reshape(-1, 3), axis=0) * (LIGHTNESS_WEIGHT, 1, 1))
    return FaceColours(np.array(places, np.int64), np.array(colours, np.float64).reshape(-1, 3))


def place_at(x_px: float, y_px: float) -> int | None:
    """The place a face in the view belongs to: 0 to 23, BAR, or None beside the field (faces lean out a little)."""
    lean = PITCH_PX / 2
    if not (MARGIN_PX - lean < x_px < VIEW_WIDTH_PX - MARGIN_PX + lean):
        return None
    row = 0 if y_px < VIEW_HEIGHT_PX / 2 else 12
    from_left = x_px - MARGIN_PX
    if from_left < HALF_PX:
        return row + max(0, int(from_left // PITCH_PX))
    if from_left < HALF_PX + BAR_PX:
        return BAR
    return row + min(11, 6 + int((from_left - HALF_PX - BAR_PX) // PITCH_PX))


def _votes(reading: ViewReading) -> NDArray[np.float64]:
    """(25,): the network's log-odds of light against dark; 0 for the bar, which can hold both."""
    light = np.logaddexp.reduce(reading.points[:, 1:COUNTS], axis=1)
    dark = np.logaddexp.reduce(reading.points[:, COUNTS:], axis=1)
    return np.append(light - dark, 0.0).astype(np.float64)


def _lighter(first: NDArray[np.float64], second: NDArray[np.float64], known: SideColours | None, votes: float) -> bool:
    """Whether the first group is the light side. `votes` is the network's word for that, as log-odds."""
    if known is not None:  # as they were at calibration, whatever the light of the moment made of them
        light, dark = (np.array(colour) * (LIGHTNESS_WEIGHT, 1, 1) for colour in (known.light, known.dark))
        straight = np.linalg.norm(first - light) + np.linalg.norm(second - dark)
        return bool(straight < np.linalg.norm(first - dark) + np.linalg.norm(second - light))
    brighter = float(first[0] - second[0]) / LIGHTNESS_WEIGHT
    return (brighter if abs(brighter) >= CLEAR_LIGHTNESS else votes) > 0


def _groups(
    faces: FaceColours, votes: NDArray[np.float64], known: SideColours | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Middles of the light and the dark group, where the network wavers and the faces fall into two clear ones."""
    if not len(faces.place) or (np.abs(votes[faces.place]) < UNSURE).mean() < WAVERING:
        return None
    middles = colour_groups(faces)
    if middles is None:
        return None
    nearer = np.linalg.norm(faces.lab[:, None] - np.array(middles)[None], axis=2).argmin(axis=1)
    agreed = np.clip(votes[faces.place], -NETWORK_SAYS, NETWORK_SAYS)
    told = float(agreed[nearer == 0].sum() - agreed[nearer == 1].sum())
    light = 0 if _lighter(middles[0], middles[1], known, told) else 1
    return middles[light], middles[1 - light]


def colour_groups(faces: FaceColours) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The middles, weighted CIELAB, when the colours of all faces fall into two clear groups (2-means)."""
    if len(faces.place) < LEAST_FACES:
        return None
    away = np.linalg.norm(faces.lab[:, None] - faces.lab[None], axis=2)
    first, second = np.unravel_index(away.argmax(), away.shape)
    middles = faces.lab[[first, second]]
    for _ in range(8):
        nearer = np.linalg.norm(faces.lab[:, None] - middles[None], axis=2).argmin(axis=1)
        if nearer.min() == nearer.max():
            return None
        middles = np.array([np.median(faces.lab[nearer == group], axis=0) for group in (0, 1)])
    gap = float(np.linalg.norm(middles[0] - middles[1]))
    spread = float(np.sqrt(np.mean(np.sum((faces.lab - middles[nearer]) ** 2, axis=1))))
    if gap < CLEAR_GAP or gap < CLEAR_RATIO * spread:
        return None
    return middles[0], middles[1]


def _with_odds(points: NDArray[np.float32], odds: float) -> NDArray[np.float32]:
    """(31,) log-probabilities whose light and dark halves keep their counts and get these odds in addition.

    The counts of the side that the network did not believe in are those of the other: it saw as many checkers.
    """
    light, dark = points[1:COUNTS], points[COUNTS:]
    total = np.logaddexp(light, dark)
    votes = float(np.logaddexp.reduce(light) - np.logaddexp.reduce(dark))
    posterior = float(np.clip(votes, -NETWORK_SAYS, NETWORK_SAYS)) + odds
    log_light, log_dark = -np.logaddexp(0, -posterior), -np.logaddexp(0, posterior)
    return np.concatenate([points[:1], total + log_light, total + log_dark]).astype(np.float32)


def _bar(reading: ViewReading, odds: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The bar's counts exchanged when its faces are clearly of the other side."""
    light, dark = int(reading.bar_light.argmax()), int(reading.bar_dark.argmax())
    seen_light, seen_dark = int((odds > 0).sum()), int((odds < 0).sum())
    if light + dark == seen_light + seen_dark and (light, dark) == (seen_dark, seen_light) and light != dark:
        return reading.bar_dark, reading.bar_light
    return reading.bar_light, reading.bar_dark
