"""Calibration from four ArUco tags on the corners of the rim.

The tags are squares of one size in one plane; their size, position and height are unknown. They determine what the
edges of the field determine badly: the lens, the tilt and the identity of the corners. Only the edges determine where
the field ends.
"""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.auto_calibration import corner_distance_share, guess_field, make_calibration, rotate_half_turn
from vision.field.bundle_adjustment import JointFit, Measurements, fit_jointly
from vision.field.detector import FieldFit, FieldNotFound, find_field, refine_field
from vision.field.edges import SideEdge, find_sides, is_behind_rim, side_ends_mm
from vision.field.tags import CORNER_NAMES, Tags, find_tags
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.geometry.projection import FieldShape, Lens, Points, Projection

Picture = NDArray[np.uint8]
LEAST_TAGS = 3
EDGE_FIT_ROUNDS = 2


# Conditions under which tags and edges describe the same board. Shares are of the field's width.
LEAST_CONFIDENCE = 0.5  # of the field detector
LEAST_EDGE_SHARE = 0.35  # of the stations of a side, for the side to count
GUESS_SHARE = 0.004  # standard deviation of the sides from the detector
MOST_SHARE = 0.03  # largest shift of a corner by tags and edges; the detector is more exact than that
LEAST_COVER = 0.5  # share of the area between the tags that the field fills; trays may take a third
SMOOTHING_PX = 0.8


def calibrate_from_tags(
    pixels: Picture, *, field_mm: tuple[float, float] | None = None, taken_at: str
) -> Calibration | Refusal:
    """Calibrates from at least three tags. Tag 0 lies at the corner that becomes the upper left."""
    tags = find_tags(pixels)
    if len(tags.corners_px) < LEAST_TAGS:
        names = ", ".join(CORNER_NAMES[number] for number in tags.missing)
        return Refusal(
            f"Of the four tags (ArUco 4X4_50) these are not seen: {names}; show the whole rim, or calibrate without tags."
        )
    if not tags.is_in_order():
        return Refusal(
            "The tags do not lie clockwise as 0, 1, 2, 3 around the board; lay them so, 0 at the upper left."
        )
    fit = _detect_field(pixels, tags, field_mm=field_mm)
    if isinstance(fit, Refusal):
        return fit
    joint = _fit_to_edges(pixels, tags, fit, height_is_known=field_mm is not None)
    refined = FieldFit(joint.projection, joint.field, joint.rms_mm, fit.edge_share, fit.confidence)
    return make_calibration(pixels, refined, field_mm=field_mm, way=CalibrationMethod.TAGS, taken_at=taken_at)


def _detect_field(pixels: Picture, tags: Tags, *, field_mm: tuple[float, float] | None) -> FieldFit | Refusal:
    """The detected field, turned so that tag 0 lies at its upper left corner."""
    fit = find_field(pixels, field_mm=field_mm)
    if isinstance(fit, FieldNotFound) or not _lies_between(fit, tags):
        guess, field = _guess_field_from_tags(pixels, tags, field_mm)
        fit = refine_field(pixels, guess, field, keep_size=field_mm is not None)
    if isinstance(fit, FieldNotFound) or fit.confidence < LEAST_CONFIDENCE or not _lies_between(fit, tags):
        return Refusal(
            "The tags are seen, but between them no edges of a playing field are clear; give more even light, or the"
            " field's corners with --corners."
        )
    turned_projection, turned_field = rotate_half_turn(fit.projection, fit.field)
    if _distance_to_tags_px(turned_projection, turned_field, tags) < _distance_to_tags_px(
        fit.projection, fit.field, tags
    ):
        return FieldFit(turned_projection, turned_field, fit.residual_mm, fit.edge_share, fit.confidence)
    return fit


def _distance_to_tags_px(projection: Projection, field: FieldShape, tags: Tags) -> float:
    """The sum of the distances between the tags and their corners."""
    corners = projection.to_picture(field.corners_mm)
    return float(sum(np.linalg.norm(middle - corners[number]) for number, middle in tags.middles_px().items()))


def _lies_between(fit: FieldFit, tags: Tags) -> bool:
    """Whether the field lies inside the tags and fills most of what is between them."""
    corners = fit.projection.to_picture(fit.field.corners_mm).astype(np.float32)
    between = _complete_middles(tags.middles_px()).astype(np.float32)
    whole = float(cv2.contourArea(between))
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(corners), cv2.convexHull(between))
    return shared > LEAST_COVER * whole and shared > 0.9 * float(cv2.contourArea(corners))


