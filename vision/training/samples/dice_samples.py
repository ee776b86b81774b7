"""Samples for the networks that read dice: one window of a crop and its labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import LIES, ObjectClass
from vision.dice.readings import DieState
from vision.dice.windows import DIE_PX, SIGHT, WINDOW_PX, DieSpot, WindowPlace, place_window
from vision.geometry.projection import FieldShape, KnownBoard, Points
from vision.training.drawn_boards.photo_augmentation import augment_photo
from vision.training.samples.die_truth import DiceCrop, DieTruth
from vision.training.samples.occlusion_augmentation import augment_die, augment_empty

IGNORED = -1
# visible shares of a die; between them its face is labelled, but not its class and lie
WELL_VISIBLE, BARELY_VISIBLE = 0.6, 0.2
FACE_KNOWN_TO_DEG = 38.0  # beyond this tilt another face is as much on top
NEITHER_FLAT_NOR_COCKED_DEG = (3.0, 5.0)
UNCALIBRATED_SHARE = 0.15  # share of samples
DEGRADE_SHARE = 0.25  # share of samples; few, because pips have few pixels and must stay readable
DOWNSCALE_SHARE, LEAST_DIE_PX = 0.5, 13.0  # share of samples in fewer pixels, and the least edge of a die that is kept
LEAST_SCALE = 0.5  # of the pixels along a side
CENTRED_SHARE = 0.6  # share of the empty samples; crops of hard negatives have the confusing object in their middle
# Localisation error of a detector: standard deviations in edges of the die and of the logarithm of its size, one of
# each for every sample.
JITTER_EDGES, JITTER_LOG_SIZE = (0.04, 0.12, 0.2), (0.05, 0.15, 0.25)
EMPTY_SHARE = 0.25  # share of samples without a die, where the crop has room
TRANSPOSED_PLANES = (0, 1, 2, 3, 5, 4, 6, 7, 8, 9)  # order of a window's planes after x and y change places
MASK_CELL_PX = 4
MASK_CELLS = WINDOW_PX // MASK_CELL_PX
MASKS_FROM_VISIBLE = 0.9  # visible share; labels do not say what covers a die
NEAR_A_DIE = 0.7  # edges; a place further from every die's middle is empty


@dataclass(frozen=True, slots=True, eq=False)
class DiceSample:
    """One window; IGNORED or nan where a label is missing."""

    planes: NDArray[np.float32]  # (PLANES, WINDOW_PX, WINDOW_PX)
    kind: int
    face: int  # 0..5
    lie: int  # index in classifier.LIES
    checker: float  # touches one: 0 or 1
    shape: NDArray[np.float32]  # (7,): normal x y, top x y, base x y, log size
    masks: NDArray[np.float32]  # (2, MASK_CELLS, MASK_CELLS): share of each cell in the upper face, in the body


def make_dice_sample(crop: DiceCrop, rng: np.random.Generator | None, *, with_occlusion: bool = False) -> DiceSample:
    """An upright sample. Without `rng` the die in the middle, exactly localised and without augmentation."""
    crop, spot, die = jitter_localisation(crop, rng)
    if rng is not None and with_occlusion:
        crop, die = _augment_occlusion(crop, spot, die, rng)
    board: KnownBoard | None = crop.board
    if rng is not None and rng.random() < UNCALIBRATED_SHARE:
        board = None
    elif rng is not None:
        board = _jitter_calibration(crop.board, rng)
    window = place_window(spot, board)
    colours = window.sample_views(crop.pixels).astype(np.float32)
    if rng is not None:
        colours = augment_photo(colours, rng, degrade_share=DEGRADE_SHARE)
    return label_window(crop, die, window, window.make_planes(colours))


def _augment_occlusion(
    crop: DiceCrop, spot: DieSpot, die: DieTruth | None, rng: np.random.Generator
) -> tuple[DiceCrop, DieTruth | None]:
    if die is None:
        return augment_empty(crop, spot, rng), None
    return augment_die(crop, die, rng) if die.cube_value is None else (crop, die)


def jitter_localisation(
    crop: DiceCrop,
    rng: np.random.Generator | None,
    *,
    jitter_edges: tuple[float, ...] = JITTER_EDGES,
    jitter_log_size: tuple[float, ...] = JITTER_LOG_SIZE,
) -> tuple[DiceCrop, DieSpot, DieTruth | None]:
    """The crop, sometimes downscaled, the window as a detector would place it, and the die labelled there.

    A window placed roughly on one of two touching dice may have the other die in its middle; then that die is the
    label.
    """
    if rng is not None and rng.random() < DOWNSCALE_SHARE:
        crop = downscale_crop(crop, rng)
    die = _choose_target(crop, rng)
    spot = _jitter_spot(crop, die, rng, jitter_edges, jitter_log_size)
    if die is not None:
        die = _nearest([one for one in crop.dice if one.visible > BARELY_VISIBLE], spot.centre_px)
    return crop, spot, die


def downscale_crop(crop: DiceCrop, rng: np.random.Generator) -> DiceCrop:
    """The crop in fewer pixels: whole pictures have dice of 16 to 26 px, rendered windows of 18 to 40 px."""
    sizes = [die.size_px for die in crop.dice if die.cube_value is None and die.visible > BARELY_VISIBLE]
    least = max(LEAST_SCALE, LEAST_DIE_PX / min(sizes, default=2 * LEAST_DIE_PX))
    if least >= 1:
        return crop
    factor = float(np.exp(rng.uniform(np.log(least), 0)))
    height, width = (round(factor * length) for length in crop.pixels.shape[:2])
    pixels = cv2.resize(crop.pixels, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    board = KnownBoard(crop.board.projection.scale(width / crop.pixels.shape[1]), crop.board.field)
    return DiceCrop(pixels, board, tuple(_scale_die(die, width / crop.pixels.shape[1]) for die in crop.dice))


def _scale_die(die: DieTruth, factor: float) -> DieTruth:
    """The label in a picture `factor` times as wide, by the rule of `Projection.scale`."""
    (top, *quad) = (np.array([die.top_px, *die.quad_px]) + 0.5) * factor - 0.5
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    return replace(die, top_px=(float(top[0]), float(top[1])), quad_px=(first, second, third, fourth))


def _choose_target(crop: DiceCrop, rng: np.random.Generator | None) -> DieTruth | None:
    """The die that the window is placed on; None for a place without one."""
    seen = [die for die in crop.dice if die.visible > BARELY_VISIBLE and crop.holds(die.top_px)]
    if not seen or (rng is not None and rng.random() < EMPTY_SHARE):
        return None
    middle = (crop.pixels.shape[1] / 2, crop.pixels.shape[0] / 2)
    nearest = _nearest(seen, middle)
    return nearest if rng is None or rng.random() < 0.8 else seen[int(rng.integers(len(seen)))]


def _nearest(dice: Sequence[DieTruth], at_px: tuple[float, float]) -> DieTruth:
    return min(dice, key=lambda die: float(np.hypot(*np.subtract(die.top_px, at_px))))


def _jitter_spot(
    crop: DiceCrop,
    die: DieTruth | None,
    rng: np.random.Generator | None,
    off_edges: tuple[float, ...],
    off_log_size: tuple[float, ...],
) -> DieSpot:
    """The window as a detector would place it: near the die, about its size."""
    if die is not None and rng is None:
        return DieSpot(die.top_px, die.size_px, 1.0)
    rng = rng or np.random.default_rng(0)
    if die is not None:
        off = rng.normal(0, rng.choice(off_edges) * die.size_px, 2)
        edge = die.size_px * float(np.exp(rng.normal(0, rng.choice(off_log_size))))
        return DieSpot((die.top_px[0] + float(off[0]), die.top_px[1] + float(off[1])), edge, 1.0)
    sizes = [other.size_px for other in crop.dice if other.cube_value is None] or [min(crop.pixels.shape[:2]) / 5.5]
    edge = float(np.median(sizes)) * float(np.exp(rng.normal(0, 0.25)))
    height, width = crop.pixels.shape[:2]
    if rng.random() < CENTRED_SHARE:
        at = rng.normal((width / 2, height / 2), 0.15 * edge)
    else:
        at = rng.uniform((0, 0), (width, height))
    return DieSpot((float(at[0]), float(at[1])), edge, 1.0)


def _jitter_calibration(board: KnownBoard, rng: np.random.Generator) -> KnownBoard:
    """Calibration error: field lines off by a millimetre or two, the camera's position by some percent."""
    field, (x, y, height) = board.field, board.projection.camera_mm
    left, right = (edge + float(rng.normal(0, 1.2)) for edge in (field.bar_left_mm, field.bar_right_mm))
    off = rng.normal(0, 0.015 * height, 2)
    place = (x + float(off[0]), y + float(off[1]), height * float(np.exp(rng.normal(0, 0.06))))
    width, height = (side + float(rng.normal(0, 1.2)) for side in (field.width_mm, field.height_mm))
    return KnownBoard(
        replace(board.projection, camera_mm=place), FieldShape(width, height, min(left, right), max(left, right))
    )


