"""Subpixel refinement of the edges of the field, from an estimate that is off by a few pixels.

The search straightens a band along each side and finds the straight line that most stations along the side see as an
edge. The length of an edge counts more than its strength, because checkers, points and grain have strong short edges.

A rim shows two such lines: the foot of its inner wall on the surface, and the upper edge of that wall. To a camera over
the board the upper edge appears further out, by the same rim height on every side. The sides are therefore searched
together, for the rim height under which most of them show both lines. A camera beyond a side does not see the foot of
that wall. There the visible line is the upper edge, and the rim height gives its distance from the foot.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.projection import FieldShape, Points, Projection

Floats = NDArray[np.float64]

GAMMA = 2.2  # pictures store light to the power of 1/2.2
CLIMB_SAMPLES = 4  # two pixels
AROUND_SAMPLES = 13  # window across an edge, wider than its blur
DARKEST = 1e-3  # of full light (grey level 11); darker pixels are mostly noise


# Parameters of the search. All shares are of the field's width, unless another unit is given.
STATIONS = 120  # along each side
REACH_SHARE = 0.012  # to either side of the expected edge
EXPECTED_SHARE = 0.003  # standard deviation of the expected edge
SLOPE_SHARE = 0.004  # largest difference between the offsets of the two ends of a side
LEAST_RIM_SHARE = 0.012  # height of a rim; the limits are 6 and 30 mm on a field of 500 mm
MOST_RIM_SHARE = 0.06
RIM_WEIGHT = 0.7  # weight of the wall's upper edge relative to its foot
DOUBT = 0.1  # cost of one standard deviation from the expected edge, as a share of the stations
CORNER_SHARE = 0.04  # excluded share of a side at either end
STEP_PX = 0.5  # between samples across the edge
SPREAD_PX = 0.7  # standard deviation of an edge point
CLEAR_EDGE = 3.0  # grey levels per sample; a weaker step is no edge


@dataclass(frozen=True, slots=True, eq=False)
class SideEdge:
    """The detected edge of one side."""

    side: int  # 0 top, 1 right, 2 bottom, 3 left
    points_px: Points  # (n, 2) on the line where the side meets the surface
    share: float  # share of the stations with an edge on the line
    spread_px: float  # standard deviation of the points


@dataclass(frozen=True, slots=True, eq=False)
class _Band:
    """The straightened surroundings of one side: stations along it, samples across it from the inside out."""

    side: int
    middles_mm: Points  # (stations, 2) on the expected line
    outward: Floats  # (2,)
    across_mm: Floats  # (samples,)
    response: NDArray[np.float32]  # (stations, samples)
    inside: NDArray[np.bool_]  # (stations,): in the picture
    scores: Floats  # (slopes, samples): the share of stations with an edge on that line
    slopes_mm: Floats  # (slopes,)
    rim_offset: float  # approximate outward shift of the wall's upper edge per mm of its height

    @property
    def is_hidden(self) -> bool:
        """Whether the wall hides its own foot, so that only its upper edge is visible."""
        return self.rim_offset < 0


def side_ends_mm(field: FieldShape, side: int) -> Points:
    """(2, 2) board mm: the two ends of a side, clockwise."""
    corners = field.corners_mm
    return corners[[side, (side + 1) % 4]]


def is_behind_rim(projection: Projection, field: FieldShape, side: int) -> bool:
    """Whether the camera is beyond that side, so that the rim hides the edge of the surface."""
    return _foot_inside_mm(projection, field, side) < 0


def _foot_inside_mm(projection: Projection, field: FieldShape, side: int) -> float:
    """The distance of the camera from that side, positive towards the inside of the field."""
    x_mm, y_mm, _ = projection.camera_mm
    return (y_mm, field.width_mm - x_mm, field.height_mm - y_mm, x_mm)[side]


def find_sides(
    smooth: NDArray[np.float32],
    projection: Projection,
    field: FieldShape,
    sides: Sequence[int],
    *,
    expected_px: Mapping[int, Points] | None = None,
) -> tuple[SideEdge, ...]:
    """The lines where these sides meet the surface.

    `smooth` is (h, w, 3) float32, slightly blurred. `expected_px` gives points (n, 2) near a side; without them the
    search of that side starts from `projection`.
    """
    bands = [_sample_band(smooth, projection, field, side, expected_px=(expected_px or {}).get(side)) for side in sides]
    width = field.width_mm
    rims_mm = np.linspace(LEAST_RIM_SHARE, MOST_RIM_SHARE, 24) * width
    scores = [sum(_find_best_line(band, rim, width)[0] for band in bands) for rim in rims_mm]
    rim_mm = float(rims_mm[int(np.argmax(scores))]) if scores else 0.0
    edges = []
    for band in bands:
        _, slope, sample = _find_best_line(band, rim_mm, width)
        step_mm = band.across_mm[1] - band.across_mm[0]
        place = sample + np.linspace(-0.5, 0.5, STATIONS) * band.slopes_mm[slope] / step_mm
        place = _climb_to_edge(band.response, place)
        offset_mm, seen = _refine_subpixel(band.response, place, band.across_mm)
        seen &= band.inside
        foot_mm = offset_mm[seen] - (rim_mm * band.rim_offset if band.is_hidden else 0.0)
        points_mm = band.middles_mm[seen] + foot_mm[:, None] * band.outward
        share = float(seen.sum() / max(int(band.inside.sum()), 1))
        edges.append(SideEdge(band.side, projection.to_picture(points_mm), share, SPREAD_PX))
    return tuple(edges)


def _sample_band(
    smooth: NDArray[np.float32], projection: Projection, field: FieldShape, side: int, *, expected_px: Points | None
) -> _Band:
    begin, end = side_ends_mm(field, side)
    along: Floats = np.linspace(CORNER_SHARE, 1 - CORNER_SHARE, STATIONS)
    outward = np.array(((0, -1), (1, 0), (0, 1), (-1, 0))[side], np.float64)
    middles = begin + along[:, None] * (end - begin)
    if expected_px is not None:
        middles = middles + float(np.median((projection.to_board(expected_px) - begin) @ outward)) * outward
    step_mm = _mm_per_px(projection, middles, outward) * STEP_PX
    rim_offset = _foot_inside_mm(projection, field, side) / projection.camera_mm[2]
    lean_mm = SLOPE_SHARE * field.width_mm
    inward_mm = REACH_SHARE * field.width_mm + lean_mm / 2
    outward_mm = inward_mm + 1.1 * MOST_RIM_SHARE * max(rim_offset, 0) * field.width_mm
    across: Floats = np.arange(-round(inward_mm / step_mm), round(outward_mm / step_mm) + 1, dtype=np.float64) * step_mm
    grid_mm = middles[:, None] + across[None, :, None] * outward
    grid_px = projection.to_picture(grid_mm.reshape(-1, 2)).reshape(STATIONS, -1, 2)
    maps = grid_px.astype(np.float32)
    colours = cv2.remap(smooth, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    response = _edge_response(np.asarray(colours, np.float32))
    inside = _inside_mask(grid_px[:, round(inward_mm / step_mm)], smooth.shape)
    slopes_mm: Floats = np.arange(-int(lean_mm / step_mm), int(lean_mm / step_mm) + 1, dtype=np.float64) * step_mm
    scores = _score_lines(response, slopes_mm / step_mm)
    return _Band(side, middles, outward, across, response, inside, scores, slopes_mm, rim_offset)


def _mm_per_px(projection: Projection, at_mm: Points, outward: NDArray[np.float64]) -> float:
    px = projection.to_picture(np.concatenate([at_mm - outward, at_mm + outward]))
    steps = np.linalg.norm(px[len(at_mm) :] - px[: len(at_mm)], axis=1)
    return float(2 / np.median(steps))


def _inside_mask(points_px: Points, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    x, y = points_px.T
    return np.asarray((x > 1) & (y > 1) & (x < shape[1] - 2) & (y < shape[0] - 2))


def _edge_response(band: NDArray[np.float32]) -> NDArray[np.float32]:
    """(stations, samples): the step of brightness or colour at each sample, in grey levels.

    Steps are measured in linear light and converted to grey levels at the local brightness. In grey levels a blurred
    edge lies too far in the dark, so that a bright field appears too large.
    """
    light = (band / 255) ** GAMMA
    around = np.asarray(cv2.blur(light, (AROUND_SAMPLES, 1)), np.float32)
    levels = 255 / GAMMA * np.maximum(around, DARKEST) ** (1 / GAMMA - 1)  # grey levels per unit of light
    steps = np.zeros(band.shape[:2], np.float32)
    slopes = (light[:, 2:] - light[:, :-2]) * levels[:, 1:-1]
    steps[:, 1:-1] = np.sqrt((slopes**2).sum(axis=2) / band.shape[2])
    return steps


def _score_lines(response: NDArray[np.float32], slopes: Floats) -> Floats:
    """(slopes, samples): the share of stations with an edge on each line; saturation favours long edges."""
    strength = response / (response + 4 * CLEAR_EDGE)
    strength = np.maximum(strength, np.maximum(np.roll(strength, 1, axis=1), np.roll(strength, -1, axis=1)))
    stations, samples = response.shape
    rows, middle = np.arange(stations)[:, None], np.arange(samples)[None, :]
    lean = np.linspace(-0.5, 0.5, stations)[:, None]
    lines = [np.clip(np.rint(middle + lean * slope).astype(int), 0, samples - 1) for slope in slopes]
    return np.array([strength[rows, line].mean(axis=0) for line in lines], np.float64)


def _find_best_line(band: _Band, rim_mm: float, width_mm: float) -> tuple[float, int, int]:
    """The score, slope and sample of the best line under this rim height."""
    off = band.across_mm / (EXPECTED_SHARE * width_mm)
    lean = band.slopes_mm / (SLOPE_SHARE * width_mm)
    score = band.scores - DOUBT * (off**2)[None, :] - DOUBT * (lean**2)[:, None]
    if not band.is_hidden:
        upper_mm = band.across_mm + rim_mm * band.rim_offset
        upper = np.interp(upper_mm, band.across_mm, band.scores.max(axis=0), right=0.0)
        score = score + RIM_WEIGHT * upper[None, :]
    score[:, np.abs(band.across_mm) > REACH_SHARE * width_mm] = -np.inf
    slope, sample = np.unravel_index(int(score.argmax()), score.shape)
    return float(score[slope, sample]), int(slope), int(sample)


def _climb_to_edge(response: NDArray[np.float32], place: Floats) -> Floats:
    """(stations,): the line after hill climbing across the edge, without the prior of the expected edge."""
    rows, last = np.arange(len(place)), response.shape[1] - 1
    shifts = np.arange(-CLIMB_SAMPLES, CLIMB_SAMPLES + 1)
    columns = np.clip(np.rint(place).astype(int) + shifts[:, None], 0, last)
    along = response[rows, columns].mean(axis=1)
    best = CLIMB_SAMPLES
    while 0 < best < len(along) - 1 and max(along[best - 1], along[best + 1]) > along[best]:
        best += 1 if along[best + 1] > along[best - 1] else -1
    return np.asarray(place + shifts[best])


def _refine_subpixel(
    response: NDArray[np.float32], place: Floats, across_mm: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """(stations,) mm across by a parabola through the nearest maximum, and whether an edge is there."""
    near = np.arange(-2, 3)
    last = len(across_mm) - 2
    columns = np.clip(np.rint(place).astype(int)[:, None] + near, 1, last)
    rows = np.arange(len(place))
    # A maximum further from the line must be clearly stronger to win.
    bonus = np.array((0.7, 0.9, 1.0, 0.9, 0.7))
    peak = columns[rows, (response[rows[:, None], columns] * bonus).argmax(axis=1)]
    before, at, after = (response[rows, peak + step].astype(np.float64) for step in (-1, 0, 1))
    bend = before - 2 * at + after
    top = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0.0)
    step_mm = across_mm[1] - across_mm[0]
    return across_mm[peak] + np.clip(top, -1, 1) * step_mm, at >= CLEAR_EDGE
