"""Corrections of the checker network by the upper faces: sides by colour clustering, mixed stacks, and instance
counts.

*Sides.* The network judges light and dark place by place with the whole picture in mind. On boards whose sides differ
in hue but hardly in brightness (red against green) it finds every checker but may call one side light here and dark
there. The colours of all upper faces are clustered into two groups in CIELAB. If the groups are clear and the network
wavers, each group is one side: the brighter one is light, or the one that was light at calibration. Other groups are
evidence beside the network's, up to a bound.

*Mixed stacks.* The network knows one colour a point. Where the two groups are clear, a point with faces of both is a
mixed stack: a hit checker not yet taken off, or one put on a closed point. Such stacks are rare and dark faces in
glare look light, so each face must be as near to its group as others are.

*Counts.* The network judges the length of a row, which misleads where checkers are smaller or flatter than in
training. It also marks each upper face. The likelihood of a count is multiplied by that of this many faces. Under a
hand faces say little, so their weight is the visibility of the place. A near rim or the frame may cut the first checker
of a row, whose face is then not marked: where faces leave room for it, the network decides whether it is there.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.checkers.network import COUNTS, PLACES, CheckerTop, ViewReading
from vision.geometry.top_view import BAR_PX, HALF_PX, MARGIN_PX, PITCH_PX, VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.pixels.averages import compute_median

BAR = PLACES  # index of the bar among the places
FACE_PX = 5  # half a side of the square whose median is a face's colour; a face has a radius of 11 to 16
LIGHTNESS_WEIGHT = 0.6  # weight of lightness: shadow and lamp change it more than hue; knob
LEAST_FACES = 6
# The network wavers where this share of faces has log-odds below the first value. Otherwise its sides are better than
# clusters, which glare and shade mislead. Knobs.
UNSURE_LOG_ODDS, WAVERING_SHARE = 2.0, 0.12
CLEAR_GAP = 8.0  # least gap between the groups, in weighted CIELAB
CLEAR_RATIO = 4.5  # least ratio of gap to spread within the groups
CLEAR_LIGHTNESS = 3.0  # of 100: from here the brighter group is light, below it the network decides
MAX_NETWORK_LOG_ODDS = 3.0  # cap on the network's log-odds against clear groups
MAX_CLUSTER_LOG_ODDS = 6.0
# Groups that are less clear, or beside a sure network, add no more than this, from this ratio of gap to spread (knobs,
# development set); and only where the network calls them by different sides, since one side in light and shade makes two.
MAX_FAINT_LOG_ODDS, FAINT_RATIO = 2.0, 2.0
SPREADS_APART = 4.0  # standard deviations of a face's colour between the middles of the groups


@dataclass(frozen=True, slots=True)
class SideColours:
    """Mean CIELAB (L 0 to 100) of the upper faces of both sides."""

    light: tuple[float, float, float]
    dark: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ColourSplit:
    """The faces in two groups by colour (2-means), in weighted CIELAB."""

    middles: NDArray[np.float64]  # (2, 3)
    nearer: NDArray[np.int64]  # (n,): 0 or 1, the group of each face
    gap: float  # between the middles
    spread: float  # rms distance of a face from the middle of its group

    @property
    def is_clear(self) -> bool:
        return self.gap >= CLEAR_RATIO * self.spread


@dataclass(frozen=True, slots=True, eq=False)
class FaceColours:
    """The upper faces whose place is known."""

    place: NDArray[np.int64]  # (n,): 0 to 23, or BAR
    lab: NDArray[np.float64]  # (n, 3), lightness weighted
    split: ColourSplit | None  # None with few faces or where the groups lie close together


def classify_sides(faces: FaceColours, reading: ViewReading, known: SideColours | None = None) -> ViewReading:
    """The reading with the sides of clear colour groups, or with the bounded evidence of other groups."""
    split = faces.split
    if split is None:
        return reading
    votes = _compute_network_odds(reading)
    wavers = bool((np.abs(votes[faces.place]) < UNSURE_LOG_ODDS).mean() >= WAVERING_SHARE)
    decides = split.is_clear and wavers
    agreed = np.clip(votes[faces.place], -MAX_NETWORK_LOG_ODDS, MAX_NETWORK_LOG_ODDS)
    by_group = [float(agreed[split.nearer == group].sum()) for group in (0, 1)]
    if not decides and (split.gap < FAINT_RATIO * split.spread or by_group[0] * by_group[1] >= 0):
        return reading
    is_first_light = _is_first_light(split.middles[0], split.middles[1], known, by_group[0] - by_group[1])
    light, dark = split.middles if is_first_light else split.middles[::-1]
    off_light, off_dark = (np.linalg.norm(faces.lab - middle, axis=1) for middle in (light, dark))
    most = MAX_CLUSTER_LOG_ODDS if decides else MAX_FAINT_LOG_ODDS
    odds = compute_distance_odds(off_light, off_dark, max(split.gap / SPREADS_APART, split.spread), most)
    points = reading.points.copy()
    places, middle_odds = _compute_place_medians(faces.place, odds)
    shown = places < PLACES
    most_votes = MAX_NETWORK_LOG_ODDS if decides else np.inf
    points[places[shown]] = _apply_odds(points[places[shown]], middle_odds[shown], most_votes)
    if not decides:
        return replace(reading, points=points)
    bar_light, bar_dark = _correct_bar(reading, odds[faces.place == BAR])
    return replace(reading, points=points, bar_light=bar_light, bar_dark=bar_dark)


def compute_distance_odds(
    off_first: ArrayLike, off_second: ArrayLike, spread: float, most: float
) -> NDArray[np.float64]:
    """Log-odds of the first side by the distances from the middles of both, in units of `spread`, clipped to `most`."""
    return np.asarray(np.clip((np.square(off_second) - np.square(off_first)) / (2 * spread**2), -most, most))


def measure_face_colours(view: NDArray[np.uint8], tops: tuple[CheckerTop, ...]) -> FaceColours:
    """The colour of each upper face on a point or the bar."""
    places, parts = [], []
    for top in tops:
        place = find_place(top.x_px, top.y_px)
        x, y = round(top.x_px), round(top.y_px)
        if place is None or not (FACE_PX <= x < VIEW_WIDTH_PX - FACE_PX and FACE_PX <= y < VIEW_HEIGHT_PX - FACE_PX):
            continue
        places.append(place)
        parts.append(view[y - FACE_PX : y + FACE_PX + 1, x - FACE_PX : x + FACE_PX + 1])
    lab = measure_median_colours(np.array(parts)) if parts else np.empty((0, 3))
    return FaceColours(np.array(places, np.int64), lab, _split_colours(lab))


def measure_median_colours(parts: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(n, 3): the median CIELAB of each of `parts` (n, h, w, 3) BGR of the view, lightness weighted."""
    number, height, width, _ = parts.shape
    below_one_another = parts.reshape(number * height, width, 3).astype(np.float32) / np.float32(255)
    lab = cv2.cvtColor(below_one_another, cv2.COLOR_BGR2LAB).reshape(number, height * width, 3)
    return np.asarray(compute_median(lab.transpose(1, 0, 2)) * (LIGHTNESS_WEIGHT, 1, 1), np.float64)


