"""Where the edges of the field lie to a part of a pixel, when it is known to a few pixels where to look.

A band along each side is cut out, straightened and searched for the straight line that most stations along it see as an
edge. How strong an edge is counts little, how long it is counts much: checkers, points and grain have strong short
ones.

A rim shows two such lines: where its inner wall meets the surface, and the upper edge of that wall. From a camera over
the board the upper one is seen further out, by the same rim height on every side. So the sides are searched together,
for the rim height under which most of them show both lines. From beyond a side its wall's foot is hidden; there the
upper edge is what is seen, further in, and that rim height tells by how much.
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
AROUND_SAMPLES = 13  # across an edge; wider than its blur
DARKEST = 1e-3  # of full light, grey level 11: below it there is noise only


@dataclass(frozen=True, slots=True)
class EdgeSearch:
    """How the edges are looked for. All shares are of the field's width."""

    stations: int = 120  # along each side
    reach_share: float = 0.012  # to either side of where the edge is expected
    expected_share: float = 0.003  # standard deviation of the expectation
    slope_share: float = 0.004  # how much the two ends of a side may be off against each other
    least_rim_share: float = 0.012  # of rims from 6 to 30 mm on a field of 500
    most_rim_share: float = 0.06
    rim_weight: float = 0.7  # what the wall's upper edge counts against its foot
    doubt: float = 0.1  # what a standard deviation off the expectation costs, as a share of the stations
    corner_share: float = 0.04  # of a side, left out at either end
    step_px: float = 0.5  # between samples across the edge
    spread_px: float = 0.7  # standard deviation of a point that is seen
    clear_edge: float = 3.0  # grey levels a step; below this a station sees no edge


@dataclass(frozen=True, slots=True, eq=False)
class SideEdge:
    """What was seen of one side: 0 top, 1 right, 2 bottom, 3 left."""

    side: int
    points_px: Points  # (n, 2) in the picture, of the line where the side meets the surface
    share: float  # of the stations that see an edge on the line
    spread_px: float  # standard deviation of the points


@dataclass(frozen=True, slots=True, eq=False)
class _Band:
    """The surroundings of one side, straightened: stations along it, samples across, outward."""

    side: int
    middles_mm: Points  # (stations, 2) on the expected line
    outward: Floats  # (2,)
    across_mm: Floats  # (samples,)
    response: NDArray[np.float32]  # (stations, samples)
    inside: NDArray[np.bool_]  # (stations,): in the picture
    scores: Floats  # (slopes, samples): the share of stations that see an edge on that line
    slopes_mm: Floats  # (slopes,)
    rim_offset: float  # how far out the wall's upper edge is seen, for each mm of its height (roughly)

    @property
    def is_hidden(self) -> bool:
        """Whether the wall hides its own foot, so that its upper edge is seen in its place."""
        return self.rim_offset < 0


def side_ends_mm(field: FieldShape, side: int) -> Points:
    """(2, 2): where the side begins and ends, clockwise."""
    corners = field.corners_mm
    return corners[[side, (side + 1) % 4]]


def is_behind_rim(projection: Projection, field: FieldShape, side: int) -> bool:
    """Whether the camera stands beyond that side, so that the rim hides where it meets the surface."""
    return foot_inside_mm(projection, field, side) < 0


def foot_inside_mm(projection: Projection, field: FieldShape, side: int) -> float:
    """How far inside that side the camera stands."""
    x_mm, y_mm, _ = projection.camera_mm
    return (y_mm, field.width_mm - x_mm, field.height_mm - y_mm, x_mm)[side]


