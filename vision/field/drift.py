"""Drift detection: whether the camera or the board has moved since the calibration.

The check tracks small features of the board and its rims (grain, tips, edges, hinges) from the grey picture of the
calibration to the current frames. The movement that most features share is the drift. Checkers, dice and hands move
differently or vanish, and lamps change all grey levels, so they do not agree on a movement. A drift is accepted when
the last frames at rest agree on it. Every frame is compared with the first picture, so that corrections do not
accumulate. Tracking follows a feature over the width of a checker; where too few are found, the board is searched for in the
whole picture by features that a turn does not change (SIFT), which costs ten times as much.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.calibration import Calibration, Reference
from vision.geometry.projection import FieldShape, Points, Projection, transform
from vision.pixels.opencv_arrays import numbers, rows
from vision.pixels.picture_file import decode_picture

if TYPE_CHECKING:
    from vision.frame import Frame

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Steady:
    """Camera and board have not moved."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """A small drift, with the corrected calibration."""

    calibration: Calibration
    shift_mm: float  # of the corner that moved most


@dataclass(frozen=True, slots=True)
class Moved:
    """A drift that is too large for a correction without proof; `reason` is one sentence with the remedy.

    `calibration`: where the board seems to lie now.
    """

    shift_mm: float
    reason: str
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class CannotTell:
    """No decision, because of hands, motion or darkness; later frames may give one. `reason` is one sentence."""

    reason: str


DriftResult = Steady | Shifted | Moved | CannotTell


# Parameters of the drift check. All shares are of the field's width, unless another unit is given.
STEADY_SHARE = 0.0025  # a smaller shift changes nothing
CORRECT_SHARE = 0.03  # a larger shift is not corrected
AGREE_SHARE = 0.0015  # largest deviation of a frame from the median of the frames
FRAME_COUNT = 3  # frames that must agree
LEAST_SPAN_MS = 250  # between the first and the last of these frames
WINDOW_MS = 2000  # age of the oldest usable frame
MARKS = 160  # features to track
LEAST_MARKS = 12  # features that must share the movement
LEAST_SHARE = 0.35  # the same, as a share of the features that were tracked or matched
SURE_SHARE = 0.35  # of all features: fewer may agree by chance after a large movement, and the search decides
LEAST_SPREAD = 0.2  # share of the field's area that these features must span
MARK_PX = 1.0  # largest residual of a feature, in pixels of the reduced picture
RIM_SHARE = 0.05  # width of the margin around the field that also holds features
SMALL_WIDTH_PX = 400  # of the reduced picture
SEARCH_MARKS = 800  # features of the search in the whole picture
SEARCH_CONTRAST = 0.02  # least contrast of these; lower finds more on dark wood and costs time
SEARCH_RATIO = 0.8  # distance of the best match over that of the second best; larger admits more wrong ones


def make_reference(pixels: NDArray[np.uint8], projection: Projection) -> Reference:
    """The reference of a calibration, for later drift checks. Raises ValueError for an empty picture."""
    shrink = max(1, round(pixels.shape[1] / SMALL_WIDTH_PX))
    is_encoded, content = cv2.imencode(".png", _reduce_to_grey(pixels, shrink), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if not is_encoded:
        raise ValueError("the picture is empty")
    return Reference(content.tobytes(), shrink, projection)


def check_drift(calibration: Calibration, frames: Sequence["Frame"]) -> DriftResult:
    """Compares a few of the last frames with the calibration. `frames` are in order of time, the newest last."""
    reference = calibration.reference
    if reference is None:
        return CannotTell("The calibration holds no picture to compare with; make it anew with zarbiter calibrate.")
    chosen = _select_frames([frame for frame in frames if frames[-1].taken_ms - frame.taken_ms <= WINDOW_MS])
    if not chosen:
        return CannotTell(f"Fewer than {FRAME_COUNT} frames were given; ask again in a moment.")
    before, marks_px = _find_marks(reference, calibration.field)
    greys = [_reduce_to_grey(frame.pixels, reference.shrink) for frame in chosen]
    if greys[-1].shape != before.shape:
        return CannotTell("The frames have another size than the calibration's picture; use the same resolution.")
    tracked = [
        _track_board(before, _normalise_contrast(grey), marks_px, reference, calibration.field) for grey in greys
    ]
    seen = [one for one in tracked if one is not None]
    answer = _judge_drift(calibration, seen) if len(seen) == len(chosen) else None
    least = SURE_SHARE * len(marks_px)
    if isinstance(answer, Steady | Shifted) and all(one.marks >= least for one in seen):
        return answer
    # over the width of a point, tracking may also take one point for the next
    found = [_search_board(grey, reference, calibration.field) for grey in (greys[0], greys[-1])]
    located = [one for one in found if one is not None]
    if len(located) == len(found):
        return _judge_drift(calibration, located)
    return answer or CannotTell(
        "Too little of the board looks as it did; take hands away, or calibrate anew if this stays."
    )


@dataclass(frozen=True, slots=True)
class _Location:
    """Where the board lies, and how many features say so."""

    projection: Projection
    marks: int


def _select_frames(frames: Sequence["Frame"]) -> list["Frame"]:
    """The last frame and earlier ones at even distances; empty when too few frames or too short a period exist."""
    if len(frames) < FRAME_COUNT:
        return []
    last_ms = frames[-1].taken_ms
    recent = [frame for frame in frames if last_ms - frame.taken_ms <= 2 * LEAST_SPAN_MS]
    recent = recent if len(recent) >= FRAME_COUNT else list(frames[-FRAME_COUNT:])
    if last_ms - recent[0].taken_ms < LEAST_SPAN_MS:
        return []
    return [recent[index] for index in np.linspace(0, len(recent) - 1, FRAME_COUNT).round().astype(int)]


def _reduce_to_grey(pixels: NDArray[np.uint8], shrink: int) -> Grey:
    height, width = pixels.shape[0] // shrink, pixels.shape[1] // shrink
    grey = cv2.cvtColor(pixels[: height * shrink, : width * shrink], cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def decode_reference(reference: Reference) -> Grey:
    """The picture of a reference; a single pixel when it is damaged."""
    grey = decode_picture(reference.picture_png, cv2.IMREAD_GRAYSCALE)
    return np.zeros((1, 1), np.uint8) if grey is None else grey


def _normalise_contrast(grey: Grey) -> Grey:
    """Normalises the mean and spread of each neighbourhood, which removes the effect of lamps."""
    values = grey.astype(np.float32)
    off = values - cv2.blur(values, (25, 25))
    spread = np.sqrt(np.maximum(cv2.blur(off * off, (25, 25)), 0)) + 4.0
    return np.clip(128 + 45 * off / spread, 0, 255).astype(np.uint8)


@lru_cache(maxsize=2)
def _find_marks(reference: Reference, field: FieldShape) -> tuple[Grey, NDArray[np.float32]]:
    """The normalised reference picture, and its features (n, 2) px on the field and its rims."""
    before = _normalise_contrast(decode_reference(reference))
    mask = _mask_board(before.shape, reference, field)
    apart_px = max(4.0, 0.5 * np.sqrt(np.count_nonzero(mask) / MARKS))
    marks = cv2.goodFeaturesToTrack(before, MARKS, 0.02, apart_px, mask=mask, blockSize=5)
    return before, rows(marks, 2, np.float32)


def _mask_board(shape: tuple[int, ...], reference: Reference, field: FieldShape) -> Grey:
    """255 on the field and its rims, else 0, in a reduced picture of this (height, width)."""
    margin = RIM_SHARE * field.width_mm
    outward = np.array([(-margin, -margin), (margin, -margin), (margin, margin), (-margin, margin)])
    outline_px = _reduce_px(reference.projection.to_picture(field.corners_mm + outward), reference.shrink)
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline_px).astype(np.int32), 255)
    return mask


def _reduce_px(points_px: Points, shrink: int) -> Points:
    return (points_px + 0.5) / shrink - 0.5


def _track_board(
    before: Grey, now: Grey, marks_px: NDArray[np.float32], reference: Reference, field: FieldShape
) -> _Location | None:
    """Where the board lies now; None when too few features agree on a movement."""
    if len(marks_px) < LEAST_MARKS:
        return None
    there, found = _track_marks(before, now, marks_px)
    return _find_common_movement(marks_px[found], there[found], reference, field)


def _search_board(now: Grey, reference: Reference, field: FieldShape) -> _Location | None:
    """The same for a board anywhere in the picture, in any direction."""
    old_px, old_looks = _describe_reference(reference, field)
    marks, looks = _make_describer().detectAndCompute(now, None)
    if len(old_px) < LEAST_MARKS or len(marks) < 2:
        return None
    pairs = cv2.BFMatcher().knnMatch(old_looks, np.asarray(looks, np.float32), k=2)
    unique = [best for best, second in pairs if best.distance < SEARCH_RATIO * second.distance]
    old = np.array([old_px[match.queryIdx] for match in unique], np.float32).reshape(-1, 2)
    new = np.array([marks[match.trainIdx].pt for match in unique], np.float32).reshape(-1, 2)
    return _find_common_movement(old, new, reference, field)


def _make_describer() -> cv2.SIFT:
    return cv2.SIFT.create(SEARCH_MARKS, contrastThreshold=SEARCH_CONTRAST)


@lru_cache(maxsize=2)
def _describe_reference(reference: Reference, field: FieldShape) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n, 2) px and (n, 128): the features of the reference on the field and its rims, and how they look."""
    picture = decode_reference(reference)
    marks, looks = _make_describer().detectAndCompute(picture, _mask_board(picture.shape, reference, field))
    return np.array([mark.pt for mark in marks], np.float32).reshape(-1, 2), np.asarray(looks, np.float32)