def find_place(x_px: float, y_px: float) -> int | None:
    """The place of a face in the view: 0 to 23, BAR, or None beside the field (faces lean out a little)."""
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
    """Whether the first group is the light side. `votes` are the network's log-odds of that."""
    if known is not None:  # the calibration decides, whatever the present light is
        light, dark = (np.array(colour) * (LIGHTNESS_WEIGHT, 1, 1) for colour in (known.light, known.dark))
        straight = np.linalg.norm(first - light) + np.linalg.norm(second - dark)
        return bool(straight < np.linalg.norm(first - dark) + np.linalg.norm(second - light))
    brighter = float(first[0] - second[0]) / LIGHTNESS_WEIGHT
    return (brighter if abs(brighter) >= CLEAR_LIGHTNESS else votes) > 0


def _split_colours(lab: NDArray[np.float64]) -> ColourSplit | None:
    """None with few faces or where the groups lie close together."""
    if len(lab) < LEAST_FACES:
        return None
    away = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    first, second = np.unravel_index(away.argmax(), away.shape)
    middles, before = lab[[first, second]], None
    for _ in range(8):
        off_first, off_second = (np.linalg.norm(lab - middle, axis=1) for middle in middles)
        is_second = off_second < off_first
        if is_second.all() or not is_second.any():
            return None
        if before is not None and np.array_equal(is_second, before):
            break  # further rounds change nothing
        middles, before = np.array([compute_median(lab[~is_second]), compute_median(lab[is_second])]), is_second
    nearer = is_second.astype(np.int64)
    gap = float(np.linalg.norm(middles[0] - middles[1]))
    spread = float(np.sqrt(np.mean(np.sum((lab - middles[nearer]) ** 2, axis=1))))
    return ColourSplit(middles, nearer, gap, spread) if gap >= CLEAR_GAP else None