def label_window(crop: DiceCrop, die: DieTruth | None, window: WindowPlace, planes: NDArray[np.float32]) -> DiceSample:
    unknown = np.full((2, MASK_CELLS, MASK_CELLS), np.nan, np.float32)
    kind, shape = label_kind(crop, die, window), label_shape(crop, die, window)
    if die is None or die.cube_value is not None:
        return DiceSample(planes, kind, IGNORED, IGNORED, np.nan, shape, unknown)
    checker = np.nan if die.touches_checker is None else float(die.touches_checker)
    tells = die.visible >= BARELY_VISIBLE and die.tilt_deg <= FACE_KNOWN_TO_DEG
    face = die.face - 1 if die.face is not None and tells else IGNORED
    quad = window.from_picture(np.array(die.quad_px))
    masks = _draw_masks(quad, shape[4:6] - shape[2:4]) if die.visible > MASKS_FROM_VISIBLE else unknown
    lie = _label_lie(die, window)
    return DiceSample(planes, kind, face, lie, checker, shape, masks)


def label_kind(crop: DiceCrop, die: DieTruth | None, window: WindowPlace) -> int:
    """The `ObjectClass`, or IGNORED for a half-hidden die and for an empty place too near to a die."""
    if die is None:
        return _label_empty(crop, window)
    if die.cube_value is not None:
        return ObjectClass.CUBE.value
    return ObjectClass.DIE.value if die.visible >= WELL_VISIBLE else IGNORED


