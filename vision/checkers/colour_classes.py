"""Which checkers belong together: told by comparing all of them, where brightness alone would mislead.

The network judges light and dark place by place with the whole picture in mind. On boards whose sides differ in hue and
hardly in brightness (red against green) it finds every checker but may call the same side light here and dark there.
Then the colours of all upper faces are laid side by side. When they fall into two clear groups, each group is one side,
and the brighter one is light, or the one that was light at calibration. When they do not, or when the network is sure
of itself, its word stands.

Points on which checkers of both colours show: a hit checker not yet taken off, one put on a closed point.

The network knows one colour a point. But where the colours of all upper faces fall into two clear groups, each face tells
by itself to which of them it belongs, and a point whose faces belong to both is told so. That is rare, and dark faces in
glare look like light ones, so each face of such a point has to look as its group does: glare leaves others in between.

Counting faces: a second opinion on how many checkers lie on a place.

The network judges a place as a whole, and so by the length of a row too, which misleads where checkers are smaller or
flatter against the board than those it learned from. It also marks the middle of each upper face, one by one and
whatever their size. Both opinions are weighed: the likelihood of a count is multiplied by that of seeing so many faces
when so many checkers lie there. Where a hand covers the place, faces say little: their word counts as far as the place can be seen.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.checkers.network import COUNTS, PLACES, CheckerTop, ViewReading
from vision.geometry.top_view import BAR_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX

BAR = PLACES  # index of the bar among the places
FACE_PX = 5  # half a side of the square whose median is a face's colour; a face has a radius of 11 to 16
LIGHTNESS_WEIGHT = 0.6  # shadow and lamp change lightness more than hue
LEAST_FACES = 6
# The network wavers where this share of the faces has log-odds below UNSURE. On boards whose sides differ in brightness
# hardly any face has; then its word is better than any grouping, which glare and shade mislead.
UNSURE_LOG_ODDS, WAVERING_SHARE = 2.0, 0.12
CLEAR_GAP = 8.0  # between the groups, in weighted CIELAB
CLEAR_RATIO = 4.5  # gap to spread within the groups
CLEAR_LIGHTNESS = 3.0  # of 100: from here the brighter group is light, below it the network's votes decide
MAX_NETWORK_LOG_ODDS = 3.0  # the most the network's own log-odds count for against clear groups
MAX_CLUSTER_LOG_ODDS = 6.0
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


def classify_sides(faces: FaceColours, reading: ViewReading, known: SideColours | None = None) -> ViewReading:
    """The reading with light and dark told apart by the colours of its faces where that is clear; else as it was."""
    votes = _compute_network_odds(reading)
    groups = _find_side_clusters(faces, votes, known)
    if groups is None:
        return reading
    light, dark = groups
    off_light, off_dark = (np.linalg.norm(faces.lab - middle, axis=1) for middle in (light, dark))
    odds = compute_distance_odds(
        off_light, off_dark, float(np.linalg.norm(light - dark)) / SPREADS_APART, MAX_CLUSTER_LOG_ODDS
    )
    points = reading.points.copy()
    for place in range(PLACES):
        here = faces.place == place
        if here.any():
            points[place] = _apply_odds(points[place], float(np.median(odds[here])))
    bar_light, bar_dark = _correct_bar(reading, odds[faces.place == BAR])
    return replace(reading, points=points, bar_light=bar_light, bar_dark=bar_dark)


def compute_distance_odds(
    off_first: ArrayLike, off_second: ArrayLike, spread: float, most: float
) -> NDArray[np.float64]:
    """Log-odds of the first of two sides, by how far colours are from the middles of both, in spreads; `most` at most."""
    return np.asarray(np.clip((np.square(off_second) - np.square(off_first)) / (2 * spread**2), -most, most))


def measure_face_colours(view: NDArray[np.uint8], tops: tuple[CheckerTop, ...]) -> FaceColours:
    """The colour of each upper face that lies on a point or on the bar."""
    places, colours = [], []
    for top in tops:
        place = find_place(top.x_px, top.y_px)
        x, y = round(top.x_px), round(top.y_px)
        if place is None or not (FACE_PX <= x < VIEW_WIDTH_PX - FACE_PX and FACE_PX <= y < VIEW_HEIGHT_PX - FACE_PX):
            continue
        face = view[y - FACE_PX : y + FACE_PX + 1, x - FACE_PX : x + FACE_PX + 1]
        lab = cv2.cvtColor(face.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)
        places.append(place)
        colours.append(np.median(lab.reshape(-1, 3), axis=0) * (LIGHTNESS_WEIGHT, 1, 1))
    return FaceColours(np.array(places, np.int64), np.array(colours, np.float64).reshape(-1, 3))


def find_place(x_px: float, y_px: float) -> int | None:
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


def _compute_network_odds(reading: ViewReading) -> NDArray[np.float64]:
    """(25,): the network's log-odds of light against dark; 0 for the bar, which can hold both."""
    light = np.logaddexp.reduce(reading.points[:, 1:COUNTS], axis=1)
    dark = np.logaddexp.reduce(reading.points[:, COUNTS:], axis=1)
    return np.append(light - dark, 0.0).astype(np.float64)