def _find_common_movement(
    old_px: NDArray[np.float32], new_px: NDArray[np.float32], reference: Reference, field: FieldShape
) -> _Location | None:
    """Where the board lies after the movement that most features share, from and to (n, 2) px; None when too few do."""
    old, new = old_px.astype(np.float64), new_px.astype(np.float64)
    if len(old) < LEAST_MARKS:
        return None
    _, agreeing = cv2.estimateAffinePartial2D(
        old, new, method=cv2.RANSAC, ransacReprojThreshold=2.5 * MARK_PX, maxIters=500, confidence=0.999
    )
    agree = numbers(agreeing, np.uint8).astype(bool)
    lens, shrink = reference.projection.lens, reference.shrink
    old, new = (lens.straighten((points + 0.5) * shrink - 0.5) for points in (old, new))
    for _ in range(4):
        if agree.sum() < max(LEAST_MARKS, LEAST_SHARE * len(old)):
            return None
        if _compute_coverage(old[agree], reference.projection, field) < LEAST_SPREAD:
            return None
        bump = _estimate_movement(old[agree], new[agree])
        agree = np.linalg.norm(transform(bump, old) - new, axis=1) < MARK_PX * shrink
    return _Location(Projection.of(bump @ reference.projection.matrix, lens), int(agree.sum()))