def label_shape(crop: DiceCrop, die: DieTruth | None, window: WindowPlace) -> NDArray[np.float32]:
    """(7,) as in `DiceSample`; nan where unknown."""
    shape = np.full(7, np.nan, np.float32)
    if die is None or die.cube_value is not None:
        return shape
    if window.board is not None:
        shape[:2] = die.normal
    top = window.from_picture(np.array([die.top_px, *die.quad_px]))
    shape[2:4] = top[0]
    shape[4:6] = window.from_picture(crop.board.projection.to_picture([die.base_mm], die.base_height_mm))[0]
    edges = np.linalg.norm(top[1:] - np.roll(top[1:], 1, axis=0), axis=1)
    shape[6] = np.log(max(float(edges.max()), 0.2))
    return shape


def _draw_masks(quad: Points, to_base: NDArray[np.float32]) -> NDArray[np.float32]:
    """Masks of the upper face, and of the body: the convex hull of that face and the lower one."""
    masks = np.zeros((2, WINDOW_PX, WINDOW_PX), np.uint8)
    corners = np.concatenate([quad, quad + to_base])
    for mask, outline in zip(masks, (quad, cv2.convexHull(corners.astype(np.float32))[:, 0]), strict=True):
        px = (WINDOW_PX - 1) / 2 + DIE_PX * np.asarray(outline, np.float64)
        cv2.fillPoly(mask, [np.round(np.clip(px, -999, 999) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    cells = masks.reshape(2, MASK_CELLS, MASK_CELL_PX, MASK_CELLS, MASK_CELL_PX).mean(axis=(2, 4))
    return np.asarray(cells / 255, np.float32)


def _label_empty(crop: DiceCrop, window: WindowPlace) -> int:
    """NOTHING, unless a die happens to be there."""
    for die in crop.dice:
        away = np.abs(window.from_picture(np.array([die.top_px]))[0]).max()
        if away < NEAR_A_DIE * max(1, die.size_px / window.size_px):
            return IGNORED
    return ObjectClass.NOTHING.value


def _label_lie(die: DieTruth, window: WindowPlace) -> int:
    low, high = NEITHER_FLAT_NOR_COCKED_DEG
    if (
        die.visible < WELL_VISIBLE
        or die.state not in LIES
        or (die.state is DieState.COCKED and low < die.tilt_deg < high)
    ):
        return IGNORED
    if window.board is None and die.state not in (DieState.FLAT, DieState.COCKED):
        return IGNORED
    return LIES.index(die.state)


def augment_orientation(sample: DiceSample, rng: np.random.Generator) -> DiceSample:
    """Mirrors, and turns by quarters: a die may have any orientation."""
    planes, shape, masks = sample.planes.copy(), sample.shape.copy(), sample.masks
    for axis, along in ((2, 0), (1, 1)):  # columns are x
        if rng.random() < 0.5:
            planes, masks = np.flip(planes, axis).copy(), np.flip(masks, axis)
            planes[SIGHT.start + along] *= -1
            shape[along:6:2] *= -1
    if rng.random() < 0.5:
        planes = planes.transpose(0, 2, 1)[list(TRANSPOSED_PLANES)]
        masks = masks.transpose(0, 2, 1)
        shape[:6] = shape[[1, 0, 3, 2, 5, 4]]
    return replace(sample, planes=np.ascontiguousarray(planes), shape=shape, masks=np.ascontiguousarray(masks))