def _compute_place_medians(
    place: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The places in their order, and the median value of each."""
    ordered = values[np.lexsort((values, place))]
    places, number = np.unique(place, return_counts=True)
    first = np.cumsum(number) - number
    return places, (ordered[first + (number - 1) // 2] + ordered[first + number // 2]) / 2


def _apply_odds(points: NDArray[np.float32], odds: NDArray[np.float64], most_votes: float) -> NDArray[np.float32]:
    """(n, 31) log-probabilities with these odds (n,) added to those of light against dark, which count up to `most_votes`;
    counts are kept.
    """
    light, dark = points[:, 1:COUNTS], points[:, COUNTS:]
    total = np.logaddexp(light, dark)
    votes = (np.logaddexp.reduce(light, axis=1) - np.logaddexp.reduce(dark, axis=1)).astype(np.float64)
    posterior = (np.clip(votes, -most_votes, most_votes) + odds)[:, None]
    log_light, log_dark = -np.logaddexp(0, -posterior), -np.logaddexp(0, posterior)
    return np.concatenate([points[:, :1], total + log_light, total + log_dark], axis=1).astype(np.float32)


def _correct_bar(reading: ViewReading, odds: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The bar's counts, exchanged if its faces are clearly of the other side."""
    light, dark = int(reading.bar_light.argmax()), int(reading.bar_dark.argmax())
    seen_light, seen_dark = int((odds > 0).sum()), int((odds < 0).sum())
    if light + dark == seen_light + seen_dark and (light, dark) == (seen_dark, seen_light) and light != dark:
        return reading.bar_dark, reading.bar_light
    return reading.bar_light, reading.bar_dark


MIXED_PRIOR_LOG_ODDS = -4.6  # log-odds of a mixed stack before its faces count: 1 to 100
MAX_FACE_LOG_ODDS = 10.0  # cap on the log-odds of one face
# Largest number of standard deviations of a face's colour between the middles of the groups.
MIXED_SPREADS_APART = 6.0
FULLY_VISIBLE = 0.8  # below it a hand may be what shows another colour
# A face belongs to a group within this multiple of the median distance from its middle, which counts as no less than
# the second value (weighted CIELAB). Statistical: no rendered point of one colour passes.
MAX_DEVIATIONS, MIN_DEVIATION = 2.0, 3.0
# Log-likelihood for each checker more or fewer than faces; covered checkers count on full rows.
MISSED_LOG_LIKELIHOOD, COVERED_LOG_LIKELIHOOD = -3.5, -0.7


def score_mixed_stacks(faces: FaceColours, reading: ViewReading, unreliable: frozenset[int]) -> NDArray[np.float32]:
    """(24, 16) log-likelihoods of mixed stacks by their count, comparable with `reading.points`; -inf without
    evidence.

    Places in `unreliable` are excluded: a face there may be another object.
    """
    table = np.full((PLACES, COUNTS), -np.inf, np.float32)
    if faces.split is None or not faces.split.is_clear:
        return table
    odds, is_clean = _compute_cluster_odds(faces, faces.split)
    is_first = odds > 0
    for place in set(faces.place[is_first].tolist()) & set(faces.place[~is_first].tolist()) - {BAR}:
        on_it = faces.place == place
        here = odds[on_it]
        for_both = min(float(here[here > 0].sum()), float(-here[here < 0].sum())) + MIXED_PRIOR_LOG_ODDS
        is_sure = place not in unreliable and reading.visible[place] >= FULLY_VISIBLE and bool(is_clean[on_it].all())
        if for_both > 0 and is_sure:
            table[place] = float(reading.points[place].max()) + for_both + _score_mixed_counts(len(here))
    return table


def _compute_cluster_odds(faces: FaceColours, split: ColourSplit) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(n,) log-odds of the first group for each face, and whether the face is as near to its group as others are."""
    off = np.stack([np.linalg.norm(faces.lab - middle, axis=1) for middle in split.middles])
    odds = compute_distance_odds(off[0], off[1], split.gap / MIXED_SPREADS_APART, MAX_FACE_LOG_ODDS)
    is_first = odds > 0
    usual = [max(MIN_DEVIATION, float(np.median(off[group][own]))) for group, own in enumerate((is_first, ~is_first))]
    return odds, np.where(is_first, off[0] <= MAX_DEVIATIONS * usual[0], off[1] <= MAX_DEVIATIONS * usual[1])


def _score_mixed_counts(faces: int) -> NDArray[np.float64]:
    """(16,) log-probabilities of counts by the number of faces; a mixed stack has two or more."""
    more = np.arange(COUNTS) - faces
    covered = np.where(more >= 0, COVERED_LOG_LIKELIHOOD * more, -np.inf)
    missed = np.where(np.abs(more) <= 1, MISSED_LOG_LIKELIHOOD * np.abs(more), -np.inf)
    scores = np.where(np.arange(COUNTS) > ROW_LENGTH, np.maximum(covered, missed), missed)
    scores[:2] = -np.inf
    return np.asarray(scores - np.logaddexp.reduce(scores))


# Probabilities of as many faces as checkers side by side, one more or less, and any other number. Statistical, a
# little below the measured certainty, since both detections share their first layers.
FOUND_ALL, FOUND_ONE_OFF, FOUND_OTHER = 0.92, 0.03, 0.002
# A row whose first face lies further than this from the edge of the field has room for one more checker; an empty point too.
# Least likelihood, compared with the count that agrees best, of one more checker than faces where there is room for it, and
# of an empty point for each face on it: what made the network waver made the face, so it is no second witness. Knobs, by
# the likelihood of the development set.
ROOM_PX = 0.85 * PITCH_PX
ONE_HIDDEN, FACE_ON_EMPTY = 0.5, 0.25
# No sleeve shows this many faces: least visibility of such a place (a heap resembles a sleeve).
IN_VIEW_FROM, IN_VIEW = 4, 0.7
ROW_LENGTH = 5  # beyond this number checkers lie on each other, and faces are covered
# Share of a read row of five that is given to larger counts, each half as likely as the one before: the upper
# checkers of a heap may hide the gaps. Statistical.
HEAP_AS_ROW = 0.05
MIN_LOG_P = -60.0  # floor of a log-probability


def fuse_face_counts(reading: ViewReading) -> ViewReading:
    """The reading with the counts of points and bar multiplied by the likelihood of the faces found there.

    A place with many faces is in view, whatever its visibility was.
    """
    faces = np.zeros(PLACES + 1, np.int64)
    room_px = np.full(PLACES + 1, float(VIEW_HEIGHT_PX))
    for top in reading.tops:
        place = find_place(top.x_px, top.y_px)
        if place is not None:
            faces[place] += 1
            from_edge_px = min(top.y_px, VIEW_HEIGHT_PX - 1 - top.y_px) - MARGIN_PX
            room_px[place] = min(room_px[place], from_edge_px)
    counted = np.minimum(faces, COUNTS - 1)
    seen = _make_face_scores()[(room_px > ROOM_PX).astype(np.int64), counted][:PLACES]
    weighed = reading.points + reading.visible[:PLACES, None] * seen
    points = _redistribute_rows(weighed - np.logaddexp.reduce(weighed, axis=1, keepdims=True))
    in_view = np.where(faces >= IN_VIEW_FROM, np.maximum(reading.visible, IN_VIEW), reading.visible)
    reading = replace(reading, visible=np.asarray(in_view, np.float32))
    light, dark = _fuse_bar_counts(reading, _make_count_likelihood()[:, counted[BAR]])
    return replace(reading, points=points, bar_light=light, bar_dark=dark)


@lru_cache(maxsize=1)
def _make_face_scores() -> NDArray[np.float32]:
    """(2, 16, 31), read-only: log-likelihood of the number of faces on a point by its contents, without and with room."""
    table = np.array([[_score_faces(faces, has_room) for faces in range(COUNTS)] for has_room in (False, True)])
    table.flags.writeable = False
    return table


def _score_faces(faces: int, has_room: bool) -> NDArray[np.float32]:
    """(31,) log-likelihood of this many faces on a point by its contents."""
    scores = _make_count_likelihood()[:, faces].copy()
    if has_room and faces + 1 < COUNTS:
        scores[faces + 1] = max(scores[faces + 1], scores[faces] + np.log(ONE_HIDDEN))
    if faces:
        scores[0] = max(scores[0], scores.max() + faces * np.log(FACE_ON_EMPTY))
    return np.concatenate([scores, scores[1:]])


def _redistribute_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 31) log-probabilities with HEAP_AS_ROW moved from rows of five to larger counts."""
    chances = np.exp(rows.astype(np.float64))
    for five, highest in ((ROW_LENGTH, COUNTS - 1), (COUNTS - 1 + ROW_LENGTH, 2 * COUNTS - 2)):
        halves = 0.5 ** np.arange(highest - five)
        moved = HEAP_AS_ROW * chances[:, five]
        chances[:, five] -= moved
        chances[:, five + 1 : highest + 1] += moved[:, None] * halves / halves.sum()
    return np.asarray(np.log(np.maximum(chances, np.exp(MIN_LOG_P))), np.float32)


@lru_cache(maxsize=1)
def _make_count_likelihood() -> NDArray[np.float32]:
    """(16, 16) log-likelihood of the number of faces (columns) by the number of checkers (rows)."""
    checkers, faces = np.arange(COUNTS)[:, None], np.arange(COUNTS)[None]
    off = np.abs(checkers - faces)
    table = np.where(off == 0, FOUND_ALL, np.where(off == 1, FOUND_ONE_OFF, FOUND_OTHER))
    # Of a heap any number of faces between a row and all of it may show.
    heap = (checkers > ROW_LENGTH) & (faces >= ROW_LENGTH - 1)
    table = np.where(heap, 0.12, table)
    return np.asarray(np.log(table / table.sum(axis=1, keepdims=True)), np.float32)


_TOTALS = np.minimum(np.add.outer(np.arange(COUNTS), np.arange(COUNTS)), COUNTS - 1)


def _fuse_bar_counts(
    reading: ViewReading, seen: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Counts of both colours, multiplied by the likelihood of the faces of both together."""
    together = reading.bar_light[:, None] + reading.bar_dark[None]
    together = together + reading.visible[BAR] * seen[_TOTALS]
    together -= np.logaddexp.reduce(together, axis=None)
    return np.logaddexp.reduce(together, axis=1), np.logaddexp.reduce(together, axis=0)