def find_sides(
    smooth: NDArray[np.float32],
    projection: Projection,
    field: FieldShape,
    sides: Sequence[int],
    *,
    expected_px: Mapping[int, Points] | None = None,
    search: EdgeSearch | None = None,
) -> tuple[SideEdge, ...]:
    """The lines where these sides meet the surface. `smooth` is (h, w, 3) float32, slightly blurred.

    A side is looked for around its `expected_px`, (n, 2), where others saw it, else where `projection` has it.
    """
    search = search or EdgeSearch()
    bands = [
        _sample_band(smooth, projection, field, side, expected_px=(expected_px or {}).get(side), search=search)
        for side in sides
    ]
    width = field.width_mm
    rims_mm = np.linspace(search.least_rim_share, search.most_rim_share, 24) * width
    worths = [sum(_find_best_line(band, rim, width, search)[0] for band in bands) for rim in rims_mm]
    rim_mm = float(rims_mm[int(np.argmax(worths))]) if worths else 0.0
    edges = []
    for band in bands:
        _, slope, sample = _find_best_line(band, rim_mm, width, search)
        step_mm = band.across_mm[1] - band.across_mm[0]
        place = sample + np.linspace(-0.5, 0.5, search.stations) * band.slopes_mm[slope] / step_mm
        place = _climb_to_edge(band.response, place)
        offset_mm, seen = _refine_subpixel(band.response, place, band.across_mm, search.clear_edge)
        seen &= band.inside
        foot_mm = offset_mm[seen] - (rim_mm * band.rim_offset if band.is_hidden else 0.0)
        points_mm = band.middles_mm[seen] + foot_mm[:, None] * band.outward
        share = float(seen.sum() / max(int(band.inside.sum()), 1))
        edges.append(SideEdge(band.side, projection.to_picture(points_mm), share, search.spread_px))
    return tuple(edges)