def _is_first_light(
    first: NDArray[np.float64], second: NDArray[np.float64], known: SideColours | None, votes: float
) -> bool:
    """Whether the first group is the light side. `votes` is the network's word for that, as log-odds."""
    if known is not None:  # as they were at calibration, whatever the light of the moment made of them
        light, dark = (np.array(colour) * (LIGHTNESS_WEIGHT, 1, 1) for colour in (known.light, known.dark))
        straight = np.linalg.norm(first - light) + np.linalg.norm(second - dark)
        return bool(straight < np.linalg.norm(first - dark) + np.linalg.norm(second - light))
    brighter = float(first[0] - second[0]) / LIGHTNESS_WEIGHT
    return (brighter if abs(brighter) >= CLEAR_LIGHTNESS else votes) > 0


def _find_side_clusters(
    faces: FaceColours, votes: NDArray[np.float64], known: SideColours | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Middles of the light and the dark group, where the network wavers and the faces fall into two clear ones."""
    if not len(faces.place) or (np.abs(votes[faces.place]) < UNSURE_LOG_ODDS).mean() < WAVERING_SHARE:
        return None
    middles = cluster_colours(faces)
    if middles is None:
        return None
    nearer = np.linalg.norm(faces.lab[:, None] - np.array(middles)[None], axis=2).argmin(axis=1)
    agreed = np.clip(votes[faces.place], -MAX_NETWORK_LOG_ODDS, MAX_NETWORK_LOG_ODDS)
    told = float(agreed[nearer == 0].sum() - agreed[nearer == 1].sum())
    light = 0 if _is_first_light(middles[0], middles[1], known, told) else 1
    return middles[light], middles[1 - light]


def cluster_colours(faces: FaceColours) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
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


def _apply_odds(points: NDArray[np.float32], odds: float) -> NDArray[np.float32]:
    """(31,) log-probabilities whose light and dark halves keep their counts and get these odds in addition.

    The counts of the side that the network did not believe in are those of the other: it saw as many checkers.
    """
    light, dark = points[1:COUNTS], points[COUNTS:]
    total = np.logaddexp(light, dark)
    votes = float(np.logaddexp.reduce(light) - np.logaddexp.reduce(dark))
    posterior = float(np.clip(votes, -MAX_NETWORK_LOG_ODDS, MAX_NETWORK_LOG_ODDS)) + odds
    log_light, log_dark = -np.logaddexp(0, -posterior), -np.logaddexp(0, posterior)
    return np.concatenate([points[:1], total + log_light, total + log_dark]).astype(np.float32)


def _correct_bar(reading: ViewReading, odds: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The bar's counts exchanged when its faces are clearly of the other side."""
    light, dark = int(reading.bar_light.argmax()), int(reading.bar_dark.argmax())
    seen_light, seen_dark = int((odds > 0).sum()), int((odds < 0).sum())
    if light + dark == seen_light + seen_dark and (light, dark) == (seen_dark, seen_light) and light != dark:
        return reading.bar_dark, reading.bar_light
    return reading.bar_light, reading.bar_dark


MIXED_PRIOR_LOG_ODDS = -4.6  # log-odds of a point with both colours before its faces are looked at, 1 to 100
MAX_FACE_LOG_ODDS = 10.0  # the most that one face says, in nats
MIXED_SPREADS_APART = 6.0  # standard deviations of a face's colour between the middles of the groups, at most
FULLY_VISIBLE = 0.8  # below it a hand may be what shows another colour
# A face belongs to a group for sure within so many times the median distance from its middle, which is never taken for less
# than LEAST_USUAL (weighted CIELAB). Of 6,840 rendered points of one colour 12 had faces of both; none had only such faces.
MAX_DEVIATIONS, MIN_DEVIATION = 2.0, 3.0
# Log-likelihood of a count, by how many more checkers lie there than faces show: on a full row others are covered.
MISSED_LOG_LIKELIHOOD, COVERED_LOG_LIKELIHOOD = -3.5, -0.7


def score_mixed_stacks(faces: FaceColours, reading: ViewReading, unreliable: frozenset[int]) -> NDArray[np.float32]:
    """(24, 16): log-likelihoods of so many checkers of both colours together, as `reading.points` has those of one.

    -inf where nothing speaks for it. On places that are `doubted` a face may be something else.
    """
    table = np.full((PLACES, COUNTS), -np.inf, np.float32)
    groups = cluster_colours(faces)
    if groups is None:
        return table
    odds, is_clean = _compute_cluster_odds(faces, groups)
    for place in range(PLACES):
        on_it = faces.place == place
        here = odds[on_it]
        for_both = min(float(here[here > 0].sum()), float(-here[here < 0].sum())) + MIXED_PRIOR_LOG_ODDS
        is_sure = place not in unreliable and reading.visible[place] >= FULLY_VISIBLE and bool(is_clean[on_it].all())
        if for_both > 0 and is_sure:
            table[place] = float(reading.points[place].max()) + for_both + _score_mixed_counts(len(here))
    return table


def _compute_cluster_odds(
    faces: FaceColours, groups: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(n,): of each face, the log-odds of the first group against the second, and whether it looks as its group does."""
    off = np.stack([np.linalg.norm(faces.lab - middle, axis=1) for middle in groups])
    spread = float(np.linalg.norm(groups[0] - groups[1])) / MIXED_SPREADS_APART
    odds = compute_distance_odds(off[0], off[1], spread, MAX_FACE_LOG_ODDS)
    is_first = odds > 0
    usual = [max(MIN_DEVIATION, float(np.median(off[group][own]))) for group, own in enumerate((is_first, ~is_first))]
    return odds, np.where(is_first, off[0] <= MAX_DEVIATIONS * usual[0], off[1] <= MAX_DEVIATIONS * usual[1])


def _score_mixed_counts(faces: int) -> NDArray[np.float64]:
    """(16,): of so many checkers when so many faces show."""
    more = np.arange(COUNTS) - faces
    covered = np.where(more >= 0, COVERED_LOG_LIKELIHOOD * more, -np.inf)
    missed = np.where(np.abs(more) <= 1, MISSED_LOG_LIKELIHOOD * np.abs(more), -np.inf)
    told = np.where(np.arange(COUNTS) > ROW_LENGTH, np.maximum(covered, missed), missed)
    told[:2] = -np.inf  # of both colours there are two at least
    return np.asarray(told - np.logaddexp.reduce(told))


# How often as many faces are found as there are checkers side by side, one more or less, and anything else; measured
# on drawn pictures, and made a little more doubtful than measured, for the two opinions share their first layers.
FOUND_ALL, FOUND_ONE_OFF, FOUND_OTHER = 0.92, 0.03, 0.002
# So many faces are never found on a sleeve; a heap looks like one at times.
IN_VIEW_FROM, IN_VIEW = 4, 0.7
ROW_LENGTH = 5  # from here on checkers lie on each other, and faces are covered
# What is read as a full row of five, however surely, is at times a heap whose upper checkers hide the gaps: of 254 points
# rendered in the styles held apart that were read so with 0.99 and more, 17 were. Each more is half as likely.
HEAP_AS_ROW = 0.05
MIN_LOG_P = -60.0  # of a probability; less is nothing


def fuse_face_counts(reading: ViewReading) -> ViewReading:
    """The reading with the counts of points and bar weighed by the faces that were found there.

    And what shows many faces is in view, whatever else was thought of it.
    """
    faces = np.zeros(PLACES + 1, np.int64)
    for top in reading.tops:
        place = find_place(top.x_px, top.y_px)
        if place is not None:
            faces[place] += 1
    likelihood = _make_count_likelihood()
    points = np.empty_like(reading.points)
    for place in range(PLACES):
        seen = likelihood[:, min(int(faces[place]), COUNTS - 1)]
        weighed = reading.points[place] + reading.visible[place] * np.concatenate([seen, seen[1:]])
        points[place] = _redistribute_rows(weighed - np.logaddexp.reduce(weighed))
    in_view = np.where(faces >= IN_VIEW_FROM, np.maximum(reading.visible, IN_VIEW), reading.visible)
    reading = replace(reading, visible=np.asarray(in_view, np.float32))
    light, dark = _fuse_bar_counts(reading, likelihood[:, min(int(faces[BAR]), COUNTS - 1)])
    return replace(reading, points=points, bar_light=light, bar_dark=dark)


def _redistribute_rows(row: NDArray[np.float32]) -> NDArray[np.float32]:
    """(31,) log-probabilities, with some of what a row of five has given to what lies higher."""
    chances = np.exp(row.astype(np.float64))
    for five, highest in ((ROW_LENGTH, COUNTS - 1), (COUNTS - 1 + ROW_LENGTH, 2 * COUNTS - 2)):
        halves = 0.5 ** np.arange(highest - five)
        moved = HEAP_AS_ROW * chances[five]
        chances[five] -= moved
        chances[five + 1 : highest + 1] += moved * halves / halves.sum()
    return np.asarray(np.log(np.maximum(chances, np.exp(MIN_LOG_P))), np.float32)


@lru_cache(maxsize=1)
def _make_count_likelihood() -> NDArray[np.float32]:
    """(16, 16) log-likelihood of so many faces (columns) when so many checkers lie there (rows)."""
    checkers, faces = np.arange(COUNTS)[:, None], np.arange(COUNTS)[None]
    off = np.abs(checkers - faces)
    table = np.where(off == 0, FOUND_ALL, np.where(off == 1, FOUND_ONE_OFF, FOUND_OTHER))
    # Of a heap any number of faces between a row and all of it may show.
    heap = (checkers > ROW_LENGTH) & (faces >= ROW_LENGTH - 1)
    table = np.where(heap, 0.12, table)
    return np.asarray(np.log(table / table.sum(axis=1, keepdims=True)), np.float32)


def _fuse_bar_counts(
    reading: ViewReading, seen: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Both colours' counts, weighed by the faces there are of both together."""
    together = reading.bar_light[:, None] + reading.bar_dark[None]
    total = np.minimum(np.add.outer(np.arange(COUNTS), np.arange(COUNTS)), COUNTS - 1)
    together = together + reading.visible[BAR] * seen[total]
    together -= np.logaddexp.reduce(together, axis=None)
    return np.logaddexp.reduce(together, axis=1), np.logaddexp.reduce(together, axis=0)