def _track_marks(
    before: Grey, now: Grey, marks_px: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The new position of each feature, and whether tracking it backwards returns to its origin."""
    start = marks_px.copy()
    there, status, _ = cv2.calcOpticalFlowPyrLK(before, now, marks_px, start, winSize=(17, 17), maxLevel=3)
    ended = there.copy()
    back, status_back, _ = cv2.calcOpticalFlowPyrLK(now, before, there, ended, winSize=(17, 17), maxLevel=3)
    is_seen = (numbers(status, np.uint8) > 0) & (numbers(status_back, np.uint8) > 0)
    back_px = rows(np.asarray(back), 2, np.float32)
    return rows(np.asarray(there), 2, np.float32), is_seen & (np.linalg.norm(back_px - marks_px, axis=1) < 0.5)


def _compute_coverage(points_px: Points, projection: Projection, field: FieldShape) -> float:
    """The share of the field's area that these points (undistorted px) span."""
    points_mm = transform(np.linalg.inv(projection.matrix), points_px)
    hull = cv2.convexHull(points_mm.astype(np.float32))
    return float(cv2.contourArea(hull)) / (field.width_mm * field.height_mm)


def _estimate_movement(old: Points, new: Points) -> NDArray[np.float64]:
    """(3, 3): the least-squares homography, regularised towards a similarity."""
    middle, size = old.mean(axis=0), float(np.abs(old - old.mean(axis=0)).max())
    (x, y), (u, v) = ((old - middle) / size).T, ((new - middle) / size).T
    one, none = np.ones_like(x), np.zeros_like(x)
    table = np.vstack(
        [
            np.column_stack([x, y, one, none, none, none, -u * x, -u * y]),
            np.column_stack([none, none, none, x, y, one, -v * x, -v * y]),
            # Regularisation: a = e and b = -d give a similarity, and g and h, the perspective, are small.
            np.array([(1, 0, 0, 0, -1, 0, 0, 0), (0, 1, 0, 1, 0, 0, 0, 0)]),
            2 * np.array([(0, 0, 0, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, 0, 0, 1)]),
        ]
    )
    right = np.concatenate([u, v, np.zeros(4)])
    solved = np.append(np.linalg.lstsq(table, right, rcond=None)[0], 1).reshape(3, 3)
    place = np.array([(size, 0, middle[0]), (0, size, middle[1]), (0, 0, 1)])
    return np.asarray(place @ solved @ np.linalg.inv(place))


def _judge_drift(calibration: Calibration, seen: Sequence[_Location]) -> DriftResult:
    field, known = calibration.field, calibration.projection
    corners_px = np.array([one.projection.to_picture(field.corners_mm) for one in seen])
    corners_mm = np.array([known.to_board(each) for each in corners_px])
    median_mm = np.median(corners_mm, axis=0)
    apart_mm = float(np.linalg.norm(corners_mm - median_mm, axis=2).max())
    shift_mm = float(np.linalg.norm(median_mm - field.corners_mm, axis=1).max())
    if apart_mm > AGREE_SHARE * field.width_mm + 0.1 * shift_mm:
        return CannotTell("The picture is still moving; ask again when it rests.")
    if shift_mm <= STEADY_SHARE * field.width_mm:
        return Steady()
    projection = Projection.of_corners(np.median(corners_px, axis=0), field, known.lens)
    there = replace(calibration, projection=projection)
    if shift_mm > CORRECT_SHARE * field.width_mm:
        remedy = "put it back, or calibrate anew with zarbiter calibrate"
        return Moved(shift_mm, f"The camera or the board moved by {shift_mm:.0f} mm; {remedy}.", there)
    return Shifted(there, shift_mm)