def _sample_band(
    smooth: NDArray[np.float32],
    projection: Projection,
    field: FieldShape,
    side: int,
    *,
    expected_px: Points | None,
    search: EdgeSearch,
) -> _Band:
    begin, end = side_ends_mm(field, side)
    along: Floats = np.linspace(search.corner_share, 1 - search.corner_share, search.stations)
    outward = np.array(((0, -1), (1, 0), (0, 1), (-1, 0))[side], np.float64)
    middles = begin + along[:, None] * (end - begin)
    if expected_px is not None:
        middles = middles + float(np.median((projection.to_board(expected_px) - begin) @ outward)) * outward
    step_mm = _mm_per_px(projection, middles, outward) * search.step_px
    rim_offset = foot_inside_mm(projection, field, side) / projection.camera_mm[2]
    lean_mm = search.slope_share * field.width_mm
    inward_mm = search.reach_share * field.width_mm + lean_mm / 2
    outward_mm = inward_mm + 1.1 * search.most_rim_share * max(rim_offset, 0) * field.width_mm
    across: Floats = np.arange(-round(inward_mm / step_mm), round(outward_mm / step_mm) + 1, dtype=np.float64) * step_mm
    grid_mm = middles[:, None] + across[None, :, None] * outward
    grid_px = projection.to_picture(grid_mm.reshape(-1, 2)).reshape(search.stations, -1, 2)
    maps = grid_px.astype(np.float32)
    colours = cv2.remap(smooth, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    response = _edge_response(np.asarray(colours, np.float32))
    inside = _inside_mask(grid_px[:, round(inward_mm / step_mm)], smooth.shape)
    slopes_mm: Floats = np.arange(-int(lean_mm / step_mm), int(lean_mm / step_mm) + 1, dtype=np.float64) * step_mm
    scores = _score_lines(response, slopes_mm / step_mm, search)
    return _Band(side, middles, outward, across, response, inside, scores, slopes_mm, rim_offset)


def _mm_per_px(projection: Projection, at_mm: Points, outward: NDArray[np.float64]) -> float:
    px = projection.to_picture(np.concatenate([at_mm - outward, at_mm + outward]))
    steps = np.linalg.norm(px[len(at_mm) :] - px[: len(at_mm)], axis=1)
    return float(2 / np.median(steps))


def _inside_mask(points_px: Points, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    x, y = points_px.T
    inside: NDArray[np.bool_] = (x > 1) & (y > 1) & (x < shape[1] - 2) & (y < shape[0] - 2)
    return inside


def _edge_response(band: NDArray[np.float32]) -> NDArray[np.float32]:
    """(stations, samples): the step of brightness or colour at each sample, in grey levels.

    Steps are taken in light and told in grey levels of about the brightness around them: in grey levels themselves a
    blurred edge lies too far in the dark, so that a bright field looks too large.
    """
    light = (band / 255) ** GAMMA
    around = np.asarray(cv2.blur(light, (AROUND_SAMPLES, 1)), np.float32)
    levels = 255 / GAMMA * np.maximum(around, DARKEST) ** (1 / GAMMA - 1)  # a unit of light there
    steps = np.zeros(band.shape[:2], np.float32)
    slopes = (light[:, 2:] - light[:, :-2]) * levels[:, 1:-1]
    steps[:, 1:-1] = np.sqrt((slopes**2).sum(axis=2) / band.shape[2])
    return steps


def _score_lines(response: NDArray[np.float32], slopes: Floats, search: EdgeSearch) -> Floats:
    """(slopes, samples): how many stations see an edge on each line; what is longer wins over what is stronger."""
    strength = response / (response + 4 * search.clear_edge)
    strength = np.maximum(strength, np.maximum(np.roll(strength, 1, axis=1), np.roll(strength, -1, axis=1)))
    stations, samples = response.shape
    rows, middle = np.arange(stations)[:, None], np.arange(samples)[None, :]
    lean = np.linspace(-0.5, 0.5, stations)[:, None]
    lines = [np.clip(np.rint(middle + lean * slope).astype(int), 0, samples - 1) for slope in slopes]
    return np.array([strength[rows, line].mean(axis=0) for line in lines], np.float64)


def _find_best_line(band: _Band, rim_mm: float, width_mm: float, search: EdgeSearch) -> tuple[float, int, int]:
    """What the best line is worth under this rim height, its slope and its sample."""
    off = band.across_mm / (search.expected_share * width_mm)
    lean = band.slopes_mm / (search.slope_share * width_mm)
    worth = band.scores - search.doubt * (off**2)[None, :] - search.doubt * (lean**2)[:, None]
    if not band.is_hidden:
        upper_mm = band.across_mm + rim_mm * band.rim_offset
        upper = np.interp(upper_mm, band.across_mm, band.scores.max(axis=0), right=0.0)
        worth = worth + search.rim_weight * upper[None, :]
    worth[:, np.abs(band.across_mm) > search.reach_share * width_mm] = -np.inf
    slope, sample = np.unravel_index(int(worth.argmax()), worth.shape)
    return float(worth[slope, sample]), int(slope), int(sample)


def _climb_to_edge(response: NDArray[np.float32], place: Floats) -> Floats:
    """(stations,): the line, moved across as long as more edge is seen on it; what was expected pulls no longer."""
    rows, last = np.arange(len(place)), response.shape[1] - 1
    shifts = np.arange(-CLIMB_SAMPLES, CLIMB_SAMPLES + 1)
    columns = np.clip(np.rint(place).astype(int) + shifts[:, None], 0, last)
    along = response[rows, columns].mean(axis=1)
    best = CLIMB_SAMPLES
    while 0 < best < len(along) - 1 and max(along[best - 1], along[best + 1]) > along[best]:
        best += 1 if along[best + 1] > along[best - 1] else -1
    moved: Floats = place + shifts[best]
    return moved


def _refine_subpixel(
    response: NDArray[np.float32], place: Floats, across_mm: Floats, clear_edge: float
) -> tuple[Floats, NDArray[np.bool_]]:
    """(stations,) mm across and whether an edge is seen there: the top of the parabola through the nearest maximum."""
    near = np.arange(-2, 3)
    last = len(across_mm) - 2
    columns = np.clip(np.rint(place).astype(int)[:, None] + near, 1, last)
    rows = np.arange(len(place))
    # Of equals the nearest: what lies off the line must be clearly stronger to be meant.
    bonus = np.array((0.7, 0.9, 1.0, 0.9, 0.7))
    peak = columns[rows, (response[rows[:, None], columns] * bonus).argmax(axis=1)]
    before, at, after = (response[rows, peak + step].astype(np.float64) for step in (-1, 0, 1))
    bend = before - 2 * at + after
    top = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0.0)
    step_mm = across_mm[1] - across_mm[0]
    return across_mm[peak] + np.clip(top, -1, 1) * step_mm, at >= clear_edge