def _complete_middles(middles: dict[int, Points]) -> Points:
    """(4, 2): the centres of the tags by number; a missing tag completes the parallelogram."""
    points = dict(middles)
    for number in set(range(4)) - set(points):
        points[number] = points[(number + 1) % 4] + points[(number - 1) % 4] - points[(number + 2) % 4]
    return np.array([points[number] for number in range(4)])


def _guess_field_from_tags(
    pixels: Picture, tags: Tags, field_mm: tuple[float, float] | None
) -> tuple[Projection, FieldShape]:
    """A field between the innermost corners of the tags, which is correct for narrow rims without trays."""
    middles = _complete_middles(tags.middles_px())
    centre = middles.mean(axis=0)
    corners = middles.copy()
    for number, tag in tags.corners_px.items():
        corners[number] = tag[np.linalg.norm(tag - centre, axis=1).argmin()]
    field = guess_field(field_mm)
    return Projection.of_corners(corners, field, Lens.usual(pixels.shape[1], pixels.shape[0])), field


def _fit_to_edges(pixels: Picture, tags: Tags, fit: FieldFit, *, height_is_known: bool) -> JointFit:
    """Fits tags, detected outline and measured edges, in rounds because a better fit gives better edges."""
    adjust = partial(fit_jointly, size_px=(pixels.shape[1], pixels.shape[0]), height_is_known=height_is_known)
    tags_px: NDArray[np.float64] | None = np.array(list(tags.corners_px.values()))
    joint = adjust(Measurements(tags_px=tags_px, outline=fit.projection), fit.projection, fit.field)
    if _compute_shift_share(joint, fit) > MOST_SHARE:  # the tags are bent or raised
        tags_px = None
        joint = adjust(Measurements(outline=fit.projection), fit.projection, fit.field)
    smooth = cv2.GaussianBlur(pixels, (0, 0), SMOOTHING_PX).astype(np.float32)
    for _ in range(EDGE_FIT_ROUNDS):
        edges = _measure_edges(smooth, joint, fit)
        seen = Measurements(edges=edges, tags_px=tags_px, outline=fit.projection, outline_share=0.01)
        nearer = adjust(seen, joint.projection, joint.field)
        if _compute_shift_share(nearer, fit) > MOST_SHARE:
            return joint
        joint = nearer
    return joint


def _compute_shift_share(joint: JointFit, fit: FieldFit) -> float:
    """The largest shift of a corner from the detected field, as a share of the width."""
    return corner_distance_share(joint.projection, joint.field, fit.projection, fit.field)


def _measure_edges(smooth: NDArray[np.float32], joint: JointFit, fit: FieldFit) -> tuple[SideEdge, ...]:
    """The measured edge of each side near the detected one; the detected edge where the measured one is not clear."""
    guessed = {side: _guess_side(fit, side) for side in range(4)}
    expected_px = {side: edge.points_px for side, edge in guessed.items()}
    found = find_sides(smooth, joint.projection, joint.field, range(4), expected_px=expected_px)
    return tuple(edge if edge.share >= LEAST_EDGE_SHARE else _move_to_foot(guessed[edge.side], joint) for edge in found)


def _move_to_foot(edge: SideEdge, joint: JointFit) -> SideEdge:
    """Moves an edge from the visible upper edge of the rim to the surface, on a side whose rim hides the surface."""
    if not is_behind_rim(joint.projection, joint.field, edge.side):
        return edge
    foot_mm = joint.projection.to_board(edge.points_px, joint.rim_height_mm)
    return replace(edge, points_px=joint.projection.to_picture(foot_mm))


def _guess_side(fit: FieldFit, side: int) -> SideEdge:
    """A few points on the detected line of a side, with their standard deviation."""
    begin, end = side_ends_mm(fit.field, side)
    points_px = fit.projection.to_picture(begin + np.linspace(0.05, 0.95, 7)[:, None] * (end - begin))
    corners = fit.projection.to_picture(fit.field.corners_mm)
    width_px = float(np.linalg.norm(corners[[0, 3]].mean(axis=0) - corners[[1, 2]].mean(axis=0)))
    return SideEdge(side, points_px, 0.0, GUESS_SHARE * width_px)
